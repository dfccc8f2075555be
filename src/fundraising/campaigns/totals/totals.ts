import type { Database } from '#platform/database/database.ts'
import * as totals from './queries.ts'

/** This many folded deltas leave enough dead rows in table and index to slow down reads. */
const vacuumThreshold = 500

/** Folds all deltas into the totals; returns how many. Reads are exact without it; folding keeps them fast. */
export async function foldTotals(db: Database): Promise<number> {
  let folded = 0
  // Deltas that arrive during the run wait for the next one; on a busy day this loop would never end.
  for (const id of await totals.listCampaignsToFold(db)) folded += await totals.fold(db, id)
  return folded
}

/** Folds the totals, and vacuums once enough deltas have been folded over several runs. */
export function newFoldJob(): (db: Database) => Promise<void> {
  let leftBehind = 0
  return async db => {
    leftBehind += await foldTotals(db)
    if (leftBehind < vacuumThreshold) return
    leftBehind = 0
    await totals.vacuumDeltas(db)
  }
}
