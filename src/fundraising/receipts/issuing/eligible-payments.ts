import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { type DonationKey, groupByCampaign } from '../../campaigns/by-campaign.ts'
import type { DonationKind, InKind } from '../../donation-kind.ts'
import type { DonationStatus } from '../../donations/schema.ts'
import type { CertifiedLine } from '../content.ts'

/** A payment that a receipt can certify, with its donor. A donation without payments is a candidate too. */
export interface ReceiptCandidate {
  campaignId: number
  id: string
  /** Null if no payment has arrived. */
  paymentId: string | null
  kind: DonationKind
  inKind: InKind | null
  /** The part of the payment that was not returned. */
  amountCents: number
  currency: string
  donorName: string | null
  donorSearch: string | null
  email: string | null
  ibanFingerprint: Buffer | null
  status: DonationStatus
  reference: string
  language: Language | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  receiptRequested: boolean
  /** The day of the payment; null before it arrives. */
  receivedOn: string | null
  /** The number of the receipt that certifies it, or of one that must be withdrawn first. */
  receiptNumber: string | null
}

const candidateColumns = sql`
  donation.campaign_id as "campaignId", donation.id, donation.email, donation.status, donation.reference,
  donation.language,
  coalesce(payment.amount_cents - payment.returned_cents, 0)::bigint as "amountCents",
  payment.id as "paymentId",
  donation.kind,
  donation.in_kind as "inKind",
  campaign.currency,
  donation.donor_name as "donorName",
  donation.donor_search as "donorSearch",
  donation.iban_fingerprint as "ibanFingerprint",
  donation.address_street as street,
  donation.address_postal_code as "postalCode",
  donation.address_city as city,
  donation.address_country as country,
  donation.receipt_requested as "receiptRequested",
  payment.received_on::text as "receivedOn",
  payment.receipt_id as "receiptId"`

/** Payments that were not fully returned. */
const livePayment = sql`
  payment.campaign_id = donation.campaign_id and payment.donation_id = donation.id
  and payment.taken_back_at is null and payment.amount_cents > payment.returned_cents`

const candidateTables = sql`
  fundraising.donations as donation
  join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
  left join fundraising.payments as payment on ${livePayment}`

/** Adds the numbers of receipts. Read separately, because most donations have none, and Citus has receipts on another node than donations. */
async function listCandidates(db: Database, statement: Sql): Promise<ReceiptCandidate[]> {
  const rows = await db.all<Omit<ReceiptCandidate, 'receiptNumber'> & { receiptId: string | null }>(statement)
  if (rows.length === 0) return []
  const certified = await db.all<{ id: string; receiptId: string }>(sql`
    select certified.donation_id as id, certified.receipt_id as "receiptId"
    from unnest(${rows.map(row => row.campaignId)}::bigint[], ${rows.map(row => row.id)}::uuid[]) as wanted (campaign_id, id)
    join fundraising.receipt_donations as certified
      on certified.campaign_id = wanted.campaign_id and certified.donation_id = wanted.id and certified.live`)
  const receiptIds = [...new Set([...rows, ...certified].flatMap(({ receiptId }) => receiptId ?? []))]
  const receipts =
    receiptIds.length === 0
      ? []
      : await db.all<{ id: string; number: string; needsWithdrawal: boolean }>(sql`
          select id, number, needs_withdrawal as "needsWithdrawal"
          from fundraising.receipts
          where id = any(${receiptIds}::uuid[])
          order by number`)
  return rows.map(({ receiptId, ...row }) => {
    const own = new Set(certified.filter(({ id }) => id === row.id).map(one => one.receiptId))
    const outdated = receipts.find(({ id, needsWithdrawal }) => needsWithdrawal && own.has(id))
    const receipt = receipts.find(({ id }) => id === receiptId) ?? outdated
    return { ...row, receiptNumber: receipt?.number ?? null }
  })
}

/** The receipt line that certifies the payment. */
export function toLine(candidate: ReceiptCandidate): CertifiedLine {
  const { campaignId, id, paymentId, reference, receivedOn, amountCents, kind, inKind } = candidate
  if (paymentId === null) throw new Error('Only received payments can be certified.')
  return {
    ...{ campaignId, id, paymentId, reference, receivedOn: receivedOn ?? '', amountCents, kind },
    ...(inKind === null ? {} : { inKind })
  }
}

