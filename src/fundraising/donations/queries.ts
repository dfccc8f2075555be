import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { CampaignStatus, Translations } from '../campaigns/schema.ts'
import { hashToken } from '../encryption/donor-token.ts'
import { type AddressColumn, columns, type DonationRow } from './donation-row.ts'

/** The public sees live donations; treasurers see all that are not deleted. */
export type DonationVisibility = 'live' | 'all'

/** Donations that wait for review are visible to treasurers only. */
const liveFilter = sql`and status in ('IN_PROCESS', 'TRANSFERRED') and review is distinct from 'waiting'`

/** Newest first, starting after the given donation. */
export async function listOfCampaign(
  db: Database,
  campaignId: number,
  which: DonationVisibility,
  page: { beforeId: string | undefined; rows: number }
): Promise<DonationRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.donations as donation
    where campaign_id = ${campaignId} and deleted_at is null ${which === 'live' ? liveFilter : emptySql}
      ${page.beforeId === undefined ? emptySql : sql`and id < ${page.beforeId}`}
    order by id desc
    limit ${toLiteral(page.rows)}`)
}

/** The ids before a page of that list, nearest first; used for paging backwards. */
export async function listIdsBefore(
  db: Database,
  campaignId: number,
  which: DonationVisibility,
  page: { beforeId: string; rows: number }
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    select id
    from fundraising.donations
    where campaign_id = ${campaignId} and deleted_at is null ${which === 'live' ? liveFilter : emptySql}
      and id >= ${page.beforeId}
    order by id
    limit ${toLiteral(page.rows)}`)
  return rows.map(({ id }) => id)
}

/** Counts the donations that the campaign's totals leave out. */
export async function countNotLive(db: Database, campaignId: number): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select (
      select count(*) from fundraising.donations
      where campaign_id = ${campaignId} and deleted_at is null and status not in ('IN_PROCESS', 'TRANSFERRED')
    ) + (
      select count(*) from fundraising.donations
      where campaign_id = ${campaignId} and deleted_at is null and review = 'waiting'
    ) as count`)
  return count
}

/** Changes whenever a donation of the campaign changes. */
export async function getFingerprint(db: Database, campaignId: number): Promise<string> {
  const { fingerprint } = await db.one<{ fingerprint: string }>(sql`
    select count(*) || '-' || coalesce(sum(hashtextextended(concat_ws(' ', id, version), 0)), 0) as fingerprint
    from fundraising.donations
    where campaign_id = ${campaignId} and deleted_at is null`)
  return fingerprint
}

export async function find(
  db: Database,
  campaignId: number,
  id: string,
  which: DonationVisibility
): Promise<DonationRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.donations as donation
    where campaign_id = ${campaignId} and id = ${id} and deleted_at is null ${which === 'live' ? liveFilter : emptySql}`)
}

/**
 * The public donations among the given ids. An id begins with its timestamp, which finds the row by index in any
 * campaign; it can be slightly later than the creation time.
 */
export async function listPublic(db: Database, ids: string[]): Promise<DonationRow[]> {
  const moments = ids.map(id => Number.parseInt(id.replace('-', '').slice(0, 12), 16))
  return await db.all(sql`
    select ${columns}
    from unnest(
      ${ids}::uuid[],
      ${moments.map(moment => new Date(moment - clockSkewMs))}::timestamptz[],
      ${moments.map(moment => new Date(moment + 1))}::timestamptz[]
    ) as wanted (id, after, before)
    join fundraising.donations as donation on donation.created_at between wanted.after and wanted.before
      and donation.id = wanted.id
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    where donation.deleted_at is null and donation.status in ('IN_PROCESS', 'TRANSFERRED')
      and donation.review is distinct from 'waiting'
      and campaign.deleted_at is null and campaign.status <> 'draft'`)
}

/** How much later the timestamp in an id can be than the creation time: see the clock in platform/ids.ts. */
const clockSkewMs = 2000

