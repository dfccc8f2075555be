import { buildText } from '#platform/messages/messages.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { RecurrenceInput } from '../recurrence/input.ts'
import { dayMs } from '../recurrence/occurrences.ts'
import {
  findFirstDate,
  findStartWith,
  getDay,
  getTimeOfDay,
  listRuleDates,
  type Recurrence,
  requireStartInRule,
  resolveRecurrence
} from '../recurrence/recurrence.ts'
import type { RecurrenceRule } from '../recurrence/rule.ts'
import type { WallTime } from '../recurrence/wall-time.ts'
import type { SeriesState } from './series-state.ts'

/** The times of an occurrence before or after a change. */
export interface OccurrenceTimes {
  start: WallTime
  end: WallTime
  allDay: boolean
  timezone: string
}

/** A change of one occurrence that all of its series follow. */
export interface SeriesChange {
  /** Its date by the present rule. */
  date: WallTime
  before: OccurrenceTimes
  after: OccurrenceTimes
  recurrence: RecurrenceInput | undefined
  /** No occurrence precedes it, so that the series begins with it. */
  isFirst: boolean
  /** The recurrence was given for the series, not for this occurrence: its first date may follow later. */
  isOfSeries: boolean
}

/** The series after a change, and the new date of each former one. */
export interface SeriesPlan {
  state: SeriesState
  mapDate(date: WallTime): WallTime
}

/** Applies the difference that a change made to one occurrence to the whole series. */
export function planChange(state: SeriesState, change: SeriesChange): SeriesPlan {
  const { before, after } = change
  const times = getTimes(state, change)
  const timeOfDay = getNewTimeOfDay(state, change)
  const shiftMs = getDay(after.start) - getDay(before.start)
  const move = (date: WallTime) => getDay(date) + shiftMs + timeOfDay
  const date = move(change.date)
  if (change.recurrence !== undefined && change.isOfSeries) {
    const recurrence = resolveRecurrence(change.recurrence, { start: move(state.start), timezone: times.timezone })
    return { state: { recurrence, start: findFirstDate(recurrence.rule, move(state.start)), times }, mapDate: move }
  }
  if (change.recurrence !== undefined) {
    const recurrence = resolveRecurrence(change.recurrence, { start: date, timezone: times.timezone })
    const from = change.isFirst ? date : Math.min(move(state.start), date)
    const start = findStartWith(recurrence.rule, from, date)
    if (start === undefined || change.isFirst || recurrence.except.includes(date)) {
      requireStartInRule({ ...recurrence, also: [] }, date)
    }
    return { state: { recurrence, start: start ?? date, times }, mapDate: move }
  }
  if (shiftMs === 0)
    return { state: { recurrence: moveDates(state.recurrence, move), start: move(state.start), times }, mapDate: move }
  const { frequency } = state.recurrence.rule
  if (frequency === 'DAILY' || frequency === 'WEEKLY') {
    const rule = shiftRule(state.recurrence.rule, shiftMs / dayMs)
    const recurrence = { ...moveDates(state.recurrence, move), rule }
    return { state: { recurrence, start: move(state.start), times }, mapDate: move }
  }
  return planMonthly(state, { date, times, timeOfDay, oldDate: change.date, move })
}

function getTimes({ times }: SeriesState, { before, after }: SeriesChange): SeriesState['times'] {
  const isToggled = before.allDay !== after.allDay
  const durationMs = isToggled
    ? after.end - after.start
    : times.durationMs + (after.end - after.start) - (before.end - before.start)
  return { durationMs: Math.max(durationMs, 0), allDay: after.allDay, timezone: after.timezone }
}

function getNewTimeOfDay({ start }: SeriesState, { before, after }: SeriesChange): number {
  if (before.allDay !== after.allDay) return getTimeOfDay(after.start)
  return (getTimeOfDay(start) + getTimeOfDay(after.start) - getTimeOfDay(before.start) + dayMs) % dayMs
}

