import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { newAlreadyTrashedProblem, newForbiddenProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { lockToEdit } from '../events/event.ts'
import { deleteEmptySeries } from '../events/queries.ts'
import type { SeriesRemoval } from '../events/series-actions.ts'
import { canEdit } from '../permissions/permissions.ts'
import * as occurrences from './occurrence-queries.ts'
import * as series from './queries.ts'
import { type LockedSeries, lockSeries, newNoSeriesProblem, selectConcerned } from './series.ts'
import { endSeries } from './split.ts'
import { withTermCounts } from './term-counts.ts'

/** Moves this occurrence and the following ones, or all of them, to the trash, or deletes them permanently. */
export async function removeOccurrences(
  db: Database,
  context: WriteContext,
  id: number,
  { apply, force, expected }: SeriesRemoval
): Promise<void> {
  await db.transaction(async tx => {
    const seriesId = await series.findSeriesId(tx, id)
    const locked = seriesId === undefined ? undefined : await lockSeries(tx, seriesId)
    await lockToEdit(tx, context, id, expected)
    if (locked === undefined) throw newNoSeriesProblem()
    await removeConcerned(tx, context, { ...locked, id }, { apply, force })
  })
}

export async function removeConcerned(
  tx: Database,
  context: WriteContext,
  locked: LockedSeries & { id: number },
  { apply, force }: Pick<SeriesRemoval, 'apply' | 'force'>
): Promise<void> {
  const { caller, now } = context
  const { event, others, isFirst } = selectConcerned(locked, context, apply)
  if (!force && event.status === 'trash') throw newAlreadyTrashedProblem('event')
  const trashed = locked.all.filter(
    one => force && one.status === 'trash' && one.id !== event.id && (apply === 'all' || one.date > event.date)
  )
  if (!trashed.every(one => canEdit(caller, one))) throw newForbiddenProblem()
  const ids = [event, ...others, ...trashed].map(one => one.id)
  // The rule ends, so that no occurrence is made again; a series without any occurrence is not extended.
  if (apply === 'following' && !isFirst) await endSeries(tx, locked.row, event.date, now)
  else await series.updateVersion(tx, locked.row.id, now)
  await withTermCounts(tx, ids, async () => {
    if (force) await occurrences.removeAll(tx, ids)
    else await occurrences.trash(tx, ids, now)
  })
  if (force) await deleteEmptySeries(tx, locked.row.id)
  await record(tx, { by: caller, now }, force ? 'event.deleted' : 'event.trashed', {
    subject: 'event',
    id: event.id,
    details: { series: locked.row.id, occurrences: ids.length },
    ...(force ? { endsSample: true } : {})
  })
}
