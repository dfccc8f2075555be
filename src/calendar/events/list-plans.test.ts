// test: full
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '#platform/database/database.ts'
import { connectStore } from '#platform/database/postgres.ts'
import { Sql, sql } from '#platform/database/sql.ts'
import { silent } from '#test/support/database.ts'
import { startCalendar } from '#test/support/services.ts'
import { parseParams } from '../contract/param-definition.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import type { Viewer } from '../permissions/permissions.ts'
import { buildDaysQuery, buildEntriesQuery } from './days/queries.ts'
import { dayParams } from './days/schema.ts'
import { buildCountQuery, buildEventConditions, buildEventFilter, buildPageQuery } from './filter.ts'
import { buildEventsQuery, buildListQuery } from './list-queries.ts'
import { eventListParams } from './schema.ts'

const { databaseUrl, settings } = await startCalendar()
/** Without timeouts, because inserting the rows takes long. */
const store = connectStore({ connectionString: databaseUrl }, { noTimeouts: true, log: silent })
after(async () => await store.close())
const large = ['events', 'event_texts', 'event_venues', 'event_organizers', 'event_terms']
const now = new Date('2026-01-15T12:00:00Z')
const visitor: Viewer = { visibility: 'published', authorId: 0 }
const author: Viewer = { visibility: 'own', authorId: 7 }
const editor: Viewer = { visibility: 'all', authorId: 1 }

/**
 * 60,000 past and 40,000 future events; one in a hundred lasts 30 days, few are drafts. Without
 * foreign key checks, and with the indexes created at the end, this takes seconds.
 */
