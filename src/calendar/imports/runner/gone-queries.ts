import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { buildPublishedCondition } from '../../permissions/permissions.ts'
import type { ImportRow } from '../schema.ts'

/**
 * Upcoming events that came from this place in an earlier import and are not in the report of this one. Past events are
 * no news: many calendars drop them. A series that could not be read has one row for all its occurrences.
 */
export async function listGoneEvents(
  db: Database,
  { id, origin }: { id: number; origin: string },
  { place, now, most, publicOnly }: { place: string; now: Date; most: number; publicOnly: boolean }
): Promise<Pick<ImportRow, 'sourceId' | 'itemId' | 'title' | 'sourceUrl'>[]> {
  return await db.all(sql`
    select known.source_id as "sourceId", known.item_id as "itemId", text.title, null as "sourceUrl"
    from calendar.imported as known
    join calendar.events as event on event.id = known.item_id
    cross join lateral (
      select title from calendar.event_texts where event_id = event.id order by language limit 1
    ) as text
    where known.origin = ${origin} and known.kind = 'event' and known.place = ${place}
      and event.status <> 'trash' and event.ends_at >= ${now} ${publicOnly ? buildListedCondition() : emptySql}
      and not exists (
        select
        from calendar.import_rows as row
        where row.import_id = ${id} and row.kind = 'event'
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
    where row.import_id = ${id} and row.kind = 'event' and known.origin = ${origin} and known.kind = row.kind
      and known.source_id = row.source_id and known.place is distinct from ${place}`)
}

/** Events that a site shows to everybody. */
function buildListedCondition(): Sql {
  return sql`and ${buildPublishedCondition(sql`event`)} and event.password is null and not event.hide_from_listings`
}
