import { frequencies, type RecurrenceRule } from './rule.ts'
import type { WallTime } from './wall-time.ts'

/** How many more days and hours may be examined. Rules are untrusted input, so their cost has a limit. */
export interface Effort {
  left: number
}

export interface Span {
  from: WallTime
  to: WallTime
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * The occurrences within the span, in order. The start is always the first occurrence, as the RFC requires, even if the
 * rule does not match it. Ends early when the effort is used up.
 */
export function* listOccurrences(
  rule: RecurrenceRule,
  start: WallTime,
  span: Span,
  effort: Effort
): Generator<WallTime> {
  const whole = withDefaults(rule, start)
  const last = Math.min(span.to, rule.until ?? span.to)
  const periods = buildPeriods(whole, start)
  if (start >= span.from && start <= last) yield start

  let count = 1
  // Without COUNT each period is independent, so periods before the span can be skipped.
  let step = rule.count === undefined ? Math.max(0, Math.floor(periods.stepsTo(span.from)) - 1) : 0
  for (; periods.begin(step) <= last; step += 1) {
    for (const wall of listTimes(whole, periods.days(step), periods.times(step), effort)) {
      if (wall <= start) continue
      if (wall > last || (rule.count !== undefined && count >= rule.count)) return
      count += 1
      effort.left -= 1
      if (wall >= span.from) yield wall
    }
    effort.left -= 1
    if (effort.left <= 0) return
  }
}

/** The first time from the start on that the rule itself matches, which is the start if it fits. Ignores UNTIL. */
export function findFirstMatch(rule: RecurrenceRule, start: WallTime, effort: Effort): WallTime | undefined {
  const whole = withDefaults(rule, start)
  const periods = buildPeriods(whole, start)
  for (let step = 0; effort.left > 0; step += 1) {
    for (const wall of listTimes(whole, periods.days(step), periods.times(step), effort)) {
      if (wall >= start) return wall
    }
    effort.left -= 1
  }
  return undefined
}

/** Fills in what the rule leaves open from the start time. */
function withDefaults(rule: RecurrenceRule, start: WallTime): RecurrenceRule {
  const at = new Date(start)
  const whole = { ...rule }
  const saysDay = [rule.weeks, rule.yearDays, rule.monthDays, rule.weekdays].some(list => list.length > 0)
  if (rule.frequency === 'WEEKLY' || (rule.weeks.length > 0 && rule.weekdays.length === 0)) {
    if (rule.weekdays.length === 0) whole.weekdays = [{ nth: 0, weekday: at.getUTCDay() }]
  } else if (!saysDay && (rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY')) {
    whole.monthDays = [at.getUTCDate()]
    if (rule.frequency === 'YEARLY' && rule.months.length === 0) whole.months = [at.getUTCMonth() + 1]
  }
  const rank = frequencies.indexOf(rule.frequency)
  if (rank > 2 && rule.hours.length === 0) whole.hours = [at.getUTCHours()]
  if (rank > 1 && rule.minutes.length === 0) whole.minutes = [at.getUTCMinutes()]
  if (rank > 0 && rule.seconds.length === 0) whole.seconds = [at.getUTCSeconds()]
  return whole
}

/** The periods of a rule: each has candidate days and times of day. */
interface Periods {
  begin(step: number): WallTime
  /** Candidate days, counted from 1970: the first one, and how many. */
  days(step: number): { first: number; count: number }
  times(step: number): number[]
  /** The number of periods until that time. */
  stepsTo(wall: WallTime): number
}

function buildPeriods(rule: RecurrenceRule, start: WallTime): Periods {
  const { interval } = rule
  const at = new Date(start)
  if (rule.frequency === 'YEARLY' || rule.frequency === 'MONTHLY') {
    const months = rule.frequency === 'YEARLY' ? 12 : 1
    const firstMonth = at.getUTCFullYear() * 12 + (months === 12 ? 0 : at.getUTCMonth())
    const begin = (step: number) => getMonthStart(firstMonth + step * interval * months)
    const count = (step: number) =>
      (getMonthStart(firstMonth + step * interval * months + months) - begin(step)) / dayMs
    return {
      begin,
      days: step => ({ first: begin(step) / dayMs, count: count(step) }),
      times: returnAlways(listTimesOfDay(rule)),
      // Dividing by the longest year (366 days) or month (31 days) never overestimates the steps.
      stepsTo: wall => (wall - start) / (interval * (months === 12 ? 366 : 31) * dayMs)
    }
  }
  if (rule.frequency === 'WEEKLY' || rule.frequency === 'DAILY') {
    const length = rule.frequency === 'WEEKLY' ? 7 : 1
    const today = Math.floor(start / dayMs)
    const first = length === 7 ? today - ((at.getUTCDay() - rule.weekStart + 7) % 7) : today
    return {
      begin: step => (first + step * interval * length) * dayMs,
      days: step => ({ first: first + step * interval * length, count: length }),
      times: returnAlways(listTimesOfDay(rule)),
      stepsTo: wall => (wall - first * dayMs) / (interval * length * dayMs)
    }
  }
  return buildPeriodsWithinDays(rule, start)
}

function buildPeriodsWithinDays(rule: RecurrenceRule, start: WallTime): Periods {
  const unitMs = { HOURLY: hourMs, MINUTELY: minuteMs, SECONDLY: secondMs }[rule.frequency as string] ?? hourMs
  const first = Math.floor(start / unitMs) * unitMs
  const begin = (step: number) => first + step * rule.interval * unitMs
  const inside = listTimesOfDay({
    ...rule,
    hours: [0],
    minutes: unitMs < hourMs ? [0] : rule.minutes,
    seconds: unitMs < minuteMs ? [0] : rule.seconds
  })
  const limits = (
    [
      ['hours', hourMs, 24],
      ['minutes', minuteMs, 60],
      ['seconds', secondMs, 60]
    ] as const
  ).filter(([name, size]) => size >= unitMs && rule[name].length > 0)
  return {
    begin,
    days: step => ({ first: Math.floor(begin(step) / dayMs), count: 1 }),
    times: step => {
      const time = begin(step) - Math.floor(begin(step) / dayMs) * dayMs
      const fits = limits.every(([name, size, count]) => rule[name].includes(Math.floor(time / size) % count))
      return fits ? inside.map(more => time + more) : []
    },
    stepsTo: wall => (wall - first) / (rule.interval * unitMs)
  }
}

const returnAlways = (times: number[]) => () => times

function getMonthStart(month: number): WallTime {
  return Date.UTC(Math.floor(month / 12), month % 12, 1)
}

/** More occurrences per day than this are not real events. */
const timesMax = 1440

function listTimesOfDay({ hours, minutes, seconds }: RecurrenceRule): number[] {
  const times: number[] = []
  // Leap seconds are not supported: second 60 counts as 59.
  const whole = new Set(seconds.map(second => Math.min(second, 59)))
  for (const hour of hours) {
    for (const minute of minutes) {
      for (const second of whole) {
        if (times.length >= timesMax) return times
        times.push(hour * hourMs + minute * minuteMs + second * secondMs)
      }
    }
  }
  return times
}

function* listTimes(
  rule: RecurrenceRule,
  { first, count }: { first: number; count: number },
  times: number[],
  effort: Effort
): Generator<WallTime> {
  if (times.length === 0) return
  const days: number[] = []
  for (let day = first; day < first + count; day += 1) {
    if (matchesDay(rule, day)) days.push(day)
  }
  effort.left -= count
  const at = (place: number) =>
    (days[Math.floor(place / times.length)] ?? 0) * dayMs + (times[place % times.length] ?? 0)
  const total = days.length * times.length
  if (rule.positions.length === 0) {
    for (let place = 0; place < total; place += 1) yield at(place)
    return
  }
  const places = rule.positions.map(position => (position > 0 ? position - 1 : total + position))
  for (const place of [...new Set(places)].sort((one, other) => one - other)) {
    if (place >= 0 && place < total) yield at(place)
  }
}

function matchesDay(rule: RecurrenceRule, day: number): boolean {
  const date = new Date(day * dayMs)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  if (rule.months.length > 0 && !rule.months.includes(month + 1)) return false
  const weekday = date.getUTCDay()
  const named = rule.weekdays.filter(one => one.weekday === weekday)
  if (rule.weekdays.length > 0 && named.length === 0) return false
  if (rule.monthDays.length > 0 && !matchesPosition(rule.monthDays, getPositionInMonth(day, year, month))) return false
  if (rule.yearDays.length > 0 && !matchesPosition(rule.yearDays, getPositionInYear(day, year))) return false
  if (rule.weeks.length > 0 && !matchesPosition(rule.weeks, getWeekPosition(day, rule.weekStart))) return false
  if (named.length === 0 || !hasNth(rule) || named.some(({ nth }) => nth === 0)) return true
  const place = nthIsOfMonth(rule) ? getPositionInMonth(day, year, month) : getPositionInYear(day, year)
  return named.some(({ nth }) => isNth(nth, place))
}

/** Only months and years have a second Tuesday. */
const hasNth = ({ frequency, weeks }: RecurrenceRule) =>
  (frequency === 'MONTHLY' || frequency === 'YEARLY') && weeks.length === 0
const nthIsOfMonth = ({ frequency, months }: RecurrenceRule) => frequency === 'MONTHLY' || months.length > 0
const isNth = (nth: number, { ahead, behind }: DayPosition) =>
  Math.ceil((nth > 0 ? ahead : behind) / 7) === Math.abs(nth)

/** The ordinal of a day, counted from the beginning and from the end. */
interface DayPosition {
  ahead: number
  behind: number
}

function getPositionInMonth(day: number, year: number, month: number): DayPosition {
  return getPosition(day, Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1))
}

function getPositionInYear(day: number, year: number): DayPosition {
  return getPosition(day, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1))
}

function getPosition(day: number, begin: WallTime, end: WallTime): DayPosition {
  return { ahead: day - begin / dayMs + 1, behind: end / dayMs - day }
}

function matchesPosition(wanted: number[], { ahead, behind }: DayPosition): boolean {
  return wanted.includes(ahead) || wanted.includes(-behind)
}

/** The week number in the year: the first week has at least four days in it. */
function getWeekPosition(day: number, weekStart: number): DayPosition {
  const weekday = (new Date(day * dayMs).getUTCDay() - weekStart + 7) % 7
  const year = new Date((day - weekday + 3) * dayMs).getUTCFullYear()
  const begin = getFirstWeek(year, weekStart)
  const number = Math.floor((day - begin) / 7) + 1
  return { ahead: number, behind: (getFirstWeek(year + 1, weekStart) - begin) / 7 - number + 1 }
}

function getFirstWeek(year: number, weekStart: number): number {
  const fourth = Date.UTC(year, 0, 4) / dayMs
  return fourth - ((new Date(fourth * dayMs).getUTCDay() - weekStart + 7) % 7)
}
