// What every measurement needs: a PostgreSQL, Kalends as an operator runs it, a load generator, and the limit.
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
import { cpuMsOf, cpuMsOfServer } from './cpu.ts'
import type { Load, Measured } from './load.ts'
import { busy, sliceMs } from './options.ts'
import type { RawAnswer } from './raw.ts'

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

/** What is asked again and again, and of whom. */
export interface Work {
  target: Target
  requests: string[]
  status: number
}

export interface Sample {
  perSecond: number
  p99Ms: number
  /** Of the process that answers, for one answer. */
  cpuMicroseconds: number
  /** Of PostgreSQL, for one answer. */
  databaseMicroseconds: number
}

export interface Lab {
  folder: string
  postgresPid: number
  /** The address of a database that is made and filled when it is first asked for. */
  database(name: string, fill: (store: Store) => Promise<void>): Promise<string>
  store(databaseUrl: string): Store
  /** The program on that database, or on the embedded store where it is ''. Answers are not kept, unless the environment says so. */
  start(databaseUrl: string, env?: Record<string, string>): Promise<Kalends>
  /** The same answer from node:http: made anew each time from its data, or ready. */
  limit(of: Work, how: 'serialised' | 'ready'): Promise<Work>
  /** The same, asked by somebody who has the answer already. */
  unchanged(work: Work): Promise<Work>
  load(work: Work, connections: number, ms?: number): Promise<Sample>
  close(): Promise<void>
}

export async function openLab(): Promise<Lab> {
  // Or the first start would do it, and take all the longer.
  mustRun([process.execPath, join(root, 'scripts', 'kalends.mjs'), 'version'])
  const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-'))
  const postgres = await startPostgresServer('socket')
  await createTemplate(postgres.url).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  const generator = fork(new URL('./load.ts', import.meta.url))
  const rawChild = fork(new URL('./raw.ts', import.meta.url))
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
    // What was written goes to disk now, and not while something is measured.
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

    limit: async ({ target, requests, status }, how) => {
      const answer = await answerTo(target, requests[0] ?? '')
      limits += 1
      const { body, ...same } = answer
      const isSerialised = how === 'serialised'
      const path = `/${limits}`
      rawChild.send({ ...same, path, body: isSerialised ? JSON.parse(body) : body } satisfies RawAnswer)
      await once(rawChild, 'message')
      return { target: raw, requests: [get(path)], status }
    },

    unchanged: async ({ target, requests: [request = ''] }) => {
      const { etag } = (await answerTo(target, request)).headers
      return { target, requests: [request.replace('\r\n\r\n', `\r\nIf-None-Match: ${etag}\r\n\r\n`)], status: 304 }
    },

    // Few connections have little to warm up, and every number of them takes its time.
    load: async ({ target, requests, status }, connections, ms = connections === busy ? sliceMs : sliceMs * 0.6) => {
      const before = { own: cpuMsOf(target.pid), database: cpuMsOfServer(postgres.pid()) }
      generator.send({ port: target.port, requests, status, connections, ms } satisfies Load)
      const [measured] = (await once(generator, 'message')) as [Measured]
      if (measured.wrong > 0) throw new Error(`${measured.wrong} answers were not ${status}.`)
      const microsecondsEach = (ms: number) => (ms * 1000) / Math.max(1, measured.answers)
      return {
        perSecond: measured.perSecond,
        p99Ms: measured.p99Ms,
        cpuMicroseconds: microsecondsEach(cpuMsOf(target.pid) - before.own),
        databaseMicroseconds: microsecondsEach(cpuMsOfServer(postgres.pid()) - before.database)
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

/** The program as an operator runs it, with its log in a file. */
async function startKalends(env: Record<string, string>, logFile: number): Promise<Kalends> {
  const child = spawn(process.execPath, ['scripts/kalends.mjs', 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: '0', ADMIN_KEY: key, ENCRYPTION_KEY: encryptionKey, TIMEZONE: 'Europe/Berlin', RESPONSE_CACHE: '0' },
      ...env
    },
    stdio: ['ignore', 'pipe', logFile]
  })
  const url = await addressOf(child)
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

async function addressOf(child: ChildProcess): Promise<string> {
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

/** Every server says by itself when it answers and how it keeps the connection. */
const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function answerTo({ port }: Target, request: string): Promise<Omit<RawAnswer, 'path'> & { body: string }> {
  const [first = '', ...lines] = (request.split('\r\n\r\n', 1)[0] ?? '').split('\r\n')
  const [method = 'GET', path = '/'] = first.split(' ')
  const sent = Object.fromEntries(lines.map(line => line.split(': ', 2)))
  const { status, headers, text } = await sendRequest(`http://127.0.0.1:${port}${path}`, { method, headers: sent })
  const same = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))
  return { status, headers: Object.fromEntries(same), body: text }
}

export const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`

export const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
