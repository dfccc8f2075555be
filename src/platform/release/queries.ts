import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export async function rememberNewest(db: Database, version: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into platform.observations (name, seen_at, details) values ('newest-release', ${now}, ${version})
    on conflict (name) do update set seen_at = excluded.seen_at, details = excluded.details`)
}

export async function findNewest(db: Database): Promise<{ version: string; checkedAt: string } | undefined> {
  return await db.maybeOne(sql`
    select details as version, seen_at as "checkedAt" from platform.observations where name = 'newest-release'`)
}
