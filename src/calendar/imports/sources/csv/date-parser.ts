import type { IsoDate } from '../../../time/time.ts'
import { parseDate } from '../../../time/time.ts'

/** A parsed cell: a day, and a time of day if there is one. */
export interface ParsedDate {
  date?: IsoDate
  /** `19:30:00`. */
  time?: string
  /** The end of a range such as `19:30 – 21:00`. */
  endTime?: string
  /** The last day of a range of dates. */
  endDate?: IsoDate
  /** Set if the cell has a UTC offset. */
  instant?: Date
  /** The date is ambiguous: two days are possible. */
  isUnclear?: boolean
}

/** How to read 3/1/2027: decided by other cells of the table in which a number above 12 reveals the order. */
export type DayOrder = 'day-first' | 'month-first' | 'unknown'

/** Longer text is not a date. Also bounds the cost of the patterns below. */
const lengthMax = 100

const slashedPattern = /^(\d{1,2})([/-])(\d{1,2})\2(\d{2}|\d{4})(?!\d)/
const slashedRangePattern = /(?:[-–—]|\s(?:bis|to|until)\s)\s*(\d{1,2}\/\d{1,2}\/\d{2,4})/i

/** The order that a single cell reveals; undefined if both are possible. */
export function detectDayOrder(text: string): DayOrder | undefined {
  const words = stripWeekday(text)
  // Of a range, the last day may reveal it.
  return detectOrder(words) ?? detectOrder(slashedRangePattern.exec(words)?.[1] ?? '')
}

function detectOrder(words: string): DayOrder | undefined {
  const [, first, , second] = slashedPattern.exec(words) ?? []
  if (Number(first) > 12 && Number(second) <= 12) return 'day-first'
  if (Number(second) > 12 && Number(first) <= 12) return 'month-first'
  return undefined
}

/** Returns undefined if the text is neither a date nor a time. */
export function parseDateCell(text: string, order: DayOrder): ParsedDate | undefined {
  const words = stripWeekday(text)
  if (words === '' || words.length > lengthMax) return undefined
  const exact = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|[+-]\d\d:?\d\d)$/i.exec(words)
  if (exact !== null) {
    const instant = new Date(words.replace(' ', 'T').replace(' ', ''))
    return Number.isNaN(instant.getTime()) ? undefined : { instant }
  }
  const day = parseDay(words, order)
  if (day === undefined) return undefined
  const rest = words.slice(day.length).replace(/^(?:T|,|\s|um|at)+/i, '')
  if (rest === '') return day.written
  const time = parseTimeCell(rest)
  return time === undefined ? undefined : { ...day.written, ...time }
}

/** Parses `19:30`, `19.30 Uhr`, `7:30 pm`, `19 Uhr`, `19h30`, ranges of these, and `0.8125` as spreadsheets store it. */
export function parseTimeCell(text: string): Pick<ParsedDate, 'time' | 'endTime'> | undefined {
  const words = text.trim().toLowerCase()
  if (words === '' || words.length > lengthMax) return undefined
  const fraction = /^0?[.,](\d{1,17})$/.exec(words)
  if (fraction !== null) return { time: formatDayFraction(Number(`0.${fraction[1]}`)) }
  const parts = words.split(/(?<!\s)\s*[-–—]\s*|(?<!\s)\s+(?:bis|to|until)\s+/)
  const [first = '', second] = parts
  const endTime = second === undefined ? undefined : parseClockTime(second)
  // `7 – 9 pm` means the evening for both, `11 – 1 pm` does not.
  const half = /[ap]\.?m\.?$/.exec(second ?? '')?.[0] ?? ''
  const sameHalf = half === '' ? undefined : parseClockTime(first + half)
  const isBefore = sameHalf !== undefined && endTime !== undefined && sameHalf < endTime
  const alone = parseClockTime(first) ?? parseClockTime(second === undefined ? '' : `${first} uhr`)
  const time = isBefore ? sameHalf : alone
  if (time === undefined || parts.length > 2 || (second !== undefined && endTime === undefined)) return undefined
  return { time, ...(endTime === undefined ? {} : { endTime }) }
}

