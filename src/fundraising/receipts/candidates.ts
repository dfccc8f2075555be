import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { type Sql, sql } from '#platform/sql.ts'
import type { DonationStatus } from '../donations/schema.ts'

interface OneDonation {
  campaignId: number
  id: string
}

/** A donation as a receipt looks at it. */
export interface Candidate {
  campaignId: number
  id: string
  amountCents: number
  currency: string
  donorName: string | null
  donorSearch: string | null
  email: string | null
  accountPrint: Buffer | null
  status: DonationStatus
  reference: string
  language: Language | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  receiptRequested: boolean
  /** The day the money came, by the bank's statement or when it was booked; null while it has not. */
  receivedOn: string | null
  /** The number of the receipt that certifies it. */
  receiptNumber: string | null
}

const candidateColumns = sql`
  donation.campaign_id as "campaignId", donation.id, donation.email, donation.status, donation.reference,
  donation.language,
  donation.received_cents as "amountCents",
  campaign.currency,
  donation.donor_name as "donorName",
  donation.donor_search as "donorSearch",
  donation.account_print as "accountPrint",
  donation.address_street as street,
  donation.address_postal_code as "postalCode",
  donation.address_city as city,
  donation.address_country as country,
  donation.receipt_requested as "receiptRequested",
  donation.received_on::text as "receivedOn",
  (
    select receipt.number
    from fundraising.receipt_donations as certified
    join fundraising.receipts as receipt on receipt.id = certified.receipt_id
    where certified.campaign_id = donation.campaign_id and certified.donation_id = donation.id and certified.live
  ) as "receiptNumber"`

const candidateTables = sql`
  fundraising.donations as donation
  join fundraising.campaigns as campaign on campaign.id = donation.campaign_id`

/** Holds the donations until the receipt is there: nobody moves them on meanwhile. */
export async function lockCandidates(tx: Database, donations: OneDonation[]): Promise<Candidate[]> {
  // Locked first, and in one order: what is read with the lock is as it was before others let go of it.
  await tx.run(sql`
    select
    from fundraising.donations
    where (campaign_id, id) in (
      select campaign_id, id
      from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
        as wanted (campaign_id, id)
    )
    order by campaign_id, id
    for update`)
  return await tx.all(sql`
    select ${candidateColumns}
    from ${candidateTables}
    where (donation.campaign_id, donation.id) in (
      select campaign_id, id
      from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
        as wanted (campaign_id, id)
    ) and donation.deleted_at is null
    order by donation.received_on, donation.campaign_id, donation.id`)
}

/** The campaign of a donation: its id begins with the moment when it was made, which finds it. */
export async function findByName(
  db: Database,
  { donationId, after, before }: { donationId: string; after: Date; before: Date }
): Promise<{ campaignId: number; donorSearch: string | null } | undefined> {
  return await db.maybeOne(sql`
    select campaign_id as "campaignId", donor_search as "donorSearch"
    from fundraising.donations
    where created_at between ${after} and ${before} and id = ${donationId} and deleted_at is null`)
}

/** Whatever came in a year of people of a name, oldest first. */
export async function listOfName(db: Database, name: string, year: number): Promise<Candidate[]> {
  return await db.all(sql`
    select ${candidateColumns}
    from ${candidateTables}
    where donation.donor_search = ${name} and donation.status = 'TRANSFERRED' and donation.deleted_at is null
      and extract(year from donation.received_on) = ${year}
    order by donation.received_on, donation.campaign_id, donation.id
    limit 5000`)
}

/** Who wants a receipt for something that came in a year and has none: the names behind a given one, in order. */
export async function listNamesWithout(
  db: Database,
  { year, after }: { year: number; after: string }
): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select distinct donation.donor_search as name
    from ${withoutReceipt(year)} and donation.donor_search > ${after}
    order by name
    limit 200`)
  return rows.map(({ name }) => name)
}

export async function countNamesWithout(db: Database, year: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct donation.donor_search) as count
    from ${withoutReceipt(year)}`)
  return count
}

function withoutReceipt(year: number): Sql {
  return sql`
    fundraising.payments as payment
    join fundraising.donations as donation
      on donation.campaign_id = payment.campaign_id and donation.id = payment.donation_id
    where payment.received_on between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date
      and payment.taken_back_at is null and payment.amount_cents > payment.returned_cents and payment.receipt_id is null
      and donation.status = 'TRANSFERRED' and donation.deleted_at is null and donation.receipt_requested
      and donation.donor_search is not null
      and not exists (
        select
        from fundraising.receipt_donations as certified
        where certified.campaign_id = donation.campaign_id and certified.donation_id = donation.id and certified.live
      )`
}
