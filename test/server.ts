import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nativeFolder } from '#platform/embedded/process.ts'
import { serveEmbedded } from '#platform/embedded/store.ts'
import { asOwner, silent } from './database.ts'
import { installFromDebian, isRoot, mustRun } from './debian.ts'

/** A PostgreSQL that is there for tests or measurements, and gone afterwards. */
export interface TestServer {
  url: string
  stop(): Promise<void>
}

export async function startEmbedded(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kalends-tests-'))
  const embedded = await serveEmbedded({ dataDir, log: silent })
  const { host, port, user } = embedded.connection
  return {
    url: `postgres://${user}@${encodeURIComponent(host)}:${port}/postgres`,
    stop: async () => {
      await embedded.stop()
      rmSync(dataDir, { recursive: true })
    }
  }
}

/** Debian's PostgreSQL, over TCP as from another machine, or over a unix socket as beside it. */
export async function startServer(over: 'tcp' | 'socket' = 'tcp'): Promise<TestServer & { pid: number }> {
  const binaries = await findServer()
  const folder = mkdtempSync(join(tmpdir(), 'kalends-server-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const asUser = isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : []
  if (isRoot) {
    chmodSync(folder, 0o755)
    mustRun(['chown', 'postgres:postgres', data])
  }
  const initdb = [join(binaries, 'initdb'), '-D', data, '-U', 'kalends', '--auth=trust', '--encoding=UTF8']
  mustRun([...asUser, ...initdb, '--locale=C.UTF-8', '-N'])

  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    // Only the owner of the data may enter the folder: that is its user, and root.
    unix_socket_directories: over === 'socket' ? data : '',
    max_connections: 200
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program = '', ...rest] = [...asUser, join(binaries, 'postgres'), '-D', data, ...words]
  const child = spawn(program, rest, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = `postgres://kalends@${over === 'socket' ? encodeURIComponent(data) : '127.0.0.1'}:${port}/postgres`
  await untilItAnswers(url)
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true })
    }
  }
}

/** Installs it where that is possible; an ordinary user on a machine without it gets the bundled binaries, over TCP. */
export async function findServer(): Promise<string> {
  if (debianServer() === undefined) installFromDebian('PostgreSQL', 'postgresql')
  const found = debianServer()
  if (found !== undefined) return found
  console.log('PostgreSQL is not installed and cannot be installed without root: the bundled one stands in as server.')
  return join(nativeFolder(), 'bin')
}

export function debianServer(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    : []
  return versions.map(version => `/usr/lib/postgresql/${version}/bin`).find(bin => existsSync(join(bin, 'initdb')))
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

export async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    try {
      return await asOwner(url, 'select 1')
    } catch {
      await sleep(100)
    }
  }
  throw new Error('The PostgreSQL server did not start within 15 seconds.')
}
