-- Money that arrived for a donation, or went back from it: the only place that says so. Amounts that went back are negative and
-- name the payment that they reverse. A bank entry may have several payments (it is split), and a donation too.
-- A payment is never removed: one that was recorded by mistake is taken back and counts no more.
-- What a receipt certifies is never more than what arrived and stayed: the constraint payments_certified sees to that.
-- `is_assumed` marks amounts or days that were not known when this table was introduced; `doctor` lists them.
create table fundraising.payments (
  campaign_id      bigint not null,
  donation_id      uuid not null,
  id               uuid not null,
  amount_cents     bigint not null check (amount_cents <> 0 and abs(amount_cents) <= 99999999999),
  received_on      date not null,
  source           text not null check (source in ('bank_entry', 'cash', 'direct_debit', 'manual', 'correction')),
  reverses         uuid,
  returned_cents   bigint not null default 0,
  certified_cents  bigint not null default 0,
  receipt_id       uuid,
  statement_id     bigint,
  entry_id         uuid,
  collection_id    bigint,
  is_assumed       boolean not null default false,
  -- The version of the donation with this payment, and its status before: what an undo goes back to.
  donation_version integer not null,
  status_before    text not null,
  created_at       timestamptz not null,
  actor            text not null,
  taken_back_at    timestamptz,
  taken_back_by    text,
  primary key (campaign_id, donation_id, id),
  constraint payments_reverse check ((reverses is null) = (amount_cents > 0)),
  constraint payments_entry check (
    (source = 'bank_entry') = (entry_id is not null) and (entry_id is null) = (statement_id is null)
  ),
  constraint payments_returned check (returned_cents between 0 and greatest(amount_cents, 0)),
  constraint payments_certified check (
    certified_cents between 0 and greatest(amount_cents - returned_cents, 0)
    and (certified_cents = 0) = (receipt_id is null)
    and (taken_back_at is null or certified_cents = 0)
  )
);
create index payments_by_day on fundraising.payments (received_on, campaign_id, donation_id, id) where taken_back_at is null;
create index payments_of_entry on fundraising.payments (statement_id, entry_id) where entry_id is not null;
create index payments_of_receipt on fundraising.payments (receipt_id) where receipt_id is not null;
create index payments_assumed on fundraising.payments (campaign_id, donation_id) where is_assumed;

-- What bank entries were booked for. Where the entry is in another currency than the campaign, what it was worth is not known.
insert into fundraising.payments (
  campaign_id, donation_id, id, amount_cents, received_on, source, statement_id, entry_id, is_assumed,
  donation_version, status_before, created_at, actor
)
select
  entry.campaign_id, entry.donation_id, gen_random_uuid(),
  case when entry.currency = campaign.currency then entry.amount_cents else donation.amount_cents end,
  coalesce(entry.booked_on, entry.value_on, statement.imported_at::date), 'bank_entry', entry.statement_id, entry.id,
  entry.currency <> campaign.currency or coalesce(entry.booked_on, entry.value_on) is null,
  coalesce(history.number, donation.version), coalesce(entry.status_before, 'TRANSFERRED'), statement.imported_at, statement.imported_by
from fundraising.statement_entries as entry
join fundraising.bank_statements as statement on statement.id = entry.statement_id
join fundraising.donations as donation on donation.campaign_id = entry.campaign_id and donation.id = entry.donation_id
join fundraising.campaigns as campaign on campaign.id = entry.campaign_id
left join lateral (
  select max(number) as number from fundraising.donation_history as history
  where history.campaign_id = donation.campaign_id and history.donation_id = donation.id and history.status = 'TRANSFERRED'
) as history on true
where entry.result = 'booked' and entry.amount_cents > 0;

-- What no bank entry was booked for: a collected debit came on the day of its collection; else the promised amount came on the day
-- that the console wrote into a note, or it is assumed to have come on the day of the booking.
insert into fundraising.payments (
  campaign_id, donation_id, id, amount_cents, received_on, source, collection_id, is_assumed,
  donation_version, status_before, created_at, actor
)
select
  donation.campaign_id, donation.id, gen_random_uuid(), donation.amount_cents,
  coalesce(collection.collect_on, noted.day, history.day, (history.at at time zone 'UTC')::date),
  case
    when collection.id is not null then 'direct_debit'
    when noted.is_cash or (history.number = 1 and donation.account_print is null and donation.account_iban is null) then 'cash'
    else 'manual'
  end,
  collection.id,
  collection.id is null and noted.day is null and history.day is null,
  history.number,
  case when history.number = 1 then 'TRANSFERRED' else 'IN_PROCESS' end,
  history.at, history.actor
