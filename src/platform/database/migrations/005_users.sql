-- People who sign in. Their numbers come from the series of the keys', so that an author is one of either and never both.
-- Who is removed keeps the row, as the author of what they wrote, but neither address nor password.
create table platform.users (
  id            bigint primary key default nextval('platform.keys_id_seq'),
  version       bigint not null default 1,
  name          text not null check (char_length(name) between 1 and 100),
  email         text,
  role          text not null check (role in ('viewer', 'editor', 'treasurer', 'admin')),
  language      text not null check (language in ('en', 'de')),
  password_hash text,
  created_at    timestamptz not null,
  last_seen_at  timestamptz,
  removed_at    timestamptz,
  check (removed_at is not null or (email is not null and password_hash is not null))
);

create unique index users_by_email on platform.users (email) where removed_at is null;
create index users_who_are_admins on platform.users (id) where role = 'admin' and removed_at is null;
