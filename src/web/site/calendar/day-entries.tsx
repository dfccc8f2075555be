import type { Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { EventTitle, Star, StatusBadge } from '../../components/event-marks.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { formatPeriod, formatPeriodEnd, isAllDay } from '../../format/event-period.ts'
import { formatTime } from '../../format/format.ts'
import { convertClock } from '../../format/time-zone.ts'
import { type DayEntry, getHueClass } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import type { SiteSettings } from '../../server/site-settings.ts'

/** List of a day's events. */
export function DayEntries({
  language,
  site: { timezone, currency },
  entries,
  level
}: {
  language: Language
  site: Pick<SiteSettings, 'timezone' | 'currency'>
  entries: DayEntry[]
  level: 2 | 3
}) {
  const strings = getMessages('calendar', language)
  const Heading = `h${level}` as const
  return (
    <ol class="day-entries">
      {entries.map(entry => (
        <li key={entry.id} class={getEntryHueClass(entry)}>
          <p class="day-entry-time">
            <EntryTime strings={strings} entry={entry} timezone={timezone} />
          </p>
          <div>
            <Heading class="day-entry-title">
              <Star language={language} event={entry} />
              <a href={getPath('event', language, entry.slug)}>
                <EventTitle language={language} event={entry} />
              </a>
            </Heading>
            <p class="day-entry-place">
              <StatusBadge language={language} event={entry} />
              {[entry.venue, formatCost(language, currency, entry), ...entry.categories.map(({ name }) => name)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Times are in the site's time zone. Of several days, only the first has a start time, only the last an end time. */
function EntryTime({ strings, entry, timezone }: { strings: Messages<'calendar'>; entry: DayEntry; timezone: string }) {
  if (entry.days === 1) return <span>{isAllDay(entry) ? strings.allDay : formatSpan(entry, timezone)}</span>
  const { start, end } = formatEntryTimes(entry, timezone)
  const edge =
    entry.day === 1 ? strings.from({ time: start }) : entry.day === entry.days ? strings.until({ time: end }) : ''
  return (
    <>
      {edge === '' || isAllDay(entry) ? null : <span>{edge}</span>}
      <span class="day-entry-part">{strings.dayOf({ day: entry.day, days: entry.days })}</span>
    </>
  )
}

/** Start and end of an event of several days, in the site's time zone. */
export function formatEntryPeriod(
  language: Language,
  entry: DayEntry,
  timezone: string
): { start: string; end: string } {
  return formatPeriod(language, toSiteTimes(entry, timezone))
}

/** The end of an event of several days, in the site's time zone. */
export function formatEntryEnd(language: Language, entry: DayEntry, timezone: string): string {
  return formatPeriodEnd(language, toSiteTimes(entry, timezone))
}

function toSiteTimes(entry: DayEntry, timezone: string): Pick<DayEntry, 'start_date' | 'end_date' | 'all_day'> {
  const { start_date, end_date, all_day } = entry
  const convert = (text: string) => (isAllDay(entry) ? text : (convertClock(timezone, text, entry.timezone) ?? text))
  return { start_date: convert(start_date), end_date: convert(end_date), all_day }
}

/** 19:00–21:00, or that it lasts all day. */
export function formatEntrySpan(language: Language, entry: DayEntry, timezone: string): string {
  return isAllDay(entry) ? getMessages('calendar', language).allDay : formatSpan(entry, timezone)
}

function formatSpan(entry: DayEntry, timezone: string): string {
  const { start, end } = formatEntryTimes(entry, timezone)
  return start === end ? start : `${start}–${end}`
}

function formatEntryTimes(entry: DayEntry, timezone: string): { start: string; end: string } {
  return {
    start: formatEntryTime(entry, 'start_date', timezone),
    end: formatEntryTime(entry, 'end_date', timezone)
  }
}

/** The time in the site's zone, or with the event's own zone if it cannot be converted. */
export function formatEntryTime(entry: DayEntry, name: 'start_date' | 'end_date', timezone: string): string {
  const there = convertClock(timezone, entry[name], entry.timezone)
  return there === undefined ? `${formatTime(entry[name])} ${entry.timezone}` : formatTime(there)
}

export function getEntryHueClass({ categories }: DayEntry): string | undefined {
  const [first] = categories
  return first === undefined ? undefined : getHueClass(first.id)
}
