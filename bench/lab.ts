// What every benchmark needs: a PostgreSQL, Kalends as an operator runs it, a load generator, the limits, and a table.
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Store } from '#platform/database.ts'
import { connectTo } from '#platform/database-server.ts'
import { asOwner, inDatabase, makeTemplate, silent, template } from '#test/database.ts'
import { root } from '#test/root.ts'
import { debianServer, startServer } from '#test/server.ts'
import type { Load, Measured } from './load.ts'

export const key = 'the-key-of-the-benchmark'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, sizes: { type: 'string' } },
  allowPositionals: true
})
export const rounds = values.quick ? 3 : 5
export const sliceMs = values.quick ? 1000 : 3000
export const connections = 32
/** How many events, for benchmarks that ask. */
export const sizes = (values.sizes ?? (values.quick ? '10000' : '10000,100000,1000000')).split(',').map(Number)

export interface Lab {
  databaseUrl: string
  folder: string
  url: string
  /** What Kalends answers, for the limit to answer too. */
  answerOf(path: string): Promise<{ status: number; body: unknown }>
  /** A node:http that answers the same and does nothing else. */
  startRaw(answers: object): Promise<number>
  load(request: Pick<Load, 'port' | 'requests' | 'status'>): Promise<number>
  loadKalends(requests: string[], status?: number): Promise<number>
  store(): Store
  close(): Promise<void>
}

/** Makes a database, fills it, and starts everything. */
export async function openLab(fill: (store: Store) => Promise<void>): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-'))
  const postgres = await startServer('socket')
  await makeTemplate(postgres.url)
  const databaseUrl = inDatabase(postgres.url, 'bench')
  await asOwner(postgres.url, `create database bench template ${template}`)
  const newStore = () => connectTo({ connectionString: databaseUrl }, { patient: true, log: silent })
  const store = newStore()
  await fill(store)
  await store.close()
  const kalends = await startKalends(databaseUrl, folder)
  const port = Number(new URL(kalends.url).port)
  const generator = fork(new URL('./load.ts', import.meta.url))
  const raws: ChildProcess[] = []

  async function load(request: Pick<Load, 'port' | 'requests' | 'status'>): Promise<number> {
    generator.send({ ...request, connections, ms: sliceMs })
    const [measured] = (await once(generator, 'message')) as [Measured]
    if (measured.wrong > 0) throw new Error(`${measured.wrong} answers were not ${request.status}.`)
    return measured.perSecond
  }

  return {
    databaseUrl,
    folder,
    url: kalends.url,
    store: newStore,
    load,
    loadKalends: async (requests, status = 200) => await load({ port, requests, status }),
    answerOf: async path => {
      const answer = await fetch(kalends.url + path)
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
      return { status: answer.status, body: isPage ? await answer.text() : await answer.json() }
    },
    startRaw: async answers => {
      const child = fork(new URL('./raw.ts', import.meta.url), [JSON.stringify(answers)])
      raws.push(child)
      const [rawPort] = await once(child, 'message')
      return rawPort as number
    },
    close: async () => {
      generator.disconnect()
      for (const child of raws) child.disconnect()
      kalends.child.kill('SIGTERM')
      await once(kalends.child, 'exit')
      await postgres.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

/** The program as an operator runs it, its log in a file. */
async function startKalends(databaseUrl: string, folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['scripts/kalends.mjs', 'serve'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATABASE_URL: databaseUrl, ADMIN_KEY: key },
    stdio: ['ignore', 'pipe', openSync(join(folder, 'log'), 'w')]
  })
  let greeting = ''
  for await (const text of child.stdout ?? []) {
    greeting += text
    const url = /listening at (http:\/\/\S+)/.exec(greeting)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`Kalends did not start:\n${greeting}`)
}

export const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`

export const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

export type Results = Record<string, number[]>

/** Rounds that are not counted: compilers and caches need a few seconds of each. */
const warmUps = 2

/** Measures everything once in every round, so that a busy moment of the machine does not hit one thing only. */
export async function measure(
  measurements: Record<string, () => Promise<number>>,
  before: () => Promise<void> = async () => {}
): Promise<Results> {
  const results: Results = {}
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    await before()
    for (const [name, run] of Object.entries(measurements)) {
      const perSecond = await run()
      results[name] ??= []
      if (round > 0) results[name].push(perSecond)
      if (process.stderr.isTTY)
        process.stderr.write(`\r${round <= 0 ? 'warming up' : `round ${round} of ${rounds}`}: ${name.padEnd(48)}`)
    }
  }
  return results
}

/** A row of the table: what, against what, and what it has to reach. */
export interface Row {
  what: string
  limit: string
  floor: number
  goal: number
}

export function print(title: string, results: Results, rows: Row[]): void {
  const version = spawnSync(join(debianServer() ?? '', 'postgres'), ['--version'])
    .stdout?.toString()
    .trim()
  console.log(
    `\r${title}: ${connections} connections, ${rounds} rounds of ${sliceMs} ms, medians. Node ${process.version}, ${version}.\n`
  )
  console.log(`${'measured'.padEnd(40)}   per second`)
  for (const [name, values] of Object.entries(results))
    console.log(`${name.padEnd(40)} ${Math.round(medianOf(values)).toString().padStart(12)}`)
  console.log(`\n${'row'.padEnd(40)} ${'against'.padEnd(34)}  ratio  floor   goal`)
  for (const { what, limit, floor, goal } of rows) {
    const ratio = medianOf((results[what] ?? []).map((value, round) => value / (results[limit]?.[round] ?? Number.NaN)))
    const verdict = ratio >= goal ? 'goal reached' : ratio >= floor ? '' : 'BELOW FLOOR'
    if (ratio < floor) process.exitCode = 1
    console.log(
      `${what.padEnd(40)} ${limit.padEnd(34)} ${percent(ratio)} ${percent(floor)} ${percent(goal)}  ${verdict}`
    )
  }
  console.log('')
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`.padStart(6)
}

export function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
