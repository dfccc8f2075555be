import { getMessages } from '#platform/messages/messages.ts'
import { EventCard } from '../../components/event-card.tsx'
import { SeriesToggle } from '../../components/series-toggle.tsx'
import { formatMonth, toLocalDay } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { formatDates } from './active-filters.ts'
import {
  type Filters,
  ignoreUnknownFilter,
  isFiltered,
  listFilterChoices,
  parseFilters,
  toApiQuery,
  withFilters
} from './calendar-filter.ts'
import { buildCalendarPage } from './calendar-view.tsx'
import { hasDates, toDateQuery } from './date-filter.ts'
import { EmptyList } from './empty-list.tsx'

/** Current and upcoming events, or with `?past=yes` past ones, newest first. */
export async function showList(context: PageContext): Promise<Page> {
  const { api, language, site, now, query } = context
  const strings = getMessages('calendar', language)
  const filters = parseFilters(context)
  const isRange = hasDates(filters)
  const past = query.past === 'yes' && !isRange
  const page = /^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1
  const [found, choices] = await Promise.all([
    ignoreUnknownFilter(
      api.get<EventList>(`${calendarPath}/events`, {
        ...toApiQuery(filters),
        ...(isRange
          ? toDateQuery(context, filters)
          : past
            ? { ends_before: 'now', order: 'desc' }
            : { ends_after: 'now' }),
        // Otherwise the nearest would come first.
        orderby: filters.near === '' ? undefined : 'start_date',
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
  const [earlier, later] = past
    ? [further, nearer ?? at(1, false)]
    : [nearer ?? (isRange ? undefined : at(1, true)), further]
  const isEmpty = found !== undefined && events.length === 0
  const upcoming = isEmpty && isFiltered(filters) ? await listNextEvents(context) : []
  const title = getTitle(context, filters, past, events[0])
  return buildCalendarPage(context, {
    view: 'list',
    title,
    pathIn: one => getPath('list', one),
    more: more(page, past),
    filters,
    choices,
    isUnknown: found === undefined,
    isEmpty,
    previous: nearer,
    next: further,
    head: (
      <>
        <h1>{title}</h1>
        {pages > 1 ? <p class="muted">{strings.page({ page, pages })}</p> : null}
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
        {isEmpty ? (
          <EmptyList context={context} filters={filters} past={past} categories={choices.categories} next={upcoming} />
        ) : null}
        {groupByMonth(events, past ? '' : isRange && filters.when === '' ? filters.from : today).map(
          ([month, inMonth]) => (
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
          )
        )}
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
  filters: Filters,
  past: boolean,
  first: CalendarEvent | undefined
): string {
  const strings = getMessages('calendar', language)
  const { search, series, when } = filters
  if (series !== '' && search === '' && first !== undefined) return strings.seriesDates({ title: first.title })
  if (search !== '') return past ? strings.resultsPast({ search }) : strings.results({ search })
  if (when !== '') return strings.periodTitles[when]
  if (hasDates(filters)) return strings.eventsIn({ dates: formatDates(language, filters) })
  return past ? strings.past : strings.upcoming
}

/** Events that began before the first day and still run are listed under its month. */
function groupByMonth(events: CalendarEvent[], first: string): [string, CalendarEvent[]][] {
  const months = new Map<string, CalendarEvent[]>()
  for (const event of events) {
    const start = event.start_date.slice(0, 10)
    const month = (start < first ? first : start).slice(0, 7)
    const known = months.get(month)
    if (known === undefined) months.set(month, [event])
    else known.push(event)
  }
  return [...months]
}

const nextShown = 3

/** What visitors get if nothing matches their filters. */
async function listNextEvents({ api }: PageContext): Promise<CalendarEvent[]> {
  const { body } = await api.get<EventList>(`${calendarPath}/events`, { ends_after: 'now', per_page: nextShown })
  return body.events
}
