// test: both stores
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectStore } from '#platform/database/postgres.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { silent } from '#test/support/database.ts'
import { startCalendar } from '#test/support/services.ts'
import { listPage } from './list-queries.ts'

const { databaseUrl } = await startCalendar()
const store = connectStore({ connectionString: databaseUrl }, { noTimeouts: true, log: silent })
after(async () => await store.close())

const eventCount = 300

interface Plan {
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** The number of rows that were read, including those that a filter removed. */
function countRowsRead(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) : 0
  return (plan.Plans ?? []).reduce((sum, part) => sum + countRowsRead(part, table), own * (plan['Actual Loops'] ?? 1))
}

test('on tables without statistics a page of events reads each row once', async () => {
  await store.script(`
    insert into calendar.terms (id, languages, taxonomy, created_at, modified_at)
      overriding system value select n, '{en}', 'tag', now(), now() from generate_series(1, ${eventCount}) as n;
    insert into calendar.term_texts (term_id, language, taxonomy, name, slug, description, search)
      select n, 'en', 'tag', 'Tag ' || n, 't' || n, '', '' from generate_series(1, ${eventCount}) as n;
    insert into calendar.venues (id, languages, author_id, status, published_at, created_at, modified_at)
      select n, '{en}', 1, 'publish', '2020-01-01', now(), now() from generate_series(1, ${eventCount}) as n;
    insert into calendar.venue_texts (venue_id, language, name, description, slug, search)
      select n, 'en', 'Venue ' || n, '', 'v' || n, '' from generate_series(1, ${eventCount}) as n;
    insert into calendar.organizers (id, languages, author_id, status, published_at, created_at, modified_at)
      select n, '{en}', 1, 'publish', '2020-01-01', now(), now() from generate_series(1, ${eventCount}) as n;
    insert into calendar.organizer_texts (organizer_id, language, name, description, slug, search)
      select n, 'en', 'Organizer ' || n, '', 'o' || n, '' from generate_series(1, ${eventCount}) as n;
    insert into calendar.events (
      id, languages, author_id, status, published_at, created_at, modified_at, starts_at, ends_at, start_local, end_local,
      timezone, timezone_abbr, all_day, show_map, show_map_link, hide_from_listings, sticky, featured, ticketed
    )
      select n, '{en}', 1, 'publish', '2020-01-01', now(), now(), '2026-01-15', '2026-01-16', '2026-01-15', '2026-01-16',
        'UTC', 'UTC', false, true, true, false, false, false, false
      from generate_series(1, ${eventCount}) as n;
    insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, search)
      select n, 'en', 'Event ' || n, '', '', 'e' || n, '' from generate_series(1, ${eventCount}) as n;
    insert into calendar.event_venues select n, n, 1 from generate_series(1, ${eventCount}) as n;
    insert into calendar.event_organizers select n, n, 1 from generate_series(1, ${eventCount}) as n;
    insert into calendar.event_terms select n, n from generate_series(1, ${eventCount}) as n`)
  const ids = Array.from({ length: eventCount }, (_, index) => index + 1)
  const plans: Plan[] = []
  const explaining = new Proxy(store, {
    get: (target, name) =>
      name !== 'all'
        ? Reflect.get(target, name)
        : async (statement: Sql) => {
            const answer = await target.one<Record<string, [{ Plan: Plan }]>>(
              sql`explain (analyze, format json) ${statement}`.unprepared()
            )
            plans.push(Object.values(answer)[0]?.[0].Plan ?? {})
            return await target.all(statement)
          }
  })
  const events = await listPage(explaining, ids, {
    viewer: { visibility: 'published', authorId: 0 },
    zone: 'UTC',
    now: new Date(),
    choice: { wanted: 'en', fallback: 'en' }
  })
  assert.equal(
    events.flatMap(({ venues, organizers, terms }) => [venues, organizers, terms].flat()).length,
    3 * eventCount
  )
  const tables = ['venues', 'organizers', 'terms'].flatMap(name => [
    name,
    `${name.slice(0, -1)}_texts`,
    `event_${name}`
  ])
  for (const table of ['events', 'event_texts', ...tables])
    assert.equal(countRowsRead({ Plans: plans }, table), eventCount, table)
})
