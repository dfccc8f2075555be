import type { AddressInfo } from 'node:net'
import { loadOrCreateKey } from '#fundraising/encryption/key.ts'
import { rememberAdminKey } from '#platform/auth/local-access/queries.ts'
import type { RestoreRequest } from '#platform/backup/files/operations.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { canHaveLocalCallers } from '#platform/http/client-address.ts'
import type { ActivityType, Example, Service } from '#platform/http/service.ts'
import { type Job, prepareQueue } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import { createServer, type Server } from '#platform/server.ts'
import { newSetupToken } from '#platform/setup/setup.ts'
import { migrations } from '../support/migrations.ts'
import { startBackgroundWork } from './background-work.ts'
import { newBackupOperations } from './backup-operations.ts'
import { startWarmUp } from './warm-up.ts'

/** Exits by force after this: otherwise the supervisor would kill the process. */
const stopTimeoutMs = 9500

export interface ServeOptions {
  settings: Settings
  store: Store
  log: Log
  parts: () => ((settings: Settings) => Service)[]
  listJobs: (settings: Settings, log: Log) => Job[]
  listActivityTypes: (settings: Settings) => Record<string, ActivityType>
  /** The primary process has migrated the database. */
  isPrepared?: boolean
  /** Prints that the server is ready. */
  announce?: (greeting: string) => void
  /** Called right before the server listens. */
  beforeListen?: (() => Promise<void>) | undefined
  /** Begins to restore a backup, for which the server has to stop; false if a restore has already begun. */
  startRestore(request: RestoreRequest, server: StoppableServer): boolean | Promise<boolean>
}

/** A server that makes room for a restore. */
export interface StoppableServer {
  port: number
  stop(): Promise<void>
}

/** Starts all parts, announces it, and shuts them down in order on a signal. */
export async function serve({
  settings,
  store,
  log,
  parts,
  listJobs,
  listActivityTypes,
  isPrepared = false,
  announce = console.log,
  beforeListen,
  startRestore
}: ServeOptions): Promise<Server> {
  const opened: (() => Promise<void>)[] = [store.close]
  let stopForRestore: (() => Promise<void>) | undefined
  let port = settings.port

  try {
    const services = parts().map(part => part(settings))
    if (!isPrepared) {
      await migrate(store, migrations, log)
      await prepareQueue(store, log)
    }
    // A web-only process calls the APIs over HTTP and needs no encryption key, unless it got one for background jobs.
    const isApart =
      settings.apiUrl !== undefined && services.length > 0 && services.every(service => service.rendersHtml)
    if (!isApart || settings.encryptionKey !== undefined)
      logKeyLocation(await loadOrCreateKey(store, settings), settings, log)
    if (settings.adminKey !== undefined) await rememberAdminKey(store, new Date())
    const server = await createServer(services, {
      store,
      settings,
      log,
      otherActivityTypes: listActivityTypes(settings),
      backups: {
        ...newBackupOperations(settings),
        startRestore: request => stopForRestore !== undefined && startRestore(request, { port, stop: stopForRestore })
      }
    })
    opened.unshift(server.drain)

    const isWorker = services.length === 0
    // A worker process serves health checks only.
    const protectedMode = !isWorker && (await server.authenticator.isProtectedMode())
    const hasPages = services.some(({ rendersHtml }) => rendersHtml === true)
    const setupToken = hasPages || protectedMode ? await newSetupToken(store) : undefined
    await beforeListen?.()
    const address = await listen(server.app, settings)
    const signals = stopOnSignal(opened, log)
    stopForRestore = async () => {
      signals.remove()
      await closeAll(opened, log)
    }
    port = (server.app.server.address() as AddressInfo).port
    announce(
      isWorker
        ? formatWorkerGreeting(settings, address)
        : formatGreeting({ settings, services, address, protectedMode, setupToken })
    )
    const warmUp = startWarmUp({ app: server.app, services, host: new URL(settings.publicUrl ?? address).host, log })
    // Its last request ends while the server drains, and needs the store.
    opened.splice(-1, 0, warmUp.stop)
    opened.unshift(async () => void warmUp.stop())
    if (protectedMode) log.warn(`protected mode: ${describeProtectedMode(settings)}`)
    if (isWorker || settings.worker) {
      const jobs = listJobs(settings, log)
      const activityTypes = listActivityTypes(settings)
      const starting = startBackgroundWork({ settings, store, log, jobs, activityTypes, address, server })
      // Right after the server has drained.
      opened.splice(2, 0, async () => await (await starting).stop())
      await starting
    }
    return server
  } catch (error) {
    await closeAll(opened, log)
    throw error
  }
}

