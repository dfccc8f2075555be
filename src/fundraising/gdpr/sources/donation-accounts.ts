import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { DonationKey } from '../../campaigns/by-campaign.ts'

/** Fingerprints of the accounts of donations. Read separately, because Citus has donations on other nodes than bank statements. */
export async function listFingerprints(db: Database, donations: DonationKey[]): Promise<Buffer[]> {
  const rows = await db.all<{ fingerprint: Buffer }>(sql`
    select distinct donation.iban_fingerprint as fingerprint
    from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
      as wanted (campaign_id, id)
    join fundraising.donations as donation
      on donation.campaign_id = wanted.campaign_id and donation.id = wanted.id
    where donation.iban_fingerprint is not null`)
  return rows.map(({ fingerprint }) => fingerprint)
}
