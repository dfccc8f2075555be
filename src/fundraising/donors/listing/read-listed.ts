import type { Database } from '#platform/database/database.ts'
import * as donors from './queries.ts'
import type { ListedDonor } from './schema.ts'
import { toListedDonor } from './wire.ts'

/** Donors as lists show them, by id. */
export async function readListedDonors(db: Database, ids: string[]): Promise<Map<string, ListedDonor>> {
  if (ids.length === 0) return new Map()
  const [rows, years] = await Promise.all([donors.listByIds(db, ids), donors.listYears(db, ids)])
  return new Map(rows.map(row => [row.id, toListedDonor(row, years)]))
}
