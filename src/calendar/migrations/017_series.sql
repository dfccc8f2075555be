-- A series of events: a rule, and its occurrences, which are ordinary events.
create table calendar.series (
  id          bigint primary key default nextval('calendar.ids'),
  version     integer not null default 1,
  author_id   bigint not null,
  -- An RRULE (RFC 5545) that says everything explicitly; UNTIL is a local date.
  rule        text not null,
  -- The first date of the rule, in the wall clock of the zone.
  start_local timestamp not null,
  end_local   timestamp not null,
  all_day     boolean not null,
  timezone    text not null,
  -- Further dates (RDATE) and excluded ones (EXDATE), with the time of the start.
  also_dates   timestamp[] not null default '{}',
  except_dates timestamp[] not null default '{}',
  uid         text not null default gen_random_uuid(),
  -- Up to when the occurrences of an endless rule exist; null for a rule that ends.
  made_until  timestamp,
  created_at  timestamptz not null,
  modified_at timestamptz not null,
  constraint series_end_after_start check (end_local >= start_local)
);

create index series_to_extend on calendar.series (made_until) where made_until is not null;
