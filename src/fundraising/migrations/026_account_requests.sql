-- Changes of accounts that wait for a second person. A row is deleted when its request ends; the activity log tells how it ended.
-- The account numbers are those of the organisation, which donors read on the site, so they are not encrypted.
create table fundraising.account_requests (
  id           bigint generated always as identity primary key,
  change       text not null check (change in ('campaign_account', 'site_account', 'turn_off')),
  campaign_id  bigint,
  iban         text check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  account_name text check (char_length(account_name) between 1 and 140),
  account_bank text check (char_length(account_bank) <= 140),
  -- The IBAN when the change was asked for: with another one the request is out of date.
  iban_before  text,
  asked_by     text not null,
  -- The person who asked, or who made the key that did; null for keys that nobody made.
  asked_by_id  bigint,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  constraint account_requests_campaign check ((change = 'campaign_account') = (campaign_id is not null)),
  constraint account_requests_iban check ((change = 'turn_off') = (iban is null))
);
-- One at a time for each account, and one to turn the rule off.
create unique index account_requests_by_target on fundraising.account_requests (change, coalesce(campaign_id, 0));
create index account_requests_by_expiry on fundraising.account_requests (expires_at);
