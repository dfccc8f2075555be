-- The same conditions in two steps. PostgreSQL prepares an expression of PL/pgSQL again in every transaction that evaluates it, so that what only
-- some donations have is checked apart. The check of donations calls this function; what is stored already passes.
create or replace function fundraising.is_valid_donation(
  amount_cents bigint, received_cents bigint, status text, review text, message_review text, payment_method text,
  kind text, in_kind jsonb, language text, donor_name text, message text, email text,
  account_iban text, account_name text, account_bank text, iban_fingerprint bytea, donor_token_hash bytea,
  address_street text, address_postal_code text, address_city text, address_country text,
  consent_text text, consent_version text
) returns boolean language plpgsql immutable parallel safe as $$
begin
  -- Null, as the condition of a check, means that nothing is wrong.
  if (
    amount_cents between 1 and 99999999999
    and received_cents between 0 and 99999999999
    and status in ('IN_PROCESS', 'TRANSFERRED', 'CANCELLED', 'FAILED', 'REFUNDED')
    and message_review in ('waiting', 'shown', 'hidden')
    and payment_method in ('transfer', 'direct_debit')
    and kind in ('money', 'membership_fee', 'waived_expenses', 'in_kind')
    and (kind = 'in_kind') = (in_kind is not null)
    and char_length(donor_name) between 1 and 140
    and char_length(email) between 3 and 254
    and char_length(account_name) between 1 and 140
    and char_length(account_bank) <= 140
    and octet_length(iban_fingerprint) = 16
    and octet_length(donor_token_hash) = 16
  ) is false then
    return false;
  end if;
  if num_nonnulls(
    review, language, message, account_iban, address_street, address_postal_code, address_city, address_country, consent_text, consent_version
  ) = 0 then
    return true;
  end if;
  return review in ('waiting', 'released')
    and (review <> 'waiting' or status = 'IN_PROCESS')
    and language ~ '^[a-z]{2,3}$'
    and char_length(message) between 1 and 1000
    and account_iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'
    and char_length(address_street) between 1 and 140
    and char_length(address_postal_code) between 1 and 60
    and char_length(address_city) between 1 and 140
    and address_country ~ '^[A-Z]{2}$'
    and char_length(consent_text) between 1 and 2000
    and char_length(consent_version) between 1 and 100;
end
$$;
