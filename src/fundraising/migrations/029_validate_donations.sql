-- Reads all donations, and lets others write meanwhile.
alter table fundraising.donations validate constraint donations_valid;
