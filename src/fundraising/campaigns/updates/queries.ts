import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { UpdateStatus, UpdateTexts } from './schema.ts'

export interface UpdateFields {
  status: UpdateStatus
  date: string
  texts: UpdateTexts
  imageUrl: string | null
  imageAlt: string
  publishedAt: string | null
}

export interface UpdateRow extends UpdateFields {
  campaignId: number
  id: number
  version: number
  sentAt: string | null
  createdAt: string
  updatedAt: string
}

const columns = sql`
  news.id, news.version, news.status, news.texts,
  news.campaign_id as "campaignId",
  to_char(news.day, 'YYYY-MM-DD') as date,
  news.image_url as "imageUrl",
  news.image_alt as "imageAlt",
  news.published_at as "publishedAt",
  news.sent_at as "sentAt",
  news.created_at as "createdAt",
  news.updated_at as "updatedAt"`

export type UpdateVisibility = 'published' | 'drafts too'

const buildVisibilityFilter = (visible: UpdateVisibility): Sql =>
  visible === 'published' ? sql`and news.status = 'published'` : emptySql

/** The position of an update in the list: its day, then its id. */
export interface UpdatePosition {
  date: string
  id: number
}

/** Newest first, starting after the given position. */
export async function listOfCampaign(
  db: Database,
  campaignId: number,
  visible: UpdateVisibility,
  page: { after: UpdatePosition | undefined; rows: number }
): Promise<UpdateRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.campaign_updates as news
    where news.campaign_id = ${campaignId} ${buildVisibilityFilter(visible)}
      ${page.after === undefined ? emptySql : sql`and (news.day, news.id) < (${page.after.date}::date, ${page.after.id})`}
    order by news.day desc, news.id desc
    limit ${toLiteral(page.rows)}`)
}

/** Published updates of all public campaigns, latest first; `beforeId` is where the previous page ended. */
export async function listAllPublished(
  db: Database,
  { beforeId, rows }: { beforeId: number | undefined; rows: number }
): Promise<UpdateRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.campaign_updates as news
    join fundraising.campaigns as campaign on campaign.id = news.campaign_id
    where news.status = 'published' and campaign.deleted_at is null and campaign.status <> 'draft'
      ${beforeId === undefined ? emptySql : sql`and news.id < ${beforeId}`}
    order by news.id desc
    limit ${toLiteral(rows)}`)
}

export async function countAllPublished(db: Database): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from fundraising.campaign_updates as news
    join fundraising.campaigns as campaign on campaign.id = news.campaign_id
    where news.status = 'published' and campaign.deleted_at is null and campaign.status <> 'draft'`)
  return total
}

export async function count(db: Database, campaignId: number, visible: UpdateVisibility): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from fundraising.campaign_updates as news
    where news.campaign_id = ${campaignId} ${buildVisibilityFilter(visible)}`)
  return total
}

export async function find(
  db: Database,
  { campaignId, id }: { campaignId: number; id: number },
  visible: UpdateVisibility
): Promise<UpdateRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.campaign_updates as news
    where news.campaign_id = ${campaignId} and news.id = ${id} ${buildVisibilityFilter(visible)}`)
}

/** The published updates among the given ids. */
export async function listPublished(db: Database, ids: number[]): Promise<UpdateRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.campaign_updates as news
    where news.id = any(${ids}::bigint[]) and news.status = 'published'`)
}

export async function lock(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: number }
): Promise<UpdateRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns}
    from fundraising.campaign_updates as news
    where news.campaign_id = ${campaignId} and news.id = ${id}
    for update`)
}

export async function insert(tx: Database, campaignId: number, fields: UpdateFields, now: Date): Promise<UpdateRow> {
  return await tx.one(sql`
    insert into fundraising.campaign_updates as news (
      campaign_id, status, day, texts, image_url, image_alt, published_at, created_at, updated_at
    ) values (
      ${campaignId}, ${fields.status}, ${fields.date}::date, ${JSON.stringify(fields.texts)}, ${fields.imageUrl},
      ${fields.imageAlt}, ${fields.publishedAt}, ${now}, ${now}
    )
    returning ${columns}`)
}

export async function update(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: number },
  fields: UpdateFields,
  now: Date
): Promise<UpdateRow> {
  return await tx.one(sql`
    update fundraising.campaign_updates as news
    set
      version = news.version + 1, updated_at = ${now}, status = ${fields.status}, day = ${fields.date}::date,
      texts = ${JSON.stringify(fields.texts)}, image_url = ${fields.imageUrl}, image_alt = ${fields.imageAlt},
      published_at = ${fields.publishedAt}
    where news.campaign_id = ${campaignId} and news.id = ${id}
    returning ${columns}`)
}

export async function setSent(
  tx: Database,
  { campaignId, id }: { campaignId: number; id: number },
  now: Date
): Promise<void> {
  await tx.run(sql`
    update fundraising.campaign_updates as news
    set sent_at = ${now}, version = news.version + 1
    where news.campaign_id = ${campaignId} and news.id = ${id}`)
}

export async function remove(tx: Database, { campaignId, id }: { campaignId: number; id: number }): Promise<void> {
  await tx.run(sql`
    delete from fundraising.campaign_updates as news where news.campaign_id = ${campaignId} and news.id = ${id}`)
}
