import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { listWeeks, Weekdays } from '../../components/weekdays.tsx'
import { addMonths, formatDay, formatDayMonth, formatMonth, formatMonthName, toLocalDay } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import { type DayEntry, type DayList, getHueClass } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { type Filters, getTermKey, isFiltered, omitDates, parseFilters, withFilters } from './calendar-filter.ts'
import { buildCalendarPage } from './calendar-view.tsx'
import { firstDay, lastDay, toWeek } from './dates.ts'
import { DayEntries } from './day-entries.tsx'
import { loadDays } from './load-days.ts'
import { MonthCell } from './month-cell.tsx'
import { placeWeek } from './place-week.ts'
import { PrevNextNav } from './prev-next-nav.tsx'

type Day = DayList['days'][number]

/** Events shown on a day; the others are counted. */
const rowsMax = 3

/** Month view: a table of weeks. */
export async function showMonth(context: PageContext, month: string): Promise<Page> {
  const { language, site, now } = context
  const strings = getMessages('calendar', language)
  const filters = omitDates(parseFilters(context))
  const shown = listWeeks(month, site.weekStart)
  const from = shown[0]?.[0] ?? `${month}-01`
  const to = shown.at(-1)?.[6] ?? from
  const { answer, choices } = await loadDays(context, filters, { from, to, perDay: rowsMax })
  const today = toLocalDay(site.timezone, now)
  const days = new Map<string, Day>((answer?.days ?? []).map(day => [day.date, day]))
  const inMonth = [...days.values()].filter(({ date, total }) => date.startsWith(month) && total > 0)
  // Once for the links of all days.
  const query = withFilters('', filters)
  const at = (when: string) => getPath('when', language, when) + query
  const path = getPath('when', language, month)
  const name = formatMonth(language, month)
  const previous = month > firstDay.slice(0, 7) ? at(addMonths(month, -1)) : undefined
  const next = month < lastDay.slice(0, 7) ? at(addMonths(month, 1)) : undefined
  const opened = inMonth.find(({ date }) => date >= today) ?? inMonth[0]
  const near = opened?.date ?? (today.startsWith(month) ? today : `${month}-01`)
  return buildCalendarPage(context, {
    view: 'month',
    title: strings.caption({ month: name }),
    pathIn: one => getPath('when', one, month),
    filters,
    choices,
    isUnknown: answer === undefined,
    isEmpty: answer !== undefined && inMonth.length === 0,
    previous,
    next,
    links: {
      day: getPath('when', language, near),
      week: getPath('when', language, toWeek(near, site.weekStart))
    },
    head: (
      <>
        <h1>{name}</h1>
        <PrevNextNav
          language={language}
          previous={previous}
          next={next}
          today={withFilters(getPath('calendar', language), filters)}
          labels={[strings.previousMonth, strings.nextMonth]}
        />
      </>
    ),
    body: (
      <>
        {[previous, next].map(href => (href === undefined ? null : <link key={href} rel="prefetch" href={href} />))}
        {answer !== undefined && inMonth.length === 0 ? (
          <EmptyMonth context={context} month={month} answer={answer} at={at} filtered={isFiltered(filters)} />
        ) : null}
        <p class="phone-only">
          <a class="button quiet as-list" href={withFilters(getPath('list', language), filters)}>
            {strings.asList}
          </a>
        </p>
        <table class="month">
          <caption class="visually-hidden">{strings.caption({ month: name })}</caption>
          <Weekdays language={language} weekStart={site.weekStart} />
          <tbody>
            {shown.map(week => {
              const arranged = placeWeek(week, days, rowsMax)
              return (
                <tr key={week[0]}>
                  {arranged.days.map((day, place) => (
                    <MonthCell
                      key={day.date}
                      language={language}
                      day={day}
                      bars={arranged.bars.filter(({ first }) => first === place)}
                      timezone={site.timezone}
                      isToday={day.date === today}
                      isOutside={!day.date.startsWith(month)}
                      href={at(day.date)}
                    />
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
        <Legend language={language} path={path} filters={filters} entries={inMonth.flatMap(({ events }) => events)} />
        {opened === undefined ? null : (
          <section class="phone-only">
            <h2>
              {opened.date === today ? strings.today : strings.eventsOn({ day: formatDayMonth(language, opened.date) })}
            </h2>
            <DayEntries language={language} site={site} entries={opened.events} level={3} />
            {opened.total > opened.events.length ? (
              <p>
                <a href={at(opened.date)}>{strings.allOfDay({ count: opened.total })}</a>
              </p>
            ) : null}
          </section>
        )}
      </>
    )
  })
}

function EmptyMonth({
  context,
  month,
  answer,
  at,
  filtered
}: {
  context: PageContext
  month: string
  answer: DayList
  at: (when: string) => string
  filtered: boolean
}) {
  const { language } = context
  const strings = getMessages('calendar', language)
  const beyond = answer.days.filter(({ total }) => total > 0).map(({ date }) => date)
  const next = beyond.find(date => date > `${month}-31`) ?? answer.next
  const previous = beyond.findLast(date => date < month) ?? answer.previous
  const shown = next ?? previous
  return (
    <div class="empty">
      <p>
        <strong>{strings.emptyMonth({ month: formatMonthName(language, month) })}</strong>{' '}
        {filtered ? strings.emptyFiltered : null}
      </p>
      {shown === null ? null : (
        <p>
          {next === null ? strings.lastEvent : strings.nextEvent} <a href={at(shown)}>{formatDay(language, shown)}</a>
        </p>
      )}
      <SuggestLink context={context} />
    </div>
  )
}

/** Legend of category colours; each links to the month filtered by it. */
function Legend({
  language,
  path,
  filters,
  entries
}: {
  language: Language
  path: string
  filters: Filters
  entries: DayEntry[]
}) {
  const firsts = new Map(entries.flatMap(({ categories: [first] }) => (first === undefined ? [] : [[first.id, first]])))
  if (firsts.size === 0) return null
  const sorted = [...firsts.values()].sort((one, other) => one.name.localeCompare(other.name, language))
  return (
    <ul class="chips legend" aria-label={getMessages('calendar', language).legend}>
      {sorted.map(category => (
        <li key={category.id}>
          <a
            class={`chip ${getHueClass(category.id)}`}
            href={withFilters(path, { ...filters, category: getTermKey(category) })}
          >
            <span class="dot" />
            {category.name}
          </a>
        </li>
      ))}
    </ul>
  )
}
