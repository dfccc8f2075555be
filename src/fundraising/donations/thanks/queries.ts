import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'

/** The same rule as for the public list of donations: `isNamePublic` of wire.ts, for donations that count. */
function buildPublicNameFilter(campaignId: number, alias: Sql): Sql {
  return sql`
    ${alias}.campaign_id = ${campaignId} and ${alias}.deleted_at is null and ${alias}.show_name
    and ${alias}.donor_name is not null and ${alias}.message_review <> 'hidden'
    and ${alias}.status in ('IN_PROCESS', 'TRANSFERRED') and ${alias}.review is distinct from 'waiting'
    and (${alias}.message_review = 'shown' or ${alias}.review = 'released' or ${alias}.status = 'TRANSFERRED')`
}

/** Names that donors agreed to show, each once, the latest donation first. */
export async function listNames(
  db: Database,
  campaignId: number,
  page: { beforeId: string | undefined; rows: number }
): Promise<{ id: string; name: string }[]> {
  return await db.all(sql`
    select donation.id, donation.donor_name as name
    from fundraising.donations as donation
    where ${buildPublicNameFilter(campaignId, sql`donation`)}
      ${page.beforeId === undefined ? emptySql : sql`and donation.id < ${page.beforeId}`}
      and not exists (
        select 1 from fundraising.donations as later
        where ${buildPublicNameFilter(campaignId, sql`later`)}
          and later.donor_name = donation.donor_name and later.id > donation.id
      )
    order by donation.id desc
    limit ${toLiteral(page.rows)}`)
}

export async function countNames(db: Database, campaignId: number): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(distinct donation.donor_name) as total
    from fundraising.donations as donation
    where ${buildPublicNameFilter(campaignId, sql`donation`)}`)
  return total
}
