import { getLocale, type Language } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { formatRule, type RecurrenceRule } from './rule.ts'
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

const getSentence = (language: Language) => getMessages('recurrence-sentence', language)

/** The recurrence in words: `every second Tuesday until 31 July 2027, not on 24 December 2026`. */
export function describeRecurrence({ rule, start, except, also }: SentenceSubject, language: Language): string {
  const { once, until, times, notOn, alsoOn } = getSentence(language)
  const isOnce = rule.count === 1
  const rhythm = isOnce ? once({ date: formatDateText(start, language) }) : describeRhythm(rule, language)
  return [
    rule.until === undefined ? rhythm : until({ rhythm, date: formatDateText(rule.until, language) }),
    ...(rule.count === undefined || isOnce ? [] : [times({ n: rule.count })]),
    ...(except.length === 0 ? [] : [notOn({ dates: joinDates(except, language) })]),
    ...(also.length === 0 ? [] : [alsoOn({ dates: joinDates(also, language) })])
  ].join(', ')
}

/** `24 December 2026`, `24. Dezember 2026`. */
export function formatDateText(wall: WallTime, language: Language): string {
  return getDateFormats(language).date.format(new Date(wall))
}

interface DateFormats {
  date: Intl.DateTimeFormat
  weekday: Intl.DateTimeFormat
  month: Intl.DateTimeFormat
}

const dateFormats = new Map<Language, DateFormats>()

function getDateFormats(language: Language): DateFormats {
  let known = dateFormats.get(language)
  if (known === undefined) {
    const newFormat = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(getLocale(language), { ...options, timeZone: 'UTC' })
    known = {
      date: newFormat({ dateStyle: 'long' }),
      weekday: newFormat({ weekday: 'long' }),
      month: newFormat({ month: 'long' })
    }
    dateFormats.set(language, known)
  }
  return known
}

/** Counted from Sunday; 2 January 2000 was one. */
const formatWeekday = (weekday: number, language: Language) =>
  getDateFormats(language).weekday.format(Date.UTC(2000, 0, 2 + weekday))

const formatMonth = (month: number, language: Language) =>
  getDateFormats(language).month.format(Date.UTC(2000, month - 1, 1))

