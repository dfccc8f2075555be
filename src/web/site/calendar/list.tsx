import type { Language } from '#platform/language.ts'
import { type CalendarEvent, calendarPath, type EventList, hueOf, type Term } from '../../calendar-api.ts'
import { dayIn, monthName } from '../../format.ts'
import type { Page } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import { EventCard } from '../../ui/event-card.tsx'
import type { Visit } from '../../visit.ts'
import {
  asked,
  choicesFor,
  type Filters,
  filtersIn,
  isFiltered,
  keyOf,
  noFilters,
  unlessUnknown,
  withFilters
} from './calendar-filter.ts'
import { calendarView } from './calendar-view.tsx'
import { nearestTerms } from './nearest-terms.ts'

/** What runs and what comes, or with `?past=yes` what is over, the newest first. */
export async function listPage(visit: Visit): Promise<Page> {
  const { api, language, site, now, query } = visit
  const words = calendarWords[language]
  const filters = filtersIn(visit)
  const past = query.past === 'yes'
  const page = /^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1
  const [found, choices] = await Promise.all([
    unlessUnknown(
      api.get<EventList>(`${calendarPath}/events`, {
        ...asked(filters),
        ...(past ? { ends_before: 'now', order: 'desc' } : { ends_after: 'now' }),
        page,
        per_page: 20
      })
    ),
    choicesFor(visit, filters)
  ])
  const { events, total_pages: pages } = found ?? { events: [], total_pages: 0 }
  const today = dayIn(site.timezone, now)
  const more = (one: number, over: boolean) => ({ past: over ? 'yes' : undefined, page: one > 1 ? one : undefined })
  const at = (one: number, over: boolean) => withFilters(pathTo('list', language), filters, more(one, over))
  const further = page < pages ? at(page + 1, past) : undefined
  const nearer = page > 1 ? at(page - 1, past) : undefined
  const [earlier, later] = past ? [further, nearer ?? at(1, false)] : [nearer ?? at(1, true), further]
  const title = titleOf(visit, filters.search, past)
  return calendarView(visit, {
    view: 'list',
    title,
    pathIn: one => pathTo('list', one),
    more: more(page, past),
    filters,
    choices,
    isUnknown: found === undefined,
    previous: nearer,
    next: further,
    head: (
      <>
        <h1>{title}</h1>
        {pages > 1 ? <p class="faded">{words.page(page, pages)}</p> : null}
      </>
    ),
    body: (
      <>
        {found !== undefined && events.length === 0 ? (
          <EmptyList language={language} filters={filters} past={past} categories={choices.categories} />
        ) : null}
        {byMonth(events, past ? '' : today).map(([month, inMonth]) => (
          <section key={month} class="list-month">
            <h2>{monthName(language, month)}</h2>
            <ol class="plain-list">
              {inMonth.map(event => (
                <li key={event.id}>
                  <EventCard language={language} event={event} timezone={site.timezone} now={now} />
                </li>
              ))}
            </ol>
          </section>
        ))}
        {events.length === 0 && isFiltered(filters) ? null : (
          <nav class="pager no-print" aria-label={words.browse}>
            {earlier === undefined ? (
              <span />
            ) : (
              <a class="button quiet" href={earlier} rel={past ? 'next' : 'prev'}>
                <span aria-hidden="true">‹</span> {words.earlier}
              </a>
            )}
            {later === undefined ? null : (
              <a class="button quiet" href={later} rel={past ? 'prev' : 'next'}>
                {words.later} <span aria-hidden="true">›</span>
              </a>
            )}
          </nav>
        )}
      </>
    )
  })
}

function titleOf({ language }: Visit, search: string, past: boolean): string {
  const words = calendarWords[language]
  if (search !== '') return past ? words.resultsPast(search) : words.results(search)
  return past ? words.past : words.upcoming
}

/** What has begun before today and still runs belongs to the month we are in. */
function byMonth(events: CalendarEvent[], today: string): [string, CalendarEvent[]][] {
  const months = new Map<string, CalendarEvent[]>()
  for (const event of events) {
    const start = event.start_date.slice(0, 10)
    const month = (start < today ? today : start).slice(0, 7)
    const known = months.get(month)
    if (known === undefined) months.set(month, [event])
    else known.push(event)
  }
  return [...months]
}

function EmptyList({
  language,
  filters,
  past,
  categories
}: {
  language: Language
  filters: Filters
  past: boolean
  categories: Term[]
}) {
  const words = calendarWords[language]
  const path = pathTo('list', language)
  if (!isFiltered(filters)) {
    return (
      <div class="empty">
        <p>{past ? words.emptyPast : words.emptyList}</p>
      </div>
    )
  }
  const { search } = filters
  const near = nearestTerms(categories, search)
  return (
    <div class="empty">
      <p>
        <strong>
          {search === '' ? words.emptyFiltered : past ? words.noResultPast(search) : words.noResult(search)}
        </strong>
      </p>
      {near.length === 0 ? null : (
        <>
          <p>{words.nearest}</p>
          <ul class="chips">
            {near.map(term => (
              <li key={term.id}>
                <a class={`chip ${hueOf(term.id)}`} href={withFilters(path, { ...noFilters, category: keyOf(term) })}>
                  <span class="dot" />
                  {term.name} <span class="count">{term.count}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="actions">
        {past ? null : (
          <a class="button quiet" href={withFilters(path, filters, { past: 'yes' })}>
            {words.searchPast}
          </a>
        )}
        <a class="button quiet" href={path}>
          {words.allEvents}
        </a>
      </p>
    </div>
  )
}
