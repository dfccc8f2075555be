import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Cost } from '../../content/cost.ts'
import { eventTexts, joinText, termTexts, venueTexts } from '../../content/texts.ts'
import { buildVisibleCondition } from '../../permissions/permissions.ts'
import { addDays, type IsoDate, toInstant } from '../../time/time.ts'
import type { Reader } from '../event-row.ts'
import type { EventConditions } from '../filter.ts'
import { buildStillVisibleCondition } from '../list-queries.ts'

export interface DayRange {
  from: IsoDate
  to: IsoDate
  perDay: number
}

/** A day with at least one event. */
export interface DayRow {
  /** Offset in days from the first day of the range. */
  number: number
  total: number
  /** The first events of the day, in order. */
  ids: number[] | null
}

/** The columns of an event that a calendar view shows. */
interface StoredDayEntry {
  id: number
  title: string
  slug: string
  language: 'en' | 'de'
  start: string
  end: string
  firstDay: IsoDate
  lastDay: IsoDate
  allDay: boolean
  timezone: string
  featured: boolean
  status: string
  authorId: number
  publishedAt: string | null
  password: string | null
  eventStatus: 'scheduled' | 'canceled' | 'postponed'
  cost: Cost | null
  venueIds: number[]
  termIds: number[]
}

export interface DayEntryRow extends StoredDayEntry {
  categories: CategoryName[]
  /** The first one that the reader can see. */
  venue: string | undefined
}

interface CategoryName {
  id: number
  slug: string
  name: string
}

export interface DaysResult {
  days: DayRow[]
  entries: DayEntryRow[]
  previous: IsoDate | null
  next: IsoDate | null
}

/** The days first, then the events shown on them: most events of a busy month are only counted. */
export async function listDays(
  db: Database,
  narrowing: EventConditions,
  range: DayRange,
  reader: Reader
): Promise<DaysResult> {
  const statement = buildDaysQuery(narrowing, range, reader.zone)
  const found = await db.one<Omit<DaysResult, 'entries'>>(narrowing.isPlain ? statement : statement.unprepared())
  const ids = [...new Set(found.days.flatMap(day => day.ids ?? []))]
  const stored = ids.length === 0 ? [] : await db.all<StoredDayEntry>(buildEntriesQuery(ids, reader))
  return { ...found, entries: await addNames(db, stored, reader) }
}

/** Adds the names of venues and categories: all that a calendar view shows of them. */
async function addNames(db: Database, stored: StoredDayEntry[], reader: Reader): Promise<DayEntryRow[]> {
  const [venues, categories] = await Promise.all([
    listVenueNames(db, [...new Set(stored.flatMap(entry => entry.venueIds))], reader),
    listCategoryNames(db, [...new Set(stored.flatMap(entry => entry.termIds))], reader)
  ])
  const venueNames = new Map(venues.map(({ id, name }) => [id, name]))
  const categoriesById = new Map(categories.map(category => [category.id, category]))
  return (stored as DayEntryRow[]).map(entry => {
    entry.categories = entry.termIds.flatMap(id => categoriesById.get(id) ?? [])
    entry.venue = entry.venueIds.flatMap(id => venueNames.get(id) ?? [])[0]
    return entry
  })
}

async function listVenueNames(
  db: Database,
  ids: number[],
  { viewer, choice }: Reader
): Promise<{ id: number; name: string }[]> {
  if (ids.length === 0) return []
  return await db.all(sql`
    select venue.id, text.name
    from calendar.venues as venue ${joinText(venueTexts, sql`venue`, choice)}
    where venue.id = any(${ids}::bigint[]) and ${buildVisibleCondition(viewer, sql`venue`)}`)
}

async function listCategoryNames(db: Database, ids: number[], { choice }: Reader): Promise<CategoryName[]> {
  if (ids.length === 0) return []
  return await db.all(sql`
    select term.id, text.slug, text.name
    from calendar.terms as term ${joinText(termTexts, sql`term`, choice)}
    where term.id = any(${ids}::bigint[]) and term.taxonomy = 'category'`)
}

/** Must match the definition of the column `lasts_long`. */
const longMs = 7 * 86_400_000
/** An all-day event keeps its own local dates in any zone: time zones are at most this far apart. */
const zoneSpreadMs = 26 * 3_600_000
const zoneSpread = sql`interval '26 hours'`

/**
 * The days with the ids of their first events, and the nearest days with events before and after, in one statement.
 * Reads each event once, however many days it spans.
 */
