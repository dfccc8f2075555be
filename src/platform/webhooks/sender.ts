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
import { failingMaxMs, getMessageDelay, getReceiverDelay, parseRetryAfter } from './retry-schedule.ts'
import type { ClaimedDelivery, DeliveryOutcome } from './sender-queries.ts'
import * as senderQueries from './sender-queries.ts'

const connectMs = 5000
const attemptMs = 10_000
/** Of an answer, for the log. */
const answerBytesMax = 2048
/** Longer than any attempt takes. Whoever dies while sending leaves the message to others after this. */
const leaseMs = 30_000
/** How often the courier looks whether something has happened; that which waits for its time is found in the same way. */
const pollIntervalMs = 1000
/** How long a process that stops waits for answers, and then for the database; what is left is sent again later. */
const stopMs = 2000
const stopDatabaseMs = 1000
const keptMs = 30 * 24 * 3_600_000

export interface WebhookSender {
  /** Sends what is due and has room; answers how many messages. They are on the way when it returns. */
  deliverDue(): Promise<number>
  /** Waits until nothing is on the way. */
  drain(): Promise<void>
  stop(): Promise<void>
}

export interface WebhookSenderOptions {
  db: Database
  /** What secrets are encrypted with. */
  keys: EncryptionKeys
  activityTypes: Record<string, ActivityType>
  /** Where links in messages begin. */
  origin: string
  allowPrivate: boolean
  log: Log
  /** Told of every attempt, for the figures. */
  onAttempt?: (outcome: DeliveryOutcome['status']) => void
  now?: () => Date
  /** For an attempt as a whole. */
  timeoutMs?: number
}

/** Carries messages to webhooks for as long as the process runs. */
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
        // The database is away: told once, and tried again for as long as it takes.
        if (!isAway) options.log.warn({ err: error }, 'webhooks cannot be looked after for now')
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

/** One that goes when it is told to: for tests, whose clock is their own. */
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
        // Nobody else waits for that; when the lease has run out, it is tried again.
        log.warn({ err: error, webhook: id }, 'messages to a webhook could not be prepared')
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

  /** Each is made once and written down before it is sent, so that every attempt sends the same bytes. */
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
        // How it went is not written down, or not known: when the lease has run out, it is sent again.
        const about = { webhook: one.webhookId, delivery: one.id }
        if (stopping.signal.aborted) log.info(about, 'a delivery is left to the next process')
        else log.warn({ err: error, ...about }, 'a delivery was left unfinished')
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

  /** Writes down how it went, and what follows from it. */
  async function settle(
    one: ClaimedDelivery,
    entry: Omit<Attempt, 'at'> & { at: Date },
    answer: PostedResponse | SafeFetchError
  ): Promise<void> {
    const ended = now()
    const isDelivered = 'status' in answer && answer.status >= 200 && answer.status < 300
    const isGone = 'status' in answer && answer.status === 410
    const askedMs =
      'status' in answer && [429, 503].includes(answer.status) ? parseRetryAfter(answer.retryAfter, ended) : 0
    const delayMs = isGone ? undefined : getMessageDelay(one.attemptCount + 1, askedMs)
    const outcome: DeliveryOutcome = isDelivered
      ? { status: 'delivered' }
      : delayMs === undefined
        ? { status: 'given_up' }
        : { status: 'waiting', nextAttemptAt: new Date(ended.getTime() + delayMs) }

    await db.transaction(async tx => {
      await senderQueries.insertAttempt(tx, one, entry, outcome, ended)
      if (isDelivered) return await senderQueries.setDelivered(tx, one.webhookId, ended)
      const failures = one.failures + 1
      const notBefore = new Date(ended.getTime() + getReceiverDelay(failures, askedMs))
      const since = await senderQueries.setFailing(tx, one.webhookId, { failures, since: entry.at, notBefore })
      const isHopeless = since !== undefined && ended.getTime() - Date.parse(since) >= failingMaxMs
      if (isGone || isHopeless) await switchOff(tx, one, isGone ? 'gone' : 'failing', ended)
    })
    options.onAttempt?.(outcome.status)
  }

  async function switchOff(tx: Database, { webhookId, url }: ClaimedDelivery, reason: string, at: Date): Promise<void> {
    if (!(await webhooks.switchOff(tx, webhookId, at))) return
    const { host } = new URL(url)
    await record(tx, webhookCaller, at, 'webhook.switched_off', {
      subject: 'webhook',
      id: webhookId,
      details: { name: host, reason }
    })
    log.warn({ webhook: webhookId, host, reason }, 'a webhook was switched off')
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

/** Who switches webhooks off. */
const webhookCaller = newSystemCaller('webhooks')

/** An answer for the log. Text cannot hold the NUL character. */
function formatResult(answer: PostedResponse | SafeFetchError): Pick<Attempt, 'status' | 'error' | 'response'> {
  if (answer instanceof SafeFetchError) return { status: null, error: answer.reason, response: null }
  const isRedirect = answer.status >= 300 && answer.status < 400
  const response = answer.answer.toString('utf8').replaceAll('\u0000', '\ufffd')
  return { status: answer.status, error: isRedirect ? 'redirect' : null, response }
}

/** Forgets deliveries that are older than they are kept. */
export async function deleteOldDeliveries(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptMs)
  while ((await deliveries.removeBefore(db, oldest)) > 0) {
    // As long as there are any.
  }
}
