import { calendarPath, type Days } from '../../calendar-api.ts'
import { dayIn, longDay, plainDay } from '../../format.ts'
import type { Page } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import type { Visit } from '../../visit.ts'
import { asked, choicesFor, filtersIn, isFiltered, unlessUnknown, withFilters } from './calendar-filter.ts'
import { calendarView } from './calendar-view.tsx'
import { DayEntries } from './day-entries.tsx'
import { Turning } from './turning.tsx'

/** A day with all that takes place on it. */
export async function dayPage(visit: Visit, date: string): Promise<Page> {
  const { api, language, site, now } = visit
  const words = calendarWords[language]
  const filters = filtersIn(visit)
  const [answer, choices] = await Promise.all([
    unlessUnknown(api.get<Days>(`${calendarPath}/days`, { ...asked(filters), from: date, to: date, per_day: 50 })),
    choicesFor(visit, filters)
  ])
  const today = dayIn(site.timezone, now)
  const { events, total } = answer?.days[0] ?? { events: [], total: 0 }
  const at = (when: string | null | undefined) =>
    when == null ? undefined : withFilters(pathTo('when', language, when), filters)
  const [previous, next] = [at(answer?.previous), at(answer?.next)]
  const title = longDay(language, date)
  return calendarView(visit, {
    view: 'day',
    title,
    description:
      events
        .map(one => one.title)
        .join(' · ')
        .slice(0, 200) || undefined,
    pathIn: one => pathTo('when', one, date),
    filters,
    choices,
    isUnknown: answer === undefined,
    // Days without events are endless.
    noindex: total === 0,
    previous,
    next,
    links: { month: pathTo('when', language, date.slice(0, 7)) },
    head: (
      <>
        <h1>
          {title.replace(/(\d\.?) /, '$1\u00a0')}
          {date === today ? <span class="badge today-badge">{words.today}</span> : null}
        </h1>
        <Turning
          language={language}
          previous={previous}
          next={next}
          today={withFilters(pathTo('when', language, today), filters)}
          labels={[words.previousDay, words.nextDay]}
        />
      </>
    ),
    body: (
      <>
        {answer !== undefined && total === 0 ? (
          <div class="empty">
            <p>
              <strong>{words.emptyDay}</strong> {isFiltered(filters) ? words.emptyFiltered : null}
            </p>
            {next === undefined || answer.next === null ? null : (
              <p>
                {words.nextEvent} <a href={next}>{plainDay(language, answer.next)}</a>
              </p>
            )}
          </div>
        ) : null}
        {events.length === 0 ? null : (
          <DayEntries language={language} timezone={site.timezone} entries={events} level={2} />
        )}
        {total > events.length ? <p class="faded">{words.tooManyOnDay(total - events.length)}</p> : null}
      </>
    )
  })
}
