import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'
import type { Texts } from '../texts.ts'

export interface OfflineAmountRow {
  id: string
  amountCents: number
  receivedOn: string
  label: Texts
  createdAt: string
}

/** The most of one campaign; a list has no pages. */
export const offlineAmountsMax = 200

/** Newest first. */
export async function list(db: Database, campaignId: number): Promise<OfflineAmountRow[]> {
  return await db.all(sql`
    select id, amount_cents as "amountCents", received_on::text as "receivedOn", label, created_at as "createdAt"
    from fundraising.offline_amounts
    where campaign_id = ${campaignId}
    order by received_on desc, id desc
    limit ${toLiteral(offlineAmountsMax)}`)
}

export async function count(tx: Database, campaignId: number): Promise<number> {
  const { rows } = await tx.one<{ rows: number }>(sql`
    select count(*) as rows from fundraising.offline_amounts where campaign_id = ${campaignId}`)
  return rows
}

export async function insert(tx: Database, campaignId: number, row: OfflineAmountRow): Promise<void> {
  await tx.run(sql`
    insert into fundraising.offline_amounts (campaign_id, id, amount_cents, received_on, label, created_at)
    values (
      ${campaignId}, ${row.id}, ${row.amountCents}, ${row.receivedOn}::date, ${JSON.stringify(row.label)}, ${row.createdAt}
    )`)
}

/** The amount that was removed; undefined if there is none with this id. */
export async function remove(
  tx: Database,
  campaignId: number,
  id: string
): Promise<Pick<OfflineAmountRow, 'amountCents' | 'label'> | undefined> {
  return await tx.maybeOne(sql`
    delete from fundraising.offline_amounts
    where campaign_id = ${campaignId} and id = ${id}
    returning amount_cents as "amountCents", label`)
}
