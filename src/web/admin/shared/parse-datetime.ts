import { getMessages } from '#platform/messages/messages.ts'
import { convertClock } from '../../format/time-zone.ts'
import type { AdminContext } from './context.ts'

/** Date and time fields in the site's time zone. */
export interface DateTimeInput {
  date: string
  time: string
}

export function toDateTimeInput(instant: string | null, timezone: string): DateTimeInput {
  if (instant === null) return { date: '', time: '' }
  const utc = new Date(instant).toISOString().replace('T', ' ').slice(0, 19)
  const clock = convertClock(timezone, utc, 'UTC') ?? utc
  return { date: clock.slice(0, 10), time: clock.slice(11, 16) }
}

/**
 * The instant of these fields, null if they are empty, or an error message. Unchanged fields keep their seconds, which
 * the inputs do not show.
 */
export function parseDateTime(
  context: AdminContext,
  { date, time }: DateTimeInput,
  { saved, timeByDefault }: { saved: string | null; timeByDefault: string }
): { instant: string | null } | { date: string } | { time: string } {
  const strings = getMessages('donation', context.language).wrong
  const { timezone } = context.site
  if (date === '') return time === '' ? { instant: null } : { date: strings.timeWithoutDate }
  if (!isDay(date)) return { date: strings.date }
  if (time !== '' && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return { time: strings.time }
  const shown = toDateTimeInput(saved, timezone)
  if (saved !== null && shown.date === date && shown.time === time) return { instant: saved }
  const clock = `${date} ${time === '' ? timeByDefault : `${time}:00`}`
  return { instant: `${(convertClock('UTC', clock, timezone) ?? clock).replace(' ', 'T')}Z` }
}

/** An existing day, in a year that the API accepts. */
export function isDay(text: string): boolean {
  if (!/^(?:19\d\d|20\d\d|21\d\d|2200)-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
