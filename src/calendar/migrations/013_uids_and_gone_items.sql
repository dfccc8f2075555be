-- The UID of an event in iCalendar feeds, which stays the same when the host changes. Null for events that are older than this
-- column: their UID is made of their id and the host of PUBLIC_URL, and a job stores it.
alter table calendar.events add column uid text;
alter table calendar.events alter column uid set default gen_random_uuid();
create index events_by_uid on calendar.events (uid);
create index events_without_uid on calendar.events (id) where uid is null;

-- The calendar or table that an item came from last: its URL, or the name of the calendar or file.
alter table calendar.imported add column place text collate "C";
create index imported_by_place on calendar.imported (origin, place) where kind = 'event';

-- Events of earlier imports that are no longer at the source.
alter table calendar.imports add column gone_count integer not null default 0;
alter table calendar.import_rows drop constraint import_rows_outcome_check;
alter table calendar.import_rows add constraint import_rows_outcome_check
  check (outcome in ('new', 'changed', 'same', 'skipped', 'problem', 'gone')) not valid;
