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

// Longer than the response cache is used without contact to the database.
const trustedMs = 1500

/** Other clients hold a row lock, and then all connections of the server. */
export const connectionsTaken: FaultScenario = {
  name: 'connections-taken',
  run: async context => {
    const server = await startDatabaseServer(context, { settings: { max_connections: 60 } })
    const { url } = await startProgram(context, { DATABASE_URL: server.databaseUrl, WORKER: 'false' })
    const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const path = `${url}/campaigns/${created.body.id}`
    return [...(await holdRow(context, server.databaseUrl, path)), ...(await takeConnections(context, server, path))]
  }
}

/** One transaction locks a row, and ten times as many requests as the pool has connections wait for it. */
async function holdRow(context: ScenarioContext, databaseUrl: string, path: string): Promise<Result[]> {
  const holder = await connect(context, databaseUrl)
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
      'a locked row, 160 requests for it: all get 503, none hangs',
      statuses.size === 1 && statuses.has(503),
      seen,
      '503'
    ),
    checkAtMost('a locked row: the longest wait', slowestMs, 5500, 'ms'),
    checkThat('a locked row: reads still work', reading === 200, String(reading), '200'),
    checkAtMost('a locked row: time until writes work again', recovery, 2000, 'ms')
  ]
}

/** Other clients take every connection of the server, after ours were terminated. */
async function takeConnections(
  context: ScenarioContext,
  { databaseUrl, url: serverUrl }: { databaseUrl: string; url: string },
  path: string
): Promise<Result[]> {
  const idleClients: pg.Client[] = []
  context.onCleanup(async () => await Promise.all(idleClients.map(client => client.end())))
  const breaker = await connect(context, serverUrl)
  // The program reconnects as soon as a connection breaks; it must find none.
  await waitUntil(async () => {
    await takeEveryConnection(databaseUrl, idleClients)
    const { rowCount } = await breaker.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kalends'`
    )
    return rowCount === 0
  })
  // Cached responses are used only for this long.
  await setTimeout(trustedMs)
  context.log(`${idleClients.length} connections are taken by other clients`)
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
  await Promise.all(idleClients.splice(0).map(client => client.end()))
  const recovery = await measureUntil(
    async () => (await readStatus(`${path}/donations`, { method: 'POST', body: donation })) === 201,
    10_000
  )
  await breaker.end()
  await waitUntil(async () => (await readStatus(path)) === 200)
  return [
    checkThat(
      'no free connection: requests get 503',
      statuses.size === 1 && statuses.has(503),
      [...statuses].join(', '),
      '503'
    ),
    checkAtMost('no free connection: the longest wait', slowestMs, 5500, 'ms'),
    checkAtMost('no free connection: time until donations work again', recovery, 5000, 'ms')
  ]
}

/** Including those reserved for superusers, because the program connects as one here. */
async function takeEveryConnection(databaseUrl: string, idleClients: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client(databaseUrl)
    client.on('error', () => undefined)
    try {
      await client.connect()
      idleClients.push(client)
    } catch (error) {
      if ((error as { code?: string }).code === '53300') return
      throw error
    }
  }
}

async function connect(context: ScenarioContext, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  context.onCleanup(async () => await client.end())
  return client
}
