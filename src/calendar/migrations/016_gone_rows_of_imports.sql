-- Events of earlier imports that are no longer at the source have a row in the report.
alter table calendar.import_rows drop constraint import_rows_outcome_check;
alter table calendar.import_rows add constraint import_rows_outcome_check
  check (outcome in ('new', 'changed', 'same', 'skipped', 'problem', 'gone')) not valid;
