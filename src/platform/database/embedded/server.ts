import { createHash, randomBytes } from 'node:crypto'
import { access, chmod, constants, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../log.ts'
import { chooseBinaries } from './binaries.ts'
import {
  type Binaries,
  chooseRunner,
  chownTo,
  hasCode,
  isServerOn,
  type LaunchedProcess,
  launch,
  makeDataDir,
  type Runner,
  readIfExists,
  readPidFile,
  socketName
} from './process.ts'

export const user = 'kalends'
export const database = 'kalends'
export const port = 5432

/** A unix socket's path has 108 bytes on Linux, 104 on macOS, and ends with a zero byte. */
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

/** A start that takes longer than this is logged. */
const startMs = 15_000
/** PostgreSQL's fast shutdown writes a checkpoint; after this long we ask for the immediate one. */
const stopMs = 10_000
/** In an immediate shutdown PostgreSQL itself kills after five seconds whatever does not end. */
const stopNowMs = 6000
const pollMs = 20
const logBytesMax = 10 * 1024 * 1024
const logLinesShown = 15
/** An unfinished first start this old is abandoned, even if its process id is in use again. */
const abandonedMs = 10 * 60_000

/** fsync and synchronous_commit are not mentioned because they are on by default and have to stay on. */
const settings = {
  listen_addresses: '',
  port: String(port),
  unix_socket_permissions: '0700',
  shared_buffers: '256MB',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  // One useless line every five minutes, in a file that is truncated only at the next start.
  log_checkpoints: 'off',
  // Statement errors quote row values, which must not be in a log; the caller gets them and logs them with care.
  log_min_messages: 'log'
}

/** One process opens at most 24; the rest is for commands and for manual inspection. */
const formatMaxConnections = (processes: number) => String(36 + 24 * processes)

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** How many processes use it, besides commands. */
  processes?: number
  /** The folder of PostgreSQL's programs, if one is configured. */
  postgresBin?: string | undefined
  /** Where to look for the system's programs. */
  systemFolder?: string | undefined
}

/** Everything that is known about a data folder before a server runs on it. */
export interface ServerContext {
  dataDir: string
  /** PostgreSQL's own folder. */
  dataFolder: string
  socketDir: string
  binaries: Binaries
  runner: Runner
  processes: number
  log: Log
}

export interface PostgresServer {
  /** Undefined if the server is in another container: its socket answers, but it cannot be signalled. */
  pid: number | undefined
  /** Only if this process started it. */
  launched: LaunchedProcess | undefined
}

export interface ServerSession {
  client: pg.Client
  ended: Promise<void>
}

/** Creates the folders, checks what can be checked without a server, and finds out how to run PostgreSQL here. */
export async function prepareServer(nativeDir: string | undefined, options: EmbeddedOptions): Promise<ServerContext> {
  const dataDir = resolve(options.dataDir)
  const dataFolder = join(dataDir, 'postgres')
  try {
    await makeDataDir(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `Kalends cannot create the data folder ${dataDir} or may not write to it. Change the owner of the folder, or set ` +
        'DATA_DIR to one that this user may write to.',
      { cause: error }
    )
  }
  const binaries = await chooseBinaries(nativeDir, { ...options, dataFolder })
  await refuseOtherVersion(dataDir, dataFolder, binaries)
  const runner = await chooseRunner(dataDir, dataFolder, binaries)
  const running = await readPidFile(dataFolder)
  // A running server's socket may be elsewhere, because the folder for temporary files can differ between processes.
  const socketDir =
    running !== undefined && running.socketDir !== '' && (await isServerOn(running.pid, dataFolder))
      ? running.socketDir
      : chooseSocketFolder(dataDir)
  const { log, processes = 1 } = options
  return { dataDir, dataFolder, socketDir, binaries, runner, processes, log }
}

async function refuseOtherVersion(dataDir: string, dataFolder: string, binaries: Binaries): Promise<void> {
  const version = (await readIfExists(join(dataFolder, 'PG_VERSION')))?.trim()
  if (version === undefined || version === binaries.major) return
  throw new Error(
    `The data folder ${dataDir} was made by PostgreSQL ${version}, but Kalends runs PostgreSQL ` +
      `${binaries.major} here (${binaries.postgres}), which cannot read it. Take a backup with the release of Kalends and the PostgreSQL you used before (kalends backup), and ` +
      'restore it into an empty DATA_DIR or a DATABASE_URL with this one (kalends restore).'
  )
}

