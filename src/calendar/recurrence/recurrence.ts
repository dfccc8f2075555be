import { buildText } from '#platform/messages/messages.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { toLocal } from '../time/time.ts'
import { type GivenTime, occurrencesMax, type RecurrenceInput } from './input.ts'
import { dayMs, type Effort, findFirstMatch, listOccurrences } from './occurrences.ts'
import { parseRule, type RecurrenceRule } from './rule.ts'
import { formatDateText } from './sentence.ts'
import { formatWallTime, parseBasicTime, parseWallTime, type WallTime } from './wall-time.ts'

/** A rule that says everything explicitly, and the times that it lacks or has in addition. */
export interface Recurrence {
  rule: RecurrenceRule
  except: WallTime[]
  also: WallTime[]
}

/** Days to examine: enough for every day until the last supported year. */
const effortMax = 200_000
const newEffort = (): Effort => ({ left: effortMax })
const lastTime = Date.UTC(2201, 0, 1) - 1

/** Where a recurrence begins. */
export interface RecurrenceStart {
  start: WallTime
  timezone: string
}

/** Completes what was given by the start of the event. */
export function resolveRecurrence(input: RecurrenceInput, { start, timezone }: RecurrenceStart): Recurrence {
  const timeOfDay = getTimeOfDay(start)
  const toSeriesTime = (member: 'except' | 'also') => (given: GivenTime) => {
    const wall = toWallTime(given, timezone)
    if (given.kind === 'date' || getTimeOfDay(wall) === timeOfDay) return getDay(wall) + timeOfDay
    throw newInvalidParamProblem(
      `recurrence.${member}`,
      'time',
      buildText('series-problems', 'time', { wallTime: formatWallTime(start).slice(11, 16) })
    )
  }
  const months = input.isOfStartMonth === true ? [new Date(start).getUTCMonth() + 1] : input.rule.months
  const until = resolveUntil(input.until, { start, timezone })
  const rule = completeRule({ ...input.rule, months, until }, start)
  if (rule.until !== undefined && rule.until < start) {
    throw newInvalidParamProblem(
      'recurrence.until',
      'end-before-start',
      buildText('series-problems', 'endBeforeStart', language => ({ dateText: formatDateText(start, language) }))
    )
  }
  return {
    rule,
    except: sortTimes(input.except.map(toSeriesTime('except'))),
    also: sortTimes(input.also.map(toSeriesTime('also')))
  }
}

/** Refuses a start that is no date of the rule: that it would count nevertheless surprises people. */
export function requireStartInRule({ rule, except, also }: Recurrence, start: WallTime): void {
  const first = findFirstDate(rule, start)
  if (first !== start) {
    throw newInvalidParamProblem(
      'start_date',
      'not-in-rule',
      buildText('series-problems', 'notInRule', language => ({
        dateText: formatDateText(first, language),
        wallTime: formatWallTime(first).slice(0, 10)
      }))
    )
  }
  if (except.includes(start)) {
    throw newInvalidParamProblem('recurrence.except', 'start', buildText('series-problems', 'start'))
  }
  if (also.some(wall => wall < start)) {
    throw newInvalidParamProblem('recurrence.also', 'before-start', buildText('series-problems', 'beforeStart'))
  }
}

/** The first date of the rule from a time on. */
export function findFirstDate(rule: RecurrenceRule, from: WallTime): WallTime {
  const first = findFirstMatch(rule, from, newEffort())
  if (first !== undefined) return first
  throw newInvalidParamProblem('recurrence', 'no-dates', buildText('series-problems', 'noDates'))
}

/** The stored rule of a series. */
export function parseStoredRule(text: string): RecurrenceRule {
  const rule = parseRule(text, until => {
    const wall = parseBasicTime(until)
    return wall === undefined ? undefined : getDay(wall) + dayMs - 1
  })
  if (rule === undefined) throw new Error(`The rule of a series is invalid: ${text}`)
  return rule
}

export const isEndless = ({ count, until }: RecurrenceRule) => count === undefined && until === undefined

