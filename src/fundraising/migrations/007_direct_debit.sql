-- How the donor pays: by an own transfer, or by a direct debit that we collect.
alter table fundraising.donations
  add column payment_method text not null default 'transfer' check (payment_method in ('transfer', 'direct_debit'));

-- What could be collected.
create index donations_to_collect on fundraising.donations (campaign_id, id)
where payment_method = 'direct_debit' and status = 'IN_PROCESS' and deleted_at is null;

-- What a donor agreed to, word for word. The account stays with the donation, so that there is one place to erase it; where
-- the donor was in the net is not kept, only the request in whose log it stands for as long as logs are kept.
create table fundraising.mandates (
  campaign_id bigint not null,
  donation_id uuid not null,
  reference   text not null check (char_length(reference) between 1 and 35),
  creditor_id text not null,
  text        text not null check (char_length(text) between 1 and 4000),
  language    text not null check (language in ('en', 'de')),
  signed_at   timestamptz not null,
  signed_on   date not null,
  request_id  text,
  revoked_at  timestamptz,
  primary key (campaign_id, donation_id),
  constraint mandates_by_reference unique (campaign_id, reference)
);

-- For lists over all campaigns, newest first: ids begin with the time.
create index mandates_by_time on fundraising.mandates (donation_id);
create index mandates_revoked on fundraising.mandates (donation_id) where revoked_at is not null;

-- A file for the bank, with what it said of us when it was made. It spans campaigns, so it belongs to none.
create table fundraising.collections (
  id             bigint generated always as identity primary key,
  version        integer not null default 1,
  status         text not null check (status in ('made', 'submitted', 'done', 'cancelled')),
  collect_on     date not null,
  message_id     text not null check (char_length(message_id) between 1 and 35),
  creditor_id    text not null,
  creditor_name  text not null check (char_length(creditor_name) between 1 and 200),
  batch_booking  boolean not null,
  donation_count integer not null,
  amount_cents   bigint not null,
  notified_count integer not null,
  -- Our accounts in the order of the file, and what was left out and why, as it was when the file was made.
  blocks         jsonb not null,
  left_out       jsonb not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  actor          text not null
);

-- What is in the file besides the donor's name and account, which stay with the donation. Not live: the collection was
-- cancelled, and the donation is free again.
create table fundraising.collection_items (
  campaign_id   bigint not null,
  donation_id   uuid not null,
  collection_id bigint not null,
  position      integer not null,
  is_live       boolean not null default true,
  reference     text not null,
  amount_cents  bigint not null,
  account_iban  text not null,
  remittance    text not null,
  signed_on     date not null,
  primary key (campaign_id, donation_id, collection_id)
);

-- Nothing is collected twice, whatever the program thinks.
create unique index collected_once on fundraising.collection_items (campaign_id, donation_id) where is_live;
create index collection_items_in_order on fundraising.collection_items (collection_id, position);