function parseClockTime(text: string): string | undefined {
  const form = /^(?:(?:ab|um|from|at) )?(\d{1,2})(?:([:.h])(\d\d)(?::(\d\d)(?:\.0+)?)?)? ?(uhr|h|a\.?m\.?|p\.?m\.?)?$/
  const [whole, hour, mark, minute = '00', second = '00', half = ''] = form.exec(text) ?? []
  // A number alone is not a time.
  if (whole === undefined || (mark === undefined && half === '')) return undefined
  const isHalf = /^[ap]/.test(half)
  const given = Number(hour)
  if (isHalf && (given < 1 || given > 12)) return undefined
  const hours = isHalf ? (given % 12) + (half.startsWith('p') ? 12 : 0) : given
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`
}

interface Day {
  written: ParsedDate
  length: number
}

function parseDay(words: string, order: DayOrder): Day | undefined {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(words) ?? /^(\d{4})()(\d\d)(\d\d)(?!\d)/.exec(words)
  if (iso !== null) return toDay(iso[0], iso[1], iso[3], iso[4])
  const german = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})(?!\d)/.exec(words)
  if (german !== null) return toDay(german[0], german[3], german[2], german[1])
  const either = slashedPattern.exec(words)
  if (either !== null) return parseSlashedDay(words, either, order)
  const named = /^(\d{1,2})(?:st|nd|rd|th|\.)?[ -]{0,2}(\p{L}{3,10})\.?,?[ -]{0,2}(\d{4})(?!\d)/u.exec(words)
  if (named !== null) return toDay(named[0], named[3], parseMonth(named[2]), named[1])
  const american = /^(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/u.exec(words)
  if (american !== null) return toDay(american[0], american[3], parseMonth(american[1]), american[2])
  // Spreadsheets that lose a cell's date format show the number of days since the end of 1899.
  const serial = /^([3-7]\d{4})(?:[.,](\d{1,17}))?$/.exec(words)
  if (serial !== null) {
    const written = parseSerialDate(Number(serial[1]), Number(`0.${serial[2] ?? '0'}`))
    return { written: serial[2] === undefined ? { date: written.date } : written, length: words.length }
  }
  return undefined
}

const secondsPerDay = 86_400

/** A spreadsheet's day number and the fraction of that day, to the nearest second. */
export function parseSerialDate(day: number, fraction: number): { date: IsoDate; time: string } {
  const seconds = day * secondsPerDay + Math.round(fraction * secondsPerDay)
  const text = new Date(Date.UTC(1899, 11, 30) + seconds * 1000).toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 19) }
}

function formatDayFraction(fraction: number): string {
  return parseSerialDate(0, fraction).time
}

function parseSlashedDay(words: string, found: RegExpExecArray, order: DayOrder): Day | undefined {
  const [whole, first, mark, second, year] = found
  // With hyphens the day comes first, except in machine-written dates, which start with the year.
  const own = detectOrder(words) ?? (first === second || mark === '-' ? 'day-first' : order)
  if (own === 'unknown') return { written: { isUnclear: true }, length: words.length }
  return own === 'day-first' ? toDay(whole, year, second, first) : toDay(whole, year, first, second)
}

function toDay(whole: string, year = '', month: string | undefined, date = ''): Day | undefined {
  if (month === undefined) return undefined
  const full = year.length === 2 ? `20${year}` : year
  const found = parseDate(`${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
  return found === undefined ? undefined : { written: { date: found }, length: whole.length }
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const otherMonths: Record<string, string> = {
  mär: 'mar',
  mrz: 'mar',
  mae: 'mar',
  mai: 'may',
  okt: 'oct',
  dez: 'dec',
  jän: 'jan'
}

function parseMonth(name = ''): string | undefined {
  const start = name.normalize('NFC').toLowerCase().slice(0, 3)
  const place = months.indexOf(otherMonths[start] ?? start)
  return place === -1 ? undefined : String(place + 1)
}

const weekdayPattern =
  /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)(?:day|tag|s|sday|nesday|rsday|urday|enstag|ttwoch|nnerstag|eitag|mstag|nntag|ntag)?[.,]*\s+/i

function stripWeekday(text: string): string {
  return text
    .slice(0, lengthMax + 50)
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(weekdayPattern, '')
}
