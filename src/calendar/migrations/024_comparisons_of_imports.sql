-- An import may only compare what was imported with the source.
alter table calendar.imports add column compares boolean not null default false;
alter table calendar.imports add column explained_count integer not null default 0;
alter table calendar.imports add column differs_count integer not null default 0;
alter table calendar.imports add column missing_count integer not null default 0;
