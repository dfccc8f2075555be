import { withQuery } from '../../api.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../calendar-api.ts'
import { number } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/event.ts'
import { EventCard } from '../../ui/event-card.tsx'
import { EventLines } from '../../ui/event-lines.tsx'
import type { Visit } from '../../visit.ts'

/** The events of a place, of somebody, or of a kind. */
export interface Listing {
  ahead: CalendarEvent[]
  page: number
  pages: number
  past: CalendarEvent[]
  pastTotal: number
}

/** What events are narrowed to: `{ venue: 5 }`. */
export type Narrowed = Record<string, string | number>

const perPage = 20
const pastShown = 10

export async function listingOf({ api, language, query }: Visit, narrowed: Narrowed): Promise<Listing> {
  const page = /^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1
  const asked = { language, strict_dates: true, ...narrowed }
  const list = async (more: Narrowed) =>
    (await api.get<EventList>(`${calendarPath}/events`, { ...asked, ...more })).body
  const [ahead, past] = await Promise.all([
    list({ ends_after: 'now', per_page: perPage, page }),
    list({ ends_before: 'now', per_page: pastShown, order: 'desc' })
  ])
  return { ahead: ahead.events, page, pages: ahead.total_pages, past: past.events, pastTotal: past.total }
}

/** Upcoming events page by page, and behind a door the last of those that are over. */
export function ListingView({
  visit,
  listing,
  own,
  filter
}: {
  visit: Visit
  listing: Listing
  /** The address of the page that this is part of. */
  own: string
  /** The same filter in the words of the calendar's pages. */
  filter: Narrowed
}) {
  const { language } = visit
  const words = eventWords[language]
  return (
    <>
      <section class="listing">
        <h2>{words.upcoming}</h2>
        {listing.ahead.length === 0 ? (
          <div class="empty">
            <p>{words.nothingAhead}</p>
          </div>
        ) : (
          <div class="listing-cards">
            {listing.ahead.map(event => (
              <EventCard
                key={event.id}
                language={language}
                event={event}
                timezone={visit.site.timezone}
                now={visit.now}
              />
            ))}
          </div>
        )}
        <Pager visit={visit} listing={listing} own={own} />
      </section>
      {listing.past.length === 0 ? null : (
        <details class="listing-past">
          <summary>{words.pastEvents(number(language, listing.pastTotal))}</summary>
          <EventLines visit={visit} events={listing.past} />
          {listing.pastTotal <= listing.past.length ? null : (
            <p>
              <a href={withQuery(pathTo('list', language), { ...filter, past: 'yes' })}>{words.allPast}</a>
            </p>
          )}
        </details>
      )}
    </>
  )
}

function Pager({ visit, listing, own }: { visit: Visit; listing: Listing; own: string }) {
  const { language } = visit
  const words = eventWords[language]
  const { page, pages } = listing
  if (pages < 2) return null
  return (
    <nav class="pager no-print" aria-label={words.pages}>
      {page > 1 ? (
        <a class="button quiet" rel="prev" href={pageAddress(own, page - 1)}>
          {words.newerPage}
        </a>
      ) : (
        <span />
      )}
      <span class="faded">{words.pageOf(number(language, page), number(language, pages))}</span>
      {page < pages ? (
        <a class="button quiet" rel="next" href={pageAddress(own, page + 1)}>
          {words.olderPage}
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

/** The first page has no number. */
export function pageAddress(own: string, page: number): string {
  return page === 1 ? own : `${own}?page=${page}`
}
