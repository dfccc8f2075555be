create table calendar.organizers (
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
  phone         text not null default '',
  email         text not null default '',
  website       text not null default '',
  constraint organizers_published_have_a_date check (status <> 'publish' or published_at is not null)
);

create index organizers_newest on calendar.organizers (published_at desc nulls last, id desc) where status <> 'trash';
create index organizers_by_status on calendar.organizers (status);
create index organizers_by_author on calendar.organizers (author_id);
create index organizers_by_image on calendar.organizers (image_id) where image_id is not null;

create table calendar.organizer_texts (
  organizer_id bigint not null references calendar.organizers on delete cascade,
  language     text not null,
  name         text not null check (name <> ''),
  description  text not null,
  slug         text collate "C" not null,
  -- False while the organizer is in the trash: its slug may be taken.
  live         boolean not null default true,
  -- Everything a search looks into, folded.
  search       text not null,
  primary key (organizer_id, language)
);

create unique index organizer_texts_by_slug on calendar.organizer_texts (slug, language) where live and slug <> '';
create index organizer_texts_by_any_slug on calendar.organizer_texts (slug);
create index organizer_texts_by_search on calendar.organizer_texts using gin (search public.gin_trgm_ops);
create index organizer_texts_by_name on calendar.organizer_texts (lower(name));
