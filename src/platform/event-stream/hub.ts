import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/errors.ts'
import type { ActivityType } from '../http/service.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import { type Listener, newListener, newSerializer, type StreamFilter } from './listener.ts'
import { listenersPerAddressMax, newStreamFullProblem, newTooManyStreamsProblem } from './problems.ts'
import type { RecordedActivity } from './queries.ts'
import * as activities from './queries.ts'
import { formatPosition, isBehind, parsePosition, type StreamPosition } from './schema.ts'

/** Notifications wake the hub; polling is for lost notifications, and for commands that send none. */
const defaultPollMs = 1000
/** Minimum time between two polls, however much is written. */
const pollSpacingMs = 100
const heartbeatMs = 15_000
const batchRows = 250
/** A listener further behind gets a reset and reloads everything, which is less work for both sides. */
const behindMax = 10_000
/** A longer delay is logged. */
const lagSecondsMax = 10
/** How long shutdown waits for buffered events to be sent. */
const drainMs = 500

const listenersMax = 1000

export interface Hub {
  /** Streams events from now on, or from the cursor. Throws if there are too many listeners. */
  subscribe(subscription: Subscription): Readable
  /** Polls without delay, because an activity was written, by this process or another. */
  pollSoon(): void
  count(): number
  /** Ends all streams. */
  close(): void
}

export interface Subscription {
  caller: Caller
  filter: StreamFilter
  origin: string
  /** The Last-Event-ID that the client sent. */
  cursor: string | undefined
  /** The address for the connection limit; undefined for local clients, which are not limited. */
  address: string | undefined
  /** Authenticates again, because a key may be revoked while the stream is open. */
  authenticate(): Promise<Caller>
}

interface HubOptions {
  log: Log
  /** Called before each poll: makes sure that this process gets the notifications of others. */
  listenForChanges?: () => void
  pollMs?: number
}

