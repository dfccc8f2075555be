import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

export async function isToken(db: Database, hash: Buffer): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select from platform.setup where hash = ${hash}) as found`
  )
  return found
}

export async function insert(tx: Database, hash: Buffer, now: Date): Promise<void> {
  await tx.run(sql`insert into platform.setup (hash, created_at) values (${hash}, ${now})`)
}

export async function removeOlderThan(tx: Database, oldest: Date): Promise<void> {
  await tx.run(sql`delete from platform.setup where created_at < ${oldest}`)
}
