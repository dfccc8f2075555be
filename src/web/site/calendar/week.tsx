import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { EventTitle, formatEventStatus, Star } from '../../components/event-marks.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { addDays, formatDay, formatDayRange, formatShortDay, toLocalDay } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import type { DayEntry } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { isFiltered, omitDates, parseFilters, withFilters } from './calendar-filter.ts'
import { buildCalendarPage } from './calendar-view.tsx'
import { firstDay, lastDay, listWeekDays, toWeek } from './dates.ts'
import { formatEntryPeriod, formatEntrySpan, getEntryHueClass } from './day-entries.tsx'
import { loadDays } from './load-days.ts'
import { getBarClass } from './month-cell.tsx'
import { type EventBar, type PlacedDay, placeWeek } from './place-week.ts'
import { PrevNextNav } from './prev-next-nav.tsx'

/** Events shown on a day; more than fit on a screen. */
const perDay = 12

/** Week view: columns of days, on a phone a list of them. */
export async function showWeek(context: PageContext, week: string): Promise<Page> {
  const { language, site, now } = context
  const strings = getMessages('calendar', language)
  const filters = omitDates(parseFilters(context))
  const dates = listWeekDays(week, site.weekStart)
  const [from = '', to = ''] = [dates[0], dates[6]]
  const { answer, choices } = await loadDays(context, filters, { from, to, perDay })
  const today = toLocalDay(site.timezone, now)
  const { bars, days } = placeWeek(dates, new Map((answer?.days ?? []).map(day => [day.date, day])), perDay)
  const total = days.reduce((sum, day) => sum + day.total, 0)
  const at = (when: string) => withFilters(getPath('when', language, when), filters)
  const previous = from > firstDay ? at(toWeek(addDays(from, -7), site.weekStart)) : undefined
  const next = to < lastDay ? at(toWeek(addDays(from, 7), site.weekStart)) : undefined
  const name = formatDayRange(language, from, to)
  const opened = days.find(day => day.total > 0)?.date ?? from
  return buildCalendarPage(context, {
    view: 'week',
    title: strings.weekTitle({ week: Number(week.slice(6)), days: name }),
    pathIn: one => getPath('when', one, week),
    filters,
    choices,
    isUnknown: answer === undefined,
    isEmpty: answer !== undefined && total === 0,
    // The months have the same events.
    noindex: true,
    previous,
    next,
    links: {
      month: getPath('when', language, (dates[3] ?? from).slice(0, 7)),
      day: getPath('when', language, dates.includes(today) ? today : opened)
    },
    head: (
      <>
        <h1>{name}</h1>
        <PrevNextNav
          language={language}
          previous={previous}
          next={next}
          today={at(toWeek(today, site.weekStart))}
          labels={[strings.previousWeek, strings.nextWeek]}
        />
      </>
    ),
    body: (
      <>
        {answer !== undefined && total === 0 ? (
          <div class="empty">
            <p>
              <strong>{strings.emptyWeek}</strong> {isFiltered(filters) ? strings.emptyFiltered : null}
            </p>
            {answer.next === null ? null : (
              <p>
                {strings.nextEvent}{' '}
                <a href={at(toWeek(answer.next, site.weekStart))}>{formatDay(language, answer.next)}</a>
              </p>
            )}
            <SuggestLink context={context} date={from} />
          </div>
        ) : null}
        {bars.length === 0 ? null : <WeekBars context={context} bars={bars} />}
        {total === 0 ? null : (
          <ol class="week">
            {days.map(day => (
              <WeekDay key={day.date} context={context} day={day} isToday={day.date === today} href={at(day.date)} />
            ))}
          </ol>
        )}
      </>
    )
  })
}

/** Events of several days, above the days that they cover; on a phone a list. */
function WeekBars({ context: { language, site }, bars }: { context: PageContext; bars: EventBar[] }) {
  const strings = getMessages('calendar', language)
  return (
    <ul class="week-bars" aria-label={strings.severalDays}>
      {bars.map(bar => {
        const { start, end } = formatEntryPeriod(language, bar.entry, site.timezone)
        return (
          <li key={bar.entry.id} class={`${getBarClass(bar)} begin-${bar.first + 1}`}>
            <Entry language={language} entry={bar.entry} facts={`${start} – ${end}`} />
          </li>
        )
      })}
    </ul>
  )
}

function WeekDay({
  context: { language, site },
  day,
  isToday,
  href
}: {
  context: PageContext
  day: PlacedDay
  isToday: boolean
  href: string
}) {
  const strings = getMessages('calendar', language)
  const name = formatShortDay(language, day.date).replace(',', '')
  return (
    <li class={day.total === 0 ? 'free' : undefined} {...(isToday ? { 'aria-current': 'date' as const } : {})}>
      <h2>
        {day.total === 0 ? name : <a href={href}>{name}</a>}
        {isToday ? <span class="badge today-badge">{strings.today}</span> : null}
      </h2>
      {day.entries.length === 0 ? null : (
        <ul>
          {day.entries.map(entry => {
            const facts = [
              formatEntrySpan(language, entry, site.timezone),
              entry.venue,
              formatCost(language, site.currency, entry)
            ]
            return (
              <li key={entry.id} class={getEntryHueClass(entry)}>
                <Entry language={language} entry={entry} facts={facts.filter(Boolean).join(' · ')} />
              </li>
            )
          })}
        </ul>
      )}
      {day.hidden > 0 ? (
        <a class="more" href={href}>
          {strings.moreEvents({ count: day.hidden })}
        </a>
      ) : null}
    </li>
  )
}

function Entry({ language, entry, facts }: { language: Language; entry: DayEntry; facts: string }) {
  const status = formatEventStatus(language, entry)
  return (
    <a href={getPath('event', language, entry.slug)}>
      <span class="week-facts">{facts}</span>{' '}
      <span class="week-title">
        <Star language={language} event={entry} />
        {status === '' ? null : <em>{status} </em>}
        <EventTitle language={language} event={entry} />
      </span>
    </a>
  )
}