/** Fields of a campaign that a donor needs to transfer the money. */
export interface DonorCampaign {
  campaignName: string
  campaignLanguage: Language | null
  campaignTranslations: Translations
  campaignStatus: CampaignStatus
  currency: string
  campaignIban: string
  campaignIbanValid: boolean
  campaignAccountName: string
  campaignBankName: string
  /** Of the direct debit mandate, unless it was revoked. */
  mandateReference: string | null
  mandateText: string | null
  creditorId: string | null
  /** The day of the debit, once it is known. */
  collectedOn: string | null
}

/** Finds the donation in any state, even if it or its campaign is deleted, because the donor gave money for it. */
export async function findByToken(db: Database, token: string): Promise<(DonationRow & DonorCampaign) | undefined> {
  return await db.maybeOne(sql`
    select
      ${columns}, campaign.currency,
      campaign.name as "campaignName",
      campaign.language as "campaignLanguage",
      campaign.translations as "campaignTranslations",
      campaign.status as "campaignStatus",
      campaign.account_iban as "campaignIban",
      campaign.account_iban_valid as "campaignIbanValid",
      campaign.account_name as "campaignAccountName",
      campaign.account_bank as "campaignBankName",
      mandate.reference as "mandateReference",
      mandate.text as "mandateText",
      mandate.creditor_id as "creditorId",
      to_char(collection.collect_on, 'YYYY-MM-DD') as "collectedOn"
    from fundraising.donations as donation
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    left join fundraising.mandates as mandate
      on mandate.campaign_id = donation.campaign_id and mandate.donation_id = donation.id and mandate.revoked_at is null
    left join fundraising.collection_items as item
      on item.campaign_id = mandate.campaign_id and item.donation_id = mandate.donation_id and item.is_live
    left join fundraising.collections as collection on collection.id = item.collection_id
    where donation.donor_token_hash = ${hashToken(token)} or donation.donor_token = ${token}`)
}

export async function lock(tx: Database, campaignId: number, id: string): Promise<DonationRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns}
    from fundraising.donations as donation
    where campaign_id = ${campaignId} and id = ${id} and deleted_at is null
    for update`)
}

export async function update(
  tx: Database,
  donation: Pick<
    DonationRow,
    | 'campaignId'
    | 'id'
    | 'status'
    | 'donorName'
    | 'receiptRequested'
    | 'showName'
    | 'message'
    | 'email'
    | 'updatedAt'
    | 'language'
    | 'review'
    | 'messageReview'
    | 'kind'
    | 'inKind'
    | AddressColumn
  >
): Promise<DonationRow> {
  return await tx.one(sql`
    update fundraising.donations as donation
    set
      version = donation.version + 1,
      status = ${donation.status},
      donor_name = ${donation.donorName},
      receipt_requested = ${donation.receiptRequested},
      show_name = ${donation.showName},
      message = ${donation.message},
      email = ${donation.email},
      updated_at = ${donation.updatedAt},
      language = ${donation.language},
      review = ${donation.review},
      message_review = ${donation.messageReview},
      kind = ${donation.kind},
      in_kind = ${donation.inKind === null ? null : JSON.stringify(donation.inKind)},
      address_street = ${donation.street},
      address_postal_code = ${donation.postalCode},
      address_city = ${donation.city},
      address_country = ${donation.country}
    where campaign_id = ${donation.campaignId} and id = ${donation.id}
    returning ${columns}`)
}

export async function setDeleted(tx: Database, campaignId: number, id: string, now: Date): Promise<void> {
  await tx.run(sql`
    update fundraising.donations
    set deleted_at = ${now}, status = 'CANCELLED', review = nullif(review, 'waiting'), version = version + 1, updated_at = ${now}
    where campaign_id = ${campaignId} and id = ${id}`)
}

/** The collection in progress that includes the donation. */
export async function findLiveCollection(
  db: Database,
  campaignId: number,
  donationId: string
): Promise<{ id: number } | undefined> {
  return await db.maybeOne(sql`
    select collection.id
    from fundraising.collection_items as item
    join fundraising.collections as collection on collection.id = item.collection_id
    where item.campaign_id = ${campaignId} and item.donation_id = ${donationId} and item.is_live
      and collection.status in ('made', 'submitted')`)
}
