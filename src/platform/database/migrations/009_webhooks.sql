-- Who wants to be told of what happens here, and where. A secret is kept as it is: each message is signed with it.
create table platform.webhooks (
  id                    bigint generated always as identity primary key,
  version               integer not null default 1,
  url                   text not null check (char_length(url) between 1 and 2000),
  actions               text[] not null check (cardinality(actions) > 0),
  description           text not null,
  secret                bytea not null,
  previous_secret       bytea,
  previous_secret_until timestamptz,
  is_on                 boolean not null default true,
  failing_since         timestamptz,
  failures              integer not null default 0,
  not_before            timestamptz,
  switched_off_at       timestamptz,
  last_delivered_at     timestamptz,
  created_at            timestamptz not null,
  updated_at            timestamptz not null
);

-- What is to be told to whom, written in the transaction in which it happened. The id is the message's: the same for all
-- webhooks that are told of it, and for every attempt. No foreign key: with one, everybody who donates would lock the
-- webhook's row. What is left of a webhook that was removed in that moment goes with age.
create table platform.webhook_deliveries (
  webhook_id      bigint not null,
  id              uuid not null,
  at              timestamptz not null,
  action          text not null,
  subject         text not null,
  subject_id      text not null,
  details         jsonb not null,
  body            text,
  status          text not null default 'waiting' check (status in ('waiting', 'delivered', 'given_up')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz,
  claimed_until   timestamptz,
  delivered_at    timestamptz,
  primary key (webhook_id, id)
);

create index webhook_deliveries_due on platform.webhook_deliveries (webhook_id, next_attempt_at, id)
  where status = 'waiting';
create index webhook_deliveries_claimed on platform.webhook_deliveries (webhook_id) where claimed_until is not null;
create index webhook_deliveries_by_status on platform.webhook_deliveries (webhook_id, status, id);
create index webhook_deliveries_by_age on platform.webhook_deliveries (at);

create table platform.webhook_attempts (
  webhook_id  bigint not null,
  delivery_id uuid not null,
  number      integer not null,
  at          timestamptz not null,
  duration_ms integer not null,
  status      integer,
  error       text,
  response    text,
  primary key (webhook_id, delivery_id, number),
  foreign key (webhook_id, delivery_id) references platform.webhook_deliveries on delete cascade
);
