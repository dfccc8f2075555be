import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Several processes may start before one of their tokens is used; tokens expire after a month. */
const tokenMs = 30 * 86_400_000

/** A token is valid until the first account exists. */
export async function isUsable(db: Database, hash: Buffer, now: Date): Promise<boolean> {
  const oldest = new Date(now.getTime() - tokenMs)
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select from platform.setup where hash = ${hash} and created_at >= ${oldest})
      and not exists (select from platform.users) as found`)
  return found
}

export async function insert(tx: Database, hash: Buffer, now: Date): Promise<void> {
  await tx.run(sql`insert into platform.setup (hash, created_at) values (${hash}, ${now})`)
}

export async function removeExpired(tx: Database, now: Date): Promise<void> {
  await tx.run(sql`delete from platform.setup where created_at < ${new Date(now.getTime() - tokenMs)}`)
}

export async function removeAll(tx: Database): Promise<void> {
  await tx.run(sql`delete from platform.setup`)
}
