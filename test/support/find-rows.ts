// Searches every row of every table for a text.
import type { Database } from '#platform/database/database.ts'
import { Sql, sql } from '#platform/database/sql.ts'

/** Every row that contains the text in any column, also in binary columns, as `table: row`. */
export async function findRows(db: Database, text: string): Promise<string[]> {
  const tables = await db.all<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name
    from pg_catalog.pg_tables
    where schemaname in ('platform', 'fundraising', 'calendar', 'graphile_worker')
    order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const table = new Sql(name, [])
    const rows = await db.all<{ row: string }>(
      sql`
        select row_to_json(one)::text as row
        from ${table} as one
        where position(${text}::text in row_to_json(one)::text) > 0
          or position(encode(convert_to(${text}::text, 'UTF8'), 'hex') in row_to_json(one)::text) > 0`.unprepared()
    )
    found.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return found
}
