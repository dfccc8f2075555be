import type { Role } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Key } from './schema.ts'

const columns = sql`
  id, name, role,
  created_at as "createdAt",
  expires_at as "expiresAt",
  last_used_at as "lastUsedAt",
  (
    select json_build_object('id', maker.id, 'name', maker.name)
    from platform.users as maker
    where maker.id = keys.made_by
  ) as "madeBy"`

/** True if a key has, or had, this id. */
export async function hasKey(db: Database, id: number): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select from platform.keys where id = ${id}) as found`
  )
  return found
}

/** Revoked keys, too: what they created stays. */
export async function listNames(db: Database, ids: number[]): Promise<{ id: number; name: string }[]> {
  return await db.all(sql`select id, name from platform.keys where id = any(${ids}::bigint[])`)
}

export async function findUsable(
  db: Database,
  tokenPrefix: string,
  now: Date
): Promise<{ id: number; name: string; role: Role; hash: Buffer; madeBy: number | null } | undefined> {
  return await db.maybeOne(sql`
    select id, name, role, hash, made_by as "madeBy"
    from platform.keys
    where token_prefix = ${tokenPrefix} and revoked_at is null and (expires_at is null or expires_at > ${now})`)
}

export async function list(db: Database): Promise<Key[]> {
  return await db.all(sql`
    select ${columns}
    from platform.keys
    where revoked_at is null
    order by id
    limit 1000`)
}

export async function insert(
  tx: Database,
  key: {
    tokenPrefix: string
    hash: Buffer
    name: string
    role: Role
    createdAt: Date
    expiresAt: string | null
    madeBy: number | null
  }
): Promise<Key> {
  return await tx.one(sql`
    insert into platform.keys (token_prefix, hash, name, role, created_at, expires_at, made_by)
    values (${key.tokenPrefix}, ${key.hash}, ${key.name}, ${key.role}, ${key.createdAt}, ${key.expiresAt}, ${key.madeBy})
    returning ${columns}`)
}

export async function revoke(tx: Database, id: number, now: Date): Promise<Key | undefined> {
  return await tx.maybeOne(sql`
    update platform.keys
    set revoked_at = ${now}
    where id = ${id} and revoked_at is null
    returning ${columns}`)
}

/** Keys of a user that are not revoked, including expired ones. */
export async function lockOfMaker(tx: Database, madeBy: number): Promise<Key[]> {
  return await tx.all(sql`
    select ${columns}
    from platform.keys
    where made_by = ${madeBy} and revoked_at is null
    order by id
    for no key update of keys`)
}

export async function setMaker(tx: Database, id: number, madeBy: number | null): Promise<void> {
  await tx.run(sql`update platform.keys set made_by = ${madeBy} where id = ${id}`)
}

export async function setLastUses(db: Database, uses: [id: number, at: Date][]): Promise<void> {
  await db.run(sql`
    update platform.keys
    set last_used_at = greatest(last_used_at, use.at)
    from unnest(${uses.map(([id]) => id)}::bigint[], ${uses.map(([, at]) => at)}::timestamptz[]) as use (id, at)
    where keys.id = use.id`)
}
