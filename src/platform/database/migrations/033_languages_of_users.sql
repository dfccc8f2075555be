-- The languages are those that have message catalogues (src/platform/language.ts), and the program checks them. The database checks the
-- form only, so that a language needs no migration. Receipts, mandates and annual letters stay in English or German.
alter table platform.users
  drop constraint users_language_check,
  add constraint users_language_check check (language ~ '^[a-z]{2,3}$');
