-- Account numbers of the bookkeeping, for the DATEV export: one row, made when they are first changed.
create table fundraising.bookkeeping (
  id         integer primary key check (id = 1),
  version    integer not null default 1,
  updated_at timestamptz not null,
  settings   jsonb not null
);
