-- With ACTIVITY_YEARS, a job deletes old records. It says so for its transaction; everything else is refused as before.
create or replace function platform.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - 'tx' = to_jsonb(new) - 'tx' then
    return new;
  end if;
  if tg_op = 'DELETE' and current_setting('kalends.activity_retention', true) = 'on' then
    return old;
  end if;
  raise exception '%.% is append-only: rows are never changed or removed', tg_table_schema, tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;
