import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import * as webhooks from '#platform/webhooks/queries.ts'
import type { DonationTerms } from '../campaigns/queries.ts'
import * as abuseProtection from './abuse-protection/queries.ts'

export interface NewDonationTerms extends DonationTerms, abuseProtection.AbuseSettings {
  iban: string
  ibanValid: boolean
  /** Citus distributes the tables of donations (deploy/citus.sql), and other tables are on the coordinator. */
  isDistributed: boolean
  /** Some webhook is on: the donation may have to be delivered to it. */
  hasWebhooks: boolean
}

/** Everything that decides whether a new donation is accepted, besides the limit of its account. Takes no lock: see docs/decisions/0006. */
export async function findNewDonationTerms(db: Database, campaignId: number): Promise<NewDonationTerms | undefined> {
  return await db.findTogether(listNewDonationTerms, campaignId)
}

async function listNewDonationTerms(db: Database, campaignIds: number[]): Promise<Map<number, NewDonationTerms>> {
  const rows = await db.all<NewDonationTerms & { id: number }>(sql`
    select
      campaign.id, campaign.status, campaign.currency,
      campaign.account_iban as iban,
      campaign.account_iban_valid as "ibanValid",
      campaign.donation_minimum_cents as "donationMinimumCents",
      campaign.starts_at as "startsAt",
      campaign.ends_at as "endsAt",
      to_regclass('pg_dist_partition') is not null as "isDistributed",
      webhook.is_any_on as "hasWebhooks",
      ${abuseProtection.columns}
    from fundraising.campaigns as campaign
    join fundraising.organisation on organisation.id = 1
    cross join (${webhooks.isAnyOn}) as webhook
    where campaign.id = any(${campaignIds}::bigint[]) and campaign.deleted_at is null`)
  return new Map(rows.map(row => [row.id, row]))
}
