import type { Activity } from '../activity/schema.ts'
import type { Database } from '../database/database.ts'
import { sql, toLiteral } from '../database/sql.ts'
import { type StreamPosition, startPosition } from './schema.ts'

export interface RecordedActivity extends Activity {
  tx: string
}

/**
 * The oldest running transaction that can still write here. Transactions of other databases of the server cannot. One
 * that has ended since the snapshot was taken is not found in `pg_stat_activity` any more: it counts as our own, and
 * the next read knows better.
 */
const oldestWriter = sql`coalesce(
  (
    select running
    from pg_snapshot_xip(pg_current_snapshot()) as running
    where running::xid not in (
      select backend_xid from pg_catalog.pg_stat_activity where datname <> current_database() and backend_xid is not null
      union all
      select transaction from pg_catalog.pg_prepared_xacts where database <> current_database()
    )
    order by running
    limit 1
  ),
  pg_snapshot_xmax(pg_current_snapshot())
)`

/** Only transactions below the oldest running one: no further row can appear among these. */
const settledCondition = sql`tx > '0' and tx < ${oldestWriter}`

/**
 * Rows after the position, ordered by the column (as text, 10 would sort before 9); undefined if the log does not have
 * the row of the position.
 */
export async function listAfter(
  db: Database,
  position: StreamPosition,
  rows: number
): Promise<RecordedActivity[] | undefined> {
  const { tx, id } = position
  const found = await db.all<RecordedActivity>(sql`
    select
      tx::text, id, at, action, subject, actor, details,
      subject_id as "subjectId",
      request_id as "requestId"
    from platform.activity
    where ${settledCondition} and (tx, id) >= (${tx}::xid8, ${id}::bigint)
    order by activity.tx, activity.id
    limit ${toLiteral(rows + 1)}`)
  if (position.tx === startPosition.tx) return found.slice(0, rows)
  return found[0]?.tx === tx && found[0].id === id ? found.slice(1) : undefined
}

/** The current end of the log. */
export async function findEnd(db: Database): Promise<StreamPosition> {
  const last = await db.maybeOne<StreamPosition>(sql`
    select tx::text, id from platform.activity where ${settledCondition}
    order by activity.tx desc, activity.id desc
    limit 1`)
  return last ?? startPosition
}

/**
 * The age in seconds of the oldest committed row that cannot be read yet, because a transaction that began earlier has
 * not ended; 0 if there is none.
 */
export async function findLagSeconds(db: Database): Promise<number> {
  // The clock of the process that wrote the row may differ, but a row that is held back is never without a lag.
  const { seconds } = await db.one<{ seconds: number }>(sql`
    select coalesce(
      (
        select greatest(0.001, extract(epoch from now() - at))
        from platform.activity
        where tx > '0' and tx >= ${oldestWriter} and tx < pg_snapshot_xmax(pg_current_snapshot())
        order by tx, id
        limit 1
      ),
      0
    )::float8 as seconds`)
  return seconds
}

/** True if the row exists and at most so many rows follow it. */
export async function isNear(db: Database, { tx, id }: StreamPosition, rows: number): Promise<boolean> {
  const { near } = await db.one<{ near: boolean }>(sql`
    select
      (${tx}::xid8 = '0' or exists (
        select 1 from platform.activity where tx > '0' and tx = ${tx}::xid8 and id = ${id}::bigint
      )) and not exists (
        select 1 from platform.activity
        where tx > '0' and (tx, id) > (${tx}::xid8, ${id}::bigint)
        order by tx, id
        offset ${toLiteral(rows)}
        limit 1
      ) as near`)
  return near
}

/**
 * Rows of a restored database may have transaction ids that lie in the future here: set them to 0. Changes at most so
 * many rows, and returns how many.
 */
export async function resetFutureTransactions(db: Database, rows: number): Promise<number> {
  return await db.run(sql`
    update platform.activity set tx = '0'
    where id in (
      select id from platform.activity
      where tx > '0' and tx >= pg_snapshot_xmax(pg_current_snapshot())
      limit ${toLiteral(rows)}
    )`)
}
