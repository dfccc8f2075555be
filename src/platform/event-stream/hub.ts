import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/postgres.ts'
import type { ActivityType } from '../http/service.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import { type Listener, newListener, newSerializer, type StreamFilter } from './listener.ts'
import type { RecordedActivity } from './queries.ts'
import * as live from './queries.ts'
import { formatPosition, isBehind, parsePosition, type StreamPosition } from './schema.ts'

/** What another process wrote is heard of this late at most, unless a transaction that began before still runs. */
const pollMs = 1000
/** Between two looks at the record, however much is written. */
const pollSpacingMs = 100
const heartbeatMs = 15_000
const batchRows = 250
/** Who is further behind has to look at everything anew, which is less work for both. */
const behindMax = 10_000
/** For what is still on its way to somebody when the process stops. */
const drainMs = 500

const listenersMax = 1000
const listenersPerAddressMax = 10

export interface Hub {
  /** What somebody hears from now on, or from where they left. Refuses where too many listen. */
  subscribe(newcomer: Subscription): Readable
  /** Something was written through this process. */
  pollSoon(): void
  count(): number
  /** Sends everybody away. */
  close(): void
}

export interface Subscription {
  caller: Caller
  filter: StreamFilter
  origin: string
  /** Where they left, as they say. */
  cursor: string | undefined
  /** What counts as one place; undefined for somebody at the machine itself, who is not counted. */
  address: string | undefined
  /** Who they are now: a key may be revoked while somebody listens. */
  authenticate(): Promise<Caller>
}

/** Reads the record for everybody who listens to this process, as long as somebody does. */
export function newHub(db: Database, subjects: Record<string, ActivityType>, log: Log): Hub {
  const listeners = new Map<Listener, Subscription>()
  const addresses = new Map<string, number>()
  /** What everybody has heard who is not catching up. */
  let end: StreamPosition | undefined
  let isRunning = false
  let isPollRequested = false
  let isUnavailable = false
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
      try {
        await poll()
        isUnavailable = false
      } catch (error) {
        if (!isUnavailable) log.warn({ err: error }, 'the stream waits until the record can be read')
        isUnavailable = true
      }
      await sleep(pollSpacingMs)
      if (!isPollRequested && listeners.size > 0) await waitForPoll()
    }
    isRunning = false
    end = undefined
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
      const rows: RecordedActivity[] | undefined = await live.listAfter(db, end, batchRows)
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
    // Those who come again after a restart have mostly heard the same: they share what is read.
    for (const [, some] of groupBy(behind, ({ position }) => formatPosition(position as StreamPosition)))
      await catchUp(some, end)
  }

  /** Finds the end of the record. Who was in a record that is not there any more, as after a restore, begins anew with it. */
  async function findStart(): Promise<StreamPosition> {
    while ((await live.resetFutureTransactions(db, behindMax)) > 0);
    const found = await live.findEnd(db)
    for (const listener of all(({ position }) => position !== undefined)) listener.reset(found)
    return found
  }

  async function admit(listener: Listener, now: StreamPosition): Promise<void> {
    const cursor = listeners.get(listener)?.cursor
    const left = cursor === undefined ? now : parsePosition(cursor)
    const isKnown = left !== undefined && (left === now || (await live.isNear(db, left, behindMax)))
    if (!isKnown) {
      listener.reset(now)
      return
    }
    listener.position = left
    listener.isCatchingUp = cursor !== undefined
    listener.sendHeartbeat()
  }

  async function catchUp(some: Listener[], now: StreamPosition): Promise<void> {
    const rows = await live.listAfter(db, some[0]?.position as StreamPosition, batchRows)
    if (rows === undefined) {
      for (const listener of some) listener.reset(now)
      return
    }
    await broadcast(some, rows)
    const isAll = rows.length < batchRows
    for (const listener of some) listener.isCatchingUp = !(isAll && hasReceived(listener, rows.at(-1)))
  }

  /**
   * All is looked up before anybody hears anything, so that a failure leaves everybody where they were. Who has no room for
   * all of it stays where that ends.
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
      const spelled = wanted.map(row => newSerializer(row, itemOf(row)))
      for (const listener of group) {
        let heard = ''
        const next = wanted.findIndex((row, index) => {
          if (!listener.hasCapacity(heard.length)) return true
          heard += spelled[index]?.(listener.getAudience(row, subjects[row.subject])) ?? ''
          return false
        })
        const upTo = next === -1 ? last : wanted[next - 1]
        if (upTo !== undefined && !hasReceived(listener, upTo)) listener.position = { tx: upTo.tx, id: upTo.id }
        listener.send(heard)
      }
    }
  }

  /** What everybody may see of the things that rows are about: one question for each kind of thing. */
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
          // A mistake of ours with one thing must not keep everybody from hearing of all others.
          log.error({ err: error, subject }, 'what the stream tells could not be put into words')
        }
      })
    )
    return ({ subject, subjectId }) => found.get(subject)?.get(subjectId)
  }

  function all(which: (listener: Listener) => boolean): Listener[] {
    return [...listeners.keys()].filter(which)
  }

  const timer = setInterval(() => {
    for (const [listener, newcomer] of listeners) {
      listener.sendHeartbeat()
      if (listener.caller.role !== undefined) void reauthenticate(listener, newcomer)
    }
  }, heartbeatMs).unref()

  async function reauthenticate(listener: Listener, { authenticate }: Subscription): Promise<void> {
    try {
      listener.caller = await authenticate()
    } catch (error) {
      if (error instanceof Problem) listener.end()
      else if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'who listens could not be found out')
    }
  }

  return {
    subscribe: newcomer => {
      const { caller, origin, filter, address } = newcomer
      if (isClosing || listeners.size >= listenersMax) throw newStreamFullProblem()
      const ofAddress = address === undefined ? 0 : (addresses.get(address) ?? 0)
      if (ofAddress >= listenersPerAddressMax) throw newTooManyStreamsProblem()

      const joined = newListener({ caller, origin, interest: filter, onRoom: pollSoon })
      listeners.set(joined, newcomer)
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

const newStreamFullProblem = () =>
  new Problem(
    503,
    'too-many-listeners',
    {
      en: 'No more can listen at the moment. Try again in a minute.',
      de: 'Im Augenblick können nicht mehr zuhören. Bitte in einer Minute noch einmal versuchen.'
    },
    { headers: { 'retry-after': '60' } }
  )

const newTooManyStreamsProblem = () =>
  new Problem(
    429,
    'too-many-listeners',
    {
      en: `From one address ${listenersPerAddressMax} can listen at a time. Close one, or try again in a minute.`,
      de: `Von einer Adresse können ${listenersPerAddressMax} zugleich zuhören. Schließen Sie eine Verbindung, oder versuchen Sie es in einer Minute noch einmal.`
    },
    { headers: { 'retry-after': '60' } }
  )
