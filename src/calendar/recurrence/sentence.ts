import { type Language, pickByLanguage } from '#platform/language.ts'
import { formatRule, type RecurrenceRule } from './rule.ts'
import { type SentenceWords, sentenceWords } from './sentence-words.ts'
import type { WallTime } from './wall-time.ts'

/** What the sentence is about: excluded and further dates are listed only if they are named here. */
export interface SentenceSubject {
  rule: RecurrenceRule
  start: WallTime
  except: WallTime[]
  also: WallTime[]
}

/** More dates than these are only counted. */
const datesNamedMax = 6

/** The recurrence in words: `every second Tuesday until 31 July 2027, not on 24 December 2026`. */
export function describeRecurrence({ rule, start, except, also }: SentenceSubject, language: Language): string {
  const words = pickByLanguage(sentenceWords, language)
  const isOnce = rule.count === 1
  const rhythm = isOnce ? fill(words.once, { date: formatDateText(start, language) }) : describeRhythm(rule, words)
  const until = rule.until === undefined ? '' : ` ${fill(words.until, { date: formatDateText(rule.until, language) })}`
  return [
    rhythm + until,
    ...(rule.count === undefined || isOnce ? [] : [fill(words.times, { n: rule.count })]),
    ...(except.length === 0 ? [] : [fill(words.notOn, { dates: joinDates(except, language) })]),
    ...(also.length === 0 ? [] : [fill(words.alsoOn, { dates: joinDates(also, language) })])
  ].join(', ')
}

const newDateFormat = ({ locale }: SentenceWords) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
const dateFormats = { en: newDateFormat(sentenceWords.en), de: newDateFormat(sentenceWords.de) }

/** `24 December 2026`, `24. Dezember 2026`. */
export function formatDateText(wall: WallTime, language: Language): string {
  return dateFormats[language].format(new Date(wall))
}

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))

function describeRhythm(rule: RecurrenceRule, words: SentenceWords): string {
  const described = isUnusual(rule) ? undefined : describeDays(toNthWeekday(rule), words)
  return described ?? fill(words.byRule, { rule: formatRule({ ...rule, until: undefined, count: undefined }) })
}

/** Rules that no editor offers, and that have no simple sentence. */
const isUnusual = ({ weeks, yearDays }: RecurrenceRule) => weeks.length > 0 || yearDays.length > 0

/** The second of all Tuesdays of a month is the second Tuesday. */
function toNthWeekday(rule: RecurrenceRule): RecurrenceRule {
  const [day, ...others] = rule.weekdays
  const isPlain = day !== undefined && others.length === 0 && day.nth === 0 && rule.monthDays.length === 0
  if (rule.positions.length === 0 || rule.frequency !== 'MONTHLY' || !isPlain) return rule
  return { ...rule, weekdays: rule.positions.map(nth => ({ ...day, nth })), positions: [] }
}

function describeDays(rule: RecurrenceRule, words: SentenceWords): string | undefined {
  const { frequency, interval, weekdays, monthDays, positions } = rule
  if (positions.length > 0 || (weekdays.length > 0 && monthDays.length > 0)) return undefined
  if (frequency === 'YEARLY') return describeYearly(rule, words)
  const inMonths =
    rule.months.length === 0 ? '' : ` ${fill(words.inMonths, { months: joinMonths(rule.months, words) })}`
  if (frequency === 'MONTHLY') {
    const monthly = describeMonthly(rule, words)
    return monthly === undefined ? undefined : monthly + inMonths
  }
  if (frequency === 'DAILY') {
    if (monthDays.length > 0) return undefined
    if (weekdays.length > 0) return interval === 1 ? describeWeekly(rule, words) + inMonths : undefined
    return choose(words.days, interval) + inMonths
  }
  return describeWeekly(rule, words) + inMonths
}

/** Once, every second time, or every n-th time. */
function choose(texts: [string, string, string], interval: number, values: Record<string, string> = {}): string {
  return fill(texts[Math.min(interval, 3) - 1] ?? texts[2], { ...values, n: interval })
}

