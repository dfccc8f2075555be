-- Keys that live in somebody's devices (WebAuthn). We have the public half; numbers are counted by account.
create table platform.passkeys (
  user_id          bigint not null references platform.users (id) on delete cascade,
  id               bigint not null,
  credential_id    bytea not null unique,
  public_key       bytea not null,
  -- How often the device says that it was used; one that goes back is a copy.
  counter          bigint not null,
  transports       text[] not null,
  name             text not null,
  created_at       timestamptz not null,
  last_used_at     timestamptz,
  clone_warning_at timestamptz,
  primary key (user_id, id)
);
