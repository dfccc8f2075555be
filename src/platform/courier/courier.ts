import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerAtTheMachine } from '../access.ts'
import { record } from '../activity/activity.ts'
import type { Database } from '../database.ts'
import * as deliveries from '../deliveries/queries.ts'
import type { Attempt } from '../deliveries/schema.ts'
import type { Keys } from '../encryption.ts'
import type { Log } from '../log.ts'
import { OutboundFailure, type Posted, postBytes } from '../outbound.ts'
import type { Subject } from '../service.ts'
import * as webhooks from '../webhooks/queries.ts'
import { messagesFor, signedHeaders } from './message.ts'
import type { Claimed, Outcome } from './queries.ts'
import * as courier from './queries.ts'
import { askedDelay, delayOfMessage, delayOfReceiver, failingMaxMs } from './schedule.ts'

const connectMs = 5000
const attemptMs = 10_000
/** Of an answer, for the log. */
const answerBytesMax = 2048
/** Longer than any attempt takes. Whoever dies while sending leaves the message to others after this. */
const leaseMs = 30_000
/** How often the courier looks whether something has happened; that which waits for its time is found in the same way. */
const lookMs = 1000
/** How long a process that stops waits for answers, and then for the database; what is left is sent again later. */
const stopMs = 2000
const stopAfterMs = 1000
const keptMs = 30 * 24 * 3_600_000

export interface Courier {
  /** Sends what is due and has room; answers how many messages. They are on the way when it returns. */
  round(): Promise<number>
  /** Waits until nothing is on the way. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export interface CourierOptions {
  db: Database
  /** What secrets are sealed with. */
  keys: Keys
  subjects: Record<string, Subject>
  /** Where links in messages begin. */
  origin: string
  allowPrivate: boolean
  log: Log
  /** Told of every attempt, for the figures. */
  count?: (outcome: Outcome['status']) => void
  now?: () => Date
  /** For an attempt as a whole. */
  timeoutMs?: number
}

/** Carries messages to webhooks for as long as the process runs. */
export function startCourier(options: CourierOptions): Courier {
  let isStopping = false
  let wake = () => {}
  const carrier = newCourier(options, () => wake())

  async function carry(): Promise<void> {
    let isAway = false
    while (!isStopping) {
      const woken = new Promise<void>(resolve => {
        wake = resolve
      })
      try {
        await carrier.round()
        isAway = false
      } catch (error) {
        // The database is away: told once, and tried again for as long as it takes.
        if (!isAway) options.log.warn({ err: error }, 'webhooks cannot be looked after for now')
        isAway = true
      }
      await Promise.race([woken, sleep(lookMs, undefined, { ref: false })])
      if (isAway && !isStopping) await sleep(lookMs, undefined, { ref: false })
    }
  }

  const carrying = carry()
  return {
    ...carrier,
    stop: async () => {
      isStopping = true
      wake()
      await carrying
      await carrier.stop()
    }
  }
}

