-- Each index costs every new donation time, also one that does not contain it. Waiting donations are few, so those of a campaign are found
-- among all that wait (donations_waiting). Tokens that are not encrypted yet are found in donations_token_not_encrypted, which is
-- empty once the job rotate-keys has encrypted them.
drop index fundraising.donations_waiting_in_campaign;
drop index fundraising.donations_by_token;
