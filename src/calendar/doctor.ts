import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { type Check, reportAsBug } from '#platform/doctor/check.ts'

/** Checks of the calendar for `doctor`. */
export const calendarChecks: Check[] = [
  {
    name: 'event counts of categories and tags are correct',
    remedy: reportAsBug,
    run: async db =>
      (await listMiscounted(db)).map(({ id, counted, events }) => `term ${id}: counts ${counted} events, has ${events}`)
  },
  {
    name: 'languages of texts are indexed',
    remedy: reportAsBug,
    run: async db =>
      (await listWithoutLanguage(db)).map(({ thing, id }) => `${thing} ${id}: its languages do not match its texts`)
  },
  {
    name: 'every image has its original',
    remedy: reportAsBug,
    run: async db => (await listWithoutOriginal(db)).map(({ id }) => `image ${id}: its original is missing`)
  },
  {
    name: 'imports make progress',
    isWarning: true,
    remedy: 'Start the worker: serve without WORKER=false, or serve worker.',
    run: async db =>
      (await listStalledImports(db)).map(({ id, status }) => `import ${id}: ${status}, but not being processed`)
  },
  {
    name: 'subscriptions to other calendars are fetched',
    isWarning: true,
    remedy: 'Open the subscription in the console to see the problem. If it is only late, start the worker.',
    run: async db =>
      (await listFailingSubscriptions(db)).map(
        ({ id, url, problem, failures, isLate }) =>
          `subscription ${id} (${new URL(url).host}): ${problem ?? (isLate ? 'due, but not fetched' : `${failures} failed fetches`)}`
      )
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

async function listWithoutOriginal(db: Database): Promise<{ id: number }[]> {
  return await db.all(sql`
    select id from calendar.media
    where not exists (select from calendar.media_sizes where media_id = id and size = 'full')
    order by id
    limit 100`)
}

interface FailingSubscription {
  id: number
  url: string
  problem: string | null
  failures: number
  isLate: boolean
}

/** One failed run may be a coincidence. */
async function listFailingSubscriptions(db: Database): Promise<FailingSubscription[]> {
  return await db.all(sql`
    select id, url, problem, failures, next_run_at < now() - interval '1 hour' as "isLate"
    from calendar.subscriptions
    where deleted_at is null and (problem is not null or failures > 1 or next_run_at < now() - interval '1 hour')
    order by id
    limit 100`)
}

async function listStalledImports(db: Database): Promise<{ id: number; status: string }[]> {
  return await db.all(sql`
    select id, status from calendar.imports
    where status in ('waiting', 'running', 'undoing')
      and greatest(created_at, started_at, leased_until) < now() - interval '10 minutes'
    order by id
    limit 100`)
}
