import type { Change, Database } from '../database/database.ts'
import { sql, toLiteral } from '../database/sql.ts'

/** How far the activity log was read: a snapshot of the database. */
export interface ChangeSnapshot {
  snapshot: string
  /** No transaction below it is still running; it never decreases, unless the database is replaced by another. */
  oldest: string
  migrations: number
  changes: Change[]
}

/**
 * Changes that have committed since a snapshot, whenever their transaction began. Rows of a restored database may have
 * transaction ids that are still in the future here: those count as old.
 */
export async function listSince(db: Database, snapshot: string, rows: number): Promise<ChangeSnapshot> {
  return await db.one(sql`
    select
      pg_current_snapshot()::text as snapshot,
      pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
      (select count(*) from platform.migrations) as migrations,
      (
        select coalesce(jsonb_agg(change), '[]')
        from (
          select action, subject, subject_id as "subjectId", details
          from platform.activity
          where tx > '0' and tx >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
            and tx < pg_snapshot_xmax(pg_current_snapshot())
            and not pg_visible_in_snapshot(tx, ${snapshot}::pg_snapshot)
          limit ${toLiteral(rows)}
        ) as change
      ) as changes`)
}

/** Starting point for a reader without a snapshot. */
export async function findSnapshot(db: Database): Promise<ChangeSnapshot> {
  return await db.one(sql`
    select
      pg_current_snapshot()::text as snapshot,
      pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
      (select count(*) from platform.migrations) as migrations,
      '[]'::jsonb as changes`)
}
