import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Language } from '../../language.ts'
import type { User, UserRole } from './schema.ts'

/** A user as in responses, and the version for conditional requests. */
export interface UserRow extends User {
  version: number
}

const columns = sql`
  id, version, name, email, role, language,
  created_at as "createdAt",
  last_seen_at as "lastSeenAt"`

/** True if there has ever been a user. */
export async function hasUsers(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`select exists (select from platform.users) as found`)
  return found
}

/** True if a user has, or had, this id. */
export async function hasUser(db: Database, id: number): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select from platform.users where id = ${id}) as found`
  )
  return found
}

export async function listNames(db: Database, ids: number[]): Promise<{ id: number; name: string }[]> {
  return await db.all(sql`
    select id, name from platform.users where id = any(${ids}::bigint[]) and removed_at is null`)
}

export async function list(db: Database): Promise<UserRow[]> {
  return await db.all(sql`
    select ${columns}
    from platform.users
    where removed_at is null
    order by id
    limit 1000`)
}

export async function find(db: Database, id: number): Promise<UserRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from platform.users
    where id = ${id} and removed_at is null`)
}

export async function lock(tx: Database, id: number): Promise<UserRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns}
    from platform.users
    where id = ${id} and removed_at is null
    for no key update`)
}

/** Locks the user until the session is created, so that the password cannot change meanwhile. */
export async function lockWithHash(tx: Database, id: number, hash: string): Promise<UserRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns}
    from platform.users
    where id = ${id} and password_hash = ${hash} and removed_at is null
    for share`)
}

/** Serializes all transactions that remove an admin. */
export async function lockAdmins(tx: Database): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    select id
    from platform.users
    where role = 'admin' and removed_at is null
    order by id
    for no key update`)
  return rows.map(({ id }) => id)
}

/** For signing in: the address must be in lower case. */
export async function findHash(
  db: Database,
  who: { email: string } | { id: number }
): Promise<{ id: number; hash: string } | undefined> {
  return await db.maybeOne(sql`
    select id, password_hash as hash
    from platform.users
    where ${'id' in who ? sql`id = ${who.id}` : sql`email = ${who.email}`} and removed_at is null`)
}

/** Undefined if another user has the address. */
export async function insert(
  tx: Database,
  user: { name: string; email: string; role: UserRole; language: Language; passwordHash: string; createdAt: Date }
): Promise<UserRow | undefined> {
  return await tx.maybeOne(sql`
    insert into platform.users (name, email, role, language, password_hash, created_at)
    values (${user.name}, ${user.email}, ${user.role}, ${user.language}, ${user.passwordHash}, ${user.createdAt})
    on conflict (email) where removed_at is null do nothing
    returning ${columns}`)
}

/** An undefined hash keeps the password. */
export async function update(
  tx: Database,
  id: number,
  user: { name: string; email: string; role: UserRole; language: Language; passwordHash: string | undefined }
): Promise<UserRow> {
  return await tx.one(sql`
    update platform.users
    set version = version + 1, name = ${user.name}, email = ${user.email}, role = ${user.role},
      language = ${user.language}, password_hash = coalesce(${user.passwordHash ?? null}, password_hash)
    where id = ${id}
    returning ${columns}`)
}

export async function remove(tx: Database, id: number, now: Date): Promise<void> {
  await tx.run(sql`
    update platform.users
    set version = version + 1, removed_at = ${now}, email = null, password_hash = null
    where id = ${id}`)
}
