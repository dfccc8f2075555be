-- The transaction in which something was recorded. Numbers are given out before the commit, so who reads by number passes over what a
-- slower transaction commits later. Read by transaction, up to the oldest that still runs, nothing can come in between any more.
-- A default that is constant touches no row: what is there already is older than what anybody listens to.
alter table platform.activity add column tx xid8 not null default '0';
alter table platform.activity alter column tx set default pg_current_xact_id();

create index activity_by_transaction on platform.activity (tx, id) where tx > '0';
