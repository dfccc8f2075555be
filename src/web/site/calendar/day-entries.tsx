import type { Language } from '#platform/language.ts'
import { type Entry, hueOf } from '../../calendar-api.ts'
import { timeOf } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { type CalendarWords, calendarWords } from '../../text/calendar.ts'
import { isAllDay } from '../../ui/event-card.tsx'
import { EventTitle, Star, StatusBadge } from '../../ui/event-marks.tsx'
import { clockIn } from '../../zone.ts'

/** The events of a day, one below the other. */
export function DayEntries({
  language,
  timezone,
  entries,
  level
}: {
  language: Language
  timezone: string
  entries: Entry[]
  level: 2 | 3
}) {
  const words = calendarWords[language]
  const Heading = `h${level}` as const
  return (
    <ol class="day-entries">
      {entries.map(entry => (
        <li key={entry.id} class={hueClass(entry)}>
          <p class="day-entry-time">
            <EntryTime words={words} entry={entry} timezone={timezone} />
          </p>
          <div>
            <Heading class="day-entry-title">
              <Star language={language} event={entry} />
              <a href={pathTo('event', language, entry.slug)}>
                <EventTitle language={language} event={entry} />
              </a>
            </Heading>
            <p class="day-entry-place">
              <StatusBadge language={language} event={entry} />
              {[entry.venue, ...entry.categories.map(({ name }) => name)].filter(Boolean).join(' · ')}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Times are those of the site. What lasts for days has only a beginning on the first and an end on the last. */
function EntryTime({ words, entry, timezone }: { words: CalendarWords; entry: Entry; timezone: string }) {
  if (entry.days === 1) return <span>{isAllDay(entry) ? words.allDay : spanOf(entry, timezone)}</span>
  const { start, end } = timesAt(entry, timezone)
  const edge = entry.day === 1 ? words.from(start) : entry.day === entry.days ? words.until(end) : ''
  return (
    <>
      {edge === '' || isAllDay(entry) ? null : <span>{edge}</span>}
      <span class="day-entry-part">{words.dayOf(entry.day, entry.days)}</span>
    </>
  )
}

function spanOf(entry: Entry, timezone: string): string {
  const { start, end } = timesAt(entry, timezone)
  return start === end ? start : `${start}–${end}`
}

/** On the clock of the site, or with the event's own zone where it cannot be told. */
export function timesAt(entry: Entry, timezone: string): { start: string; end: string } {
  const shown = (text: string) => {
    const there = clockIn(timezone, text, entry.timezone)
    return there === undefined ? `${timeOf(text)} ${entry.timezone}` : timeOf(there)
  }
  return { start: shown(entry.start_date), end: shown(entry.end_date) }
}

/** The colour of the first category. */
export function hueClass({ categories }: Entry): string | undefined {
  const [first] = categories
  return first === undefined ? undefined : hueOf(first.id)
}
