create schema calendar;

-- What a name must look like is decided in the program; here stand the rules without which the data would be broken.
create extension if not exists pg_trgm with schema public;

-- Events, venues, organizers and images share their numbers: an id never means two things.
create sequence calendar.ids;