before(async () => {
  await store.transaction(async tx => {
    await tx.script(`
      set local session_replication_role = replica;
      create temporary table dropped on commit drop as
        select indexname as name, indexdef as definition from pg_indexes
        where schemaname = 'calendar' and tablename like 'event%' and indexname not like '%_pkey';
      do $$ declare one record; begin
        for one in select name from dropped loop execute format('drop index calendar.%I', one.name); end loop;
      end $$;

      insert into calendar.terms (languages, taxonomy, created_at, modified_at)
        select '{en}', case when n <= 20 then 'category' else 'tag' end, now(), now() from generate_series(1, 60) as n;
      insert into calendar.venues (id, languages, author_id, status, published_at, created_at, modified_at, geo_lat, geo_lng)
        select n, '{en}', 1, 'publish', '2020-01-01', now(), now(), 47 + n % 80 * 0.1, 6 + n % 90 * 0.1
        from generate_series(1, 500) as n;
      insert into calendar.organizers (id, languages, author_id, status, published_at, created_at, modified_at)
        select n, '{en}', 1, 'publish', '2020-01-01', now(), now() from generate_series(1, 500) as n;
      insert into calendar.events (
        id, languages, author_id, status, published_at, created_at, modified_at, starts_at, ends_at, start_local, end_local,
        timezone, timezone_abbr, all_day, show_map, show_map_link, hide_from_listings, sticky, featured, ticketed, parent_id,
        series_id, series_date
      )
        select n, case when n % 2 = 0 then '{de,en}'::text[] else '{en}' end, n % 300 + 1,
          case when n % 50 = 0 then 'draft' when n % 51 = 0 then 'trash' else 'publish' end,
          '2020-01-01'::timestamptz + n % 1000 * interval '1 hour', now(),
          '2021-01-01'::timestamptz + n % 777 * interval '1 hour', starts_at, ends_at, starts_at, ends_at,
          'UTC', 'UTC', false, true, true, n % 200 = 0, false, n % 100 = 3, n % 10 = 3,
          case when n > 1000 and n % 20 = 0 then n % 1000 + 1 end,
          case when n % 40 = 1 then n % 25 + 1 end, case when n % 40 = 1 then starts_at end
        from generate_series(1, 100000) as n
        cross join lateral (select '2026-01-15T12:00Z'::timestamptz + (n - 60000) * interval '24 minutes') as start (starts_at)
        cross join lateral (
          select starts_at + case when n % 100 = 7 then interval '30 days' else interval '2 hours' end
        ) as finish (ends_at);
      insert into calendar.series (id, author_id, rule, start_local, end_local, all_day, timezone, created_at, modified_at)
        select n, 1, 'FREQ=DAILY', '2025-01-01', '2025-01-01', false, 'UTC', now(), now() from generate_series(1, 25) as n;
      insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, search)
        select n, language, 'Event', '', '', language || n, left(md5(n::text), 6) || e'\\n'
          || (array['concert', 'lecture', 'market', 'festival', 'reading'])[n % 5 + 1] || ' in house ' || n % 500
          || case when n % 1000 = 1 then ' with alphorn' else '' end
        from generate_series(1, 100000) as n
        cross join unnest(case when n % 2 = 0 then array['en', 'de'] else array['en'] end) as language;
      insert into calendar.event_venues select n, n % 500 + 1, 1 from generate_series(1, 100000) as n where n % 10 <> 0;
      insert into calendar.event_organizers select n, n % 500 + 1, 1 from generate_series(1, 100000) as n;
      insert into calendar.event_terms
        select n, term from generate_series(1, 100000) as n cross join unnest(array[n % 20 + 1, n % 40 + 21]) as term;

      do $$ declare one record; begin
        for one in select definition from dropped loop execute one.definition; end loop;
      end $$;
    `)
  })
  for (const table of [...large, 'venues', 'organizers', 'terms'])
    await store.script(`vacuum analyze calendar.${table}`)
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Heap Fetches'?: number
  Plans?: Plan[]
}

const viewers = { visitor, author, editor }

function buildStatement(query: Record<string, unknown>, viewer: Viewer, withTotal: boolean): Sql {
  const { filter, page } = buildFilter(query, viewer)
  const found = buildPageQuery(filter, page.rows, page.offset)
  return withTotal ? sql`select ${buildCountQuery(filter)} as total, page.id from (${found}) as page` : found
}

const buildReader = (viewer: Viewer) => ({
  viewer,
  now,
  zone: 'UTC',
  choice: { wanted: 'en', fallback: 'en' } as const
})

function buildFilter(query: Record<string, unknown>, viewer: Viewer) {
  const { page = 1, ...filters } = query
  const values = parseParams(eventListParams, filters, { zone: 'UTC', now })
  const context = {
    viewer,
    now,
    zone: 'UTC',
    rawParams: filters,
    language: 'en',
    site: { settings }
  } as unknown as RequestContext
  const filter = buildEventFilter(context, values, {
    categories: values.categories as number[] | undefined,
    tags: values.tags as number[] | undefined
  })
  return { filter, page: { rows: 10, offset: (Number(page) - 1) * 10 } }
}

async function explain(statement: Sql, options = sql`format json`): Promise<Plan[]> {
  return await readPlan(store, sql`explain (${options}) ${statement}`.unprepared())
}

async function readPlan(db: Database, statement: Sql): Promise<Plan[]> {
  const answer = await db.one<Record<string, [{ Plan: Plan }]>>(statement)
  return Object.values(answer).flatMap(([{ Plan: plan }]) => listNodes(plan))
}

function listNodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)]
}

/** Large tables with a sequential scan. */
function listSequentialScans(nodes: Plan[]): string[] {
  return nodes
    .filter(node => node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'] ?? ''))
    .map(node => node['Relation Name'] ?? '')
}

/** The number of events that were read, including those that a filter removed. */
function countEventsRead(nodes: Plan[]): number {
  return nodes
    .filter(node => node['Relation Name'] === 'events')
    .map(node => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1))
    .reduce((sum, rows) => sum + rows, 0)
}

/** A week of events, the long ones, and the page itself. */
const fewEvents = 2500
const march = { start_date: '2026-03-01', end_date: '2026-03-31' }

