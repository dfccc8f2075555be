-- Images live in the database, so that any number of processes serve the same ones and a backup has everything.
create table calendar.media (
  id         bigint primary key default nextval('calendar.ids'),
  author_id  bigint not null,
  name       text not null check (name <> ''),
  alt        text not null,
  -- Where it was fetched from, so that the same address is fetched once.
  source     text,
  hash       bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null
);

create index media_by_source on calendar.media (source) where source is not null;
create index media_by_hash on calendar.media (hash);

-- The original is the size called full.
create table calendar.media_sizes (
  media_id  bigint not null references calendar.media on delete cascade,
  size      text not null,
  width     integer not null check (width > 0),
  height    integer not null check (height > 0),
  mime_type text not null,
  extension text not null,
  bytes     bytea not null,
  primary key (media_id, size)
);

-- Images do not get smaller by another compression.
alter table calendar.media_sizes alter column bytes set storage external;
