-- The credit of a direct debit collection: one entry for many donations, whose payments belong to the collection. While the entry is only
-- suggested for it, collection_id says for which. `rule_id` is the rule of a payer by which an entry was ignored.
alter table fundraising.statement_entries
  add column collection_id bigint,
  add column rule_id       uuid,
  drop constraint linked_or_not;
alter table fundraising.statement_entries
  add constraint linked_or_not check (
    (donation_id is null) = (campaign_id is null)
    and (result in ('booked', 'returned')) = (donation_id is not null or (result = 'booked' and collection_id is not null))
    and (collection_id is null or (donation_id is null and result in ('booked', 'suggested')))
  );
create index statement_entries_of_collections on fundraising.statement_entries (collection_id) where collection_id is not null;
