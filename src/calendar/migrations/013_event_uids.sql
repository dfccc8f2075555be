-- The UID of an event in iCalendar feeds, which stays the same when the host changes. Null for events that are older than this
-- column: their UID is made of their id and the host of PUBLIC_URL, and a job stores it.
alter table calendar.events add column uid text;
alter table calendar.events alter column uid set default gen_random_uuid();
create index events_by_uid on calendar.events (uid);
create index events_without_uid on calendar.events (id) where uid is null;
