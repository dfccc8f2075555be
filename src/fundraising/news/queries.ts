import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { hashToken } from '../encryption/donor-token.ts'
import type { NewsConsent, NewsEnding } from './schema.ts'

interface DonationKey {
  campaignId: number
  id: string
}

const columns = sql`
  consent.text,
  consent.agreed_at as "agreedAt",
  consent.ended_at as "endedAt",
  consent.ended_by as "endedBy"`

export async function insert(
  tx: Database,
  { campaignId, id }: DonationKey,
  { text, encryptedToken, tokenHash }: { text: string; encryptedToken: Buffer; tokenHash: Buffer },
  now: Date
): Promise<void> {
  await tx.run(sql`
    insert into fundraising.news_consents (campaign_id, donation_id, text, agreed_at, token_encrypted, token_hash)
    values (${campaignId}, ${id}, ${text}, ${now}, ${encryptedToken}, ${tokenHash})`)
}

export async function findOfDonation(db: Database, { campaignId, id }: DonationKey): Promise<NewsConsent | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.news_consents as consent
    where consent.campaign_id = ${campaignId} and consent.donation_id = ${id}`)
}

export interface NewsConsentOfDonation extends NewsConsent {
  campaignId: number
  donationId: string
}

export async function listOfDonations(db: Database, donations: DonationKey[]): Promise<NewsConsentOfDonation[]> {
  return await db.all(sql`
    select ${columns}, consent.campaign_id as "campaignId", consent.donation_id as "donationId"
    from ${unnestKeys(donations)}
    join fundraising.news_consents as consent
      on consent.campaign_id = wanted.campaign_id and consent.donation_id = wanted.id
    order by consent.agreed_at, consent.donation_id`)
}

export async function removeOfDonations(tx: Database, donations: DonationKey[]): Promise<number> {
  return await tx.run(sql`
    delete from fundraising.news_consents as consent
    using ${unnestKeys(donations)}
    where consent.campaign_id = wanted.campaign_id and consent.donation_id = wanted.id`)
}

/**
 * Consents that count: not ended, with an address, and for money that was received, because the address of a pledge may
 * belong to another person.
 */
const activeConsents = sql`
  from fundraising.news_consents as consent
  join fundraising.donations as donation
    on donation.campaign_id = consent.campaign_id and donation.id = consent.donation_id
  where consent.ended_at is null and donation.email is not null and donation.status = 'TRANSFERRED'
    and donation.deleted_at is null`

/** One donation per address: the latest that the donor agreed with. */
export async function listRecipients(db: Database, campaignId: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    select distinct on (lower(donation.email)) consent.donation_id as id
    ${activeConsents} and consent.campaign_id = ${campaignId}
    order by lower(donation.email), consent.donation_id desc`)
  return rows.map(({ id }) => id)
}

export async function countRecipients(db: Database, campaignId: number): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(distinct lower(donation.email)) as total ${activeConsents} and consent.campaign_id = ${campaignId}`)
  return total
}

export interface NewsRecipient {
  email: string
  donorName: string | null
  language: Language | null
  encryptedToken: Buffer
}

/** Undefined if the donor unsubscribed or was erased, if the money was returned, or if the key of the token is lost. */
export async function findRecipient(db: Database, { campaignId, id }: DonationKey): Promise<NewsRecipient | undefined> {
  return await db.maybeOne(sql`
    select donation.email, donation.language, consent.token_encrypted as "encryptedToken", donation.donor_name as "donorName"
    ${activeConsents} and consent.campaign_id = ${campaignId} and consent.donation_id = ${id}
      and consent.token_encrypted is not null`)
}

export interface NewsRow extends DonationKey {
  campaignName: string
  campaignLanguage: Language | null
  isActive: boolean
}

/** Finds the consent also if the campaign is deleted, because its emails keep their links. */
export async function findByToken(db: Database, token: string): Promise<NewsRow | undefined> {
  return await db.maybeOne(sql`
    select
      consent.campaign_id as "campaignId",
      consent.donation_id as id,
      campaign.name as "campaignName",
      campaign.language as "campaignLanguage",
      consent.ended_at is null as "isActive"
    from fundraising.news_consents as consent
    join fundraising.campaigns as campaign on campaign.id = consent.campaign_id
    where consent.token_hash = ${hashToken(token)}`)
}

/** Ends the consent and all others of the same address to the same campaign. Returns the donations of those that ended. */
export async function end(tx: Database, { campaignId, id }: DonationKey, by: NewsEnding, now: Date): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(sql`
    update fundraising.news_consents as consent
    set ended_at = ${now}, ended_by = ${by}
    from fundraising.donations as own, fundraising.donations as other
    where own.campaign_id = ${campaignId} and own.id = ${id}
      and other.campaign_id = ${campaignId}
      and (other.id = own.id or lower(other.email) = lower(own.email))
      and consent.campaign_id = ${campaignId} and consent.donation_id = other.id and consent.ended_at is null
    returning consent.donation_id as id`)
  return rows.map(row => row.id)
}

function unnestKeys(donations: DonationKey[]): Sql {
  return sql`unnest(
    ${donations.map(({ campaignId }) => campaignId)}::bigint[],
    ${donations.map(({ id }) => id)}::uuid[]
  ) as wanted (campaign_id, id)`
}
