-- A large donation by the public waits until a treasurer has looked at it: it counts in no total and shows nowhere. Money
-- that arrives releases it, so only one whose money has not come can wait.
alter table fundraising.donations
  add column review text check (review in ('waiting', 'released')),
  add constraint only_promises_wait check (review <> 'waiting' or status = 'IN_PROCESS');

create index donations_waiting on fundraising.donations (created_at, id) where review = 'waiting' and deleted_at is null;
-- For the number that are waiting in a campaign, which the totals do not count.
create index donations_waiting_in_campaign on fundraising.donations (campaign_id) where review = 'waiting' and deleted_at is null;

-- Proofs of work that a donation was made with: each is good for one. Forgotten when they would have expired anyhow.
create table fundraising.used_proofs (
  challenge  text primary key check (char_length(challenge) = 64),
  expires_at timestamptz not null
);

create index used_proofs_by_age on fundraising.used_proofs (expires_at);
