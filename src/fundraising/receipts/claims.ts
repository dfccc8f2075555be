import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Address } from '../money/address.ts'
import type { Period } from './period.ts'

/** A valid collective receipt; no other one may cover its days. */
export interface Claim {
  number: string
  period: Period
  address: Address
  donationIds: string[]
}

/** The valid collective receipts to people with this name in a year. */
export async function listClaims(tx: Database, name: string, year: number): Promise<Claim[]> {
  return await tx.all(sql`
    select number, content -> 'period' as period, content -> 'donor' -> 'address' as address,
      jsonb_path_query_array(content, '$.donations[*].id') as "donationIds"
    from fundraising.receipts
    where donor_search = ${name} and kind = 'collective' and state = 'issued'
      and content #>> '{period,from}' between ${`${year}-01-01`} and ${`${year}-12-31`}
    order by number`)
}

/** Collective receipts to the same donor with overlapping periods. */
export async function listOverlaps(db: Database): Promise<{ number: string; otherNumber: string }[]> {
  return await db.all(sql`
    select receipt.number, other.number as "otherNumber"
    from fundraising.receipts as receipt
    join fundraising.receipts as other
      on other.donor_search = receipt.donor_search and other.kind = 'collective' and other.state = 'issued'
      and other.number > receipt.number and other.currency = receipt.currency
      and other.content #> '{donor,address}' = receipt.content #> '{donor,address}'
      and other.content #>> '{period,from}' <= receipt.content #>> '{period,to}'
      and receipt.content #>> '{period,from}' <= other.content #>> '{period,to}'
    where receipt.kind = 'collective' and receipt.state = 'issued' and receipt.donor_search <> ''
    order by receipt.number, other.number
    limit 20`)
}