export function buildDaysQuery(narrowing: EventConditions, { from, to, perDay }: DayRange, zone: string): Sql {
  const begins = toInstant(`${from} 00:00:00`, zone)
  const ends = toInstant(`${addDays(to, 1)} 00:00:00`, zone)
  const leads = sql`(matching.leads or matching.first < day.number)`
  return sql`
    with matching as materialized (${buildMatchingEvents(narrowing, { from, begins, ends }, zone)}),
    placed as (
      select day.number, matching.id, row_number() over (
        partition by day.number
        order by ${leads} desc, (${leads} and matching.prominent) desc, matching.starts_at, matching.id
      ) as place
      from matching
      cross join lateral generate_series(
        greatest(matching.first, 0), least(matching.last, ${to}::date - ${from}::date)
      ) as day (number)
    )
    select
      coalesce((
        select json_agg(shown)
        from (
          select number, count(*) as total, array_agg(id order by place) filter (where place <= ${perDay}::integer) as ids
          from placed group by number
        ) as shown
      ), '[]') as days,
      (${buildLastBefore(narrowing, from, begins, zone)})::text as previous,
      (${buildFirstAfter(narrowing, to, ends, zone)})::text as next`
}

/** The entries that the reader can still see: they may have changed since their ids were read. */
export function buildEntriesQuery(ids: number[], { viewer, choice, zone }: Reader): Sql {
  return sql`
    select
      event.id, event.timezone, event.featured, event.status, event.password, event.cost, text.title, text.slug, text.language,
      event.start_local::text as start,
      event.end_local::text as "end",
      (${buildFirstDay(zone)})::text as "firstDay",
      (${buildLastDay(zone)})::text as "lastDay",
      event.all_day as "allDay",
      event.author_id as "authorId",
      event.published_at as "publishedAt",
      event.event_status as "eventStatus",
      array(select venue_id from calendar.event_venues where event_id = event.id order by position) as "venueIds",
      array(select term_id from calendar.event_terms where event_id = event.id) as "termIds"
    from calendar.events as event ${joinText(eventTexts, sql`event`, choice)}
    where event.id = any(${ids}::bigint[]) and ${buildStillVisibleCondition(viewer)}`
}

/** The first day of an event in the site's time zone. */
function buildFirstDay(zone: string): Sql {
  return sql`case when event.all_day then event.start_local::date else (event.starts_at at time zone ${zone})::date end`
}

/** The last day of an event; an event that ends at midnight does not extend to the day that begins then. */
function buildLastDay(zone: string): Sql {
  return sql`case
    when event.all_day then event.end_local::date
    else (greatest(event.starts_at, event.ends_at - interval '1 microsecond') at time zone ${zone})::date
  end`
}

function joinDays(zone: string): Sql {
  return sql`cross join lateral (
    select ${buildFirstDay(zone)} as first_day, ${buildLastDay(zone)} as last_day
  ) as during`
}

/**
 * The events in the range and a few around it, without scanning the whole past: events that are not `lasts_long` cannot
 * have started much earlier, and the long ones are few. The days of an event decide, in `placed`.
 */
function buildMatchingEvents(
  { conditions, joined }: EventConditions,
  { from, begins, ends }: { from: IsoDate; begins: Date; ends: Date },
  zone: string
): Sql {
  const over = new Date(begins.getTime() - zoneSpreadMs)
  const early = new Date(over.getTime() - longMs)
  const late = new Date(ends.getTime() + zoneSpreadMs)
  const part = (bounds: Sql) => sql`
    select
      event.id, event.starts_at,
      during.first_day - ${from}::date as first,
      during.last_day - ${from}::date as last,
      event.all_day or event.sticky as leads,
      event.sticky or event.featured as prominent
    from calendar.events as event ${joined} ${joinDays(zone)}
    where ${conditions} and ${bounds} and event.starts_at < ${late} and event.ends_at > ${over}`
  return sql`
    ${part(sql`not event.lasts_long and event.starts_at > ${early}`)}
    union all
    ${part(sql`event.lasts_long`)}`
}

/** The event that ended last is not always the one with the last day: an all-day event may be in another time zone. */
function buildLastBefore({ conditions, joined }: EventConditions, from: IsoDate, begins: Date, zone: string): Sql {
  const late = new Date(begins.getTime() + zoneSpreadMs)
  const before = sql`
    from calendar.events as event ${joined} ${joinDays(zone)}
    where ${conditions} and event.ends_at < ${late} and during.last_day < ${from}::date`
  return sql`
    select max(during.last_day) ${before}
      and event.ends_at >= (select event.ends_at ${before} order by event.ends_at desc, event.id desc limit 1) - ${zoneSpread}`
}

function buildFirstAfter({ conditions, joined }: EventConditions, to: IsoDate, ends: Date, zone: string): Sql {
  const early = new Date(ends.getTime() - zoneSpreadMs)
  const after = sql`
    from calendar.events as event ${joined} ${joinDays(zone)}
    where ${conditions} and event.starts_at > ${early} and during.first_day > ${to}::date`
  return sql`
    select min(during.first_day) ${after}
      and event.starts_at <= (select event.starts_at ${after} order by event.starts_at, event.id limit 1) + ${zoneSpread}`
}
