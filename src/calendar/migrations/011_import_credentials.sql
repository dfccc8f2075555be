-- The user of the old site and their application password, encrypted; the password is deleted when the import ends.
alter table calendar.imports add column login_user text;
alter table calendar.imports add column login_password bytea;
