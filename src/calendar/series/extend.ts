import { record } from '#platform/activity/activity.ts'
import { newSystemCaller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { listDates } from '../recurrence/recurrence.ts'
import { formatWallTime, parseWallTime } from '../recurrence/wall-time.ts'
import { copyToDates } from './copies.ts'
import * as series from './queries.ts'
import { getHorizon, parseSeries } from './series-state.ts'

const seriesCaller = newSystemCaller('series')

/** Makes the next occurrences of all endless series. Two processes may do so at once: each series is locked. */
export async function extendSeries(db: Database, now: Date, stopping?: AbortSignal): Promise<void> {
  // The time zone of a series is at most a day off.
  const before = formatWallTime(getHorizon(0, 'UTC', now))
  let afterId = 0
  for (;;) {
    const ids = await series.listIdsToExtend(db, before, afterId)
    for (const id of ids) {
      if (stopping?.aborted === true) return
      await db.transaction(async tx => await extendOne(tx, id, before, now))
    }
    const last = ids.at(-1)
    if (last === undefined) return
    afterId = last
  }
}

async function extendOne(tx: Database, id: number, before: string, now: Date): Promise<void> {
  const row = await series.lockToExtend(tx, id, before)
  const templateId = row === undefined ? undefined : await series.findTemplateId(tx, id)
  // A series whose occurrences are all in the trash is over until one of them is restored.
  if (row === undefined || row.madeUntil === null || templateId === undefined) return
  const { recurrence, start, times } = parseSeries(row)
  const horizon = getHorizon(start, times.timezone, now)
  const dates = listDates(recurrence, start, { from: parseWallTime(row.madeUntil) + 1000, to: horizon })
  const copies = await copyToDates(tx, { templateId, seriesId: id, times, now }, dates)
  await series.updateMadeUntil(tx, id, formatWallTime(horizon))
  const [first] = copies
  if (first === undefined) return
  await record(tx, { by: seriesCaller, now }, 'event.created', {
    subject: 'event',
    id: first,
    details: { series: id, occurrences: copies.length }
  })
}
