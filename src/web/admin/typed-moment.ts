import { moneyWords } from '../text/money.ts'
import { clockIn } from '../zone.ts'
import type { Desk } from './console.ts'

/** The date and time fields of a moment, in the site's zone. */
export interface TypedMoment {
  date: string
  time: string
}

export function typedMoment(instant: string | null, timezone: string): TypedMoment {
  if (instant === null) return { date: '', time: '' }
  const utc = new Date(instant).toISOString().replace('T', ' ').slice(0, 19)
  const clock = clockIn(timezone, utc, 'UTC') ?? utc
  return { date: clock.slice(0, 10), time: clock.slice(11, 16) }
}

/**
 * The moment that these fields mean, null where they are empty, or what is wrong. What was not touched keeps the seconds
 * that the fields do not show.
 */
export function momentIn(
  desk: Desk,
  { date, time }: TypedMoment,
  { saved, timeByDefault }: { saved: string | null; timeByDefault: string }
): { instant: string | null } | { date: string } | { time: string } {
  const words = moneyWords[desk.language].wrong
  const { timezone } = desk.site
  if (date === '') return time === '' ? { instant: null } : { date: words.timeWithoutDate }
  if (!isDay(date)) return { date: words.date }
  if (time !== '' && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return { time: words.time }
  const shown = typedMoment(saved, timezone)
  if (saved !== null && shown.date === date && shown.time === time) return { instant: saved }
  const clock = `${date} ${time === '' ? timeByDefault : `${time}:00`}`
  return { instant: `${(clockIn('UTC', clock, timezone) ?? clock).replace(' ', 'T')}Z` }
}

/** A day that there is, in a year that the API takes. */
export function isDay(text: string): boolean {
  if (!/^(?:19\d\d|20\d\d|21\d\d|2200)-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
