import type { Database } from '../database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '../database/sql.ts'
import type { Activity, ActivityQuery } from './schema.ts'

export interface NewActivity {
  at: string
  action: string
  subject: string
  subjectId: string
  actor: string
  requestId: string | null
  details: object
  /** The id of the webhook message. */
  messageId: string
}

/** Inserts activities, as a part of a `with`. */
export function buildInsert(activities: NewActivity[]): Sql {
  return sql`recorded as (
      insert into platform.activity (at, action, subject, subject_id, actor, request_id, details)
      ${buildActivities(activities)}
    )`
}

/** The same with their webhook deliveries. A webhook gets no messages about itself. */
export function buildInsertWithDeliveries(activities: NewActivity[]): Sql {
  return sql`
    ${buildInsert(activities)}, announced as (${buildActivities(activities, sql`, "messageId"`)}), delivered as (
      insert into platform.webhook_deliveries (
        webhook_id, id, at, action, subject, subject_id, details, next_attempt_at
      )
      select
        webhook.id, announced."messageId", announced.at, announced.action, announced.subject, announced."subjectId",
        announced.details, announced.at
      from announced
      cross join platform.webhooks as webhook
      where webhook.is_on and webhook.actions && array['*', announced.action]
        and (announced.subject <> 'webhook' or announced."subjectId" <> webhook.id::text)
    )`
}

function buildActivities(activities: NewActivity[], moreColumns = emptySql): Sql {
  return sql`
      select at, action, subject, "subjectId", actor, "requestId", details ${moreColumns}
      from json_to_recordset(${JSON.stringify(activities)}) as activity (
        at timestamptz, action text, subject text, "subjectId" text, actor text, "requestId" text, details jsonb,
        "messageId" uuid
      )`
}

/** Newest first. */
export async function list(
  db: Database,
  filter: ActivityQuery,
  page: { beforeId: number | undefined; rows: number }
): Promise<Activity[]> {
  return await db.all(sql`
    select
      id, at, action, subject, actor, details,
      subject_id as "subjectId",
      request_id as "requestId"
    from platform.activity
    where true ${buildFilter(filter)}
      ${page.beforeId === undefined ? emptySql : sql`and id < ${page.beforeId}`}
    order by id desc
    limit ${toLiteral(page.rows)}`)
}

export async function count(db: Database, filter: ActivityQuery): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from platform.activity where true ${buildFilter(filter)}`)
  return total
}

function buildFilter({ action, subject, subjectId, actor, since, until }: ActivityQuery) {
  return sql`
      ${action === undefined ? emptySql : sql`and action = ${action}`}
      ${subject === undefined ? emptySql : sql`and subject = ${subject}`}
      ${subjectId === undefined ? emptySql : sql`and subject_id = ${subjectId}`}
      ${actor === undefined ? emptySql : sql`and actor = ${actor}`}
      ${since === undefined ? emptySql : sql`and at >= ${since}`}
      ${until === undefined ? emptySql : sql`and at < ${until}`}`
}

/** Who did what with one subject at these times, or created it. */
export async function listActors(
  db: Database,
  { subject, id, times }: { subject: string; id: number | string; times: string[] }
): Promise<{ at: string; action: string; actor: string }[]> {
  return await db.all(sql`
    select at, action, actor
    from platform.activity
    where subject = ${subject} and subject_id = ${String(id)}
      and (at = any(${times}::timestamptz[]) or action = ${`${subject}.created`})
    order by id`)
}
