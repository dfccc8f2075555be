-- Keys begin with the campaign, so that the tables can be spread over machines by campaign.
-- No foreign key to campaigns: it would lock the row of a busy campaign at every donation. Campaigns are never
-- removed, donate() reads the campaign in its transaction, and `doctor` looks for orphans.
create table fundraising.donations (
  campaign_id        bigint not null,
  id                 uuid not null,
  version            integer not null default 1,
  amount_cents       bigint not null check (amount_cents between 1 and 99999999999),
  donor_name         text not null check (char_length(donor_name) between 1 and 140),
  receipt_requested  boolean not null,
  show_name          boolean not null,
  message            text check (char_length(message) between 1 and 1000),
  email              text check (char_length(email) between 3 and 254),
  status             text not null check (status in ('IN_PROCESS', 'TRANSFERRED', 'CANCELLED', 'FAILED', 'REFUNDED')),
  reference          text not null,
  account_iban       text check (account_iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  account_iban_valid boolean,
  account_name       text check (char_length(account_name) between 1 and 140),
  account_bank       text check (char_length(account_bank) <= 140),
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  deleted_at         timestamptz,
  primary key (campaign_id, id),
  constraint donations_by_reference unique (campaign_id, reference)
);

-- For the number of donations that the totals do not count.
create index donations_not_live on fundraising.donations (campaign_id)
where status not in ('IN_PROCESS', 'TRANSFERRED') and deleted_at is null;

-- Every status a donation has had, the first one included.
create table fundraising.donation_history (
  campaign_id bigint not null,
  donation_id uuid not null,
  number      integer not null,
  status      text not null,
  at          timestamptz not null,
  actor       text not null,
  primary key (campaign_id, donation_id, number)
);
