-- Who made a key: a user, whose removal ends it. Keys of the command line, of ADMIN_KEY and from before have no maker.
alter table platform.keys add column made_by bigint;

create index keys_by_maker on platform.keys (made_by) where made_by is not null and revoked_at is null;
