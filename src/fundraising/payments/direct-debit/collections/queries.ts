import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Translations } from '../../../campaigns/schema.ts'
import type { StoredToken } from '../../../encryption/donor-token.ts'
import type { SequenceType } from '../mandates/schema.ts'
import { itemDonation } from './item-queries.ts'
import type { CollectionStatus, WarningCode } from './schema.ts'

/** Donations that the bank books together. */
export interface CollectionBlock {
  account: string
  sequenceType: SequenceType
  count: number
  amountCents: number
}

export type StoredBlock = Omit<CollectionBlock, 'sequenceType'> & Partial<Pick<CollectionBlock, 'sequenceType'>>

/** Donations skipped for the same reason. */
export interface SkippedDonations {
  code: WarningCode
  count: number
  references: string[]
}

/** What a collection created now would contain. */
export interface Preview {
  blocks: CollectionBlock[]
  skipped: SkippedDonations[]
  notNotifiedCount: number
  earliestOn: string
}

export interface NewCollectionRow {
  collectOn: string
  messageId: string
  creditorId: string
  creditorName: string
  batchBooking: boolean
  count: number
  amountCents: number
  notifiedCount: number
  blocks: CollectionBlock[]
  skipped: SkippedDonations[]
}

export interface CollectionRow extends Omit<NewCollectionRow, 'blocks'> {
  blocks: StoredBlock[]
  id: number
  version: number
  status: CollectionStatus
  createdAt: string
  updatedAt: string
  actor: string
}

const columns = sql`
  collection.id, collection.version, collection.status, collection.actor, collection.blocks,
  collection.collect_on as "collectOn",
  collection.message_id as "messageId",
  collection.creditor_id as "creditorId",
  collection.creditor_name as "creditorName",
  collection.batch_booking as "batchBooking",
  collection.donation_count as count,
  collection.amount_cents as "amountCents",
  collection.notified_count as "notifiedCount",
  collection.left_out as skipped,
  collection.created_at as "createdAt",
  collection.updated_at as "updatedAt"`

/** Newest first, starting after the given collection. */
export async function list(
  db: Database,
  page: { beforeId: number | undefined; rows: number }
): Promise<CollectionRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.collections as collection
    where true ${page.beforeId === undefined ? emptySql : sql`and id < ${page.beforeId}`}
    order by id desc
    limit ${toLiteral(page.rows)}`)
}

export async function count(db: Database): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`select count(*) as total from fundraising.collections`)
  return total
}

export async function find(db: Database, id: number): Promise<CollectionRow | undefined> {
  return await db.maybeOne(sql`select ${columns} from fundraising.collections as collection where id = ${id}`)
}

/** Finds collections by the message id of their file, which the bank repeats with the credit. */
export async function listByMessageIds(db: Database, messageIds: string[]): Promise<CollectionRow[]> {
  if (messageIds.length === 0) return []
  return await db.all(sql`
    select ${columns} from fundraising.collections as collection where message_id = any(${messageIds}::text[]) order by id`)
}

export async function listByIds(db: Database, ids: number[]): Promise<CollectionRow[]> {
  if (ids.length === 0) return []
  return await db.all(sql`
    select ${columns} from fundraising.collections as collection where id = any(${ids}::bigint[]) order by id`)
}

export async function lock(tx: Database, id: number): Promise<CollectionRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns} from fundraising.collections as collection where id = ${id} for update`)
}

/**
 * Serialises the creation of collections: the next one waits until this one is committed and then sees it, so that two
 * cannot include the same donations. Creating one is quick and happens a few times a year.
 */
export async function lockCollections(tx: Database): Promise<void> {
  await tx.run(sql`lock table fundraising.collections in share row exclusive mode`)
}

export async function insert(tx: Database, row: NewCollectionRow, actor: string, now: Date): Promise<CollectionRow> {
  return await tx.one(sql`
    insert into fundraising.collections as collection (
      status, collect_on, message_id, creditor_id, creditor_name, batch_booking, donation_count, amount_cents,
      notified_count, blocks, left_out, created_at, updated_at, actor
    ) values (
      'made', ${row.collectOn}::date, ${row.messageId}, ${row.creditorId}, ${row.creditorName}, ${row.batchBooking},
      ${row.count}, ${row.amountCents}, ${row.notifiedCount}, ${JSON.stringify(row.blocks)},
      ${JSON.stringify(row.skipped)}, ${now}, ${now}, ${actor}
    )
    returning ${columns}`)
}

export async function setStatus(tx: Database, id: number, status: CollectionStatus, now: Date): Promise<CollectionRow> {
  return await tx.one(sql`
    update fundraising.collections as collection
    set status = ${status}, version = collection.version + 1, updated_at = ${now}
    where id = ${id}
    returning ${columns}`)
}

export interface PreNotificationRow extends StoredToken {
  email: string | null
  donorName: string | null
  language: Language | null
  reference: string
  amountCents: number
  status: CollectionStatus
  collectOn: string
  creditorId: string
  creditorName: string
  campaignName: string
  campaignTranslations: Translations
  encryptedIban: Buffer | null
}

/** The data for the pre-notification e-mail, as long as the donation is still to be collected. */
export async function findPreNotification(
  db: Database,
  of: { collectionId: number; campaignId: number; donationId: string }
): Promise<PreNotificationRow | undefined> {
  return await db.maybeOne(sql`
    select
      donation.email, donation.language, item.reference, collection.status,
      donation.donor_name as "donorName",
      item.amount_cents as "amountCents",
      collection.collect_on as "collectOn",
      collection.creditor_id as "creditorId",
      collection.creditor_name as "creditorName",
      campaign.name as "campaignName",
      campaign.translations as "campaignTranslations",
      donation.iban_encrypted as "encryptedIban",
      donation.donor_token_encrypted as "encryptedToken",
      donation.donor_token as "plaintextToken"
    from fundraising.collection_items as item ${itemDonation}
    join fundraising.collections as collection on collection.id = item.collection_id
    join fundraising.campaigns as campaign on campaign.id = item.campaign_id
    where item.campaign_id = ${of.campaignId} and item.donation_id = ${of.donationId}
      and item.collection_id = ${of.collectionId} and item.is_live and donation.payment_method = 'direct_debit'`)
}

/** For `doctor`: collections whose count or sum differs from their items, with the surplus. */
export async function listDifferences(db: Database): Promise<{ id: number; count: number; amountCents: number }[]> {
  return await db.all(sql`
    select
      collection.id,
      (collection.donation_count - count(item.donation_id))::int as count,
      (collection.amount_cents - coalesce(sum(item.amount_cents), 0))::bigint as "amountCents"
    from fundraising.collections as collection
    left join fundraising.collection_items as item on item.collection_id = collection.id
    group by collection.id
    having collection.donation_count <> count(item.donation_id)
      or collection.amount_cents <> coalesce(sum(item.amount_cents), 0)
    order by collection.id
    limit 100`)
}
