// What every measurement needs: PostgreSQL, Kalends as an operator runs it, a load generator, and a bare node:http server.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '#platform/database/database.ts'
import { connectStore } from '#platform/database/postgres.ts'
import { createTemplate, encryptionKey, runAsOwner, silent, template, toDatabaseUrl } from '#test/support/database.ts'
import { mustRun } from '#test/support/debian.ts'
import { sendRequest } from '#test/support/kalends-process.ts'
import { startPostgresServer } from '#test/support/postgres-server.ts'
import { root } from '#test/support/project-root.ts'
import { readCpuMs, readServerCpuMs } from './cpu-time.ts'
import type { Load, Measured } from './load-generator.ts'
import { measureMs, connections as usualConnections } from './options.ts'
import type { RawResponse } from './raw-server.ts'

export const key = 'the-key-of-the-benchmark'

/** A process that answers requests. */
export interface Target {
  port: number
  pid: number
}

export interface Kalends extends Target {
  url: string
  stop(): Promise<void>
}

/** Requests that are sent again and again, and to whom. */
export interface Workload {
  target: Target
  requests: string[]
  status: number
  /** If not as many as in other measurements. */
  connections?: number
  /** How long a sample takes, if requests are so slow that the usual time has only a few of them. */
  sampleMs?: number
}

export interface Sample {
  perSecond: number
  p99Ms: number
  /** Processor time of the process that answers, per answer. */
  cpuMicroseconds: number
  /** Processor time of PostgreSQL, per answer. */
  databaseMicroseconds: number
}

export interface Environment {
  folder: string
  postgresPid: number
  /** URL of a database that is created and filled with the first call. */
  database(name: string, fill: (store: Store) => Promise<void>): Promise<string>
  store(databaseUrl: string): Store
  /** The program on that database, or on the embedded store if it is ''. Without a response cache, unless `env` sets one. */
  start(databaseUrl: string, env?: Record<string, string>): Promise<Kalends>
  /** The response of a workload from node:http: serialised for each request, or ready bytes. */
  createRawLimit(of: Workload, how: 'serialised' | 'ready'): Promise<Workload>
  /** The same request with If-None-Match, so that the response is 304. */
  toConditional(workload: Workload): Promise<Workload>
  load(workload: Workload, ms?: number): Promise<Sample>
  close(): Promise<void>
}

