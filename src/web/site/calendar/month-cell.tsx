import type { Language } from '#platform/language.ts'
import { EventTitle, formatEventStatus, Star } from '../../components/event-marks.tsx'
import { isAllDay } from '../../format/event-period.ts'
import { formatDayMonth } from '../../format/format.ts'
import type { DayEntry, DayList } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { type CalendarStrings, calendarStrings } from '../../strings/calendar.ts'
import { formatEntryTime, getEntryHueClass } from './day-entries.tsx'

/**
 * One day of a month. On a phone CSS turns the list into dots, and the number fills the cell. A busy month has a
 * hundred entries, so their markup is short.
 */
export function MonthCell({
  language,
  date,
  day,
  timezone,
  isToday,
  isOutside,
  href
}: {
  language: Language
  date: string
  day: DayList['days'][number] | undefined
  timezone: string
  isToday: boolean
  isOutside: boolean
  href: string
}) {
  const strings = calendarStrings[language]
  const { total = 0, events = [] } = day ?? {}
  const number = Number(date.slice(8))
  const name = formatDayMonth(language, date)
  return (
    <td class={isOutside ? 'outside' : undefined} {...(isToday ? { 'aria-current': 'date' as const } : {})}>
      {total === 0 ? (
        <span class="day">{number}</span>
      ) : (
        <a class="day" href={href} aria-label={strings.dayLabel(name, total)}>
          {number}
        </a>
      )}
      {isToday ? <span class="today">{strings.today}</span> : null}
      {total === 0 ? null : (
        <ul>
          {events.map(entry => (
            <li key={entry.id} class={getEntryHueClass(entry)}>
              <CellEntry language={language} strings={strings} entry={entry} timezone={timezone} />
            </li>
          ))}
        </ul>
      )}
      {total > events.length ? (
        <a class="more" href={href} aria-label={strings.moreEventsOn(total - events.length, name)}>
          {strings.moreEvents(total - events.length)}
        </a>
      ) : null}
    </td>
  )
}

function CellEntry({
  language,
  strings,
  entry,
  timezone
}: {
  language: Language
  strings: CalendarStrings
  entry: DayEntry
  timezone: string
}) {
  const status = formatEventStatus(language, entry)
  const about = [...entry.categories.map(({ name }) => name), entry.venue].filter(Boolean).join(' · ')
  return (
    <a
      href={getPath('event', language, entry.slug)}
      class={entry.day > 1 ? 'continued' : undefined}
      title={about === '' ? undefined : about}
    >
      {entry.day > 1 ? <span class="visually-hidden">{strings.continues}</span> : null}
      {entry.day === 1 && !isAllDay(entry) ? <b>{formatEntryTime(entry, 'start_date', timezone)} </b> : null}
      <Star language={language} event={entry} />
      {status === '' ? null : <em>{status} </em>}
      <EventTitle language={language} event={entry} />
    </a>
  )
}
