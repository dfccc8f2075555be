-- What happened, written in the transaction in which it happened: audit trail, and later source of webhooks and stream.
create table platform.activity (
  id          bigint generated always as identity primary key,
  at          timestamptz not null,
  action      text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject     text not null,
  subject_id  text not null,
  actor       text not null,
  request_id  text,
  details     jsonb not null
);

create index activity_by_subject on platform.activity (subject, subject_id, id desc);
create index activity_by_action on platform.activity (action, id desc);
create index activity_by_actor on platform.activity (actor, id desc);
