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

/** A copy of a server of Debian's that follows it. */
export interface TestReplica extends TestServer {
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Runs it again after that. */
  start(): Promise<void>
  freeze(): void
  thaw(): void
}

export async function startReplica({ url: original }: TestServer): Promise<TestReplica> {
  const binaries = await findServer()
  const folder = mkdtempSync(join(tmpdir(), 'kalends-replica-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const asUser = isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : []
  if (isRoot) {
    chmodSync(folder, 0o755)
    mustRun(['chown', 'postgres:postgres', data])
  }
  const { hostname, port: originalPort, username } = new URL(original)
  const from = ['-h', hostname, '-p', originalPort, '-U', username]
  mustRun([...asUser, join(binaries, 'pg_basebackup'), ...from, '-D', data, '-R', '-c', 'fast', '-N'])

  const port = await findFreePort()
  const url = `postgres://kalends@127.0.0.1:${port}/postgres`
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: connectionsMax }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program = '', ...rest] = [...asUser, join(binaries, 'postgres'), '-D', data, ...words]
  let child = spawn(program, rest, { stdio: 'ignore', detached: true })
  await waitUntilReady(url)

  /** All its processes: each has a session of its own, so the group would not do. */
  const signalAll = (signal: NodeJS.Signals) => {
    const { pid } = child
    if (pid === undefined) return
    // By the shell, which does not mind that one of them has ended by itself meanwhile.
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