for (const query of [
  {},
  { page: 1000 },
  march,
  { start_date: '2026-03-01' },
  { end_date: '2026-03-31' },
  { starts_after: '2026-03-01' },
  { starts_before: '2023-06-01' },
  { ends_before: '2023-06-01' },
  { ends_after: 'now' },
  { ends_after: 'now', starts_before: 'now' },
  { ends_after: '2023-06-01', starts_before: '2023-06-01' },
  { search: 'alphorn' },
  { search: 'alphorn', ends_after: 'now' },
  { search: 'alphorn concert -lecture', ...march },
  { search: 'concert', ...march },
  { categories: 3 },
  { categories: [3, 4], ...march },
  { categories: 3, ends_after: 'now' },
  { tags: 33 },
  { tags: [33, 34], ...march },
  { categories: 3, tags: 33 },
  { venue: 33 },
  { venue: [33, 34], ...march },
  { venue: 33, ends_after: 'now' },
  { organizer: 33 },
  { organizer: [33, 34], ...march },
  { featured: true },
  { featured: false },
  { ticketed: true },
  { ticketed: false },
  { include: [5, 70_000, 70_001] },
  { post_parent: 41 },
  { series: 2 },
  { series_once: true },
  { series_once: true, ends_after: 'now' },
  { geoloc: true, ...march },
  { geoloc: false, ...march },
  { geoloc_lat: 50, geoloc_lng: 10 },
  { geoloc_lat: 50, geoloc_lng: 10, ...march },
  { order: 'desc' },
  { orderby: 'end_date' },
  { orderby: 'date', order: 'desc' },
  { orderby: 'modified', order: 'desc' }
]) {
  test(`no sequential scan of a large table for ${JSON.stringify(query)}`, async () => {
    for (const [name, viewer] of Object.entries(viewers)) {
      assert.deepEqual(listSequentialScans(await explain(buildStatement(query, viewer, true))), [], name)
    }
  })
}

test('a page without a total needs no sequential scan where the total would need one', async () => {
  for (const query of [{ search: 'concert' }, { orderby: 'title' }, { geoloc: true }, { geoloc: false }]) {
    for (const viewer of Object.values(viewers)) {
      assert.deepEqual(
        listSequentialScans(await explain(buildStatement(query, viewer, false))),
        [],
        JSON.stringify(query)
      )
    }
  }
})

test('events with a rare status are found by index', async () => {
  for (const status of ['draft', 'future', 'trash', 'draft,pending']) {
    for (const viewer of [author, editor]) {
      assert.deepEqual(listSequentialScans(await explain(buildStatement({ status }, viewer, true))), [], status)
    }
  }
})

test('running and future events are found without reading past events', async () => {
  for (const [name, viewer] of Object.entries(viewers)) {
    const nodes = await explain(buildStatement({ ends_after: 'now' }, viewer, false), sql`analyze, format json`)
    assert.ok(countEventsRead(nodes) < fewEvents, `${name}: ${countEventsRead(nodes)} events`)
  }
})

test('a past month is counted without reading later events', async () => {
  for (const query of [
    { start_date: '2024-03-01', end_date: '2024-03-31' },
    { starts_after: '2024-02-29', ends_before: '2024-03-31' }
  ]) {
    const nodes = await explain(buildStatement(query, visitor, true), sql`analyze, format json`)
    assert.ok(countEventsRead(nodes) < fewEvents, `${JSON.stringify(query)}: ${countEventsRead(nodes)} events`)
  }
})

test('a page with a high number is found with an index-only scan', async () => {
  for (const [name, viewer] of Object.entries(viewers)) {
    const nodes = await explain(buildStatement({ page: 2000 }, viewer, true), sql`analyze, format json`)
    const scans = nodes.filter(node => node['Relation Name'] === 'events' && (node['Actual Rows'] ?? 0) > 1000)
    assert.ok(scans.length > 0)
    for (const node of scans) assert.equal(node['Node Type'], 'Index Only Scan', name)
  }
})

test('the common lists have good generic plans', async () => {
  for (const [name, viewer] of Object.entries(viewers)) {
    const lists = [{}, march, { ends_after: 'now' }, { series_once: true, ...march }]
    for (const query of [...lists, ...lists.map(list => ({ ...list, page: 30 }))]) {
      const { filter, page } = buildFilter(query, viewer)
      assert.deepEqual(
        listSequentialScans(await explainGenericPlan(sql`select ${buildCountQuery(filter)} as total`)),
        [],
        name
      )
      const nodes = await explainGenericPlan(buildListQuery(filter, page, buildReader(viewer)))
      assert.deepEqual(listSequentialScans(nodes), [], name)
      assert.ok(
        countEventsRead(nodes) < fewEvents,
        `${name} ${JSON.stringify(query)}: ${countEventsRead(nodes)} events`
      )
    }
  }
})

test('the query for the events of a page has a good generic plan', async () => {
  for (const [name, viewer] of Object.entries(viewers)) {
    for (const build of [buildEventsQuery, buildEntriesQuery]) {
      const nodes = await explainGenericPlan(build([5, 70_000, 70_001], buildReader(viewer)))
      assert.deepEqual(listSequentialScans(nodes), [], name)
      assert.ok(countEventsRead(nodes) <= 3, `${name}: ${countEventsRead(nodes)} events`)
    }
  }
})

