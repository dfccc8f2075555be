import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { RestoreRequest } from '#platform/backup/files/operations.ts'
import { loadSettings, type Settings } from '#platform/config.ts'
import { openStore } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { prepareQueue } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import { aggregateMetrics, type MetricValues } from '#platform/metrics.ts'
import { newRestoreStarter } from '../server/start-restore.ts'
import { migrations } from '../support/migrations.ts'

/** IPC messages from the primary to a worker. */
export type PrimaryMessage =
  | { type: 'connection'; connection: ClientConfig }
  | { type: 'metrics-request'; id: number }
  | { type: 'all-metrics'; id: number; text: string }
  | { type: 'listen' }
  | { type: 'restore-started'; id: number; isStarted: boolean }
/** IPC messages from a worker to the primary. */
export type WorkerMessage =
  | { type: 'started' }
  | { type: 'serving'; greeting: string }
  | { type: 'metrics'; id: number; metrics: MetricValues }
  | { type: 'all-metrics-request'; id: number }
  /** Waits for `listen` before it uses the port. */
  | { type: 'ready-to-listen' }
  | { type: 'restore-request'; id: number; request: RestoreRequest; port: number }

/** Delay before a worker that exited is restarted; doubles while workers exit before they serve. */
const restartDelayMs = { first: 100, longest: 5000 }
/** Give up after this many consecutive workers exited before they served, while no other worker serves. */
const failuresMax = 3
/** A worker that does not report its metrics in this time is left out of the sum. */
const metricsTimeoutMs = 1000
/** Same as with a single process: supervisors wait ten seconds before they kill. */
const stopTimeoutMs = 9500
const stopSignals = ['SIGTERM', 'SIGINT'] as const

interface RunningWorker {
  worker: Worker
  /** Undefined if the worker exited before it served. */
  greeting: Promise<string | undefined>
  /** Signal or exit code. */
  ended: Promise<string>
}

/**
 * Runs `settings.workers` processes on one port. The primary owns the embedded database, if it is used, migrates before
 * any worker serves, and restarts workers that exit; it handles no requests itself. To restore a backup it stops all
 * workers and starts again; `beforeListen` is called before the first worker uses the port.
 */
