import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import type { LocalDateTime } from '../time/time.ts'

export interface SeriesRow {
  id: number
  version: number
  authorId: number
  rule: string
  start: LocalDateTime
  end: LocalDateTime
  allDay: boolean
  timezone: string
  also: LocalDateTime[]
  except: LocalDateTime[]
  uid: string
  madeUntil: LocalDateTime | null
  createdAt: string
  modifiedAt: string
}

const seriesColumns = sql`
  series.id, series.version, series.author_id as "authorId", series.rule,
  series.start_local::text as start, series.end_local::text as "end",
  series.all_day as "allDay", series.timezone,
  series.also_dates::text[] as also, series.except_dates::text[] as except,
  series.uid, series.made_until::text as "madeUntil",
  series.created_at as "createdAt", series.modified_at as "modifiedAt"`

/** A series as its readers see it. */
export interface ShownSeriesRow extends SeriesRow {
  /** Visible occurrences. */
  occurrences: number
  next: { id: number; date: LocalDateTime } | null
  /** Dates of occurrences in the trash, which are skipped, and of those that take place. */
  skipped: LocalDateTime[]
  taken: LocalDateTime[]
}

export async function find(
  db: Database,
  id: number,
  { viewer, now }: { viewer: Viewer; now: Date }
): Promise<ShownSeriesRow | undefined> {
  const visible = buildVisibleCondition(viewer, sql`event`)
  return await db.maybeOne(sql`
    select ${seriesColumns}, seen.occurrences, seen.taken, next.next,
      array(
        select event.series_date::text from calendar.events as event
        where event.series_id = series.id and event.status = 'trash' order by event.series_date
      ) as skipped
    from calendar.series as series
    cross join lateral (
      select count(*)::integer as occurrences, coalesce(array_agg(event.series_date::text), '{}') as taken
      from calendar.events as event
      where event.series_id = series.id and ${visible}
    ) as seen
    left join lateral (
      select json_build_object('id', event.id, 'date', event.start_local::text) as next
      from calendar.events as event
      where event.series_id = series.id and event.ends_at > ${now} and ${visible}
      order by event.starts_at, event.id
      limit 1
    ) as next on true
    where series.id = ${id} and seen.occurrences > 0`)
}

/** A series with all of its occurrences that lists show to the reader. */
export interface ListedSeriesRow extends SeriesRow {
  occurrences: { id: number; date: LocalDateTime; startsAt: string; isException: boolean }[]
}

export async function listWithOccurrences(db: Database, ids: number[], viewer: Viewer): Promise<ListedSeriesRow[]> {
  return await db.all(sql`
    select ${seriesColumns}, coalesce((
      select json_agg(json_build_object(
        'id', event.id, 'date', event.series_date::text, 'startsAt', event.starts_at,
        'isException', event.series_changes <> '{}'
      ))
      from calendar.events as event
      where event.series_id = series.id and ${buildVisibleCondition(viewer, sql`event`)} and not event.hide_from_listings
    ), '[]') as occurrences
    from calendar.series as series
    where series.id = any(${ids}::bigint[])`)
}

export async function findSeriesId(tx: Database, eventId: number): Promise<number | undefined> {
  const row = await tx.maybeOne<{ seriesId: number | null }>(
    sql`select series_id as "seriesId" from calendar.events where id = ${eventId}`
  )
  return row?.seriesId ?? undefined
}

export async function lock(tx: Database, id: number): Promise<SeriesRow | undefined> {
  return await tx.maybeOne(
    sql`select ${seriesColumns} from calendar.series as series where series.id = ${id} for update`
  )
}

/** Locks an endless series that has to be extended, unless another process does so. */
export async function lockToExtend(tx: Database, id: number, before: LocalDateTime): Promise<SeriesRow | undefined> {
  return await tx.maybeOne(sql`
    select ${seriesColumns} from calendar.series as series
    where series.id = ${id} and series.made_until < ${before}::timestamp
    for update skip locked`)
}

