import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '../activity/activity.ts'
import { newSystemCaller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import type { EncryptionKeys } from '../encryption/encryption.ts'
import type { ActivityType } from '../http/service.ts'
import type { Log } from '../log.ts'
import { type PostedResponse, postBytes, SafeFetchError } from '../safe-fetch.ts'
import * as deliveries from './deliveries/queries.ts'
import type { Attempt } from './deliveries/schema.ts'
import { buildMessages, buildSignedHeaders } from './message.ts'
import * as webhooks from './queries.ts'
import { failingMaxMs, getMessageDelay, getReceiverDelay, isMostlyFailing, parseRetryAfter } from './retry-schedule.ts'
import type { ClaimedDelivery, DeliveryOutcome } from './sender-queries.ts'
import * as senderQueries from './sender-queries.ts'

const connectMs = 5000
const attemptMs = 10_000
/** How much of a response is stored in the delivery log. */
const answerBytesMax = 2048
/** Longer than any attempt. If a process dies while sending, others can claim the message after this. */
const leaseMs = 30_000
/** How often the sender polls for new deliveries and due retries. */
const pollIntervalMs = 1000
/** How long shutdown waits for responses, and then for the database; unfinished deliveries are sent again later. */
const stopMs = 2000
const stopDatabaseMs = 1000
const keptMs = 30 * 24 * 3_600_000

export interface WebhookSender {
  /** Starts sending due deliveries within the receivers' capacity; returns how many, without waiting for responses. */
  deliverDue(): Promise<number>
  /** Waits until no request is in flight. */
  drain(): Promise<void>
  stop(): Promise<void>
}

export interface WebhookSenderOptions {
  db: Database
  /** The keys that encrypt secrets. */
  keys: EncryptionKeys
  activityTypes: Record<string, ActivityType>
  /** The origin of links in messages. */
  origin: string
  allowPrivate: boolean
  log: Log
  /** Called after every attempt, for metrics. */
  onAttempt?: (outcome: DeliveryOutcome['status']) => void
  now?: () => Date
  /** Timeout of a whole attempt. */
  timeoutMs?: number
}

/** Sends due deliveries for as long as the process runs. */
export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  let isStopping = false
  let wake = () => {}
  const sender = newWebhookSender(options, () => wake())

  async function loop(): Promise<void> {
    let isAway = false
    while (!isStopping) {
      const woken = new Promise<void>(resolve => {
        wake = resolve
      })
      try {
        await sender.deliverDue()
        isAway = false
      } catch (error) {
        // The database is unavailable: log once, and retry until it is back.
        if (!isAway) options.log.warn({ err: error }, 'webhook sender error; will retry')
        isAway = true
      }
      await Promise.race([woken, sleep(pollIntervalMs, undefined, { ref: false })])
      if (isAway && !isStopping) await sleep(pollIntervalMs, undefined, { ref: false })
    }
  }

  const looping = loop()
  return {
    ...sender,
    stop: async () => {
      isStopping = true
      wake()
      await looping
      await sender.stop()
    }
  }
}

