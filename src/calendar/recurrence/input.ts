import { buildText } from '#platform/messages/messages.ts'
import { ParamError } from '../contract/param-definition.ts'
import type { RecurrenceRule } from './rule.ts'
import { parseBasicTime, type WallTime } from './wall-time.ts'

/** A date or time of a recurrence as given; UTC times are converted when the time zone of the event is known. */
export interface GivenTime {
  wall: WallTime
  kind: 'date' | 'local' | 'utc'
}

/** A recurrence as given: what the rule leaves open comes from the start of the event. */
export interface RecurrenceInput {
  /** Without its end, which is in `until`. */
  rule: RecurrenceRule
  /** The rule is about the month of the start: the second Tuesday of May, every year. */
  isOfStartMonth?: boolean
  until: GivenTime | undefined
  /** Dates on which the event does not take place (EXDATE). */
  except: GivenTime[]
  /** Further dates (RDATE). */
  also: GivenTime[]
}

/** The greatest interval of a rule, such as every 99 weeks. */
export const intervalMax = 99
/** Occurrences that a series has at a time, and dates that it names. */
export const occurrencesMax = 1000
export const newIntervalError = () =>
  new ParamError('out-of-range', buildText('calendar-rules', 'interval', { intervalMax }), 'every')

export const newEndError = () => new ParamError('not-allowed', buildText('calendar-rules', 'notWithUntil'), 'count')

export const newCountError = () =>
  new ParamError('out-of-range', buildText('calendar-rules', 'count', { occurrencesMax }), 'count')

/** Dates, and times as in iCalendar or in the responses of this API. */
export function parseGivenTimes(given: unknown[], member: 'except' | 'also'): GivenTime[] | ParamError {
  const times = given.map(parseGivenTime)
  if (times.length <= occurrencesMax && !times.includes(undefined)) return times as GivenTime[]
  return new ParamError('dates', buildText('calendar-rules', 'tooManyDates', { occurrencesMax }), member)
}

const yearMin = 1900
const yearMax = 2200

export function parseGivenTime(given: unknown): GivenTime | undefined {
  if (typeof given !== 'string' || given.length > 40) return undefined
  const text = given.trim().replace(/(?<=\d) (?=\d)/, 'T')
  const wall = parseBasicTime(text)
  const year = wall === undefined ? 0 : new Date(wall).getUTCFullYear()
  if (wall === undefined || year < yearMin || year > yearMax) return undefined
  return { wall, kind: !/t/i.test(text) ? 'date' : /z$/i.test(text) ? 'utc' : 'local' }
}
