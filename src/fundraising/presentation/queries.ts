import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { CampaignContact } from './schema.ts'

export interface PresentationRow {
  version: number
  contact: CampaignContact | null
  homeCampaignId: number | null
}

export async function find(db: Database): Promise<PresentationRow> {
  const row = await db.maybeOne<PresentationRow>(sql`
    select version, contact, home_campaign_id as "homeCampaignId" from fundraising.presentation where id = 1`)
  return row ?? { version: 0, contact: null, homeCampaignId: null }
}

/** Returns false if a concurrent update came first. */
export async function update(
  tx: Database,
  { version, contact, homeCampaignId }: PresentationRow,
  now: Date
): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into fundraising.presentation (id, version, updated_at, contact, home_campaign_id)
    values (1, ${version + 1}, ${now}, ${contact === null ? null : JSON.stringify(contact)}::jsonb, ${homeCampaignId})
    on conflict (id) do update
    set
      version = excluded.version, updated_at = excluded.updated_at, contact = excluded.contact,
      home_campaign_id = excluded.home_campaign_id
    where presentation.version = ${version}`)
  return changed === 1
}

export interface CampaignPresentationRow {
  version: number
  contact: CampaignContact | null
  eventIds: number[]
}

export async function findOfCampaign(db: Database, campaignId: number): Promise<CampaignPresentationRow> {
  const row = await db.maybeOne<CampaignPresentationRow>(sql`
    select version, contact, to_jsonb(event_ids) as "eventIds"
    from fundraising.campaign_presentations
    where campaign_id = ${campaignId}`)
  return row ?? { version: 0, contact: null, eventIds: [] }
}

/** Returns false if a concurrent update came first. */
export async function updateOfCampaign(
  tx: Database,
  campaignId: number,
  { version, contact, eventIds }: CampaignPresentationRow,
  now: Date
): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into fundraising.campaign_presentations as shown (campaign_id, version, updated_at, contact, event_ids)
    values (
      ${campaignId}, ${version + 1}, ${now}, ${contact === null ? null : JSON.stringify(contact)}::jsonb, ${eventIds}::bigint[]
    )
    on conflict (campaign_id) do update
    set
      version = excluded.version, updated_at = excluded.updated_at, contact = excluded.contact,
      event_ids = excluded.event_ids
    where shown.version = ${version}`)
  return changed === 1
}

/** The campaigns that name an event. */
export async function listCampaignIds(db: Database, eventId: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select campaign_id as id
    from fundraising.campaign_presentations
    where event_ids @> array[${eventId}::bigint]
    order by campaign_id
    limit 50`)
  return rows.map(({ id }) => id)
}