function chooseSocketFolder(dataDir: string): string {
  const folder = join(dataDir, 'socket')
  if (Buffer.byteLength(join(folder, socketName)) <= socketPathBytesMax) return folder
  return join(tmpdir(), `kalends-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
}

export async function startServer(site: ServerContext, signal: AbortSignal): Promise<PostgresServer> {
  await initializeDataFolder(site)
  await makePrivate(site.socketDir, site.runner)
  const logPath = join(site.dataDir, 'postgres.log')
  if (((await getFileSize(logPath)) ?? 0) > logBytesMax) await rename(logPath, `${logPath}.1`)
  const logFile = await open(logPath, 'a', 0o600)
  await chownTo(logPath, site.runner)
  const logStart = (await logFile.stat()).size
  const socketDirectories = `"${site.socketDir.replaceAll('"', '""')}"`
  const ofThisSite = {
    unix_socket_directories: socketDirectories,
    max_connections: formatMaxConnections(site.processes)
  }
  const args = Object.entries({ ...settings, ...ofThisSite }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let launched: LaunchedProcess
  try {
    launched = launch(site.runner, site.binaries.postgres, ['-D', site.dataFolder, ...args], logFile.fd)
  } finally {
    await logFile.close()
  }

  const pid = await launched.pid
  const server = { pid, launched }
  let patience = Date.now() + startMs
  while (launched.getExitReason() === undefined) {
    const file = await readPidFile(site.dataFolder)
    if (file !== undefined && file.pid === pid && file.ready) {
      // A command that fails without calling stop() must be able to end; the server then ends with it.
      launched.child.unref()
      return server
    }
    if (signal.aborted) {
      await stopServer(site, server)
      signal.throwIfAborted()
    }
    if (Date.now() > patience) {
      site.log.warn(`PostgreSQL is still starting; see ${logPath}`)
      patience = Date.now() + startMs
    }
    await Promise.race([launched.exited, delay(pollMs)])
  }
  throw new Error(
    `PostgreSQL did not start on the data folder ${site.dataDir} (${launched.getExitReason()}). The last lines of ${logPath}:\n` +
      (await readLastLines(logPath, logStart))
  )
}

/** First start: the folder gets its name only when it is complete, so a killed first start leaves nothing behind. */
async function initializeDataFolder(site: ServerContext): Promise<void> {
  await removeAbandoned(site)
  if ((await readIfExists(join(site.dataFolder, 'PG_VERSION'))) !== undefined) return

  const began = Date.now()
  const fresh = `${site.dataFolder}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(fresh, { mode: 0o700 })
    await chownTo(fresh, site.runner)
    await runInitdb(site, fresh)
    await rename(fresh, site.dataFolder)
    const parent = await open(site.dataDir, 'r')
    await parent.sync().finally(() => parent.close())
    site.log.info(`created a new PostgreSQL data folder in ${Date.now() - began} ms`)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true, maxRetries: 10 })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    // The first start of another process was faster: its folder is as good as ours.
    if ((await readIfExists(join(site.dataFolder, 'PG_VERSION'))) !== undefined) return
    throw new Error(
      `${site.dataFolder} holds files that are not PostgreSQL's. Move them away, or set another DATA_DIR.`,
      { cause: error }
    )
  }
}

async function runInitdb(site: ServerContext, folder: string): Promise<void> {
  const { child, exited } = launch(
    site.runner,
    site.binaries.initdb,
    [
      `--pgdata=${folder}`,
      `--username=${user}`,
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C'
    ],
    'pipe'
  )
  const [output, errors, end] = await Promise.all([readAll(child.stdout), readAll(child.stderr), exited])
  if (end === 'exit code 0') return
  throw new Error(`PostgreSQL's initdb failed in ${folder} (${end}):\n${output}${errors}`)
}

async function readAll(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream)
}

