-- The last responses of the receiver, newest last: `+` for 2xx, `-` for others. If too many are failures, the receiver is paused.
alter table platform.webhooks add column recent_responses text not null default '';
