-- Whether visitors may suggest events, whether they need a proof of work for it, and for how many days after the decision
-- the data of a sender is kept.
alter table platform.site
  add column suggestions boolean not null default true,
  add column suggestions_proof_of_work boolean not null default false,
  add column suggestion_retention_days integer not null default 90
    check (suggestion_retention_days between 1 and 3650);
