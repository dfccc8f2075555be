import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { columns, type ReceiptRow } from './queries.ts'
import type { ReceiptFilter } from './schema.ts'

/** Newest first, starting after the given receipt. */
export async function list(
  db: Database,
  filter: ReceiptFilter,
  page: { beforeId: string | undefined; rows: number }
): Promise<ReceiptRow[]> {
  return await db.all(
    sql`
    select ${columns}
    from fundraising.receipts
    where ${buildFilter(filter)} ${page.beforeId === undefined ? emptySql : sql`and id < ${page.beforeId}`}
    order by id desc
    limit ${toLiteral(page.rows)}`.unprepared()
  )
}

export async function count(db: Database, filter: ReceiptFilter): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from fundraising.receipts where ${buildFilter(filter)}`.unprepared()
  )
  return count
}

function buildFilter({ year, state, search = '' }: ReceiptFilter): Sql {
  return sql`
    true
    ${year === undefined ? emptySql : sql`and year = ${year}`}
    ${state === undefined ? emptySql : states[state]}
    ${search === '' ? emptySql : sql`and (position(${search.toUpperCase()} in number) > 0 or position(${foldText(search)} in donor_search) > 0)`}`
}

const states = {
  issued: sql`and state = 'issued'`,
  withdrawn: sql`and state = 'withdrawn'`,
  'needs-withdrawal': sql`and needs_withdrawal and state = 'issued'`
}

/** Folds names like the migration does. */
function foldText(text: string): Sql {
  return sql`lower(regexp_replace(normalize(replace(${text}, 'ß', 'ss'), nfd), '[\\u0300-\\u036f]', '', 'g'))`
}

/** The years with receipts, newest first. */
export async function listYears(db: Database): Promise<number[]> {
  const rows = await db.all<{ year: number }>(sql`
    select year from fundraising.receipt_numbers order by year desc limit 100`)
  return rows.map(({ year }) => year)
}
