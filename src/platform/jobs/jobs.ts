import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type LogLevel, parseCronItems, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Database, Store } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Log } from '../log.ts'

/**
 * Work that is done later, by name. A job may run twice, so it begins by looking whether there is anything to do;
 * it takes ids and looks things up itself.
 */
export interface Job {
  name: string
  /** `stopping`: the process is about to end; what takes long should leave off where another can go on. */
  run(db: Database, payload: unknown, stopping: AbortSignal): Promise<void>
  /** When it runs by itself, in cron's words. */
  schedule?: string
}

export interface Worker {
  stop(): Promise<void>
}

/** Puts a job in the queue. Inside a transaction it is there when the transaction is. The same key is in the queue once. */
export async function enqueue(
  db: Database,
  name: string,
  { payload = {}, key }: { payload?: object; key?: string } = {}
): Promise<void> {
  await db.run(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null}::text)`)
}

/** What waits in the queue, for those who watch it. */
export async function findQueueCounts(db: Database): Promise<{ due: number; overdueSeconds: number; failed: number }> {
  return await db.one(sql`
    select
      count(*) filter (where attempts < max_attempts)::int as due,
      coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts)), 0)::float8 as "overdueSeconds",
      count(*) filter (where attempts >= max_attempts)::int as failed
    from graphile_worker.jobs
    where run_at <= now()`)
}

/** How long a nudge waits for others, so that a busy second makes one job. */
const debounceMs = 250

/** Asks for jobs at most once in a while, after the fact: what is lost with the process, the schedule catches up with. */
export function newDebouncedEnqueuer(db: Database, log: Log): { soon(job: string): void; close(): void } {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    soon: job => {
      if (timers.has(job)) return
      const send = () => {
        timers.delete(job)
        enqueue(db, job, { key: job }).catch(error => log.warn({ err: error, job }, 'a job could not be asked for'))
      }
      timers.set(job, setTimeout(send, debounceMs).unref())
    },
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }
}

const concurrency = 2
/** Jobs start at once by a notification; this is for those whose notification was lost. */
const pollIntervalMs = 5000
/** What the worker asks the queue is answered at once, or not at all. */
const queryTimeoutMs = 5000
/** Longer than that: what has not ended then waits for a database that is away. */
const stopTimeoutMs = 6000
/** How long a worker that gave up rests before it starts again. */
const restartDelayMs = 1000

/** Makes the queue's own tables. */
export async function prepareQueue(store: Store, log: Log): Promise<void> {
  const pool = newPool(store, log)
  try {
    await runMigrations({ pgPool: pool, logger: toWorkerLogger(log) })
  } finally {
    await pool.end()
  }
}

export async function startWorker(store: Store, jobs: Job[], log: Log): Promise<Worker> {
  /** Of the queue as it runs now, with the connections that it has. */
  let end: (() => Promise<void>) | undefined
  let isStopping = false
  const stopping = new AbortController()

  async function start(): Promise<void> {
    const pool = newPool(store, log, { connectionTimeoutMillis: queryTimeoutMs, query_timeout: queryTimeoutMs })
    const events: WorkerEvents = new EventEmitter()
    const workerFailed = new Promise<void>(resolve => {
      events.once('pool:fatalError', () => resolve())
      // It would go on, with pauses, until each of its connections has failed once.
      events.once('worker:getJob:error', () => resolve())
    })
    try {
      const runner = await run({
        pgPool: pool,
        events,
        logger: toWorkerLogger(log),
        noHandleSignals: true,
        concurrency: concurrency,
        pollInterval: pollIntervalMs,
        taskList: Object.fromEntries(
          jobs.map(job => [job.name, async (payload: unknown) => await job.run(store, payload, stopping.signal)])
        ),
        parsedCronItems: parseCronItems(
          jobs.flatMap(job =>
            job.schedule === undefined ? [] : [{ task: job.name, match: job.schedule, identifier: job.name }]
          )
        ),
        // With these a runner gives up when it cannot write down how a job went; without them the whole process would.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
      })
      end = async () => {
        await runner.stop().catch(ignoreAlreadyStopped)
        await pool.end()
      }
      Promise.race([workerFailed, runner.promise]).then(restart, restart)
    } catch (error) {
      await pool.end()
      throw error
    }
  }

  /**
   * The database was away, and whatever is connected to it may be dead without a sign: all is made anew. What the runner of
   * before still does ends by itself or not at all, so nobody waits for it.
   */
  async function restart(): Promise<void> {
    if (isStopping) return
    end?.().catch(error => log.warn({ err: error }, 'connections of the worker could not be closed'))
    end = undefined
    await sleep(restartDelayMs, undefined, { ref: false })
    if (isStopping) return
    try {
      await start()
    } catch (error) {
      log.warn({ err: error }, 'the worker could not start again')
      return await restart()
    }
  }

  await start()
  return {
    stop: async () => {
      isStopping = true
      stopping.abort()
      await Promise.race([end?.(), sleep(stopTimeoutMs, undefined, { ref: false })])
    }
  }
}

/** It stopped by itself a moment before. */
function ignoreAlreadyStopped(): void {}

function newPool(store: Store, log: Log, timeouts: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...store.connection,
    max: concurrency + 2,
    application_name: 'kalends worker',
    keepAlive: true,
    // Not in the typings yet. With it a client that did not answer in time is closed and not used again.
    ...{ pipeline: true },
    ...timeouts
  })
  // A pool ends before all of its clients have: what breaks them then is of no interest.
  const onError = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'a connection of the worker broke')
  }
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  patchDoubleRelease(pool)
  return pool
}

/** Without a client there is nothing to give back either, whatever the typings say. */
type Release = (() => void) | undefined
type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void

/**
 * When a connection breaks while it stops, the queue gives the client that listens back twice, and does not catch what the
 * pool says to that: it would be the end of the process.
 */
function patchDoubleRelease(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  const once = (release: Release) => {
    let left = release
    return () => {
      left?.()
      left = undefined
    }
  }
  pool.connect = ((borrower?: ConnectCallback) =>
    borrower === undefined
      ? connect()
      : connect((error, client, release) => borrower(error, client, once(release)))) as pg.Pool['connect']
}

/** The queue's own words, at the levels of our log; its everyday ones are for debugging. */
function toWorkerLogger(log: Log): Logger {
  const levels: Record<LogLevel, keyof Log> = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' }
  return new Logger(() => (level, message) => log[levels[level]]({ part: 'worker' }, message))
}
