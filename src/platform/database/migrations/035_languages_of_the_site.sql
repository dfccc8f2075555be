-- As for users.
alter table platform.site
  drop constraint site_default_language_check,
  add constraint site_default_language_check check (default_language ~ '^[a-z]{2,3}$');
