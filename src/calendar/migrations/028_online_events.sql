-- Events that take place online.
alter table calendar.events add column is_virtual boolean not null default false;
