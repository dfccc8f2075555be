-- An incoming item of an import.
alter index calendar.import_rows_by_thing rename to import_rows_by_item;
