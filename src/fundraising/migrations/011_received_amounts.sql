-- What has arrived for a donation and stayed, and on which day the newest payment came: kept in step with its payments, so that
-- lists and sums need not read them.
alter table fundraising.donations
  add column received_cents bigint not null default 0 check (received_cents between 0 and 99999999999),
  add column received_on    date;

update fundraising.donations as donation
set received_cents = least(paid.cents, 99999999999), received_on = paid.newest
from (
  select
    payment.campaign_id, payment.donation_id,
    sum(payment.amount_cents)::bigint as cents,
    max(payment.received_on) filter (where payment.amount_cents > payment.returned_cents) as newest
  from fundraising.payments as payment
  where payment.taken_back_at is null
  group by payment.campaign_id, payment.donation_id
) as paid
where donation.campaign_id = paid.campaign_id and donation.id = paid.donation_id;

-- Totals count what was received: where that is not what was promised, they get the difference.
insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
select campaign_id, sum(donated)::bigint, sum(transferred)::bigint, 0
from (
  select
    donation.campaign_id,
    case donation.status
      when 'IN_PROCESS' then greatest(donation.received_cents - donation.amount_cents, 0)
      when 'TRANSFERRED' then donation.received_cents - donation.amount_cents
      else donation.received_cents
    end as donated,
    donation.received_cents - case donation.status when 'TRANSFERRED' then donation.amount_cents else 0 end as transferred
  from fundraising.donations as donation
  where donation.status = 'TRANSFERRED' or donation.received_cents > 0
) as share
where donated <> 0 or transferred <> 0
group by campaign_id;
