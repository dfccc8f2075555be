import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Cost } from '../content/cost.ts'
import { deleteFormerSlugs, insertFormerSlug } from '../content/former-slugs.ts'
import { addLanguage, eventTexts, joinText, type LanguageChoice, toStoredSlug } from '../content/texts.ts'
import { buildVisibleCondition } from '../permissions/permissions.ts'
import { buildEventColumns, type EventRow, joinSeries, type Reader, type StoredEvent } from './event-row.ts'
import { loadLinked } from './load-linked.ts'

export async function find(db: Database, id: number, reader: Reader): Promise<EventRow | undefined> {
  const [found] = await listWhere(db, sql`event.id = ${id}`, reader)
  return found
}

/** These events in any state, for readers who may see all. */
export async function listByIds(db: Database, ids: number[], reader: Reader): Promise<EventRow[]> {
  return await listWhere(db, sql`event.id = any(${ids}::bigint[])`, reader)
}

/** The events among the ids that the reader sees in lists, without password-protected ones. */
export async function listUnlocked(db: Database, ids: number[], reader: Reader): Promise<EventRow[]> {
  const condition = sql`
    event.id = any(${ids}::bigint[]) and ${buildVisibleCondition(reader.viewer, sql`event`)}
    and event.password is null and not event.hide_from_listings`
  return await listWhere(db, condition, reader)
}

/** Matches a slug in any language: the wanted language first, trashed events last. */
export async function findBySlug(db: Database, slug: string, reader: Reader): Promise<EventRow | undefined> {
  const [found] = await listWhere(db, sql`event.id = (${buildIdBySlug(slug, reader.choice)})`, reader)
  return found
}

async function listWhere(db: Database, condition: Sql, reader: Reader): Promise<EventRow[]> {
  const stored = await db.all<StoredEvent>(sql`
    select ${buildEventColumns(reader.zone)}
    from calendar.events as event ${joinText(eventTexts, sql`event`, reader.choice)} ${joinSeries}
    where ${condition}`)
  return await loadLinked(db, stored, reader)
}

/** A trashed event also matches the suffixed slug that is shown for it. */
function buildIdBySlug(slug: string, { wanted, fallback }: LanguageChoice): Sql {
  const stored = toStoredSlug(slug)
  return sql`
    select event_id as id
    from calendar.event_texts
    where slug <> '' and (slug = ${stored} or (slug = ${stored.replace(/__trashed$/, '')} and not live))
    order by live desc, language = ${wanted} desc, language = ${fallback} desc, event_id
    limit 1`
}

/** The locked row that an update starts from. */
export interface LockedEvent {
  id: number
  version: number
  authorId: number
  status: string
  publishedAt: string | null
  createdAt: string
  parentId: number | null
  cost: Cost | null
  website: string | null
  allDay: boolean
  start: string
  end: string
  startsAt: string
  endsAt: string
  timezone: string
  languages: Language[]
  seriesId: number | null
}

export async function lock(tx: Database, id: number): Promise<LockedEvent | undefined> {
  return await tx.maybeOne(sql`
    select
      id, version, status, timezone, cost, website,
      author_id as "authorId",
      published_at as "publishedAt",
      created_at as "createdAt",
      parent_id as "parentId",
      all_day as "allDay",
      start_local::text as start,
      end_local::text as "end",
      starts_at as "startsAt",
      ends_at as "endsAt",
      languages,
      series_id as "seriesId"
    from calendar.events as event
    where id = ${id}
    for update`)
}

/** The event and all its ancestors. */
export async function listLineage(tx: Database, id: number): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    with recursive lineage as (
      select id, parent_id from calendar.events where id = ${id}
      union
      select event.id, event.parent_id from lineage join calendar.events as event on event.id = lineage.parent_id
    )
    select id from lineage`)
  return rows.map(row => row.id)
}

/** Columns to write with their values: only those that change. */
export type EventColumns = Partial<{
  status: string
  published_at: Date | null
  author_id: number
  password: string | null
  parent_id: number | null
  image_id: number | null
  all_day: boolean
  starts_at: Date
  ends_at: Date
  start_local: string
  end_local: string
  timezone: string
  timezone_abbr: string
  cost: string | null
  website: string | null
  show_map: boolean
  show_map_link: boolean
  hide_from_listings: boolean
  sticky: boolean
  featured: boolean
  ticketed: boolean
  is_virtual: boolean
  event_status: string
}>

export async function insert(
  tx: Database,
  event: Required<EventColumns>,
  language: Language,
  now: Date
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.events (
      languages, status, published_at, author_id, password, parent_id, image_id, all_day, starts_at, ends_at, start_local, end_local,
      timezone, timezone_abbr, cost, website, show_map, show_map_link, hide_from_listings, sticky, featured, ticketed,
      is_virtual, event_status, created_at, modified_at
    ) values (
      ${[language]}, ${event.status}, ${event.published_at}, ${event.author_id}, ${event.password}, ${event.parent_id}, ${event.image_id},
      ${event.all_day}, ${event.starts_at}, ${event.ends_at}, ${event.start_local}, ${event.end_local},
      ${event.timezone}, ${event.timezone_abbr}, ${event.cost}, ${event.website}, ${event.show_map},
      ${event.show_map_link}, ${event.hide_from_listings}, ${event.sticky}, ${event.featured}, ${event.ticketed},
      ${event.is_virtual}, ${event.event_status}, ${now}, ${event.published_at ?? now}
    )
    returning id`)
  return id
}