/** Serialises issuing per name, so that two transactions cannot claim the same period. */
export async function lockName(tx: Database, name: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('fundraising.receipts'), hashtext(${name}))`)
}

/**
 * Locks the donations until the receipt is stored, so that they cannot change. Returns the named payments, or all
 * payments of a donation if none is named.
 */
export async function lockCandidates(
  tx: Database,
  donations: (DonationKey & { paymentId?: string | null })[]
): Promise<ReceiptCandidate[]> {
  // Lock first, in a fixed order: columns read in the same statement as the lock can be stale.
  await Promise.all(
    groupByCampaign(donations).map(({ campaignId, ids }) =>
      tx.run(sql`
        select 1 from fundraising.donations
        where campaign_id = ${campaignId} and id = any(${ids}::uuid[]) order by id for update`)
    )
  )
  const found = await listCandidates(
    tx,
    sql`
      select ${candidateColumns}
      from ${candidateTables}
      where (donation.campaign_id, donation.id) in (
        select campaign_id, id
        from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
          as wanted (campaign_id, id)
      ) and donation.deleted_at is null
      order by payment.received_on, donation.campaign_id, donation.id, payment.id`
  )
  const isWanted = (one: ReceiptCandidate) =>
    donations.some(
      ({ campaignId, id, paymentId }) =>
        campaignId === one.campaignId && id === one.id && (paymentId == null || paymentId === one.paymentId)
    )
  return found.filter(isWanted)
}

/** The campaign of a donation, found by index on the creation time that its id begins with. */
export async function findCampaignOfDonation(
  db: Database,
  { donationId, after, before }: { donationId: string; after: Date; before: Date }
): Promise<{ campaignId: number; donorSearch: string | null } | undefined> {
  return await db.maybeOne(sql`
    select campaign_id as "campaignId", donor_search as "donorSearch"
    from fundraising.donations
    where created_at between ${after} and ${before} and id = ${donationId} and deleted_at is null`)
}

/** Payments received in a year from people with this name, oldest first. */
export async function listByName(db: Database, name: string, year: number): Promise<ReceiptCandidate[]> {
  return await listCandidates(
    db,
    sql`
      select ${candidateColumns}
      from ${candidateTables}
      where donation.donor_search = ${name} and donation.status = 'TRANSFERRED' and donation.deleted_at is null
        and payment.received_on between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date
      order by payment.received_on, donation.campaign_id, donation.id, payment.id
      limit 5000`
  )
}

/** Names after the given one, in order, that requested a receipt for a payment of the year and have none. */
export async function listNamesWithoutReceipt(
  db: Database,
  { year, after }: { year: number; after: string }
): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select distinct donation.donor_search as name
    from ${buildWithoutReceiptFilter(year)} and donation.donor_search > ${after}
    order by name
    limit 200`)
  return rows.map(({ name }) => name)
}

export async function countNamesWithoutReceipt(db: Database, year: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct donation.donor_search) as count
    from ${buildWithoutReceiptFilter(year)}`)
  return count
}

/** Names after the given one, in order, with any payment in the year. */
export async function listNames(
  db: Database,
  { year, after, rows }: { year: number; after: string; rows: number }
): Promise<string[]> {
  const found = await db.all<{ name: string }>(sql`
    select distinct donation.donor_search as name
    from ${buildReceivedInFilter(year)} and donation.donor_search > ${after}
    order by name
    limit ${toLiteral(rows)}`)
  return found.map(({ name }) => name)
}

export async function countNames(db: Database, year: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct donation.donor_search) as count
    from ${buildReceivedInFilter(year)}`)
  return count
}

/** Payments of a year whose donor's name is unknown or erased. */
export async function listNameless(db: Database, year: number): Promise<ReceiptCandidate[]> {
  return await listCandidates(
    db,
    sql`
      select ${candidateColumns}
      from ${candidateTables}
      where (donation.campaign_id, donation.id) in (
        select donation.campaign_id, donation.id
        from ${buildReceivedInFilter(year)} and donation.donor_search is null
        order by donation.id
        limit 200
      )
      order by payment.received_on, donation.campaign_id, donation.id, payment.id`
  )
}

function buildWithoutReceiptFilter(year: number): Sql {
  return sql`
    ${buildReceivedInFilter(year)} and payment.receipt_id is null and donation.receipt_requested and donation.donor_search is not null`
}

function buildReceivedInFilter(year: number): Sql {
  return sql`
    fundraising.payments as payment
    join fundraising.donations as donation on ${livePayment}
    where payment.received_on between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date
      and donation.status = 'TRANSFERRED' and donation.deleted_at is null`
}
