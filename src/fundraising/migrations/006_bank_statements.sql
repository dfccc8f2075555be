-- A file that came from a bank. The file itself is not kept, only what tells it from others: its digest, together with how
-- its columns were read. `read_to` is the last entry that is in the books, so that a file that broke off can be read on.
create table fundraising.bank_statements (
  id          bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  digest      bytea not null unique check (octet_length(digest) = 32),
  format      text not null check (char_length(format) between 1 and 60),
  file_name   text check (char_length(file_name) between 1 and 255),
  currency    text check (currency ~ '^[A-Z]{3}$'),
  first_day   date,
  last_day    date,
  imported_at timestamptz not null,
  imported_by text not null,
  read_to     integer not null default 0,
  finished_at timestamptz,
  counts      jsonb not null default '{}',
  amounts     jsonb not null default '{}'
);

-- A payment on a statement. `bank_key` is what the bank knows it by, or a print of all that it says where it gives no
-- reference: the same payment in another file has the same, and is only noted there (then `first_seen`, and no key).
-- What is not booked yet has none either, as it comes again. Account numbers of payers are sealed.
-- `status_before` says that this entry moved its donation, and from where: taken back, the donation returns there.
create table fundraising.statement_entries (
  statement_id            bigint not null,
  id                      uuid not null,
  position                integer not null,
  version                 integer not null default 1,
  account                 text check (char_length(account) <= 60),
  bank_key                bytea check (octet_length(bank_key) = 16),
  booked_on               date,
  value_on                date,
  amount_cents            bigint not null check (amount_cents >= 0),
  currency                text not null check (char_length(currency) <= 10),
  direction               text not null check (direction in ('in', 'out')),
  is_return               boolean not null,
  return_reason           text check (char_length(return_reason) <= 500),
  is_pending              boolean not null,
  end_to_end_id           text check (char_length(end_to_end_id) <= 140),
  mandate_reference       text check (char_length(mandate_reference) <= 140),
  text                    text not null check (char_length(text) <= 2000),
  counterpart_name        text check (char_length(counterpart_name) <= 200),
  counterpart_iban_sealed bytea,
  counterpart_iban_print  bytea,
  counterpart_bic         text check (char_length(counterpart_bic) <= 40),
  result                  text not null check (
    result in ('booked', 'suggested', 'unmatched', 'ignored', 'known', 'returned', 'problem')
  ),
  reason                  text,
  reason_text             jsonb,
  campaign_id             bigint,
  donation_id             uuid,
  matched_by              text check (matched_by in ('reference', 'typo', 'account', 'name', 'manual')),
  status_before           text,
  suggestions             jsonb not null default '[]',
  first_seen              jsonb,
  erased_at               timestamptz,
  primary key (statement_id, id),
  constraint linked_or_not check (
    (donation_id is null) = (campaign_id is null) and (donation_id is null) = (result not in ('booked', 'returned'))
  )
);

create unique index statement_entries_by_position on fundraising.statement_entries (statement_id, position);
create index statement_entries_by_result on fundraising.statement_entries (statement_id, result, position)
include (amount_cents, currency);
-- Once in the books, whatever number of files it stands in.
create unique index statement_entries_by_bank_key on fundraising.statement_entries (bank_key) where bank_key is not null;
create index statement_entries_of_donations on fundraising.statement_entries (campaign_id, donation_id, statement_id, id)
where donation_id is not null;
create index statement_entries_by_account on fundraising.statement_entries (counterpart_iban_print)
where counterpart_iban_print is not null;

-- Payers who forgot the reference are found by name and amount: the name without punctuation and initials, as
-- fundraising/statements/matching/payer-name.ts spells it.
create index donations_by_name_and_amount on fundraising.donations (
  amount_cents,
  btrim(regexp_replace(donor_search, '(\m[a-z0-9]\M|[[:space:].,;:/()_''"-])+', ' ', 'g'))
)
where status = 'IN_PROCESS' and deleted_at is null;
