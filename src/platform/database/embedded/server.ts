import { access, constants, open, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chooseBinaries } from './binaries.ts'
import { initializeDataFolder, refuseOtherVersion, user } from './data-folder.ts'
import { hasCode, readIfExists, readStatIfExists } from './file-access.ts'
import { isServerOn, readPidFile } from './pid-file.ts'
import { type LaunchedProcess, launch, makeDataDir } from './process.ts'
import { assertOwnData, chooseRunner, chownTo } from './runner.ts'
import type { EmbeddedOptions, ServerContext } from './server-context.ts'
import { assertOwnFolder, chooseSocketFolder, makePrivate } from './socket-folder.ts'
export const database = 'kalends'
export const port = 5432

/** A start that takes longer than this is logged. */
const startMs = 15_000
/** PostgreSQL's fast shutdown writes a checkpoint; after this long we ask for the immediate one. */
const stopMs = 10_000
/** In an immediate shutdown PostgreSQL itself kills after five seconds whatever does not end. */
const stopNowMs = 6000
const pollMs = 20
const logBytesMax = 10 * 1024 * 1024
const logLinesShown = 15

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
    // A command that was run as another user, or as root, may have created the folder.
    if (hasCode(error, 'EACCES')) assertOwnData(dataDir, await readStatIfExists(dataDir).catch(() => undefined))
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
  const { log, processes = 1, onLaunch } = options
  return { dataDir, dataFolder, socketDir, binaries, runner, processes, log, onLaunch }
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
  site.onLaunch?.()

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