const moveDates = ({ rule, except, also }: Recurrence, move: (date: WallTime) => WallTime): Recurrence => ({
  rule,
  except: except.map(move),
  also: also.map(move)
})

/** Weekdays and the first day of the week move along, so that every date of the rule moves by these days. */
function shiftRule(rule: RecurrenceRule, days: number): RecurrenceRule {
  if (rule.months.length > 0 || rule.monthDays.length > 0 || rule.positions.length > 0) throw newUnclearShiftProblem()
  const shift = (weekday: number) => (((weekday + days) % 7) + 7) % 7
  return {
    ...rule,
    weekdays: rule.weekdays.map(({ nth, weekday }) => ({ nth, weekday: shift(weekday) })),
    weekStart: rule.interval > 1 && rule.weekdays.length > 1 ? shift(rule.weekStart) : rule.weekStart,
    until: rule.until === undefined ? undefined : rule.until + days * dayMs
  }
}

/** In months and years, the day within the month changes: the third Tuesday becomes the third Wednesday. */
function planMonthly(
  state: SeriesState,
  moved: {
    date: WallTime
    oldDate: WallTime
    times: SeriesState['times']
    timeOfDay: number
    move(date: WallTime): WallTime
  }
): SeriesPlan {
  const { rule } = state.recurrence
  if (getMonthBegin(moved.date) !== getMonthBegin(moved.oldDate)) throw newUnclearShiftProblem()
  const next = { ...moveWithinMonth(rule, new Date(moved.date)), until: undefined }
  const start = findStartWith(next, getMonthBegin(state.start) + moved.timeOfDay, moved.date)
  if (start === undefined) throw newUnclearShiftProblem()
  const mapDate = (date: WallTime) => findInMonth(next, getMonthBegin(date) + moved.timeOfDay) ?? moved.move(date)
  const lastDate = rule.until === undefined ? undefined : listRuleDates(rule, state.start, rule.until).at(-1)
  const recurrence = {
    rule: { ...next, until: lastDate === undefined ? undefined : getMonthEnd(lastDate) },
    except: state.recurrence.except.map(mapDate),
    also: state.recurrence.also.map(moved.move)
  }
  return { state: { recurrence, start, times: moved.times }, mapDate }
}

/** The only date of the rule in a month, if it has one. */
function findInMonth(rule: RecurrenceRule, begin: WallTime): WallTime | undefined {
  const monthly = { ...rule, interval: 1, until: undefined, count: undefined }
  const [, found] = listRuleDates(monthly, begin - dayMs, getMonthEnd(begin))
  return found
}

/** A rule about one day of each month that has the day. */
function moveWithinMonth(rule: RecurrenceRule, day: Date): RecurrenceRule {
  const isSimple = rule.positions.length === 0 && rule.weeks.length === 0 && rule.yearDays.length === 0
  const isOneMonth = rule.frequency === 'YEARLY' ? rule.months.length === 1 : rule.months.length === 0
  const [weekday, ...otherWeekdays] = rule.weekdays
  const [monthDay, ...otherDays] = rule.monthDays
  if (!isSimple || !isOneMonth || otherWeekdays.length > 0 || otherDays.length > 0) throw newUnclearShiftProblem()
  const number = day.getUTCDate()
  if (weekday === undefined) {
    if (monthDay === undefined || monthDay < 0) throw newUnclearShiftProblem()
    return { ...rule, monthDays: [number] }
  }
  if (weekday.nth === 0) throw newUnclearShiftProblem()
  const days = new Date(getMonthEnd(day.getTime())).getUTCDate()
  const nth = weekday.nth > 0 ? Math.ceil(number / 7) : -Math.ceil((days - number + 1) / 7)
  return { ...rule, weekdays: [{ nth, weekday: day.getUTCDay() }] }
}

function getMonthBegin(wall: WallTime): WallTime {
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function getMonthEnd(wall: WallTime): WallTime {
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - 1
}

const newUnclearShiftProblem = () =>
  newInvalidParamProblem('start_date', 'not-in-rule', buildText('series-problems', 'unclearShift'))
