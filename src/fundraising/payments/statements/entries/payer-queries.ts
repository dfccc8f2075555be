import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationRow } from '../../../donations/donation-row.ts'
import { columns } from '../../../donations/donation-row.ts'
import type { PaymentRow } from '../../../donations/payments/queries.ts'
import type { CollectionRow } from '../../direct-debit/collections/queries.ts'
import type { PayerRuleRow } from '../../payer-rules/queries.ts'
import { type EntryRow, entryColumns } from '../entry-queries.ts'
import type { MatchedDonation } from '../queries.ts'
import type { SuggestedBy } from '../schema.ts'

/** A campaign suggested for a payment without a donation, and the source of the suggestion. */
export interface SuggestedCampaign {
  id: number
  name: string
  by: SuggestedBy
  /** The rule that names the campaign. */
  ruleId: string | null
}

/** Related data shown with entries. */
export interface EntryContext {
  /** Booked and suggested donations, by campaign and id. */
  donations: Map<string, MatchedDonation>
  /** Payments booked for the entries. */
  payments: PaymentRow[]
  /** By entry id. */
  campaigns: Map<string, SuggestedCampaign>
  openOfPayer: Map<string, number>
  rules: Map<string, PayerRuleRow>
  collections: Map<number, CollectionRow>
}

/** Unmatched incoming entries from these accounts. */
const buildOpenFilter = (fingerprints: Buffer[]) => sql`
  entry.counterpart_iban_fingerprint = any(${fingerprints}::bytea[]) and entry.direction = 'in' and entry.result = 'unmatched'
  and not entry.is_pending and entry.amount_cents > 0`

/** The number of open entries per account. */
export async function countOpenByFingerprint(
  db: Database,
  fingerprints: Buffer[]
): Promise<{ fingerprint: Buffer; count: number }[]> {
  if (fingerprints.length === 0) return []
  return await db.all(sql`
    select entry.counterpart_iban_fingerprint as fingerprint, count(*) as count
    from fundraising.statement_entries as entry
    where ${buildOpenFilter(fingerprints)}
    group by entry.counterpart_iban_fingerprint`)
}

/** The statements with open entries, in lock order. */
export async function listStatementsOfPayer(db: Database, fingerprints: Buffer[]): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select distinct entry.statement_id as id
    from fundraising.statement_entries as entry
    where ${buildOpenFilter(fingerprints)}
    order by id`)
  return rows.map(({ id }) => id)
}

/** The caller holds the locks of these statements. */
export async function lockOpenOfPayer(
  tx: Database,
  fingerprints: Buffer[],
  statementIds: number[],
  rows: number
): Promise<EntryRow[]> {
  return await tx.all(sql`
    select ${entryColumns}
    from fundraising.statement_entries as entry
    where ${buildOpenFilter(fingerprints)} and entry.statement_id = any(${statementIds}::bigint[])
    order by entry.statement_id, entry.position
    limit ${toLiteral(rows)}
    for update`)
}

/** The newest donation from one of these accounts with this name, folded like the column donor_search. */
export async function findEarlierDonation(
  db: Database,
  fingerprints: Buffer[],
  name: string
): Promise<DonationRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.donations as donation
    where donation.iban_fingerprint = any(${fingerprints}::bytea[]) and donation.erased_at is null
      and donation.donor_search
        = lower(regexp_replace(normalize(replace(${name}, 'ß', 'ss'), nfd), '[\\u0300-\\u036f]', '', 'g'))
    order by donation.created_at desc, donation.id desc
    limit 1`)
}

/** The campaign of the newest donation from each of these accounts. */
export async function listEarlierCampaigns(
  db: Database,
  fingerprints: Buffer[]
): Promise<{ fingerprint: Buffer; campaignId: number }[]> {
  if (fingerprints.length === 0) return []
  return await db.all(sql`
    select distinct on (donation.iban_fingerprint) donation.iban_fingerprint as fingerprint, donation.campaign_id as "campaignId"
    from fundraising.donations as donation
    where donation.iban_fingerprint = any(${fingerprints}::bytea[]) and donation.deleted_at is null
      and donation.status in ('IN_PROCESS', 'TRANSFERRED')
    order by donation.iban_fingerprint, donation.created_at desc, donation.id desc`)
}

/** Campaigns that payments can be booked for, open or not. */
export async function listCampaignsForMoney(
  db: Database,
  ids: number[]
): Promise<{ id: number; name: string; currency: string }[]> {
  if (ids.length === 0) return []
  return await db.all(sql`
    select campaign.id, campaign.name, campaign.currency
    from fundraising.campaigns as campaign
    where campaign.id = any(${ids}::bigint[]) and campaign.deleted_at is null and campaign.status <> 'draft'`)
}

/** Collection blocks that already have a credit, by payment information id. */
export async function listCredited(
  db: Database,
  collectionIds: number[]
): Promise<{ collectionId: number; paymentInformationId: string | null }[]> {
  if (collectionIds.length === 0) return []
  return await db.all(sql`
    select entry.collection_id as "collectionId", entry.payment_information_id as "paymentInformationId"
    from fundraising.statement_entries as entry
    where entry.collection_id = any(${collectionIds}::bigint[]) and entry.result = 'booked'`)
}
