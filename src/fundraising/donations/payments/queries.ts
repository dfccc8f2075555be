import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { DonationKey } from '../../campaigns/by-campaign.ts'
import type { PaymentSource } from './schema.ts'

export interface PaymentRow {
  campaignId: number
  donationId: string
  id: string
  amountCents: number
  receivedOn: string
  source: PaymentSource
  /** The payment that this one reverses; null for money that arrived. */
  reverses: string | null
  returnedCents: number
  certifiedCents: number
  receiptId: string | null
  statementId: number | null
  entryId: string | null
  collectionId: number | null
  isAssumed: boolean
  donationVersion: number
  statusBefore: string
  createdAt: string
  actor: string
}

const columns = sql`
  payment.campaign_id as "campaignId",
  payment.donation_id as "donationId",
  payment.id, payment.source, payment.reverses, payment.actor,
  payment.amount_cents as "amountCents",
  payment.received_on::text as "receivedOn",
  payment.returned_cents as "returnedCents",
  payment.certified_cents as "certifiedCents",
  payment.receipt_id as "receiptId",
  payment.statement_id as "statementId",
  payment.entry_id as "entryId",
  payment.collection_id as "collectionId",
  payment.is_assumed as "isAssumed",
  payment.donation_version as "donationVersion",
  payment.status_before as "statusBefore",
  payment.created_at as "createdAt"`

/** All live payments in the order they were recorded. Callers that change them hold the locks of the donations. */
export async function listOfDonations(db: Database, donations: DonationKey[]): Promise<PaymentRow[]> {
  if (donations.length === 0) return []
  return await db.all(sql`
    select ${columns}
    from ${unnestDonations(donations)}
    join fundraising.payments as payment
      on payment.campaign_id = wanted.campaign_id and payment.donation_id = wanted.id
    where payment.taken_back_at is null
    order by payment.donation_version, payment.created_at, payment.id`)
}

/** Payments booked for a bank statement entry. */
export async function listOfEntry(db: Database, statementId: number, entryId: string): Promise<PaymentRow[]> {
  return await listOfEntries(db, [{ statementId, id: entryId }])
}

export async function listOfEntries(
  db: Database,
  entries: { statementId: number; id: string }[]
): Promise<PaymentRow[]> {
  if (entries.length === 0) return []
  return await db.all(sql`
    select ${columns}
    from unnest(
      ${entries.map(one => one.statementId)}::bigint[], ${entries.map(one => one.id)}::uuid[]
    ) as wanted (statement_id, id)
    join fundraising.payments as payment
      on payment.statement_id = wanted.statement_id and payment.entry_id = wanted.id
    where payment.taken_back_at is null
    order by payment.statement_id, payment.entry_id, payment.campaign_id, payment.donation_id, payment.id`)
}

export async function insert(tx: Database, payments: PaymentRow[]): Promise<void> {
  if (payments.length === 0) return
  const all = <Value>(value: (payment: PaymentRow) => Value) => payments.map(value)
  await tx.run(sql`
    insert into fundraising.payments (
      campaign_id, donation_id, id, amount_cents, received_on, source, reverses, statement_id, entry_id, collection_id,
      donation_version, status_before, created_at, actor
    )
    select
      campaign_id, donation_id, id, amount_cents, received_on, source, reverses, statement_id, entry_id, collection_id,
      donation_version, status_before, created_at, actor
    from unnest(
      ${all(one => one.campaignId)}::bigint[],
      ${all(one => one.donationId)}::uuid[],
      ${all(one => one.id)}::uuid[],
      ${all(one => one.amountCents)}::bigint[],
      ${all(one => one.receivedOn)}::date[],
      ${all(one => one.source)}::text[],
      ${all(one => one.reverses)}::uuid[],
      ${all(one => one.statementId)}::bigint[],
      ${all(one => one.entryId)}::uuid[],
      ${all(one => one.collectionId)}::bigint[],
      ${all(one => one.donationVersion)}::int[],
      ${all(one => one.statusBefore)}::text[],
      ${all(one => one.createdAt)}::timestamptz[],
      ${all(one => one.actor)}::text[]
    ) as payment (
      campaign_id, donation_id, id, amount_cents, received_on, source, reverses, statement_id, entry_id, collection_id,
      donation_version, status_before, created_at, actor
    )`)
}

/** Updates the returned amount, the certified amount and the linked entry of payments. */
export async function update(tx: Database, payments: PaymentRow[]): Promise<void> {
  if (payments.length === 0) return
  const all = <Value>(value: (payment: PaymentRow) => Value) => payments.map(value)
  await tx.run(sql`
    update fundraising.payments as payment
    set
      returned_cents = changed.returned_cents,
      certified_cents = changed.certified_cents,
      receipt_id = changed.receipt_id,
      source = changed.source,
      statement_id = changed.statement_id,
      entry_id = changed.entry_id,
      is_assumed = changed.is_assumed
    from unnest(
      ${all(one => one.campaignId)}::bigint[],
      ${all(one => one.donationId)}::uuid[],
      ${all(one => one.id)}::uuid[],
      ${all(one => one.returnedCents)}::bigint[],
      ${all(one => one.certifiedCents)}::bigint[],
      ${all(one => one.receiptId)}::uuid[],
      ${all(one => one.source)}::text[],
      ${all(one => one.statementId)}::bigint[],
      ${all(one => one.entryId)}::uuid[],
      ${all(one => one.isAssumed)}::boolean[]
    ) as changed (
      campaign_id, donation_id, id, returned_cents, certified_cents, receipt_id, source, statement_id, entry_id, is_assumed
    )
    where payment.campaign_id = changed.campaign_id and payment.donation_id = changed.donation_id
      and payment.id = changed.id`)
}

/** The rows stay in the table but no longer count. */
export async function setTakenBack(tx: Database, payments: PaymentRow[], by: string, now: Date): Promise<void> {
  if (payments.length === 0) return
  await tx.run(sql`
    update fundraising.payments as payment
    set taken_back_at = ${now}, taken_back_by = ${by}, returned_cents = 0
    from unnest(
      ${payments.map(one => one.campaignId)}::bigint[],
      ${payments.map(one => one.donationId)}::uuid[],
      ${payments.map(one => one.id)}::uuid[]
    ) as taken (campaign_id, donation_id, id)
    where payment.campaign_id = taken.campaign_id and payment.donation_id = taken.donation_id and payment.id = taken.id`)
}

function unnestDonations(donations: DonationKey[]): Sql {
  return sql`unnest(
    ${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[]
  ) as wanted (campaign_id, id)`
}
