-- What a session is used with, in words for its owner (never the whole user agent), and when its owner last proved who
-- they are. Sessions from before are asked for that proof; the default counts a new session as proven by its sign-in.
alter table platform.sessions
  add column browser text,
  add column system text,
  add column confirmed_at timestamptz;

alter table platform.sessions alter column confirmed_at set default now();
