import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/**
 * Removes donations from their donors, and the donors that have none left: with notes, letters and merges. If a donor
 * goes that others were merged into, the first of the others takes its place.
 */
export async function unlinkDonations(tx: Database, donations: DonationKey[]): Promise<number> {
  const unlinked = await tx.all<{ donorId: string }>(sql`
    delete from fundraising.donor_donations as link
    using unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
      as wanted (campaign_id, id)
    where link.campaign_id = wanted.campaign_id and link.donation_id = wanted.id
    returning link.donor_id as "donorId"`)
  const ids = [...new Set(unlinked.map(({ donorId }) => donorId))]
  if (ids.length === 0) return 0
  // Read first: Citus cannot delete rows of the coordinator depending on rows of workers.
  const linked = await tx.all<{ donorId: string }>(sql`
    select distinct donor_id as "donorId" from fundraising.donor_donations where donor_id = any(${ids}::uuid[])`)
  const kept = new Set(linked.map(({ donorId }) => donorId))
  const removed = await tx.all<{ id: string }>(sql`
    delete from fundraising.donors where id = any(${ids.filter(id => !kept.has(id))}::uuid[]) returning id`)
  const gone = removed.map(({ id }) => id)
  if (gone.length === 0) return unlinked.length
  await tx.run(sql`
    update fundraising.donors as donor
    set main_id = (
      select next.id from fundraising.donors as next where next.main_id = donor.main_id order by next.id limit 1
    )
    where donor.main_id = any(${gone}::uuid[])`)
  await tx.run(sql`delete from fundraising.donor_notes where donor_id = any(${gone}::uuid[])`)
  await tx.run(sql`delete from fundraising.donor_letters where donor_id = any(${gone}::uuid[])`)
  await tx.run(sql`
    delete from fundraising.donor_merges where source_id = any(${gone}::uuid[]) or target_id = any(${gone}::uuid[])`)
  await tx.run(sql`
    delete from fundraising.donor_distinctions where one_id = any(${gone}::uuid[]) or other_id = any(${gone}::uuid[])`)
  return unlinked.length
}
