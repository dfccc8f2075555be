import type { Database } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { type Sql, sql, toByteaText } from '#platform/database/sql.ts'

/** The donations of an account within its limits. */
export interface AccountCounts {
  /** When the oldest donation was made that still fills the account's hourly or daily limit; null below the limit. */
  hourlyLimitReachedAt: string | null
  dailyLimitReachedAt: string | null
}

/** Settings that decide whether a new donation is accepted. */
export interface AbuseSettings {
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
export const columns = sql`
  organisation.review_above_cents as "reviewAboveCents",
  organisation.messages_need_review as "messagesNeedReview",
  organisation.proof_of_work as "needsProof"`

/**
 * Counts the donations of accounts, while no other transaction inserts one of the same account. The second statement has
 * its own snapshot, so it sees what was committed before the locks were free. Locks in one order, so that two
 * transactions cannot wait for each other.
 */
export async function lockAndCountAccounts(
  tx: Database,
  all: (AccountRateLimit & { earlier: number; now: Date })[]
): Promise<AccountCounts[]> {
  const locks = [...new Set(all.map(({ fingerprint }) => fingerprint.readBigInt64BE()))].sort((a, b) =>
    a < b ? -1 : 1
  )
  const accounts = all.map((one, position) => ({ ...one, position, fingerprint: toByteaText(one.fingerprint) }))
  const [, counts] = await Promise.all([
    tx.all(sql`select pg_advisory_xact_lock(lock) from unnest(${locks.map(String)}::bigint[]) as lock`),
    tx.all<AccountCounts>(sql`
      select
        ${buildLimitReachedAt(sql`account."perHour"`, sql`account."hourAgo"`)} as "hourlyLimitReachedAt",
        ${buildLimitReachedAt(sql`account."perDay"`, sql`account."dayAgo"`)} as "dailyLimitReachedAt"
      from json_to_recordset(${JSON.stringify(accounts)}) as account (
        position bigint, fingerprint bytea, earlier bigint, now timestamptz,
        "perHour" bigint, "perDay" bigint, "hourAgo" timestamptz, "dayAgo" timestamptz
      )
      order by account.position`)
  ])
  return counts
}

/** When the donation was made that reaches the limit, counted back from the newest: now, if earlier ones already do. */
function buildLimitReachedAt(most: Sql, since: Sql): Sql {
  return sql`
    case when account.earlier >= ${most} then account.now else (
      select created_at
      from fundraising.donations
      where iban_fingerprint = account.fingerprint and created_at > ${since}
      order by created_at desc
      limit 1 offset greatest(${most} - account.earlier - 1, 0)
    ) end`
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
