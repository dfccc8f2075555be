import type { Role } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { emptySql, sql, toLiteral } from '../../database/sql.ts'
import type { Device } from './user-agent.ts'

/** A session expires when it has been idle for this long, and when it reaches its maximum age. */
const idleMs = 14 * 86_400_000
const ageMs = 90 * 86_400_000

export function computeExpiry({ createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date }): string {
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, createdAt.getTime() + ageMs)).toISOString()
}

export interface UsableSession {
  id: number
  hash: Buffer
  userId: number
  name: string
  role: Role
  /** When the user last confirmed the password. */
  confirmedAt?: string | null
  /** The role requires a second factor, and the user has none. */
  needsFactor?: boolean
}

export interface SessionRow extends Device {
  id: number
  createdAt: string
  lastUsedAt: string
}

export async function findUsable(db: Database, tokenPrefix: string, now: Date): Promise<UsableSession | undefined> {
  return await db.maybeOne(sql`
    select session.id, session.hash, person.id as "userId", person.name, person.role,
      session.confirmed_at as "confirmedAt",
      exists (select from platform.sign_in_policy where person.role = any(require_second_factor))
        and not exists (
          select from platform.totp_factors as totp where totp.user_id = person.id and totp.confirmed_at is not null
        )
        and not exists (select from platform.passkeys as key where key.user_id = person.id) as "needsFactor"
    from platform.sessions as session
    join platform.users as person on person.id = session.user_id
    where session.token_prefix = ${tokenPrefix} and person.removed_at is null
      and session.last_used_at > ${subtractMs(now, idleMs)} and session.created_at > ${subtractMs(now, ageMs)}`)
}

export async function findCreation(db: Database, id: number): Promise<{ createdAt: string } | undefined> {
  return await db.maybeOne(sql`select created_at as "createdAt" from platform.sessions where id = ${id}`)
}

export async function insert(
  tx: Database,
  session: { tokenPrefix: string; hash: Buffer; userId: number; now: Date }
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into platform.sessions (token_prefix, hash, user_id, created_at, last_used_at)
    values (${session.tokenPrefix}, ${session.hash}, ${session.userId}, ${session.now}, ${session.now})
    returning id`)
  return id
}

/** Valid sessions, last used first. */
export async function listOfUser(db: Database, userId: number, now: Date): Promise<SessionRow[]> {
  return await db.all(sql`
    select id, browser, system, created_at as "createdAt", last_used_at as "lastUsedAt"
    from platform.sessions
    where user_id = ${userId} and last_used_at > ${subtractMs(now, idleMs)} and created_at > ${subtractMs(now, ageMs)}
    order by last_used_at desc, id desc
    limit 1000`)
}

export async function setDevice(tx: Database, tokenPrefix: string, { browser, system }: Device): Promise<void> {
  await tx.run(
    sql`update platform.sessions set browser = ${browser}, system = ${system} where token_prefix = ${tokenPrefix}`
  )
}

export async function setConfirmed(tx: Database, id: number, now: Date): Promise<void> {
  await tx.run(sql`update platform.sessions set confirmed_at = ${now} where id = ${id}`)
}

export async function removeOwn(tx: Database, userId: number, id: number): Promise<number> {
  return await tx.run(sql`delete from platform.sessions where id = ${id} and user_id = ${userId}`)
}

export async function remove(tx: Database, id: number): Promise<number> {
  return await tx.run(sql`delete from platform.sessions where id = ${id}`)
}

/** Deletes all sessions of a user, optionally except one. */
export async function removeOfUser(tx: Database, userId: number, except?: number): Promise<number> {
  return await tx.run(sql`
    delete from platform.sessions
    where user_id = ${userId} ${except === undefined ? emptySql : sql`and id <> ${except}`}`)
}

const deletedRowsMax = 100

export async function removeExpired(tx: Database, now: Date): Promise<void> {
  await tx.run(sql`
    delete from platform.sessions
    where id in (
      select id
      from platform.sessions
      where last_used_at <= ${subtractMs(now, idleMs)} or created_at <= ${subtractMs(now, ageMs)}
      limit ${toLiteral(deletedRowsMax)}
      for update skip locked
    )`)
}

export async function setLastUses(db: Database, uses: [id: number, at: Date][]): Promise<void> {
  await db.run(sql`
    with used as (
      update platform.sessions
      set last_used_at = greatest(last_used_at, use.at)
      from unnest(${uses.map(([id]) => id)}::bigint[], ${uses.map(([, at]) => at)}::timestamptz[]) as use (id, at)
      where sessions.id = use.id
      returning sessions.user_id, use.at
    ), seen as (
      select user_id, max(at) as at from used group by user_id
    )
    update platform.users
    set last_seen_at = greatest(last_seen_at, seen.at)
    from seen
    where users.id = seen.user_id`)
}

const subtractMs = (now: Date, ms: number) => new Date(now.getTime() - ms)
