import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { standingOf } from '../../campaign-text.ts'
import { number } from '../../format.ts'
import type { Page } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { donateWords } from '../../text/donate.ts'
import { CampaignCard } from '../../ui/campaign-card.tsx'
import type { Visit } from '../../visit.ts'

/** So many that have ended are shown at once. */
const endedShown = 12

/** All campaigns: those that take donations first, newest first, then what was achieved. */
export async function campaignListPage(visit: Visit): Promise<Page> {
  const { language, now, query } = visit
  const words = donateWords[language]
  const { body } = await visit.api.get<Campaign[]>('/campaigns')
  const campaigns = body.toReversed()
  const running = campaigns.filter(one => ['open', 'soon'].includes(standingOf(one, now)))
  const ended = campaigns.filter(one => !running.includes(one))
  const shown = query.all === undefined ? ended.slice(0, endedShown) : ended
  return {
    title: words.title,
    description: words.lead,
    twins: { en: pathTo('campaigns', 'en'), de: pathTo('campaigns', 'de') },
    menu: 'donate',
    news: pathTo('campaignsAtom', language),
    body: (
      <>
        <header class="campaigns-head">
          <h1>{words.title}</h1>
          <p class="lead">{words.lead}</p>
        </header>
        {running.length > 0 ? (
          <section aria-labelledby="running">
            <h2 id="running" class="visually-hidden">
              {words.running}
            </h2>
            <div class="campaigns-grid">
              {running.map(one => (
                <CampaignCard key={one.id} visit={visit} campaign={one} />
              ))}
            </div>
          </section>
        ) : (
          <div class="empty">
            <p>{words.empty}</p>
          </div>
        )}
        {ended.length === 0 ? null : (
          <section aria-labelledby="ended" class="campaigns-ended">
            <h2 id="ended">{words.ended}</h2>
            <div class="campaigns-grid small">
              {shown.map(one => (
                <CampaignCard key={one.id} visit={visit} campaign={one} />
              ))}
            </div>
            {shown.length === ended.length ? null : (
              <p>
                <a href={`${pathTo('campaigns', language)}?all=yes#ended`}>
                  {words.showAllEnded(number(language, ended.length))}
                </a>
              </p>
            )}
          </section>
        )}
      </>
    )
  }
}