/** One that goes when it is told to: for tests, whose clock is their own. */
export function newCourier(options: CourierOptions, onRoom = () => {}): Courier {
  const { db, log, now = () => new Date() } = options
  const onTheWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function round(): Promise<number> {
    let sent = 0
    for (const { id, room } of await courier.listReady(db, now())) {
      if (stopping.signal.aborted) return sent
      try {
        sent += await sendTo(id, room)
      } catch (error) {
        // Nobody else waits for that; when the lease has run out, it is tried again.
        log.warn({ err: error, webhook: id }, 'messages to a webhook could not be prepared')
      }
    }
    return sent
  }

  async function sendTo(webhookId: number, room: number): Promise<number> {
    const until = new Date(now().getTime() + leaseMs)
    const claimed = await courier.claim(db, webhookId, room, { now: now(), until })
    const bodies = await bodiesOf(claimed)
    for (const one of claimed) dispatch(one, bodies.get(one.id) ?? '')
    return claimed.length
  }

  /** Each is made once and written down before it is sent, so that every attempt sends the same bytes. */
  async function bodiesOf(claimed: Claimed[]): Promise<Map<string, string>> {
    const isNew = claimed.filter(({ body }) => body === null)
    const made = await messagesFor(db, isNew, options.subjects, options.origin)
    const [first] = isNew
    if (first !== undefined) await courier.saveBodies(db, first.webhookId, made)
    return new Map(claimed.map(({ id, body }) => [id, body ?? made.get(id) ?? '']))
  }

  function dispatch(one: Claimed, body: string): void {
    const sending = attempt(one, body)
      .catch((error: unknown) => {
        // How it went is not written down, or not known: when the lease has run out, it is sent again.
        const about = { webhook: one.webhookId, delivery: one.id }
        if (stopping.signal.aborted) log.info(about, 'a delivery is left to the next process')
        else log.warn({ err: error, ...about }, 'a delivery was left unfinished')
      })
      .finally(() => {
        onTheWay.delete(sending)
        onRoom()
      })
    onTheWay.add(sending)
  }

  async function attempt(one: Claimed, body: string): Promise<void> {
    const at = now()
    const began = performance.now()
    const answer = await post(one, body, at)
    if (stopping.signal.aborted && answer instanceof OutboundFailure) throw answer
    const durationMs = Math.round(performance.now() - began)
    await settle(one, { at, durationMs, ...spelled(answer) }, answer)
  }

  async function post(one: Claimed, body: string, at: Date): Promise<Posted | OutboundFailure> {
    try {
      return await postBytes(one.url, {
        allowPrivate: options.allowPrivate,
        headers: signedHeaders(options.keys, one, body, at),
        body,
        connectMs,
        timeoutMs: options.timeoutMs ?? attemptMs,
        bytesMax: answerBytesMax,
        signal: stopping.signal
      })
    } catch (error) {
      if (error instanceof OutboundFailure) return error
      throw error
    }
  }

  /** Writes down how it went, and what follows from it. */
  async function settle(
    one: Claimed,
    entry: Omit<Attempt, 'at'> & { at: Date },
    answer: Posted | OutboundFailure
  ): Promise<void> {
    const ended = now()
    const isDelivered = 'status' in answer && answer.status >= 200 && answer.status < 300
    const isGone = 'status' in answer && answer.status === 410
    const askedMs = 'status' in answer && [429, 503].includes(answer.status) ? askedDelay(answer.retryAfter, ended) : 0
    const delayMs = isGone ? undefined : delayOfMessage(one.attemptCount + 1, askedMs)
    const outcome: Outcome = isDelivered
      ? { status: 'delivered' }
      : delayMs === undefined
        ? { status: 'given_up' }
        : { status: 'waiting', nextAttemptAt: new Date(ended.getTime() + delayMs) }

    await db.transaction(async tx => {
      await courier.insertAttempt(tx, one, entry, outcome, ended)
      if (isDelivered) return await courier.setDelivered(tx, one.webhookId, ended)
      const failures = one.failures + 1
      const notBefore = new Date(ended.getTime() + delayOfReceiver(failures, askedMs))
      const since = await courier.setFailing(tx, one.webhookId, { failures, since: entry.at, notBefore })
      const isHopeless = since !== undefined && ended.getTime() - Date.parse(since) >= failingMaxMs
      if (isGone || isHopeless) await switchOff(tx, one, isGone ? 'gone' : 'failing', ended)
    })
    options.count?.(outcome.status)
  }

  async function switchOff(tx: Database, { webhookId, url }: Claimed, reason: string, at: Date): Promise<void> {
    if (!(await webhooks.switchOff(tx, webhookId, at))) return
    const { host } = new URL(url)
    await record(tx, itself, at, 'webhook.switched_off', {
      subject: 'webhook',
      id: webhookId,
      details: { name: host, reason }
    })
    log.warn({ webhook: webhookId, host, reason }, 'a webhook was switched off')
  }

  async function settled(): Promise<void> {
    while (onTheWay.size > 0) await Promise.all(onTheWay)
  }

  return {
    round,
    settled,
    stop: async () => {
      const isDone = settled()
      await Promise.race([isDone, sleep(stopMs, undefined, { ref: false })])
      stopping.abort()
      await Promise.race([isDone, sleep(stopAfterMs, undefined, { ref: false })])
    }
  }
}

/** Who switches webhooks off. */
const itself = callerAtTheMachine('webhooks')

/** An answer for the log. Text cannot hold the NUL character. */
function spelled(answer: Posted | OutboundFailure): Pick<Attempt, 'status' | 'error' | 'response'> {
  if (answer instanceof OutboundFailure) return { status: null, error: answer.reason, response: null }
  const isRedirect = answer.status >= 300 && answer.status < 400
  const response = answer.answer.toString('utf8').replaceAll('\u0000', '\ufffd')
  return { status: answer.status, error: isRedirect ? 'redirect' : null, response }
}

/** Forgets deliveries that are older than they are kept. */
export async function forgetOldDeliveries(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptMs)
  while ((await deliveries.removeBefore(db, oldest)) > 0) {
    // As long as there are any.
  }
}
