create table calendar.venues (
  id            bigint primary key default nextval('calendar.ids'),
  version       integer not null default 1,
  -- The languages that there are texts in.
  languages     text[] not null,
  author_id     bigint not null,
  -- Publish with a date ahead is what clients know as future: it becomes visible by itself.
  status        text not null check (status in ('publish', 'draft', 'pending', 'private', 'trash')),
  published_at  timestamptz,
  created_at    timestamptz not null,
  modified_at   timestamptz not null,
  password      text,
  image_id      bigint references calendar.media on delete set null,
  address       text not null default '',
  city          text not null default '',
  country       text not null default '',
  province      text not null default '',
  state         text not null default '',
  zip           text not null default '',
  phone         text not null default '',
  stateprovince text not null default '',
  website       text not null default '',
  show_map      boolean not null default true,
  show_map_link boolean not null default true,
  geo_lat       double precision check (geo_lat between -90 and 90),
  geo_lng       double precision check (geo_lng between -180 and 180),
  constraint venues_have_both_coordinates check ((geo_lat is null) = (geo_lng is null)),
  constraint venues_published_have_a_date check (status <> 'publish' or published_at is not null)
);

create index venues_newest on calendar.venues (published_at desc nulls last, id desc) where status <> 'trash';
create index venues_by_status on calendar.venues (status);
create index venues_by_author on calendar.venues (author_id);
create index venues_by_image on calendar.venues (image_id) where image_id is not null;
create index venues_by_place on calendar.venues (geo_lat, geo_lng) where geo_lat is not null;

create table calendar.venue_texts (
  venue_id    bigint not null references calendar.venues on delete cascade,
  language    text not null,
  name        text not null check (name <> ''),
  description text not null,
  slug        text collate "C" not null,
  -- False while the venue is in the trash: its slug may be taken.
  live        boolean not null default true,
  -- Everything a search looks into, folded.
  search      text not null,
  primary key (venue_id, language)
);

create unique index venue_texts_by_slug on calendar.venue_texts (slug, language) where live and slug <> '';
create index venue_texts_by_any_slug on calendar.venue_texts (slug);
create index venue_texts_by_search on calendar.venue_texts using gin (search public.gin_trgm_ops);
create index venue_texts_by_name on calendar.venue_texts (lower(name));
