import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Page } from '../contract/routing/paging.ts'
import type { ListedSubscription, Subscription, SubscriptionProblem } from './schema.ts'

const columns = sql`
  subscription.id, subscription.version, subscription.url, subscription.source, subscription.name, subscription.gone,
  subscription.status, subscription.language, subscription.timezone, subscription.problem, subscription.error,
  subscription.etag, subscription.failures,
  subscription.feed_name as "feedName",
  subscription.every_minutes as "everyMinutes",
  subscription.feed_minutes as "feedMinutes",
  subscription.category_id as "categoryId",
  subscription.author_id as "authorId",
  subscription.author_name as "authorName",
  subscription.is_paused as "isPaused",
  subscription.matches_titles as "matchesTitles",
  subscription.is_approved as "isApproved",
  subscription.last_modified as "lastModified",
  subscription.content_hash as "contentHash",
  subscription.parsed_at as "parsedAt",
  subscription.failing_since as "failingSince",
  subscription.next_run_at as "nextRunAt",
  subscription.last_run_at as "lastRunAt",
  subscription.created_at as "createdAt",
  subscription.modified_at as "modifiedAt"`

const listedColumns = sql`
  ${columns},
  item.events as "eventCount",
  item.conflicts as "conflictCount",
  item.gone as "goneCount",
  run.result as "lastResult",
  run.counts as "lastCounts"`

const joinCounts = sql`
  cross join lateral (
    select
      count(*) filter (where item.gone_at is null)::int as events,
      count(*) filter (where item.conflicts is not null)::int as conflicts,
      count(*) filter (where item.gone_at is not null)::int as gone
    from calendar.subscription_items as item
    where item.subscription_id = subscription.id
  ) as item
  left join lateral (
    select run.result, run.counts
    from calendar.subscription_runs as run
    where run.subscription_id = subscription.id
    order by run.id desc
    limit 1
  ) as run on true`

export async function find(db: Database, id: number): Promise<ListedSubscription | undefined> {
  return await db.maybeOne(sql`
    select ${listedColumns}
    from calendar.subscriptions as subscription ${joinCounts}
    where subscription.id = ${id} and subscription.deleted_at is null`)
}

export interface SubscriptionFilter {
  /** The event that comes from it. */
  event?: number | undefined
  /** It failed for too long, or waits for a decision. */
  stopped?: boolean | undefined
}

/** By name. */
export async function listPage(db: Database, filter: SubscriptionFilter, page: Page): Promise<ListedSubscription[]> {
  return await db.all(sql`
    select ${listedColumns}
    from calendar.subscriptions as subscription ${joinCounts}
    where ${buildCondition(filter)}
    order by lower(coalesce(nullif(subscription.name, ''), subscription.feed_name, subscription.url)), subscription.id
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

export async function count(db: Database, filter: SubscriptionFilter = {}): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from calendar.subscriptions as subscription where ${buildCondition(filter)}`)
  return total
}

function buildCondition({ event, stopped }: SubscriptionFilter): Sql {
  const isOfEvent = sql`and subscription.id = (
    select item.subscription_id from calendar.subscription_items as item where item.event_id = ${event ?? 0}
  )`
  const isStopped = sql`and (subscription.problem is not null) = ${stopped ?? true}`
  return sql`subscription.deleted_at is null
    ${event === undefined ? emptySql : isOfEvent} ${stopped === undefined ? emptySql : isStopped}`
}

export type NewSubscriptionRow = Pick<
  Subscription,
  | 'url'
  | 'name'
  | 'everyMinutes'
  | 'categoryId'
  | 'gone'
  | 'status'
  | 'language'
  | 'timezone'
  | 'authorId'
  | 'authorName'
> & { urlKey: string }

/** Undefined if the address is subscribed already. */
export async function insert(tx: Database, row: NewSubscriptionRow, now: Date): Promise<number | undefined> {
  const made = await tx.maybeOne<{ id: number }>(sql`
    insert into calendar.subscriptions (
      url, url_key, name, every_minutes, category_id, gone, status, language, timezone, author_id, author_name,
      next_run_at, created_at, modified_at
    ) values (
      ${row.url}, ${row.urlKey}, ${row.name}, ${row.everyMinutes}, ${row.categoryId}, ${row.gone}, ${row.status},
      ${row.language}, ${row.timezone}, ${row.authorId}, ${row.authorName}, ${now}, ${now}, ${now}
    )
    on conflict (url_key) where deleted_at is null do nothing
    returning id`)
  return made?.id
}

export async function lock(tx: Database, id: number): Promise<Subscription | undefined> {
  return await tx.maybeOne(sql`
    select ${columns}
    from calendar.subscriptions as subscription
    where subscription.id = ${id} and subscription.deleted_at is null
    for no key update`)
}

/** Limits of the number are checked under it. */
export async function lockAll(tx: Database): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('calendar.subscriptions', 0))`)
}

export type SubscriptionColumns = Partial<{
  url: string
  url_key: string
  source: null
  name: string
  every_minutes: number | null
  category_id: number | null
  gone: string
  status: string
  timezone: string
  is_paused: boolean
  matches_titles: boolean
  is_approved: boolean
  problem: SubscriptionProblem | null
  error: string | null
  etag: null
  last_modified: null
  content_hash: null
  failures: number
  failing_since: null
  next_run_at: Date | null
  leased_by: null
  leased_until: null
}>

const columnNames: Record<keyof SubscriptionColumns, Sql> = {
  url: sql`url`,
  url_key: sql`url_key`,
  source: sql`source`,
  name: sql`name`,
  every_minutes: sql`every_minutes`,
  category_id: sql`category_id`,
  gone: sql`gone`,
  status: sql`status`,
  timezone: sql`timezone`,
  is_paused: sql`is_paused`,
  matches_titles: sql`matches_titles`,
  is_approved: sql`is_approved`,
  problem: sql`problem`,
  error: sql`error`,
  etag: sql`etag`,
  last_modified: sql`last_modified`,
  content_hash: sql`content_hash`,
  failures: sql`failures`,
  failing_since: sql`failing_since`,
  next_run_at: sql`next_run_at`,
  leased_by: sql`leased_by`,
  leased_until: sql`leased_until`
}

export async function update(tx: Database, id: number, changes: SubscriptionColumns, now: Date): Promise<void> {
  const set = Object.entries(changes).reduce(
    (all, [column, value]) => sql`${all}, ${columnNames[column as keyof SubscriptionColumns]} = ${value}`,
    sql`version = version + 1, modified_at = ${now}`
  )
  await tx.run(sql`update calendar.subscriptions set ${set} where id = ${id}`.unprepared())
}

export async function isUrlTaken(tx: Database, urlKey: string, exceptId: number): Promise<boolean> {
  const { taken } = await tx.one<{ taken: boolean }>(sql`
    select exists (
      select from calendar.subscriptions where url_key = ${urlKey} and id <> ${exceptId} and deleted_at is null
    ) as taken`)
  return taken
}

export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from calendar.subscriptions where id = ${id}`)
}

/** A job moves its events to the trash and removes it. */
export async function setDeleted(tx: Database, id: number, now: Date): Promise<void> {
  await tx.run(sql`
    update calendar.subscriptions set deleted_at = ${now}, next_run_at = null where id = ${id}`)
}

export async function listDeleted(db: Database): Promise<Pick<Subscription, 'id' | 'authorId' | 'timezone'>[]> {
  return await db.all(sql`
    select id, timezone, author_id as "authorId"
    from calendar.subscriptions
    where deleted_at is not null
    order by id`)
}