/** Ids of endless series whose occurrences end before a time, after an id. */
export async function listIdsToExtend(db: Database, before: LocalDateTime, afterId: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select id from calendar.series
    where made_until < ${before}::timestamp and id > ${afterId}
    order by id
    limit 100`)
  return rows.map(({ id }) => id)
}

/** What a series is made of. */
export interface SeriesDefinition {
  rule: string
  start: LocalDateTime
  end: LocalDateTime
  allDay: boolean
  timezone: string
  also: LocalDateTime[]
  except: LocalDateTime[]
  madeUntil: LocalDateTime | null
}

export async function insert(
  tx: Database,
  { rule, start, end, allDay, timezone, ...series }: SeriesDefinition & { authorId: number },
  now: Date
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.series (
      author_id, rule, start_local, end_local, all_day, timezone, also_dates, except_dates, made_until, created_at, modified_at
    ) values (
      ${series.authorId}, ${rule}, ${start}, ${end}, ${allDay}, ${timezone}, ${series.also}::timestamp[],
      ${series.except}::timestamp[], ${series.madeUntil}::timestamp, ${now}, ${now}
    )
    returning id`)
  return id
}

/** Keeps the UID that the series has elsewhere, unless another one has it here. */
export async function setUid(tx: Database, id: number, uid: string): Promise<void> {
  await tx.run(sql`
    update calendar.series
    set uid = ${uid}
    where id = ${id} and not exists (select from calendar.series as other where other.uid = ${uid})`)
}

export async function update(tx: Database, id: number, series: SeriesDefinition, now: Date): Promise<void> {
  await tx.run(sql`
    update calendar.series
    set rule = ${series.rule}, start_local = ${series.start}, end_local = ${series.end}, all_day = ${series.allDay},
      timezone = ${series.timezone}, also_dates = ${series.also}::timestamp[], except_dates = ${series.except}::timestamp[],
      made_until = ${series.madeUntil}::timestamp, version = version + 1, modified_at = ${now}
    where id = ${id}`)
}

/** For a change of the occurrences that leaves the rule as it is. */
export async function updateVersion(tx: Database, id: number, now: Date): Promise<void> {
  await tx.run(sql`update calendar.series set version = version + 1, modified_at = ${now} where id = ${id}`)
}

/** The occurrences of an endless series were made up to this time. */
export async function updateMadeUntil(tx: Database, id: number, madeUntil: LocalDateTime): Promise<void> {
  await tx.run(sql`update calendar.series set made_until = ${madeUntil}::timestamp where id = ${id}`)
}

/** Leaves its occurrences as single events. */
export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`
    update calendar.events set series_id = null, series_date = null, series_changes = '{}' where series_id = ${id}`)
  await tx.run(sql`delete from calendar.series where id = ${id}`)
}

/** An occurrence that a write of its series has locked. */
export interface OccurrenceRow {
  id: number
  authorId: number
  status: string
  publishedAt: string | null
  date: LocalDateTime
  startsAt: string
  start: LocalDateTime
  end: LocalDateTime
  changes: string[]
}

/** Locks all occurrences in the order of their ids, so that writes of the same series wait for each other. */
export async function lockOccurrences(tx: Database, seriesId: number): Promise<OccurrenceRow[]> {
  const rows = await tx.all<OccurrenceRow>(sql`
    select
      id, status, author_id as "authorId", published_at as "publishedAt", series_date::text as date,
      starts_at as "startsAt", start_local::text as start, end_local::text as "end", series_changes as changes
    from calendar.events
    where series_id = ${seriesId}
    order by id
    for update`)
  return rows.sort((one, other) => (one.date < other.date ? -1 : 1))
}

/** The latest occurrence that is as the series is meant, to copy new ones from; else the latest one. */
export async function findTemplateId(tx: Database, seriesId: number): Promise<number | undefined> {
  const row = await tx.maybeOne<{ id: number }>(sql`
    select id from calendar.events
    where series_id = ${seriesId} and status <> 'trash'
    order by series_changes = '{}' desc, series_date desc
    limit 1`)
  return row?.id
}
