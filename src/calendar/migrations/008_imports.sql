-- Content that is taken in from elsewhere, and how to take it back.
create table calendar.imports (
  id            bigint generated always as identity primary key,
  source        text not null,
  url           text,
  file_name     text,
  -- What was sent. Forgotten with the report.
  file          bytea,
  dry_run       boolean not null,
  policy        text not null check (policy in ('overwrite', 'keep', 'skip')),
  language      text not null,
  timezone      text not null,
  mapping       jsonb,
  columns       text[],
  -- Where the ids of its things are at home; known once the source has been opened.
  origin        text,
  -- The try run that it makes real.
  based_on      bigint references calendar.imports on delete set null,
  author_id     bigint not null,
  -- Who asked for it, as they were then: what is written is written in their name.
  caller        jsonb not null,
  status        text not null
    check (status in ('waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')),
  done          integer not null default 0,
  total         integer,
  new_count     integer not null default 0,
  changed_count integer not null default 0,
  same_count    integer not null default 0,
  skipped_count integer not null default 0,
  problem_count integer not null default 0,
  kept_count    integer not null default 0,
  error         jsonb,
  created_at    timestamptz not null,
  started_at    timestamptz,
  finished_at   timestamptz,
  -- Whoever runs it says so again and again; when that stops, another goes on.
  leased_by     text,
  leased_until  timestamptz,
  -- How often somebody began without getting any further.
  attempts      integer not null default 0
);

create index imports_unfinished on calendar.imports (id) where status in ('waiting', 'running', 'undoing');
create index imports_by_based_on on calendar.imports (based_on) where based_on is not null;
create index imports_by_end on calendar.imports (finished_at);

-- A file is small already, or is read as a whole anyway.
alter table calendar.imports alter column file set storage external;

-- The report: one row for each thing that came.
create table calendar.import_rows (
  import_id bigint not null references calendar.imports on delete cascade,
  position  integer not null,
  kind      text not null,
  source_id text collate "C" not null,
  title     text not null,
  outcome   text not null check (outcome in ('new', 'changed', 'same', 'skipped', 'problem')),
  -- A list of texts, each in both languages.
  reasons   jsonb not null,
  item_id   bigint,
  primary key (import_id, position)
);

create unique index import_rows_by_thing on calendar.import_rows (import_id, kind, source_id);
create index import_rows_by_outcome on calendar.import_rows (import_id, outcome, position);

-- What came from where, for good: the same thing is recognised the next time, also when it has been removed here since.
create table calendar.imported (
  origin    text collate "C" not null,
  kind      text not null,
  source_id text collate "C" not null,
  item_id   bigint not null,
  -- Of what was written, so that the same is not written again.
  hash      bytea not null,
  -- The version that the item had then; 0 for one that was here before and was only recognised.
  version   integer not null,
  primary key (origin, kind, source_id)
);

-- How to take an import back, in the order in which it was done.
create table calendar.import_changes (
  import_id bigint not null references calendar.imports on delete cascade,
  number    integer not null,
  change    text not null check (change in ('made', 'changed', 'recognised')),
  kind      text not null,
  item_id   bigint not null,
  -- The version after the change: with another one somebody has been at it since.
  version   integer not null,
  -- The item with its texts and links as it was.
  before    jsonb,
  source_id text collate "C",
  -- What stood in calendar.imported; null where nothing did.
  hash      bytea,
  known_item_id bigint,
  known_version integer,
  primary key (import_id, number)
);
