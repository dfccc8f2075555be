import type { Database } from '#platform/database.ts'
import { literal, nothing, type Sql, sql } from '#platform/sql.ts'
import { momentBefore, momentFrom } from '../days.ts'
import type { DonationRow } from '../donations/queries.ts'
import { columns } from '../donations/queries.ts'
import type { DonationStatus } from '../donations/schema.ts'
import { isEmpty, matching } from './filter.ts'
import type { LedgerFilter, LedgerQuery } from './schema.ts'

export interface EntryRow extends DonationRow {
  campaignName: string
  currency: string
  campaignDeleted: boolean
  /** When it was made, to the last digit: where a list goes on. */
  moment: string
}

const ofCampaign = sql`
  campaign.currency,
  campaign.name as "campaignName",
  campaign.deleted_at is not null as "campaignDeleted",
  donation.created_at::text as moment`

export interface Page {
  sort: NonNullable<LedgerQuery['sort']>
  order: NonNullable<LedgerQuery['order']>
  limit: number
  offset: number
  /** Goes on behind this one; only where the newest come first. */
  after?: EntryRow | undefined
}

export async function list(db: Database, filter: LedgerFilter, timezone: string, page: Page): Promise<EntryRow[]> {
  return await db.all(listStatement(filter, timezone, page))
}

/** The page is found first, in the order of an index where there is one, and only its rows are read in full. */
export function listStatement(filter: LedgerFilter, timezone: string, page: Page): Sql {
  const { after } = page
  return sql`
    with page as materialized (
      select donation.campaign_id, donation.id
      from fundraising.donations as donation
      where ${matching(filter, timezone)}
        ${after === undefined ? nothing : sql`and (donation.created_at, donation.id) < (${after.moment}::timestamptz, ${after.id})`}
      order by ${orders[page.sort][page.order]}
      limit ${literal(page.limit)} offset ${literal(page.offset)}
    )
    select ${columns}, ${ofCampaign}
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

export async function count(db: Database, filter: LedgerFilter, timezone: string): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    isEmpty(filter)
      ? countOfAll
      : sql`
          select count(*) as total
          from fundraising.donations as donation
          where ${matching(filter, timezone)}`.unprepared()
  )
  return total
}

/** Most donations count, and those are counted already: only the others are left. */
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

/** How many there are, and a number that changes whenever any of them does. */
export async function fingerprint(
  db: Database,
  filter: LedgerFilter,
  timezone: string
): Promise<{ count: number; print: string }> {
  return await db.one(
    sql`
      select
        count(*) as count,
        count(*) || '-' || coalesce(sum(hashtextextended(concat_ws(' ',
          donation.id, donation.version, campaign.version), 0)), 0) as print
      from fundraising.donations as donation
      join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
      where ${matching(filter, timezone)}`.unprepared()
  )
}

export interface Sum {
  count: number
  amountCents: number
  receivedCents: number
}

export async function listSumsByStatus(
  db: Database,
  filter: LedgerFilter,
  timezone: string
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
      where ${matching(filter, timezone)}
      group by 1, 2`.unprepared()
  )
}

/** Donations that count by the day on which they were made, and what arrived by its own day; days that have any. */
export async function listSumsByDay(
  db: Database,
  filter: LedgerFilter,
  timezone: string,
  { first, last }: { first: string; last: string }
): Promise<(Sum & { date: string })[]> {
  const { from: _from, to: _to, ...unbounded } = filter
  return await db.all(
    sql`
      with made as (
        select
          to_char(donation.created_at at time zone ${timezone}, 'YYYY-MM-DD') as date,
          count(*) as count,
          sum(donation.amount_cents)::bigint as cents
        from fundraising.donations as donation
        where ${matching(filter, timezone)}
          and donation.status in ('IN_PROCESS', 'TRANSFERRED') and donation.review is distinct from 'waiting'
          and donation.created_at >= ${momentFrom(first, timezone)}
          and donation.created_at < ${momentBefore(last, timezone)}
        group by 1
      ), received as (
        select payment.received_on::text as date, sum(payment.amount_cents)::bigint as cents
        from fundraising.payments as payment
        join fundraising.donations as donation
          on donation.campaign_id = payment.campaign_id and donation.id = payment.donation_id
        where payment.received_on between ${first}::date and ${last}::date and payment.taken_back_at is null
          and ${matching(unbounded, timezone)}
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
