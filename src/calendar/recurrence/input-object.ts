import { buildText } from '#platform/messages/messages.ts'
import { ParamError } from '../contract/param-definition.ts'
import { isObject } from '../contract/params.ts'
import {
  intervalMax,
  newCountError,
  newEndError,
  newIntervalError,
  occurrencesMax,
  parseGivenTime,
  parseGivenTimes,
  type RecurrenceInput
} from './input.ts'
import type { Frequency, RecurrenceRule } from './rule.ts'

/** A unit of a recurrence with the frequency of its rule. */
export const unitFrequencies = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const
export type RecurrenceUnit = keyof typeof unitFrequencies

/** Counted from Sunday, as in rules. */
export const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const members = ['every', 'unit', 'weekdays', 'month_days', 'until', 'count', 'except', 'also']
const nthMax = 5
const weekdaysMax = 35

/** `{every, unit, weekdays, month_days, until | count, except, also}`. */
export function parseRecurrenceObject(given: Record<string, unknown>): RecurrenceInput | ParamError {
  const unknown = Object.keys(given).find(name => !members.includes(name))
  if (unknown !== undefined) {
    return new ParamError(
      'unknown',
      buildText('calendar-rules', 'members', { members: members.join(', ') }),
      unknown.slice(0, 50).toWellFormed()
    )
  }
  const isUnit = (unit: unknown): unit is RecurrenceUnit =>
    typeof unit === 'string' && Object.hasOwn(unitFrequencies, unit)
  if (!isUnit(given.unit)) {
    return new ParamError('not-allowed', buildText('calendar-rules', 'unit'), 'unit')
  }
  const interval = given.every == null ? 1 : given.every
  if (!isInteger(interval, 1, intervalMax)) return newIntervalError()
  if (given.count != null && given.until != null) return newEndError()
  if (given.count != null && !isInteger(given.count, 1, occurrencesMax)) return newCountError()
  const until = given.until == null ? undefined : parseGivenTime(given.until)
  if (given.until != null && until === undefined) {
    return new ParamError('date', buildText('calendar-rules', 'untilDate'), 'until')
  }
  const weekdays = given.weekdays == null ? [] : parseWeekdays(given.weekdays, given.unit)
  if (weekdays instanceof ParamError) return weekdays
  const monthDays = given.month_days == null ? [] : parseMonthDays(given.month_days, given.unit, weekdays.length > 0)
  if (monthDays instanceof ParamError) return monthDays
  const except = parseGivenTimes(toArray(given.except), 'except')
  if (except instanceof ParamError) return except
  const also = parseGivenTimes(toArray(given.also), 'also')
  if (also instanceof ParamError) return also
  const rule = {
    ...newRule(unitFrequencies[given.unit]),
    interval,
    weekdays,
    monthDays,
    count: (given.count as number | null | undefined) ?? undefined
  }
  return { rule, isOfStartMonth: given.unit === 'year', until, except, also }
}

function newRule(frequency: Frequency): RecurrenceRule {
  const none = { months: [], weeks: [], yearDays: [], monthDays: [], weekdays: [], positions: [] }
  const noTimes = { hours: [], minutes: [], seconds: [] }
  return { frequency, interval: 1, count: undefined, until: undefined, ...none, ...noTimes, weekStart: 1 }
}

const toArray = (given: unknown) => (given == null ? [] : Array.isArray(given) ? given : [given])
const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

function parseWeekdays(given: unknown, unit: RecurrenceUnit): RecurrenceRule['weekdays'] | ParamError {
  const list = toArray(given)
  const parse = unit === 'week' ? parseWeekday : parseNthWeekday
  const weekdays = list.map(parse)
  const isValid = list.length <= weekdaysMax && !weekdays.includes(undefined)
  if (unit !== 'day' && isValid) return sortWeekdays(weekdays as RecurrenceRule['weekdays'])
  const message =
    unit === 'day'
      ? buildText('calendar-rules', 'notWithDay')
      : unit === 'week'
        ? buildText('calendar-rules', 'weekdayNames')
        : buildText('calendar-rules', 'nthWeekdays', { nthMax })
  return new ParamError('weekdays', message, 'weekdays')
}

function parseWeekday(given: unknown): { nth: number; weekday: number } | undefined {
  const weekday = (weekdayNames as readonly unknown[]).indexOf(given)
  return weekday < 0 ? undefined : { nth: 0, weekday }
}

function parseNthWeekday(given: unknown): { nth: number; weekday: number } | undefined {
  if (!isObject(given) || given.nth === 0 || !isInteger(given.nth, -nthMax, nthMax)) return undefined
  const day = parseWeekday(given.weekday)
  return day === undefined ? undefined : { ...day, nth: given.nth }
}

/** Monday first, each once. */
function sortWeekdays(weekdays: RecurrenceRule['weekdays']): RecurrenceRule['weekdays'] {
  const place = ({ nth, weekday }: { nth: number; weekday: number }) =>
    (nth < 0 ? 100 + nth : nth) * 10 + ((weekday + 6) % 7)
  const unique = new Map(weekdays.map(one => [place(one), one]))
  return [...unique].sort(([one], [other]) => one - other).map(([, one]) => one)
}

function parseMonthDays(given: unknown, unit: RecurrenceUnit, hasWeekdays: boolean): number[] | ParamError {
  const list = toArray(given)
  const isValid = list.length <= 31 && list.every(day => isInteger(day, -31, 31) && day !== 0)
  if (isValid && unit === 'month' && !hasWeekdays)
    return [...new Set(list as number[])].sort((one, other) => one - other)
  return new ParamError('month-days', buildText('calendar-rules', 'monthDays'), 'month_days')
}
