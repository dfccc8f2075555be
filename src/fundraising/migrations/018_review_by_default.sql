-- Large promises wait for a treasurer unless the organisation says otherwise: above 10,000.00. Nobody can tell a limit that was never set
-- from one that was switched off, so both get this one: whoever wants none says so once more.
-- What strangers write beside a donation waits as well, until a treasurer shows it.
alter table fundraising.organisation
  alter column review_above_cents set default 1000000,
  add column messages_need_review boolean not null default true;

update fundraising.organisation set review_above_cents = 1000000 where review_above_cents is null;