export async function update(tx: Database, id: number, changes: EventColumns, now: Date): Promise<void> {
  const set = Object.entries(changes).reduce(
    (all, [column, value]) => sql`${all}, ${columnNames[column as keyof EventColumns]} = ${value}`,
    sql`version = version + 1, modified_at = ${now}`
  )
  await tx.run(sql`update calendar.events set ${set} where id = ${id}`.unprepared())
}

const columnNames: Record<keyof EventColumns, Sql> = {
  status: sql`status`,
  published_at: sql`published_at`,
  author_id: sql`author_id`,
  password: sql`password`,
  parent_id: sql`parent_id`,
  image_id: sql`image_id`,
  all_day: sql`all_day`,
  starts_at: sql`starts_at`,
  ends_at: sql`ends_at`,
  start_local: sql`start_local`,
  end_local: sql`end_local`,
  timezone: sql`timezone`,
  timezone_abbr: sql`timezone_abbr`,
  cost: sql`cost`,
  website: sql`website`,
  show_map: sql`show_map`,
  show_map_link: sql`show_map_link`,
  hide_from_listings: sql`hide_from_listings`,
  sticky: sql`sticky`,
  featured: sql`featured`,
  ticketed: sql`ticketed`,
  is_virtual: sql`is_virtual`,
  event_status: sql`event_status`
}

export async function remove(tx: Database, id: number): Promise<void> {
  await deleteFormerSlugs(tx, 'event', id)
  await tx.run(sql`delete from calendar.events where id = ${id}`)
}

/** Excludes the date of a deleted occurrence, so that it is not made again. */
export async function excludeFromSeries(tx: Database, id: number): Promise<void> {
  await tx.run(sql`
    update calendar.series as series
    set except_dates = array(select distinct unnest(except_dates || event.series_date) order by 1)
    from calendar.events as event
    where event.id = ${id} and series.id = event.series_id`)
}

/** Deletes a series whose last occurrence was deleted. */
export async function deleteEmptySeries(tx: Database, seriesId: number): Promise<void> {
  await tx.run(sql`
    delete from calendar.series
    where id = ${seriesId} and not exists (select from calendar.events where series_id = ${seriesId})`)
}

export interface EventText {
  language: Language
  title: string
  description: string
  excerpt: string
  slug: string
  search: string
}

export async function listTexts(tx: Database, id: number): Promise<EventText[]> {
  return await tx.all(sql`
    select language, title, description, excerpt, slug, search
    from calendar.event_texts where event_id = ${id} order by language`)
}

/**
 * Inserts or replaces the text of an event, which has one in that language unless it is new. Two writers may have found
 * the same free slug: the second one retries its transaction.
 */
export async function saveText(
  tx: Database,
  id: number,
  text: EventText,
  { live, isNew }: { live: boolean; isNew: boolean }
): Promise<void> {
  try {
    // Pipelined.
    await Promise.all([
      isNew ? undefined : insertFormerSlug(tx, eventTexts, 'event', { id, ...text }),
      tx.run(sql`
        insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, live, search)
        values (${id}, ${text.language}, ${text.title}, ${text.description}, ${text.excerpt}, ${text.slug}, ${live}, ${text.search})
        on conflict (event_id, language) do update
        set title = excluded.title, description = excluded.description, excerpt = excluded.excerpt,
          slug = excluded.slug, live = excluded.live, search = excluded.search`),
      isNew ? addLanguage(tx, eventTexts, id, text.language) : undefined
    ])
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505')
      throw new RetryTransaction('The slug was taken.', { cause: error })
    throw error
  }
}

/** The titles that already exist, so that sample content is not inserted twice. */
export async function listExistingTitles(db: Database, titles: string[]): Promise<string[]> {
  const rows = await db.all<{ title: string }>(sql`
    select distinct title from calendar.event_texts where title = any(${titles}::text[])`)
  return rows.map(({ title }) => title)
}

/** Keeps the UID that a new event has elsewhere, unless another event has it already. */
export async function setUid(tx: Database, id: number, uid: string): Promise<void> {
  await tx.run(sql`
    update calendar.events
    set uid = ${uid}
    where id = ${id} and not exists (select from calendar.events as other where other.uid = ${uid})`)
}

/** Everyone who has events. Reads one index entry per author, however many events each has. */
export async function listAuthorIds(db: Database, most: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    with recursive found as (
      (select author_id as id from calendar.events order by author_id limit 1)
      union all
      select (
        select author_id from calendar.events where author_id > found.id order by author_id limit 1
      )
      from found
      where found.id is not null
    )
    select id from found where id is not null limit ${toLiteral(most)}`)
  return rows.map(({ id }) => id)
}
