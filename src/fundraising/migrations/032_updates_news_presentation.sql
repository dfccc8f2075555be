-- News about a campaign, with a day. `texts` has title and HTML by language. `sent_at`: when the emails to donors were queued.
create table fundraising.campaign_updates (
  campaign_id  bigint not null,
  id           bigint generated always as identity,
  version      integer not null default 1,
  status       text not null check (status in ('draft', 'published')),
  day          date not null,
  texts        jsonb not null,
  image_url    text check (char_length(image_url) <= 2000),
  image_alt    text not null default '' check (char_length(image_alt) <= 300),
  published_at timestamptz,
  sent_at      timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (campaign_id, id)
);
create index campaign_updates_by_day on fundraising.campaign_updates (campaign_id, day desc, id desc);
create index campaign_updates_by_id on fundraising.campaign_updates (id);

-- Donors who asked for news about the campaign they gave to: what they agreed to and when, and when they unsubscribed. The address is that
-- of the donation. The token is in the links of emails, encrypted and found by its hash as those of donors are; both are null where no key
-- opens it any more.
create table fundraising.news_consents (
  campaign_id     bigint not null,
  donation_id     uuid not null,
  text            text not null check (char_length(text) between 1 and 2000),
  agreed_at       timestamptz not null,
  token_encrypted bytea,
  token_hash      bytea check (octet_length(token_hash) = 16),
  ended_at        timestamptz,
  ended_by        text check (ended_by in ('donor', 'treasurer')),
  primary key (campaign_id, donation_id),
  constraint news_consents_end check ((ended_at is null) = (ended_by is null))
);
create index news_consents_by_token on fundraising.news_consents (token_hash) where token_hash is not null;

-- How the organisation presents itself beside its campaigns: one row, inserted by the first change.
create table fundraising.presentation (
  id               integer primary key check (id = 1),
  version          integer not null,
  updated_at       timestamptz not null,
  contact          jsonb,
  home_campaign_id bigint
);

-- The same for one campaign: its own contact, and events of the calendar that belong to it.
create table fundraising.campaign_presentations (
  campaign_id bigint not null,
  version     integer not null,
  updated_at  timestamptz not null,
  contact     jsonb,
  event_ids   bigint[] not null default '{}',
  primary key (campaign_id)
);
create index campaign_presentations_by_event on fundraising.campaign_presentations using gin (event_ids);
