import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type LogLevel, parseCronItems, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Database, Store } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Log } from '../log.ts'

/**
 * A named background job. It may run twice, so it first checks whether there is anything to do; its payload holds ids,
 * and it loads the rows itself.
 */
export interface Job {
  name: string
  /** `stopping`: the process is shutting down; a long job should stop where another process can continue. */
  run(db: Store, payload: unknown, stopping: AbortSignal): Promise<void>
  /** When it runs by itself, in cron syntax. */
  schedule?: string
  /** Its name in the release before: jobs that were queued under that name still run. For one release. */
  formerName?: string
}

export interface Worker {
  stop(): Promise<void>
}

/** Adds a job to the queue, inside a transaction when that commits. A key is in the queue at most once. */
export async function enqueue(
  db: Database,
  name: string,
  { payload = {}, key }: { payload?: object; key?: string } = {}
): Promise<void> {
  await db.run(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null}::text)`)
}

/** Counts the jobs in the queue, for monitoring. */
export async function findQueueCounts(db: Database): Promise<{ due: number; overdueSeconds: number; failed: number }> {
  return await db.one(sql`
    select
      count(*) filter (where attempts < max_attempts)::int as due,
      coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts)), 0)::float8 as "overdueSeconds",
      count(*) filter (where attempts >= max_attempts)::int as failed
    from graphile_worker.jobs
    where run_at <= now()`)
}

/** How long a request for a job waits for others, so that a busy second enqueues one job. */
const debounceMs = 250

/** Enqueues jobs after the commit, debounced. If the process dies first, the job's schedule makes up for it. */
export function newDebouncedEnqueuer(db: Database, log: Log): { enqueueSoon(job: string): void; close(): void } {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    enqueueSoon: job => {
      if (timers.has(job)) return
      const send = () => {
        timers.delete(job)
        enqueue(db, job, { key: job }).catch(error => log.warn({ err: error, job }, 'failed to enqueue job'))
      }
      timers.set(job, setTimeout(send, debounceMs).unref())
    },
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }
}

const concurrency = 2
/** Notifications start jobs at once; polling is for lost notifications. */
const pollIntervalMs = 5000
/** Queries of the queue are fast; a slower one gets no response at all. */
const queryTimeoutMs = 5000
/** Longer than a query timeout: whatever has not ended by then is waiting for an unavailable database. */
const stopTimeoutMs = 6000
/** Delay before a failed worker starts again. */
const restartDelayMs = 1000

/** Creates the tables of the queue. */
export async function prepareQueue(store: Store, log: Log): Promise<void> {
  const pool = newPool(store, log)
  try {
    await runMigrations({ pgPool: pool, logger: toWorkerLogger(log) })
  } finally {
    await pool.end()
  }
}

export async function startWorker(store: Store, jobs: Job[], log: Log): Promise<Worker> {
  /** Stops the current runner and closes its connections. */
  let end: (() => Promise<void>) | undefined
  let isStopping = false
  const stopping = new AbortController()

  async function start(): Promise<void> {
    const pool = newPool(store, log, { connectionTimeoutMillis: queryTimeoutMs, query_timeout: queryTimeoutMs })
    const events: WorkerEvents = new EventEmitter()
    const workerFailed = new Promise<void>(resolve => {
      events.once('pool:fatalError', () => resolve())
      // Restart on the first error: the runner would retry, with pauses, until each of its connections has failed once.
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
          jobs.flatMap(job => {
            const task = async (payload: unknown) => await job.run(store, payload, stopping.signal)
            const names = job.formerName === undefined ? [job.name] : [job.name, job.formerName]
            return names.map(name => [name, task])
          })
        ),
        parsedCronItems: parseCronItems(
          jobs.flatMap(job =>
            job.schedule === undefined ? [] : [{ task: job.name, match: job.schedule, identifier: job.name }]
          )
        ),
        // With these delays the runner stops if it cannot store a job's result; without them the whole process would.
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
   * The database was unavailable, and open connections may be dead without an error, so all are replaced. Does not wait
   * for the old runner: it ends by itself or never.
   */
  async function restart(): Promise<void> {
    if (isStopping) return
    end?.().catch(error => log.warn({ err: error }, 'failed to close connections of the worker'))
    end = undefined
    await sleep(restartDelayMs, undefined, { ref: false })
    if (isStopping) return
    try {
      await start()
    } catch (error) {
      log.warn({ err: error }, 'failed to restart the worker')
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

/** The runner had already stopped by itself. */
function ignoreAlreadyStopped(): void {}

function newPool(store: Store, log: Log, timeouts: pg.PoolConfig = {}): pg.Pool {
  const pool = new WorkerPool({
    ...store.connection,
    max: concurrency + 2,
    application_name: 'kalends worker',
    keepAlive: true,
    // Not in the typings yet. With it, pg closes a client whose query timed out instead of using it again.
    ...{ pipeline: true },
    ...timeouts
  })
  // A pool ends before its clients do: ignore their errors after that.
  const onError = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'database connection of the worker lost')
  }
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return pool
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/**
 * If a connection breaks while the queue stops, the queue releases its listening client twice and does not catch the
 * error of the pool, which would end the process. This pool ignores the second release.
 */
class WorkerPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return super.connect()
    super.connect((error, client, release) => {
      let isReleased = false
      callback(error, client, reason => {
        // Without a client there is no release function either, although the typings have one.
        if (!isReleased) release?.(reason)
        isReleased = true
      })
    })
    return undefined
  }
}

/** Maps the queue's log messages to our levels; its routine messages become debug. */
function toWorkerLogger(log: Log): Logger {
  const levels: Record<LogLevel, keyof Log> = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' }
  return new Logger(() => (level, message) => log[levels[level]]({ part: 'worker' }, message))
}
