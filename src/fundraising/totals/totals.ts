import type { Database } from '#platform/database.ts'
import * as totals from './queries.ts'

/** So many deltas taken at once leave enough behind in table and index to slow readers down. */
const worthTidying = 500

/** Moves all deltas into the totals. Reads are exact without it; it keeps them fast. */
export async function foldTotals(db: Database): Promise<void> {
  let folded = 0
  // What comes in meanwhile is for the next run: on a busy day this one would never end.
  for (const id of await totals.listCampaignsToFold(db)) folded += await totals.fold(db, id)
  if (folded >= worthTidying) await totals.tidyUp(db)
}
