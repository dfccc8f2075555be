import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRoot, mustRun } from './debian.ts'
import {
  connectionsMax,
  findFreePort,
  findServer,
  listChildPids,
  type TestServer,
  waitUntilReady
} from './postgres-server.ts'

/** A streaming replica of a server from startPostgresServer. */
export interface TestReplica extends TestServer {
  /** Kills it, as a power cut would. */
  kill(): Promise<void>
  /** Starts it again after that. */
  start(): Promise<void>
  freeze(): void
  thaw(): void
}

export async function startReplica({ url: primaryUrl }: TestServer): Promise<TestReplica> {
  const binaries = await findServer()
  const folder = mkdtempSync(join(tmpdir(), 'kalends-replica-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const asUser = isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : []
  if (isRoot) {
    chmodSync(folder, 0o755)
    mustRun(['chown', 'postgres:postgres', data])
  }
  const { hostname, port: primaryPort, username } = new URL(primaryUrl)
  const source = ['-h', hostname, '-p', primaryPort, '-U', username]
  mustRun([...asUser, join(binaries, 'pg_basebackup'), ...source, '-D', data, '-R', '-c', 'fast', '-N'])

  const port = await findFreePort()
  const url = `postgres://kalends@127.0.0.1:${port}/postgres`
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: connectionsMax }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program = '', ...rest] = [...asUser, join(binaries, 'postgres'), '-D', data, ...words]
  let child = spawn(program, rest, { stdio: 'ignore', detached: true })
  await waitUntilReady(url)

  /** Signals each of its processes: they are in different sessions, so that a signal to the process group does not reach all. */
  const signalAll = (signal: NodeJS.Signals) => {
    const { pid } = child
    if (pid === undefined) return
    // With the kill command, which does not fail in this process if one of them has ended in the meantime.
    spawnSync('/bin/sh', ['-c', `kill -s ${signal.slice(3)} ${[...listChildPids(pid), pid].join(' ')}`])
  }
  return {
    url,
    kill: async () => {
      const ended = once(child, 'exit')
      signalAll('SIGKILL')
      await ended
    },
    start: async () => {
      child = spawn(program, rest, { stdio: 'ignore', detached: true })
      await waitUntilReady(url)
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGINT')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, maxRetries: 10 })
    }
  }
}
