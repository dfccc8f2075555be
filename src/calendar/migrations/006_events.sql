create table calendar.events (
  id                 bigint primary key default nextval('calendar.ids'),
  version            integer not null default 1,
  -- The languages that there are texts in.
  languages          text[] not null,
  author_id          bigint not null,
  -- Publish with a date ahead is what clients know as future: it becomes visible by itself.
  status             text not null check (status in ('publish', 'draft', 'pending', 'private', 'trash')),
  published_at       timestamptz,
  created_at         timestamptz not null,
  modified_at        timestamptz not null,
  password           text,
  parent_id          bigint references calendar.events on delete set null,
  image_id           bigint references calendar.media on delete set null,
  all_day            boolean not null,
  starts_at          timestamptz not null,
  ends_at            timestamptz not null,
  -- The wall clock of the zone: what was meant, and what stays when the rules of the zone change.
  start_local        timestamp not null,
  end_local          timestamp not null,
  timezone           text not null,
  timezone_abbr      text not null,
  cost               jsonb,
  -- Null: never given, so the event's own page is shown.
  website            text,
  show_map           boolean not null,
  show_map_link      boolean not null,
  hide_from_listings boolean not null,
  sticky             boolean not null,
  featured           boolean not null,
  ticketed           boolean not null,
  -- A cancelled event stays in calendars, marked as such.
  event_status       text not null default 'scheduled' check (event_status in ('scheduled', 'canceled', 'postponed')),
  -- Few do; the others can be found by their start alone when one looks for what is running.
  lasts_long         boolean not null generated always as (ends_at - starts_at > interval '7 days') stored,
  constraint events_end_after_start check (ends_at >= starts_at),
  constraint events_published_have_a_date check (status <> 'publish' or published_at is not null)
);

-- The public list: everything that decides about a row is in the index.
create index events_public on calendar.events (starts_at, id)
  include (ends_at, published_at, lasts_long, featured, ticketed)
  where status = 'publish' and not hide_from_listings;
create index events_long on calendar.events (starts_at, id) include (ends_at, published_at, status, author_id)
  where lasts_long and not hide_from_listings and status <> 'trash';
create index events_by_start on calendar.events (starts_at, id)
  include (ends_at, published_at, lasts_long, featured, ticketed, status, author_id)
  where status <> 'trash' and not hide_from_listings;
create index events_by_end on calendar.events (ends_at, id) where status <> 'trash' and not hide_from_listings;
create index events_by_status on calendar.events (status, starts_at, id) where status <> 'publish';
create index events_by_author on calendar.events (author_id, starts_at, id);
create index events_by_parent on calendar.events (parent_id) where parent_id is not null;
create index events_by_image on calendar.events (image_id) where image_id is not null;
create index events_featured on calendar.events (starts_at, id) where featured and status <> 'trash' and not hide_from_listings;
create index events_ticketed on calendar.events (starts_at, id) where ticketed and status <> 'trash' and not hide_from_listings;
create index events_by_publication on calendar.events (published_at, id) where status = 'publish';
create index events_by_date on calendar.events (coalesce(published_at, created_at), id)
  where status <> 'trash' and not hide_from_listings;
create index events_by_change on calendar.events (modified_at, id) where status <> 'trash';

create table calendar.event_texts (
  event_id    bigint not null references calendar.events on delete cascade,
  language    text not null,
  title       text not null check (title <> ''),
  description text not null,
  excerpt     text not null,
  -- Empty while an event that was never published has none of its own.
  slug        text collate "C" not null,
  live        boolean not null default true,
  -- Title, excerpt and description, folded, a line each.
  search      text not null,
  -- What titles are ordered by.
  title_key   text collate "C" not null generated always as (split_part(search, e'\n', 1)) stored,
  primary key (event_id, language)
);

create unique index event_texts_by_slug on calendar.event_texts (slug, language) where live and slug <> '';
create index event_texts_by_any_slug on calendar.event_texts (slug);
create index event_texts_by_search on calendar.event_texts using gin (search public.gin_trgm_ops);
create index event_texts_by_title on calendar.event_texts (title_key, event_id, language);

create table calendar.event_venues (
  event_id bigint not null references calendar.events on delete cascade,
  venue_id bigint not null references calendar.venues on delete cascade,
  position smallint not null,
  primary key (event_id, position)
);
create unique index event_venues_by_venue on calendar.event_venues (venue_id, event_id);

create table calendar.event_organizers (
  event_id     bigint not null references calendar.events on delete cascade,
  organizer_id bigint not null references calendar.organizers on delete cascade,
  position     smallint not null,
  primary key (event_id, position)
);
create unique index event_organizers_by_organizer on calendar.event_organizers (organizer_id, event_id);

create table calendar.event_terms (
  event_id bigint not null references calendar.events on delete cascade,
  term_id  bigint not null references calendar.terms on delete cascade,
  primary key (event_id, term_id)
);
create index event_terms_by_term on calendar.event_terms (term_id, event_id);
