import type { Language } from '#platform/language.ts'
import { calendarPath, type Days, type Entry, hueOf } from '../../calendar-api.ts'
import { addMonths, bareMonth, dayIn, dayMonth, monthName, plainDay } from '../../format.ts'
import type { Page } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import { Weekdays, weeksOf } from '../../ui/weekdays.tsx'
import type { Visit } from '../../visit.ts'
import {
  asked,
  choicesFor,
  type Filters,
  filtersIn,
  isFiltered,
  keyOf,
  unlessUnknown,
  withFilters
} from './calendar-filter.ts'
import { calendarView } from './calendar-view.tsx'
import { DayEntries } from './day-entries.tsx'
import { MonthCell } from './month-cell.tsx'
import { Turning } from './turning.tsx'

/** The calendar knows these days and no others. */
export const firstDay = '1900-01-01'
export const lastDay = '2200-12-31'

type Day = Days['days'][number]

/** A month as a table of weeks. */
export async function monthPage(visit: Visit, month: string): Promise<Page> {
  const { api, language, site, now } = visit
  const words = calendarWords[language]
  const filters = filtersIn(visit)
  const shown = weeksOf(month, site.weekStart)
  const from = shown[0]?.[0] ?? `${month}-01`
  const to = shown.at(-1)?.[6] ?? from
  const [answer, choices] = await Promise.all([
    unlessUnknown(
      api.get<Days>(`${calendarPath}/days`, {
        ...asked(filters),
        from: from < firstDay ? firstDay : from,
        to: to > lastDay ? lastDay : to,
        per_day: 3
      })
    ),
    choicesFor(visit, filters)
  ])
  const today = dayIn(site.timezone, now)
  const days = new Map<string, Day>((answer?.days ?? []).map(day => [day.date, day]))
  const inMonth = [...days.values()].filter(({ date, total }) => date.startsWith(month) && total > 0)
  const at = (when: string) => withFilters(pathTo('when', language, when), filters)
  const path = pathTo('when', language, month)
  const name = monthName(language, month)
  const previous = month > firstDay.slice(0, 7) ? at(addMonths(month, -1)) : undefined
  const next = month < lastDay.slice(0, 7) ? at(addMonths(month, 1)) : undefined
  const opened = inMonth.find(({ date }) => date >= today) ?? inMonth[0]
  return calendarView(visit, {
    view: 'month',
    title: words.caption(name),
    pathIn: one => pathTo('when', one, month),
    filters,
    choices,
    isUnknown: answer === undefined,
    previous,
    next,
    links: { day: pathTo('when', language, opened?.date ?? (today.startsWith(month) ? today : `${month}-01`)) },
    head: (
      <>
        <h1>{name}</h1>
        <Turning
          language={language}
          previous={previous}
          next={next}
          today={withFilters(pathTo('calendar', language), filters)}
          labels={[words.previousMonth, words.nextMonth]}
        />
      </>
    ),
    body: (
      <>
        {[previous, next].map(href => (href === undefined ? null : <link key={href} rel="prefetch" href={href} />))}
        {answer !== undefined && inMonth.length === 0 ? (
          <EmptyMonth language={language} month={month} answer={answer} at={at} filtered={isFiltered(filters)} />
        ) : null}
        <p class="phone-only">
          <a class="button quiet as-list" href={withFilters(pathTo('list', language), filters)}>
            {words.asList}
          </a>
        </p>
        <table class="month">
          <caption class="visually-hidden">{words.caption(name)}</caption>
          <Weekdays language={language} weekStart={site.weekStart} />
          <tbody>
            {shown.map(week => (
              <tr key={week[0]}>
                {week.map(date => (
                  <MonthCell
                    key={date}
                    language={language}
                    date={date}
                    day={days.get(date)}
                    timezone={site.timezone}
                    isToday={date === today}
                    isOutside={!date.startsWith(month)}
                    href={at(date)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <Legend language={language} path={path} filters={filters} entries={inMonth.flatMap(({ events }) => events)} />
        {opened === undefined ? null : (
          <section class="phone-only">
            <h2>{opened.date === today ? words.today : words.eventsOn(dayMonth(language, opened.date))}</h2>
            <DayEntries language={language} timezone={site.timezone} entries={opened.events} level={3} />
            {opened.total > opened.events.length ? (
              <p>
                <a href={at(opened.date)}>{words.allOfDay(opened.total)}</a>
              </p>
            ) : null}
          </section>
        )}
      </>
    )
  })
}

function EmptyMonth({
  language,
  month,
  answer,
  at,
  filtered
}: {
  language: Language
  month: string
  answer: Days
  at: (when: string) => string
  filtered: boolean
}) {
  const words = calendarWords[language]
  const beyond = answer.days.filter(({ total }) => total > 0).map(({ date }) => date)
  const next = beyond.find(date => date > `${month}-31`) ?? answer.next
  const previous = beyond.findLast(date => date < month) ?? answer.previous
  const shown = next ?? previous
  return (
    <div class="empty">
      <p>
        <strong>{words.emptyMonth(bareMonth(language, month))}</strong> {filtered ? words.emptyFiltered : null}
      </p>
      {shown === null ? null : (
        <p>
          {next === null ? words.lastEvent : words.nextEvent} <a href={at(shown)}>{plainDay(language, shown)}</a>
        </p>
      )}
    </div>
  )
}

/** Which colour stands for which category; each narrows the month to it. */
function Legend({
  language,
  path,
  filters,
  entries
}: {
  language: Language
  path: string
  filters: Filters
  entries: Entry[]
}) {
  const firsts = new Map(entries.flatMap(({ categories: [first] }) => (first === undefined ? [] : [[first.id, first]])))
  if (firsts.size === 0) return null
  const sorted = [...firsts.values()].sort((one, other) => one.name.localeCompare(other.name, language))
  return (
    <ul class="chips legend" aria-label={calendarWords[language].legend}>
      {sorted.map(category => (
        <li key={category.id}>
          <a class={`chip ${hueOf(category.id)}`} href={withFilters(path, { ...filters, category: keyOf(category) })}>
            <span class="dot" />
            {category.name}
          </a>
        </li>
      ))}
    </ul>
  )
}
