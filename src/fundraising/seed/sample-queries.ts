import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { unlinkDonations } from '../donors/linking/unlink.ts'

/** A donation of a sample campaign, with the reasons that forbid its removal. */
export interface SampleDonation {
  id: string
  reference: string
  /** Money arrived and the payment was not taken back; later returns count too. */
  isReceived: boolean
  hasEntry: boolean
  isCollected: boolean
  receiptNumber: string | null
}

/** Locks a campaign, also a deleted one, so that it cannot be edited while it is removed. */
export async function lockCampaign(
  tx: Database,
  id: number
): Promise<{ name: string; isOpen: boolean; isDeleted: boolean } | undefined> {
  return await tx.maybeOne(sql`
    select name, status = 'open' and deleted_at is null as "isOpen", deleted_at is not null as "isDeleted"
    from fundraising.campaigns
    where id = ${id}
    for update`)
}

/** The campaigns of the donations; if sample campaigns were edited, these can be others. */
export async function listCampaignIds(db: Database, donationIds: string[]): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select distinct campaign_id as id from fundraising.donations where id = any(${donationIds}::uuid[])`)
  return rows.map(({ id }) => id)
}

/** Locks all donations of a campaign, including deleted ones, until the transaction ends. */
export async function lockDonations(tx: Database, campaignId: number): Promise<SampleDonation[]> {
  // Lock first: columns read in the same statement as the lock can be older than the lock.
  await tx.run(sql`
    select 1 from fundraising.donations where campaign_id = ${campaignId} order by id for update`)
  return await tx.all(sql`
    select
      donation.id, donation.reference,
      exists (
        select 1 from fundraising.payments as payment
        where payment.campaign_id = donation.campaign_id and payment.donation_id = donation.id and payment.taken_back_at is null
      ) as "isReceived",
      entry.donation_id is not null or exists (
        select 1 from fundraising.payments as payment
        where payment.campaign_id = donation.campaign_id and payment.donation_id = donation.id
          and payment.taken_back_at is null and payment.entry_id is not null
      ) as "hasEntry",
      exists (
        select 1 from fundraising.collection_items as item
        where item.campaign_id = donation.campaign_id and item.donation_id = donation.id
      ) as "isCollected",
      receipt.number as "receiptNumber"
    from fundraising.donations as donation
    left join (
      select distinct donation_id from fundraising.statement_entries where campaign_id = ${campaignId}
    ) as entry on entry.donation_id = donation.id
    left join (
      select certified.donation_id, min(receipt.number) as number
      from fundraising.receipt_donations as certified
      join fundraising.receipts as receipt on receipt.id = certified.receipt_id
      where certified.campaign_id = ${campaignId} and certified.live
      group by certified.donation_id
    ) as receipt on receipt.donation_id = donation.id
    where donation.campaign_id = ${campaignId}
    order by donation.id`)
}

/** Tables with rows that belong to donations. Add new tables here. */
const tablesOfDonations: Sql[] = [
  sql`fundraising.payments`,
  sql`fundraising.donation_history`,
  sql`fundraising.notes`,
  sql`fundraising.news_consents`,
  sql`fundraising.mandates`,
  sql`fundraising.receipt_donations`
]

/** Deletes donations permanently with all dependent rows; the caller updates the campaign's totals. */
export async function removeDonations(tx: Database, campaignId: number, ids: string[]): Promise<void> {
  await unlinkDonations(
    tx,
    ids.map(id => ({ campaignId, id }))
  )
  for (const table of tablesOfDonations) {
    await tx.run(sql`delete from ${table} where campaign_id = ${campaignId} and donation_id = any(${ids}::uuid[])`)
  }
  await tx.run(sql`
    delete from fundraising.donations where campaign_id = ${campaignId} and id = any(${ids}::uuid[])`)
}

/** Deletes a campaign without donations. Deltas before totals, because the job may be folding deltas into totals. */
export async function removeCampaign(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from fundraising.deltas where campaign_id = ${id}`)
  await tx.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
  await tx.run(sql`delete from fundraising.campaign_updates where campaign_id = ${id}`)
  await tx.run(sql`delete from fundraising.campaign_presentations where campaign_id = ${id}`)
  await tx.run(sql`delete from fundraising.campaign_stories where campaign_id = ${id}`)
  await tx.run(sql`delete from fundraising.offline_amounts where campaign_id = ${id}`)
  await tx.run(sql`delete from fundraising.campaigns where id = ${id}`)
}

/** Receipts that certify one of the donations, or any donation of the campaigns. */
export async function listReceipts(
  db: Database,
  marked: { campaigns: number[]; donations: string[] }
): Promise<{ number: string }[]> {
  return await db.all(sql`
    select distinct receipt.number
    from fundraising.receipt_donations as certified
    join fundraising.receipts as receipt on receipt.id = certified.receipt_id
    where certified.live
      and (certified.campaign_id = any(${marked.campaigns}::bigint[]) or certified.donation_id = any(${marked.donations}::uuid[]))
    order by receipt.number
    limit 100`)
}
