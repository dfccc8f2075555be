import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationKey } from '../../../campaigns/by-campaign.ts'
import type { DonationRow } from '../../../donations/donation-row.ts'
import type { DonationStatus } from '../../../donations/schema.ts'
import { lockDonations } from '../../../donations/status-queries.ts'
import type { SequenceType } from '../mandates/schema.ts'
import type { EligibleDonation } from './eligible-donations.ts'
import type { StoredBlock } from './queries.ts'

export interface CollectionItem extends EligibleDonation {
  remittance: string
}

/** Keeps the given order. */
export async function insertItems(tx: Database, collectionId: number, items: CollectionItem[]): Promise<void> {
  await tx.run(sql`
    insert into fundraising.collection_items (
      collection_id, position, campaign_id, donation_id, reference, amount_cents, account_iban, remittance, signed_on
    )
    select ${collectionId}, position, campaign_id, donation_id, reference, amount_cents, account_iban, remittance, signed_on
    from unnest(
      ${items.map(item => item.campaignId)}::bigint[], ${items.map(item => item.donationId)}::uuid[],
      ${items.map(item => item.reference)}::text[], ${items.map(item => item.amountCents)}::bigint[],
      ${items.map(item => item.account)}::text[], ${items.map(item => item.remittance)}::text[],
      ${items.map(item => item.signedOn)}::date[]
    ) with ordinality as item (
      campaign_id, donation_id, reference, amount_cents, account_iban, remittance, signed_on, position
    )`)
}

export interface CollectionItemRow {
  position: number
  campaignId: number
  donationId: string
  reference: string
  amountCents: number
  account: string
  donorName: string | null
  status: DonationStatus
}

const itemColumns = sql`
  item.position, item.reference,
  item.campaign_id as "campaignId",
  item.donation_id as "donationId",
  item.amount_cents as "amountCents",
  item.account_iban as account,
  donation.donor_name as "donorName",
  donation.status`

export const itemDonation = sql`
  join fundraising.donations as donation on donation.campaign_id = item.campaign_id and donation.id = item.donation_id`

/** In file order, starting after a position. */
export async function listItems(
  db: Database,
  collectionId: number,
  page: { afterPosition: number; rows: number }
): Promise<CollectionItemRow[]> {
  return await db.all(sql`
    select ${itemColumns}
    from fundraising.collection_items as item ${itemDonation}
    where item.collection_id = ${collectionId} and item.position > ${page.afterPosition}
    order by item.position
    limit ${toLiteral(page.rows)}`)
}

/** Locks donations of one block, or of all, that are neither booked nor failed. Ordered by id, the lock order. */
export async function lockStillInProcess(
  tx: Database,
  collectionId: number,
  rows: number,
  block?: Pick<StoredBlock, 'account' | 'sequenceType'>
): Promise<DonationRow[]> {
  // Listed and then locked, because Citus locks rows of one campaign per statement. If all of them changed in between, others may be left.
  for (;;) {
    const found = await tx.all<DonationKey>(sql`
      select donation.campaign_id as "campaignId", donation.id
      from fundraising.collection_items as item ${itemDonation}
      where item.collection_id = ${collectionId} and item.is_live
        and donation.status = 'IN_PROCESS' and donation.deleted_at is null
        ${block === undefined ? emptySql : buildBlockFilter(block)}
      order by donation.campaign_id, donation.id
      limit ${toLiteral(rows)}`)
    const locked = (await lockDonations(tx, found)).filter(({ status }) => status === 'IN_PROCESS')
    if (found.length === 0 || locked.length > 0) return locked
  }
}

function buildBlockFilter({ account, sequenceType }: Pick<StoredBlock, 'account' | 'sequenceType'>): Sql {
  return sql`
    and item.account_iban = ${account}
    ${
      // Older files have one block per account.
      sequenceType === undefined
        ? emptySql
        : sql`and exists (
            select 1 from fundraising.mandates as mandate
            where mandate.campaign_id = item.campaign_id and mandate.donation_id = item.donation_id
              and mandate.sequence_type = ${sequenceType}
          )`
    }`
}

/** References of donations that changed since the file was created, so that the file is wrong. */
export async function listChangedReferences(db: Database, collectionId: number): Promise<string[]> {
  const rows = await db.all<{ reference: string }>(sql`
    select item.reference
    from fundraising.collection_items as item ${itemDonation}
    where item.collection_id = ${collectionId} and (
      donation.status <> 'IN_PROCESS' or donation.payment_method <> 'direct_debit' or donation.deleted_at is not null
      or donation.iban_encrypted is null or donation.review = 'waiting'
    )
    order by item.position`)
  return rows.map(({ reference }) => reference)
}

export interface DebitRow {
  reference: string
  amountCents: number
  signedOn: string
  account: string
  sequenceType: SequenceType
  remittance: string
  accountName: string | null
  encryptedIban: Buffer | null
}

/** All debits of a file, in its order. */
export async function listDebits(db: Database, collectionId: number): Promise<DebitRow[]> {
  return await db.all(sql`
    select
      item.reference, item.remittance,
      item.amount_cents as "amountCents",
      to_char(item.signed_on, 'YYYY-MM-DD') as "signedOn",
      item.account_iban as account,
      coalesce(mandate.sequence_type, 'RCUR') as "sequenceType",
      donation.account_name as "accountName",
      donation.iban_encrypted as "encryptedIban"
    from fundraising.collection_items as item ${itemDonation}
    left join fundraising.mandates as mandate
      on mandate.campaign_id = item.campaign_id and mandate.donation_id = item.donation_id
    where item.collection_id = ${collectionId}
    order by item.position`)
}

/** Frees the donations for another collection. */
export async function releaseItems(tx: Database, collectionId: number): Promise<void> {
  await tx.run(sql`
    update fundraising.collection_items
    set is_live = false
    where collection_id = ${collectionId}`)
}
