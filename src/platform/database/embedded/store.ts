import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { user } from './data-folder.ts'
import { hasCode } from './file-access.ts'
import { isServerOn, readPidFile, removeStaleLocks } from './pid-file.ts'
import { socketName } from './process.ts'
import {
  connectServer,
  database,
  isFulfilledWithin,
  openDatabase,
  type PostgresServer,
  port,
  prepareServer,
  type ServerSession,
  startServer,
  stopServer
} from './server.ts'
import type { EmbeddedOptions, ServerContext } from './server-context.ts'
import { ForeignFolderError } from './socket-folder.ts'

export interface EmbeddedStore {
  /** What the pg driver needs: host is the folder of the unix socket. */
  connection: { host: string; port: number; user: string; database: string }
  /** Stops the server if this process is responsible for it. Idempotent. */
  stop(): Promise<void>
}

/**
 * The advisory lock, in database `kalends`, of the serving process: its holder is the only Kalends that serves this
 * data folder. The number spells "KALENDS" in ASCII; releases must agree on it.
 */
export const servingLock = '21182419089376339'

/** How long another server on this folder may take to start or to shut down before we give up. */
const otherServerMs = 15_000
/** How long a command waits at its end for others that use the server it started. */
const otherCommandsMs = 60_000
/** A server we did not start belongs to the process that did, which gets this long to take the lock. */
const starterGraceMs = 500
/** The lock of a process that was just killed is released when PostgreSQL notices. */
const lockRetryMs = 2000
const pollMs = 20
const restartPauseMs = { first: 100, longest: 5000 }
/** A server that ran this long did not fail at its start: the next pause is the shortest again. */
const ranWellMs = 30_000
const attemptsMax = 5
/** For `serve`: starts (or adopts) the server on dataDir and supervises it; throws if another process serves it. */
export async function serveEmbedded(options: EmbeddedOptions): Promise<EmbeddedStore> {
  return serveFrom(undefined, options)
}

/** For commands: uses the server that is running on dataDir, or starts one for as long as the command takes. */
export async function useEmbedded(options: EmbeddedOptions): Promise<EmbeddedStore> {
  return useFrom(undefined, options)
}

/** `serveEmbedded` with the programs that npm installed in this folder. */
export async function serveFrom(nativeDir: string | undefined, options: EmbeddedOptions): Promise<EmbeddedStore> {
  const site = await prepareServer(nativeDir, options)
  const stopping = new AbortController()
  const stopRequest = waitForAbort(stopping.signal)
  let serving = await takeOver(site, undefined, stopping.signal)
  const supervision = supervise()
  let stopped: Promise<void> | undefined

  // The lock's session ends whenever the server does, also one that was adopted, so nothing has to be polled.
  async function supervise(): Promise<void> {
    let pause = restartPauseMs.first
    while (true) {
      const since = Date.now()
      await Promise.race([serving.session.ended, stopRequest])
      if (Date.now() - since > ranWellMs) pause = restartPauseMs.first
      let recovered = false
      while (!recovered && !stopping.signal.aborted) {
        site.log.error(`embedded PostgreSQL exited unexpectedly; restarting in ${pause} ms`)
        await isFulfilledWithin(pause, stopRequest)
        pause = Math.min(pause * 2, restartPauseMs.longest)
        try {
          serving = await takeOver(site, serving.server, stopping.signal)
          recovered = true
          site.log.warn('embedded PostgreSQL restarted')
        } catch (error) {
          if (!stopping.signal.aborted) site.log.error({ err: error }, 'failed to restart embedded PostgreSQL')
        }
      }
      if (stopping.signal.aborted) return
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await supervision
    // Holds the lock to the end, so that no process adopts a server that is about to stop.
    await stopServer(site, serving.server)
    await serving.session.client.end()
  }

  return {
    connection: { host: site.socketDir, port, user, database },
    stop: () => {
      stopped ??= stop()
      return stopped
    }
  }
}

/** `useEmbedded` with the programs that npm installed in this folder. */
export async function useFrom(nativeDir: string | undefined, options: EmbeddedOptions): Promise<EmbeddedStore> {
  const site = await prepareServer(nativeDir, options)
  const never = new AbortController().signal
  const server = await findOrStart(site, undefined, never, async found => {
    const session = await openDatabase(site)
    await session.client.end()
    return found
  })
  let stopped: Promise<void> | undefined
  return {
    connection: { host: site.socketDir, port, user, database },
    stop: () => {
      stopped ??= server.launched === undefined ? Promise.resolve() : stopWhenUnused(site, server)
      return stopped
    }
  }
}

/**
 * Waits for other commands that use the server that this one started, because the server ends with this process. Does
 * not wait for a serving process that adopted it: that one starts its own, as after any other end.
 */
async function stopWhenUnused(site: ServerContext, server: PostgresServer): Promise<void> {
  const deadline = Date.now() + otherCommandsMs
  const { client } = await openDatabase(site)
  try {
    while (Date.now() < deadline) {
      const { rows } = await client.query<{ wanted: boolean }>(
        `select exists (
           select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
         ) and not exists (
           select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
             and (classid::bigint << 32 | objid::bigint) = $1
         ) as wanted`,
        [servingLock]
      )
      if (rows[0]?.wanted !== true) break
      await delay(5 * pollMs)
    }
  } finally {
    await client.end()
  }
  await stopServer(site, server)
}

/** Finds or starts the server and takes the lock on it. `known` is the server this process had until now. */
async function takeOver(
  site: ServerContext,
  known: PostgresServer | undefined,
  signal: AbortSignal
): Promise<{ server: PostgresServer; session: ServerSession }> {
  return findOrStart(site, known, signal, async server => {
    if (server.launched === undefined) await delay(starterGraceMs)
    const session = await openDatabase(site)
    try {
      const deadline = Date.now() + lockRetryMs
      while (!(await tryLock(session))) {
        if (Date.now() > deadline) {
          throw new FolderInUseError(
            `Another Kalends is already running on the data folder ${site.dataDir}. Stop it first, or give this one a ` +
              'DATA_DIR and a PORT of its own.'
          )
        }
        await delay(5 * pollMs)
      }
      if (server.pid === undefined) {
        throw new FolderInUseError(
          'A PostgreSQL server that this process cannot see, perhaps in another container, is running on the data ' +
            `folder ${site.dataDir}. Stop it first, or set another DATA_DIR.`
        )
      }
      return { server, session }
    } catch (error) {
      await session.client.end()
      throw error
    }
  })
}

/** Final: a retry would find the same. */
class FolderInUseError extends Error {}

async function tryLock(session: ServerSession): Promise<boolean> {
  const { rows } = await session.client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    servingLock
  ])
  return rows[0]?.locked === true
}

