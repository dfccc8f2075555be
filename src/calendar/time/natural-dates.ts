import strtotime from 'locutus/php/datetime/strtotime.js'
import { type LocalDateTime, toInstant, toLocal } from './time.ts'
import { parseZone } from './zones.ts'

/** Longer text is not a date. Also bounds the cost of the patterns below. */
const TEXT_LENGTH_MAX = 100
const YEAR_MIN = 1900
const YEAR_MAX = 2200
const DAY_MS = 24 * 60 * 60 * 1000
/** No time zone changed its offset on that day. */
const STEADY_DAY = [2000, 0, 10] as const

export interface ParsedDateTime {
  /** Local time in the requested zone. */
  local: LocalDateTime
  instant: Date
  isNow: boolean
  /** Whether a time of day was given; relative times (`+5 days`) have one. */
  hasTime: boolean
}

/**
 * Parses a date or time as PHP's `strtotime` does; undefined if invalid. Offsets, zones and Unix seconds name an
 * instant; everything else is local time in the zone. Invalid dates (30 February, 25:00) do not roll over.
 */
export function parseDateTime(given: unknown, zone: string, now: Date): ParsedDateTime | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const text = String(given)
  if (text.length > TEXT_LENGTH_MAX) return undefined
  const words = text.trim().replace(/\s+/g, ' ')

  const plain = parsePlainDateTime(words)
  if (plain !== undefined) {
    const instant = toInstant(toLocal(new Date(plain.wallClockMs), 'UTC'), zone)
    return toParsedDateTime(instant.getTime(), zone, { isNow: false, hasTime: plain.hasTime })
  }
  const seconds = parseUnixSeconds(words)
  if (seconds !== undefined) return toParsedDateTime(seconds * 1000, zone, { isNow: false, hasTime: true })
  const { rest, saidZone = zone } = splitZone(words)
  const said = parseParts(rest.toLowerCase())
  if (said === undefined || isContradictory(said)) return undefined
  const hasTime = said.time !== '' || said.passedMs !== undefined || !startsAtMidnight(said)
  return toParsedDateTime(toEpochMs(said, saidZone, now), zone, { isNow: words.toLowerCase() === 'now', hasTime })
}

function toParsedDateTime(
  time: number,
  zone: string,
  said: { isNow: boolean; hasTime: boolean }
): ParsedDateTime | undefined {
  if (!isInRange(time)) return undefined
  const instant = new Date(Math.floor(time / 1000) * 1000)
  const local = toLocal(instant, zone)
  const year = Number(local.slice(0, 4))
  return year < YEAR_MIN || year > YEAR_MAX ? undefined : { local, instant, ...said }
}

/**
 * The form that programs send, `2027-02-01` or `2027-02-01 19:30:00`, without the search for words, which takes
 * longer. Undefined for other forms, and for days and times that do not exist.
 */
function parsePlainDateTime(words: string): { wallClockMs: number; hasTime: boolean } | undefined {
  const [, date, time] = /^((?:19|2[0-2])\d\d-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?$/.exec(words) ?? []
  if (date === undefined) return undefined
  const moment = new Date(`${date}T${time ?? '00:00'}Z`)
  // Date.parse takes 30 February for 2 March, and 24:00 for the next day.
  const exists =
    !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date) && time?.startsWith('24') !== true
  return exists ? { wallClockMs: moment.getTime(), hasTime: time !== undefined } : undefined
}

/** False for NaN and for dates centuries outside the supported years. */
function isInRange(time: number): boolean {
  return Math.abs(time) < 1e13
}

/** Digits are Unix seconds, unless PHP reads them as time (2027 is 20:27), date (20270201) or both (20270201103000). */
function parseUnixSeconds(words: string): number | undefined {
  const digits = /^(?:@(-?\d{1,12})|(-\d{5,12}|\d{5,7}|\d{9,12}))(?:\.\d+)?$/.exec(words)
  return digits === null ? undefined : Number(digits[1] ?? digits[2])
}

/** Splits off a zone at the end: `10:00Z`, `10:00+02:00`, `10:00 GMT+2`, `10:00 EST`, `tomorrow 9am Europe/Berlin`. */
function splitZone(words: string): { rest: string; saidZone?: string } {
  const tail = /(?<=:\d\d(?:[.,]\d+)?|t\d{4}(?:\d\d)?) ?(?:z|(?:gmt|utc)?([+-]\d{1,2}(?::?\d\d)?))$/i.exec(words)
  if (tail !== null) {
    const saidZone = parseZone(tail[1] ?? 'Z')
    return saidZone === undefined ? { rest: words } : { rest: words.slice(0, tail.index), saidZone }
  }
  const lastWord = words.slice(words.lastIndexOf(' ') + 1)
  const saidZone = /^[a-z]/i.test(lastWord) ? parseZone(lastWord) : undefined
  return saidZone === undefined ? { rest: words } : { rest: words.slice(0, -lastWord.length), saidZone }
}