test('hidden events and missing translations are found by index', async () => {
  for (const query of [{ hidden: true }, { missing_language: 'de' }, { missing_language: 'en', ...march }]) {
    const nodes = await explain(buildStatement(query, editor, true))
    assert.deepEqual(listSequentialScans(nodes), [], JSON.stringify(query))
  }
  const hidden = await explain(buildStatement({ hidden: true }, editor, true), sql`analyze, format json`)
  assert.ok(countEventsRead(hidden) < fewEvents, `${countEventsRead(hidden)} events`)
})

function buildDaysStatement(query: Record<string, unknown>, viewer: Viewer): Sql {
  const values = parseParams(dayParams, query, { zone: 'Europe/Berlin', now })
  const context = { viewer, now, rawParams: query, language: 'en', site: { settings } } as unknown as RequestContext
  const conditions = buildEventConditions(context, values, {
    categories: values.categories as number[] | undefined,
    tags: values.tags as number[] | undefined
  })
  const { from = '', to = '', per_day: perDay = 3 } = values
  return buildDaysQuery(conditions, { from, to, perDay }, 'Europe/Berlin')
}

const inMarch = { from: '2026-03-01', to: '2026-03-31' }
/** Six weeks of events and the week before, the long ones, and two more days at both ends. */
const eventsOfMonth = 6000

for (const query of [
  inMarch,
  { from: '2023-07-31', to: '2023-09-10', per_day: 50 },
  { from: '2026-03-05', to: '2026-03-05' },
  { ...inMarch, per_day: 0 },
  { ...inMarch, search: 'concert' },
  { ...inMarch, search: 'alphorn' },
  { ...inMarch, categories: 3 },
  { ...inMarch, tags: [33, 34], categories: 13 },
  { ...inMarch, venue: 33 },
  { ...inMarch, organizer: [33, 34] },
  { ...inMarch, featured: true },
  { ...inMarch, ticketed: false },
  { ...inMarch, geoloc: true },
  { ...inMarch, geoloc_lat: 50, geoloc_lng: 10 }
]) {
  test(`no sequential scan of a large table for the days of ${JSON.stringify(query)}`, async () => {
    for (const [name, viewer] of Object.entries(viewers)) {
      const nodes = await explain(buildDaysStatement(query, viewer), sql`analyze, format json`)
      assert.deepEqual(listSequentialScans(nodes), [], name)
      assert.ok(countEventsRead(nodes) < eventsOfMonth, `${name}: ${countEventsRead(nodes)} events`)
    }
  })
}

test('days before the first and after the last event are found without reading many events', async () => {
  for (const date of ['1999-01-01', '2199-01-01']) {
    for (const viewer of Object.values(viewers)) {
      const nodes = await explain(buildDaysStatement({ from: date, to: date }, viewer), sql`analyze, format json`)
      assert.deepEqual(listSequentialScans(nodes), [])
      assert.ok(countEventsRead(nodes) < fewEvents, `${date}: ${countEventsRead(nodes)} events`)
    }
  }
})

test('the query for the days of a month has a good generic plan', async () => {
  for (const [name, viewer] of Object.entries(viewers)) {
    const nodes = await explainGenericPlan(buildDaysStatement(inMarch, viewer))
    assert.deepEqual(listSequentialScans(nodes), [], name)
    assert.ok(countEventsRead(nodes) < eventsOfMonth, `${name}: ${countEventsRead(nodes)} events`)
  }
})

async function explainGenericPlan({ text, values }: Sql): Promise<Plan[]> {
  const constants = values.map(value => {
    if (value instanceof Date) return `'${value.toISOString()}'`
    if (Array.isArray(value)) return `'{${value.join(',')}}'`
    return typeof value === 'number' ? String(value) : `'${String(value)}'`
  })
  return await store.transaction(async tx => {
    await tx.script(`set local plan_cache_mode = force_generic_plan; prepare listed as ${text}`)
    const run = new Sql(`explain (analyze, format json) execute listed (${constants.join(', ')})`, [], false)
    const nodes = await readPlan(tx, run)
    await tx.script('deallocate listed')
    return nodes
  })
}