function describeWeekly({ interval, weekdays }: RecurrenceRule, words: SentenceWords): string {
  const sorted = sortFromMonday(weekdays.map(({ weekday }) => weekday))
  if (sorted.length === 7 && interval === 1) return words.days[0]
  if (sorted.join() === '1,2,3,4,5') return choose(words.workdays, interval)
  const days = join(
    sorted.map(weekday => words.weekdays[weekday] ?? ''),
    words
  )
  return choose(sorted.length === 1 ? words.weekday : words.severalWeekdays, interval, { days })
}

function describeMonthly(rule: RecurrenceRule, words: SentenceWords): string | undefined {
  const { interval, weekdays, monthDays } = rule
  if (monthDays.length > 0) return choose(words.monthly, interval, { days: joinMonthDays(monthDays, words) })
  if (weekdays.every(({ nth }) => nth === 0)) {
    if (interval === 1) return describeWeekly(rule, words)
    const names = sortFromMonday(weekdays.map(({ weekday }) => weekday)).map(weekday => words.weekdays[weekday] ?? '')
    return choose(words.weekdaysOfMonths, interval, { days: join(names, words) })
  }
  const days = joinNthWeekdays(weekdays, words)
  return days === undefined ? undefined : choose(words.monthly, interval, { days })
}

function describeYearly(rule: RecurrenceRule, words: SentenceWords): string | undefined {
  const { interval, weekdays, monthDays, months } = rule
  if (months.length === 0) return undefined
  if (weekdays.length > 0) {
    const days = joinNthWeekdays(weekdays, words)
    if (days === undefined) return undefined
    return choose(words.yearly, interval, { days: fill(words.nthOfYear, { days, months: joinMonths(months, words) }) })
  }
  const [day, ...others] = monthDays
  if (day === undefined || others.length > 0 || day < 0) {
    const days = joinMonthDays(monthDays, words)
    return choose(words.yearly, interval, { days: fill(words.nthOfYear, { days, months: joinMonths(months, words) }) })
  }
  // English writes 24 December without an ordinal.
  const number = words.locale.startsWith('en') ? String(day) : words.day(day)
  const days = fill(words.dayOfYear, { day: number, month: joinMonths(months, words) })
  return choose(words.yearly, interval, { days })
}

/** `first and third Monday`, `first Monday and last Friday`; undefined if a weekday has no number, or an unusual one. */
function joinNthWeekdays(weekdays: RecurrenceRule['weekdays'], words: SentenceWords): string | undefined {
  if (weekdays.some(({ nth }) => words.nth[nth] === undefined)) return undefined
  const isOneWeekday = weekdays.every(({ weekday }) => weekday === weekdays[0]?.weekday)
  if (isOneWeekday) {
    const numbers = join(
      weekdays.map(({ nth }) => words.nth[nth] ?? ''),
      words
    )
    return `${numbers} ${words.weekdays[weekdays[0]?.weekday ?? 0]}`
  }
  return join(
    weekdays.map(({ nth, weekday }) => `${words.nth[nth]} ${words.weekdays[weekday]}`),
    words
  )
}

function joinMonthDays(days: number[], words: SentenceWords): string {
  const forward = days.filter(day => day > 0)
  const backward = days.filter(day => day < 0)
  return join(
    [...forward.map(words.day), ...backward.map(day => (day === -1 ? words.lastDay : words.dayFromEnd(-day)))],
    words
  )
}

const joinMonths = (months: number[], words: SentenceWords) =>
  join(
    months.map(month => words.months[month - 1] ?? ''),
    words
  )

const sortFromMonday = (weekdays: number[]) =>
  [...new Set(weekdays)].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7))

function joinDates(dates: WallTime[], language: Language): string {
  const words = pickByLanguage(sentenceWords, language)
  const named = dates.length > datesNamedMax ? dates.slice(0, datesNamedMax - 1) : dates
  const texts = named.map(date => formatDateText(date, language))
  const left = dates.length - named.length
  return join(left === 0 ? texts : [...texts, fill(words.moreDates, { n: left })], words)
}

/** `one, two and three`. */
function join(items: string[], { and }: SentenceWords): string {
  if (items.length < 2) return items[0] ?? ''
  return `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`
}
