import type { Database } from '#platform/database/database.ts'
import { readListedDonors } from '../listing/read-listed.ts'
import type { DuplicatePair } from './queries.ts'
import type { Duplicate } from './schema.ts'

/** Both donors of each pair. */
export async function readDuplicates(db: Database, pairs: DuplicatePair[]): Promise<Duplicate[]> {
  const known = await readListedDonors(db, [...new Set(pairs.flatMap(({ oneId, otherId }) => [oneId, otherId]))])
  return pairs.flatMap(({ oneId, otherId, reasons }) => {
    const [donor, other] = [known.get(oneId), known.get(otherId)]
    return donor === undefined || other === undefined ? [] : [{ donor, other, reasons }]
  })
}
