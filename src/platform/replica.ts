import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { restOn } from './cache/ground.ts'
import type { Settings } from './config.ts'
import type { Database, Store } from './database.ts'
import { connectTo, DatabaseAway } from './database-server.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { Problem } from './problem.ts'
import { sql } from './sql.ts'

/** Nobody is shown anything older than this, as long as the database that is written to can be asked. */
const staleMsMax = 1000
/** What is known of a replica is good for this long while somebody reads; while nobody does, nothing is asked. */
const lookEveryMs = 250
/** Whoever has not answered then is away. */
const answerMs = 500
/** For what is on its way to a replica, which is mostly there already. */
const catchUpMs = 5
/** Behind one address there may be several replicas, each as far as it is: what is known counts for one connection. */
const connections = 4

/** Where visitors read. Everybody else, and whatever writes, is with the database itself. */
export interface Reads {
  /** For routes. */
  db: Database
  /** Decides for a handler whose visitor it answers. */
  choosing(handler: RouteHandlerMethod): RouteHandlerMethod
  /** Something was written elsewhere: from now on this process shows nothing that is older. Of what routes write it knows. */
  wrote(): void
  /** `reading only` while the database itself is away but visitors can read; throws if nobody can do anything. */
  status(): Promise<'ok' | 'reading only'>
  close(): Promise<void>
}

interface Replica {
  store: Store
  /** It has everything that was written before, by the clock of this process. */
  coveredMs: number
  lookedMs: number
  looking: Promise<void> | undefined
  /** It answered last time, and follows our database. */
  isThere: boolean
}

/** What one visitor's request is read from: undefined for the database itself. */
interface Reading {
  from: Replica | undefined
  /** Changes no more: half an answer from each might contradict itself. */
  isSettled: boolean
}

export function newReads(store: Store, { databaseReplicaUrl }: Settings, metrics: Metrics, log: Log): Reads {
  if (databaseReplicaUrl === undefined) return readsOf(store)

  const replicas = Array.from({ length: connections }, () => newReplica(databaseReplicaUrl, log))
  const readings = new AsyncLocalStorage<Reading>()
  let wroteMs = 0
  let isAway = false
  let isUsed: boolean | undefined
  let turn = 0

  const covers = (replica: Replica) =>
    replica.coveredMs >= wroteMs && performance.now() - replica.coveredMs < staleMsMax
  const usable = () => replicas.filter(replica => replica.isThere && (isAway || covers(replica)))

  /** Compares a replica with the database. What it has of that, it had when the database was asked or later. */
  async function look(replica: Replica): Promise<void> {
    replica.lookedMs = performance.now()
    const askedMs = replica.lookedMs
    const now = await position(store)
    isAway = now === undefined
    do {
      const there = await positionOfReplica(replica.store, now)
      replica.isThere = there?.isOurs === true
      if (there?.hasAll === true) replica.coveredMs = askedMs
      if (!replica.isThere || isAway || there?.hasAll === true) break
      await sleep(catchUpMs)
    } while (performance.now() - askedMs < staleMsMax)
    say(replicas.some(({ isThere, coveredMs }) => isThere && (isAway || performance.now() - coveredMs < staleMsMax)))
  }

  function say(isUsedNow: boolean): void {
    if (isUsedNow === isUsed) return
    if (isUsedNow) log.info('visitors read from the replica')
    else log.warn('the replica is away, or too far behind: visitors read from the database itself')
    isUsed = isUsedNow
  }

  async function lookOnce(replica: Replica): Promise<void> {
    replica.looking ??= look(replica).finally(() => {
      replica.looking = undefined
    })
    await replica.looking
  }

  function choose(): Replica | undefined {
    const nowMs = performance.now()
    for (const replica of replicas) {
      const isNews = wroteMs > replica.coveredMs && wroteMs > replica.lookedMs
      if (isNews || nowMs - replica.lookedMs > lookEveryMs) void lookOnce(replica)
    }
    const some = usable()
    turn += 1
    const chosen = some[turn % some.length]
    metrics.countReading(chosen === undefined ? 'database' : 'replica')
    return chosen
  }

  async function lastResort(): Promise<Replica | undefined> {
    await Promise.all(replicas.map(lookOnce))
    return isAway ? usable()[0] : undefined
  }

  async function read<Result>(ask: (db: Database) => Promise<Result>): Promise<Result> {
    const reading = readings.getStore()
    if (reading?.from !== undefined) {
      try {
        return await ask(reading.from.store)
      } catch (error) {
        // Away, cancelled for what it had to replay, without a new table: the database itself knows. And our own mistakes it tells too.
        if (error instanceof DatabaseAway) reading.from.isThere = false
        reading.from = undefined
      }
    }
    try {
      const result = await ask(store)
      if (reading !== undefined) reading.isSettled = true
      return result
    } catch (error) {
      if (reading === undefined || reading.isSettled || !(error instanceof DatabaseAway)) throw error
      reading.isSettled = true
      reading.from = await lastResort()
      if (reading.from === undefined) throw error
      return await ask(reading.from.store)
    }
  }

  function wrote(): void {
    wroteMs = performance.now()
    isAway = false
  }

  async function written<Result>(writing: Promise<Result>): Promise<Result> {
    const result = await writing
    wrote()
    return result
  }

  return {
    db: {
      ...store,
      all: async statement => await read(async db => await db.all(statement)),
      one: async statement => await read(async db => await db.one(statement)),
      maybeOne: async statement => await read(async db => await db.maybeOne(statement)),
      run: async statement => await written(store.run(statement)),
      transaction: async work => await written(store.transaction(work))
    },

    choosing: handler =>
      async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
        const answer = async () => await (handler.call(this, request, reply) as Promise<unknown>)
        if (request.caller.role !== undefined) return await answer()
        const reading: Reading = { from: choose(), isSettled: false }
        try {
          const payload = await readings.run(reading, answer)
          // A replica may lack what we knew of already, so this is for those who ask now and for nobody after them.
          if (reading.from !== undefined && isAway) restOn(reply, { names: [], untilMs: 0 })
          return payload
        } catch (error) {
          // What is not there may have been made a moment ago, through another process.
          if (reading.from === undefined || isAway || !isNotFound(error)) throw error
          return await answer()
        }
      },

    wrote,

    status: async () => {
      try {
        await store.ping()
        return 'ok'
      } catch (error) {
        // Whoever sent requests elsewhere now would keep visitors from what they can still read.
        if ((await lastResort()) === undefined) throw error
        return 'reading only'
      }
    },

    close: async () => void (await Promise.all(replicas.map(({ store: { close } }) => close())))
  }
}

