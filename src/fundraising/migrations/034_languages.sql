-- The languages are those that have message catalogues (src/platform/language.ts), and the program checks them. The database checks the
-- form only, so that a language needs no migration. Receipts, mandates and annual letters stay in English or German.
alter table fundraising.campaigns
  drop constraint campaigns_language_check,
  add constraint campaigns_language_check check (language ~ '^[a-z]{2,3}$');

-- The check of donations calls it; what is stored already passes.
create or replace function fundraising.is_valid_donation(
  amount_cents bigint, received_cents bigint, status text, review text, message_review text, payment_method text,
  kind text, in_kind jsonb, language text, donor_name text, message text, email text,
  account_iban text, account_name text, account_bank text, iban_fingerprint bytea, donor_token_hash bytea,
  address_street text, address_postal_code text, address_city text, address_country text,
  consent_text text, consent_version text
) returns boolean language plpgsql immutable parallel safe as $$
begin
  -- Null, as the condition of a check, means that nothing is wrong.
  return amount_cents between 1 and 99999999999
    and received_cents between 0 and 99999999999
    and status in ('IN_PROCESS', 'TRANSFERRED', 'CANCELLED', 'FAILED', 'REFUNDED')
    and review in ('waiting', 'released')
    and (review <> 'waiting' or status = 'IN_PROCESS')
    and message_review in ('waiting', 'shown', 'hidden')
    and payment_method in ('transfer', 'direct_debit')
    and kind in ('money', 'membership_fee', 'waived_expenses', 'in_kind')
    and (kind = 'in_kind') = (in_kind is not null)
    and language ~ '^[a-z]{2,3}$'
    and char_length(donor_name) between 1 and 140
    and char_length(message) between 1 and 1000
    and char_length(email) between 3 and 254
    and account_iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'
    and char_length(account_name) between 1 and 140
    and char_length(account_bank) <= 140
    and octet_length(iban_fingerprint) = 16
    and octet_length(donor_token_hash) = 16
    and char_length(address_street) between 1 and 140
    and char_length(address_postal_code) between 1 and 60
    and char_length(address_city) between 1 and 140
    and address_country ~ '^[A-Z]{2}$'
    and char_length(consent_text) between 1 and 2000
    and char_length(consent_version) between 1 and 100;
end
$$;
