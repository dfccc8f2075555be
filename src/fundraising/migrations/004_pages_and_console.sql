-- A campaign's language is null where it was written before languages were: then it is the site's own.
alter table fundraising.campaigns
  add column preset_amounts_cents bigint[] not null default '{}' check (cardinality(preset_amounts_cents) <= 8),
  add column image_url            text check (char_length(image_url) between 1 and 2000),
  add column image_alt            text not null default '' check (char_length(image_alt) <= 300),
  add column language             text check (language in ('en', 'de')),
  add column translations         jsonb not null default '{}';

create index deleted_campaigns on fundraising.campaigns (id) where deleted_at is not null;

-- A token by default, so that donations that are there already have one, which nobody was told.
-- donor_search is the name without case and accents; fundraising/ledger/filter.ts folds what is looked for in the same way.
alter table fundraising.donations
  add column language            text check (language in ('en', 'de')),
  add column address_street      text check (char_length(address_street) between 1 and 140),
  add column address_postal_code text check (char_length(address_postal_code) between 1 and 60),
  add column address_city        text check (char_length(address_city) between 1 and 140),
  add column address_country     text check (address_country ~ '^[A-Z]{2}$'),
  add column consent_text        text check (char_length(consent_text) between 1 and 2000),
  add column consent_version     text check (char_length(consent_version) between 1 and 100),
  add column consent_at          timestamptz,
  add column donor_token         text not null default replace(gen_random_uuid()::text, '-', ''),
  add column donor_search        text not null generated always as (
    lower(regexp_replace(normalize(replace(donor_name, 'ß', 'ss'), nfd), '[\u0300-\u036f]', '', 'g'))
  ) stored;

-- Not declared to be the only one of its kind, as that cannot be said across machines: 128 random bits are.
create index donations_by_token on fundraising.donations (donor_token);
-- For lists over all campaigns, newest first.
create index donations_by_time on fundraising.donations (created_at, id) where deleted_at is null;
create index donations_by_status on fundraising.donations (status, created_at, id) where deleted_at is null;

-- What treasurers write down about a donation for each other.
create table fundraising.notes (
  campaign_id bigint not null,
  donation_id uuid not null,
  id          uuid not null,
  text        text not null check (char_length(text) between 1 and 2000),
  at          timestamptz not null,
  actor       text not null,
  primary key (campaign_id, donation_id, id)
);