/** The dates up to a time, in order; at most as many as given and one more, which shows that there are more. */
export function listDates(
  { rule, except, also }: Recurrence,
  start: WallTime,
  { from = start, to = lastTime, most = occurrencesMax }: { from?: WallTime; to?: WallTime; most?: number }
): WallTime[] {
  const excluded = new Set(except)
  const further = also.filter(wall => wall >= from && wall <= to && !excluded.has(wall))
  const found = new Set<WallTime>()
  for (const wall of listOccurrences(rule, start, { from, to }, newEffort())) {
    if (!excluded.has(wall)) found.add(wall)
    if (found.size > most) break
  }
  return sortTimes([...found, ...further]).slice(0, most + 1)
}

/** The dates of the rule alone, excluded ones too. */
export function listRuleDates(rule: RecurrenceRule, start: WallTime, to = lastTime): WallTime[] {
  return [...listOccurrences(rule, start, { from: start, to }, newEffort())]
}

/**
 * The first date of the rule from a time on, in the rhythm that has the given date: every second Tuesday that includes
 * that Tuesday. Undefined if the rule never has the date.
 */
export function findStartWith(rule: RecurrenceRule, from: WallTime, date: WallTime): WallTime | undefined {
  for (let period = 0; period < rule.interval; period += 1) {
    const start = findFirstMatch(rule, addPeriods(rule, from, period), newEffort())
    if (start === undefined || start > date) continue
    const [found] = listOccurrences({ ...rule, count: undefined }, start, { from: date, to: date }, newEffort())
    if (found !== undefined) return start
  }
  return undefined
}

/** The first day of a later period of the rule, at the same time of day. */
function addPeriods({ frequency, weekStart }: RecurrenceRule, from: WallTime, count: number): WallTime {
  if (count === 0) return from
  const date = new Date(from)
  if (frequency === 'DAILY') return from + count * dayMs
  if (frequency === 'WEEKLY') return from - ((date.getUTCDay() - weekStart + 7) % 7) * dayMs + count * 7 * dayMs
  const months = frequency === 'YEARLY' ? 12 * count : count
  const month = frequency === 'YEARLY' ? 0 : date.getUTCMonth()
  return Date.UTC(date.getUTCFullYear(), month + months, 1) + getTimeOfDay(from)
}

/** Says explicitly what follows from the start, so that the rule stays the same if the series starts elsewhere. */
function completeRule(rule: RecurrenceRule, start: WallTime): RecurrenceRule {
  const date = new Date(start)
  const named = [rule.weeks, rule.yearDays, rule.monthDays, rule.weekdays].some(list => list.length > 0)
  const weekdays = [...new Map(rule.weekdays.map(day => [`${day.nth} ${day.weekday}`, day])).values()]
  if (rule.frequency === 'DAILY' || (named && (rule.weeks.length === 0 || weekdays.length > 0))) {
    return { ...rule, weekdays }
  }
  if (rule.frequency === 'WEEKLY' || rule.weeks.length > 0)
    return { ...rule, weekdays: [{ nth: 0, weekday: date.getUTCDay() }] }
  const months = rule.frequency === 'YEARLY' && rule.months.length === 0 ? [date.getUTCMonth() + 1] : rule.months
  return { ...rule, months, monthDays: [date.getUTCDate()] }
}

/** The end of the last day. A time before that of the start excludes its day. */
function resolveUntil(until: GivenTime | undefined, { start, timezone }: RecurrenceStart): WallTime | undefined {
  if (until === undefined) return undefined
  const wall = toWallTime(until, timezone)
  const isBefore = until.kind !== 'date' && getTimeOfDay(wall) < getTimeOfDay(start)
  return getDay(wall) + (isBefore ? 0 : dayMs) - 1
}

function toWallTime({ wall, kind }: GivenTime, timezone: string): WallTime {
  return kind === 'utc' ? parseWallTime(toLocal(new Date(wall), timezone)) : wall
}

/** The beginning of a day. */
export const getDay = (wall: WallTime) => Math.floor(wall / dayMs) * dayMs
export const getTimeOfDay = (wall: WallTime) => wall - getDay(wall)
const sortTimes = (times: WallTime[]) => [...new Set(times)].sort((one, other) => one - other)
