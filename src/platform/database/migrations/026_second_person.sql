-- Whether a second person has to confirm another IBAN of a campaign or of the site.
alter table platform.site add column second_person_for_accounts boolean not null default false;
