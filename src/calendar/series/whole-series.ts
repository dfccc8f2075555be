import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { DateTimeText } from '../contract/date-params.ts'
import { newInvalidParamProblem, newSeriesNotFoundProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { prepareUpdate } from '../events/event.ts'
import type { EventChanges } from '../events/schema.ts'
import type { SeriesUpdate } from '../events/series-actions.ts'
import { formatWallTime, parseWallTime } from '../recurrence/wall-time.ts'
import { parseDateTime } from '../time/natural-dates.ts'
import type { LocalDateTime } from '../time/time.ts'
import type { OccurrenceRow, SeriesRow } from './queries.ts'
import * as series from './queries.ts'
import { removeConcerned } from './removal.ts'
import { lockSeries, updateOccurrences } from './series.ts'

/** Changes a series: the same as changing all of its occurrences. Its dates are those of its first one. */
export async function updateWholeSeries(
  db: Database,
  context: WriteContext,
  id: number,
  update: Omit<SeriesUpdate, 'apply'>
): Promise<void> {
  const templateId = await series.findTemplateId(db, id)
  if (templateId === undefined) throw newSeriesNotFoundProblem(id)
  const imageId = await prepareUpdate(db, context, templateId, { ...update, expected: undefined })
  await db.transaction(async tx => {
    const { row, all } = await lockSeries(tx, id)
    requireVersion(update.expected, row.version)
    const template = all.find(one => one.id === templateId)
    if (template === undefined) throw newSeriesNotFoundProblem(id)
    const changes = moveToOccurrence(context, update.changes, row, template)
    const whole = { ...update, changes, expected: undefined, apply: 'all' as const, imageId, isOfSeries: true }
    await updateOccurrences(tx, context, { row, all, id: templateId }, whole)
  })
}

/** Start and end of the series as the start and end of one occurrence. */
function moveToOccurrence(
  context: WriteContext,
  changes: EventChanges,
  row: SeriesRow,
  occurrence: OccurrenceRow
): EventChanges {
  const move = (
    name: 'start_date' | 'end_date',
    given: DateTimeText | undefined,
    from: LocalDateTime,
    to: LocalDateTime
  ) => {
    if (given === undefined) return {}
    const moment = parseDateTime(given, changes.timezone ?? row.timezone, context.now)
    if (moment === undefined) {
      throw newInvalidParamProblem(name, 'date', buildText('series-problems', 'date'))
    }
    const difference = parseWallTime(moment.local) - parseWallTime(from)
    return { [name]: formatWallTime(parseWallTime(to) + difference) }
  }
  return {
    ...changes,
    ...move('start_date', changes.start_date, row.start, occurrence.start),
    ...move('end_date', changes.end_date, row.end, occurrence.end)
  }
}

/** Moves all occurrences of a series to the trash, or deletes them permanently. */
export async function removeWholeSeries(
  db: Database,
  context: WriteContext,
  id: number,
  { force, expected }: { force: boolean; expected: IfMatch }
): Promise<void> {
  await db.transaction(async tx => {
    const locked = await lockSeries(tx, id)
    requireVersion(expected, locked.row.version)
    const event = locked.all.find(one => one.status !== 'trash')
    if (event === undefined) throw newSeriesNotFoundProblem(id)
    await removeConcerned(tx, context, { ...locked, id: event.id }, { apply: 'all', force })
  })
}
