import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { Refused } from '../api.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../calendar-api.ts'
import { campaignText } from '../campaign-text.ts'
import type { Pages, Written } from '../page.ts'
import { pathTo } from '../paths.ts'
import { asked, unlessUnknown, withFilters } from '../site/calendar/calendar-filter.ts'
import { isProtection } from '../site/events/reading.ts'
import { feedFiltersIn } from '../site/feeds/feed-filter.ts'
import { embedWords } from '../text/embed.ts'
import { CampaignCard } from '../ui/campaign-card.tsx'
import { EventCard } from '../ui/event-card.tsx'
import type { Visit } from '../visit.ts'
import { embedDocument } from './embed-document.tsx'
import { lookIn } from './look.ts'

/** Pages for frames on other sites, each a twin of one of ours. */
export function embedPages(pages: Pages): void {
  pages.addBare('embedEvents', unlessMissing(embedEvents))
  pages.addBare('embedEvent', unlessMissing(embedEvent))
  pages.addBare('embedCampaign', unlessMissing(embedCampaign))
}

async function embedEvents(visit: Visit): Promise<Written> {
  const { api, language, site, now } = visit
  const words = embedWords[language]
  const filters = feedFiltersIn(visit)
  const { view, max } = lookIn(visit)
  const query = { ...asked(filters), language, ends_after: 'now', per_page: max }
  const found = await unlessUnknown(api.get<EventList>(`${calendarPath}/events`, query))
  if (found === undefined) throw new Refused(404, 'no-such-filter', '', {})
  const title = words.events(site.name)
  return embedDocument(visit, {
    title,
    heading: title,
    children: (
      <>
        {found.events.length === 0 ? (
          <div class="empty">
            <p>{words.nothing}</p>
          </div>
        ) : (
          <ol class={view === 'compact' ? 'plain-list compact' : 'plain-list'}>
            {found.events.map(event => (
              <li key={event.id}>
                <EventCard
                  language={language}
                  event={event}
                  timezone={site.timezone}
                  now={now}
                  level={2}
                  brief={view === 'compact'}
                  target="_top"
                />
              </li>
            ))}
          </ol>
        )}
        <Foot visit={visit} href={withFilters(pathTo('list', language), filters)} label={words.allEvents} />
      </>
    )
  })
}

async function embedEvent(visit: Visit): Promise<Written> {
  const { api, language, site, now, params } = visit
  const words = embedWords[language]
  if (!/^\d{1,15}$/.test(params.id ?? '')) throw new Refused(404, 'not-found', '', {})
  const { body: event } = await api.get<CalendarEvent>(`${calendarPath}/events/${params.id}`, { language })
  return embedDocument(visit, {
    title: words.event(event.title, site.name),
    children: (
      <>
        <EventCard language={language} event={event} timezone={site.timezone} now={now} level={2} target="_top" />
        <Foot visit={visit} href={pathTo('event', language, event.slug)} label={words.more} />
      </>
    )
  })
}

async function embedCampaign(visit: Visit): Promise<Written> {
  const { api, language, site, params } = visit
  const [id = ''] = /^\d{1,15}$/.exec(params.id ?? '') ?? []
  if (id === '') throw new Refused(404, 'not-found', '', {})
  const { body: campaign } = await api.get<Campaign>(`/campaigns/${id}`)
  return embedDocument(visit, {
    title: embedWords[language].event(campaignText(campaign, language).name, site.name),
    children: <CampaignCard visit={visit} campaign={campaign} heading="h2" target="_top" />
  })
}

function Foot({ visit: { language, site }, href, label }: { visit: Visit; href: string; label: string }) {
  return (
    <p class="embed-foot">
      <a href={href} target="_top">
        {label}
      </a>
      <a class="embed-site" href={pathTo('home', language)} target="_top">
        {site.name}
      </a>
    </p>
  )
}

/** What is not there is said in the frame, in few words: our page for it would be refused there. */
function unlessMissing(write: (visit: Visit) => Promise<Written>): (visit: Visit) => Promise<Written> {
  return async visit => {
    try {
      return await write(visit)
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500 || error.status === 429) throw error
      const { locked, missing } = embedWords[visit.language]
      const isLocked = isProtection(error)
      const { title, text } = isLocked ? locked : missing
      return embedDocument(visit, {
        title,
        status: isLocked ? 403 : 404,
        children: (
          <div class="empty">
            <h2>{title}</h2>
            <p>{text}</p>
            <p>
              <a class="button quiet" href={pathTo('home', visit.language)} target="_top">
                {embedWords[visit.language].toSite(visit.site.name)}
              </a>
            </p>
          </div>
        )
      })
    }
  }
}
