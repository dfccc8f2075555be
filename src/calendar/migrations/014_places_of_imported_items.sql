-- The calendar or table that an item came from last: its URL, or the name of the calendar or file.
alter table calendar.imported add column place text collate "C";
create index imported_by_place on calendar.imported (origin, place) where kind = 'event';
