import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { DonationStatus } from '../../../donations/schema.ts'
import type { MandateQuery, SequenceType } from './schema.ts'

/** The data stored when a donor signs a mandate. */
export interface SignedMandate {
  campaignId: number
  donationId: string
  reference: string
  creditorId: string
  sequenceType: SequenceType
  text: string
  language: Language
  signedAt: string
  signedOn: string
  requestId: string | null
}

export interface MandateRow extends SignedMandate {
  revokedAt: string | null
  donorName: string | null
  amountCents: number
  donationStatus: DonationStatus
  /** The collection that includes the donation, if any. */
  collectionId: number | null
  collectionStatus: string | null
  collectOn: string | null
}

const columns = sql`
  mandate.campaign_id as "campaignId",
  mandate.donation_id as "donationId",
  mandate.reference, mandate.text, mandate.language,
  mandate.creditor_id as "creditorId",
  mandate.sequence_type as "sequenceType",
  mandate.signed_at as "signedAt",
  to_char(mandate.signed_on, 'YYYY-MM-DD') as "signedOn",
  mandate.request_id as "requestId",
  mandate.revoked_at as "revokedAt",
  donation.donor_name as "donorName",
  donation.amount_cents as "amountCents",
  donation.status as "donationStatus",
  collection.id as "collectionId",
  collection.status as "collectionStatus",
  to_char(collection.collect_on, 'YYYY-MM-DD') as "collectOn"`

const joined = sql`
  join fundraising.donations as donation
    on donation.campaign_id = mandate.campaign_id and donation.id = mandate.donation_id
  left join fundraising.collection_items as item
    on item.campaign_id = mandate.campaign_id and item.donation_id = mandate.donation_id and item.is_live
  left join fundraising.collections as collection on collection.id = item.collection_id`

/** Newest first, starting after the given mandate. */
export async function list(
  db: Database,
  filter: Pick<MandateQuery, 'campaignId' | 'status'>,
  page: { beforeId: string | undefined; rows: number }
): Promise<MandateRow[]> {
  return await db.all(sql`
    with page as materialized (
      select mandate.campaign_id, mandate.donation_id
      from fundraising.mandates as mandate
      where ${buildFilter(filter)} ${page.beforeId === undefined ? emptySql : sql`and mandate.donation_id < ${page.beforeId}`}
      order by mandate.donation_id desc
      limit ${toLiteral(page.rows)}
    )
    select ${columns}
    from page
    join fundraising.mandates as mandate
      on mandate.campaign_id = page.campaign_id and mandate.donation_id = page.donation_id ${joined}
    order by mandate.donation_id desc`)
}

export async function count(db: Database, filter: Pick<MandateQuery, 'campaignId' | 'status'>): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from fundraising.mandates as mandate where ${buildFilter(filter)}`)
  return total
}

function buildFilter({ campaignId, status }: Pick<MandateQuery, 'campaignId' | 'status'>): Sql {
  return sql`
    true ${campaignId === undefined ? emptySql : sql`and mandate.campaign_id = ${campaignId}`}
    ${status === undefined ? emptySql : status === 'revoked' ? sql`and mandate.revoked_at is not null` : sql`and mandate.revoked_at is null`}`
}

export async function find(db: Database, campaignId: number, reference: string): Promise<MandateRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.mandates as mandate ${joined}
    where mandate.campaign_id = ${campaignId} and mandate.reference = ${reference}`)
}

export async function findOfDonation(db: Database, campaignId: number, id: string): Promise<MandateRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.mandates as mandate ${joined}
    where mandate.campaign_id = ${campaignId} and mandate.donation_id = ${id}`)
}

export async function listOfDonations(
  db: Database,
  donations: { campaignId: number; id: string }[]
): Promise<MandateRow[]> {
  return await db.all(sql`
    select ${columns}
    from unnest(${donations.map(({ campaignId }) => campaignId)}::bigint[], ${donations.map(({ id }) => id)}::uuid[])
      as wanted (campaign_id, donation_id)
    join fundraising.mandates as mandate
      on mandate.campaign_id = wanted.campaign_id and mandate.donation_id = wanted.donation_id ${joined}
    order by mandate.donation_id`)
}

export async function insert(tx: Database, mandate: SignedMandate): Promise<void> {
  await tx.run(sql`
    insert into fundraising.mandates (
      campaign_id, donation_id, reference, creditor_id, sequence_type, text, language, signed_at, signed_on, request_id
    ) values (
      ${mandate.campaignId}, ${mandate.donationId}, ${mandate.reference}, ${mandate.creditorId}, ${mandate.sequenceType},
      ${mandate.text}, ${mandate.language}, ${mandate.signedAt}, ${mandate.signedOn}::date, ${mandate.requestId}
    )`)
}

/** Deletes the mandates of these donations that were signed before a day. */
export async function removeSignedBefore(
  tx: Database,
  donations: { campaignId: number; id: string }[],
  day: string
): Promise<number> {
  return await tx.run(sql`
    delete from fundraising.mandates as mandate
    using unnest(${donations.map(({ campaignId }) => campaignId)}::bigint[], ${donations.map(({ id }) => id)}::uuid[])
      as wanted (campaign_id, donation_id)
    where mandate.campaign_id = wanted.campaign_id and mandate.donation_id = wanted.donation_id
      and mandate.signed_on < ${day}::date`)
}

export async function setRevoked(tx: Database, campaignId: number, donationId: string, now: Date): Promise<void> {
  await tx.run(sql`
    update fundraising.mandates
    set revoked_at = ${now}
    where campaign_id = ${campaignId} and donation_id = ${donationId}`)
}

/** A donation without a mandate waits for a transfer again. */
export async function switchToTransfer(tx: Database, campaignId: number, donationId: string, now: Date): Promise<void> {
  await tx.run(sql`
    update fundraising.donations
    set payment_method = 'transfer', version = version + 1, updated_at = ${now}
    where campaign_id = ${campaignId} and id = ${donationId} and status = 'IN_PROCESS'`)
}