export async function openEnvironment(): Promise<Environment> {
  // Else the first start would build.
  mustRun([process.execPath, join(root, 'scripts', 'kalends.mjs'), 'version'])
  const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-'))
  const postgres = await startPostgresServer('socket')
  await createTemplate(postgres.url).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  const generator = fork(new URL('./load-generator.ts', import.meta.url))
  const rawChild = fork(new URL('./raw-server.ts', import.meta.url))
  const [rawPort] = (await once(rawChild, 'message')) as [number]
  const raw: Target = { port: rawPort, pid: rawChild.pid ?? 0 }
  const databases = new Map<string, Promise<string>>()
  const running = new Set<Kalends>()
  let limits = 0
  let isClosed = false

  const store = (url: string) => connectStore({ connectionString: url }, { noTimeouts: true, log: silent })

  async function makeDatabase(name: string, fill: (store: Store) => Promise<void>): Promise<string> {
    const url = toDatabaseUrl(postgres.url, name)
    await runAsOwner(postgres.url, `create database ${name} template ${template}`)
    const filled = store(url)
    await fill(filled)
    await filled.close()
    // Writes everything to disk now, and not during a measurement.
    await runAsOwner(postgres.url, 'checkpoint')
    return url
  }

  return {
    folder,
    postgresPid: postgres.pid(),
    store,
    database: async (name, fill) => {
      const known = databases.get(name) ?? makeDatabase(name, fill)
      databases.set(name, known)
      return await known
    },

    start: async (databaseUrl, env = {}) => {
      const logFile = openSync(join(folder, 'log'), 'a')
      const kalends = await startKalends({ DATABASE_URL: databaseUrl, DATA_DIR: folder, ...env }, logFile)
      const stop = async () => {
        if (running.delete(started)) await kalends.stop()
      }
      const started = { ...kalends, stop }
      running.add(started)
      return started
    },

    createRawLimit: async ({ target, requests, status }, how) => {
      const { body, ...same } = await fetchResponse(target, requests[0] ?? '')
      limits += 1
      const isSerialised = how === 'serialised'
      const path = `/${limits}`
      rawChild.send({ ...same, path, body: isSerialised ? JSON.parse(body) : body } satisfies RawResponse)
      await once(rawChild, 'message')
      return { target: raw, requests: requests.slice(0, 1).map(request => request.replace(/ \S+/, ` ${path}`)), status }
    },

    toConditional: async ({ target, requests: [request = ''] }) => {
      const { etag } = (await fetchResponse(target, request)).headers
      return { target, requests: [request.replace('\r\n\r\n', `\r\nIf-None-Match: ${etag}\r\n\r\n`)], status: 304 }
    },

    load: async ({ target, requests, status, connections = usualConnections }, ms = measureMs) => {
      const before = { own: readCpuMs(target.pid), database: readServerCpuMs(postgres.pid()) }
      generator.send({ port: target.port, requests, status, connections, ms } satisfies Load)
      const [measured] = (await once(generator, 'message')) as [Measured]
      const wrong = Object.entries(measured.wrong).map(([answered, count]) => `${count} with ${answered}`)
      if (wrong.length > 0)
        throw new Error(`All answers should have status ${status}, but there were ${wrong.join(', ')}.`)
      const toMicroseconds = (cpuMs: number) => (cpuMs * 1000) / Math.max(1, measured.answers)
      return {
        perSecond: measured.perSecond,
        p99Ms: measured.p99Ms,
        cpuMicroseconds: toMicroseconds(readCpuMs(target.pid) - before.own),
        databaseMicroseconds: toMicroseconds(readServerCpuMs(postgres.pid()) - before.database)
      }
    },

    close: async () => {
      if (isClosed) return
      isClosed = true
      if (generator.connected) generator.disconnect()
      if (rawChild.connected) rawChild.disconnect()
      for (const kalends of running) await kalends.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

/** What unit and image set: without it, memory and response times depend on the machine. */
const nodeSettings = { NODE_OPTIONS: '--max-old-space-size=1024 --v8-pool-size=1', MALLOC_ARENA_MAX: '2' }

/** The program as an operator runs it, with its log in a file. */
async function startKalends(env: Record<string, string>, logFile: number): Promise<Kalends> {
  const child = spawn(process.execPath, ['dist/main.js', 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: '0', ADMIN_KEY: key, ENCRYPTION_KEY: encryptionKey, TIMEZONE: 'Europe/Berlin', RESPONSE_CACHE: '0' },
      ...nodeSettings,
      ...env
    },
    stdio: ['ignore', 'pipe', logFile]
  })
  const url = await readUrl(child)
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}

async function readUrl(child: ChildProcess): Promise<string> {
  let greeting = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', text => {
      greeting += text
      const url = /listening at (http:\/\/\S+)/.exec(greeting)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(`Kalends did not start:\n${greeting}`)))
  })
}

/** Headers that every server sets itself. */
const serverHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function fetchResponse({ port }: Target, request: string): Promise<Omit<RawResponse, 'path'> & { body: string }> {
  const [head = '', body = ''] = request.split('\r\n\r\n', 2)
  const [first = '', ...lines] = head.split('\r\n')
  const [method = 'GET', path = '/'] = first.split(' ')
  const sent = Object.fromEntries(lines.map(line => line.split(': ', 2)))
  const { status, headers, text } = await sendRequest(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: sent,
    ...(body === '' ? {} : { body: JSON.parse(body) })
  })
  const same = Object.entries(headers).filter(([name]) => !serverHeaders.includes(name))
  return { status, headers: Object.fromEntries(same), body: text }
}

export const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`

export const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
