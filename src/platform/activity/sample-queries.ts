import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { SampleRow } from '../http/service.ts'

export async function insert(tx: Database, kind: string, id: string): Promise<void> {
  await tx.run(sql`insert into platform.samples (kind, id) values (${kind}, ${id}) on conflict do nothing`)
}

export async function remove(tx: Database, kind: string, ids: string[]): Promise<void> {
  await tx.run(sql`delete from platform.samples where kind = ${kind} and id = any(${ids}::text[])`)
}

export async function list(db: Database): Promise<SampleRow[]> {
  return await db.all(sql`select kind, id from platform.samples order by kind, length(id), id`)
}

/** The ids of one kind, in the order in which they were created. */
export async function listIds(db: Database, kind: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    select id from platform.samples where kind = ${kind} order by length(id), id`)
  return rows.map(({ id }) => id)
}

/** Returns those of the given rows that are sample content. */
export async function listAmong(db: Database, things: SampleRow[]): Promise<SampleRow[]> {
  return await db.all(sql`
    select kind, id
    from platform.samples
    where (kind, id) in (
      select kind, id
      from unnest(${things.map(({ kind }) => kind)}::text[], ${things.map(({ id }) => id)}::text[]) as wanted (kind, id)
    )`)
}
