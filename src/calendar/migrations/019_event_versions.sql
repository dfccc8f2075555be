-- Earlier versions of events. A change first stores the state that it replaces.
create table calendar.event_versions (
  event_id    bigint not null references calendar.events on delete cascade,
  version     integer not null,
  -- When this version was saved.
  at          timestamptz not null,
  -- Who replaced this version, and so saved the next one.
  replaced_by text not null,
  -- All fields, texts and links. Of a password it has only whether there was one.
  snapshot    jsonb not null,
  primary key (event_id, version)
);
