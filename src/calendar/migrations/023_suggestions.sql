-- Events that visitors suggest, with the data of the sender, which nobody but editors reads.
create table calendar.suggestions (
  id              bigint primary key default nextval('calendar.ids'),
  -- Unconfirmed: the sender has not used the link in the email yet. Open: waits for an editor.
  state           text not null check (state in ('unconfirmed', 'open', 'accepted', 'declined')),
  -- Pending until it is accepted, in the trash after it was declined.
  event_id        bigint unique references calendar.events on delete set null,
  -- The fields of the event, until the suggestion is confirmed.
  fields          jsonb,
  language        text not null,
  sender_name     text not null default '',
  -- Null after the data of the sender was erased.
  sender_email    text,
  email_confirmed boolean not null default false,
  message         text not null default '',
  token_hash      bytea unique,
  -- The proof of work, which is valid for one suggestion.
  proof           text unique,
  created_at      timestamptz not null,
  queued_at       timestamptz,
  -- When editors got an email about it.
  notified_at     timestamptz,
  decided_at      timestamptz,
  decided_by      text not null default '',
  -- A note for editors, and the text of the email to the sender.
  reason          text not null default '',
  answer          text not null default '',
  check ((state = 'unconfirmed') = (queued_at is null)),
  check ((state in ('accepted', 'declined')) = (decided_at is not null))
);

create index suggestions_by_state on calendar.suggestions (state, queued_at, id);
create index suggestions_by_sender on calendar.suggestions (sender_email) where sender_email is not null;
