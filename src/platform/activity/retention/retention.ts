import { newSystemCaller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { record } from '../activity.ts'
import { tryLock } from '../chain/queries.ts'
import * as activity from './queries.ts'

/** Few enough for one short transaction. */
const batchRows = 5000
const retentionCaller = newSystemCaller('retention')

/**
 * Deletes records from before the retention period (`ACTIVITY_YEARS`), oldest first, and only those in the hash chain.
 * The last deleted link stays as the beginning of the chain, and a record names it, so that `doctor` can tell this from
 * a manipulation.
 */
export async function deleteOldActivity(
  db: Database,
  { activityYears }: Pick<Settings, 'activityYears'>,
  now: Date,
  stopping?: AbortSignal
): Promise<void> {
  if (activityYears === undefined) return
  const oldest = new Date(now)
  oldest.setUTCFullYear(now.getUTCFullYear() - activityYears)
  while (stopping?.aborted !== true && (await deleteBatch(db, oldest, now)) === batchRows);
}

async function deleteBatch(db: Database, oldest: Date, now: Date): Promise<number> {
  return await db.transaction(async tx => {
    if (!(await tryLock(tx))) return 0
    const links = await activity.listOldestLinks(tx, batchRows)
    const firstKept = links.findIndex(({ at }) => at !== null && Date.parse(at) >= oldest.getTime())
    const expired = firstKept === -1 ? links : links.slice(0, firstKept)
    const last = expired.at(-1)
    const present = expired.filter(({ at }) => at !== null)
    if (last === undefined || present.length === 0) return 0
    const ids = present.map(({ activityId }) => activityId)
    await activity.remove(tx, ids, last.position)
    const details = { count: ids.length, position: last.position, hash: last.hash }
    await record(tx, { by: retentionCaller, now }, 'activity.deleted', {
      subject: 'activity',
      id: last.position,
      details
    })
    return links.length
  })
}
