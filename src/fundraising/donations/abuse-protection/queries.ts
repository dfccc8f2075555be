import type { Database } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'

/** The donations of an account within its limits. */
export interface AccountCounts {
  /** When the oldest donation was made that still fills the account's hourly or daily limit; null below the limit. */
  hourlyLimitReachedAt: string | null
  dailyLimitReachedAt: string | null
}

/** Settings and counts that decide whether a new donation is accepted. */
export interface AbuseSettings extends AccountCounts {
  reviewAboveCents: number | null
  messagesNeedReview: boolean
  needsProof: boolean
}

/** The account whose donations are counted, with its limits. */
export interface AccountRateLimit {
  fingerprint: Buffer
  perHour: number
  perDay: number
  hourAgo: Date
  dayAgo: Date
}

/** Columns for a statement that joins `organisation`; not a query of its own, because every donation needs them. */
export function buildColumns(counted: AccountRateLimit | undefined): Sql {
  return sql`
    organisation.review_above_cents as "reviewAboveCents",
    organisation.messages_need_review as "messagesNeedReview",
    organisation.proof_of_work as "needsProof",
    ${counted === undefined ? sql`null` : buildNthDonationTime(counted.perHour, counted.fingerprint, counted.hourAgo)} as "hourlyLimitReachedAt",
    ${counted === undefined ? sql`null` : buildNthDonationTime(counted.perDay, counted.fingerprint, counted.dayAgo)} as "dailyLimitReachedAt"`
}

/**
 * Counts the donations of an account again, while no other transaction inserts one of the same account. The second
 * statement has its own snapshot, so it sees what was committed before the lock was free.
 */
export async function lockAndCountAccount(tx: Database, counted: AccountRateLimit): Promise<AccountCounts> {
  const { fingerprint, perHour, perDay, hourAgo, dayAgo } = counted
  const [, counts] = await Promise.all([
    tx.run(sql`select pg_advisory_xact_lock(${String(fingerprint.readBigInt64BE())}::bigint)`),
    tx.one<AccountCounts>(sql`
      select
        ${buildNthDonationTime(perHour, fingerprint, hourAgo)} as "hourlyLimitReachedAt",
        ${buildNthDonationTime(perDay, fingerprint, dayAgo)} as "dailyLimitReachedAt"`)
  ])
  return counts
}

/** When the donation was made that reaches the limit, counted back from the newest. */
function buildNthDonationTime(most: number, fingerprint: Buffer, since: Date): Sql {
  return sql`(
    select created_at
    from fundraising.donations
    where iban_fingerprint = ${fingerprint} and created_at > ${since}
    order by created_at desc
    limit 1 offset ${toLiteral(most - 1)}
  )`
}

export async function isProofRequired(db: Database): Promise<boolean> {
  const { needed } = await db.one<{ needed: boolean }>(sql`
    select proof_of_work as needed from fundraising.organisation where id = 1`)
  return needed
}

/** Returns false if the proof was already used. */
export async function insertProof(
  tx: Database,
  { challenge, expiresAt }: { challenge: string; expiresAt: Date }
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into fundraising.used_proofs (challenge, expires_at)
    values (${challenge}, ${expiresAt})
    on conflict (challenge) do nothing`)
  return inserted === 1
}

/** Expired proofs are rejected anyway, so their rows can go. */
export async function removeProofsBefore(db: Database, now: Date): Promise<void> {
  await deleteInBatches(
    async limit =>
      await db.run(sql`
        delete from fundraising.used_proofs
        where challenge in (
          select challenge from fundraising.used_proofs where expires_at < ${now} order by expires_at limit ${limit}
        )`)
  )
}
