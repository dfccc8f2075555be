import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { EventTitle, formatEventStatus, Star } from '../../components/event-marks.tsx'
import { isAllDay } from '../../format/event-period.ts'
import { formatDayMonth } from '../../format/format.ts'
import type { DayEntry } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { formatEntryEnd, formatEntryTime, getEntryHueClass } from './day-entries.tsx'
import type { EventBar, PlacedDay } from './place-week.ts'

/**
 * One day of a month, with the bars that begin on it. On a phone CSS turns the list into dots and bars into lines, and
 * the number fills the cell. A busy month has a hundred entries, so their markup is short.
 */
export function MonthCell({
  language,
  day: { date, total, lanes, entries, hidden },
  bars,
  timezone,
  isToday,
  isOutside,
  href
}: {
  language: Language
  day: PlacedDay
  bars: EventBar[]
  timezone: string
  isToday: boolean
  isOutside: boolean
  href: string
}) {
  const strings = getMessages('calendar', language)
  const number = Number(date.slice(8))
  const name = formatDayMonth(language, date)
  const look = [isOutside ? 'outside' : '', lanes === 0 ? '' : `lanes-${lanes}`].filter(Boolean).join(' ')
  return (
    <td class={look === '' ? undefined : look} {...(isToday ? { 'aria-current': 'date' as const } : {})}>
      {total === 0 ? (
        <span class="day">{number}</span>
      ) : (
        <a class="day" href={href} aria-label={strings.dayLabel({ day: name, count: total })}>
          {number}
        </a>
      )}
      {isToday ? <span class="today">{strings.today}</span> : null}
      {bars.length === 0 ? null : (
        <ul class="bars">
          {bars.map(bar => (
            <li key={bar.entry.id} class={getBarClass(bar)}>
              {renderEntryLink(language, bar.entry, timezone, bar)}
            </li>
          ))}
        </ul>
      )}
      {entries.length === 0 ? null : (
        <ul>
          {entries.map(entry => (
            <li key={entry.id} class={getEntryHueClass(entry)}>
              {renderEntryLink(language, entry, timezone)}
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 ? (
        <a class="more" href={href} aria-label={strings.moreEventsOn({ count: hidden, day: name })}>
          {strings.moreEvents({ count: hidden })}
        </a>
      ) : null}
    </td>
  )
}

/** CSS reads the number of days and the row from classes, as the CSP allows no inline styles. */
export function getBarClass({ entry, first, last, lane, beganBefore, goesOn }: EventBar): string {
  return [
    'event-bar',
    `span-${last - first + 1}`,
    lane === 0 ? '' : `lane-${lane}`,
    beganBefore ? 'from-before' : '',
    goesOn ? 'goes-on' : '',
    getEntryHueClass(entry) ?? ''
  ]
    .filter(Boolean)
    .join(' ')
}

/** Functions instead of components: Preact takes as long for a component as for its HTML. */
function renderEntryLink(language: Language, entry: DayEntry, timezone: string, bar?: EventBar) {
  const strings = getMessages('calendar', language)
  const status = formatEventStatus(language, entry)
  const about = [...entry.categories.map(({ name }) => name), entry.venue].filter(Boolean).join(' · ')
  return (
    <a href={getPath('event', language, entry.slug)} title={about === '' ? undefined : about}>
      {bar?.beganBefore === true ? (
        <span class="visually-hidden">{strings.continues}</span>
      ) : isAllDay(entry) ? null : (
        <b>{`${formatEntryTime(entry, 'start_date', timezone)} `}</b>
      )}
      {Star({ language, event: entry })}
      {status === '' ? null : <em>{status} </em>}
      {EventTitle({ language, event: entry })}
      {bar === undefined ? null : (
        <span class="visually-hidden">{strings.untilDay({ day: formatEntryEnd(language, entry, timezone) })}</span>
      )}
    </a>
  )
}
