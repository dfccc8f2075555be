-- Who the organisation is before the law, and how it wants to be served: one row. What is missing is empty or null.
create table fundraising.organisation (
  id                      integer primary key check (id = 1),
  version                 integer not null default 1,
  updated_at              timestamptz,
  legal_name              text not null default '' check (char_length(legal_name) <= 140),
  address_street          text check (char_length(address_street) between 1 and 140),
  address_postal_code     text check (char_length(address_postal_code) between 1 and 60),
  address_city            text check (char_length(address_city) between 1 and 140),
  address_country         text check (address_country ~ '^[A-Z]{2}$'),
  tax_office              text not null default '' check (char_length(tax_office) <= 100),
  tax_number              text not null default '' check (char_length(tax_number) <= 100),
  exemption_kind          text check (exemption_kind in ('notice', 'provisional')),
  exemption_date          date,
  exemption_period        text check (char_length(exemption_period) between 1 and 100),
  purposes                text not null default '' check (char_length(purposes) <= 300),
  signatory               text not null default '' check (char_length(signatory) <= 140),
  signatory_role          text not null default '' check (char_length(signatory_role) <= 140),
  tax_office_informed_on  date,
  signature_hash          bytea check (octet_length(signature_hash) = 32),
  receipt_prefix          text not null default '' check (receipt_prefix ~ '^[A-Z0-9]{0,10}$'),
  creditor_id             text check (creditor_id ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{4,31}$'),
  pre_notification_days   integer not null default 5 check (pre_notification_days between 1 and 30),
  confirmation_mails      boolean not null default true,
  review_above_cents      bigint check (review_above_cents between 0 and 99999999999),
  retention_years         integer not null default 10 check (retention_years between 6 and 30),
  proof_of_work           boolean not null default false,
  constraint exemption_is_whole check ((exemption_kind is null) = (exemption_date is null)),
  constraint address_is_whole check (
    num_nulls(address_street, address_postal_code, address_city, address_country) in (0, 4)
  )
);
insert into fundraising.organisation (id) values (1);

-- Pictures of signatures by their digest: receipts that were signed with an old one can still be copied.
create table fundraising.signatures (
  hash    bytea primary key check (octet_length(hash) = 32),
  picture bytea not null
);

-- The day on which the bank moved the money, where a statement says it: the row itself may be written days later.
alter table fundraising.donation_history add column day date;
-- For what came in a year. Days are those of UTC, so whoever looks for those of the site looks a day to either side.
create index donation_history_received
on fundraising.donation_history ((coalesce(day, (at at time zone 'UTC')::date)))
where status = 'TRANSFERRED';

-- The last number that was given out in a year: whoever takes the next one holds the row until the receipt is there.
create table fundraising.receipt_numbers (
  year integer primary key,
  last integer not null
);

-- A receipt is never changed: what it said and the file stay as they were issued. Only its state moves on.
-- donor_search is the name as in fundraising.donations.
create table fundraising.receipts (
  id               uuid primary key,
  version          integer not null default 1,
  number           text not null constraint receipts_by_number unique,
  year             integer not null,
  sequence         integer not null,
  kind             text not null check (kind in ('single', 'collective')),
  language         text not null check (language in ('en', 'de')),
  state            text not null default 'issued' check (state in ('issued', 'withdrawn')),
  needs_withdrawal boolean not null default false,
  issued_on        date not null,
  issued_at        timestamptz not null,
  issued_by        text not null,
  amount_cents     bigint not null check (amount_cents > 0),
  currency         text not null,
  donor_name       text not null,
  donor_search     text not null generated always as (
    lower(regexp_replace(normalize(replace(donor_name, 'ß', 'ss'), nfd), '[\u0300-\u036f]', '', 'g'))
  ) stored,
  content          jsonb not null,
  file             bytea,
  file_hash        bytea not null,
  replaces         uuid,
  run_id           uuid,
  sent             boolean not null default false,
  withdrawn_at     timestamptz,
  withdrawn_by     text,
  withdrawn_reason text check (char_length(withdrawn_reason) between 1 and 500),
  forgotten_at     timestamptz,
  constraint withdrawn_has_reason check ((state = 'withdrawn') = (withdrawn_reason is not null)),
  constraint receipts_by_sequence unique (year, sequence),
  constraint has_file_until_forgotten check ((file is null) = (forgotten_at is not null))
);
create index receipts_by_year on fundraising.receipts (year, id);
create index receipts_to_withdraw on fundraising.receipts (id) where needs_withdrawal and state = 'issued';
create index receipts_to_forget on fundraising.receipts (year, id) where forgotten_at is null;
create index receipts_of_run on fundraising.receipts (run_id, id) where run_id is not null;

-- What a receipt is for. A donation has one that is live, so that nothing is certified twice.
create table fundraising.receipt_donations (
  campaign_id bigint not null,
  donation_id uuid not null,
  receipt_id  uuid not null,
  live        boolean not null,
  primary key (campaign_id, donation_id, receipt_id)
);
create unique index one_live_receipt on fundraising.receipt_donations (campaign_id, donation_id) where live;
create index donations_of_receipt on fundraising.receipt_donations (receipt_id);

-- A run issues what is missing of a year, a donor at a time, and goes on where it stopped.
create table fundraising.receipt_runs (
  id         uuid primary key,
  version    integer not null default 1,
  year       integer not null,
  language   text check (language in ('en', 'de')),
  send       boolean not null,
  status     text not null check (status in ('waiting', 'running', 'done', 'failed')),
  done       integer not null default 0,
  total      integer not null default 0,
  issued     integer not null default 0,
  skipped    jsonb not null default '{}',
  problems   jsonb not null default '[]',
  -- The last donor that is done, by name.
  position   text not null default '',
  started_at timestamptz not null,
  started_by text not null,
  ended_at   timestamptz,
  held_until timestamptz
);
create index receipt_runs_by_year on fundraising.receipt_runs (year, id);
create index receipt_runs_to_do on fundraising.receipt_runs (id) where status in ('waiting', 'running');

-- Everything that came of one person: donors are told apart by name first.
create index donations_of_donor on fundraising.donations (donor_search)
where status = 'TRANSFERRED' and deleted_at is null;