/** How a replica is, for `doctor`. */
export async function lookAtReplica(
  db: Database,
  databaseReplicaUrl: string,
  log: Log
): Promise<'in step' | 'behind' | 'away' | 'no replica of it'> {
  const { store } = newReplica(databaseReplicaUrl, log)
  try {
    const now = await position(db)
    for (const askedMs = performance.now(); ; await sleep(catchUpMs)) {
      const there = await positionOfReplica(store, now)
      if (there === undefined) return 'away'
      if (!there.isOurs) return 'no replica of it'
      if (there.hasAll === true) return 'in step'
      if (performance.now() - askedMs > staleMsMax) return 'behind'
    }
  } finally {
    await store.close()
  }
}

/** What anybody may read, as it is for everybody: an address with a token shows somebody something of their own. */
export function isForVisitors({ method, url, config }: RouteOptions): boolean {
  return (
    [method].flat().includes('GET') && config?.needs === 'nothing' && config.endless !== true && !/:token/.test(url)
  )
}

/** Where there is no replica, all is read where it is written. */
function readsOf(store: Store): Reads {
  const status = async () => {
    await store.ping()
    return 'ok' as const
  }
  return { db: store, choosing: handler => handler, wrote: () => {}, status, close: async () => {} }
}

function newReplica(connectionString: string, log: Log): Replica {
  const forget = () => {
    // The next connection may lead to another one.
    replica.coveredMs = Number.NEGATIVE_INFINITY
    replica.isThere = false
  }
  const replica: Replica = {
    store: connectTo({ connectionString }, { patient: false, log, asReplica: { onBreak: forget } }),
    coveredMs: Number.NEGATIVE_INFINITY,
    lookedMs: Number.NEGATIVE_INFINITY,
    looking: undefined,
    isThere: false
  }
  return replica
}

interface Position {
  cluster: string
  lsn: string
}

const cluster = sql`(select system_identifier from pg_control_system()) || ' ' || current_database()`

/** How far the database has come, on disk; undefined if it cannot say. */
async function position(db: Database): Promise<Position | undefined> {
  return await inTime(db.one<Position>(sql`select ${cluster} as cluster, pg_current_wal_flush_lsn()::text as lsn`))
}

/** Undefined if it does not answer. One that has become a database of its own does not follow ours any more. */
async function positionOfReplica(
  db: Database,
  { cluster: ours, lsn }: Position | { cluster: null; lsn: null } = { cluster: null, lsn: null }
): Promise<{ isOurs: boolean; hasAll: boolean | null } | undefined> {
  return await inTime(
    db.one(sql`
      select
        pg_is_in_recovery() and coalesce(${ours}::text = ${cluster}, true) as "isOurs",
        pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as "hasAll"`)
  )
}

/** Why somebody does not answer stands in the log already, or is of no interest: it may be in recovery, or going down. */
async function inTime<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  return await Promise.race([answer.catch(() => undefined), sleep(answerMs, undefined, { ref: false })])
}

const isNotFound = (error: unknown) => error instanceof Problem && error.status === 404