function describeRhythm(rule: RecurrenceRule, language: Language): string {
  const described = isUnusual(rule) ? undefined : describeDays(toNthWeekday(rule), language)
  if (described !== undefined) return described
  return getSentence(language).byRule({ rule: formatRule({ ...rule, until: undefined, count: undefined }) })
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

function describeDays(rule: RecurrenceRule, language: Language): string | undefined {
  const { frequency, weekdays, monthDays, positions, months } = rule
  if (positions.length > 0 || (weekdays.length > 0 && monthDays.length > 0)) return undefined
  if (frequency === 'YEARLY') return describeYearly(rule, language)
  const rhythm = frequency === 'MONTHLY' ? describeMonthly(rule, language) : describeDailyOrWeekly(rule, language)
  if (rhythm === undefined || months.length === 0) return rhythm
  return getSentence(language).inMonths({ rhythm, months: joinMonths(months, language) })
}

function describeDailyOrWeekly(rule: RecurrenceRule, language: Language): string | undefined {
  const { frequency, interval, weekdays, monthDays } = rule
  if (frequency !== 'DAILY') return describeWeekly(rule, language)
  if (monthDays.length > 0) return undefined
  if (weekdays.length > 0) return interval === 1 ? describeWeekly(rule, language) : undefined
  return getSentence(language).days({ n: interval })
}

function describeWeekly({ interval: n, weekdays }: RecurrenceRule, language: Language): string {
  const { days, workdays, weekday, severalWeekdays } = getSentence(language)
  const sorted = sortFromMonday(weekdays.map(one => one.weekday))
  if (sorted.length === 7 && n === 1) return days({ n })
  if (sorted.join() === '1,2,3,4,5') return workdays({ n })
  const names = joinWeekdays(sorted, language)
  return sorted.length === 1 ? weekday({ n, days: names }) : severalWeekdays({ n, days: names })
}

function describeMonthly(rule: RecurrenceRule, language: Language): string | undefined {
  const { interval: n, weekdays, monthDays } = rule
  const { monthly, weekdaysOfMonths } = getSentence(language)
  if (monthDays.length > 0) return monthly({ n, days: joinMonthDays(monthDays, language) })
  if (weekdays.every(({ nth }) => nth === 0)) {
    if (n === 1) return describeWeekly(rule, language)
    const sorted = sortFromMonday(weekdays.map(({ weekday }) => weekday))
    return weekdaysOfMonths({ n, days: joinWeekdays(sorted, language) })
  }
  const days = joinNthWeekdays(weekdays, language)
  return days === undefined ? undefined : monthly({ n, days })
}

function describeYearly(rule: RecurrenceRule, language: Language): string | undefined {
  const { interval: n, weekdays, monthDays, months } = rule
  const { yearly, dayOfYear, nthOfYear } = getSentence(language)
  if (months.length === 0) return undefined
  const named = joinMonths(months, language)
  if (weekdays.length > 0) {
    const days = joinNthWeekdays(weekdays, language)
    return days === undefined ? undefined : yearly({ n, days: nthOfYear({ days, months: named }) })
  }
  const [day, ...others] = monthDays
  if (day === undefined || others.length > 0 || day < 0) {
    return yearly({ n, days: nthOfYear({ days: joinMonthDays(monthDays, language), months: named }) })
  }
  return yearly({ n, days: dayOfYear({ day, month: named }) })
}

/** `first and third Monday`, `first Monday and last Friday`; undefined if a weekday has no number, or an unusual one. */
function joinNthWeekdays(weekdays: RecurrenceRule['weekdays'], language: Language): string | undefined {
  const { nth: names, nthWeekday } = getSentence(language)
  const numbered = weekdays.flatMap(({ nth, weekday }) => {
    const name = findText(names, String(nth))
    return name === undefined ? [] : [{ nth: name, weekday }]
  })
  if (numbered.length < weekdays.length) return undefined
  const [first] = numbered
  if (first !== undefined && numbered.every(({ weekday }) => weekday === first.weekday)) {
    const numbers = numbered.map(({ nth }) => nth)
    return nthWeekday({ nth: join(numbers, language), weekday: formatWeekday(first.weekday, language) })
  }
  return join(
    numbered.map(({ nth, weekday }) => nthWeekday({ nth, weekday: formatWeekday(weekday, language) })),
    language
  )
}

function joinMonthDays(days: number[], language: Language): string {
  const { monthDay, lastDay, dayFromEnd } = getSentence(language)
  const forward = days.filter(day => day > 0)
  const backward = days.filter(day => day < 0)
  return join(
    [
      ...forward.map(day => monthDay({ day })),
      ...backward.map(day => (day === -1 ? lastDay : dayFromEnd({ day: -day })))
    ],
    language
  )
}

const joinWeekdays = (weekdays: number[], language: Language) =>
  join(
    weekdays.map(weekday => formatWeekday(weekday, language)),
    language
  )

const joinMonths = (months: number[], language: Language) =>
  join(
    months.map(month => formatMonth(month, language)),
    language
  )

const sortFromMonday = (weekdays: number[]) =>
  [...new Set(weekdays)].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7))

function joinDates(dates: WallTime[], language: Language): string {
  const named = dates.length > datesNamedMax ? dates.slice(0, datesNamedMax - 1) : dates
  const texts = named.map(date => formatDateText(date, language))
  const left = dates.length - named.length
  return join(left === 0 ? texts : [...texts, getSentence(language).moreDates({ n: left })], language)
}

/** `one, two and three`. */
function join(items: string[], language: Language): string {
  if (items.length < 2) return items[0] ?? ''
  return getSentence(language).and({ first: items.slice(0, -1).join(', '), last: items.at(-1) ?? '' })
}