export async function runPrimary(settings: Settings, log: Log, beforeListen = async () => {}): Promise<void> {
  const store = await openStore(settings, 'serving', log)
  const running = new Set<RunningWorker>()
  const serving = new Set<Worker>()
  let isStopping = false
  let failures = 0
  let portReleased: Promise<void> | undefined
  const startRestore = newRestoreStarter({
    settings,
    log,
    serveAgain: async ({ port, beforeListen: closePage }) => {
      await runPrimary({ ...loadSettings(), port }, log, closePage)
      // The first worker did not start, and has printed the reason.
      if (process.exitCode === 1) process.exit()
    }
  })

  function startWorker(): RunningWorker {
    // After a restore the port is the same, also if any was to be chosen.
    const worker = cluster.fork({ PORT: String(settings.port) })
    const ended = once(worker, 'exit').then(([code, signal]) => String(signal ?? `exit code ${code}`))
    const greeting = new Promise<string | undefined>(resolve => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'started') send(worker, { type: 'connection', connection: store.connection })
        else if (message.type === 'serving') {
          serving.add(worker)
          log.info(`${serving.size} of ${settings.workers} processes ready`)
          resolve(message.greeting)
        } else if (message.type === 'all-metrics-request') void sendAllMetrics(worker, message.id)
        else if (message.type === 'ready-to-listen') void releasePort(worker)
        else if (message.type === 'restore-request') {
          const { id, request, port } = message
          const isStarted = !isStopping && startRestore(request, { port, stop: stopForRestore })
          send(worker, { type: 'restore-started', id, isStarted })
        }
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

  /** Restarts this worker whenever it exits, until the primary stops. */
  async function keepRunning(first: RunningWorker): Promise<void> {
    let pause = restartDelayMs.first
    for (let one = first; ; one = startWorker()) {
      const hasServed = (await one.greeting) !== undefined
      const how = await one.ended
      if (isStopping) return
      failures = hasServed ? 0 : failures + 1
      pause = hasServed ? restartDelayMs.first : Math.min(pause * 2, restartDelayMs.longest)
      if (serving.size === 0 && failures >= failuresMax) {
        log.error({ how }, `${failures} consecutive process start failures; giving up`)
        await stop(1)
      }
      log.error({ how }, `one of ${settings.workers} processes exited; restarting in ${pause} ms`)
      await sleep(pause)
      if (isStopping) return
    }
  }

  async function sendAllMetrics(worker: Worker, id: number): Promise<void> {
    const collected = await Promise.all([...serving].map(requestMetrics))
    const text = await aggregateMetrics(collected.filter(one => one !== undefined))
    send(worker, { type: 'all-metrics', id, text })
  }

  async function releasePort(worker: Worker): Promise<void> {
    portReleased ??= beforeListen()
    await portReleased
    send(worker, { type: 'listen' })
  }

  /** Ends all workers, then the store. Returns whether that took no longer than it may; workers that do are killed. */
  async function endAll(): Promise<boolean> {
    isStopping = true
    const late = sleep(stopTimeoutMs, 'late', { ref: false })
    for (const { worker } of running) worker.process.kill('SIGTERM')
    const all = Promise.all([...running].map(({ ended }) => ended)).then(async () => await store.close())
    if ((await Promise.race([all, late])) !== 'late') return true
    log.error('shutdown timed out')
    for (const { worker } of running) worker.process.kill('SIGKILL')
    return false
  }

  async function stop(code: number): Promise<never> {
    if (!(await endAll())) process.exit(1)
    log.info('stopped')
    process.exit(code)
  }

  async function stopForRestore(): Promise<void> {
    log.info('stopping all processes to restore a backup')
    for (const signal of stopSignals) process.off(signal, onSignal)
    if (!(await endAll())) throw new Error('The processes did not end in time.')
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (!isStopping) {
      log.info({ signal }, 'stopping')
      void stop(0)
    } else if (signal === 'SIGINT') {
      // A second Ctrl-C ends at once; a second SIGTERM changes nothing.
      process.exit(130)
    }
  }

  for (const signal of stopSignals) process.on(signal, onSignal)

  try {
    await migrate(store, migrations, log)
    await prepareQueue(store, log)
    // Metrics contain NaN while the database is unavailable, which JSON serialization would lose.
    cluster.setupPrimary({ serialization: 'advanced' })
    // Starts one worker alone first, so that an error at start is printed once.
    const first = startWorker()
    const greeting = await first.greeting
    if (greeting === undefined) {
      if (!isStopping) await reportFailedStart(first)
      return
    }
    console.log(greeting)
    void keepRunning(first)
    for (let others = 1; others < settings.workers && !isStopping; others += 1) void keepRunning(startWorker())
  } catch (error) {
    await store.close()
    throw error
  }

  /** The worker has printed the reason itself, unless a signal killed it. */
  async function reportFailedStart({ ended }: RunningWorker): Promise<void> {
    const how = await ended
    await store.close()
    process.exitCode = 1
    if (!how.startsWith('exit code')) throw new Error(`The first process was terminated by ${how} during start-up.`)
  }
}

/** Undefined if the worker exits meanwhile or does not reply in time. */
async function requestMetrics(worker: Worker): Promise<MetricValues | undefined> {
  requestCount += 1
  const id = requestCount
  let resolveMetrics = (_: MetricValues | undefined) => {}
  const receive = (message: WorkerMessage) => {
    if (message.type === 'metrics' && message.id === id) resolveMetrics(message.metrics)
  }
  worker.on('message', receive)
  try {
    return await new Promise<MetricValues | undefined>(resolve => {
      resolveMetrics = resolve
      setTimeout(resolve, metricsTimeoutMs, undefined).unref()
      send(worker, { type: 'metrics-request', id })
    })
  } finally {
    worker.off('message', receive)
  }
}

let requestCount = 0

/** Skips a worker that has just exited: its `exit` event handles that. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, ignoreClosedChannel)
}

function ignoreClosedChannel(): void {}
