-- How people have to sign in: one row at most, and none until it is changed. People of these roles need a second factor.
create table platform.sign_in_policy (
  id                    integer primary key check (id = 1),
  version               bigint not null default 1,
  require_second_factor text[] not null default '{}'
);
