import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Settings } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { Problem } from '../../problem.ts'
import type { Database, Store } from '../database.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { connectStore } from '../postgres.ts'
import { sql } from '../sql.ts'

/** Visitors get no data older than this, as long as the primary is available. */
const staleMsMax = 1000
/** A check of a replica is valid for this long while there are reads; without reads there are no checks. */
const checkIntervalMs = 250
/** A server that has not responded by then counts as unavailable. */
const checkTimeoutMs = 500
/** Wait for changes that are on their way to a replica, which have mostly arrived already. */
const catchUpMs = 5
/** One address may lead to several replicas with different lag: a check holds for one connection only. */
const connections = 4

/** Routes the reads of visitors to a replica. All other callers, and all writes, use the primary. */
export interface ReadRouter {
  /** The database for route handlers. */
  db: Database
  /** Wraps a handler to choose the server that a request of a visitor reads from. */
  routeReads(handler: RouteHandlerMethod): RouteHandlerMethod
  /** Call after a write elsewhere: this process then returns nothing older. Writes of routes are known anyway. */
  markWritten(): void
  /** `reading only` while the primary is unavailable but visitors can read; throws if nothing works. */
  status(): Promise<'ok' | 'reading only'>
  close(): Promise<void>
}

interface Replica {
  store: Store
  /** The replica has everything that was written before, by the clock of this process. */
  caughtUpAtMs: number
  checkedAtMs: number
  checking: Promise<void> | undefined
  /** It responded last time, and follows our primary. */
  isAvailable: boolean
}

/** The server that one request of a visitor reads from: undefined for the primary. */
interface ReadSource {
  from: Replica | undefined
  /** No longer changes: a response read half from each server might contradict itself. */
  isSettled: boolean
}

export function newReadRouter(store: Store, { databaseReplicaUrl }: Settings, metrics: Metrics, log: Log): ReadRouter {
  if (databaseReplicaUrl === undefined) return newDirectReadRouter(store)

  const replicas = Array.from({ length: connections }, () => newReplica(databaseReplicaUrl, log))
  const readings = new AsyncLocalStorage<ReadSource>()
  let writtenAtMs = 0
  let isPrimaryUnavailable = false
  let isInUse: boolean | undefined
  let turn = 0

  const isCaughtUp = (replica: Replica) =>
    replica.caughtUpAtMs >= writtenAtMs && performance.now() - replica.caughtUpAtMs < staleMsMax
  const usable = () => replicas.filter(replica => replica.isAvailable && (isPrimaryUnavailable || isCaughtUp(replica)))

  /** Compares a replica with the primary. One at the position of the primary has all writes from before we asked. */
  async function check(replica: Replica): Promise<void> {
    replica.checkedAtMs = performance.now()
    const askedMs = replica.checkedAtMs
    const now = await findPosition(store)
    isPrimaryUnavailable = now === undefined
    do {
      const there = await findReplicaPosition(replica.store, now)
      replica.isAvailable = there?.isOurs === true
      if (there?.hasAll === true) replica.caughtUpAtMs = askedMs
      if (!replica.isAvailable || isPrimaryUnavailable || there?.hasAll === true) break
      await sleep(catchUpMs)
    } while (performance.now() - askedMs < staleMsMax)
    logUse(
      replicas.some(
        ({ isAvailable, caughtUpAtMs }) =>
          isAvailable && (isPrimaryUnavailable || performance.now() - caughtUpAtMs < staleMsMax)
      )
    )
  }

  function logUse(isUsedNow: boolean): void {
    if (isUsedNow === isInUse) return
    if (isUsedNow) log.info('reads routed to replica')
    else log.warn('read replica unavailable or lagging; reads fall back to primary')
    isInUse = isUsedNow
  }

  async function checkOnce(replica: Replica): Promise<void> {
    replica.checking ??= check(replica).finally(() => {
      replica.checking = undefined
    })
    await replica.checking
  }

  function chooseReplica(): Replica | undefined {
    const nowMs = performance.now()
    for (const replica of replicas) {
      const isNews = writtenAtMs > replica.caughtUpAtMs && writtenAtMs > replica.checkedAtMs
      if (isNews || nowMs - replica.checkedAtMs > checkIntervalMs) void checkOnce(replica)
    }
    const some = usable()
    turn += 1
    const chosen = some[turn % some.length]
    metrics.countRead(chosen === undefined ? 'database' : 'replica')
    return chosen
  }

  async function findFallback(): Promise<Replica | undefined> {
    await Promise.all(replicas.map(checkOnce))
    return isPrimaryUnavailable ? usable()[0] : undefined
  }

  async function read<Result>(ask: (db: Database) => Promise<Result>): Promise<Result> {
    const reading = readings.getStore()
    if (reading?.from !== undefined) {
      try {
        return await ask(reading.from.store)
      } catch (error) {
        // The replica is unavailable, cancelled the query for WAL replay, or lacks a new table: the primary can answer.
        // It also reports our own mistakes.
        if (error instanceof DatabaseUnavailable) reading.from.isAvailable = false
        reading.from = undefined
      }
    }
    try {
      const result = await ask(store)
      if (reading !== undefined) reading.isSettled = true
      return result
    } catch (error) {
      if (reading === undefined || reading.isSettled || !(error instanceof DatabaseUnavailable)) throw error
      reading.isSettled = true
      reading.from = await findFallback()
      if (reading.from === undefined) throw error
      return await ask(reading.from.store)
    }
  }

  function markWritten(): void {
    writtenAtMs = performance.now()
    isPrimaryUnavailable = false
  }

  async function markAfter<Result>(writing: Promise<Result>): Promise<Result> {
    const result = await writing
    markWritten()
    return result
  }

  return {
    db: {
      ...store,
      all: async statement => await read(async db => await db.all(statement)),
      one: async statement => await read(async db => await db.one(statement)),
      maybeOne: async statement => await read(async db => await db.maybeOne(statement)),
      run: async statement => await markAfter(store.run(statement)),
      runAtCommit: async statement => await markAfter(store.runAtCommit(statement)),
      transaction: async work => await markAfter(store.transaction(work)),
      oneStatement: async work => await markAfter(store.oneStatement(work)),
      writeTogether: async (write, item) => await markAfter(store.writeTogether(write, item)),
      findTogether: async (list, key) => await read(async db => await db.findTogether(list, key))
    },

    routeReads: handler =>
      async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
        const answer = async () => await (handler.call(this, request, reply) as Promise<unknown>)
        if (request.caller.role !== undefined) return await answer()
        const reading: ReadSource = { from: chooseReplica(), isSettled: false }
        try {
          const payload = await readings.run(reading, answer)
          // The replica may lack changes that we already knew of, so this response must not be cached.
          if (reading.from !== undefined && isPrimaryUnavailable) reply.cacheTags = { tags: [], untilMs: 0 }
          return payload
        } catch (error) {
          // A missing row may have been created a moment ago, through another process.
          if (reading.from === undefined || isPrimaryUnavailable || !isNotFound(error)) throw error
          return await answer()
        }
      },

    markWritten: markWritten,

    status: async () => {
      try {
        await store.ping()
        return 'ok'
      } catch (error) {
        // A failure here would make a proxy send requests elsewhere and keep visitors from what they can still read.
        if ((await findFallback()) === undefined) throw error
        return 'reading only'
      }
    },

    close: async () => void (await Promise.all(replicas.map(({ store: { close } }) => close())))
  }
}

