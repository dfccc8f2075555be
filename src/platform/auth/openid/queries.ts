import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Identity } from './schema.ts'

/** A user at a provider: the subject is unique there. */
export interface OpenIdSubject {
  issuer: string
  subject: string
}

export async function list(db: Database, userId: number): Promise<Identity[]> {
  return await db.all(sql`
    select issuer, created_at as "createdAt", last_used_at as "lastUsedAt"
    from platform.openid_identities
    where user_id = ${userId}
    order by created_at, issuer
    limit 100`)
}

export async function lock(tx: Database, { issuer, subject }: OpenIdSubject): Promise<{ userId: number } | undefined> {
  return await tx.maybeOne(sql`
    select user_id as "userId"
    from platform.openid_identities
    where issuer = ${issuer} and subject = ${subject}
    for update`)
}

/** False if the account already has another identity at this provider, or the identity another account. */
export async function insert(
  tx: Database,
  { issuer, subject }: OpenIdSubject,
  { userId, now }: { userId: number; now: Date }
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into platform.openid_identities (user_id, issuer, subject, created_at, last_used_at)
    values (${userId}, ${issuer}, ${subject}, ${now}, ${now})
    on conflict do nothing`)
  return inserted === 1
}

export async function updateUse(tx: Database, { issuer, subject }: OpenIdSubject, now: Date): Promise<void> {
  await tx.run(sql`
    update platform.openid_identities
    set last_used_at = ${now}
    where issuer = ${issuer} and subject = ${subject}`)
}

export async function removeOfUser(tx: Database, userId: number): Promise<number> {
  return await tx.run(sql`delete from platform.openid_identities where user_id = ${userId}`)
}
