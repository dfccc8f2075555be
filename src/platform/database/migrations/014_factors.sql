-- What proves who somebody is, besides the password: a secret that an authenticator app makes codes of, and codes for the day on
-- which the phone is lost. Secrets are sealed, of recovery codes only hashes are kept.
create table platform.totp_factors (
  user_id       bigint primary key references platform.users (id) on delete cascade,
  -- Null once the key that it was sealed with is lost for good.
  secret_sealed bytea,
  created_at    timestamptz not null,
  -- Null until the first code was right: it does not count before.
  confirmed_at  timestamptz,
  last_used_at  timestamptz,
  -- The newest step of 30 seconds that a code was taken for: neither it nor an older one is taken again.
  last_step     bigint
);

create table platform.recovery_codes (
  user_id    bigint not null references platform.users (id) on delete cascade,
  hash       bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, hash)
);

-- What was begun and waits for its second half, for minutes: a sign-in without its second factor, a challenge.
create table platform.sign_in_steps (
  hash       bytea primary key check (octet_length(hash) = 32),
  kind       text not null,
  user_id    bigint references platform.users (id) on delete cascade,
  details    jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index sign_in_steps_by_expiry on platform.sign_in_steps (expires_at);
create index sign_in_steps_by_user on platform.sign_in_steps (user_id);
