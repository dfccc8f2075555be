-- What a campaign has = its row in totals + its deltas. A donation only inserts a delta, so nobody waits for anybody;
-- a job folds deltas into totals. Both are read in one statement, so the sum is right at every moment.
create table fundraising.totals (
  campaign_id       bigint primary key,
  donated_cents     bigint not null,
  transferred_cents bigint not null,
  donation_count    bigint not null
) with (fillfactor = 50);

create table fundraising.deltas (
  campaign_id       bigint not null,
  id                bigint generated always as identity,
  donated_cents     bigint not null,
  transferred_cents bigint not null,
  donation_count    bigint not null,
  primary key (campaign_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0
);
