import type { Database } from '../../database/database.ts'
import { deleteInBatches } from '../../database/delete-in-batches.ts'
import { emptySql, sql, toLiteral } from '../../database/sql.ts'
import { type Attempt, type Delivery, type DeliveryInFull, type DeliveryStatus, testType } from './schema.ts'

/** Earlier than any other due time, so that a delivery requested by an admin is sent first. */
const highestPriority = new Date(0)

const attemptColumns = sql`at, duration_ms as "durationMs", status, error, response`

const columns = sql`
  delivery.id, delivery.action, delivery.subject, delivery.status,
  delivery.subject_id as "subjectId",
  delivery.attempt_count as "attemptCount",
  delivery.at as "createdAt",
  case when delivery.status = 'waiting' then greatest(delivery.next_attempt_at, delivery.at) end as "nextAttemptAt",
  delivery.delivered_at as "deliveredAt",
  case when attempt.at is null then null else json_build_object(
    'at', to_char(attempt.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', attempt.duration_ms,
    'status', attempt.status, 'error', attempt.error, 'response', attempt.response
  ) end as "lastAttempt"`

const lastAttempt = sql`
  left join platform.webhook_attempts as attempt on attempt.webhook_id = delivery.webhook_id
    and attempt.delivery_id = delivery.id and attempt.number = delivery.attempt_count`

/** Newest first, after the cursor. */
export async function list(
  db: Database,
  webhookId: number,
  status: DeliveryStatus | undefined,
  page: { beforeId: string | undefined; rows: number }
): Promise<Delivery[]> {
  return await db.all(sql`
    select ${columns}
    from platform.webhook_deliveries as delivery ${lastAttempt}
    where delivery.webhook_id = ${webhookId} ${status === undefined ? emptySql : sql`and delivery.status = ${status}`}
      ${page.beforeId === undefined ? emptySql : sql`and delivery.id < ${page.beforeId}`}
    order by delivery.id desc
    limit ${toLiteral(page.rows)}`)
}

export async function count(db: Database, webhookId: number, status: DeliveryStatus | undefined): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from platform.webhook_deliveries
    where webhook_id = ${webhookId} ${status === undefined ? emptySql : sql`and status = ${status}`}`)
  return total
}

export async function find(db: Database, webhookId: number, id: string): Promise<Delivery | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from platform.webhook_deliveries as delivery ${lastAttempt}
    where delivery.webhook_id = ${webhookId} and delivery.id = ${id}`)
}

/** With its message and all attempts. */
export async function findInFull(db: Database, webhookId: number, id: string): Promise<DeliveryInFull | undefined> {
  const delivery = await db.maybeOne<Delivery & { body: string | null }>(sql`
    select ${columns}, delivery.body
    from platform.webhook_deliveries as delivery ${lastAttempt}
    where delivery.webhook_id = ${webhookId} and delivery.id = ${id}`)
  if (delivery === undefined) return undefined
  const attempts = await db.all<Attempt>(sql`
    select ${attemptColumns}
    from platform.webhook_attempts
    where webhook_id = ${webhookId} and delivery_id = ${id}
    order by number
    limit 100`)
  return { ...delivery, attempts }
}

export async function insertTest(tx: Database, webhookId: number, id: string, now: Date): Promise<void> {
  await tx.run(sql`
    insert into platform.webhook_deliveries (
      webhook_id, id, at, action, subject, subject_id, details, next_attempt_at
    ) values (${webhookId}, ${id}, ${now}, ${testType}, 'webhook', ${String(webhookId)}, '{}', ${highestPriority})`)
}

/** Queues a delivery again with the highest priority. False if it does not exist. */
export async function requeue(tx: Database, webhookId: number, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update platform.webhook_deliveries
    set status = 'waiting', next_attempt_at = ${highestPriority}, delivered_at = null
    where webhook_id = ${webhookId} and id = ${id}`)
  return changed === 1
}

/** Makes all waiting deliveries due now. */
export async function makeDue(tx: Database, webhookId: number, now: Date): Promise<void> {
  await tx.run(sql`
    update platform.webhook_deliveries
    set next_attempt_at = ${now}
    where webhook_id = ${webhookId} and status = 'waiting' and next_attempt_at > ${now}`)
}

export async function removeOfWebhook(tx: Database, webhookId: number): Promise<void> {
  await tx.run(sql`delete from platform.webhook_deliveries where webhook_id = ${webhookId}`)
}

/**
 * Erases stored messages about these subjects and the receivers' responses, for the erasure of personal data. The
 * deliveries themselves stay. A waiting one is rendered again when it is sent.
 */
export async function eraseMessages(tx: Database, subject: string, ids: string[]): Promise<void> {
  await tx.run(sql`
    with forgotten as (
      update platform.webhook_deliveries
      set body = null
      where subject = ${subject} and subject_id = any(${ids}) and body is not null
      returning webhook_id, id
    )
    update platform.webhook_attempts as attempt
    set response = null
    from forgotten
    where attempt.webhook_id = forgotten.webhook_id and attempt.delivery_id = forgotten.id`)
}

/** Deletes deliveries from before the moment. */
export async function removeBefore(db: Database, moment: Date): Promise<void> {
  await deleteInBatches(
    async limit =>
      await db.run(sql`
        delete from platform.webhook_deliveries
        where (webhook_id, id) in (
          select webhook_id, id from platform.webhook_deliveries where at < ${moment} order by at limit ${limit}
        )`)
  )
}
