import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** The target of a link: an invitation or an account. */
export type LinkTarget = { invitationId: number } | { userId: number }

export interface LinkRow {
  invitationId: number | null
  userId: number | null
  expiresAt: string
}

export async function insert(
  tx: Database,
  target: LinkTarget,
  link: { hash: Buffer; createdAt: Date; expiresAt: Date }
): Promise<void> {
  const invitationId = 'invitationId' in target ? target.invitationId : null
  const userId = 'userId' in target ? target.userId : null
  await tx.run(sql`
    insert into platform.account_links (hash, invitation_id, user_id, created_at, expires_at)
    values (${link.hash}, ${invitationId}, ${userId}, ${link.createdAt}, ${link.expiresAt})`)
}

export async function find(db: Database, hash: Buffer, now: Date): Promise<LinkRow | undefined> {
  return await db.maybeOne(sql`
    select invitation_id as "invitationId", user_id as "userId", expires_at as "expiresAt"
    from platform.account_links
    where hash = ${hash} and expires_at > ${now}`)
}

/** Locks the link until the transaction ends, so that it is used only once. */
export async function lock(tx: Database, hash: Buffer, now: Date): Promise<LinkRow | undefined> {
  return await tx.maybeOne(sql`
    select invitation_id as "invitationId", user_id as "userId", expires_at as "expiresAt"
    from platform.account_links
    where hash = ${hash} and expires_at > ${now}
    for update`)
}

/** Deletes all links of an invitation or an account. */
export async function removeFor(tx: Database, target: LinkTarget): Promise<number> {
  return await tx.run(
    'userId' in target
      ? sql`delete from platform.account_links where user_id = ${target.userId}`
      : sql`delete from platform.account_links where invitation_id = ${target.invitationId}`
  )
}

export async function removeExpired(tx: Database, now: Date): Promise<void> {
  await tx.run(sql`delete from platform.account_links where expires_at <= ${now}`)
}
