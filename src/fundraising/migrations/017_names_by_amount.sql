-- Payers who forgot the reference are looked for among donations of the same amount whose money has not come; names are
-- compared in fundraising/statements/matching/payer-name.ts. The index before spelled every name with regular expressions
-- whenever a donation was written.
create index donations_in_process_by_amount on fundraising.donations (amount_cents, created_at)
where status = 'IN_PROCESS' and deleted_at is null;
drop index fundraising.donations_by_name_and_amount;