/** Losing the key loses account numbers and secrets, and backups do not contain it. */
function logKeyLocation({ madeIn }: { madeIn?: string }, { databaseUrl }: Settings, log: Log): void {
  if (madeIn === undefined) return
  const words = 'generated the encryption key for IBANs and secrets; store a copy separately from backups'
  // With a database server, the data folder is easily thought to be empty.
  log[databaseUrl === undefined ? 'info' : 'warn']({ file: madeIn }, words)
}

const describeProtectedMode = (settings: Settings) =>
  canHaveLocalCallers(settings)
    ? 'no API keys or users yet; processes of the same user on this machine may change campaigns and the calendar, all other changes need the setup token'
    : 'no API keys or users yet; reading and donating are public, every change needs the setup token'

async function listen(app: { listen(options: object): Promise<string> }, settings: Settings): Promise<string> {
  try {
    return await app.listen({ host: settings.host, port: settings.port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${settings.port} is already in use (EADDRINUSE). Set PORT to another port, or to 0 for any.`)
  }
}

function stopOnSignal(opened: (() => Promise<void>)[], log: Log): { remove(): void } {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      // A second Ctrl-C ends at once; a second SIGTERM changes nothing.
      if (signal === 'SIGINT') process.exit(130)
      return
    }
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('shutdown timed out')
      process.exit(1)
    }, stopTimeoutMs).unref()
    await closeAll(opened, log)
    log.info('stopped')
    process.exit(0)
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, stop)
  return {
    remove: () => {
      for (const signal of signals) process.off(signal, stop)
    }
  }
}

/** Closes in order. One part that fails to close (say, the database is unavailable) must not keep the rest open. */
async function closeAll(opened: (() => Promise<void>)[], log: Log): Promise<void> {
  for (const close of opened) {
    try {
      await close()
    } catch (error) {
      log.warn({ err: error }, 'error during shutdown')
    }
  }
}

/** An installed package has the command by npx, a checkout has a file. */
const commandName = import.meta.url.includes('/node_modules/') ? 'npx kalends' : './kalends'

function formatGreeting({
  settings,
  services,
  address,
  protectedMode,
  setupToken
}: {
  settings: Settings
  services: Service[]
  address: string
  protectedMode: boolean
  setupToken: string | undefined
}): string {
  const isOpenHere = protectedMode && canHaveLocalCallers(settings)
  const key = isOpenHere ? '' : ` -H "Authorization: Bearer ${protectedMode ? setupToken : '$KEY'}"`
  const mode = protectedMode
    ? `protected mode: ${describeProtectedMode(settings)}.\n          To end it, complete the setup or create a key: ${commandName} key create --name me --role admin`
    : 'API keys or users are required, except for reading and donating.'
  const hasPages = services.some(({ rendersHtml }) => rendersHtml === true)
  const setup =
    setupToken === undefined
      ? ''
      : hasPages
        ? `  Set up: open this link to create the first admin. It works until the first user exists; keep it secret.
          ${settings.publicUrl ?? address}/admin/setup?token=${setupToken}
`
        : `  Set up: the setup token, to be sent like an API key. It works until the first user exists; keep it secret.
          ${setupToken}
`
  const shown = services.length === 1 ? 3 : 2
  const lines = services
    .flatMap(({ examples }, index) => examples.slice(0, index === 0 ? shown : 1))
    .map(example => formatExample(address, key, example))
  return `
Kalends is listening at ${address} and serves ${listFormat.format(services.map(service => service.name))}.
  Store:  ${describeStore(settings)}
  Mode:   ${mode}
${setup}
Try it:
  ${lines.join('\n  ')}
`
}

const describeStore = ({ databaseUrl, dataDir }: Settings) =>
  databaseUrl === undefined ? `embedded PostgreSQL in ${dataDir}` : 'PostgreSQL server (DATABASE_URL)'

const formatWorkerGreeting = (settings: Settings, address: string) => `
Kalends is listening at ${address} as a worker: it runs background jobs and serves only /livez, /readyz, /health and /metrics.
  Store:  ${describeStore(settings)}
`

const listFormat = new Intl.ListFormat('en-GB')

/** A curl command to paste into a shell. */
function formatExample(address: string, key: string, { path, body, isPublic }: Example): string {
  const credentials = body === undefined || isPublic === true ? '' : key
  const data = body === undefined ? '' : ` -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`
  return `curl${credentials}${data} ${address}${path}`
}
export type StartOptions = Pick<
  ServeOptions,
  'settings' | 'log' | 'isPrepared' | 'announce' | 'beforeListen' | 'startRestore'
> & {
  opening: Promise<Store>
}
