-- People who are invited and have no account yet. When they get one, or when the invitation is withdrawn, the row goes.
create table platform.invitations (
  id         bigint generated always as identity primary key,
  version    bigint not null default 1,
  name       text not null check (char_length(name) between 1 and 100),
  email      text not null unique,
  role       text not null check (role in ('viewer', 'editor', 'treasurer', 'admin')),
  language   text not null check (language in ('en', 'de')),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Links at which somebody chooses a password: of an invitation, or of an account. Only hashes of their tokens are stored.
create table platform.account_links (
  hash          bytea primary key check (octet_length(hash) = 32),
  invitation_id bigint references platform.invitations (id) on delete cascade,
  user_id       bigint references platform.users (id),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  check (num_nonnulls(invitation_id, user_id) = 1)
);

create index account_links_by_invitation on platform.account_links (invitation_id);
create index account_links_by_user on platform.account_links (user_id);
create index account_links_by_end on platform.account_links (expires_at);
