import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Text } from '#platform/language.ts'
import type { Page } from '../contract/routing/paging.ts'
import type { ImportRow, RowFilter } from './schema.ts'

/** The report of an import: one row for each item. */

export async function listRows(
  db: Database,
  importId: number,
  filter: RowFilter,
  page: Pick<Page, 'size' | 'offset'>
): Promise<ImportRow[]> {
  return await db.all(sql`
    select ${rowColumns}
    from calendar.import_rows
    where ${buildCondition(importId, filter)}
    order by position
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

const rowColumns = sql`
  position, kind, title, outcome, reasons, differences, source_id as "sourceId", item_id as "itemId",
  source_url as "sourceUrl"`

export async function countRows(db: Database, importId: number, filter: RowFilter): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from calendar.import_rows where ${buildCondition(importId, filter)}`)
  return total
}

/** How many rows there are of each kind, and how many with each reason. */
export async function countByKindAndCode(
  db: Database,
  importId: number
): Promise<{ kinds: Record<string, number>; codes: Record<string, number> }> {
  return await db.one(sql`
    with rows as (
      select kind, reasons, differences from calendar.import_rows where import_id = ${importId}
    ),
    codes as (
      select code, count(*) as total
      from rows
      cross join lateral (
        select distinct code
        from jsonb_array_elements_text(
          jsonb_path_query_array(reasons, '$[*].code') || jsonb_path_query_array(differences, '$[*].reason.code')
        ) as code
      ) as used
      group by code
    ),
    kinds as (
      select kind, count(*) as total from rows group by kind
    )
    select
      (select coalesce(jsonb_object_agg(kind, total), '{}') from kinds) as kinds,
      (select coalesce(jsonb_object_agg(code, total), '{}') from codes) as codes`)
}

/** The whole report in batches. */
export async function* listAllRows(db: Database, importId: number, filter: RowFilter): AsyncGenerator<ImportRow[]> {
  for (let last = 0; ; ) {
    const rows = await db.all<ImportRow>(sql`
      select ${rowColumns}
      from calendar.import_rows
      where ${buildCondition(importId, filter)} and position > ${last}
      order by position
      limit 500`)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)?.position ?? last
  }
}

function buildCondition(importId: number, { outcome, kind, code }: RowFilter): Sql {
  const reason = JSON.stringify([{ code }])
  const difference = JSON.stringify([{ reason: { code } }])
  return sql`
    import_id = ${importId}
    ${outcome === undefined ? emptySql : sql`and outcome = ${outcome}`}
    ${kind === undefined ? emptySql : sql`and kind = ${kind}`}
    ${code === undefined ? emptySql : sql`and (reasons @> ${reason}::jsonb or differences @> ${difference}::jsonb)`}`
}

/** The last row position in the report. */
export async function getLastPosition(tx: Database, id: number): Promise<number> {
  const { last } = await tx.one<{ last: number }>(sql`
    select coalesce(max(position), 0) as last from calendar.import_rows where import_id = ${id}`)
  return last
}

export async function insertRows(tx: Database, importId: number, rows: ImportRow[]): Promise<void> {
  await tx.run(sql`
    insert into calendar.import_rows (
      import_id, position, kind, source_id, title, outcome, reasons, item_id, source_url, differences
    )
    select
      ${importId}::bigint, position, kind, "sourceId", title, outcome, reasons, "itemId", "sourceUrl", differences
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      position integer, kind text, "sourceId" text, title text, outcome text, reasons jsonb, "itemId" bigint,
      "sourceUrl" text, differences jsonb
    )
    on conflict (import_id, kind, source_id) do nothing`)
}

/** Adds to report rows the reason why an undo kept their items. */
export async function addReasons(
  tx: Database,
  importId: number,
  kept: { kind: string; sourceId: string; reason: Text }[]
): Promise<void> {
  await tx.run(sql`
    update calendar.import_rows as row
    set reasons = row.reasons || jsonb_build_array(given.reason)
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as given (kind text, "sourceId" text, reason jsonb)
    where row.import_id = ${importId} and row.kind = given.kind and row.source_id = given."sourceId"`)
}
