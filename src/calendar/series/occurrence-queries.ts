import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Schedule } from '../events/schedule.ts'
import type { LocalDateTime } from '../time/time.ts'

/** A date of a series with its schedule. */
export interface DatedSchedule {
  date: LocalDateTime
  schedule: Schedule
}

/** Columns of an event that its copies have, too. */
const copiedColumns = sql`
  languages, author_id, status, published_at, password, parent_id, image_id, cost, website, show_map, show_map_link,
  hide_from_listings, sticky, featured, ticketed, is_virtual, event_status`

/** Copies an event to further dates of its series, without texts and links; skips dates that exist. */
export async function insertCopies(
  tx: Database,
  { templateId, seriesId, now }: { templateId: number; seriesId: number; now: Date },
  dates: DatedSchedule[]
): Promise<{ id: number; date: LocalDateTime }[]> {
  const rows = await tx.all<{ id: number; date: LocalDateTime }>(sql`
    insert into calendar.events (
      ${copiedColumns}, created_at, modified_at, series_id, series_date,
      all_day, start_local, end_local, starts_at, ends_at, timezone, timezone_abbr
    )
    select ${copiedColumns}, ${now}::timestamptz, ${now}::timestamptz, ${seriesId}::bigint, given.*
    from calendar.events as template, ${buildSchedules(dates)}
    where template.id = ${templateId}
    order by given.series_date
    on conflict (series_id, series_date) where series_id is not null do nothing
    returning id, series_date::text as date`)
  return rows
}

function buildSchedules(dates: DatedSchedule[]): Sql {
  const list = <Value>(read: (schedule: Schedule) => Value) => dates.map(({ schedule }) => read(schedule))
  return sql`unnest(
    ${dates.map(({ date }) => date)}::timestamp[],
    ${list(one => one.all_day)}::boolean[],
    ${list(one => one.start_local)}::timestamp[],
    ${list(one => one.end_local)}::timestamp[],
    ${list(one => one.starts_at)}::timestamptz[],
    ${list(one => one.ends_at)}::timestamptz[],
    ${list(one => one.timezone)}::text[],
    ${list(one => one.timezone_abbr)}::text[]
  ) as given (series_date, all_day, start_local, end_local, starts_at, ends_at, timezone, timezone_abbr)`
}

/** Copies the texts, venues, organizers and terms of an event. */
export async function insertCopiedParts(
  tx: Database,
  templateId: number,
  slugs: { id: number; language: Language; slug: string }[]
): Promise<void> {
  const ids = [...new Set(slugs.map(({ id }) => id))]
  await retryTakenSlug(
    tx.run(sql`
      insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, live, search)
      select copy.id, text.language, text.title, text.description, text.excerpt, copy.slug, text.live, text.search
      from unnest(
        ${slugs.map(({ id }) => id)}::bigint[], ${slugs.map(({ language }) => language)}::text[],
        ${slugs.map(({ slug }) => slug)}::text[]
      ) as copy (id, language, slug)
      join calendar.event_texts as text on text.event_id = ${templateId} and text.language = copy.language`)
  )
  await tx.run(sql`
    insert into calendar.event_venues (event_id, venue_id, position)
    select copy.id, link.venue_id, link.position
    from calendar.event_venues as link, unnest(${ids}::bigint[]) as copy (id) where link.event_id = ${templateId}`)
  await tx.run(sql`
    insert into calendar.event_organizers (event_id, organizer_id, position)
    select copy.id, link.organizer_id, link.position
    from calendar.event_organizers as link, unnest(${ids}::bigint[]) as copy (id) where link.event_id = ${templateId}`)
  await tx.run(sql`
    insert into calendar.event_terms (event_id, term_id)
    select copy.id, link.term_id
    from calendar.event_terms as link, unnest(${ids}::bigint[]) as copy (id) where link.event_id = ${templateId}`)
}

/** Two writers may have found the same free slug: the second one retries its transaction. */
export async function retryTakenSlug<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505')
      throw new RetryTransaction('The slug was taken.', { cause: error })
    throw error
  }
}

/** Makes an event an occurrence of a series. */
export async function attach(
  tx: Database,
  id: number,
  { seriesId, date }: { seriesId: number; date: LocalDateTime }
): Promise<void> {
  await tx.run(sql`
    update calendar.events set series_id = ${seriesId}, series_date = ${date}, series_changes = '{}' where id = ${id}`)
}

/** Moves occurrences to another series. */
export async function moveToSeries(tx: Database, ids: number[], seriesId: number): Promise<void> {
  await tx.run(sql`update calendar.events set series_id = ${seriesId} where id = any(${ids}::bigint[])`)
}

/** Makes single events of occurrences. */
export async function detach(tx: Database, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`
    update calendar.events set series_id = null, series_date = null, series_changes = '{}'
    where id = any(${ids}::bigint[])`)
}

/** Dates are cleared first: a date may be the former one of the next occurrence. */
export async function updateDates(tx: Database, dates: { id: number; date: LocalDateTime }[]): Promise<void> {
  const ids = dates.map(({ id }) => id)
  await tx.run(sql`update calendar.events set series_date = null where id = any(${ids}::bigint[])`)
  await tx.run(sql`
    update calendar.events as event set series_date = given.date
    from unnest(${ids}::bigint[], ${dates.map(({ date }) => date)}::timestamp[]) as given (id, date)
    where event.id = given.id`)
}

export async function updateSchedules(
  tx: Database,
  occurrences: (DatedSchedule & { id: number })[],
  now: Date
): Promise<void> {
  if (occurrences.length === 0) return
  await tx.run(sql`
    update calendar.events as event
    set all_day = given.all_day, start_local = given.start_local, end_local = given.end_local,
      starts_at = given.starts_at, ends_at = given.ends_at, timezone = given.timezone,
      timezone_abbr = given.timezone_abbr, version = version + 1, modified_at = ${now}
    from ${buildSchedules(occurrences)}
    join unnest(
      ${occurrences.map(({ id }) => id)}::bigint[], ${occurrences.map(({ date }) => date)}::timestamp[]
    ) as occurrence (id, date) on occurrence.date = given.series_date
    where event.id = occurrence.id`)
}

/** Removes fields from those in which an occurrence differs from its series. */
export async function removeSeriesChanges(tx: Database, id: number, fields: string[]): Promise<void> {
  await tx.run(sql`
    update calendar.events
    set series_changes = array(select unnest(series_changes) except select unnest(${fields}::text[]) order by 1)
    where id = ${id}`)
}

/** Makes all occurrences of a series follow it in every field. */
export async function clearSeriesChanges(tx: Database, seriesId: number): Promise<void> {
  await tx.run(sql`
    update calendar.events set series_changes = '{}' where series_id = ${seriesId} and series_changes <> '{}'`)
}

export async function trash(tx: Database, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`
    update calendar.events set status = 'trash', version = version + 1, modified_at = ${now}
    where id = any(${ids}::bigint[]) and status <> 'trash'`)
  await tx.run(sql`update calendar.event_texts set live = false where event_id = any(${ids}::bigint[])`)
}

export async function removeAll(tx: Database, ids: number[]): Promise<void> {
  await tx.run(sql`delete from calendar.former_slugs where kind = 'event' and item_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from calendar.events where id = any(${ids}::bigint[])`)
}
