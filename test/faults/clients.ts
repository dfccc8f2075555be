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

/** A way to keep a server busy with next to nothing, and when it has to have an end. */
interface Attack {
  name: string
  limitMs: number
  begin: string
  /** Sent every second to keep the connection open. */
  drip: string
}

const count = 300

const attacks: Attack[] = [
  { name: 'says nothing', limitMs: 15_000, begin: '', drip: '' },
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
  run: async given => {
    const server = await startDatabaseServer(given)
    const { url } = await startProgram(given, { DATABASE_URL: server.databaseUrl })
    const body = { ...campaign, description: 'Long. '.repeat(3000) }
    for (let made = 0; made < 100; made += 1)
      await sendRequest(`${url}/campaigns`, { method: 'POST', body, headers: asAdmin })
    const results: Result[] = []
    const honest = watch(url)
    given.onCleanup(async () => await honest.stop())
    results.push(...(await Promise.all(attacks.map(async attack => await under(given, url, attack)))))
    if (!given.quick) results.push(await underReaders(given, url))
    const { statuses, p99Ms } = await honest.stop()
    return [
      ...results,
      checkThat(
        'an honest visitor meanwhile',
        statuses.size === 1 && statuses.has(200),
        [...statuses].join(', '),
        '200'
      ),
      checkAtMost('an honest visitor, p99', p99Ms, 1000, 'ms')
    ]
  }
}

async function under(given: ScenarioContext, url: string, { name, limitMs, begin, drip }: Attack): Promise<Result> {
  const sockets = await connections(given, url)
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
  given.log(`whoever ${name} is sent away after ${Math.round(ms)} ms`)
  return checkAtMost(`whoever ${name} is sent away`, ms, limitMs, 'ms')
}

/** They ask for much and read nothing: seen from the server, because they do not even notice the end. */
async function underReaders(given: ScenarioContext, url: string): Promise<Result> {
  const before = await openFiles(url)
  const sockets = await connections(given, url)
  for (const socket of sockets) {
    socket.pause()
    socket.write('GET /campaigns HTTP/1.1\r\nHost: a\r\n\r\n')
  }
  await sleep(2000)
  const held = (await openFiles(url)) - before
  const began = performance.now()
  // Two minutes: after one without any progress a connection is closed, and the kernel still takes some of it before.
  while ((await openFiles(url)) - before > count / 10 && performance.now() - began < 130_000) await sleep(1000)
  const ms = performance.now() - began
  return checkAtMost(`whoever reads nothing is sent away (${held} held)`, ms, 125_000, 'ms')
}

async function connections(given: ScenarioContext, url: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  given.onCleanup(async () => sockets.map(socket => socket.destroy()))
  for (const socket of sockets) socket.on('error', () => socket.destroy())
  await Promise.all(sockets.map(async socket => await once(socket, 'connect')))
  return sockets
}

function watch(url: string) {
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

async function openFiles(url: string): Promise<number> {
  return Number(/^process_open_fds (\d+)$/m.exec((await sendRequest(`${url}/metrics`)).text)?.[1])
}
