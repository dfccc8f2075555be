import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'

/** Erases donor and file from receipts of these donations that were issued before a year. */
export async function eraseForDonations(
  tx: Database,
  donations: { campaignId: number; id: string }[],
  { beforeYear, now }: { beforeYear: number; now: Date }
): Promise<number> {
  return await tx.run(sql`
    update fundraising.receipts
    set ${buildErasure(now)}
    where year < ${beforeYear} and erased_at is null and id in (
      select certified.receipt_id
      from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
        as wanted (campaign_id, donation_id)
      join fundraising.receipt_donations as certified
        on certified.campaign_id = wanted.campaign_id and certified.donation_id = wanted.donation_id
    )`)
}

/** The same for a batch of all receipts, oldest first. */
export async function eraseBatch(
  db: Database,
  { beforeYear, now, rows }: { beforeYear: number; now: Date; rows: number }
): Promise<number> {
  return await db.run(sql`
    update fundraising.receipts
    set ${buildErasure(now)}
    where id in (
      select id
      from fundraising.receipts
      where year < ${beforeYear} and erased_at is null
      order by year, id
      limit ${toLiteral(rows)}
    )`)
}

/** Number and amount stay, so that the numbers of the year have no gaps. */
function buildErasure(now: Date): Sql {
  const donor = JSON.stringify({ name: '', address: { street: '', postalCode: '', city: '', country: '' } })
  return sql`
    file = null, donor_name = '', content = jsonb_set(content, '{donor}', ${donor}::jsonb), erased_at = ${now},
    version = version + 1`
}