from fundraising.donations as donation
join lateral (
  select history.number, history.at, history.day, history.actor from fundraising.donation_history as history
  where history.campaign_id = donation.campaign_id and history.donation_id = donation.id and history.status = 'TRANSFERRED'
  order by history.number desc
  limit 1
) as history on true
left join lateral (
  select collection.id, collection.collect_on
  from fundraising.collection_items as item
  join fundraising.collections as collection on collection.id = item.collection_id and collection.status = 'done'
  where item.campaign_id = donation.campaign_id and item.donation_id = donation.id and item.is_live
) as collection on true
left join lateral (
  select
    starts_with(note.text, 'Cash') or starts_with(note.text, 'Bar') as is_cash,
    make_date(
      found[4]::int,
      (array_position(
        array[
          'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December',
          'Januar', 'Februar', 'März', '', 'Mai', 'Juni', 'Juli', '', '', 'Oktober', '', 'Dezember'
        ],
        found[3]
      ) - 1) % 12 + 1,
      found[2]::int
    ) as day
  from fundraising.notes as note
  cross join lateral regexp_match(
    note.text,
    '(received on|eingegangen am) ([0-9]{1,2})[.]? (January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember) ([0-9]{4})[.]'
  ) as found
  where note.campaign_id = donation.campaign_id and note.donation_id = donation.id and found is not null
  order by note.at, note.id
  limit 1
) as noted on true
where donation.deleted_at is null and not exists (
  select from fundraising.payments as payment
  where payment.campaign_id = donation.campaign_id and payment.donation_id = donation.id
);

-- What was refunded or failed after it had come went back: on the day of the bank's entry, or when somebody said so.
insert into fundraising.payments (
  campaign_id, donation_id, id, amount_cents, received_on, source, reverses, statement_id, entry_id, is_assumed,
  donation_version, status_before, created_at, actor
)
select
  payment.campaign_id, payment.donation_id, gen_random_uuid(), -payment.amount_cents,
  greatest(payment.received_on, coalesce(entry.booked_on, entry.value_on, history.day, (history.at at time zone 'UTC')::date)),
  case when entry.id is null then 'correction' else 'bank_entry' end, payment.id, entry.statement_id, entry.id,
  entry.id is null, history.number, 'TRANSFERRED', history.at, history.actor
from fundraising.payments as payment
join fundraising.donations as donation
  on donation.campaign_id = payment.campaign_id and donation.id = payment.donation_id and donation.status in ('FAILED', 'REFUNDED')
join lateral (
  select history.number, history.at, history.day, history.actor from fundraising.donation_history as history
  where history.campaign_id = donation.campaign_id and history.donation_id = donation.id and history.status = donation.status
  order by history.number desc
  limit 1
) as history on true
left join lateral (
  select entry.statement_id, entry.id, entry.booked_on, entry.value_on from fundraising.statement_entries as entry
  where entry.campaign_id = donation.campaign_id and entry.donation_id = donation.id and entry.result = 'returned'
  order by entry.statement_id desc, entry.position desc
  limit 1
) as entry on true;

update fundraising.payments as payment
set returned_cents = payment.amount_cents
where exists (
  select from fundraising.payments as reversal
  where reversal.campaign_id = payment.campaign_id and reversal.donation_id = payment.donation_id and reversal.reverses = payment.id
);

-- Receipts that hold. One that certifies more than what came stays as it is; `doctor` names it.
update fundraising.payments as payment
set receipt_id = link.receipt_id, certified_cents = payment.amount_cents
from fundraising.receipt_donations as link
where link.campaign_id = payment.campaign_id and link.donation_id = payment.donation_id and link.live
  and payment.amount_cents > 0 and payment.returned_cents = 0;
