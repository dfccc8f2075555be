import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getNativeFolder } from '#platform/database/embedded/bundled-binaries.ts'
import { serveEmbedded } from '#platform/database/embedded/store.ts'
import { runAsOwner, silent } from './database.ts'
import { installFromDebian, isRoot, mustRun } from './debian.ts'

/** A temporary PostgreSQL for tests or measurements. */
export interface TestServer {
  url: string
  stop(): Promise<void>
}

export async function startEmbeddedServer(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kalends-tests-'))
  // Several test files run at a time, each with its own services and processes.
  const embedded = await serveEmbedded({ dataDir, log: silent, processes: 20 })
  const { host, port, user } = embedded.connection
  const url = `postgres://${user}@${encodeURIComponent(host)}:${port}/postgres`
  await saveProcessorTime(url)
  return {
    url,
    stop: async () => {
      await embedded.stop()
      rmSync(dataDir, { recursive: true })
    }
  }
}

/** Disables fsync, autovacuum and others: databases of tests exist for seconds, and need not survive a crash of the machine. */
async function saveProcessorTime(url: string): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum', 'jit']) {
    await runAsOwner(url, `alter system set ${setting} = off`)
  }
  await runAsOwner(url, 'select pg_reload_conf()')
}

/** Enough for several test files at a time, each with its own services and processes. A standby needs as many as its primary. */
export const connectionsMax = 500

/** A server that a test may stop and kill. */
export interface RealServer extends TestServer {
  /** The id of its main process. */
  pid(): number
  /** The ids of all its processes, the main process last. */
  pids(): number[]
  /** Starts it again on the same data; resolves when it accepts queries. */
  start(): Promise<void>
  /** True while its main process runs. */
  isRunning(): boolean
}

/** Options that differ from the defaults. */
export interface ServerOptions {
  /** Existing folders for its data and for its write-ahead log. */
  folder?: string
  walFolder?: string
  /** The role that owns it. */
  owner?: string
  port?: number
  /** More arguments of initdb. */
  initdb?: string[]
  settings?: Record<string, string | number>
}

/** Starts the PostgreSQL of Debian. Its URL uses TCP, or a Unix socket. */
export async function startPostgresServer(
  over: 'tcp' | 'socket' = 'tcp',
  options: ServerOptions = {}
): Promise<RealServer> {
  const binaries = await findServer()
  const { folder = mkdtempSync(join(tmpdir(), 'kalends-server-')), walFolder, owner = 'kalends' } = options
  const data = join(folder, 'data')
  const wal = walFolder === undefined ? undefined : join(walFolder, 'wal')
  const asUser = isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : []
  for (const created of [data, wal]) {
    if (created === undefined) continue
    mkdirSync(created, { mode: 0o700 })
    if (isRoot) mustRun(['chown', 'postgres:postgres', created])
  }
  if (isRoot) chmodSync(folder, 0o755)
  const initdb = [join(binaries, 'initdb'), '-D', data, '-U', owner, '--auth=trust', '--encoding=UTF8']
  const walArguments = wal === undefined ? [] : ['--waldir', wal]
  mustRun([...asUser, ...initdb, '--locale=C.UTF-8', '-N', ...walArguments, ...(options.initdb ?? [])])

  const port = options.port ?? (await findFreePort())
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    // In the data folder, which only the user of the server and root can enter.
    unix_socket_directories: over === 'socket' ? data : '',
    max_connections: connectionsMax,
    ...options.settings
  }
  const settingArguments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program = '', ...programArguments] = [...asUser, join(binaries, 'postgres'), '-D', data, ...settingArguments]
  const url = `postgres://${owner}@${over === 'socket' ? encodeURIComponent(data) : '127.0.0.1'}:${port}/postgres`
  const launch = () => spawn(program, programArguments, { stdio: 'ignore' })
  let child = launch()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  await waitUntilReady(url)
  const pid = () => child.pid ?? 0

  return {
    url,
    pid,
    pids: () => [...listChildPids(pid()), pid()],
    isRunning,
    start: async () => {
      await waitUntilReady(url, () => {
        // Remaining processes of a killed server hold its shared memory until they exit: starting is tried again.
        if (!isRunning()) child = launch()
      })
    },
    stop: async () => {
      if (isRunning()) {
        child.kill('SIGINT')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, maxRetries: 10 })
    }
  }
}

export function listChildPids(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
}

/** The folder with the programs of PostgreSQL. Installs it as root; without root and without it, returns the bundled programs. */
export async function findServer(): Promise<string> {
  if (findDebianServer() === undefined) installFromDebian('PostgreSQL', 'postgresql')
  const found = findDebianServer()
  if (found !== undefined) return found
  console.log('PostgreSQL is not installed and cannot be installed without root: the bundled one is used instead.')
  return join(getNativeFolder(), 'bin')
}

export function findDebianServer(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    : []
  return versions.map(version => `/usr/lib/postgresql/${version}/bin`).find(bin => existsSync(join(bin, 'initdb')))
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

export async function waitUntilReady(url: string, before = () => {}): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    before()
    try {
      return await runAsOwner(url, 'select 1')
    } catch {
      await sleep(100)
    }
  }
  throw new Error('The PostgreSQL server did not start within 15 seconds.')
}
