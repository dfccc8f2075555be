import { buildText } from '#platform/messages/messages.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { occurrencesMax } from '../recurrence/input.ts'
import { isEndless, listDates, parseStoredRule, type Recurrence } from '../recurrence/recurrence.ts'
import { formatRule } from '../recurrence/rule.ts'
import { formatWallTime, parseWallTime, type WallTime } from '../recurrence/wall-time.ts'
import { toInstant, toLocal } from '../time/time.ts'
import type { SeriesTimes } from './occurrence-schedule.ts'
import type { SeriesDefinition } from './queries.ts'

/** How far ahead the occurrences of an endless rule are made. */
const monthsAhead = 24

/** A series as it is calculated with. */
export interface SeriesState {
  recurrence: Recurrence
  /** The first date of the rule. */
  start: WallTime
  times: SeriesTimes
}

export function parseSeries(row: Omit<SeriesDefinition, 'madeUntil'>): SeriesState {
  const [start, end] = [parseWallTime(row.start), parseWallTime(row.end)]
  return {
    recurrence: {
      rule: parseStoredRule(row.rule),
      also: row.also.map(parseWallTime),
      except: row.except.map(parseWallTime)
    },
    start,
    times: { durationMs: end - start, allDay: row.allDay, timezone: row.timezone }
  }
}

/** The columns of a series; endless ones are made up to a horizon. */
export function toDefinition({ recurrence, start, times }: SeriesState, horizon: WallTime): SeriesDefinition {
  return {
    rule: formatRule(recurrence.rule),
    start: formatWallTime(start),
    end: formatWallTime(start + times.durationMs),
    allDay: times.allDay,
    timezone: times.timezone,
    also: recurrence.also.map(formatWallTime),
    except: recurrence.except.map(formatWallTime),
    madeUntil: isEndless(recurrence.rule) ? formatWallTime(horizon) : null
  }
}

/** Two years ahead, or after the start of a series that begins later. */
export function getHorizon(start: WallTime, timezone: string, now: Date): WallTime {
  const from = new Date(Math.max(start, parseWallTime(toLocal(now, timezone))))
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + monthsAhead, from.getUTCDate(), 23, 59, 59)
}

/** The dates that have occurrences: all of a rule that ends, those up to the horizon of an endless one. */
export function listDatesToMake(
  { recurrence, start, times }: SeriesState,
  { now, isNew }: { now: Date; isNew: boolean }
): WallTime[] {
  const to = isEndless(recurrence.rule) ? { to: getHorizon(start, times.timezone, now) } : {}
  // The past of a series that exists stays as it is, however long it is.
  const from = isNew ? start : Math.max(start, parseWallTime(toLocal(now, times.timezone)))
  const dates = listDates(recurrence, start, { from, ...to })
  if (dates.length > occurrencesMax) throw newTooManyProblem(recurrence)
  return isNew ? dates : listDates(recurrence, start, { ...to, most: Number.POSITIVE_INFINITY })
}

function newTooManyProblem({ rule }: Recurrence) {
  const member =
    rule.count !== undefined ? 'recurrence.count' : rule.until !== undefined ? 'recurrence.until' : 'recurrence'
  return newInvalidParamProblem(member, 'too-many', buildText('series-problems', 'tooMany', { occurrencesMax }))
}

export const isAfter = (date: WallTime, timezone: string, now: Date) => toInstant(formatWallTime(date), timezone) > now
