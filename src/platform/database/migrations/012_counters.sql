-- How often something happened in a window of time, for limits that all processes share: donations of an address, wrong
-- passwords, wrong keys. What is counted stands here as a hash. Lost with a crash, because a limit is a brake and no record,
-- and a count must not wait for the disk.
create unlogged table platform.counters (
  counted bytea primary key,
  count   integer not null,
  until   timestamptz not null
);

create index counters_by_end on platform.counters (until);
