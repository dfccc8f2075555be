import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationKey } from '../../campaigns/by-campaign.ts'
import { listFingerprints } from './donation-accounts.ts'

/** The rules for the accounts that paid these donations. */
export async function list(db: Database, donations: DonationKey[]): Promise<object[]> {
  return await db.all(sql`
    select
      rule.payer_name as "payerName",
      rule.action, rule.note,
      rule.campaign_id as "campaignId",
      rule.created_at as "createdAt",
      rule.last_used_at as "lastUsedAt"
    from fundraising.payer_rules as rule
    where rule.id in (${await buildRuleIds(db, donations)})
    order by rule.position
    limit 1000`)
}

/** A rule consists only of a person's account and name, so it is deleted. Returns the number of deleted rules. */
export async function erase(tx: Database, donations: DonationKey[]): Promise<number> {
  return await tx.run(sql`
    delete from fundraising.payer_rules as rule
    where rule.id in (${await buildRuleIds(tx, donations)})`)
}

/** Deletes rules that have not been used since the given day. */
export async function deleteOldRules(tx: Database, day: string, rows: number): Promise<number> {
  return await tx.run(sql`
    delete from fundraising.payer_rules as rule
    where rule.id in (
      select old.id
      from fundraising.payer_rules as old
      where coalesce(old.last_used_at, old.created_at) < ${day}::date
      order by old.position
      limit ${toLiteral(rows)}
    )`)
}

/** Finds rules by the IBAN of the donation and by the IBANs of its payments. */
async function buildRuleIds(db: Database, donations: DonationKey[]): Promise<Sql> {
  const [campaigns, ids] = [donations.map(one => one.campaignId), donations.map(one => one.id)]
  return sql`
    select given.id
    from fundraising.payer_rules as given
    where given.iban_fingerprint = any(${await listFingerprints(db, donations)}::bytea[])
    union
    select paid.id
    from unnest(${campaigns}::bigint[], ${ids}::uuid[]) as wanted (campaign_id, id)
    join fundraising.statement_entries as entry
      on entry.campaign_id = wanted.campaign_id and entry.donation_id = wanted.id
    join fundraising.payer_rules as paid on paid.iban_fingerprint = entry.counterpart_iban_fingerprint`
}
