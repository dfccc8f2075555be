-- Actions on several events at once, so that they can be undone. Deleted after 30 days.
create table calendar.event_bulk_actions (
  id         bigint generated always as identity primary key,
  author_id  bigint not null,
  at         timestamptz not null,
  action     text not null,
  parameters jsonb not null,
  -- The changed events, each with its version before and after: [{"id": 1, "before": 2, "after": 3}].
  changes    jsonb not null,
  undone_at  timestamptz
);

create index event_bulk_actions_by_time on calendar.event_bulk_actions (at);
