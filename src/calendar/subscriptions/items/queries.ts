import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { eventTexts, joinText, type LanguageChoice } from '../../content/texts.ts'
import type { Page } from '../../contract/routing/paging.ts'
import type { SubscriptionItem } from './schema.ts'

/** The events of subscriptions. */

const columns = sql`
  item.base, item.conflicts,
  item.source_id as "sourceId",
  item.event_id as "eventId",
  item.gone_at as "goneAt",
  item.gone_action as "goneAction",
  item.gone_status as "goneStatus"`

export async function listBySource(
  db: Database,
  subscriptionId: number,
  sourceIds: string[]
): Promise<SubscriptionItem[]> {
  return await db.all(sql`
    select ${columns}
    from calendar.subscription_items as item
    where item.subscription_id = ${subscriptionId} and item.source_id = any(${sourceIds}::text[])`)
}

export async function findByEvent(
  db: Database,
  subscriptionId: number,
  eventId: number
): Promise<SubscriptionItem | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from calendar.subscription_items as item
    where item.subscription_id = ${subscriptionId} and item.event_id = ${eventId}`)
}

/** Which of the events come from any subscription. */
export async function listSubscribedEvents(db: Database, eventIds: number[]): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select event_id as id from calendar.subscription_items where event_id = any(${eventIds}::bigint[])`)
  return rows.map(({ id }) => id)
}

export async function save(tx: Database, subscriptionId: number, items: SubscriptionItem[]): Promise<void> {
  if (items.length === 0) return
  await tx.run(sql`
    insert into calendar.subscription_items (
      subscription_id, source_id, event_id, base, conflicts, gone_at, gone_action, gone_status
    )
    select
      ${subscriptionId}::bigint, "sourceId", "eventId", base, nullif(conflicts, 'null'), "goneAt", "goneAction",
      "goneStatus"
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as given (
      "sourceId" text, "eventId" bigint, base jsonb, conflicts jsonb, "goneAt" timestamptz, "goneAction" text,
      "goneStatus" text
    )
    on conflict (subscription_id, source_id) do update
    set event_id = excluded.event_id, base = excluded.base, conflicts = excluded.conflicts,
      gone_at = excluded.gone_at, gone_action = excluded.gone_action, gone_status = excluded.gone_status`)
}

/** An event of the subscription, to compare with what the source has now. */
export interface TrackedEvent {
  sourceId: string
  eventId: number
  title: string
  start: string
  isUpcoming: boolean
}

/** Events that the source had at the last run and that are not in the trash here. */
export async function listTracked(db: Database, subscriptionId: number, now: Date): Promise<TrackedEvent[]> {
  return await db.all(sql`
    select
      item.source_id as "sourceId", item.event_id as "eventId", text.title,
      event.start_local::text as start,
      event.ends_at >= ${now} as "isUpcoming"
    from calendar.subscription_items as item
    join calendar.events as event on event.id = item.event_id
    cross join lateral (
      select title from calendar.event_texts where event_id = event.id order by language limit 1
    ) as text
    where item.subscription_id = ${subscriptionId} and item.gone_at is null and event.status <> 'trash'
    order by event.starts_at, item.source_id`)
}

/** Gives items their new ids at the source. */
export async function rename(
  tx: Database,
  { subscriptionId, origin }: { subscriptionId: number; origin: string },
  names: { from: string; to: string }[]
): Promise<void> {
  await tx.run(sql`
    with given as (
      select "from", "to" from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as given ("from" text, "to" text)
    ),
    known as (
      insert into calendar.imported (origin, kind, source_id, item_id, hash, version)
      select known.origin, known.kind, given."to", known.item_id, known.hash, known.version
      from given
      join calendar.imported as known
        on known.origin = ${origin} and known.kind = 'event' and known.source_id = given."from"
      on conflict (origin, kind, source_id) do nothing
    )
    update calendar.subscription_items as item
    set source_id = given."to"
    from given
    where item.subscription_id = ${subscriptionId} and item.source_id = given."from"`)
}

/** Events of a deleted subscription that are not in the trash yet. */
export async function listToTrash(db: Database, subscriptionId: number, most: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select event.id
    from calendar.subscription_items as item
    join calendar.events as event on event.id = item.event_id
    where item.subscription_id = ${subscriptionId} and event.status <> 'trash'
    order by event.id
    limit ${toLiteral(most)}`)
  return rows.map(({ id }) => id)
}

/** An event of this calendar with a UID that a source has, too. */
export interface SameUid {
  uid: string
  eventId: number
  /** The version after the import that it came with; null if it was made here. */
  importedVersion: number | null
  /** It belongs to a series that an import brought. */
  isInImportedSeries: boolean
}

/** An occurrence of a series has the UID of the series and its date at a source, and here a UID of its own. */
export async function listByUid(db: Database, uids: string[]): Promise<SameUid[]> {
  if (uids.length === 0) return []
  const occurrences = uids.map(uid => ({ uid, seriesUid: uid.slice(0, Math.max(uid.lastIndexOf('/'), 0)) }))
  return await db.all(sql`
    select
      event.uid, event.id as "eventId",
      (
        select max(known.version) from calendar.imported as known where known.kind = 'event' and known.item_id = event.id
      ) as "importedVersion",
      false as "isInImportedSeries"
    from calendar.events as event
    where event.uid = any(${uids}::text[])
    union all
    select given.uid, min(event.id), null, bool_or(known.item_id is not null)
    from jsonb_to_recordset(${JSON.stringify(occurrences)}::jsonb) as given (uid text, "seriesUid" text)
    join calendar.series as series on series.uid = given."seriesUid"
    join calendar.events as event on event.series_id = series.id
    left join calendar.imported as known on known.kind = 'series' and known.item_id = series.id
    group by given.uid`)
}

export interface SubscribedEvent extends SubscriptionItem {
  title: string
  start: string
  status: string
}

export type SubscribedState = 'conflict' | 'gone' | undefined

export async function listPage(
  db: Database,
  filter: { subscriptionId: number; state: SubscribedState },
  choice: LanguageChoice,
  page: Page
): Promise<SubscribedEvent[]> {
  return await db.all(sql`
    select ${columns}, text.title, event.start_local::text as start, event.status
    from calendar.subscription_items as item
    join calendar.events as event on event.id = item.event_id
    ${joinText(eventTexts, sql`event`, choice)}
    where ${buildCondition(filter)}
    order by event.starts_at, event.id
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

export async function count(db: Database, filter: { subscriptionId: number; state: SubscribedState }): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from calendar.subscription_items as item
    join calendar.events as event on event.id = item.event_id
    where ${buildCondition(filter)}`)
  return total
}

function buildCondition({ subscriptionId, state }: { subscriptionId: number; state: SubscribedState }): Sql {
  const isState =
    state === 'conflict'
      ? sql`and item.conflicts is not null`
      : state === 'gone'
        ? sql`and item.gone_at is not null`
        : emptySql
  return sql`item.subscription_id = ${subscriptionId} ${isState}`
}
