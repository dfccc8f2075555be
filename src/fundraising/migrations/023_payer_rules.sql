-- What becomes of payments from one account whenever they come: a treasurer said so once. The account number is encrypted, and found by
-- its fingerprint, as in fundraising.statement_entries. Both are null where no key opens the number any more.
create table fundraising.payer_rules (
  id           uuid primary key,
  -- The order in which rules were made, and with the id what the rotation of keys goes by.
  position     bigint generated always as identity,
  payer_name   text check (char_length(payer_name) between 1 and 200),
  iban_sealed  bytea,
  iban_print   bytea check (octet_length(iban_print) = 16),
  action       text not null check (action in ('campaign', 'ignore')),
  campaign_id  bigint,
  note         text check (char_length(note) between 1 and 200),
  created_at   timestamptz not null,
  created_by   text not null,
  last_used_at timestamptz,
  constraint payer_rules_campaign check ((action = 'campaign') = (campaign_id is not null))
);
create unique index payer_rules_by_account on fundraising.payer_rules (iban_print) where iban_print is not null;
create index payer_rules_by_position on fundraising.payer_rules (position);
