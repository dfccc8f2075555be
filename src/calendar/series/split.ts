import type { Database } from '#platform/database/database.ts'
import { dayMs } from '../recurrence/occurrences.ts'
import { getDay, listRuleDates, type Recurrence } from '../recurrence/recurrence.ts'
import type { RecurrenceRule } from '../recurrence/rule.ts'
import { parseWallTime, type WallTime } from '../recurrence/wall-time.ts'
import { moveToSeries } from './occurrence-queries.ts'
import type { OccurrenceRow, SeriesDefinition, SeriesRow } from './queries.ts'
import * as series from './queries.ts'
import { parseSeries, type SeriesState, toDefinition } from './series-state.ts'

/** Ends a series before an occurrence; a new series has that one and the later ones. Returns the new series. */
export async function splitSeries(
  tx: Database,
  { row, all }: { row: SeriesRow; all: OccurrenceRow[] },
  event: OccurrenceRow,
  now: Date
): Promise<SeriesRow> {
  const later = buildLaterPart(row, event.date)
  await endSeries(tx, row, event.date, now)
  const id = await series.insert(tx, { ...later, authorId: row.authorId }, now)
  const ids = all.filter(one => one.date >= event.date).map(one => one.id)
  await moveToSeries(tx, ids, id)
  const made = await series.lock(tx, id)
  if (made === undefined) throw new Error(`Series ${id} was inserted, but is not there.`)
  return made
}

/** Ends the rule before a date. */
export async function endSeries(tx: Database, row: SeriesRow, date: string, now: Date): Promise<void> {
  const state = parseSeries(row)
  const end = parseWallTime(date)
  const isEarlier = (wall: WallTime) => wall < end
  const recurrence = {
    rule: { ...state.recurrence.rule, count: undefined, until: getDay(end) - 1 },
    except: state.recurrence.except.filter(isEarlier),
    also: state.recurrence.also.filter(isEarlier)
  }
  await series.update(tx, row.id, toDefinition({ ...state, recurrence }, end), now)
}

function buildLaterPart(row: SeriesRow, date: string): SeriesDefinition {
  const from = parseWallTime(date)
  const horizon = row.madeUntil === null ? from : parseWallTime(row.madeUntil)
  return toDefinition(buildLaterState(parseSeries(row), from), horizon)
}

/** The series from one of its dates on. */
export function buildLaterState(state: SeriesState, from: WallTime): SeriesState {
  const isLater = (wall: WallTime) => wall >= from
  const { rule, start } = buildLaterRule(state, from)
  const recurrence: Recurrence = {
    rule,
    except: state.recurrence.except.filter(isLater),
    also: state.recurrence.also.filter(wall => isLater(wall) && wall !== start)
  }
  return { ...state, recurrence, start }
}

/** The rule from its first date at or after a time on. Where only further dates are left, it is that one date. */
function buildLaterRule({ recurrence, start }: SeriesState, from: WallTime): { rule: RecurrenceRule; start: WallTime } {
  const { rule } = recurrence
  const dates = listRuleDates(rule, start, from + lookAheadMs)
  const first = dates.find(wall => wall >= from)
  if (first === undefined) {
    const once = { months: [], weeks: [], yearDays: [], monthDays: [], weekdays: [], positions: [] }
    return { rule: { ...rule, ...once, frequency: 'DAILY', interval: 1, count: 1, until: undefined }, start: from }
  }
  const earlier = dates.filter(wall => wall < from).length
  return { rule: rule.count === undefined ? rule : { ...rule, count: rule.count - earlier }, start: first }
}

/** The next date of a rule may be years ahead, as of 29 February. */
const lookAheadMs = 9 * 366 * dayMs