/** The state of a replica, for `doctor`. */
export async function checkReplica(
  db: Database,
  databaseReplicaUrl: string,
  log: Log
): Promise<'in step' | 'behind' | 'away' | 'no replica of it'> {
  const { store } = newReplica(databaseReplicaUrl, log)
  try {
    const now = await findPosition(db)
    for (const askedMs = performance.now(); ; await sleep(catchUpMs)) {
      const there = await findReplicaPosition(store, now)
      if (there === undefined) return 'away'
      if (!there.isOurs) return 'no replica of it'
      if (there.hasAll === true) return 'in step'
      if (performance.now() - askedMs > staleMsMax) return 'behind'
    }
  } finally {
    await store.close()
  }
}

/** True for a route whose response is the same for everybody: a URL with a token shows private data. */
export function isPublicRead({ method, url, config }: RouteOptions): boolean {
  return (
    [method].flat().includes('GET') && config?.requires === 'public' && config.streaming !== true && !/:token/.test(url)
  )
}

/** Without a replica, all reads use the primary. */
function newDirectReadRouter(store: Store): ReadRouter {
  const status = async () => {
    await store.ping()
    return 'ok' as const
  }
  return { db: store, routeReads: handler => handler, markWritten: () => {}, status, close: async () => {} }
}

function newReplica(connectionString: string, log: Log): Replica {
  const reset = () => {
    // The next connection may lead to another replica.
    replica.caughtUpAtMs = Number.NEGATIVE_INFINITY
    replica.isAvailable = false
  }
  const replica: Replica = {
    store: connectStore({ connectionString }, { noTimeouts: false, log, asReplica: { onBreak: reset } }),
    caughtUpAtMs: Number.NEGATIVE_INFINITY,
    checkedAtMs: Number.NEGATIVE_INFINITY,
    checking: undefined,
    isAvailable: false
  }
  return replica
}

interface WalPosition {
  cluster: string
  lsn: string
}

const cluster = sql`(select system_identifier from pg_control_system()) || ' ' || current_database()`

/** The WAL position of the primary that is flushed to disk; undefined if it does not respond. */
async function findPosition(db: Database): Promise<WalPosition | undefined> {
  return await withTimeout(
    db.one<WalPosition>(sql`select ${cluster} as cluster, pg_current_wal_flush_lsn()::text as lsn`)
  )
}

/** Undefined if it does not respond. A replica that was promoted no longer follows our primary. */
async function findReplicaPosition(
  db: Database,
  { cluster: ours, lsn }: WalPosition | { cluster: null; lsn: null } = { cluster: null, lsn: null }
): Promise<{ isOurs: boolean; hasAll: boolean | null } | undefined> {
  return await withTimeout(
    db.one(sql`
      select
        pg_is_in_recovery() and coalesce(${ours}::text = ${cluster}, true) as "isOurs",
        pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as "hasAll"`)
  )
}

/** The error is in the log already, or is of no interest: the server may be in recovery, or shutting down. */
async function withTimeout<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  return await Promise.race([answer.catch(() => undefined), sleep(checkTimeoutMs, undefined, { ref: false })])
}

const isNotFound = (error: unknown) => error instanceof Problem && error.status === 404
