import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationKey } from '../../campaigns/by-campaign.ts'
import { toAmount } from '../../money/money.ts'
import { listFingerprints } from './donation-accounts.ts'

/**
 * Statement entries of the people behind the donations: payments for these donations, and unassigned payments from the
 * same accounts.
 */
export async function list(db: Database, donations: DonationKey[]): Promise<object[]> {
  const rows = await db.all<{ amountCents: number }>(sql`
    select
      entry.statement_id as "statementId",
      entry.position,
      entry.booked_on::text as "bookedOn",
      entry.amount_cents as "amountCents",
      entry.currency, entry.direction, entry.text,
      entry.counterpart_name as "counterpartName",
      entry.counterpart_bic as "counterpartBic",
      entry.end_to_end_id as "endToEndId",
      entry.payment_information_id as "paymentInformationId",
      entry.campaign_id as "campaignId",
      entry.donation_id as "donationId"
    from fundraising.statement_entries as entry
    where ${await buildDonationFilter(db, donations)}
    order by entry.statement_id, entry.position
    limit 10000`)
  return rows.map(({ amountCents, ...row }) => ({ ...row, amount: toAmount(amountCents) }))
}

/** Erases payer and payment text. The books need amount, day and donation. Returns the number of entries. */
export async function erase(tx: Database, donations: DonationKey[], now: Date): Promise<number> {
  return await tx.run(sql`
    update fundraising.statement_entries as entry
    set
      version = entry.version + 1,
      text = '',
      return_reason = null,
      end_to_end_id = null,
      mandate_reference = null,
      payment_information_id = null,
      counterpart_name = null,
      counterpart_iban_encrypted = null,
      counterpart_iban_fingerprint = null,
      counterpart_bic = null,
      erased_at = ${now}
    where ${await buildDonationFilter(tx, donations)} and entry.erased_at is null`)
}

/**
 * The same in batches for all statements that ended before the given day, including payments that belong to no
 * donation. Returns the number of entries.
 */
export async function eraseOldPayers(tx: Database, day: string, rows: number, now: Date): Promise<number> {
  return await tx.run(sql`
    update fundraising.statement_entries as entry
    set
      version = entry.version + 1,
      text = '',
      return_reason = null,
      end_to_end_id = null,
      mandate_reference = null,
      payment_information_id = null,
      counterpart_name = null,
      counterpart_iban_encrypted = null,
      counterpart_iban_fingerprint = null,
      counterpart_bic = null,
      erased_at = ${now}
    where (entry.statement_id, entry.id) in (
      select old.statement_id, old.id
      from fundraising.bank_statements as statement
      join fundraising.statement_entries as old on old.statement_id = statement.id and old.erased_at is null
      where coalesce(statement.last_day, statement.imported_at::date) < ${day}::date
      limit ${toLiteral(rows)}
    )`)
}

/** Two conditions, each with its own index. */
async function buildDonationFilter(db: Database, donations: DonationKey[]): Promise<Sql> {
  const [campaigns, ids] = [donations.map(one => one.campaignId), donations.map(one => one.id)]
  const accounts = await listFingerprints(db, donations)
  return sql`(entry.statement_id, entry.id) in (
      select linked.statement_id, linked.id
      from unnest(${campaigns}::bigint[], ${ids}::uuid[]) as wanted (campaign_id, id)
      join fundraising.statement_entries as linked
        on linked.campaign_id = wanted.campaign_id and linked.donation_id = wanted.id
      union
      select paid.statement_id, paid.id
      from fundraising.statement_entries as paid
      where paid.counterpart_iban_fingerprint = any(${accounts}::bytea[])
        and paid.donation_id is null
    )`
}
