-- Renames. The release before does not know the new names, so it has to be stopped first.

-- The IBAN of a donor, encrypted, and its fingerprint: a keyed hash that is equal for equal IBANs and finds them.
alter table fundraising.donations rename column account_sealed to iban_encrypted;
alter table fundraising.donations rename column account_print to iban_fingerprint;
alter table fundraising.donations rename column donor_token_sealed to donor_token_encrypted;
alter index fundraising.donations_not_sealed rename to donations_not_encrypted;
alter index fundraising.donations_token_not_sealed rename to donations_token_not_encrypted;
-- Dropped and added, because Citus cannot rename a constraint of a distributed table. Not validated, because the constraint before
-- held for every row, and a validation would read the whole table.
alter table fundraising.donations
  drop constraint donations_account_print_check,
  add constraint donations_iban_fingerprint_check check (octet_length(iban_fingerprint) = 16) not valid;

alter table fundraising.statement_entries rename column counterpart_iban_sealed to counterpart_iban_encrypted;
alter table fundraising.statement_entries rename column counterpart_iban_print to counterpart_iban_fingerprint;

alter table fundraising.payer_rules rename column iban_sealed to iban_encrypted;
alter table fundraising.payer_rules rename column iban_print to iban_fingerprint;
alter table fundraising.payer_rules rename constraint payer_rules_iban_print_check to payer_rules_iban_fingerprint_check;

-- Which key encrypts: one row. The rotation is complete when no value is left that another key encrypts.
alter table fundraising.vault rename to encryption_key;
alter table fundraising.encryption_key rename column is_settled to is_rotation_complete;
alter table fundraising.encryption_key rename constraint vault_pkey to encryption_key_pkey;
alter table fundraising.encryption_key rename constraint vault_is_only_check to encryption_key_is_only_check;
alter table fundraising.encryption_key rename constraint vault_key_id_check to encryption_key_key_id_check;

-- When the personal data of a receipt was erased, as in donations and statement entries.
alter table fundraising.receipts rename column forgotten_at to erased_at;
alter table fundraising.receipts rename constraint has_file_until_forgotten to has_file_until_erased;
alter index fundraising.receipts_to_forget rename to receipts_to_erase;

-- The lease of the process that issues the receipts of a run, as in calendar.imports.
alter table fundraising.receipt_runs rename column held_until to leased_until;
