import { listChanges } from '#platform/activity/changes.ts'
import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { type Cost, formatCost } from '../content/cost.ts'

/** The fields of an event in which an occurrence may differ from its series, with comparable values. */
export type FieldValues = Record<string, unknown>

/** The fields that a write changed. Trash and restoration are no change: they skip a date and bring it back. */
export function listChangedFields(before: FieldValues, after: FieldValues): string[] {
  const isTrashed = before.status === null || after.status === null
  return Object.keys(after)
    .filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .filter(field => !isTrashed || (field !== 'status' && field !== 'slug'))
}

/** Fields whose values the activity log shows: what visitors see of a published event, in one line. */
const shownFields = [
  ...['title', 'start_date', 'end_date', 'all_day', 'timezone', 'status', 'event_status', 'cost', 'website'],
  ...['featured', 'sticky', 'hide_from_listings']
]

/** For the activity log: the changed fields, and their values before and after. */
export function listEventChanges(before: FieldValues, after: FieldValues) {
  // Without the time of publication.
  const simplify = (values: FieldValues) => ({
    ...values,
    status: Array.isArray(values.status) ? values.status[0] : 'trash',
    cost: formatCost(values.cost as Cost | null, { symbol: '', position: 'prefix' })
  })
  return listChanges(simplify(before), simplify(after), shownFields)
}

/** Notes in which fields an occurrence differs from its series. */
export async function addSeriesChanges(tx: Database, id: number, fields: string[]): Promise<void> {
  await tx.run(sql`
    update calendar.events
    set series_changes = array(select distinct unnest(series_changes || ${fields}::text[]) order by 1)
    where id = ${id}`)
}

/** Without a status while it is in the trash. */
export async function findFieldValues(tx: Database, id: number): Promise<FieldValues> {
  const { values } = await tx.one<{ values: FieldValues }>(sql`
    select json_build_object(
      'title', (select json_agg(title order by language) from calendar.event_texts where event_id = event.id),
      'description', (select json_agg(md5(description) order by language) from calendar.event_texts where event_id = event.id),
      'excerpt', (select json_agg(md5(excerpt) order by language) from calendar.event_texts where event_id = event.id),
      'slug', (select json_agg(slug order by language) from calendar.event_texts where event_id = event.id),
      'start_date', event.start_local, 'end_date', event.end_local, 'all_day', event.all_day, 'timezone', event.timezone,
      'status', case when event.status <> 'trash' then array[event.status, event.published_at::text] end,
      'author', event.author_id, 'image', event.image_id, 'cost', event.cost, 'website', event.website,
      'show_map', event.show_map, 'show_map_link', event.show_map_link,
      'hide_from_listings', event.hide_from_listings, 'sticky', event.sticky, 'featured', event.featured,
      'ticketed', event.ticketed, 'is_virtual', event.is_virtual, 'event_status', event.event_status, 'post_parent', event.parent_id,
      'post_password', event.password,
      'venue', (select json_agg(venue_id order by position) from calendar.event_venues where event_id = event.id),
      'organizer', (select json_agg(organizer_id order by position) from calendar.event_organizers where event_id = event.id),
      'categories', (
        select json_agg(term.id order by term.id)
        from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
        where link.event_id = event.id and term.taxonomy = 'category'
      ),
      'tags', (
        select json_agg(term.id order by term.id)
        from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
        where link.event_id = event.id and term.taxonomy = 'tag'
      )
    ) as values
    from calendar.events as event
    where event.id = ${id}`)
  return values
}
