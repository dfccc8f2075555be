import type { Store } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Environment } from './environment.ts'

/** URL of a database with that many events. */
export async function makeEventsDatabase(environment: Environment, size: number): Promise<string> {
  return await environment.database(`events_${size}`, async store => await fillEvents(store, size))
}

/** Twenty years of events around today, in both languages, with venues, organizers, categories and tags. */
export async function fillEvents(store: Store, events: number): Promise<void> {
  const venues = Math.max(50, Math.floor(events / 200))
  const organizers = Math.max(20, Math.floor(events / 400))
  const words = 'Music, words and good company for everybody who likes to come along. '
  const post = "'publish', now() - interval '1 year', now() - interval '1 year', now() - interval '1 year'"
  const indexes = await dropIndexes(store)
  await store.script(`
    -- All foreign keys below are right; checking them for six million rows would take a minute.
    set session_replication_role = replica;
    insert into calendar.venues (id, languages, author_id, status, published_at, created_at, modified_at, address, city, country, zip, geo_lat, geo_lng)
    select n, '{en}', 1, ${post}, 'Main Street ' || n, 'Berlin', 'Germany', '10115', 52 + n % 100 / 100.0, 13 + n % 70 / 100.0
    from generate_series(1, ${venues}) as n;
    insert into calendar.venue_texts (venue_id, language, name, description, slug, search)
    select n, 'en', 'Hall ' || n, '', 'hall-' || n, 'hall ' || n from generate_series(1, ${venues}) as n;

    insert into calendar.organizers (id, languages, author_id, status, published_at, created_at, modified_at, email)
    select n, '{en}', 1, ${post}, 'choir' || n || '@example.org' from generate_series(1, ${organizers}) as n;
    insert into calendar.organizer_texts (organizer_id, language, name, description, slug, search)
    select n, 'en', 'Choir ' || n, '', 'choir-' || n, 'choir ' || n from generate_series(1, ${organizers}) as n;

    insert into calendar.terms (languages, taxonomy, created_at, modified_at, event_count)
    select '{de,en}', case when n <= 20 then 'category' else 'tag' end, now(), now(), ${events} / 20 from generate_series(1, 120) as n;
    insert into calendar.term_texts (term_id, language, taxonomy, name, description, slug, search)
    select id, language, taxonomy, taxonomy || ' ' || id, '', taxonomy || '-' || id, taxonomy || ' ' || id
    from calendar.terms, unnest(array['en', 'de']) as language;

    insert into calendar.events (
      id, languages, author_id, status, published_at, created_at, modified_at, all_day, starts_at, ends_at, start_local, end_local,
      timezone, timezone_abbr, cost, show_map, show_map_link, hide_from_listings, sticky, featured, ticketed
    )
    select 1000000 + n, '{de,en}', 1, ${post}, false, start, start + interval '2 hours',
      start at time zone 'UTC', start at time zone 'UTC' + interval '2 hours', 'UTC', 'UTC',
      '{"values": ["10"], "symbol": "€", "position": "prefix", "words": ""}', true, true, false, false, n % 50 = 0, n % 30 = 0
    from generate_series(1, ${events}) as n,
      lateral (select date_trunc('minute', now() - interval '15 years' + interval '20 years' * (n / ${events}.0)) as start) as times;
    insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, search)
    select 1000000 + n, language,
      case language when 'en' then 'Concert number ' else 'Konzert Nummer ' end || n, '<p>' || repeat('${words}', 6) || '</p>', '',
      case language when 'en' then 'concert-number-' else 'konzert-nummer-' end || n,
      -- The sentence once: six times would find the same.
      case language when 'en' then 'concert number ' else 'konzert nummer ' end || n || e'\\n\\n' || lower('${words}')
    from generate_series(1, ${events}) as n, unnest(array['en', 'de']) as language;
    insert into calendar.event_venues select 1000000 + n, 1 + n * 7 % ${venues}, 1 from generate_series(1, ${events}) as n;
    insert into calendar.event_organizers select 1000000 + n, 1 + n * 3 % ${organizers}, 1 from generate_series(1, ${events}) as n;
    insert into calendar.event_terms
    select 1000000 + n, term from generate_series(1, ${events}) as n, unnest(array[1 + n % 20, 21 + n % 100]) as term;
    select setval('calendar.ids', 3000000);
    reset session_replication_role`)
  // The search index takes as long as all others together: created in parallel.
  const isForSearch = (definition: string) => definition.includes('USING gin')
  const make = async (some: string[]) => await store.script(`set maintenance_work_mem = '512MB'; ${some.join('; ')}`)
  await Promise.all([make(indexes.filter(isForSearch)), make(indexes.filter(definition => !isForSearch(definition)))])
  // Outside of a transaction, else index-only scans would look up every row.
  await store.script('vacuum analyze')
}

/** Drops the indexes of events and returns their definitions: creating them at the end is much faster than row by row. */
async function dropIndexes(store: Store): Promise<string[]> {
  const indexes = await store.all<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition
    from pg_indexes
    where schemaname = 'calendar' and tablename like 'event%'
      and indexname not in (select conname from pg_constraint where connamespace = 'calendar'::regnamespace)`)
  await store.script(indexes.map(({ name }) => `drop index calendar.${name}`).join('; '))
  return indexes.map(({ definition }) => definition)
}
