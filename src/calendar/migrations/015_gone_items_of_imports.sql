-- Events of earlier imports that are no longer at the source.
alter table calendar.imports add column gone_count integer not null default 0;
