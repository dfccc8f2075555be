import type { Database } from '#platform/database.ts'
import * as totals from './queries.ts'

/** Moves all deltas into the totals. Reads are exact without it; it keeps them fast. */
export async function foldTotals(db: Database): Promise<void> {
  for (;;) {
    const campaigns = await totals.listCampaignsToFold(db)
    let folded = 0
    for (const id of campaigns) folded += await totals.fold(db, id)
    if (folded === 0) return
  }
}
