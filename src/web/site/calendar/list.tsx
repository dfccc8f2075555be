import { EventCard } from '../../components/event-card.tsx'
import { SeriesToggle } from '../../components/series-toggle.tsx'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { formatMonth, toLocalDay } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import { type CalendarEvent, calendarPath, type EventList, getHueClass, type Term } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { calendarStrings } from '../../strings/calendar.ts'
import {
  type Filters,
  getTermKey,
  ignoreUnknownFilter,
  isFiltered,
  listFilterChoices,
  noFilters,
  parseFilters,
  toApiQuery,
  withFilters
} from './calendar-filter.ts'
import { buildCalendarPage } from './calendar-view.tsx'
import { findNearestTerms } from './nearest-terms.ts'

/** Current and upcoming events, or with `?past=yes` past ones, newest first. */
export async function showList(context: PageContext): Promise<Page> {
  const { api, language, site, now, query } = context
  const strings = calendarStrings[language]
  const filters = parseFilters(context)
  const past = query.past === 'yes'
  const page = /^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1
  const [found, choices] = await Promise.all([
    ignoreUnknownFilter(
      api.get<EventList>(`${calendarPath}/events`, {
        ...toApiQuery(filters),
        ...(past ? { ends_before: 'now', order: 'desc' } : { ends_after: 'now' }),
        series_once: filters.once ? true : undefined,
        page,
        per_page: 20
      })
    ),
    listFilterChoices(context, filters)
  ])
  const { events, total_pages: pages } = found ?? { events: [], total_pages: 0 }
  const today = toLocalDay(site.timezone, now)
  const more = (one: number, over: boolean) => ({ past: over ? 'yes' : undefined, page: one > 1 ? one : undefined })
  const at = (one: number, over: boolean) => withFilters(getPath('list', language), filters, more(one, over))
  const further = page < pages ? at(page + 1, past) : undefined
  const nearer = page > 1 ? at(page - 1, past) : undefined
  const [earlier, later] = past ? [further, nearer ?? at(1, false)] : [nearer ?? at(1, true), further]
  const title = getTitle(context, filters, past, events[0])
  return buildCalendarPage(context, {
    view: 'list',
    title,
    pathIn: one => getPath('list', one),
    more: more(page, past),
    filters,
    choices,
    isUnknown: found === undefined,
    isEmpty: found !== undefined && events.length === 0,
    previous: nearer,
    next: further,
    head: (
      <>
        <h1>{title}</h1>
        {pages > 1 ? <p class="faded">{strings.page(page, pages)}</p> : null}
        {filters.series !== '' ? null : (
          <SeriesToggle
            language={language}
            events={events}
            once={filters.once}
            href={withFilters(getPath('list', language), { ...filters, once: !filters.once }, more(1, past))}
          />
        )}
      </>
    ),
    body: (
      <>
        {found !== undefined && events.length === 0 ? (
          <EmptyList context={context} filters={filters} past={past} categories={choices.categories} />
        ) : null}
        {groupByMonth(events, past ? '' : today).map(([month, inMonth]) => (
          <section key={month} class="list-month">
            <h2>{formatMonth(language, month)}</h2>
            <ol class="plain-list">
              {inMonth.map(event => (
                <li key={event.id}>
                  <EventCard language={language} event={event} site={site} now={now} />
                </li>
              ))}
            </ol>
          </section>
        ))}
        {events.length === 0 && isFiltered(filters) ? null : (
          <nav class="pager no-print" aria-label={strings.browse}>
            {earlier === undefined ? (
              <span />
            ) : (
              <a class="button quiet" href={earlier} rel={past ? 'next' : 'prev'}>
                <span aria-hidden="true">‹</span> {strings.earlier}
              </a>
            )}
            {later === undefined ? null : (
              <a class="button quiet" href={later} rel={past ? 'prev' : 'next'}>
                {strings.later} <span aria-hidden="true">›</span>
              </a>
            )}
          </nav>
        )}
      </>
    )
  })
}

function getTitle(
  { language }: PageContext,
  { search, series }: Filters,
  past: boolean,
  first: CalendarEvent | undefined
): string {
  const strings = calendarStrings[language]
  if (series !== '' && search === '' && first !== undefined) return strings.seriesDates(first.title)
  if (search !== '') return past ? strings.resultsPast(search) : strings.results(search)
  return past ? strings.past : strings.upcoming
}

/** Events that began before today and still run are listed under the current month. */
function groupByMonth(events: CalendarEvent[], today: string): [string, CalendarEvent[]][] {
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
  context,
  filters,
  past,
  categories
}: {
  context: PageContext
  filters: Filters
  past: boolean
  categories: Term[]
}) {
  const { language } = context
  const strings = calendarStrings[language]
  const path = getPath('list', language)
  if (!isFiltered(filters)) {
    return (
      <div class="empty">
        <p>{past ? strings.emptyPast : strings.emptyList}</p>
        <SuggestLink context={context} />
      </div>
    )
  }
  const { search } = filters
  const near = findNearestTerms(categories, search)
  return (
    <div class="empty">
      <p>
        <strong>
          {search === '' ? strings.emptyFiltered : past ? strings.noResultPast(search) : strings.noResult(search)}
        </strong>
      </p>
      {near.length === 0 ? null : (
        <>
          <p>{strings.nearest}</p>
          <ul class="chips">
            {near.map(term => (
              <li key={term.id}>
                <a
                  class={`chip ${getHueClass(term.id)}`}
                  href={withFilters(path, { ...noFilters, category: getTermKey(term) })}
                >
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
            {strings.searchPast}
          </a>
        )}
        <a class="button quiet" href={path}>
          {strings.allEvents}
        </a>
      </p>
      <SuggestLink context={context} />
    </div>
  )
}
