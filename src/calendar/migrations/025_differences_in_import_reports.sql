-- The page of the item at the source, and how the item differs from it.
alter table calendar.import_rows add column source_url text;
alter table calendar.import_rows add column differences jsonb not null default '[]';
alter table calendar.import_rows drop constraint import_rows_outcome_check;
alter table calendar.import_rows add constraint import_rows_outcome_check check (
  outcome in ('new', 'changed', 'same', 'skipped', 'problem', 'gone', 'explained', 'differs', 'missing')
) not valid;
