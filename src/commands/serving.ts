import { bringKey } from '#fundraising/sealing/key.ts'
import { startSealing } from '#platform/activity-chain/activity-chain.ts'
import type { Settings } from '#platform/config.ts'
import { startCourier } from '#platform/courier/courier.ts'
import type { Store } from '#platform/database.ts'
import { type Job, prepareQueue, startWorker } from '#platform/jobs.ts'
import { canHaveLocalCallers } from '#platform/local/direct.ts'
import { rememberAdminKey } from '#platform/local/queries.ts'
import type { Log } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { type Example, newServer, type Server, type Service, type Subject } from '#platform/service.ts'
import { newSetupToken } from '#platform/setup/setup.ts'
import { migrations } from './migrations.ts'

/** Whoever waits longer than this to stop is ended: what supervises us would do it otherwise, and less politely. */
const stopWithinMs = 9500

export interface Serving {
  settings: Settings
  store: Store
  log: Log
  parts: () => ((settings: Settings) => Service)[]
  jobsOf: (settings: Settings) => Job[]
  subjectsOf: (settings: Settings) => Record<string, Subject>
  /** Another process has made the tables. */
  isPrepared?: boolean
  /** Says that it serves. */
  announce?: (greeting: string) => void
}

/** Starts everything, says so, and stops it in order when asked to. */
export async function serve({
  settings,
  store,
  log,
  parts,
  jobsOf,
  subjectsOf,
  isPrepared = false,
  announce = console.log
}: Serving): Promise<Server> {
  const opened: (() => Promise<void>)[] = [store.close]
  try {
    const services = parts().map(part => part(settings))
    if (!isPrepared) {
      await migrate(store, migrations, log)
      await prepareQueue(store, log)
    }
    // Pages that run apart ask the services for everything: they need no key, unless they were given one for the jobs.
    const isApart =
      settings.apiUrl !== undefined && services.length > 0 && services.every(service => service.isForPeople)
    if (!isApart || settings.encryptionKey !== undefined) sayWhere(await bringKey(store, settings), settings, log)
    if (settings.adminKey !== undefined) await rememberAdminKey(store, new Date())
    const server = await newServer(services, store, settings, log, subjectsOf(settings))
    opened.unshift(server.drain)

    const isWorker = services.length === 0
    // Whoever reaches a worker can ask it how it does, and nothing else.
    const protectedMode = !isWorker && (await server.access.isProtectedMode())
    const hasPages = services.some(({ isForPeople }) => isForPeople === true)
    const setupToken = hasPages || protectedMode ? await newSetupToken(store) : undefined
    const address = await listen(server.app, settings)
    if (isWorker || settings.worker) {
      const worker = await startWorker(store, jobsOf(settings), log)
      // Messages are signed with secrets that only processes with the key can open.
      const courier =
        settings.encryptionKey === undefined
          ? undefined
          : startCourier({
              db: store,
              keys: settings,
              subjects: subjectsOf(settings),
              origin: settings.publicUrl ?? address,
              allowPrivate: settings.allowPrivateAddresses,
              log,
              count: server.metrics.countAttempt
            })
      const sealing = startSealing(store, log)
      opened.splice(1, 0, async () => void (await Promise.all([worker.stop(), courier?.stop()])), sealing.stop)
    }
    stopWhenAsked(opened, log)
    announce(
      isWorker
        ? greetingOfWorker(settings, address)
        : greeting({ settings, services, address, protectedMode, setupToken })
    )
    if (protectedMode) log.warn(`protected mode: ${describeProtectedMode(settings)}`)
    return server
  } catch (error) {
    await closeAll(opened, log)
    throw error
  }
}

/** Who loses it loses account numbers and secrets, and a backup does not have it. */
function sayWhere({ madeIn }: { madeIn?: string }, { databaseUrl }: Settings, log: Log): void {
  if (madeIn === undefined) return
  const words = 'made the key that account numbers and secrets are sealed with: keep a copy of it, apart from backups'
  // The data folder of somebody who has a server is easily thought to hold nothing.
  log[databaseUrl === undefined ? 'info' : 'warn']({ file: madeIn }, words)
}

const describeProtectedMode = (settings: Settings) =>
  canHaveLocalCallers(settings)
    ? 'neither key nor account exists yet, so whoever runs programs on this machine as the same user may change campaigns and the calendar; all other changes need the setup token'
    : 'neither key nor account exists yet. Everybody may read and donate; every change needs the setup token'

async function listen(app: { listen(options: object): Promise<string> }, settings: Settings): Promise<string> {
  try {
    return await app.listen({ host: settings.host, port: settings.port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${settings.port} is taken by another program. Set PORT to a free one, or to 0.`)
  }
}

function stopWhenAsked(opened: (() => Promise<void>)[], log: Log): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      // The second Ctrl-C of somebody who does not want to wait; a second SIGTERM changes nothing.
      if (signal === 'SIGINT') process.exit(130)
      return
    }
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('could not stop in time')
      process.exit(1)
    }, stopWithinMs).unref()
    await closeAll(opened, log)
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** In order. What cannot be closed, because the database is away perhaps, must not keep the rest open. */
async function closeAll(opened: (() => Promise<void>)[], log: Log): Promise<void> {
  for (const close of opened) {
    try {
      await close()
    } catch (error) {
      log.warn({ err: error }, 'not everything could be stopped in order')
    }
  }
}

function greeting({
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
    ? `protected mode: ${describeProtectedMode(settings)}.\n          Set the site up, or make a key, to end it: ./kalends key create --name me --role admin`
    : 'keys or accounts are required for everything but reading and donating.'
  const hasPages = services.some(({ isForPeople }) => isForPeople === true)
  const setup =
    setupToken === undefined
      ? ''
      : hasPages
        ? `  Set up: open this link to make the first account. It works until somebody has done so; keep it to yourself.
          ${settings.publicUrl ?? address}/admin/setup?token=${setupToken}
`
        : `  Set up: this is the setup token, to be sent as a key is. It works until somebody has an account; keep it to yourself.
          ${setupToken}
`
  const shown = services.length === 1 ? 3 : 2
  const lines = services
    .flatMap(({ examples }, index) => examples.slice(0, index === 0 ? shown : 1))
    .map(example => line(address, key, example))
  return `
Kalends is listening at ${address} and serves ${names.format(services.map(service => service.name))}.
  Store:  ${storeOf(settings)}
  Mode:   ${mode}
${setup}
Try it:
  ${lines.join('\n  ')}
`
}

const storeOf = ({ databaseUrl, dataDir }: Settings) =>
  databaseUrl === undefined ? `embedded PostgreSQL in ${dataDir}` : 'the PostgreSQL server of DATABASE_URL'

const greetingOfWorker = (settings: Settings, address: string) => `
Kalends is listening at ${address} and does what is done later. It serves nothing but /livez, /readyz, /health and /metrics.
  Store:  ${storeOf(settings)}
`

const names = new Intl.ListFormat('en-GB')

/** A request to copy into a shell. */
function line(address: string, key: string, { path, body, open }: Example): string {
  const credentials = body === undefined || open === true ? '' : key
  const data = body === undefined ? '' : ` -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`
  return `curl${credentials}${data} ${address}${path}`
}
