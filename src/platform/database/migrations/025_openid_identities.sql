-- Who somebody is at an OpenID provider (single sign-on). An account has at most one identity at a provider, and an identity is
-- of one account.
create table platform.openid_identities (
  user_id      bigint not null references platform.users (id) on delete cascade,
  issuer       text not null,
  subject      text not null,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, issuer),
  unique (issuer, subject)
);
