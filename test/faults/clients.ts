import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  asAdmin,
  checkAtMost,
  checkThat,
  type FaultScenario,
  type Result,
  readStatus,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { sendRequest } from '../support/kalends-process.ts'
import { campaign } from '../support/services.ts'

/** A way to keep connections open with little effort, and the time after which they must be closed. */
interface Attack {
  name: string
  limitMs: number
  begin: string
  /** Sent every second to keep the connection open. */
  drip: string
}

const count = 300

const attacks: Attack[] = [
  { name: 'sends nothing', limitMs: 15_000, begin: '', drip: '' },
  { name: 'sends headers slowly', limitMs: 15_000, begin: 'GET / HTTP/1.1\r\nHost: a\r\n', drip: 'X-A: b\r\n' },
  {
    name: 'sends a body slowly',
    limitMs: 35_000,
    begin:
      'POST /campaigns/1/donations HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
    drip: ' '
  }
]

/** 300 connections of each kind at once, while a well-behaved client uses the site. */
export const misbehavingClients: FaultScenario = {
  name: 'misbehaving-clients',
  run: async context => {
    const server = await startDatabaseServer(context)
    const { url } = await startProgram(context, { DATABASE_URL: server.databaseUrl })
    const body = { ...campaign, description: 'Long. '.repeat(3000) }
    for (let created = 0; created < 100; created += 1)
      await sendRequest(`${url}/campaigns`, { method: 'POST', body, headers: asAdmin })
    const results: Result[] = []
    const honest = startHonestVisitor(url)
    context.onCleanup(async () => await honest.stop())
    results.push(...(await Promise.all(attacks.map(async attack => await runAttack(context, url, attack)))))
    if (!context.quick) results.push(await runSlowReaders(context, url))
    const { statuses, p99Ms } = await honest.stop()
    return [
      ...results,
      checkThat(
        'status for an honest visitor at the same time',
        statuses.size === 1 && statuses.has(200),
        [...statuses].join(', '),
        '200'
      ),
      checkAtMost('an honest visitor, p99', p99Ms, 1000, 'ms')
    ]
  }
}

async function runAttack(
  context: ScenarioContext,
  url: string,
  { name, limitMs, begin, drip }: Attack
): Promise<Result> {
  const sockets = await openConnections(context, url)
  let open = sockets.length
  const began = performance.now()
  let lastMs = 0
  for (const socket of sockets) {
    socket.resume()
    socket.on('close', () => {
      open -= 1
      lastMs = performance.now() - began
    })
    if (begin !== '') socket.write(begin)
  }
  while (open > 0 && performance.now() - began < limitMs + 5000) {
    await sleep(1000)
    for (const socket of sockets) if (drip !== '' && socket.writable) socket.write(drip)
  }
  const ms = open === 0 ? lastMs : Number.POSITIVE_INFINITY
  context.log(`a client that ${name} is disconnected after ${Math.round(ms)} ms`)
  return checkAtMost(`a client that ${name} is disconnected`, ms, limitMs, 'ms')
}

/** Clients that request much and read nothing. Measured at the server, because the clients do not notice that they are disconnected. */
async function runSlowReaders(context: ScenarioContext, url: string): Promise<Result> {
  const before = await countOpenFiles(url)
  const sockets = await openConnections(context, url)
  for (const socket of sockets) {
    socket.pause()
    socket.write('GET /campaigns HTTP/1.1\r\nHost: a\r\n\r\n')
  }
  await sleep(2000)
  const held = (await countOpenFiles(url)) - before
  const began = performance.now()
  // Two minutes: a connection is closed after a minute without progress, and the kernel still buffers data before that.
  while ((await countOpenFiles(url)) - before > count / 10 && performance.now() - began < 130_000) await sleep(1000)
  const ms = performance.now() - began
  return checkAtMost(`clients that read nothing are disconnected (${held} connections)`, ms, 125_000, 'ms')
}

async function openConnections(context: ScenarioContext, url: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  context.onCleanup(async () => sockets.map(socket => socket.destroy()))
  for (const socket of sockets) socket.on('error', () => socket.destroy())
  await Promise.all(sockets.map(async socket => await once(socket, 'connect')))
  return sockets
}

function startHonestVisitor(url: string) {
  const statuses = new Set<number>()
  const times: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      statuses.add(await readStatus(`${url}/campaigns?limit=5`))
      times.push(performance.now() - began)
      await sleep(50)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      times.sort((one, other) => one - other)
      return { statuses, p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
    }
  }
}

async function countOpenFiles(url: string): Promise<number> {
  return Number(/^process_open_fds (\d+)$/m.exec((await sendRequest(`${url}/metrics`)).text)?.[1])
}
