import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { literal, type Sql, sql } from '#platform/sql.ts'
import type { DonationKind, InKind } from '../donation-kind.ts'
import type { DonationStatus } from '../donations/schema.ts'
import type { CertifiedLine } from './content.ts'

interface OneDonation {
  campaignId: number
  id: string
}

/** What came for a donation, as a receipt looks at it: a line that it may certify, and whose it is. */
export interface Candidate {
  campaignId: number
  id: string
  kind: DonationKind
  inKind: InKind | null
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
  donation.amount_cents as "amountCents",
  donation.kind,
  donation.in_kind as "inKind",
  campaign.currency,
  donation.donor_name as "donorName",
  donation.donor_search as "donorSearch",
  donation.account_print as "accountPrint",
  donation.address_street as street,
  donation.address_postal_code as "postalCode",
  donation.address_city as city,
  donation.address_country as country,
  donation.receipt_requested as "receiptRequested",
  to_char(received.day, 'YYYY-MM-DD') as "receivedOn",
  (
    select receipt.number
    from fundraising.receipt_donations as certified
    join fundraising.receipts as receipt on receipt.id = certified.receipt_id
    where certified.campaign_id = donation.campaign_id and certified.donation_id = donation.id and certified.live
  ) as "receiptNumber"`

const candidateTables = (timezone: string) => sql`
  fundraising.donations as donation
  join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
  left join lateral (
    select coalesce(history.day, (history.at at time zone ${timezone})::date) as day
    from fundraising.donation_history as history
    where history.campaign_id = donation.campaign_id and history.donation_id = donation.id
      and history.status = 'TRANSFERRED'
    order by history.number desc
    limit 1
  ) as received on true`

/** The line of a receipt that certifies it. */
export function toLine({ campaignId, id, reference, receivedOn, amountCents, kind, inKind }: Candidate): CertifiedLine {
  return {
    ...{ campaignId, id, reference, receivedOn: receivedOn ?? '', amountCents, kind },
    ...(inKind === null ? {} : { inKind })
  }
}

/** One at a time issues to the people of a name, so that nobody claims a period that another is about to claim. */
export async function lockName(tx: Database, name: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('fundraising.receipts'), hashtext(${name}))`)
}

/** Holds the donations until the receipt is there: nobody moves them on meanwhile. */
export async function lockCandidates(tx: Database, donations: OneDonation[], timezone: string): Promise<Candidate[]> {
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
    from ${candidateTables(timezone)}
    where (donation.campaign_id, donation.id) in (
      select campaign_id, id
      from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
        as wanted (campaign_id, id)
    ) and donation.deleted_at is null
    order by received.day, donation.campaign_id, donation.id`)
}

/** The day the money of a donation came; null while it has not. */
export async function findReceivedOn(
  db: Database,
  { campaignId, id }: OneDonation,
  timezone: string
): Promise<string | null> {
  const found = await db.maybeOne<{ day: string }>(sql`
    select to_char(coalesce(day, (at at time zone ${timezone})::date), 'YYYY-MM-DD') as day
    from fundraising.donation_history
    where campaign_id = ${campaignId} and donation_id = ${id} and status = 'TRANSFERRED'
    order by number desc
    limit 1`)
  return found?.day ?? null
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
export async function listOfName(db: Database, name: string, year: number, timezone: string): Promise<Candidate[]> {
  return await db.all(sql`
    select ${candidateColumns}
    from ${candidateTables(timezone)}
    where donation.donor_search = ${name} and donation.status = 'TRANSFERRED' and donation.deleted_at is null
      and extract(year from received.day) = ${year}
    order by received.day, donation.campaign_id, donation.id
    limit 5000`)
}

/** Who wants a receipt for something that came in a year and has none: the names behind a given one, in order. */
export async function listNamesWithout(
  db: Database,
  { year, timezone, after }: { year: number; timezone: string; after: string }
): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select distinct donation.donor_search as name
    from ${withoutReceipt(year, timezone)} and donation.donor_search > ${after}
    order by name
    limit 200`)
  return rows.map(({ name }) => name)
}

export async function countNamesWithout(db: Database, year: number, timezone: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct donation.donor_search) as count
    from ${withoutReceipt(year, timezone)}`)
  return count
}

/** Everybody of whom something came in a year: the names behind a given one, in order. */
export async function listNames(
  db: Database,
  { year, timezone, after, rows }: { year: number; timezone: string; after: string; rows: number }
): Promise<string[]> {
  const found = await db.all<{ name: string }>(sql`
    select distinct donation.donor_search as name
    from ${receivedIn(year, timezone)} and donation.donor_search > ${after}
    order by name
    limit ${literal(rows)}`)
  return found.map(({ name }) => name)
}

export async function countNames(db: Database, year: number, timezone: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct donation.donor_search) as count
    from ${receivedIn(year, timezone)}`)
  return count
}

/** What came in a year of people whose name nobody knows, or knows any more. */
export async function listNameless(db: Database, year: number, timezone: string): Promise<Candidate[]> {
  return await db.all(sql`
    select ${candidateColumns}
    from ${candidateTables(timezone)}
    where (donation.campaign_id, donation.id) in (
      select donation.campaign_id, donation.id
      from ${receivedIn(year, timezone)} and donation.donor_search is null
      order by donation.id
      limit 200
    )
    order by received.day, donation.campaign_id, donation.id`)
}

function withoutReceipt(year: number, timezone: string): Sql {
  return sql`
    ${receivedIn(year, timezone)} and donation.receipt_requested and donation.donor_search is not null
      and not exists (
        select
        from fundraising.receipt_donations as certified
        where certified.campaign_id = donation.campaign_id and certified.donation_id = donation.id and certified.live
      )`
}

/** The index has days of UTC, so it is asked for a day more to either side. */
function receivedIn(year: number, timezone: string): Sql {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`]
  return sql`
    fundraising.donation_history as history
    join fundraising.donations as donation
      on donation.campaign_id = history.campaign_id and donation.id = history.donation_id
    where history.status = 'TRANSFERRED'
      and coalesce(history.day, (history.at at time zone 'UTC')::date) between ${first}::date - 1 and ${last}::date + 1
      and coalesce(history.day, (history.at at time zone ${timezone})::date) between ${first}::date and ${last}::date
      and donation.status = 'TRANSFERRED' and donation.deleted_at is null`
}
