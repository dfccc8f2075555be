-- First answers to requests with an Idempotency-Key. The key itself is not stored: its hash finds the row, and
-- the answer is encrypted with it, because an answer may hold what is shown only once.
create table platform.idempotency (
  key_hash   bytea primary key,
  body_hash  bytea not null,
  answer     bytea not null,
  created_at timestamptz not null
);

create index idempotency_by_age on platform.idempotency (created_at);