/** Removes what killed first starts left behind; folders of processes that are still starting stay. */
async function removeAbandoned(site: ServerContext): Promise<void> {
  for (const name of await readdir(site.dataDir)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1]
    if (pid === undefined) continue
    const path = join(site.dataDir, name)
    const made = await lstat(path)
    if (isRunning(Number(pid)) && Date.now() - made.mtimeMs < abandonedMs) continue
    // Its initdb may be cleaning up by itself at this moment.
    await rm(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

async function makePrivate(folder: string, runner: Runner): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  await assertOwnFolder(folder, runner)
  await chownTo(folder, runner)
  await chmod(folder, 0o700)
}

/**
 * A user who may enter the socket's folder is the database's superuser, and its owner could respond in place of the
 * server. Another user might have created a folder in the shared temporary directory.
 */
async function assertOwnFolder(folder: string, runner: Runner): Promise<void> {
  const found = await lstat(folder)
  if (found.isDirectory() && (found.uid === process.getuid?.() || found.uid === runner.user?.uid)) return
  throw new ForeignFolderError(
    `${folder}, where PostgreSQL's socket belongs, is not a folder of this user. Find out who made it and remove it, or ` +
      'set DATA_DIR to another folder (with a path of less than 80 characters, the socket is kept inside).'
  )
}

/** A session in our database, which is created if it is missing. */
export async function openDatabase(site: ServerContext): Promise<ServerSession> {
  try {
    return await connectServer(site, database)
  } catch (error) {
    if (!hasCode(error, '3D000')) throw error
  }
  const { client } = await connectServer(site, 'postgres')
  try {
    await client.query(`create database ${database}`)
  } catch (error) {
    // Another process created it at the same moment.
    if (!hasCode(error, '42P04', '23505')) throw error
  } finally {
    await client.end()
  }
  return connectServer(site, database)
}

export class ForeignFolderError extends Error {}

export async function connectServer(site: ServerContext, name: string): Promise<ServerSession> {
  await assertOwnFolder(site.socketDir, site.runner)
  const client = new pg.Client({
    host: site.socketDir,
    port,
    user,
    database: name,
    ssl: false,
    application_name: 'kalends-store',
    connectionTimeoutMillis: 5000
  })
  const ended = new Promise<void>(done => {
    client.once('end', done)
  })
  // Without a listener a broken connection would end this process; `ended` reports it.
  client.on('error', error => site.log.debug({ err: error }, 'connection to PostgreSQL lost'))
  await client.connect()
  return { client, ended }
}

export async function stopServer(site: ServerContext, server: PostgresServer): Promise<void> {
  const { pid } = server
  // The id of a process that has ended may be in use again.
  if (pid === undefined || !(await isAlive(site, server))) return
  process.kill(pid, 'SIGINT')
  if (await isGoneWithin(stopMs, site, server)) return
  site.log.warn(`PostgreSQL did not stop within ${stopMs} ms; sending SIGQUIT`)
  process.kill(pid, 'SIGQUIT')
  if (await isGoneWithin(stopNowMs, site, server)) return
  site.log.error(`PostgreSQL (pid ${pid}) did not stop; leaving it running`)
}

async function isGoneWithin(ms: number, site: ServerContext, server: PostgresServer): Promise<boolean> {
  const deadline = Date.now() + ms
  if (server.launched !== undefined) await isFulfilledWithin(ms, server.launched.exited)
  while (await isAlive(site, server)) {
    if (Date.now() > deadline) return false
    await delay(pollMs)
  }
  return true
}

async function isAlive(site: ServerContext, { pid, launched }: PostgresServer): Promise<boolean> {
  if (pid === undefined) return false
  // Our own process may not be recognisable yet: it becomes `postgres` a moment after it was started.
  return (launched !== undefined && launched.getExitReason() === undefined) || isServerOn(pid, site.dataFolder)
}

/** Whether the promise is fulfilled in time. The timer does not outlive it, so that the process can end. */
export async function isFulfilledWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>(done => {
    timer = setTimeout(done, ms, false)
  })
  try {
    return await Promise.race([promise.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function getFileSize(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function readLastLines(path: string, start: number): Promise<string> {
  const added = Buffer.from((await readIfExists(path)) ?? '')
    .subarray(start)
    .toString()
  return added.trimEnd().split('\n').slice(-logLinesShown).join('\n')
}
