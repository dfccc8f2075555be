-- Calendars at other addresses that are read again and again.
create table calendar.subscriptions (
  id             bigint generated always as identity primary key,
  version        integer not null default 1,
  url            text not null,
  -- The address without what does not make another one: two subscriptions of one address would fight.
  url_key        text collate "C" not null,
  -- What is at the address; null until it has been read once.
  source         text check (source in ('ical', 'tec')),
  name           text not null,
  feed_name      text,
  -- How often it is read; null: as the calendar says itself, or every six hours.
  every_minutes  integer check (every_minutes >= 15),
  feed_minutes   integer,
  category_id    bigint,
  gone           text not null check (gone in ('keep', 'cancel', 'trash')),
  status         text not null check (status in ('publish', 'pending')),
  language       text not null,
  timezone       text not null,
  author_id      bigint not null,
  author_name    text not null,
  is_paused      boolean not null default false,
  -- Events whose ids at the source have changed are recognised by title and start.
  matches_titles boolean not null default false,
  -- Why it was not applied or was paused, and that an editor said to apply it in spite of that.
  problem        text check (problem in ('failing', 'empty', 'many-gone', 'ids-changed', 'own-calendar')),
  is_approved    boolean not null default false,
  error          jsonb,
  -- Of what was applied last.
  etag           text,
  last_modified  text,
  content_hash   bytea,
  parsed_at      timestamptz,
  failures       integer not null default 0,
  failing_since  timestamptz,
  -- Null while it is paused or waits for an editor.
  next_run_at    timestamptz,
  last_run_at    timestamptz,
  leased_by      text,
  leased_until   timestamptz,
  attempts       integer not null default 0,
  -- Deleted, but its events are still being moved to the trash.
  deleted_at     timestamptz,
  created_at     timestamptz not null,
  modified_at    timestamptz not null
);

create unique index subscriptions_by_url on calendar.subscriptions (url_key) where deleted_at is null;
create index subscriptions_due on calendar.subscriptions (next_run_at) where next_run_at is not null;

-- The events of a subscription. Without references to them, which would lock a table that is in use: an event that was
-- deleted here stays deleted.
create table calendar.subscription_items (
  subscription_id bigint not null references calendar.subscriptions on delete cascade,
  source_id       text collate "C" not null,
  event_id        bigint not null,
  -- By field: hashes of what the source had and of what was here when the field was written last.
  base            jsonb not null,
  -- By field: values of the source that were not written, because the field was edited here.
  conflicts       jsonb,
  -- Since when it is not at the source any more, what was done with it, and its status before.
  gone_at         timestamptz,
  gone_action     text check (gone_action in ('keep', 'cancel', 'trash')),
  gone_status     text,
  primary key (subscription_id, source_id)
);

create unique index subscription_items_by_event on calendar.subscription_items (event_id);
create index subscription_items_in_conflict on calendar.subscription_items (subscription_id, event_id)
  where conflicts is not null;

-- Runs, newest last. Runs in a row that changed nothing, or failed, are one row.
create table calendar.subscription_runs (
  id              bigint generated always as identity primary key,
  subscription_id bigint not null references calendar.subscriptions on delete cascade,
  result          text not null check (result in ('running', 'changed', 'unchanged', 'failed', 'stopped')),
  times           integer not null default 1,
  counts          jsonb not null,
  error           jsonb,
  started_at      timestamptz not null,
  finished_at     timestamptz
);

create index subscription_runs_by_subscription on calendar.subscription_runs (subscription_id, id desc);
create index subscription_runs_by_end on calendar.subscription_runs (finished_at);

-- The report of a run: one row for each event that was not simply the same.
create table calendar.subscription_rows (
  run_id    bigint not null references calendar.subscription_runs on delete cascade,
  position  integer not null,
  kind      text not null,
  source_id text collate "C" not null,
  title     text not null,
  outcome   text not null
    check (outcome in ('new', 'changed', 'conflict', 'gone', 'restored', 'skipped', 'problem')),
  -- A list of texts, each in both languages.
  reasons   jsonb not null,
  item_id   bigint,
  primary key (run_id, position)
);

create unique index subscription_rows_by_item on calendar.subscription_rows (run_id, kind, source_id);