/** A sender without a loop: tests call `deliverDue` themselves, with their own clock. */
export function newWebhookSender(options: WebhookSenderOptions, onCapacity = () => {}): WebhookSender {
  const { db, log, now = () => new Date() } = options
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function deliverDue(): Promise<number> {
    let sent = 0
    for (const { id, room: capacity } of await senderQueries.listDueWebhooks(db, now())) {
      if (stopping.signal.aborted) return sent
      try {
        sent += await sendTo(id, capacity)
      } catch (error) {
        // Other webhooks are not affected; these deliveries are retried after the lease.
        log.warn({ err: error, webhook: id }, 'failed to prepare webhook messages')
      }
    }
    return sent
  }

  async function sendTo(webhookId: number, room: number): Promise<number> {
    const until = new Date(now().getTime() + leaseMs)
    const claimed = await senderQueries.claimDeliveries(db, webhookId, room, { now: now(), until })
    const bodies = await getBodies(claimed)
    for (const one of claimed) dispatch(one, bodies.get(one.id) ?? '')
    return claimed.length
  }

  /** Renders and stores each body once before sending, so that every attempt sends the same bytes. */
  async function getBodies(claimed: ClaimedDelivery[]): Promise<Map<string, string>> {
    const isNew = claimed.filter(({ body }) => body === null)
    const made = await buildMessages(db, isNew, options.activityTypes, options.origin)
    const [first] = isNew
    if (first !== undefined) await senderQueries.saveBodies(db, first.webhookId, made)
    return new Map(claimed.map(({ id, body }) => [id, body ?? made.get(id) ?? '']))
  }

  function dispatch(one: ClaimedDelivery, body: string): void {
    const sending = attempt(one, body)
      .catch((error: unknown) => {
        // The outcome is unknown or not stored: the message is sent again after the lease.
        const about = { webhook: one.webhookId, delivery: one.id }
        if (stopping.signal.aborted) log.info(about, 'webhook delivery handed over to another process on shutdown')
        else log.warn({ err: error, ...about }, 'webhook delivery failed unexpectedly')
      })
      .finally(() => {
        inFlight.delete(sending)
        onCapacity()
      })
    inFlight.add(sending)
  }

  async function attempt(one: ClaimedDelivery, body: string): Promise<void> {
    const at = now()
    const began = performance.now()
    const answer = await post(one, body, at)
    if (stopping.signal.aborted && answer instanceof SafeFetchError) throw answer
    const durationMs = Math.round(performance.now() - began)
    await settle(one, { at, durationMs, ...formatResult(answer) }, answer)
  }

  async function post(one: ClaimedDelivery, body: string, at: Date): Promise<PostedResponse | SafeFetchError> {
    try {
      return await postBytes(one.url, {
        allowPrivate: options.allowPrivate,
        headers: buildSignedHeaders(options.keys, one, body, at),
        body,
        connectMs,
        timeoutMs: options.timeoutMs ?? attemptMs,
        bytesMax: answerBytesMax,
        signal: stopping.signal
      })
    } catch (error) {
      if (error instanceof SafeFetchError) return error
      throw error
    }
  }

  /** Stores the attempt and its consequences for the delivery and the webhook. */
  async function settle(
    one: ClaimedDelivery,
    entry: Omit<Attempt, 'at'> & { at: Date },
    answer: PostedResponse | SafeFetchError
  ): Promise<void> {
    const ended = now()
    const isDelivered = 'status' in answer && answer.status >= 200 && answer.status < 300
    const isGone = 'status' in answer && answer.status === 410
    const retryAfterMs =
      'status' in answer && [429, 503].includes(answer.status) ? parseRetryAfter(answer.retryAfter, ended) : 0
    const delayMs = isGone ? undefined : getMessageDelay(one.attemptCount + 1, retryAfterMs)
    const outcome: DeliveryOutcome = isDelivered
      ? { status: 'delivered' }
      : delayMs === undefined
        ? { status: 'given_up' }
        : { status: 'waiting', nextAttemptAt: new Date(ended.getTime() + delayMs) }

    await db.transaction(async tx => {
      await senderQueries.insertAttempt(tx, one, entry, { outcome, now: ended })
      if (isDelivered) {
        return await senderQueries.setDelivered(tx, one.webhookId, { sentAt: entry.at, now: ended })
      }
      const hasResponse = 'status' in answer
      const failing = await senderQueries.setFailing(tx, one.webhookId, { since: entry.at, hasResponse })
      if (!hasResponse || retryAfterMs > 0 || isMostlyFailing(failing?.recentResponses ?? '')) {
        const failures = one.failures + 1
        const notBefore = new Date(ended.getTime() + getReceiverDelay(failures, retryAfterMs))
        await senderQueries.setPaused(tx, one.webhookId, { failures, notBefore })
      } else {
        await senderQueries.endPause(tx, one.webhookId, entry.at)
      }
      const isHopeless = failing !== undefined && ended.getTime() - Date.parse(failing.since) >= failingMaxMs
      if (isGone || isHopeless) await switchOff(tx, one, isGone ? 'gone' : 'failing', ended)
    })
    options.onAttempt?.(outcome.status)
  }

  async function switchOff(tx: Database, { webhookId, url }: ClaimedDelivery, reason: string, at: Date): Promise<void> {
    if (!(await webhooks.switchOff(tx, webhookId, at))) return
    const { host } = new URL(url)
    await record(tx, { by: webhookCaller, now: at }, 'webhook.switched_off', {
      subject: 'webhook',
      id: webhookId,
      details: { name: host, reason }
    })
    log.warn({ webhook: webhookId, host, reason }, 'webhook disabled')
  }

  async function drain(): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight)
  }

  return {
    deliverDue: deliverDue,
    drain: drain,
    stop: async () => {
      const isDone = drain()
      await Promise.race([isDone, sleep(stopMs, undefined, { ref: false })])
      stopping.abort()
      await Promise.race([isDone, sleep(stopDatabaseMs, undefined, { ref: false })])
    }
  }
}

/** The caller that switches webhooks off. */
const webhookCaller = newSystemCaller('webhooks')

/** Formats a response for the log. PostgreSQL text cannot hold NUL. */
function formatResult(answer: PostedResponse | SafeFetchError): Pick<Attempt, 'status' | 'error' | 'response'> {
  if (answer instanceof SafeFetchError) return { status: null, error: answer.reason, response: null }
  const isRedirect = answer.status >= 300 && answer.status < 400
  const response = answer.answer.toString('utf8').replaceAll('\u0000', '\ufffd')
  return { status: answer.status, error: isRedirect ? 'redirect' : null, response }
}

/** Deletes deliveries after the retention period. */
export async function deleteOldDeliveries(db: Database, now: Date): Promise<void> {
  await deliveries.removeBefore(db, new Date(now.getTime() - keptMs))
}
