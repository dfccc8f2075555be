import type { Language } from '#platform/language.ts'
import type { Days, Entry } from '../../calendar-api.ts'
import { dayMonth } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { type CalendarWords, calendarWords } from '../../text/calendar.ts'
import { isAllDay } from '../../ui/event-card.tsx'
import { EventTitle, Star, statusWord } from '../../ui/event-marks.tsx'
import { hueClass, timesAt } from './day-entries.tsx'

/**
 * A day of a month. On a phone the same list becomes dots, and the number fills the cell. A busy month has a hundred of
 * these entries, so they are short.
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
  day: Days['days'][number] | undefined
  timezone: string
  isToday: boolean
  isOutside: boolean
  href: string
}) {
  const words = calendarWords[language]
  const { total = 0, events = [] } = day ?? {}
  const number = Number(date.slice(8))
  const name = dayMonth(language, date)
  return (
    <td class={isOutside ? 'outside' : undefined} {...(isToday ? { 'aria-current': 'date' as const } : {})}>
      {total === 0 ? (
        <span class="day">{number}</span>
      ) : (
        <a class="day" href={href} aria-label={words.dayLabel(name, total)}>
          {number}
        </a>
      )}
      {isToday ? <span class="today">{words.today}</span> : null}
      {total === 0 ? null : (
        <ul>
          {events.map(entry => (
            <li key={entry.id} class={hueClass(entry)}>
              <CellEntry language={language} words={words} entry={entry} timezone={timezone} />
            </li>
          ))}
        </ul>
      )}
      {total > events.length ? (
        <a class="more" href={href} aria-label={words.moreEventsOn(total - events.length, name)}>
          {words.moreEvents(total - events.length)}
        </a>
      ) : null}
    </td>
  )
}

function CellEntry({
  language,
  words,
  entry,
  timezone
}: {
  language: Language
  words: CalendarWords
  entry: Entry
  timezone: string
}) {
  const status = statusWord(language, entry)
  const about = [...entry.categories.map(({ name }) => name), entry.venue].filter(Boolean).join(' · ')
  return (
    <a
      href={pathTo('event', language, entry.slug)}
      class={entry.day > 1 ? 'continued' : undefined}
      title={about === '' ? undefined : about}
    >
      {entry.day > 1 ? <span class="visually-hidden">{words.continues}</span> : null}
      {entry.day === 1 && !isAllDay(entry) ? <b>{timesAt(entry, timezone).start} </b> : null}
      <Star language={language} event={entry} />
      {status === '' ? null : <em>{status} </em>}
      <EventTitle language={language} event={entry} />
    </a>
  )
}
