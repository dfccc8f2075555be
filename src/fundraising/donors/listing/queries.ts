import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { ListedDonationRow } from '../../donations/all-donations/queries.ts'
import { buildSearchFilter } from '../../donations/all-donations/search-filter.ts'
import { columns } from '../../donations/donation-row.ts'
import type { EncryptionKeys } from '../../encryption/iban-encryption.ts'
import type { DonorFilter } from './schema.ts'

/** A donor as lists show them: identity and sums are read from the donations. */
export interface DonorRow {
  id: string
  /** From the newest donation that has it. */
  name: string
  email: string | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  language: Language | null
  donationCount: number
  firstDonationAt: string
  lastDonationAt: string
  lastReceivedOn: string | null
}

export type DonorSort = 'name' | 'received' | 'lastDonation'

export interface DonorPage {
  sort: DonorSort
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** Finds the ids of the page first, and reads only those donors in full. */
export async function list(
  db: Database,
  filter: DonorFilter,
  keys: EncryptionKeys,
  page: DonorPage
): Promise<{ rows: DonorRow[]; total: number }> {
  const found = await db.all<{ id: string; total: number }>(
    sql`
      with found as (
        select donor.main_id as id, ${sortKeys[page.sort]} as sort_key
        ${livingDonations}
          and ${buildFilter(filter, keys)}
        group by donor.main_id
      )
      select id, count(*) over () as total
      from found
      order by ${orders[page.order]}
      limit ${toLiteral(page.limit)} offset ${toLiteral(page.offset)}`.unprepared()
  )
  const [first] = found
  if (first === undefined && page.offset > 0) {
    return { rows: [], total: (await list(db, filter, keys, { ...page, limit: 1, offset: 0 })).total }
  }
  const byId = new Map(
    (
      await listByIds(
        db,
        found.map(({ id }) => id)
      )
    ).map(row => [row.id, row])
  )
  return { rows: found.flatMap(({ id }) => byId.get(id) ?? []), total: first?.total ?? 0 }
}

/** Donors by the ids of their main donors. */
export async function listByIds(db: Database, ids: string[]): Promise<DonorRow[]> {
  return await db.all(sql`
    with found as (${buildDonors(sql`and donor.main_id = any(${ids}::uuid[])`)})
    select ${donorColumns}
    from found
    order by id`)
}

/** The newest value that is there, among the donations of a donor. */
const newest = (value: Sql, present: Sql) =>
  sql`(array_agg(${value} order by donation.created_at desc, donation.id desc) filter (where ${present} is not null))[1]`

const sortKeys: Record<DonorSort, Sql> = {
  name: newest(sql`donation.donor_search`, sql`donation.donor_search`),
  received: sql`sum(donation.received_cents)`,
  lastDonation: sql`max(donation.created_at)`
}

const orders: Record<DonorPage['order'], Sql> = { asc: sql`sort_key, id`, desc: sql`sort_key desc, id` }

const livingDonations = sql`
  from fundraising.donors as donor
  join fundraising.donor_donations as link on link.donor_id = donor.id
  join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
  where donation.deleted_at is null and donation.erased_at is null`

const donorColumns = sql`
  id, name, email, street, city, country, language,
  postal_code as "postalCode",
  donation_count as "donationCount",
  first_at as "firstDonationAt",
  last_at as "lastDonationAt",
  last_received_on::text as "lastReceivedOn"`

/** One row for each donor with a donation that is neither deleted nor erased. */
function buildDonors(condition: Sql): Sql {
  const [name, email, street] = [sql`donation.donor_name`, sql`donation.email`, sql`donation.address_street`]
  return sql`
    select
      donor.main_id as id,
      ${newest(name, name)} as name,
      ${newest(email, email)} as email,
      ${newest(street, street)} as street,
      ${newest(sql`donation.address_postal_code`, street)} as postal_code,
      ${newest(sql`donation.address_city`, street)} as city,
      ${newest(sql`donation.address_country`, street)} as country,
      ${newest(sql`donation.language`, sql`donation.language`)} as language,
      count(*)::int as donation_count,
      min(donation.created_at) as first_at,
      max(donation.created_at) as last_at,
      max(donation.received_on) as last_received_on
    ${livingDonations} ${condition}
    group by donor.main_id`
}

/** A donor is found if one of their donations is. */
function buildFilter({ search = '', donationId }: DonorFilter, keys: EncryptionKeys): Sql {
  if (search === '' && donationId === undefined) return sql`true`
  return sql`donor.main_id in (
    select matching.main_id
    from fundraising.donations as donation
    join fundraising.donor_donations as link on link.campaign_id = donation.campaign_id and link.donation_id = donation.id
    join fundraising.donors as matching on matching.id = link.donor_id
    where donation.deleted_at is null and donation.erased_at is null
      ${donationId === undefined ? emptySql : sql`and link.donation_id = ${donationId}`}
      ${search === '' ? emptySql : sql`and (${buildSearchFilter(search, keys)})`}
  )`
}

/** The main donor of any donor, also of one that was merged; locked for a change. */
export async function lockMain(tx: Database, id: string): Promise<{ id: string; mainId: string } | undefined> {
  return await tx.maybeOne(sql`
    select id, main_id as "mainId" from fundraising.donors where id = ${id} for update`)
}

export async function findMain(db: Database, id: string): Promise<{ id: string; mainId: string } | undefined> {
  return await db.maybeOne(sql`select id, main_id as "mainId" from fundraising.donors where id = ${id}`)
}

/** The donor itself, and the donors that were merged into it. */
export async function listMembers(db: Database, mainId: string): Promise<string[]> {
  const found = await db.all<{ id: string }>(sql`
    select id from fundraising.donors where main_id = ${mainId} order by id`)
  return found.map(({ id }) => id)
}

/** The page of a donor lists at most this many donations, the newest. */
export const donationsMax = 500

/** Newest first. */
export async function listDonations(db: Database, memberIds: string[]): Promise<ListedDonationRow[]> {
  return await db.all(sql`
    select
      ${columns}, campaign.currency,
      campaign.name as "campaignName",
      campaign.deleted_at is not null as "campaignDeleted",
      donation.created_at::text as moment
    from fundraising.donor_donations as link
    join fundraising.donations as donation on donation.campaign_id = link.campaign_id and donation.id = link.donation_id
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    where link.donor_id = any(${memberIds}::uuid[]) and donation.deleted_at is null
    order by donation.created_at desc, donation.id desc
    limit ${toLiteral(donationsMax)}`)
}

export interface DonorYear {
  donorId: string
  year: number
  currency: string
  receivedCents: number
  paymentCount: number
}

/** Money received by year and currency, without what was returned; newest year first. */
export async function listYears(db: Database, mainIds: string[]): Promise<DonorYear[]> {
  return await db.all(sql`
    select
      donor.main_id as "donorId",
      extract(year from payment.received_on)::int as year,
      campaign.currency,
      sum(payment.amount_cents - payment.returned_cents)::bigint as "receivedCents",
      count(*)::int as "paymentCount"
    from fundraising.donors as donor
    join fundraising.donor_donations as link on link.donor_id = donor.id
    join fundraising.campaigns as campaign on campaign.id = link.campaign_id
    join fundraising.payments as payment on payment.campaign_id = link.campaign_id and payment.donation_id = link.donation_id
    where donor.main_id = any(${mainIds}::uuid[]) and payment.taken_back_at is null
      and payment.amount_cents > payment.returned_cents
    group by 1, 2, 3
    order by 1, 2 desc, 3`)
}
