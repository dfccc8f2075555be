import type { Database } from '../../database/database.ts'
import { sql, toLiteral } from '../../database/sql.ts'

/** The first links of the chain. `at` is null if the record was deleted before. */
export interface OldestLink {
  position: number
  activityId: number
  hash: string
  at: string | null
}

export async function listOldestLinks(tx: Database, rows: number): Promise<OldestLink[]> {
  return await tx.all(sql`
    select chain.position, encode(chain.hash, 'hex') as hash, activity.at, chain.activity_id as "activityId"
    from platform.activity_chain as chain
    left join platform.activity as activity on activity.id = chain.activity_id
    order by chain.position
    limit ${toLiteral(rows)}`)
}

/** Deletes the records, and the links before `position`, whose hash the next link continues. */
export async function remove(tx: Database, activityIds: number[], position: number): Promise<void> {
  await tx.run(sql`select set_config('kalends.activity_retention', 'on', true)`)
  await tx.run(sql`delete from platform.activity where id = any(${activityIds}::bigint[])`)
  await tx.run(sql`delete from platform.activity_chain where position < ${position}::bigint`)
  await tx.run(sql`select set_config('kalends.activity_retention', 'off', true)`)
}
