import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Settings } from '#platform/config.ts'
import { openStore } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { prepareQueue } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import { aggregateMetrics, type MetricValues } from '#platform/metrics.ts'
import { migrations } from '../support/migrations.ts'

/** What the first process tells one of those that serve. */
export type PrimaryMessage = { connection: ClientConfig } | { question: number } | { answer: number; text: string }
/** What one of those that serve tells the first. */
export type WorkerMessage =
  | { hears: true }
  | { greeting: string }
  | { question: number; figures: MetricValues }
  | { wants: number }

/** A process that ended is followed by another one after a pause, which grows while they end before they serve. */
const restartDelayMs = { first: 100, longest: 5000 }
/** While nobody serves, so many in a row that never came to serve are enough to see that none will. */
const failuresMax = 3
/** One that does not tell its figures in this time is left out of the sum. */
const metricsTimeoutMs = 1000
/** Like one process alone: supervisors wait ten seconds. */
const stopTimeoutMs = 9500

interface RunningWorker {
  worker: Worker
  /** Undefined if it ended before it served. */
  greeting: Promise<string | undefined>
  /** How it ended. */
  ended: Promise<string>
}

/**
 * Runs as many processes on one port as the settings say. This one has the embedded store, if that is used, makes the
 * tables before anybody serves, and has a process that ended followed by another; it answers no requests itself.
 */
export async function runPrimary(settings: Settings, log: Log): Promise<void> {
  const store = await openStore(settings, 'serving', log)
  const running = new Set<RunningWorker>()
  const serving = new Set<Worker>()
  let isStopping = false
  let failures = 0

  function begin(): RunningWorker {
    const worker = cluster.fork()
    const ended = once(worker, 'exit').then(([code, signal]) => String(signal ?? `exit code ${code}`))
    const greeting = new Promise<string | undefined>(resolve => {
      worker.on('message', (message: WorkerMessage) => {
        if ('hears' in message) send(worker, { connection: store.connection })
        else if ('greeting' in message) {
          serving.add(worker)
          log.info(`${serving.size} of ${settings.workers} processes serve`)
          resolve(message.greeting)
        } else if ('wants' in message) void tellFigures(worker, message.wants)
      })
      ended.then(() => resolve(undefined))
    })
    const one = { worker, greeting, ended }
    running.add(one)
    ended.then(() => {
      running.delete(one)
      serving.delete(worker)
    })
    return one
  }

  /** Has one of them run for as long as this process does. */
  async function keep(first: RunningWorker): Promise<void> {
    let pause = restartDelayMs.first
    for (let one = first; ; one = begin()) {
      const hasServed = (await one.greeting) !== undefined
      const how = await one.ended
      if (isStopping) return
      failures = hasServed ? 0 : failures + 1
      pause = hasServed ? restartDelayMs.first : Math.min(pause * 2, restartDelayMs.longest)
      if (serving.size === 0 && failures >= failuresMax) {
        log.error({ how }, `${failures} processes in a row ended before they served: giving up`)
        await stop(1)
      }
      log.error({ how }, `one of ${settings.workers} processes ended; another one starts in ${pause} ms`)
      await sleep(pause)
      if (isStopping) return
    }
  }

  async function tellFigures(worker: Worker, answer: number): Promise<void> {
    const figures = await Promise.all([...serving].map(requestMetrics))
    send(worker, { answer, text: await aggregateMetrics(figures.filter(one => one !== undefined)) })
  }

  async function stop(code: number): Promise<never> {
    isStopping = true
    const late = sleep(stopTimeoutMs, 'late', { ref: false })
    for (const { worker } of running) worker.process.kill('SIGTERM')
    const all = Promise.all([...running].map(({ ended }) => ended)).then(async () => await store.close())
    if ((await Promise.race([all, late])) === 'late') {
      log.error('could not stop in time')
      for (const { worker } of running) worker.process.kill('SIGKILL')
      process.exit(1)
    }
    log.info('stopped')
    process.exit(code)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!isStopping) {
        log.info({ signal }, 'stopping')
        void stop(0)
      } else if (signal === 'SIGINT') {
        // Somebody does not want to wait; a second SIGTERM changes nothing.
        process.exit(130)
      }
    })
  }

  try {
    await migrate(store, migrations, log)
    await prepareQueue(store, log)
    // With the figures of a database that is away, which are not numbers.
    cluster.setupPrimary({ serialization: 'advanced' })
    // One alone at first: what keeps it from serving is said once.
    const first = begin()
    const greeting = await first.greeting
    if (greeting === undefined) {
      if (!isStopping) await failed(first)
      return
    }
    console.log(greeting)
    void keep(first)
    for (let others = 1; others < settings.workers && !isStopping; others += 1) void keep(begin())
  } catch (error) {
    await store.close()
    throw error
  }

  /** It has said itself why, unless somebody killed it. */
  async function failed({ ended }: RunningWorker): Promise<void> {
    const how = await ended
    await store.close()
    process.exitCode = 1
    if (!how.startsWith('exit code')) throw new Error(`The first process was ended by ${how} before it served.`)
  }
}

/** Undefined of one that ends meanwhile, or has no time to answer. */
async function requestMetrics(worker: Worker): Promise<MetricValues | undefined> {
  requestCount += 1
  const question = requestCount
  let answered = (_: MetricValues | undefined) => {}
  const hear = (message: WorkerMessage) => {
    if ('question' in message && message.question === question) answered(message.figures)
  }
  worker.on('message', hear)
  try {
    return await new Promise<MetricValues | undefined>(resolve => {
      answered = resolve
      setTimeout(resolve, metricsTimeoutMs, undefined).unref()
      send(worker, { question })
    })
  } finally {
    worker.off('message', hear)
  }
}

let requestCount = 0

/** One that has just ended hears nothing any more, and that is known from its end. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, ignoreClosedChannel)
}

function ignoreClosedChannel(): void {}
