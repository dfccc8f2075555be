-- A change of status that was taken back, and the one that took it back; and the bank entry that caused a change.
-- Days are those of payments now: the column `day` is not used any more.
alter table fundraising.donation_history
  add column undone_by    integer,
  add column is_undo      boolean not null default false,
  add column statement_id bigint,
  add column entry_id     uuid;
drop index fundraising.donation_history_received;
