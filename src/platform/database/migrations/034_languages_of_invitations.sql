-- As for users.
alter table platform.invitations
  drop constraint invitations_language_check,
  add constraint invitations_language_check check (language ~ '^[a-z]{2,3}$');
