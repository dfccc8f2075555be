-- Tokens of donors' links, sealed with the installation's key, for letters that show the link again. The hash finds the donation; it is
-- not keyed, because a token has 128 random bits, so that links outlive a lost key. Tokens from before stay in donor_token
-- until the job seal-accounts has sealed them.
alter table fundraising.donations
  add column donor_token_sealed bytea,
  add column donor_token_hash   bytea check (octet_length(donor_token_hash) = 16),
  alter column donor_token drop not null,
  alter column donor_token drop default;

drop index fundraising.donations_by_token;
create index donations_by_token on fundraising.donations (donor_token) where donor_token is not null;
create index donations_by_token_hash on fundraising.donations (donor_token_hash) where donor_token_hash is not null;
create index donations_token_not_sealed on fundraising.donations (campaign_id, id) where donor_token is not null;
