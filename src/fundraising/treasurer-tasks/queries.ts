import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'

/** Bank statements with open transactions, newest first. Each statement stores the counts of its transactions. */
export async function listStatementsToMatch(db: Database): Promise<{ id: number; count: number }[]> {
  return await db.all(sql`
    select id, open.count
    from fundraising.bank_statements
    cross join lateral (
      select coalesce(sum(value::integer), 0)::integer as count
      from jsonb_each_text(counts)
      where key in ('suggested', 'unmatched', 'problem')
    ) as open
    where open.count > 0
    order by id desc
    limit 1000`)
}
