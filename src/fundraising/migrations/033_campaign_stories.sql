-- What the page of a campaign shows besides its description: one row per campaign, from the first change on. Lists keep their order;
-- amounts in them are cents.
create table fundraising.campaign_stories (
  campaign_id bigint primary key,
  version     integer not null default 1,
  texts       jsonb not null,
  pictures    jsonb not null,
  items       jsonb not null,
  milestones  jsonb not null,
  updated_at  timestamptz not null
);

-- Money that was collected for a campaign outside of its donations, such as a cash box. It counts in the progress that pages show,
-- and never in totals of donations, receipts or journals.
create table fundraising.offline_amounts (
  campaign_id  bigint not null,
  id           uuid not null,
  amount_cents bigint not null check (amount_cents between 1 and 99999999999),
  received_on  date not null,
  label        jsonb not null,
  created_at   timestamptz not null,
  primary key (campaign_id, id)
);
