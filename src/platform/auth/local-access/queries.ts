import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * True if credentials have ever existed. Removed users and revoked keys keep their rows, so it never becomes false
 * again.
 */
export async function hasHadCredentials(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select from platform.keys) or exists (select from platform.users)
      or exists (select from platform.observations where name = 'admin-key') as found`)
  return found
}

/** ADMIN_KEY is in no table: this stores that there was one, for a later start without it. */
export async function rememberAdminKey(db: Database, now: Date): Promise<void> {
  await db.run(sql`
    insert into platform.observations (name, seen_at) values ('admin-key', ${now}) on conflict (name) do nothing`)
}

export async function rememberProxy(db: Database, sign: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into platform.observations (name, seen_at, details) values ('untrusted-proxy', ${now}, ${sign})
    on conflict (name) do update set seen_at = excluded.seen_at, details = excluded.details`)
}

export async function findProxySince(
  db: Database,
  oldest: Date
): Promise<{ seenAt: string; sign: string } | undefined> {
  return await db.maybeOne<{ seenAt: string; sign: string }>(sql`
    select seen_at as "seenAt", details as sign from platform.observations
    where name = 'untrusted-proxy' and seen_at >= ${oldest}`)
}
