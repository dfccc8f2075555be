-- People who give. A donor is a group of donations: same name, and same email address, account or postal address. The job link-donors groups
-- donations after they were made, so that nothing here is written when somebody donates. Identity is read from the donations, so that an
-- erasure has one place to erase it; only notes and letters are stored here.
create table fundraising.donors (
  id         uuid primary key,
  -- The donor that this one is shown as: itself, unless it was merged into another.
  main_id    uuid not null,
  created_at timestamptz not null
);
create index donors_by_main on fundraising.donors (main_id);

-- Which donor gave a donation. iban_end is the end of the donor's account number, which finds it on a bank statement; the whole number is
-- encrypted in the donation.
create table fundraising.donor_donations (
  campaign_id bigint not null,
  donation_id uuid not null,
  donor_id    uuid not null,
  iban_end    text check (char_length(iban_end) = 4),
  primary key (campaign_id, donation_id)
);
create index donor_donations_by_donor on fundraising.donor_donations (donor_id);
create index donor_donations_by_iban_end on fundraising.donor_donations (iban_end) where iban_end is not null;

-- How far the job has read: one row, which is locked while it works.
create table fundraising.donor_linking (
  is_only    boolean primary key default true check (is_only),
  read_to    timestamptz not null,
  started_at timestamptz not null
);
insert into fundraising.donor_linking (read_to, started_at) values ('-infinity', '-infinity');

create table fundraising.donor_notes (
  donor_id uuid not null,
  id       uuid not null,
  text     text not null check (char_length(text) between 1 and 2000),
  at       timestamptz not null,
  actor    text not null,
  primary key (donor_id, id)
);

-- Each merge, with the donors that it moved: an undo moves these again. It stays when it was undone.
create table fundraising.donor_merges (
  id        uuid primary key,
  source_id uuid not null,
  target_id uuid not null,
  moved     uuid[] not null,
  at        timestamptz not null,
  actor     text not null,
  undone_at timestamptz,
  undone_by text
);
create index donor_merges_by_source on fundraising.donor_merges (source_id);
create index donor_merges_by_target on fundraising.donor_merges (target_id);

-- Pairs that look like one person and are two.
create table fundraising.donor_distinctions (
  one_id   uuid not null,
  other_id uuid not null,
  at       timestamptz not null,
  actor    text not null,
  primary key (one_id, other_id),
  constraint donor_distinctions_in_order check (one_id < other_id)
);

-- Annual letters as they were written.
create table fundraising.donor_letters (
  id            uuid primary key,
  donor_id      uuid not null,
  year          integer not null,
  language      text not null check (language in ('en', 'de')),
  currency      text not null,
  amount_cents  bigint not null check (amount_cents > 0),
  payment_count integer not null,
  written_at    timestamptz not null,
  actor         text not null,
  file          bytea not null
);
create index donor_letters_by_donor on fundraising.donor_letters (donor_id, id);
create index donor_letters_by_year on fundraising.donor_letters (year, id);

-- The organisation's own words around the list of gifts; without a row, the default ones.
create table fundraising.letter_texts (
  language   text primary key check (language in ('en', 'de')),
  version    integer not null default 1,
  opening    text not null check (char_length(opening) between 1 and 2000),
  closing    text not null check (char_length(closing) between 1 and 1000),
  updated_at timestamptz not null
);
