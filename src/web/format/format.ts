import { getLocale, type Language } from '#platform/language.ts'

// Localized dates, times and amounts.

const dateStyles = {
  localDay: { year: 'numeric', month: '2-digit', day: '2-digit' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { weekday: 'short', day: 'numeric', month: 'short' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  dayMonth: { day: 'numeric', month: 'long' },
  date: { day: '2-digit', month: '2-digit', year: 'numeric' },
  numericDay: { day: 'numeric', month: 'numeric', year: '2-digit' },
  shortDayYear: { day: 'numeric', month: 'short', year: '2-digit' },
  dateTime: { dateStyle: 'short', timeStyle: 'short' },
  month: { month: 'long', year: 'numeric' },
  monthName: { month: 'long' },
  shortMonth: { month: 'short' },
  shortWeekday: { weekday: 'short' },
  weekday: { weekday: 'long' }
} satisfies Record<string, Intl.DateTimeFormatOptions>

/** Formatters are expensive to create, so they are cached: by language, then by style and time zone. */
const formatters = new Map<Language, Map<string, Intl.DateTimeFormat>>()

function getDateFormat(language: Language, style: keyof typeof dateStyles, timeZone = 'UTC'): Intl.DateTimeFormat {
  let known = formatters.get(language)
  if (known === undefined) {
    known = new Map()
    formatters.set(language, known)
  }
  const key = timeZone === 'UTC' ? style : `${style} ${timeZone}`
  let format = known.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(getLocale(language), { timeZone, ...dateStyles[style] })
    known.set(key, format)
  }
  return format
}

/** Parses a local time of the calendar (`2027-02-01 19:30:00`, or a date) as UTC, so that no time zone shifts it. */
export function parseClock(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.length > 10 ? text.slice(11, 19) : '00:00:00'}Z`)
}

/** Date of an instant in a time zone: `2027-02-01`. */
export function toLocalDay(timezone: string, instant: Date): string {
  const parts: Record<string, string> = {}
  const format = getDateFormat('en', 'localDay', timezone)
  for (const { type, value } of format.formatToParts(instant)) parts[type] = value
  return `${parts.year}-${parts.month}-${parts.day}`
}

/** Adds calendar days; `count` may be negative. */
export function addDays(day: string, count: number): string {
  return new Date(parseClock(day).getTime() + count * 86_400_000).toISOString().slice(0, 10)
}

/** Adds months: `2027-01` and -1 make `2026-12`. */
export function addMonths(month: string, count: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}

/** Saturday, 12 June 2027. */
export function formatLongDay(language: Language, text: string): string {
  return getDateFormat(language, 'longDay').format(parseClock(text))
}

/** Sat, 12 June. */
export function formatShortDay(language: Language, text: string): string {
  return getDateFormat(language, 'shortDay').format(parseClock(text))
}

/** 12 June 2027. */
export function formatDay(language: Language, text: string): string {
  return getDateFormat(language, 'day').format(parseClock(text))
}

/** 16–22 November 2026. */
export function formatDayRange(language: Language, from: string, to: string): string {
  const format = getDateFormat(language, 'day')
  return format.formatRange(parseClock(from), parseClock(to))
}

/** 12 June, without the year. */
export function formatDayMonth(language: Language, text: string): string {
  return getDateFormat(language, 'dayMonth').format(parseClock(text))
}

/** 12/06/2027: for tables. */
export function formatDate(language: Language, text: string): string {
  return getDateFormat(language, 'date').format(parseClock(text))
}

/** 12 Jun 27, or 12.6.27 where days and months are separated by dots: for narrow columns. */
export function formatTableDay(language: Language, text: string): string {
  const numeric = getDateFormat(language, 'numericDay').format(parseClock(text))
  if (numeric.includes('.')) return numeric
  return getDateFormat(language, 'shortDayYear').format(parseClock(text))
}

/** 12/06/2027, 14:05 in a zone: for tables. */
export function formatDateTime(language: Language, instant: string, timezone: string): string {
  return getDateFormat(language, 'dateTime', timezone).format(new Date(instant))
}

/** June 2027. */
export function formatMonth(language: Language, month: string): string {
  return getDateFormat(language, 'month').format(parseClock(`${month.slice(0, 7)}-01`))
}

/** June, without the year. */
export function formatMonthName(language: Language, month: string): string {
  return getDateFormat(language, 'monthName').format(parseClock(`${month.slice(0, 7)}-01`))
}

/** Jun. */
export function formatShortMonth(language: Language, text: string): string {
  return getDateFormat(language, 'shortMonth').format(parseClock(text)).replace('.', '').slice(0, 4)
}

/** Sat. */
export function formatShortWeekday(language: Language, text: string): string {
  return getDateFormat(language, 'shortWeekday').format(parseClock(text)).replace('.', '')
}

export function formatWeekday(language: Language, text: string): string {
  return getDateFormat(language, 'weekday').format(parseClock(text))
}

/** 19:30; all languages use 24 hours. */
export function formatTime(text: string): string {
  return text.slice(11, 16)
}

const amounts = new Map<string, Intl.NumberFormat>()

/** 1,250 €, with cents only if there are any; `exact` always shows them. */
export function formatMoney(language: Language, currency: string, amount: number, exact = false): string {
  const whole = !exact && Number.isInteger(amount)
  const key = `${language}${currency}${whole}`
  let format = amounts.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(getLocale(language), {
      style: 'currency',
      currency,
      ...(whole ? { maximumFractionDigits: 0 } : {})
    })
    amounts.set(key, format)
  }
  return format.format(amount)
}

const numbers = new Map<Language, Intl.NumberFormat>()

export function formatNumber(language: Language, value: number): string {
  let format = numbers.get(language)
  if (format === undefined) {
    format = new Intl.NumberFormat(getLocale(language))
    numbers.set(language, format)
  }
  return format.format(value)
}

const relatives = new Map<Language, Intl.RelativeTimeFormat>()

function getRelativeFormat(language: Language): Intl.RelativeTimeFormat {
  let format = relatives.get(language)
  if (format === undefined) {
    format = new Intl.RelativeTimeFormat(getLocale(language), { numeric: 'auto' })
    relatives.set(language, format)
  }
  return format
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
]

/** 3 hours ago. */
export function formatRelativeTime(language: Language, instant: string, now: Date): string {
  const seconds = (Date.parse(instant) - now.getTime()) / 1000
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return getRelativeFormat(language).format(Math.trunc(seconds / length), unit)
  }
  return getRelativeFormat(language).format(0, 'minute')
}

/** Whole days until then; negative if it is over. */
export function countDaysUntil(instant: string, now: Date): number {
  return Math.ceil((Date.parse(instant) - now.getTime()) / 86_400_000)
}

/** DE89 3704 0044 0532 0130 00: in groups of four, as on paper. */
export function formatIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}

/** DE89 … 3000: enough to tell two accounts apart. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)} … ${iban.slice(-4)}`
}

/** Largest number that is tried to find the forms of a language. */
const pluralSampleMax = 1000

/** The forms of a message by plural category, with `#` instead of the number: for scripts that show a changing number. */
export function listPluralForms(language: Language, format: (count: number) => string): Record<string, string> {
  const rules = new Intl.PluralRules(getLocale(language))
  const forms: Record<string, string> = {}
  const categories = rules.resolvedOptions().pluralCategories.length
  for (let count = 0; count <= pluralSampleMax && Object.keys(forms).length < categories; count += 1) {
    forms[rules.select(count)] ??= format(count).replace(formatNumber(language, count), '#')
  }
  return forms
}
