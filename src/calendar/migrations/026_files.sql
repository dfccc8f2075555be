-- Documents that texts link to, copied from a site that was imported. Served for download only.
create table calendar.files (
  id         bigint generated always as identity primary key,
  author_id  bigint not null,
  name       text not null,
  extension  text not null,
  mime_type  text not null,
  source     text,
  hash       bytea not null,
  bytes      bytea not null,
  created_at timestamptz not null
);

-- Documents are compressed already.
alter table calendar.files alter column bytes set storage external;

create index files_by_source on calendar.files (source) where source is not null;
create index files_by_hash on calendar.files (hash);
create index files_by_upload on calendar.files (substring(source from '/wp-content/uploads/.*$')) where source is not null;
