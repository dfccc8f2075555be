import type { Database } from '../database/database.ts'
import { sql, toLiteral } from '../database/sql.ts'
import type { Attempt } from './deliveries/schema.ts'
import { recentResponsesMax } from './retry-schedule.ts'

/** Concurrent messages per receiver; after a pause a receiver gets one, to find out whether it is back. */
const concurrencyMax = 4

/** Webhooks with due deliveries, and how many messages each can take now. */
export async function listDueWebhooks(db: Database, now: Date): Promise<{ id: number; room: number }[]> {
  return await db.all(sql`
    select ready.id, ready.room
    from (
      select webhook.id, case when webhook.not_before is null then ${toLiteral(concurrencyMax)} else 1 end - (
        select count(*)::integer
        from platform.webhook_deliveries as delivery
        where delivery.webhook_id = webhook.id and delivery.claimed_until > ${now}
      ) as room
      from platform.webhooks as webhook
      where webhook.is_on and (webhook.not_before is null or webhook.not_before <= ${now})
        and exists (
          select from platform.webhook_deliveries as delivery
          where delivery.webhook_id = webhook.id and delivery.status = 'waiting' and delivery.next_attempt_at <= ${now}
            and (delivery.claimed_until is null or delivery.claimed_until <= ${now})
        )
    ) as ready
    where ready.room > 0
    order by ready.id
    limit 1000`)
}

/** A delivery on which this process holds a lease, with everything needed to send it. */
export interface ClaimedDelivery {
  webhookId: number
  id: string
  at: string
  action: string
  subject: string
  subjectId: string
  details: Record<string, unknown>
  body: string | null
  attemptCount: number
  url: string
  failures: number
  encryptedSecret: Buffer | null
  secretBefore: Buffer | null
  encryptedPrevious: Buffer | null
  previousBefore: Buffer | null
  previousSecretUntil: string | null
}

/** Claims due deliveries, oldest first, until the lease ends: if this process dies, others can claim them then. */
export async function claimDeliveries(
  db: Database,
  webhookId: number,
  room: number,
  { now, until }: { now: Date; until: Date }
): Promise<ClaimedDelivery[]> {
  return await db.all(sql`
    with due as (
      select webhook_id, id
      from platform.webhook_deliveries
      where webhook_id = ${webhookId} and status = 'waiting' and next_attempt_at <= ${now}
        and (claimed_until is null or claimed_until <= ${now})
      order by next_attempt_at, id
      limit ${toLiteral(room)}
      for update skip locked
    )
    update platform.webhook_deliveries as delivery
    set claimed_until = ${until}
    from due
    join platform.webhooks as webhook on webhook.id = due.webhook_id
    where delivery.webhook_id = due.webhook_id and delivery.id = due.id and webhook.is_on
    returning
      delivery.id, delivery.at, delivery.action, delivery.subject, delivery.details, delivery.body,
      delivery.webhook_id as "webhookId",
      delivery.subject_id as "subjectId",
      delivery.attempt_count as "attemptCount",
      webhook.url, webhook.failures,
      webhook.secret_encrypted as "encryptedSecret",
      webhook.secret as "secretBefore",
      webhook.previous_secret_encrypted as "encryptedPrevious",
      webhook.previous_secret as "previousBefore",
      webhook.previous_secret_until as "previousSecretUntil"`)
}

/** Stores the bodies, so that every attempt sends the same bytes. */
export async function saveBodies(db: Database, webhookId: number, bodies: Map<string, string>): Promise<void> {
  await db.run(sql`
    update platform.webhook_deliveries as delivery
    set body = made.body
    from unnest(${[...bodies.keys()]}::uuid[], ${[...bodies.values()]}::text[]) as made (id, body)
    where delivery.webhook_id = ${webhookId} and delivery.id = made.id`)
}

/** The outcome of an attempt: a final status, or the next attempt. */
export type DeliveryOutcome = { status: 'delivered' | 'given_up' } | { status: 'waiting'; nextAttemptAt: Date }

/** Stores an attempt, unless another attempt has delivered the message in the meantime. */
export async function insertAttempt(
  tx: Database,
  { webhookId, id }: Pick<ClaimedDelivery, 'webhookId' | 'id'>,
  attempt: Omit<Attempt, 'at'> & { at: Date },
  { outcome, now }: { outcome: DeliveryOutcome; now: Date }
): Promise<void> {
  await tx.run(sql`
    with delivery as (
      update platform.webhook_deliveries
      set
        status = ${outcome.status},
        attempt_count = attempt_count + 1,
        next_attempt_at = ${'nextAttemptAt' in outcome ? outcome.nextAttemptAt : null},
        delivered_at = ${outcome.status === 'delivered' ? now : null},
        claimed_until = null
      where webhook_id = ${webhookId} and id = ${id} and status = 'waiting'
      returning webhook_id, id, attempt_count
    )
    insert into platform.webhook_attempts (webhook_id, delivery_id, number, at, duration_ms, status, error, response)
    select
      webhook_id, id, attempt_count, ${attempt.at}::timestamptz, ${attempt.durationMs}::integer,
      ${attempt.status}::integer, ${attempt.error}::text, ${attempt.response}::text
    from delivery`)
}

/**
 * Stores a success. A message that was sent before the pause began does not end it. The success after a pause clears
 * the earlier responses: they describe the receiver before it was back.
 */
export async function setDelivered(
  tx: Database,
  webhookId: number,
  { sentAt, now }: { sentAt: Date; now: Date }
): Promise<void> {
  const isPaused = sql`not_before > ${sentAt}::timestamptz`
  const isPauseOver = sql`not_before <= ${sentAt}::timestamptz`
  await tx.run(sql`
    update platform.webhooks
    set
      last_delivered_at = ${now},
      failing_since = null,
      failures = case when ${isPaused} then failures else 0 end,
      recent_responses = right(case when ${isPauseOver} then '' else recent_responses end || '+', ${toLiteral(recentResponsesMax)}),
      not_before = case when ${isPaused} then not_before end
    where id = ${webhookId}`)
}

/** The state of a receiver after a failure. */
export interface FailingReceiver {
  /** Since when all attempts have failed. */
  since: string
  /** The last responses, newest last: `+` for 2xx, `-` for others. */
  recentResponses: string
}

/** Stores a failure that happened now; `hasResponse` tells a response from a failed connection. */
export async function setFailing(
  tx: Database,
  webhookId: number,
  { since, hasResponse }: { since: Date; hasResponse: boolean }
): Promise<FailingReceiver | undefined> {
  return await tx.maybeOne(sql`
    update platform.webhooks
    set
      failing_since = coalesce(failing_since, ${since}),
      recent_responses = right(recent_responses || ${hasResponse ? '-' : ''}::text, ${toLiteral(recentResponsesMax)})
    where id = ${webhookId}
    returning failing_since as since, recent_responses as "recentResponses"`)
}

/** Pauses the receiver. Failures at the same time count as one. */
export async function setPaused(
  tx: Database,
  webhookId: number,
  { failures, notBefore }: { failures: number; notBefore: Date }
): Promise<void> {
  await tx.run(sql`
    update platform.webhooks
    set failures = greatest(failures, ${failures}), not_before = greatest(not_before, ${notBefore})
    where id = ${webhookId}`)
}

/** Ends a pause that is over: the receiver responds again, though not with a success. */
export async function endPause(tx: Database, webhookId: number, sentAt: Date): Promise<void> {
  await tx.run(sql`
    update platform.webhooks
    set failures = 0, not_before = null
    where id = ${webhookId} and not_before <= ${sentAt}`)
}
