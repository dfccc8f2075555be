create schema fundraising;

-- A deleted campaign keeps its row: money may have been given to it.
create table fundraising.campaigns (
  id                     bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  version                integer not null default 1,
  name                   text not null check (char_length(name) between 1 and 200),
  description            text not null check (char_length(description) <= 20000),
  donation_minimum_cents bigint not null check (donation_minimum_cents between 0 and 99999999999),
  target_amount_cents    bigint not null check (target_amount_cents between 1 and 99999999999),
  currency               text not null check (currency ~ '^[A-Z]{3}$'),
  status                 text not null check (status in ('draft', 'open', 'closed')),
  starts_at              timestamptz,
  ends_at                timestamptz,
  account_iban           text not null check (account_iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  account_iban_valid     boolean not null,
  account_name           text not null check (char_length(account_name) between 1 and 140),
  account_bank           text not null check (char_length(account_bank) <= 140),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  deleted_at             timestamptz,
  constraint ends_after_start check (ends_at > starts_at)
);
