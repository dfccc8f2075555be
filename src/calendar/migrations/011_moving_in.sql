-- The user of the old site and their application password, encrypted; the password is deleted when the import ends.
alter table calendar.imports add column login_user text;
alter table calendar.imports add column login_password bytea;

-- The addresses that imported items had at their source. A slug that changes there adds a row.
create table calendar.imported_addresses (
  origin    text collate "C" not null,
  kind      text not null,
  source_id text collate "C" not null,
  slug      text collate "C" not null,
  url       text,
  -- The UID in the calendar feeds of the source.
  uid       text collate "C",
  primary key (origin, kind, source_id, slug),
  foreign key (origin, kind, source_id) references calendar.imported on delete cascade
);

create index imported_addresses_by_slug on calendar.imported_addresses (kind, slug);
create index imported_addresses_by_uid on calendar.imported_addresses (uid) where uid is not null;
create index imported_by_source_id on calendar.imported (kind, source_id);
