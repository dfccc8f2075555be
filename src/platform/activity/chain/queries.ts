import type { Database } from '../../database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '../../database/sql.ts'

/** A record of the activity log, each value as the text that goes into the hash. */
export interface RecordText {
  id: number
  at: string
  action: string
  subject: string
  subjectId: string
  actor: string
  requestId: string | null
  /** JSON as PostgreSQL writes it. */
  details: string
}

/** The record's fields are null if its row is missing. */
export type ChainLink = { position: number; activityId: number; hash: Buffer } & (
  | RecordText
  | { [Key in keyof RecordText]: null }
)

/** Microseconds and UTC, so that the text is exact and does not depend on the server's settings. */
const recordText = sql`
  activity.id, activity.action, activity.subject, activity.actor,
  to_char(activity.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  activity.subject_id as "subjectId",
  activity.request_id as "requestId",
  activity.details::text as details`

/** Advisory lock of the process that appends to the chain. The number only has to be unique in the database. */
const chainLock = 4_202_611_171

export async function tryLock(tx: Database): Promise<boolean> {
  const { locked } = await tx.one<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${toLiteral(chainLock)}) as locked`
  )
  return locked
}

/** The last link, the lowest id, and the highest chained id; undefined while the chain is empty. */
export async function findHead(
  db: Database
): Promise<{ position: number; hash: Buffer; lowestId: number; highestId: number } | undefined> {
  return await db.maybeOne(sql`
    select
      position, hash,
      (select coalesce(min(id), 1) from platform.activity) as "lowestId",
      (select max(activity_id) from platform.activity_chain) as "highestId"
    from platform.activity_chain
    order by position desc
    limit 1`)
}

/** The last deletion of old records: the link at which the chain begins now. */
export async function findDeletion(db: Database): Promise<{ position: number; hash: string } | undefined> {
  return await db.maybeOne(sql`
    select (details->>'position')::bigint as position, details->>'hash' as hash
    from platform.activity
    where action = 'activity.deleted'
    order by id desc
    limit 1`)
}

/** Ids above `afterId`, up to and including `throughId` or without an upper bound. */
export interface IdRange {
  afterId: number
  throughId: number | undefined
}

/** Records in the range that are not in the chain, ordered by id. */
export async function listUnchained(
  db: Database,
  { afterId, throughId }: IdRange,
  rows: number
): Promise<RecordText[]> {
  // Limit the ids of both tables, because PostgreSQL does not infer one condition from the other.
  const upTo = (id: Sql) => (throughId === undefined ? emptySql : sql`and ${id} <= ${throughId}::bigint`)
  return await db.all(sql`
    select ${recordText}
    from platform.activity as activity
    where activity.id > ${afterId}::bigint ${upTo(sql`activity.id`)}
      and not exists (
        select from platform.activity_chain as chain
        where chain.activity_id = activity.id
          and chain.activity_id > ${afterId}::bigint ${upTo(sql`chain.activity_id`)}
      )
    order by activity.id
    limit ${toLiteral(rows)}`)
}

export async function insert(
  tx: Database,
  links: { position: number; activityId: number; hash: string }[]
): Promise<void> {
  await tx.run(sql`
    insert into platform.activity_chain (position, activity_id, hash)
    select link.position, link.activity_id, decode(link.hash, 'hex')
    from unnest(
      ${links.map(({ position }) => position)}::bigint[],
      ${links.map(({ activityId }) => activityId)}::bigint[],
      ${links.map(({ hash }) => hash)}::text[]
    ) as link (position, activity_id, hash)`)
}

/** The links of the chain in order, each joined with the current row of its record. */
export async function listLinks(db: Database, afterPosition: number, rows: number): Promise<ChainLink[]> {
  return await db.all(sql`
    select chain.position, chain.hash, chain.activity_id as "activityId", ${recordText}
    from platform.activity_chain as chain
    left join platform.activity as activity on activity.id = chain.activity_id
    where chain.position > ${afterPosition}::bigint
    order by chain.position
    limit ${toLiteral(rows)}`)
}

/** How many records are not chained, and how many of them are older than chaining should take. */
export async function countUnchained(db: Database): Promise<{ all: number; late: number }> {
  return await db.one(sql`
    select
      count(*) as all,
      count(*) filter (where activity.at < now() - interval '10 minutes') as late
    from platform.activity as activity
    where not exists (select from platform.activity_chain as chain where chain.activity_id = activity.id)`)
}
