import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'

/** All rows of the calendar and the ids of the activity log: two results are equal if nothing was written in between. */
export async function readCalendarState(store: Database): Promise<Record<string, string>> {
  return await store.one(sql`
    select
      (select json_agg(row order by id)::text from calendar.events as row) as events,
      (select json_agg(row order by event_id, language)::text from calendar.event_texts as row) as "eventTexts",
      (select json_agg(row order by event_id, position)::text from calendar.event_venues as row) as "eventVenues",
      (select json_agg(row order by event_id, position)::text from calendar.event_organizers as row) as "eventOrganizers",
      (select json_agg(row order by event_id, term_id)::text from calendar.event_terms as row) as "eventTerms",
      (select json_agg(row order by id)::text from calendar.series as row) as series,
      (select json_agg(row order by id)::text from calendar.venues as row) as venues,
      (select json_agg(row order by venue_id, language)::text from calendar.venue_texts as row) as "venueTexts",
      (select json_agg(row order by id)::text from calendar.organizers as row) as organizers,
      (select json_agg(row order by organizer_id, language)::text from calendar.organizer_texts as row) as "organizerTexts",
      (select json_agg(row order by id)::text from calendar.terms as row) as terms,
      (select json_agg(row order by term_id, language)::text from calendar.term_texts as row) as "termTexts",
      (select json_agg(id order by id)::text from calendar.media as row) as media,
      (select json_agg(id order by id)::text from platform.activity as row) as activity`)
}
