-- A chain of hashes over the activity log: each record's line carries the hash of the line before. It stands in a table of its own
-- and is written shortly after the record is committed, because a chain inside of the transactions would make all writers wait for
-- each other.
create table platform.activity_chain (
  position    bigint primary key check (position > 0),
  activity_id bigint not null unique,
  hash        bytea not null check (octet_length(hash) = 32)
);

-- Both tables can only be added to, also by the role that owns them. The number of the transaction is no content: it means nothing
-- in another database, and is set to 0 there.
create function platform.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - 'tx' = to_jsonb(new) - 'tx' then
    return new;
  end if;
  raise exception '%.% is append-only: rows are never changed or removed', tg_table_schema, tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;

-- A restore empties tables that are empty already.
create function platform.refuse_truncate() returns trigger language plpgsql as $$
begin
  if (tg_table_name = 'activity' and exists (select from platform.activity))
    or (tg_table_name = 'activity_chain' and exists (select from platform.activity_chain)) then
    raise exception '%.% is append-only: rows are never changed or removed', tg_table_schema, tg_table_name
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;

create trigger activity_keeps_rows before update or delete on platform.activity
  for each row execute function platform.refuse_change();
create trigger activity_is_not_emptied before truncate on platform.activity
  for each statement execute function platform.refuse_truncate();
create trigger activity_chain_keeps_rows before update or delete on platform.activity_chain
  for each row execute function platform.refuse_change();
create trigger activity_chain_is_not_emptied before truncate on platform.activity_chain
  for each statement execute function platform.refuse_truncate();
