-- API keys. Only hashes are kept; a revoked key keeps its row, so that protected mode never comes back by revoking.
create table platform.keys (
  id           bigint generated always as identity primary key,
  finder       text not null unique,
  hash         bytea not null check (octet_length(hash) = 32),
  name         text not null check (char_length(name) between 1 and 100),
  role         text not null check (role in ('viewer', 'contributor', 'author', 'editor', 'treasurer', 'admin')),
  created_at   timestamptz not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
