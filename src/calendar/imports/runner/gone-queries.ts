import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { buildPublishedCondition } from '../../permissions/permissions.ts'
import type { ImportRow } from '../schema.ts'

/**
 * Upcoming events and series that came from this place in an earlier import and are not in the report of this one. Past events are
 * no news: many calendars drop them. A series that could not be read has one row for all its occurrences.
 */
export async function listGoneEvents(
  db: Database,
  { id, origin }: { id: number; origin: string },
  { place, now, most, publicOnly }: { place: string; now: Date; most: number; publicOnly: boolean }
): Promise<Pick<ImportRow, 'kind' | 'sourceId' | 'itemId' | 'title' | 'sourceUrl'>[]> {
  return await db.all(sql`
    select known.kind, known.source_id as "sourceId", known.item_id as "itemId", text.title, null as "sourceUrl"
    from (
      select source_id, item_id, 'event' as kind, item_id as event_id
      from calendar.imported
      where origin = ${origin} and kind = 'event' and place = ${place}
      union all
      select series.source_id, series.item_id, 'series', next.id
      from calendar.imported as series
      cross join lateral (
        select event.id from calendar.events as event
        where event.series_id = series.item_id and event.status <> 'trash' and event.ends_at >= ${now}
        order by event.starts_at limit 1
      ) as next
      where series.origin = ${origin} and series.kind = 'series' and series.place = ${place}
    ) as known
    join calendar.events as event on event.id = known.event_id
    cross join lateral (
      select title from calendar.event_texts where event_id = event.id order by language limit 1
    ) as text
    where event.status <> 'trash' and event.ends_at >= ${now} ${publicOnly ? buildListedCondition() : emptySql}
      and not exists (
        select
        from calendar.import_rows as row
        where row.import_id = ${id} and row.kind = known.kind
          and (
            row.source_id = known.source_id
            or (row.outcome in ('problem', 'skipped') and row.source_id = regexp_replace(known.source_id, '/[^/]*$', ''))
          )
      )
    order by event.starts_at, known.source_id
    limit ${toLiteral(most)}`)
}

/** Stores where the events in the report of an import came from. */
export async function savePlace(
  db: Database,
  { id, origin }: { id: number; origin: string },
  place: string
): Promise<void> {
  await db.run(sql`
    update calendar.imported as known
    set place = ${place}
    from calendar.import_rows as row
    where row.import_id = ${id} and row.kind in ('event', 'series') and known.origin = ${origin} and known.kind = row.kind
      and known.source_id = row.source_id and known.place is distinct from ${place}`)
}

/** Events that a site shows to everybody. */
function buildListedCondition(): Sql {
  return sql`and ${buildPublishedCondition(sql`event`)} and event.password is null and not event.hide_from_listings`
}
