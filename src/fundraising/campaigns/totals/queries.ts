import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'

/** Sums over the live donations of a campaign; donations that wait for review are not included. */
export interface Totals {
  /** Donations in process or transferred. */
  donatedCents: number
  transferredCents: number
  donationCount: number
}

/** The current totals of a campaign: folded totals plus pending deltas. For statements that join `campaign`. */
export const columns = sql`
  coalesce(totals.donated_cents, 0) + coalesce(pending.donated_cents, 0) as "donatedCents",
  coalesce(totals.transferred_cents, 0) + coalesce(pending.transferred_cents, 0) as "transferredCents",
  coalesce(totals.donation_count, 0) + coalesce(pending.donation_count, 0) as "donationCount"`

/** The sum of offline amounts, which totals of donations do not include. For statements that select from `campaign`. */
export const offlineColumn = buildOfflineColumn(emptySql)

function buildOfflineColumn(filter: Sql): Sql {
  return sql`
    (
      select coalesce(sum(offline.amount_cents), 0)::bigint
      from fundraising.offline_amounts as offline
      where offline.campaign_id = campaign.id ${filter}
    ) as "offlineCents"`
}

const sums = sql`
  sum(deltas.donated_cents)::bigint as donated_cents,
  sum(deltas.transferred_cents)::bigint as transferred_cents,
  sum(deltas.donation_count)::bigint as donation_count`

export const joined = buildJoined(emptySql)

function buildJoined(filter: Sql): Sql {
  return sql`
    left join fundraising.totals on totals.campaign_id = campaign.id
    left join lateral (
      select ${sums} from fundraising.deltas where deltas.campaign_id = campaign.id ${filter}
    ) as pending on true`
}

/** Column and joined tables of some campaigns. They name the ids again, so that Citus asks only the workers of these campaigns. */
export function buildOfCampaigns(ids: number[]): { offlineColumn: Sql; joined: Sql } {
  return {
    offlineColumn: buildOfflineColumn(sql`and offline.campaign_id = any(${ids}::bigint[])`),
    joined: buildJoined(sql`and deltas.campaign_id = any(${ids}::bigint[])`)
  }
}

export async function find(db: Database, campaignId: number): Promise<Totals> {
  return await db.one(sql`
    select ${columns}
    from (select ${campaignId}::bigint as id) as campaign ${joined}`)
}

export async function insertDelta(tx: Database, campaignId: number, delta: Totals): Promise<void> {
  await tx.run(sql`
    insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
    values (${campaignId}, ${delta.donatedCents}, ${delta.transferredCents}, ${delta.donationCount})`)
}

/** Few enough for one short statement, and more than arrive while it runs. */
export const deltasAtOnce = 50_000

/**
 * Moves deltas of all campaigns into their totals; returns how many. Concurrent runs take different deltas, and lock the
 * totals in the same order. One statement for all, because during a busy hour a statement for each campaign would be
 * nearly one for each donation. Rows are deleted by ctid, which is a good plan for three rows as well as thirty thousand:
 * a prepared statement planned on a quiet day must not become quadratic on a busy one.
 */
export async function fold(db: Database): Promise<number> {
  return await foldTaken(
    db,
    sql`ctid = any(array(select ctid from fundraising.deltas limit ${toLiteral(deltasAtOnce)} for update skip locked))`
  )
}

