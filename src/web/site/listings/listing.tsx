import { getMessages } from '#platform/messages/messages.ts'
import { EventCard } from '../../components/event-card.tsx'
import { EventLines } from '../../components/event-lines.tsx'
import { formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'

/** Events of a venue, organizer or term. */
export interface Listing {
  ahead: CalendarEvent[]
  page: number
  pages: number
  past: CalendarEvent[]
  pastTotal: number
}

/** Filter of events: `{ venue: 5 }`. */
export type ListingFilter = Record<string, string | number>

const perPage = 20
const pastShown = 10

export async function loadListing({ api, language, query }: PageContext, narrowed: ListingFilter): Promise<Listing> {
  const page = /^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1
  const params = { language, strict_dates: true, ...narrowed }
  const list = async (more: ListingFilter) =>
    (await api.get<EventList>(`${calendarPath}/events`, { ...params, ...more })).body
  const [ahead, past] = await Promise.all([
    list({ ends_after: 'now', per_page: perPage, page }),
    list({ ends_before: 'now', per_page: pastShown, order: 'desc' })
  ])
  return { ahead: ahead.events, page, pages: ahead.total_pages, past: past.events, pastTotal: past.total }
}

/** Upcoming events with paging, and the latest past events in a collapsed box. */
export function ListingView({
  context,
  listing,
  own,
  filter
}: {
  context: PageContext
  listing: Listing
  /** Path of the page. */
  own: string
  /** The same filter with the parameter names of the calendar pages. */
  filter: ListingFilter
}) {
  const { language } = context
  const strings = getMessages('event', language)
  return (
    <>
      <section class="listing">
        <h2>{strings.upcoming}</h2>
        {listing.ahead.length === 0 ? (
          <div class="empty">
            <p>{strings.nothingAhead}</p>
          </div>
        ) : (
          <div class="listing-cards">
            {listing.ahead.map(event => (
              <EventCard key={event.id} language={language} event={event} site={context.site} now={context.now} />
            ))}
          </div>
        )}
        <Pager context={context} listing={listing} own={own} />
      </section>
      {listing.past.length === 0 ? null : (
        <details class="listing-past">
          <summary>{strings.pastEvents({ count: formatNumber(language, listing.pastTotal) })}</summary>
          <EventLines context={context} events={listing.past} />
          {listing.pastTotal <= listing.past.length ? null : (
            <p>
              <a href={withQuery(getPath('list', language), { ...filter, past: 'yes' })}>{strings.allPast}</a>
            </p>
          )}
        </details>
      )}
    </>
  )
}

function Pager({ context, listing, own }: { context: PageContext; listing: Listing; own: string }) {
  const { language } = context
  const strings = getMessages('event', language)
  const { page, pages } = listing
  if (pages < 2) return null
  return (
    <nav class="pager no-print" aria-label={strings.pages}>
      {page > 1 ? (
        <a class="button quiet" rel="prev" href={getPagePath(own, page - 1)}>
          {strings.newerPage}
        </a>
      ) : (
        <span />
      )}
      <span class="muted">
        {strings.pageOf({ page: formatNumber(language, page), pages: formatNumber(language, pages) })}
      </span>
      {page < pages ? (
        <a class="button quiet" rel="next" href={getPagePath(own, page + 1)}>
          {strings.olderPage}
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

/** The first page has no page number. */
export function getPagePath(own: string, page: number): string {
  return page === 1 ? own : `${own}?page=${page}`
}
