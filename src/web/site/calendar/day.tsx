import { getMessages } from '#platform/messages/messages.ts'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { formatDay, formatLongDay, toLocalDay } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { isFiltered, omitDates, parseFilters, withFilters } from './calendar-filter.ts'
import { buildCalendarPage } from './calendar-view.tsx'
import { toWeek } from './dates.ts'
import { DayEntries } from './day-entries.tsx'
import { loadDays } from './load-days.ts'
import { PrevNextNav } from './prev-next-nav.tsx'

/** Day view. */
export async function showDay(context: PageContext, date: string): Promise<Page> {
  const { language, site, now } = context
  const strings = getMessages('calendar', language)
  const filters = omitDates(parseFilters(context))
  const { answer, choices } = await loadDays(context, filters, { from: date, to: date, perDay: 50 })
  const today = toLocalDay(site.timezone, now)
  const { events, total } = answer?.days[0] ?? { events: [], total: 0 }
  const at = (when: string | null | undefined) =>
    when == null ? undefined : withFilters(getPath('when', language, when), filters)
  const [previous, next] = [at(answer?.previous), at(answer?.next)]
  const title = formatLongDay(language, date)
  return buildCalendarPage(context, {
    view: 'day',
    title,
    description:
      events
        .map(one => one.title)
        .join(' · ')
        .slice(0, 200) || undefined,
    pathIn: one => getPath('when', one, date),
    filters,
    choices,
    isUnknown: answer === undefined,
    isEmpty: answer !== undefined && total === 0,
    // There are infinitely many days without events.
    noindex: total === 0,
    previous,
    next,
    links: {
      month: getPath('when', language, date.slice(0, 7)),
      week: getPath('when', language, toWeek(date, site.weekStart))
    },
    head: (
      <>
        <h1>
          {title.replace(/(\d\.?) /, '$1\u00a0')}
          {date === today ? <span class="badge today-badge">{strings.today}</span> : null}
        </h1>
        <PrevNextNav
          language={language}
          previous={previous}
          next={next}
          today={withFilters(getPath('when', language, today), filters)}
          labels={[strings.previousDay, strings.nextDay]}
        />
      </>
    ),
    body: (
      <>
        {answer !== undefined && total === 0 ? (
          <div class="empty">
            <p>
              <strong>{strings.emptyDay}</strong> {isFiltered(filters) ? strings.emptyFiltered : null}
            </p>
            {next === undefined || answer.next === null ? null : (
              <p>
                {strings.nextEvent} <a href={next}>{formatDay(language, answer.next)}</a>
              </p>
            )}
            <SuggestLink context={context} date={date} />
          </div>
        ) : null}
        {events.length === 0 ? null : <DayEntries language={language} site={site} entries={events} level={2} />}
        {total > events.length ? <p class="muted">{strings.tooManyOnDay({ count: total - events.length })}</p> : null}
      </>
    )
  })
}
