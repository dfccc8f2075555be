import type { Database } from '#platform/database/database.ts'
import { isDistributed } from '#platform/database/distributed.ts'
import * as totals from './queries.ts'

/** This many folded deltas leave enough dead rows in table and index to slow down reads. */
const vacuumThreshold = 500

/** Folds all deltas into the totals; returns how many. Reads are exact without it; folding keeps them fast. */
export async function foldTotals(db: Database): Promise<number> {
  if (!(await isDistributed(db))) return await foldUntilFew(() => totals.fold(db))
  // Citus refuses to fold all campaigns by one statement.
  let folded = 0
  for (const id of await totals.listCampaignsToFold(db)) {
    folded += await foldUntilFew(() => totals.foldCampaign(db, id))
  }
  return folded
}

async function foldUntilFew(fold: () => Promise<number>): Promise<number> {
  let folded = 0
  for (;;) {
    const some = await fold()
    folded += some
    // Deltas that arrived meanwhile wait for the next run.
    if (some < totals.deltasAtOnce) return folded
  }
}

/** Folds the totals, and vacuums once enough deltas have been folded over several runs. */
export function newFoldJob(): (db: Database) => Promise<void> {
  let deadRows = 0
  return async db => {
    deadRows += await foldTotals(db)
    if (deadRows < vacuumThreshold) return
    deadRows = 0
    await totals.vacuumDeltas(db)
  }
}
