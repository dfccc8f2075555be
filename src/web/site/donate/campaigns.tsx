import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CampaignCard } from '../../components/campaign-card.tsx'
import { formatNumber } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import { getCampaignState } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import { loadUploadedImages } from '../../server/uploaded-images.ts'

/** Number of ended campaigns shown initially. */
const endedShown = 12

/** All campaigns: open ones first, newest first, then ended ones. */
export async function showCampaigns(context: PageContext): Promise<Page> {
  const { language, now, query } = context
  const strings = getMessages('donate', language)
  const { body } = await context.api.get<Campaign[]>('/campaigns')
  const campaigns = body.toReversed()
  const running = campaigns.filter(one => ['open', 'soon'].includes(getCampaignState(one, now)))
  const ended = campaigns.filter(one => !running.includes(one))
  const shown = query.all === undefined ? ended.slice(0, endedShown) : ended
  const images = await loadUploadedImages(
    context,
    [...running, ...shown].map(({ imageUrl }) => imageUrl)
  )
  return {
    title: strings.title,
    description: strings.lead,
    alternates: getPaths('campaigns'),
    menu: 'donate',
    atomFeed: getPath('campaignsAtom', language),
    body: (
      <>
        <header class="campaigns-head">
          <h1>{strings.title}</h1>
          <p class="lead">{strings.lead}</p>
        </header>
        {running.length > 0 ? (
          <section aria-labelledby="running">
            <h2 id="running" class="visually-hidden">
              {strings.running}
            </h2>
            <div class="campaigns-grid">
              {running.map((one, index) => (
                <CampaignCard key={one.id} context={context} campaign={one} images={images} isFirst={index === 0} />
              ))}
            </div>
          </section>
        ) : (
          <div class="empty">
            <p>{strings.empty}</p>
          </div>
        )}
        {ended.length === 0 ? null : (
          <section aria-labelledby="ended" class="campaigns-ended">
            <h2 id="ended">{strings.ended}</h2>
            <div class="campaigns-grid small">
              {shown.map(one => (
                <CampaignCard key={one.id} context={context} campaign={one} images={images} />
              ))}
            </div>
            {shown.length === ended.length ? null : (
              <p>
                <a href={`${getPath('campaigns', language)}?all=yes#ended`}>
                  {strings.showAllEnded({ count: formatNumber(language, ended.length) })}
                </a>
              </p>
            )}
          </section>
        )}
      </>
    )
  }
}
