-- Large promises wait for a treasurer unless the organisation says otherwise: 10,000.00. An organisation that has no limit gets this
-- one too, unless the activity says that somebody has set the limit before: then none is what they chose.
-- What strangers write beside a donation waits as well, until a treasurer shows it.
alter table fundraising.organisation
  alter column review_above_cents set default 1000000,
  add column messages_need_review boolean not null default true;

update fundraising.organisation
set review_above_cents = 1000000
where review_above_cents is null and not exists (
  select from platform.activity
  where action = 'organisation.updated' and details -> 'fields' ? 'reviewAbove'
);
