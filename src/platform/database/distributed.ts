import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** Whether Citus distributes tables of this database (deploy/citus.sql), as a column or condition of a statement. */
export const isDistributedSql = sql`to_regclass('pg_dist_partition') is not null`

/** The same, for work that needs other statements there. */
export async function isDistributed(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`select ${isDistributedSql} as found`)
  return found
}
