-- Tokens that let somebody make the first account; gone as soon as there is one. Only hashes are kept.
create table platform.setup (
  hash       bytea primary key check (octet_length(hash) = 32),
  created_at timestamptz not null
);