/** Polls the activity log for all listeners of this process, while there are any. */
export function newHub(
  db: Database,
  subjects: Record<string, ActivityType>,
  { log, listenForChanges = () => {}, pollMs = defaultPollMs }: HubOptions
): Hub {
  const listeners = new Map<Listener, Subscription>()
  const addresses = new Map<string, number>()
  /** The position of all listeners that are not catching up. */
  let end: StreamPosition | undefined
  let isRunning = false
  let isPollRequested = false
  let isUnavailable = false
  /** Rows are committed that cannot be sent yet. */
  let isHeldBack = false
  let isLagLogged = false
  let isClosing = false
  let wake = () => {}

  function pollSoon(): void {
    isPollRequested = true
    wake()
  }

  async function run(): Promise<void> {
    isRunning = true
    while (listeners.size > 0) {
      isPollRequested = false
      listenForChanges()
      try {
        await poll()
        await checkLag()
        isUnavailable = false
      } catch (error) {
        if (!isUnavailable) log.warn({ err: error }, 'event stream paused: activity log unavailable')
        isUnavailable = true
      }
      await sleep(pollSpacingMs)
      if (!isPollRequested && !isHeldBack && listeners.size > 0) await waitForPoll()
    }
    isRunning = false
    end = undefined
  }

  /** An earlier transaction ends without a notification, so rows that wait for it are polled for. */
  async function checkLag(): Promise<void> {
    const seconds = await activities.findLagSeconds(db)
    isHeldBack = seconds > 0
    const isLate = seconds > lagSecondsMax
    if (isLate && !isLagLogged) log.warn({ seconds }, 'event stream delayed: an earlier transaction has not ended')
    isLagLogged = isLate
  }

  async function waitForPoll(): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, pollMs - pollSpacingMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wake = () => {}
  }

  async function poll(): Promise<void> {
    end ??= await findStart()
    for (let isAll = false; !isAll; ) {
      const rows: RecordedActivity[] | undefined = await activities.listAfter(db, end, batchRows)
      if (rows === undefined) {
        end = await findStart()
        continue
      }
      const some = all(listener => !listener.isCatchingUp)
      await broadcast(some, rows)
      for (const listener of some) listener.isCatchingUp = !hasReceived(listener, rows.at(-1))
      end = rows.at(-1) ?? end
      isAll = rows.length < batchRows
    }
    for (const listener of all(({ position }) => position === undefined)) await admit(listener, end)
    const behind = all(listener => listener.isCatchingUp && listener.position !== undefined && listener.hasCapacity())
    // Listeners that reconnect after a restart mostly have the same position, so they share one query.
    for (const [, some] of groupBy(behind, ({ position }) => formatPosition(position as StreamPosition)))
      await catchUp(some, end)
  }

  /** Finds the end of the log. After a restore the old positions are gone, so listeners are reset to the new end. */
  async function findStart(): Promise<StreamPosition> {
    while ((await activities.resetFutureTransactions(db, behindMax)) > 0);
    const found = await activities.findEnd(db)
    for (const listener of all(({ position }) => position !== undefined)) listener.reset(found)
    return found
  }

  async function admit(listener: Listener, now: StreamPosition): Promise<void> {
    const cursor = listeners.get(listener)?.cursor
    const left = cursor === undefined ? now : parsePosition(cursor)
    const isKnown = left !== undefined && (left === now || (await activities.isNear(db, left, behindMax)))
    if (!isKnown) {
      listener.reset(now)
      return
    }
    listener.position = left
    listener.isCatchingUp = cursor !== undefined
    listener.sendHeartbeat()
  }

  async function catchUp(some: Listener[], now: StreamPosition): Promise<void> {
    const rows = await activities.listAfter(db, some[0]?.position as StreamPosition, batchRows)
    if (rows === undefined) {
      for (const listener of some) listener.reset(now)
      return
    }
    await broadcast(some, rows)
    const isAll = rows.length < batchRows
    for (const listener of some) listener.isCatchingUp = !(isAll && hasReceived(listener, rows.at(-1)))
  }

  /**
   * Loads everything before sending anything, so that a failure leaves all positions unchanged. A listener without
   * capacity for all rows stays at the last row that it got.
   */
  async function broadcast(some: Listener[], rows: RecordedActivity[]): Promise<void> {
    const last = rows.at(-1)
    if (last === undefined) return
    const groups = await Promise.all(
      [...groupBy(some, ({ origin }) => origin)].map(async ([origin, group]) => {
        const wanted = rows.filter(row => group.some(one => one.getAudience(row, subjects[row.subject]) !== 'nobody'))
        return { group, wanted, itemOf: await serializePublic(wanted, origin) }
      })
    )
    for (const { group, wanted, itemOf } of groups) {
      const serializers = wanted.map(row => newSerializer(row, itemOf(row)))
      for (const listener of group) {
        let heard = ''
        const next = wanted.findIndex((row, index) => {
          if (!listener.hasCapacity(heard.length)) return true
          heard += serializers[index]?.(listener.getAudience(row, subjects[row.subject])) ?? ''
          return false
        })
        const upTo = next === -1 ? last : wanted[next - 1]
        if (upTo !== undefined && !hasReceived(listener, upTo)) listener.position = { tx: upTo.tx, id: upTo.id }
        listener.send(heard)
      }
    }
  }

  /** Loads the public representations of the rows' subjects, with one query per subject type. */
  async function serializePublic(
    rows: RecordedActivity[],
    origin: string
  ): Promise<(row: RecordedActivity) => object | undefined> {
    const bySubject = groupBy(rows, ({ subject }) => subject)
    const found = new Map<string, Map<string, object>>()
    await Promise.all(
      [...bySubject].map(async ([subject, some]) => {
        const ids = [...new Set(some.map(({ subjectId }) => subjectId))]
        try {
          found.set(subject, (await subjects[subject]?.serializePublic?.(db, ids, origin)) ?? new Map())
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error
          // A bug in one subject type must not block the events of all others.
          log.error({ err: error, subject }, 'failed to serialize stream event')
        }
      })
    )
    return ({ subject, subjectId }) => found.get(subject)?.get(subjectId)
  }

  function all(which: (listener: Listener) => boolean): Listener[] {
    return [...listeners.keys()].filter(which)
  }

  const timer = setInterval(() => {
    for (const [listener, subscription] of listeners) {
      listener.sendHeartbeat()
      if (listener.caller.role !== undefined) void reauthenticate(listener, subscription)
    }
  }, heartbeatMs).unref()

  async function reauthenticate(listener: Listener, { authenticate }: Subscription): Promise<void> {
    try {
      listener.caller = await authenticate()
    } catch (error) {
      if (error instanceof Problem) listener.end()
      else if (!(error instanceof DatabaseUnavailable))
        log.error({ err: error }, 'failed to re-authorize stream subscribers')
    }
  }

  return {
    subscribe: subscription => {
      const { caller, origin, filter, address } = subscription
      if (isClosing || listeners.size >= listenersMax) throw newStreamFullProblem()
      const ofAddress = address === undefined ? 0 : (addresses.get(address) ?? 0)
      if (ofAddress >= listenersPerAddressMax) throw newTooManyStreamsProblem()

      const joined = newListener({ caller, origin, interest: filter, onRoom: pollSoon })
      listeners.set(joined, subscription)
      if (address !== undefined) addresses.set(address, ofAddress + 1)
      joined.stream.once('close', () => {
        listeners.delete(joined)
        if (listeners.size === 0) wake()
        if (address === undefined) return
        const left = (addresses.get(address) ?? 1) - 1
        if (left === 0) addresses.delete(address)
        else addresses.set(address, left)
      })
      pollSoon()
      if (!isRunning) void run()
      return joined.stream
    },
    pollSoon: pollSoon,
    count: () => listeners.size,
    close: () => {
      isClosing = true
      clearInterval(timer)
      const left = [...listeners.keys()]
      for (const listener of left) listener.end()
      setTimeout(() => {
        for (const { stream } of left) stream.destroy()
      }, drainMs).unref()
      wake()
    }
  }
}

function hasReceived({ position }: Listener, row: StreamPosition | undefined): boolean {
  return row === undefined || (position !== undefined && !isBehind(position, row))
}

function groupBy<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
