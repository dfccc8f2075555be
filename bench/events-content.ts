import type { Store } from '#platform/database.ts'

/** Twenty years of events around today, in both languages, with venues, organizers, categories and tags. */
export async function fillEvents(store: Store, events: number): Promise<void> {
  const venues = Math.max(50, Math.floor(events / 200))
  const organizers = Math.max(20, Math.floor(events / 400))
  const words = 'Music, words and good company for everybody who likes to come along. '
  const post = "'publish', now() - interval '1 year', now() - interval '1 year', now() - interval '1 year'"
  await store.script(`
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
      case language when 'en' then 'concert number ' else 'konzert nummer ' end || n || lower(repeat('${words}', 6))
    from generate_series(1, ${events}) as n, unnest(array['en', 'de']) as language;
    insert into calendar.event_venues select 1000000 + n, 1 + n * 7 % ${venues}, 1 from generate_series(1, ${events}) as n;
    insert into calendar.event_organizers select 1000000 + n, 1 + n * 3 % ${organizers}, 1 from generate_series(1, ${events}) as n;
    insert into calendar.event_terms select 1000000 + n, 1 + n % 20 from generate_series(1, ${events}) as n;
    insert into calendar.event_terms select 1000000 + n, 21 + n % 100 from generate_series(1, ${events}) as n;
    select setval('calendar.ids', 3000000)`)
  // Outside of a transaction, or the index-only reads would look up every row.
  await store.script('vacuum analyze')
}
