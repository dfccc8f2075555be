import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { toLowerBound, toUpperBound } from '../../dates.ts'
import type { DonationRow } from '../donation-row.ts'
import { columns } from '../donation-row.ts'
import type { DonationStatus } from '../schema.ts'
import { buildFilter, type FilterSettings, isEmptyFilter } from './filter.ts'
import type { DonationFilter, DonationListQuery } from './schema.ts'

export interface ListedDonationRow extends DonationRow {
  campaignName: string
  currency: string
  campaignDeleted: boolean
  /** The creation time in full precision, used as the cursor. */
  moment: string
}

const campaignColumns = sql`
  campaign.currency,
  campaign.name as "campaignName",
  campaign.deleted_at is not null as "campaignDeleted",
  donation.created_at::text as moment`

export interface Page {
  sort: NonNullable<DonationListQuery['sort']>
  order: NonNullable<DonationListQuery['order']>
  limit: number
  offset: number
  /** Continues after this row; only for newest first. */
  after?: ListedDonationRow | undefined
}

export async function list(
  db: Database,
  filter: DonationFilter,
  settings: FilterSettings,
  page: Page
): Promise<ListedDonationRow[]> {
  return await db.all(buildListStatement(filter, settings, page))
}

/** Finds the ids of the page first, by index where there is one, and reads only those rows in full. */
export function buildListStatement(filter: DonationFilter, settings: FilterSettings, page: Page): Sql {
  const { after } = page
  return sql`
    with page as materialized (
      select donation.campaign_id, donation.id
      from fundraising.donations as donation
      where ${buildFilter(filter, settings)}
        ${after === undefined ? emptySql : sql`and (donation.created_at, donation.id) < (${after.moment}::timestamptz, ${after.id})`}
      order by ${orders[page.sort][page.order]}
      limit ${toLiteral(page.limit)} offset ${toLiteral(page.offset)}
    )
    select ${columns}, ${campaignColumns}
    from page
    join fundraising.donations as donation on donation.campaign_id = page.campaign_id and donation.id = page.id
    join fundraising.campaigns as campaign on campaign.id = page.campaign_id
    order by ${orders[page.sort][page.order]}`.unprepared()
}

const orders: Record<Page['sort'], Record<Page['order'], Sql>> = {
  createdAt: {
    asc: sql`donation.created_at, donation.id`,
    desc: sql`donation.created_at desc, donation.id desc`
  },
  amount: {
    asc: sql`donation.amount_cents, donation.created_at desc, donation.id desc`,
    desc: sql`donation.amount_cents desc, donation.created_at desc, donation.id desc`
  },
  donorName: {
    asc: sql`donation.donor_search, donation.created_at desc, donation.id desc`,
    desc: sql`donation.donor_search desc, donation.created_at desc, donation.id desc`
  }
}

export async function count(db: Database, filter: DonationFilter, settings: FilterSettings): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    isEmptyFilter(filter)
      ? countOfAll
      : sql`
          select count(*) as total
          from fundraising.donations as donation
          where ${buildFilter(filter, settings)}`.unprepared()
  )
  return total
}

/** Totals already count the live donations, which are most; only the others have to be counted. */
const countOfAll = sql`
  select (
    (select coalesce(sum(donation_count), 0) from fundraising.totals)
    + (select coalesce(sum(donation_count), 0) from fundraising.deltas)
    + (
      select count(*) from fundraising.donations
      where deleted_at is null and status not in ('IN_PROCESS', 'TRANSFERRED')
    )
    + (select count(*) from fundraising.donations where deleted_at is null and review = 'waiting')
  )::bigint as total`

/** The number of matching donations, and a fingerprint that changes whenever one of them changes. */
export async function getFingerprint(
  db: Database,
  filter: DonationFilter,
  settings: FilterSettings
): Promise<{ count: number; fingerprint: string }> {
  return await db.one(
    sql`
      select
        count(*) as count,
        count(*) || '-' || coalesce(sum(hashtextextended(concat_ws(' ',
          donation.id, donation.version, campaign.version), 0)), 0) as fingerprint
      from fundraising.donations as donation
      join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
      where ${buildFilter(filter, settings)}`.unprepared()
  )
}

export interface Sum {
  count: number
  amountCents: number
  receivedCents: number
}

export async function listSumsByStatus(
  db: Database,
  filter: DonationFilter,
  settings: FilterSettings
): Promise<(Sum & { status: DonationStatus; isWaiting: boolean })[]> {
  return await db.all(
    sql`
      select
        donation.status,
        coalesce(donation.review = 'waiting', false) as "isWaiting",
        count(*) as count,
        sum(donation.amount_cents)::bigint as "amountCents",
        sum(donation.received_cents)::bigint as "receivedCents"
      from fundraising.donations as donation
      where ${buildFilter(filter, settings)}
      group by 1, 2`.unprepared()
  )
}

/** Live donations by the day they were made, and received money by its own day; days without any are left out. */
export async function listSumsByDay(
  db: Database,
  filter: DonationFilter,
  settings: FilterSettings,
  { first, last }: { first: string; last: string }
): Promise<(Sum & { date: string })[]> {
  const { from: _from, to: _to, ...unbounded } = filter
  const { timezone } = settings
  return await db.all(
    sql`
      with made as (
        select
          to_char(donation.created_at at time zone ${timezone}, 'YYYY-MM-DD') as date,
          count(*) as count,
          sum(donation.amount_cents)::bigint as cents
        from fundraising.donations as donation
        where ${buildFilter(filter, settings)}
          and donation.status in ('IN_PROCESS', 'TRANSFERRED') and donation.review is distinct from 'waiting'
          and donation.created_at >= ${toLowerBound(first, timezone)}
          and donation.created_at < ${toUpperBound(last, timezone)}
        group by 1
      ), received as (
        select payment.received_on::text as date, sum(payment.amount_cents)::bigint as cents
        from fundraising.payments as payment
        join fundraising.donations as donation
          on donation.campaign_id = payment.campaign_id and donation.id = payment.donation_id
        where payment.received_on between ${first}::date and ${last}::date and payment.taken_back_at is null
          and ${buildFilter(unbounded, settings)}
        group by 1
      )
      select
        date,
        coalesce(made.count, 0) as count,
        coalesce(made.cents, 0) as "amountCents",
        coalesce(received.cents, 0) as "receivedCents"
      from made full join received using (date)`.unprepared()
  )
}
