import { buildText } from '#platform/messages/messages.ts'
import { parseDateTime } from '../time/natural-dates.ts'
import { parseZone } from '../time/zones.ts'
import { newParam, type Param, ParamError } from './param-definition.ts'

/** A date or time in any notation of the contract. Parsed again once the time zone is known. */
export type DateTimeText = string | number

export function newDateTimeParam(description: string): Param<DateTimeText> {
  return newParam({ type: ['string', 'integer'] }, description, (given, { zone, now }) =>
    parseDateTime(given, zone, now) === undefined || isEpoch(given, now) ? newDateTimeError() : (given as DateTimeText)
  )
}

/**
 * The Events Calendar accepts numbers, and whatever `strtotime` turns into a number other than 0: it refuses
 * 1970-01-01 00:00:00 UTC in any other notation. So do we: a client that works here works there.
 */
function isEpoch(given: unknown, now: Date): boolean {
  const isNumeric = typeof given === 'number' || (typeof given === 'string' && /^\s*[+-]?\d+(?:\.\d*)?\s*$/.test(given))
  return !isNumeric && parseDateTime(given, 'UTC', now)?.instant.getTime() === 0
}

/** A date or time, or none: null or an empty string. */
export function newOptionalDateTimeParam(description: string): Param<DateTimeText | null> {
  const { parse, ...rest } = newDateTimeParam(description)
  const schema = { type: ['string', 'integer', 'null'] }
  return { ...rest, schema, parse: (given, about) => (given === null || given === '' ? null : parse(given, about)) }
}

const newDateTimeError = () => new ParamError('date', buildText('calendar-rules', 'dateOrTime'))

/** Null or an empty value selects the site's time zone. */
export function newTimezoneParam(description: string): Param<string | null> {
  return newParam({ type: ['string', 'null'] }, description, given => {
    if (given === null || given === '') return null
    const zone = typeof given === 'string' ? parseZone(given) : undefined
    return zone ?? new ParamError('timezone', buildText('calendar-rules', 'timeZone'))
  })
}
