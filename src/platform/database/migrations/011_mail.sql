-- Letters that wait to be sent by e-mail, or were. Only what a letter is about stands here, never to whom it goes or what
-- it says: it is written when it is sent. `is_once`: nobody gets this kind about the same thing twice.
create table platform.letters (
  id              uuid primary key,
  kind            text not null,
  about           text not null,
  is_once         boolean not null,
  state           text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'given_up')),
  attempts        integer not null default 0,
  next_attempt_at timestamptz not null,
  claimed_until   timestamptz,
  last_error      text,
  created_at      timestamptz not null,
  ended_at        timestamptz
);

create index letters_due on platform.letters (next_attempt_at, id) where state = 'waiting';
create index letters_by_end on platform.letters (ended_at) where ended_at is not null;
create unique index letters_once on platform.letters (kind, about) where is_once;
