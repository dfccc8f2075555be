-- Whether everybody may read what a donor wrote: the message, and the name before its money has come. What was there before stays shown.
alter table fundraising.donations
  add column message_review text not null default 'shown' check (message_review in ('waiting', 'shown', 'hidden'));

-- What treasurers have to read.
create index messages_waiting on fundraising.donations (created_at, id)
where message_review = 'waiting' and message is not null and deleted_at is null;
