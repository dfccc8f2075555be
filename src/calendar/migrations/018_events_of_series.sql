-- The series that an event is an occurrence of, its date by the rule, and the fields in which it differs by hand. No column
-- rewrites the table, and the reference is not checked for the rows that exist: they have none.
alter table calendar.events add column series_id bigint;
alter table calendar.events add column series_date timestamp;
alter table calendar.events add column series_changes text[] not null default '{}';
alter table calendar.events add constraint events_series_id_fkey
  foreign key (series_id) references calendar.series on delete set null not valid;
create unique index events_by_series on calendar.events (series_id, series_date) where series_id is not null;
