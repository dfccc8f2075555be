import type { Database } from '#platform/database/database.ts'
import { emptySql, sql } from '#platform/database/sql.ts'
import type { BulkAction, BulkValues } from './schema.ts'

/** An event that an action changed, with its versions before and after. */
export interface ChangedEvent {
  id: number
  before: number
  after: number
}

export interface StoredAction {
  id: number
  authorId: number
  at: string
  action: BulkAction
  changes: ChangedEvent[]
  undoneAt: string | null
}

export async function insertAction(
  tx: Database,
  { authorId, at, values, changes }: { authorId: number; at: Date; values: BulkValues; changes: ChangedEvent[] }
): Promise<number> {
  const { ids: _ids, action, ...parameters } = values
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.event_bulk_actions (author_id, at, action, parameters, changes)
    values (${authorId}, ${at}, ${action}, ${JSON.stringify(parameters)}, ${JSON.stringify(changes)})
    returning id`)
  return id
}

/** In a transaction with `isLocked`, which has a second undo wait for the first. */
export async function findAction(
  db: Database,
  id: number,
  { isLocked = false }: { isLocked?: boolean } = {}
): Promise<StoredAction | undefined> {
  return await db.maybeOne(sql`
    select
      id, at, action, changes,
      author_id as "authorId",
      undone_at as "undoneAt"
    from calendar.event_bulk_actions
    where id = ${id}
    ${isLocked ? sql`for update` : emptySql}`)
}

export async function markUndone(tx: Database, id: number, now: Date): Promise<void> {
  await tx.run(sql`update calendar.event_bulk_actions set undone_at = ${now} where id = ${id}`)
}

export async function listVersionNumbers(tx: Database, ids: number[]): Promise<{ id: number; version: number }[]> {
  return await tx.all(sql`select id, version from calendar.events where id = any(${ids}::bigint[])`)
}

const keptDays = 30

export async function deleteOldActions(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptDays * 86_400_000)
  await db.run(sql`delete from calendar.event_bulk_actions where at < ${oldest}`)
}
