import type { Database } from '#platform/database.ts'
import { sql } from '#platform/sql.ts'

/** What `doctor` looks at: answers what is wrong, a line each. */
export const calendarChecks: { name: string; run(db: Database): Promise<string[]> }[] = [
  {
    name: 'categories and tags count their events',
    run: async db =>
      (await listMiscounted(db)).map(({ id, counted, events }) => `term ${id}: counts ${counted} events, has ${events}`)
  },
  {
    name: 'every text is noted in its language',
    run: async db =>
      (await listWithoutLanguage(db)).map(({ thing, id }) => `${thing} ${id}: its languages are not those of its texts`)
  }
]

async function listMiscounted(db: Database): Promise<{ id: number; counted: number; events: number }[]> {
  return await db.all(sql`
    select term.id, term.event_count as counted, count(event.id) as events
    from calendar.terms as term
    left join calendar.event_terms as link on link.term_id = term.id
    left join calendar.events as event on event.id = link.event_id and event.status = 'publish'
    group by term.id
    having term.event_count <> count(event.id)
    order by term.id
    limit 100`)
}

async function listWithoutLanguage(db: Database): Promise<{ thing: string; id: number }[]> {
  return await db.all(sql`
    select 'event' as thing, id from calendar.events
    where languages <> array(select language from calendar.event_texts where event_id = id order by 1)
    union all
    select 'venue', id from calendar.venues
    where languages <> array(select language from calendar.venue_texts where venue_id = id order by 1)
    union all
    select 'organizer', id from calendar.organizers
    where languages <> array(select language from calendar.organizer_texts where organizer_id = id order by 1)
    union all
    select 'term', id from calendar.terms
    where languages <> array(select language from calendar.term_texts where term_id = id order by 1)
    limit 100`)
}
