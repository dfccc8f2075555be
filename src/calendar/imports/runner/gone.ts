import type { Database } from '#platform/database/database.ts'
import type { ImportRow } from '../schema.ts'
import { saveReport } from './batch.ts'
import { listGoneEvents, savePlace } from './gone-queries.ts'
import type { ImportRun } from './import-run.ts'
import { reasons } from './reasons.ts'

/** Rows per transaction. */
const rowsMax = 500

/**
 * Reports the upcoming events of earlier imports from the same place that this import did not find; they stay. Then
 * stores the place of everything that it found.
 */
export async function reportGoneEvents(
  db: Database,
  run: ImportRun,
  { place, publicOnly }: { place: string; publicOnly: boolean },
  now: Date
): Promise<void> {
  for (let reported = rowsMax; reported === rowsMax; ) {
    const gone = await listGoneEvents(db, run, { place, publicOnly, now, most: rowsMax })
    const rows = gone.map(
      (event, index): ImportRow => ({
        ...event,
        position: run.position + index + 1,
        outcome: 'gone',
        reasons: [reasons.gone()],
        differences: []
      })
    )
    if (rows.length > 0) await db.transaction(async tx => await saveReport(tx, run, rows))
    run.position += rows.length
    reported = rows.length
  }
  if (!run.dryRun) await savePlace(db, run, place)
}
