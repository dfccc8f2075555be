import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'

/** The values that an event has here, by field; texts have their language in the name (`title.en`). */
export interface EventValues {
  id: number
  status: string
  version: number
  isUpcoming: boolean
  values: Record<string, unknown>
}

export async function listEventValues(tx: Database, ids: number[], now: Date): Promise<Map<number, EventValues>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.all<EventValues>(sql`
    select
      event.id, event.status, event.version,
      event.ends_at >= ${now} as "isUpcoming",
      jsonb_build_object(
        'when', jsonb_build_object(
          'start_date', event.start_local::text, 'end_date', event.end_local::text,
          'timezone', event.timezone, 'all_day', event.all_day
        ),
        'image', event.image_id,
        'cost', event.cost,
        'website', event.website,
        'show_map', event.show_map,
        'show_map_link', event.show_map_link,
        'hide_from_listings', event.hide_from_listings,
        'sticky', event.sticky,
        'featured', event.featured,
        'ticketed', event.ticketed,
        'is_virtual', event.is_virtual,
        'event_status', event.event_status,
        'post_parent', event.parent_id,
        'venue', (
          select coalesce(jsonb_agg(link.venue_id order by link.position), '[]')
          from calendar.event_venues as link where link.event_id = event.id
        ),
        'organizer', (
          select coalesce(jsonb_agg(link.organizer_id order by link.position), '[]')
          from calendar.event_organizers as link where link.event_id = event.id
        ),
        'categories', (
          select coalesce(jsonb_agg(link.term_id order by link.term_id), '[]')
          from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
          where link.event_id = event.id and term.taxonomy = 'category'
        ),
        'tags', (
          select coalesce(jsonb_agg(link.term_id order by link.term_id), '[]')
          from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
          where link.event_id = event.id and term.taxonomy = 'tag'
        )
      ) || (
        select coalesce(jsonb_object_agg(field.name || '.' || text.language, field.value), '{}')
        from calendar.event_texts as text
        cross join lateral (
          values ('title', text.title), ('description', text.description), ('excerpt', text.excerpt)
        ) as field (name, value)
        where text.event_id = event.id
      ) as values
    from calendar.events as event
    where event.id = any(${ids}::bigint[])`)
  return new Map(rows.map(row => [row.id, row]))
}
