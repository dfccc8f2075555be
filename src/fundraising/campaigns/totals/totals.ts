import type { Database } from '#platform/database/database.ts'
import * as totals from './queries.ts'

/** So many deltas that were taken leave enough behind in table and index to slow readers down. */
const vacuumThreshold = 500

/** Moves all deltas into the totals; answers how many. Reads are exact without it; it keeps them fast. */
export async function foldTotals(db: Database): Promise<number> {
  let folded = 0
  // What comes in meanwhile is for the next run: on a busy day this one would never end.
  for (const id of await totals.listCampaignsToFold(db)) folded += await totals.fold(db, id)
  return folded
}

/** The same, and tidies up now and then, however few it takes each time. */
export function newFoldJob(): (db: Database) => Promise<void> {
  let leftBehind = 0
  return async db => {
    leftBehind += await foldTotals(db)
    if (leftBehind < vacuumThreshold) return
    leftBehind = 0
    await totals.vacuumDeltas(db)
  }
}
