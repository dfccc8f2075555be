import type { Database } from '../../database/database.ts'
import { sql, toLiteral } from '../../database/sql.ts'
import type { EncryptedColumn } from '../../encryption/encrypted-columns.ts'

export const totpSecretColumn: EncryptedColumn = {
  table: 'platform.totp_factors',
  key: ['user_id'],
  encrypted: 'secret_encrypted',
  purpose: 'second factors'
}

export interface TotpRow {
  /** Null if its encryption key was lost: the factor stays required, and only recovery codes work. */
  encrypted: Buffer | null
  createdAt: string
  confirmedAt: string | null
  lastUsedAt: string | null
  lastStep: number | null
}

const totpColumns = sql`
  secret_encrypted as encrypted,
  created_at as "createdAt",
  confirmed_at as "confirmedAt",
  last_used_at as "lastUsedAt",
  last_step as "lastStep"`

export async function findTotp(db: Database, userId: number): Promise<TotpRow | undefined> {
  return await db.maybeOne(sql`select ${totpColumns} from platform.totp_factors where user_id = ${userId}`)
}

export async function lockTotp(tx: Database, userId: number): Promise<TotpRow | undefined> {
  return await tx.maybeOne(sql`select ${totpColumns} from platform.totp_factors where user_id = ${userId} for update`)
}

/** Replaces an unconfirmed factor; a confirmed one stays, and the result is false. */
export async function insertTotp(
  tx: Database,
  { userId, encrypted, now }: { userId: number; encrypted: Buffer; now: Date }
): Promise<boolean> {
  const written = await tx.run(sql`
    insert into platform.totp_factors as factor (user_id, secret_encrypted, created_at)
    values (${userId}, ${encrypted}, ${now})
    on conflict (user_id) do update
    set secret_encrypted = excluded.secret_encrypted, created_at = excluded.created_at, last_step = null
    where factor.confirmed_at is null`)
  return written === 1
}

export async function updateTotp(
  tx: Database,
  userId: number,
  { step, now }: { step: number; now: Date }
): Promise<void> {
  await tx.run(sql`
    update platform.totp_factors
    set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${now}), last_used_at = ${now}
    where user_id = ${userId}`)
}

/** True if it was confirmed. */
export async function removeTotp(tx: Database, userId: number): Promise<boolean> {
  const removed = await tx.maybeOne<{ confirmed: boolean }>(sql`
    delete from platform.totp_factors
    where user_id = ${userId}
    returning confirmed_at is not null as confirmed`)
  return removed?.confirmed === true
}

export async function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from platform.recovery_codes where user_id = ${userId} and used_at is null`)
  return count
}

export async function replaceRecoveryCodes(tx: Database, userId: number, hashes: Buffer[], now: Date): Promise<void> {
  await removeRecoveryCodes(tx, userId)
  await tx.run(sql`
    insert into platform.recovery_codes (user_id, hash, created_at)
    select ${userId}, hash, ${now} from unnest(${hashes}::bytea[]) as hash`)
}

/** False if the code does not exist or was already used. */
export async function useRecoveryCode(tx: Database, userId: number, hash: Buffer, now: Date): Promise<boolean> {
  const used = await tx.run(sql`
    update platform.recovery_codes
    set used_at = ${now}
    where user_id = ${userId} and hash = ${hash} and used_at is null`)
  return used === 1
}

export async function removeRecoveryCodes(tx: Database, userId: number): Promise<void> {
  await tx.run(sql`delete from platform.recovery_codes where user_id = ${userId}`)
}

/** The stored first step of a process that has two, such as a sign-in. */
export interface SignInStep {
  userId: number | null
  details: Record<string, unknown>
}

export async function insertStep(
  db: Database,
  step: SignInStep & { hash: Buffer; kind: string; now: Date; expiresAt: Date }
): Promise<void> {
  await db.run(sql`
    insert into platform.sign_in_steps (hash, kind, user_id, details, created_at, expires_at)
    values (
      ${step.hash}, ${step.kind}, ${step.userId}, ${JSON.stringify(step.details)}::jsonb, ${step.now}, ${step.expiresAt}
    )`)
}

export async function findStep(db: Database, kind: string, hash: Buffer, now: Date): Promise<SignInStep | undefined> {
  return await db.maybeOne(sql`
    select user_id as "userId", details
    from platform.sign_in_steps
    where hash = ${hash} and kind = ${kind} and expires_at > ${now}`)
}

/** Deletes the step as it returns it, so that it can be used only once. */
export async function consumeStep(
  db: Database,
  kind: string,
  hash: Buffer,
  now: Date
): Promise<SignInStep | undefined> {
  return await db.maybeOne(sql`
    delete from platform.sign_in_steps
    where hash = ${hash} and kind = ${kind} and expires_at > ${now}
    returning user_id as "userId", details`)
}

const deletedRowsMax = 100

export async function removeExpiredSteps(db: Database, now: Date): Promise<void> {
  await db.run(sql`
    delete from platform.sign_in_steps
    where hash in (
      select hash
      from platform.sign_in_steps
      where expires_at <= ${now}
      limit ${toLiteral(deletedRowsMax)}
      for update skip locked
    )`)
}

export async function removeStepsOfUser(tx: Database, userId: number): Promise<void> {
  await tx.run(sql`delete from platform.sign_in_steps where user_id = ${userId}`)
}
