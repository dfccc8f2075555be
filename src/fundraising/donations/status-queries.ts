import type { Database } from '#platform/database.ts'
import { sql } from '#platform/sql.ts'
import { columns, type DonationRow } from './queries.ts'

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

/**
 * Writes status and received money of many. None of them is deleted any more: there is money to it, or it failed in the bank's books.
 * Planned for how many there are: what is best for one takes seconds for hundreds.
 */
export async function setMoney(
  tx: Database,
  changes: (OneDonation & Pick<DonationRow, 'status' | 'review' | 'receivedCents' | 'receivedOn'>)[],
  now: Date
): Promise<DonationRow[]> {
  const changed = sql`
    update fundraising.donations as donation
    set
      status = change.status,
      review = change.review,
      received_cents = change.received_cents,
      received_on = change.received_on,
      version = donation.version + 1,
      updated_at = ${now},
      deleted_at = null
    from unnest(
      ${changes.map(one => one.campaignId)}::bigint[],
      ${changes.map(one => one.id)}::uuid[],
      ${changes.map(one => one.status)}::text[],
      ${changes.map(one => one.review)}::text[],
      ${changes.map(one => one.receivedCents)}::bigint[],
      ${changes.map(one => one.receivedOn)}::date[]
    ) as change (campaign_id, id, status, review, received_cents, received_on)
    where donation.campaign_id = change.campaign_id and donation.id = change.id
    returning ${columns}`
  return await tx.all(changed.unprepared())
}

/** Says that a donation was made out of a bank entry: its first status came from there. */
export async function setEntryOfHistory(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: string },
  entry: { statementId: number; id: string }
): Promise<void> {
  await tx.run(sql`
    update fundraising.donation_history
    set statement_id = ${entry.statementId}, entry_id = ${entry.id}
    where campaign_id = ${campaignId} and donation_id = ${id} and number = 1`)
}