type Part = Record<string, string | undefined> & { text: string }

interface DateParts {
  date: Part | undefined
  time: string
  weekday: Part | undefined
  /** Hours, minutes and seconds to add as elapsed time; locutus would add them in local time, across clock changes. */
  passedMs: number | undefined
  /** Day words and other relative units. */
  rest: string
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const hour = '(?:[01]\\d|2[0-3])'
const sixty = '[0-5]\\d'
const year = '(?<year>\\d{4})'
const month = '(?<month>\\d\\d?)'
const day = '(?<day>\\d\\d?)'
const nthDay = `${day}(?:st|nd|rd|th)?`
const monthName =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?|september|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const relativeWord = '(?:this|next|last|previous)'
const amount = '(?:[+-] ?)?\\d{1,6} ?'
const longUnit = '(?:month|year)'
const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }

/** The subset of `strtotime` in which locutus agrees with PHP. It takes most other words and letters for a zone. */
const datePatterns = [
  buildPattern(`${year}(?<mark>[-/])${month}\\k<mark>${day}`),
  buildPattern(`${year}(?<month>\\d\\d)(?<day>\\d\\d)`),
  buildPattern(`${day}(?<mark>[.-])${month}\\k<mark>${year}`),
  buildPattern(`${month}/${day}(?:/(?<year>\\d{4}|\\d\\d))?`),
  buildPattern(`${nthDay}[ .-]{0,2}${monthName}(?:[ -]${year})?`),
  buildPattern(`${monthName} ?${nthDay}(?:,? ${year})?`),
  buildPattern(`${monthName}[ -]${year}`)
]
const timePatterns = [
  buildPattern(`(?:0?[1-9]|1[0-2])(?::${sixty}){0,2} ?[ap]\\.?m\\.?`),
  buildPattern(`noon|midnight|t?(?:${hour}|\\d):${sixty}(?::${sixty}(?:\\.\\d+)?)?|t?24:00(?::00)?`),
  buildPattern(`t?${hour}${sixty}|t${hour}${sixty}${sixty}`)
]
const weekdayPattern = buildPattern(
  `(?:(?<turn>${relativeWord}) )?(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?)`
)
const durationPattern = buildPattern('(?:(?<sign>[+-]) ?)?(?<amount>\\d{1,6}) ?(?<unit>sec(?:ond)?|min(?:ute)?|hour)s?')
const shift = `${relativeWord} (?:day|week|fortnight|${longUnit})|${amount}(?:day|week|fortnight|${longUnit})s?`
const relativePattern = new RegExp(
  `^(?:(?:now|today|tomorrow|yesterday|${shift})(?:[ ,]+|$))*$|` +
    `^(?:first|last) day of(?:[ ,]+(?:${relativeWord} ${longUnit}|${amount}${longUnit}s?))*$`
)

function buildPattern(pattern: string): RegExp {
  return new RegExp(`(?<![^ ,])(?:${pattern})(?=[ ,]|t\\d|$)`)
}

/** Returns undefined if any part is not recognised. */
function parseParts(words: string): DateParts | undefined {
  let left = words.replace(/^(\d{8})(\d{6})$/, '$1t$2')
  const take = (forms: RegExp[]): Part | undefined => {
    const match = forms.map(pattern => pattern.exec(left)).find(found => found !== null)
    if (match === undefined) return undefined
    // Leaves a comma, so that the text before and after it does not form a new expression.
    left = `${left.slice(0, match.index)},${left.slice(match.index + match[0].length)}`
    return { ...match.groups, text: match[0] }
  }
  const date = take(datePatterns)
  const time = take(timePatterns)?.text ?? ''
  const weekday = take([weekdayPattern])
  const isAgo = / ago[ ,]*$/.test(left)
  let passedMs: number | undefined
  for (let hours = take([durationPattern]); hours !== undefined; hours = take([durationPattern])) {
    const ms = Number(hours.amount) * (unitMs[hours.unit?.[0] ?? ''] ?? Number.NaN)
    passedMs = (passedMs ?? 0) + ((hours.sign === '-') === isAgo ? ms : -ms)
  }
  const rest = (isAgo ? left.replace(/ ago[ ,]*$/, '') : left).replace(/^[ ,]+|(?<![ ,])[ ,]+$/g, '')
  if (!relativePattern.test(rest) || !/[a-z\d]/.test(words)) return undefined
  if (isAgo && passedMs === undefined && !/\d/.test(rest)) return undefined
  return { date, time, weekday, passedMs, rest: isAgo ? `${rest} ago` : rest }
}

