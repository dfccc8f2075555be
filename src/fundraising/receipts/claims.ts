import type { Database } from '#platform/database.ts'
import { sql } from '#platform/sql.ts'
import type { Address } from '../address.ts'
import type { Period } from './period.ts'

/** A collective receipt that holds, and whose days no other one may claim. */
export interface Claim {
  number: string
  period: Period
  address: Address
  donationIds: string[]
}

/** What collective receipts to people of a name claim of a year. */
export async function listClaims(tx: Database, name: string, year: number): Promise<Claim[]> {
  return await tx.all(sql`
    select number, content -> 'period' as period, content -> 'donor' -> 'address' as address,
      jsonb_path_query_array(content, '$.donations[*].id') as "donationIds"
    from fundraising.receipts
    where donor_search = ${name} and kind = 'collective' and state = 'issued'
      and content #>> '{period,from}' between ${`${year}-01-01`} and ${`${year}-12-31`}
    order by number`)
}
