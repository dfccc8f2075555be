import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationKind } from '../../donation-kind.ts'
import type { PaymentSource } from '../../donations/payments/schema.ts'
import type { JournalFilter } from './schema.ts'

/** A payment with all columns of the journal. */
export interface JournalRow {
  id: string
  donationId: string
  campaignId: number
  receivedOn: string
  amountCents: number
  promisedCents: number
  currency: string
  source: PaymentSource
  kind: DonationKind
  /** For a correction: the source of the payment that it reverses. */
  originalSource: PaymentSource
  donorName: string | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  campaignName: string
  reference: string
  /** The organisation's account, cash, or none for donations that were never money. */
  account: string
  statementId: number | null
  collectionId: number | null
  receiptNumber: string | null
}

/** Returned money belongs to the account of the original payment, unless a bank entry names the account itself. */
const account = sql`
  case
  when donation.kind in ('in_kind', 'waived_expenses') then 'none'
  when coalesce(original.source, payment.source) = 'cash' and payment.source <> 'bank_entry' then 'cash'
  else coalesce(entry.account, original_entry.account, item.account_iban, campaign.account_iban) end`

const tables = sql`
  fundraising.payments as payment
  join fundraising.donations as donation
    on donation.campaign_id = payment.campaign_id and donation.id = payment.donation_id
  join fundraising.campaigns as campaign on campaign.id = payment.campaign_id
  left join fundraising.payments as original
    on original.campaign_id = payment.campaign_id and original.donation_id = payment.donation_id
    and original.id = payment.reverses
  left join fundraising.statement_entries as entry
    on entry.statement_id = payment.statement_id and entry.id = payment.entry_id
  left join fundraising.statement_entries as original_entry
    on original_entry.statement_id = original.statement_id and original_entry.id = original.entry_id
  left join fundraising.collection_items as item
    on item.campaign_id = payment.campaign_id and item.donation_id = payment.donation_id
    and item.collection_id = coalesce(payment.collection_id, original.collection_id)`

/** `moneyOnly` leaves out donations in kind and waived expenses, which touch no money account. */
export type MoneyFilter = JournalFilter & { moneyOnly?: boolean }

function buildFilter({ year, account: wanted, campaignId, moneyOnly = false }: MoneyFilter): Sql {
  return sql`
    payment.taken_back_at is null
    and payment.received_on between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date
    ${wanted === undefined ? emptySql : sql`and ${account} = ${wanted}`}
    ${campaignId === undefined ? emptySql : sql`and payment.campaign_id = ${campaignId}`}
    ${moneyOnly ? sql`and donation.kind in ('money', 'membership_fee')` : emptySql}`
}

/** Ordered by day, starting after the given row. */
export async function list(
  db: Database,
  filter: MoneyFilter,
  { after, rows }: { after: Pick<JournalRow, 'receivedOn' | 'id'> | undefined; rows: number }
): Promise<JournalRow[]> {
  return await db.all(
    sql`
    select
      payment.id, payment.source, donation.kind, donation.reference, campaign.currency,
      payment.donation_id as "donationId",
      payment.campaign_id as "campaignId",
      payment.received_on::text as "receivedOn",
      payment.amount_cents as "amountCents",
      donation.amount_cents as "promisedCents",
      coalesce(original.source, payment.source) as "originalSource",
      donation.donor_name as "donorName",
      donation.address_street as street,
      donation.address_postal_code as "postalCode",
      donation.address_city as city,
      donation.address_country as country,
      campaign.name as "campaignName",
      ${account} as account,
      payment.statement_id as "statementId",
      payment.collection_id as "collectionId",
      receipt.number as "receiptNumber"
    from ${tables}
    left join fundraising.receipts as receipt on receipt.id = coalesce(payment.receipt_id, original.receipt_id)
    where ${buildFilter(filter)}
      ${after === undefined ? emptySql : sql`and (payment.received_on, payment.id) > (${after.receivedOn}::date, ${after.id})`}
    order by payment.received_on, payment.id
    limit ${toLiteral(rows)}`.unprepared()
  )
}

export async function count(db: Database, filter: MoneyFilter): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*) as total from ${tables} where ${buildFilter(filter)}`.unprepared()
  )
  return total
}

/** Changes whenever a line of the journal changes. */
export async function getFingerprint(db: Database, filter: MoneyFilter): Promise<string> {
  const { fingerprint } = await db.one<{ fingerprint: string }>(
    sql`
    select count(*) || '-' || coalesce(sum(hashtextextended(concat_ws(' ',
      payment.id, payment.receipt_id, original.receipt_id, donation.version, campaign.version), 0)), 0) as fingerprint
    from ${tables}
    where ${buildFilter(filter)}`.unprepared()
  )
  return fingerprint
}

export async function listCurrencies(db: Database, filter: MoneyFilter): Promise<string[]> {
  const rows = await db.all<{ currency: string }>(
    sql`select distinct campaign.currency from ${tables} where ${buildFilter(filter)} order by 1`.unprepared()
  )
  return rows.map(({ currency }) => currency)
}

export interface AccountSum {
  account: string
  currency: string
  count: number
  receivedCents: number
  returnedCents: number
}

export async function listSums(db: Database, filter: JournalFilter): Promise<AccountSum[]> {
  return await db.all(
    sql`
    select
      ${account} as account,
      campaign.currency,
      count(*) as count,
      coalesce(sum(payment.amount_cents) filter (where payment.amount_cents > 0), 0)::bigint as "receivedCents",
      coalesce(-sum(payment.amount_cents) filter (where payment.amount_cents < 0), 0)::bigint as "returnedCents"
    from ${tables}
    where ${buildFilter(filter)}
    group by 1, 2
    order by 1, 2`.unprepared()
  )
}

export async function listYears(db: Database): Promise<number[]> {
  const rows = await db.all<{ year: number }>(sql`
    select distinct date_part('year', received_on)::int as year
    from fundraising.payments
    where taken_back_at is null
    order by year desc
    limit 100`)
  return rows.map(({ year }) => year)
}
