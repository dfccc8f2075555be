-- Categories and tags: one shape, two addresses.
create table calendar.terms (
  id          bigint generated always as identity primary key,
  version     integer not null default 1,
  -- The languages that there are texts in.
  languages   text[] not null,
  taxonomy    text not null check (taxonomy in ('category', 'tag')),
  parent_id   bigint references calendar.terms,
  -- Events that are published or will be by themselves; kept by every write, because counting them would be slow.
  event_count integer not null default 0 check (event_count >= 0),
  created_at  timestamptz not null,
  modified_at timestamptz not null,
  constraint terms_only_categories_have_parents check (parent_id is null or taxonomy = 'category'),
  constraint terms_are_not_their_own_parents check (parent_id <> id)
);

create index terms_by_taxonomy on calendar.terms (taxonomy, id);
create index terms_by_parent on calendar.terms (parent_id) where parent_id is not null;

create table calendar.term_texts (
  term_id     bigint not null references calendar.terms on delete cascade,
  language    text not null,
  taxonomy    text not null,
  name        text not null check (name <> ''),
  description text not null,
  slug        text collate "C" not null,
  search      text not null,
  primary key (term_id, language)
);

create unique index term_texts_by_slug on calendar.term_texts (slug, taxonomy, language) where slug <> '';
create index term_texts_by_name on calendar.term_texts (taxonomy, lower(name));
create index term_texts_by_search on calendar.term_texts using gin (search public.gin_trgm_ops);