function isContradictory({ date, time, weekday, rest }: DateParts): boolean {
  const counts = [date !== undefined, weekday?.turn !== undefined, isRelativeToWeek(rest)].filter(Boolean).length
  // Digits beside a date may be its year: `1 Feb, 2027`.
  const mayBeYear = date !== undefined && /^\d{4}$/.test(time)
  return counts > 1 || mayBeYear || (weekday !== undefined && rest.includes(' of'))
}

function isRelativeToWeek(rest: string): boolean {
  return /[a-z] week\b/.test(rest)
}

function startsAtMidnight({ date, weekday, rest }: DateParts): boolean {
  return date !== undefined || weekday !== undefined || /today|tomorrow|yesterday/.test(rest)
}

/** Milliseconds; NaN for invalid dates. Days are added in calendar time, hours in elapsed time. */
function toEpochMs(said: DateParts, zone: string, now: Date): number {
  const { date, time, weekday, passedMs = 0, rest } = said
  const isFromNow = date === undefined && time === '' && weekday === undefined && /^(?:now)?(?: ago)?$/.test(rest)
  if (isFromNow) return now.getTime() + passedMs

  const today = new Date(`${toLocal(now, zone).replace(' ', 'T')}Z`)
  const from = resolveBaseDay(said, today)
  if (from === undefined) return Number.NaN
  const dayMs = parseDay(said, today) + countCorrectionDays(said, from.getUTCDay()) * DAY_MS
  const clockMs = startsAtMidnight(said) ? 0 : today.getTime() % DAY_MS
  const wallClockMs = dayMs + (time === '' ? clockMs : parseTimeOfDay(time))
  if (!isInRange(wallClockMs)) return Number.NaN
  return toInstant(toLocal(new Date(wallClockMs), 'UTC'), zone).getTime() + passedMs
}

/**
 * The midnight at which the day begins. locutus uses the machine's own time zone. That zone may skip an hour, but not
 * noon, and midnight only for a later time on that day: so the day is right, and the time is parsed separately.
 */
function parseDay({ date, weekday, rest }: DateParts, today: Date): number {
  const noon = new Date(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), 12)
  const words = [rest, weekday?.text, date?.text].join(' ').trim()
  const found = new Date(parseWithStrtotime(words, noon))
  const isEarly = found.getFullYear() < YEAR_MIN
  return isEarly ? Number.NaN : Date.UTC(found.getFullYear(), found.getMonth(), found.getDate())
}

/** Milliseconds after midnight. */
function parseTimeOfDay(time: string): number {
  const midnight = new Date(...STEADY_DAY)
  return parseWithStrtotime(time, midnight) - midnight.getTime()
}

function parseWithStrtotime(words: string, from: Date): number {
  const seconds = strtotime(words, from.getTime() / 1000)
  return seconds === false ? Number.NaN : seconds * 1000
}

/** The day from which weekdays count; undefined if invalid, or if the given weekday does not match the date. */
function resolveBaseDay({ date, weekday }: DateParts, today: Date): Date | undefined {
  if (date === undefined) return today
  const { year = String(today.getUTCFullYear()), month = '', day = '1' } = date
  const fullYear = Number(year) + (year.length === 4 ? 0 : Number(year) < 70 ? 2000 : 1900)
  const monthIndex = /^\d/.test(month) ? Number(month) - 1 : months.indexOf(month.slice(0, 3))
  const found = new Date(Date.UTC(fullYear, monthIndex, Number(day)))
  const exists = found.getUTCFullYear() === fullYear && found.getUTCMonth() === monthIndex && Number(day) > 0
  const isSaidDay = weekday === undefined || toWeekdayNumber(weekday) === found.getUTCDay()
  return exists && isSaidDay ? found : undefined
}

/**
 * Corrections for locutus 2.0.39: `next wednesday` is today on a Wednesday (PHP: in seven days), `this sunday` and
 * `last sunday` are a week late on a Sunday (PHP: today, a week ago), and on a Sunday `friday this week` is its Monday.
 */
function countCorrectionDays({ weekday, rest }: DateParts, today: number): number {
  if (weekday === undefined) return 0
  const said = toWeekdayNumber(weekday)
  if (isRelativeToWeek(rest)) return today === 0 && said !== 0 ? said - 1 : 0
  if (said !== today || weekday.turn === undefined) return 0
  if (said === 0) return weekday.turn === 'next' ? 0 : -7
  return weekday.turn === 'next' ? 7 : 0
}

function toWeekdayNumber({ weekday = '' }: Part): number {
  return weekdays.indexOf(weekday.slice(0, 3))
}
