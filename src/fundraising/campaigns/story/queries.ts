import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Texts } from '../texts.ts'

export interface StoryPicture {
  url: string
  alt: Texts
  isDecorative: boolean
  caption: Texts
}

export interface StoryItem {
  title: Texts
  text: Texts
  amountCents: number
  quantity: number
}

export interface StoryMilestone {
  title: Texts
  amountCents: number
}

export interface StoryFields {
  /** Sanitized HTML. */
  texts: Texts
  pictures: StoryPicture[]
  items: StoryItem[]
  /** By amount, ascending. */
  milestones: StoryMilestone[]
}

export interface StoryRow extends StoryFields {
  /** 0 before the first change. */
  version: number
  updatedAt: string | null
}

const emptyStory: StoryRow = { version: 0, texts: {}, pictures: [], items: [], milestones: [], updatedAt: null }

export async function find(db: Database, campaignId: number): Promise<StoryRow> {
  const row = await db.maybeOne<StoryRow>(sql`
    select version, texts, pictures, items, milestones, updated_at as "updatedAt"
    from fundraising.campaign_stories
    where campaign_id = ${campaignId}`)
  return row ?? emptyStory
}

/** Inserts or replaces the story; the caller has locked the campaign. */
export async function put(tx: Database, campaignId: number, story: StoryFields, now: Date): Promise<void> {
  await tx.run(sql`
    insert into fundraising.campaign_stories as story (campaign_id, texts, pictures, items, milestones, updated_at)
    values (
      ${campaignId}, ${JSON.stringify(story.texts)}, ${JSON.stringify(story.pictures)}, ${JSON.stringify(story.items)},
      ${JSON.stringify(story.milestones)}, ${now}
    )
    on conflict (campaign_id) do update set
      version = story.version + 1, texts = excluded.texts, pictures = excluded.pictures, items = excluded.items,
      milestones = excluded.milestones, updated_at = excluded.updated_at`)
}

/**
 * The first days on which the received money and the offline amounts reached the given sums. Null if the day of a
 * payment before was only assumed.
 */
export async function listDaysReached(
  db: Database,
  campaignId: number,
  sums: number[]
): Promise<{ cents: number; day: string | null }[]> {
  return await db.all(sql`
    with received as (
      select received_on, amount_cents, is_assumed
      from fundraising.payments
      where campaign_id = ${campaignId} and taken_back_at is null
      union all
      select received_on, amount_cents, false
      from fundraising.offline_amounts
      where campaign_id = ${campaignId}
    ), days as (
      select
        received_on as day,
        sum(sum(amount_cents)) over by_day as total,
        bool_or(bool_or(is_assumed)) over by_day as is_assumed
      from received
      group by received_on
      window by_day as (order by received_on)
    )
    select wanted.cents, reached.day::text as day
    from unnest(${sums}::bigint[]) as wanted (cents)
    left join lateral (
      select case when not days.is_assumed then days.day end as day
      from days
      where days.total >= wanted.cents
      order by days.day
      limit 1
    ) as reached on true`)
}
