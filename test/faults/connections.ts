import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import {
  asAdmin,
  checkAtMost,
  checkThat,
  type FaultScenario,
  measureUntil,
  type Result,
  readStatus,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { sendRequest, waitUntil } from '../support/kalends-process.ts'
import { campaign, donation } from '../support/services.ts'

// Longer than the response cache trusts itself without a word from the database.
const trustedMs = 1500

/** What transactions and connections are held by others. */
export const connectionsTaken: FaultScenario = {
  name: 'connections-taken',
  run: async given => {
    const server = await startDatabaseServer(given, { settings: { max_connections: 60 } })
    const { url } = await startProgram(given, { DATABASE_URL: server.databaseUrl, WORKER: 'false' })
    const made = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const path = `${url}/campaigns/${made.body.id}`
    return [
      ...(await everyTransactionHeld(given, server.databaseUrl, path)),
      ...(await everyConnectionTaken(given, server, path))
    ]
  }
}

/** One transaction locks a row, and ten times as many requests as the pool has connections wait for it. */
async function everyTransactionHeld(given: ScenarioContext, databaseUrl: string, path: string): Promise<Result[]> {
  const holder = await connected(given, databaseUrl)
  await holder.query('begin')
  await holder.query('select id from fundraising.campaigns for update')
  let slowestMs = 0
  const statuses = new Map<number, number>()
  const waiting = Array.from({ length: 160 }, async () => {
    const began = performance.now()
    const status = await readStatus(path, { method: 'PUT', body: campaign, headers: asAdmin })
    slowestMs = Math.max(slowestMs, performance.now() - began)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  const reading = await readStatus(path)
  await Promise.all(waiting)
  await holder.query('rollback')
  await holder.end()
  const recovery = await measureUntil(
    async () => (await readStatus(path, { method: 'PUT', body: campaign, headers: asAdmin })) === 200,
    10_000
  )
  const seen = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  return [
    checkThat(
      'a row held, 160 who want it: all are told, none hangs',
      statuses.size === 1 && statuses.has(503),
      seen,
      '503'
    ),
    checkAtMost('a row held: the longest wait', slowestMs, 5500, 'ms'),
    checkThat('a row held: others read on', reading === 200, String(reading), '200'),
    checkAtMost('a row held: writes again', recovery, 2000, 'ms')
  ]
}

/** Others have taken every connection that the server gives out, while ours broke. */
async function everyConnectionTaken(
  given: ScenarioContext,
  { databaseUrl, url: serverUrl }: { databaseUrl: string; url: string },
  path: string
): Promise<Result[]> {
  const idlers: pg.Client[] = []
  given.onCleanup(async () => await Promise.all(idlers.map(client => client.end())))
  const breaker = await connected(given, serverUrl)
  // The program comes back for a connection as soon as one breaks; it must find none.
  await waitUntil(async () => {
    await takeEveryConnection(databaseUrl, idlers)
    const { rowCount } = await breaker.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kalends'`
    )
    return rowCount === 0
  })
  // What it keeps in memory it answers with only as long as it may trust it.
  await setTimeout(trustedMs)
  given.log(`${idlers.length} connections are taken by others`)
  let slowestMs = 0
  const statuses = new Set<number>()
  await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const began = performance.now()
      const post = { method: 'POST', body: donation }
      statuses.add(await (number % 2 === 0 ? readStatus(path) : readStatus(`${path}/donations`, post)))
      slowestMs = Math.max(slowestMs, performance.now() - began)
    })
  )
  await Promise.all(idlers.splice(0).map(client => client.end()))
  const recovery = await measureUntil(
    async () => (await readStatus(`${path}/donations`, { method: 'POST', body: donation })) === 201,
    10_000
  )
  await breaker.end()
  await waitUntil(async () => (await readStatus(path)) === 200)
  return [
    checkThat(
      'no connection free: requests are told',
      statuses.size === 1 && statuses.has(503),
      [...statuses].join(', '),
      '503'
    ),
    checkAtMost('no connection free: the longest wait', slowestMs, 5500, 'ms'),
    checkAtMost('no connection free: donations again', recovery, 5000, 'ms')
  ]
}

/** Those that are reserved for the owner too, who the program connects as here. */
async function takeEveryConnection(databaseUrl: string, idlers: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client(databaseUrl)
    client.on('error', () => undefined)
    try {
      await client.connect()
      idlers.push(client)
    } catch (error) {
      if ((error as { code?: string }).code === '53300') return
      throw error
    }
  }
}

async function connected(given: ScenarioContext, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  given.onCleanup(async () => await client.end())
  return client
}
