import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'

/** What stands between a donation and its campaign. */
export interface AbuseSettings {
  reviewAboveCents: number | null
  messagesNeedReview: boolean
  needsProof: boolean
  /** Made when the oldest donation was that still fills an account's hour, or day; null while there is room. */
  hourlyLimitReachedAt: string | null
  dailyLimitReachedAt: string | null
}

/** The account whose donations are counted. */
export interface AccountRateLimit {
  fingerprint: Buffer
  perHour: number
  perDay: number
  hourAgo: Date
  dayAgo: Date
}

/** For a statement that knows `organisation`: part of another one, because it is asked for at every donation. */
export function buildColumns(counted: AccountRateLimit | undefined): Sql {
  return sql`
    organisation.review_above_cents as "reviewAboveCents",
    organisation.messages_need_review as "messagesNeedReview",
    organisation.proof_of_work as "needsProof",
    ${counted === undefined ? sql`null` : buildNthDonationTime(counted.perHour, counted.fingerprint, counted.hourAgo)} as "hourlyLimitReachedAt",
    ${counted === undefined ? sql`null` : buildNthDonationTime(counted.perDay, counted.fingerprint, counted.dayAgo)} as "dailyLimitReachedAt"`
}

/** When the donation was made that is as many before now as there may be. */
function buildNthDonationTime(most: number, print: Buffer, since: Date): Sql {
  return sql`(
    select created_at
    from fundraising.donations
    where account_print = ${print} and created_at > ${since}
    order by created_at desc
    limit 1 offset ${toLiteral(most - 1)}
  )`
}

export async function isProofRequired(db: Database): Promise<boolean> {
  const { needed } = await db.one<{ needed: boolean }>(sql`
    select proof_of_work as needed from fundraising.organisation where id = 1`)
  return needed
}

/** False if it was used before. */
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

/** What has expired is refused anyhow. */
export async function removeProofsBefore(db: Database, now: Date): Promise<void> {
  await db.run(sql`delete from fundraising.used_proofs where expires_at < ${now}`)
}
