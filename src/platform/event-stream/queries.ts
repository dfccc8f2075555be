import type { Activity } from '../activity/schema.ts'
import type { Database } from '../database/database.ts'
import { sql, toLiteral } from '../database/sql.ts'
import { type StreamPosition, startPosition } from './schema.ts'

export interface RecordedActivity extends Activity {
  tx: string
}

/** Below it no transaction runs any more: what is recorded there is all there, for good. */
const settledCondition = sql`tx > '0' and tx < pg_snapshot_xmin(pg_current_snapshot())`

/**
 * What is recorded behind a position, in order (that of the column: its text in the answer would come as 10 before 9);
 * undefined where the record does not have that row.
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

/** Where the record ends now. */
export async function findEnd(db: Database): Promise<StreamPosition> {
  const last = await db.maybeOne<StreamPosition>(sql`
    select tx::text, id from platform.activity where ${settledCondition}
    order by activity.tx desc, activity.id desc
    limit 1`)
  return last ?? startPosition
}

/** Is there such a row, with no more than so many behind it? */
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
 * Rows of a restored database may carry numbers of transactions that are still to come here: they count as old. Answers
 * how many were changed, at most so many at a time.
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
