-- Vacuum cut off the empty end of this table, for which it locks the table and waits for the disk: every donation and every read of a campaign
-- waited for it, and the next donations made the table longer again.
alter table fundraising.deltas set (vacuum_truncate = false);