/** Campaigns with deltas, for `foldCampaign`. */
export async function listCampaignsToFold(db: Database): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select distinct campaign_id as id from fundraising.deltas order by id`)
  return rows.map(({ id }) => id)
}

/** The same for one campaign, by key: on Citus, each campaign is on one node, and rows of two nodes may have the same ctid. */
export async function foldCampaign(db: Database, campaignId: number): Promise<number> {
  return await foldTaken(
    db,
    sql`campaign_id = ${campaignId} and id = any(array(
      select id from fundraising.deltas where campaign_id = ${campaignId}
      limit ${toLiteral(deltasAtOnce)} for update skip locked
    ))`
  )
}

async function foldTaken(db: Database, filter: Sql): Promise<number> {
  const { folded } = await db.one<{ folded: number }>(sql`
    with taken as (
      delete from fundraising.deltas
      where ${filter}
      returning deltas.campaign_id, deltas.donated_cents, deltas.transferred_cents, deltas.donation_count
    ), added as (
      insert into fundraising.totals (campaign_id, donated_cents, transferred_cents, donation_count)
      select
        campaign_id, sum(donated_cents)::bigint, sum(transferred_cents)::bigint, sum(donation_count)::bigint
      from taken
      group by campaign_id
      order by campaign_id
      on conflict (campaign_id) do update set
        donated_cents = totals.donated_cents + excluded.donated_cents,
        transferred_cents = totals.transferred_cents + excluded.transferred_cents,
        donation_count = totals.donation_count + excluded.donation_count
    )
    select count(*) as folded from taken`)
  return folded
}

/** Autovacuum runs once a minute, too late for a campaign that is on television. */
export async function vacuumDeltas(db: Database): Promise<void> {
  await db.script('vacuum fundraising.deltas')
}

export interface Difference {
  campaignId: number
  donatedCents: number
  transferredCents: number
  donationCount: number
}

/** Campaigns whose totals differ from the sum of their donations, with the surplus of the totals. */
export async function listDifferences(db: Database): Promise<Difference[]> {
  return await db.all(sql`
    with counted as (
      select campaign_id, donated_cents, transferred_cents, donation_count from fundraising.totals
      union all
      select campaign_id, donated_cents, transferred_cents, donation_count from fundraising.deltas
      union all
      select
        campaign_id,
        -sum(case
          when status = 'IN_PROCESS' and review is distinct from 'waiting' then greatest(amount_cents, received_cents)
          else received_cents
        end),
        -sum(received_cents),
        -count(*) filter (where status in ('IN_PROCESS', 'TRANSFERRED') and review is distinct from 'waiting')
      from fundraising.donations
      group by campaign_id
    )
    select
      campaign_id as "campaignId",
      coalesce(sum(donated_cents), 0)::bigint as "donatedCents",
      coalesce(sum(transferred_cents), 0)::bigint as "transferredCents",
      coalesce(sum(donation_count), 0)::bigint as "donationCount"
    from counted
    group by campaign_id
    having coalesce(sum(donated_cents), 0) <> 0
      or coalesce(sum(transferred_cents), 0) <> 0
      or coalesce(sum(donation_count), 0) <> 0
    order by campaign_id
    limit 100`)
}

/** Donations without a campaign. There are none unless the tables were edited by hand. */
export async function countOrphans(db: Database): Promise<number> {
  const { orphans } = await db.one<{ orphans: number }>(sql`
    select count(*) as orphans
    from fundraising.donations
    where not exists (select 1 from fundraising.campaigns where campaigns.id = donations.campaign_id)`)
  return orphans
}

/** Rows whose parent is missing, in tables without a foreign key. */
export async function countStrays(db: Database): Promise<Record<string, number>> {
  return await db.one(sql`
    select
      (
        select count(*) from fundraising.notes as note
        where not exists (
          select 1 from fundraising.donations as donation
          where donation.campaign_id = note.campaign_id and donation.id = note.donation_id
        )
      ) as "notes belong to no donation",
      (
        select count(*) from fundraising.donation_history as history
        where not exists (
          select 1 from fundraising.donations as donation
          where donation.campaign_id = history.campaign_id and donation.id = history.donation_id
        )
      ) as "changes of status belong to no donation",
      (
        select count(*) from fundraising.donations as donation
        where not exists (
          select 1 from fundraising.donation_history as history
          where history.campaign_id = donation.campaign_id and history.donation_id = donation.id
        )
      ) as "donations have no history"`)
}