/**
 * Runs `work` with the server on the folder, or with a new one. Servers may start and stop meanwhile: another process
 * may start one at the same moment, or the one found may be shutting down. Then we retry.
 */
async function findOrStart<T>(
  site: ServerContext,
  known: PostgresServer | undefined,
  signal: AbortSignal,
  work: (server: PostgresServer) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findServer(site, signal)
    const ours = found !== undefined && found.pid === known?.pid ? known : found
    let started: PostgresServer | undefined
    try {
      if (ours !== undefined) return await work(ours)
      started = await startServer(site, signal)
      return await work(started)
    } catch (error) {
      if (started !== undefined) await stopServer(site, started)
      if (error instanceof FolderInUseError || signal.aborted || attempt === attemptsMax) throw error
      // A failed start of our own is final, unless another process was faster.
      if (ours === undefined && !(await isServed(site))) throw error
      site.log.debug({ err: error }, 'another server owns the data folder; checking again')
    }
  }
}

async function isServed(site: ServerContext): Promise<boolean> {
  const file = await readPidFile(site.dataFolder)
  return file !== undefined && (await isServerOn(file.pid, site.dataFolder))
}

/** Waits until the server on this folder responds; undefined if there is none, or none any more. */
async function findServer(site: ServerContext, signal: AbortSignal): Promise<PostgresServer | undefined> {
  const deadline = Date.now() + otherServerMs
  while (true) {
    signal.throwIfAborted()
    const file = await readPidFile(site.dataFolder)
    const alive = file !== undefined && (await isServerOn(file.pid, site.dataFolder))
    try {
      // Tries the socket even if the pid file has no live process: a container sees the socket, but not the processes
      // of another.
      const session = await connectServer(site, 'postgres')
      await session.client.end()
      return { pid: alive ? file.pid : undefined, launched: undefined }
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ECONNREFUSED') && !alive) {
        if (file !== undefined) await removeStaleLocks(file, site.dataFolder, site.socketDir)
        return undefined
      }
      if (error instanceof ForeignFolderError) throw error
      if (hasCode(error, 'EACCES') || Date.now() > deadline) {
        throw new Error(
          `A PostgreSQL server (process ${file?.pid}) is using the data folder ${site.dataDir}, but cannot be reached ` +
            `through ${join(site.socketDir, socketName)}. Stop that process (kill -INT ${file?.pid}) and try again.`,
          { cause: error }
        )
      }
    }
    await delay(5 * pollMs)
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise(done => {
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })
}
