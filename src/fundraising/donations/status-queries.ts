import type { Database } from '#platform/database.ts'
import { sql } from '#platform/sql.ts'
import { columns, type DonationRow } from './queries.ts'
import type { DonationStatus, Review } from './schema.ts'

interface OneDonation {
  campaignId: number
  id: string
}

/**
 * Locks many, always in the same order, so that two who want some of the same do not wait for each other. Also those that were deleted
 * or whose campaign was: money comes for them all the same.
 */
export async function lockAll(tx: Database, wanted: OneDonation[]): Promise<DonationRow[]> {
  if (wanted.length === 0) return []
  return await tx.all(sql`
    select ${columns}
    from fundraising.donations as donation
    where (donation.campaign_id, donation.id) in (
      select campaign_id, id
      from unnest(${wanted.map(one => one.campaignId)}::bigint[], ${wanted.map(one => one.id)}::uuid[])
        as wanted (campaign_id, id)
    )
    order by donation.campaign_id, donation.id
    for update of donation`)
}

/** None of them is deleted any more: there is money to it. Planned for how many there are: what is best for one takes seconds for hundreds. */
export async function setStatuses(
  tx: Database,
  moves: (OneDonation & { status: DonationStatus; review: Review | null })[],
  now: Date
): Promise<DonationRow[]> {
  const moved = sql`
    update fundraising.donations as donation
    set
      status = move.status,
      review = move.review,
      version = donation.version + 1,
      updated_at = ${now},
      deleted_at = null
    from unnest(
      ${moves.map(move => move.campaignId)}::bigint[],
      ${moves.map(move => move.id)}::uuid[],
      ${moves.map(move => move.status)}::text[],
      ${moves.map(move => move.review)}::text[]
    ) as move (campaign_id, id, status, review)
    where donation.campaign_id = move.campaign_id and donation.id = move.id
    returning ${columns}`
  return await tx.all(moved.unprepared())
}

/** Says in the history on which day the bank moved the money; `number` is that of the row. */
export async function setDays(tx: Database, rows: (OneDonation & { number: number; day: string })[]): Promise<void> {
  if (rows.length === 0) return
  await tx.run(sql`
    update fundraising.donation_history as history
    set day = moved.day
    from unnest(
      ${rows.map(row => row.campaignId)}::bigint[],
      ${rows.map(row => row.id)}::uuid[],
      ${rows.map(row => row.number)}::int[],
      ${rows.map(row => row.day)}::date[]
    ) as moved (campaign_id, donation_id, number, day)
    where history.campaign_id = moved.campaign_id and history.donation_id = moved.donation_id
      and history.number = moved.number`)
}
