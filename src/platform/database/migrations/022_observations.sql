-- What a process has noticed and others have to know: that there was an ADMIN_KEY, that a proxy stands in front.
create table platform.observations (
  name    text primary key,
  seen_at timestamptz not null,
  details text not null default ''
);
