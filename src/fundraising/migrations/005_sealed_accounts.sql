-- Account numbers of donors, sealed with a key that is not in here (src/fundraising/encryption/iban-encryption.ts). The print is the same for the same
-- account, and finds it. Numbers from before stay in account_iban until the job seal-accounts has sealed them.
-- A donor who was erased has no name any more.
alter table fundraising.donations
  add column account_sealed bytea,
  add column account_print  bytea check (octet_length(account_print) = 16),
  add column erased_at      timestamptz,
  alter column donor_name   drop not null,
  alter column donor_search drop not null;

create index donations_not_sealed on fundraising.donations (campaign_id, id) where account_iban is not null;
-- What is known of one person, and how much came from one account lately.
create index donations_by_account on fundraising.donations (account_print, created_at) where account_print is not null;
create index donations_by_email on fundraising.donations (lower(email)) where email is not null;
-- What nobody needs to know any more. Rows lie in the order in which they were made, so that a coarse index finds the old ones
-- and costs new ones next to nothing.
create index donations_by_age on fundraising.donations using brin (created_at);
create index donations_that_never_came on fundraising.donations (updated_at)
where status in ('CANCELLED', 'FAILED') and erased_at is null;

-- Which key everything is sealed with: one row, so that a process with another one notices before it writes.
create table fundraising.vault (
  is_only    boolean primary key default true check (is_only),
  key_id     bytea not null check (octet_length(key_id) = 4),
  -- Whether nothing is left that is sealed with another one.
  is_settled boolean not null
);
