import type { Database } from '#platform/database/database.ts'
import { formatWallTime, parseWallTime, type WallTime } from '../recurrence/wall-time.ts'
import { copyToDates } from './copies.ts'
import * as occurrences from './occurrence-queries.ts'
import { toOccurrenceSchedule } from './occurrence-schedule.ts'
import type { SeriesPlan } from './plan.ts'
import type { OccurrenceRow, SeriesRow } from './queries.ts'
import * as series from './queries.ts'
import { getHorizon, isAfter, listDatesToMake, toDefinition } from './series-state.ts'
import { withTermCounts } from './term-counts.ts'

const timeFields = ['start_date', 'end_date', 'all_day', 'timezone']

export interface Rescheduling {
  row: SeriesRow
  all: OccurrenceRow[]
  /** An occurrence that already has its new times. */
  id?: number
  plan: SeriesPlan
}

/**
 * Moves the occurrences of a series to their new dates, makes those that are missing, and moves those that the rule has
 * no longer to the trash. The past stays: no occurrence is made or removed there.
 */
export async function reschedule(tx: Database, { row, all, id, plan }: Rescheduling, now: Date): Promise<void> {
  const { state } = plan
  const { times } = state
  const dates = new Set(listDatesToMake(state, { now, isNew: false }))
  const placed = placeOccurrences(all, plan, dates, now)
  const schedules = placed.kept
    .filter(({ occurrence }) => occurrence.id !== id && !timeFields.some(field => occurrence.changes.includes(field)))
    .map(({ occurrence, date }) => ({
      id: occurrence.id,
      date: formatWallTime(date),
      schedule: toOccurrenceSchedule(date, times)
    }))
  const superfluous = placed.superfluous.map(one => one.id)
  const templateId = (await series.findTemplateId(tx, row.id)) ?? id
  // Their dates may come back with another rule, which then makes them anew.
  await occurrences.detach(tx, superfluous)
  await occurrences.updateDates(
    tx,
    placed.kept.map(({ occurrence, date }) => ({ id: occurrence.id, date: formatWallTime(date) }))
  )
  await occurrences.updateSchedules(tx, schedules, now)
  await series.update(tx, row.id, toDefinition(state, getHorizon(state.start, times.timezone, now)), now)
  const taken = new Set(placed.kept.map(({ date }) => date))
  const missing = [...dates].filter(date => !taken.has(date) && isAfter(date, times.timezone, now))
  if (templateId !== undefined) await copyToDates(tx, { templateId, seriesId: row.id, times, now }, missing)
  await withTermCounts(tx, superfluous, async () => await occurrences.trash(tx, superfluous, now))
}

/** Which occurrences stay, on which date, and which the rule has no longer. */
function placeOccurrences(
  all: OccurrenceRow[],
  { state, mapDate }: SeriesPlan,
  dates: Set<WallTime>,
  now: Date
): { kept: { occurrence: OccurrenceRow; date: WallTime }[]; superfluous: OccurrenceRow[] } {
  const kept: { occurrence: OccurrenceRow; date: WallTime }[] = []
  const superfluous: OccurrenceRow[] = []
  const taken = new Set<WallTime>()
  for (const occurrence of all) {
    const date = mapDate(parseWallTime(occurrence.date))
    const isPast = !isAfter(date, state.times.timezone, now)
    if (taken.has(date) || !(dates.has(date) || isPast)) superfluous.push(occurrence)
    else {
      taken.add(date)
      kept.push({ occurrence, date })
    }
  }
  return { kept, superfluous }
}
