-- Renames. The release before does not know the new names, so it has to be stopped first.

-- Emails that wait to be sent, or were.
alter table platform.letters rename to outbox;
alter table platform.outbox rename constraint letters_pkey to outbox_pkey;
alter table platform.outbox rename constraint letters_state_check to outbox_state_check;
alter index platform.letters_due rename to outbox_due;
alter index platform.letters_by_end rename to outbox_by_end;
alter index platform.letters_once rename to outbox_once;
update platform.outbox set kind = 'donation-awaiting-review' where kind = 'donation-held';

-- The part of a token that is stored as it is and finds the row; of the rest only the hash is stored.
alter table platform.keys rename column finder to token_prefix;
alter table platform.keys rename constraint keys_finder_key to keys_token_prefix_key;
alter table platform.sessions rename column finder to token_prefix;
alter table platform.sessions rename constraint sessions_finder_key to sessions_token_prefix_key;

-- The hash of what a counter counts, such as the requests of an address.
alter table platform.counters rename column counted to key_hash;

-- The first response to a request with an Idempotency-Key, encrypted.
alter table platform.idempotency rename column answer to response;

alter table platform.totp_factors rename column secret_sealed to secret_encrypted;
alter table platform.webhooks rename column secret_sealed to secret_encrypted;
alter table platform.webhooks rename column previous_secret_sealed to previous_secret_encrypted;
