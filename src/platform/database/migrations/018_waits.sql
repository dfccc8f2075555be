-- Attempts that have to wait, such as further guesses at a password: not before this moment. Null for what is only counted.
alter table platform.counters add column next_at timestamptz;
