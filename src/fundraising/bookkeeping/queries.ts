import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { type Bookkeeping, defaultBookkeeping } from './schema.ts'

type StoredBookkeeping = Omit<Bookkeeping, 'version'>

/** Settings that were never changed have the values of SKR 49. */
export async function find(db: Database): Promise<Bookkeeping> {
  const row = await db.maybeOne<{ version: number; settings: Partial<StoredBookkeeping> }>(sql`
    select version, settings from fundraising.bookkeeping where id = 1`)
  return { ...defaultBookkeeping, ...row?.settings, version: row?.version ?? 0 }
}

/** Returns false if a concurrent update came first. */
export async function update(tx: Database, before: number, settings: StoredBookkeeping, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into fundraising.bookkeeping (id, version, updated_at, settings)
    values (1, ${before + 1}, ${now}, ${JSON.stringify(settings)})
    on conflict (id) do update
    set version = excluded.version, updated_at = excluded.updated_at, settings = excluded.settings
    where bookkeeping.version = ${before}`)
  return changed === 1
}
