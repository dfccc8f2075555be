-- Who is signed in. Only hashes of tokens are kept; a session that has ended has no row.
create table platform.sessions (
  id           bigint generated always as identity primary key,
  finder       text not null unique,
  hash         bytea not null check (octet_length(hash) = 32),
  user_id      bigint not null references platform.users (id),
  created_at   timestamptz not null,
  last_used_at timestamptz not null
);

create index sessions_by_user on platform.sessions (user_id);
create index sessions_by_last_use on platform.sessions (last_used_at);
create index sessions_by_age on platform.sessions (created_at);
