import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'

/** Earlier versions that are stored per event; older ones are deleted. */
const versionsMax = 50

/** The state of an event with all texts and links, from a row aliased as `event`. It never contains the password. */
export const snapshotColumn = sql`
  jsonb_build_object(
    'status', event.status,
    'date_utc', to_char(event.published_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
    'author', event.author_id,
    'start_date', to_char(event.start_local, 'YYYY-MM-DD HH24:MI:SS'),
    'end_date', to_char(event.end_local, 'YYYY-MM-DD HH24:MI:SS'),
    'all_day', event.all_day,
    'timezone', event.timezone,
    'event_status', event.event_status,
    'cost', event.cost,
    'website', coalesce(event.website, ''),
    'image', event.image_id,
    'post_parent', event.parent_id,
    'show_map', event.show_map,
    'show_map_link', event.show_map_link,
    'hide_from_listings', event.hide_from_listings,
    'sticky', event.sticky,
    'featured', event.featured,
    'ticketed', event.ticketed,
    'is_virtual', event.is_virtual,
    'has_password', event.password is not null,
    'venue', (
      select coalesce(jsonb_agg(venue_id order by position), '[]')
      from calendar.event_venues where event_id = event.id
    ),
    'organizer', (
      select coalesce(jsonb_agg(organizer_id order by position), '[]')
      from calendar.event_organizers where event_id = event.id
    ),
    'categories', (
      select coalesce(jsonb_agg(term.id order by term.id), '[]')
      from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
      where link.event_id = event.id and term.taxonomy = 'category'
    ),
    'tags', (
      select coalesce(jsonb_agg(term.id order by term.id), '[]')
      from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
      where link.event_id = event.id and term.taxonomy = 'tag'
    ),
    'texts', (
      select jsonb_object_agg(language, jsonb_build_object(
        'title', title, 'description', description, 'excerpt', excerpt, 'slug', slug
      ))
      from calendar.event_texts where event_id = event.id
    )
  )`

/**
 * Stores the current state of events that the caller is about to change, and has locked. If an event then stays as it
 * is, its row is overwritten the next time.
 */
export async function saveVersions(tx: Database, by: Caller, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`
    with outdated as (
      delete from calendar.event_versions as kept
      using calendar.events as event
      where event.id = any(${ids}::bigint[]) and kept.event_id = event.id
        and kept.version <= event.version - ${toLiteral(versionsMax)}
    )
    insert into calendar.event_versions (event_id, version, at, replaced_by, snapshot)
    select event.id, event.version, event.modified_at, ${by.name}, ${snapshotColumn}
    from calendar.events as event
    where event.id = any(${ids}::bigint[])
    on conflict (event_id, version) do update
    set at = excluded.at, replaced_by = excluded.replaced_by, snapshot = excluded.snapshot`)
}

/** Deletes the versions of events from these on, after the undo of an import has brought them back. */
export async function removeVersionsFrom(tx: Database, restored: { id: number; version: number }[]): Promise<void> {
  const given = JSON.stringify(restored.map(({ id, version }) => ({ id, version })))
  await tx.run(sql`
    delete from calendar.event_versions as kept
    using jsonb_to_recordset(${given}::jsonb) as restored (id bigint, version integer)
    where kept.event_id = restored.id and kept.version >= restored.version`)
}
