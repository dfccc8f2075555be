import { economicArea } from '#platform/banking/economic-area.ts'
import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { type DonationKey, groupByCampaign } from '../../../campaigns/by-campaign.ts'
import type { SequenceType } from '../mandates/schema.ts'
import type { CollectionBlock, SkippedDonations } from './queries.ts'

/** Restricts which waiting donations to collect. */
export interface EligibilityFilter {
  campaignId: number | undefined
  donations: DonationKey[] | undefined
}

/** The conditions that a usable mandate fulfils. */
export interface EligibilityTerms {
  creditorId: string
  /** Mandates signed before this day have expired. */
  oldestMandate: string
}

/**
 * Why a donation with a mandate cannot be collected; null if it can. Ignores the creditor's own three characters in the
 * creditor id.
 */
function buildSkipReason({ creditorId, oldestMandate }: EligibilityTerms): Sql {
  return sql`case
    when donation.iban_encrypted is null then 'account-erased'
    when not coalesce(donation.account_iban_valid, false) then 'account-invalid'
    when campaign.deleted_at is not null then 'campaign-deleted'
    when campaign.currency <> 'EUR' or not campaign.account_iban_valid
      or left(campaign.account_iban, 2) <> all(${economicArea}) then 'campaign-account'
    when donation.review = 'waiting' then 'waiting-for-review'
    when mandate.signed_on < ${oldestMandate}::date then 'mandate-expired'
    when overlay(mandate.creditor_id placing '' from 5 for 3) <> overlay(${creditorId}::text placing '' from 5 for 3)
      then 'creditor-changed'
  end`
}

/** All donations that wait for collection, eligible or not. */
function buildWaitingDonations({ campaignId, donations }: EligibilityFilter): Sql {
  return sql`
    from fundraising.donations as donation
    join fundraising.mandates as mandate
      on mandate.campaign_id = donation.campaign_id and mandate.donation_id = donation.id and mandate.revoked_at is null
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    where donation.payment_method = 'direct_debit' and donation.status = 'IN_PROCESS' and donation.deleted_at is null
      and not exists (
        select 1 from fundraising.collection_items as item
        where item.campaign_id = donation.campaign_id and item.donation_id = donation.id and item.is_live
      )
      ${campaignId === undefined ? emptySql : sql`and donation.campaign_id = ${campaignId}`}
      ${donations === undefined ? emptySql : sql`and (donation.campaign_id, donation.id) in (${unnestDonations(donations)})`}`
}

function unnestDonations(donations: NonNullable<EligibilityFilter['donations']>): Sql {
  return sql`select unnest(${donations.map(({ campaignId }) => campaignId)}::bigint[]), unnest(${donations.map(({ id }) => id)}::uuid[])`
}

export interface EligibleDonation {
  campaignId: number
  donationId: string
  reference: string
  amountCents: number
  hasEmail: boolean
  language: Language | null
  campaignName: string
  account: string
  sequenceType: SequenceType
  signedOn: string
}

/** Oldest first. Locks the rows, so that none is cancelled; leaves out rows that changed before the lock. */
export async function lockEligible(
  tx: Database,
  which: EligibilityFilter,
  terms: EligibilityTerms,
  most: number
): Promise<EligibleDonation[]> {
  // Lists, locks and lists again: Citus locks rows of one campaign per statement.
  const found = await listEligible(tx, which, terms, most)
  const donations = found.map(({ campaignId, donationId }) => ({ campaignId, id: donationId }))
  await Promise.all(
    groupByCampaign(donations).map(({ campaignId, ids }) =>
      tx.run(sql`
        select 1 from fundraising.donations
        where campaign_id = ${campaignId} and id = any(${ids}::uuid[]) order by id for update`)
    )
  )
  return await listEligible(tx, { campaignId: undefined, donations }, terms, most)
}

async function listEligible(
  db: Database,
  which: EligibilityFilter,
  terms: EligibilityTerms,
  most: number
): Promise<EligibleDonation[]> {
  return await db.all(
    sql`
      select
        donation.campaign_id as "campaignId",
        donation.id as "donationId",
        donation.reference, donation.language,
        donation.amount_cents as "amountCents",
        donation.email is not null as "hasEmail",
        campaign.name as "campaignName",
        campaign.account_iban as account,
        mandate.sequence_type as "sequenceType",
        to_char(mandate.signed_on, 'YYYY-MM-DD') as "signedOn"
      ${buildWaitingDonations(which)} and ${buildSkipReason(terms)} is null
      order by donation.id
      limit ${toLiteral(most)}`.unprepared()
  )
}

export interface EligibleSum extends CollectionBlock {
  withoutEmail: number
}

/** The same without a lock, summed by account and sequence type. */
export async function listEligibleSums(
  db: Database,
  which: EligibilityFilter,
  terms: EligibilityTerms
): Promise<EligibleSum[]> {
  return await db.all(
    sql`
      select
        campaign.account_iban as account,
        mandate.sequence_type as "sequenceType",
        count(*) as count,
        sum(donation.amount_cents)::bigint as "amountCents",
        count(*) filter (where donation.email is null) as "withoutEmail"
      ${buildWaitingDonations(which)} and ${buildSkipReason(terms)} is null
      group by 1, 2
      order by 1, 2`.unprepared()
  )
}

/** Waiting donations that cannot be collected, by reason. */
export async function listSkipped(
  db: Database,
  which: EligibilityFilter,
  terms: EligibilityTerms
): Promise<SkippedDonations[]> {
  return await db.all(
    sql`
      select code, count(*) as count, (array_agg(reference order by id))[1:20] as references
      from (
        select ${buildSkipReason(terms)} as code, donation.reference, donation.id
        ${buildWaitingDonations(which)}
      ) as waiting
      where code is not null
      group by code
      order by code`.unprepared()
  )
}

/** The requested donations that do not wait for collection at all. */
export async function listNotWaitingForDebit(
  db: Database,
  donations: NonNullable<EligibilityFilter['donations']>
): Promise<SkippedDonations[]> {
  return await db.all(
    sql`
      select code, count(*) as count, (array_agg(name order by name))[1:20] as references
      from (
        select
          case
            when donation.id is null or donation.deleted_at is not null then 'not-found'
            when item.donation_id is not null then 'in-collection'
            when donation.status <> 'IN_PROCESS' then 'not-in-process'
            when mandate.revoked_at is not null then 'mandate-revoked'
            when mandate.donation_id is null then 'no-mandate'
          end as code,
          coalesce(donation.reference, wanted.id::text) as name
        from (${unnestDonations(donations)}) as wanted (campaign_id, id)
        left join fundraising.donations as donation
          on donation.campaign_id = wanted.campaign_id and donation.id = wanted.id
        left join fundraising.mandates as mandate
          on mandate.campaign_id = wanted.campaign_id and mandate.donation_id = wanted.id
        left join fundraising.collection_items as item
          on item.campaign_id = wanted.campaign_id and item.donation_id = wanted.id and item.is_live
      ) as asked
      where code is not null
      group by code
      order by code`.unprepared()
  )
}
