// Thousands of requests to every route, without credentials and as every role, through a proxy that adds no headers. No
// response exceeds the permissions of the role table, memory does not grow, and other requests do not wait.
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Role, roles } from '#platform/caller.ts'
import { everybody, people, rights } from '../support/crawl/role-table.ts'
import { isUserOperation, type Operation, startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { createDatabase } from '../support/database.ts'
import { startKalends } from '../support/kalends-process.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'
import { adminKey, startSite } from '../support/services.ts'

/** The default is 100 cases. */
const requestsPerCase = 100
const atOnce = 6
const growthMaxMb = 200
const waitMaxMs = 1000
/** Generated requests per operation; the callers send them in turn. */
const requestsPerOperation = 2

/** Instead of a status, if the connection was closed without a response. */
const closed = 0

/** For local callers only: a request through a proxy is not local, whatever the role table says. */
const localOnly = ['GET /metrics']

type CallerName = Role | 'visitor' | 'a wrong key'
interface Sent {
  status: number
  text: string
}

export async function checkOutsider({ seed, cases, only }: Effort): Promise<Finding[]> {
  const database = await createDatabase()
  const adminPaths = listConsolePaths()
  const crawler = await startRouteCrawler({ database })
  // Only to collect its routes. Both servers are closed at the end.
  await startSite({ database: { ...database, remove: async () => undefined } })
  const keys = new Map<CallerName, string | undefined>([
    ['visitor', undefined],
    ['a wrong key', `kal_${'a'.repeat(10)}_${'b'.repeat(32)}`]
  ])
  for (const role of roles) keys.set(role, (await crawler.admin.post('/keys', { name: role, role })).body.key)

  const program = await startKalends({
    DATABASE_URL: database.url,
    ADMIN_KEY: adminKey,
    PUBLIC_URL: 'https://give.example.org',
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    RATE_LIMIT_DONATIONS: '0',
    RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0'
  })
  const proxy = await startProxy(program.url)
  const faults: string[] = []
  let isOver = false
  try {
    const operations = crawler.operations.filter(({ name, path }) => name.includes(only) && path !== '/stream')
    const random = newRandom(seed)
    const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One
    const requests = new Map<string, InjectOptions[]>()
    for (const operation of operations) {
      const built: InjectOptions[] = []
      while (built.length < requestsPerOperation) built.push(await crawler.validRequest(operation))
      requests.set(operation.name, built)
    }

    const watching = measureLongestWait(program.url, () => isOver)
    const total = cases * requestsPerCase
    let [sent, least, most] = [0, Number.POSITIVE_INFINITY, 0]
    const statuses = new Map<number, number>()

    async function attempt(operation: Operation): Promise<void> {
      const caller = pick([...keys.keys()])
      const request = vary(pick(requests.get(operation.name) ?? []), random)
      const { status, text } = await proxy.send(request, await getCredentials(operation, caller))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const fault = findFault(operation, caller, status)
      if (fault !== undefined) {
        faults.push(
          `${fault}: ${caller}, ${request.method} ${String(request.url).slice(0, 200)}: ${text.slice(0, 200)}`
        )
      }
    }

    /** Operations on the own account are called with a new session each time, because they may end it. */
    async function getCredentials(operation: Operation, caller: CallerName): Promise<string | undefined> {
      const isPerson = isUserOperation(operation) && people.some(role => role === caller)
      return isPerson ? (await crawler.aPerson(caller)).token : keys.get(caller)
    }

    async function sendAll(): Promise<void> {
      while (sent < total) {
        const operation = operations[sent % operations.length] as Operation
        sent += 1
        await attempt(operation)
        if (sent % 100 === 0) {
          const memory = readMemoryMb(program.pid)
          // After a tenth of the requests the working set is allocated.
          if (sent >= total / 10) least = Math.min(least, memory)
          most = Math.max(most, memory)
        }
      }
    }

    await Promise.all(Array.from({ length: atOnce }, sendAll))
    const pages = only === '' ? await requestConsole(adminPaths, proxy.send, faults) : 0
    isOver = true
    const wait = await watching
    if (most - least > growthMaxMb) faults.push(`grew from ${least} to ${most} MB`)
    if (wait > waitMaxMs) faults.push(`another client waited ${wait} ms`)
    const statusCounts = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${count}×${status}`)
    const measured = `${sent} requests to ${operations.length} operations as ${keys.size} callers, ${pages} to the console (seed ${seed}): ${statusCounts.join(' ')}; ${least} to ${most} MB; others waited ${wait} ms at most (load of the machine ${loadavg()[0]?.toFixed(1)})`
    const limit = `as in the role table, at most ${growthMaxMb} MB more, no client waits over ${waitMaxMs} ms`
    return [toFinding('outsider', measured, limit, faults)]
  } finally {
    isOver = true
    proxy.close()
    await program.stop()
  }
}

/** Faults of a response by the role table alone. An allowed caller may still get 404 or 400. */
function findFault({ name }: Operation, caller: CallerName, status: number): string | undefined {
  if (status >= 500) return `${status} for ${name}`
  const allowed = rights[name]
  if (allowed === undefined) return `${name} is not in the role table`
  const isRole = roles.some(role => role === caller)
  const mayCall = allowed === everybody ? isRole || caller === 'visitor' : allowed.some(role => role === caller)
  if (localOnly.includes(name) && caller !== 'admin' && status >= 200 && status < 400)
    return `${name} is for this machine only`
  if (status === closed) return mayCall ? `no response for ${name}` : undefined
  // A path that cannot exist is 404; everything else is refused before validation.
  if (!mayCall && status !== (isRole ? 403 : 401) && status !== 404) return `${status} for ${name}`
  return undefined
}

/** The request unchanged, or with an unknown id, a malformed body or an extra parameter. */
function vary(request: InjectOptions, random: () => number): InjectOptions {
  const dice = random()
  const url = String(request.url)
  if (dice < 0.5) return request
  if (dice < 0.65) return { ...request, url: url.replace(/\/\d+(?=\/|$|\?)/, '/4000000000') }
  if (dice < 0.8) return { ...request, url: `${url}${url.includes('?') ? '&' : '?'}limit=1&role=admin&key=x` }
  if (request.payload === undefined) return request
  const headers = { 'content-type': 'application/json' }
  return { ...request, headers, payload: dice < 0.9 ? '{' : `{"role":"admin","id":1,"x":"${'x'.repeat(10_000)}"}` }
}

/** Without a session no page or form of the console is available except for signing in. */
async function requestConsole(
  paths: Set<string>,
  send: (request: InjectOptions, key?: string) => Promise<Sent>,
  faults: string[]
): Promise<number> {
  const isOpen = (path: string) => /^\/admin\/(?:sign-in|setup|invitation|reset|forgotten|oidc|language)\b/.test(path)
  let sent = 0
  for (const route of paths) {
    const [method = 'GET', path = ''] = route.split(' ')
    if (isOpen(path)) continue
    const url = path.replace(/:\w+|\*/g, '1')
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' }
    const { status } = await send({ method: method as 'GET' | 'POST', url, ...(method === 'POST' ? form : {}) })
    sent += 1
    if (status < 300 || status >= 500) faults.push(`a visitor gets ${status} at ${route}`)
  }
  if (sent === 0) faults.push('no page of the console was found')
  return sent
}

/** Collects the paths of every server that is started from now on. */
function listConsolePaths(): Set<string> {
  const paths = new Set<string>()
  subscribe('fastify.initialization', message => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      if ((method === 'GET' || method === 'POST') && /^\/admin(?:\/|$)/.test(url)) paths.add(`${method} ${url}`)
    })
  })
  return paths
}

/** Forwards everything to the program with the Host of the program, and without forwarding headers. */
async function startProxy(target: string) {
  const upstream = new Agent({ keepAlive: true, maxSockets: atOnce })
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, host: new URL(target).host }
    const passed = httpRequest(
      target,
      { method: incoming.method, path: incoming.url, headers, agent: upstream },
      found => {
        answer.writeHead(found.statusCode ?? 502, found.headers)
        found.pipe(answer)
      }
    )
    // The program may refuse a body before it has read all of it.
    passed.on('error', () => answer.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

  async function send(request: InjectOptions, key?: string): Promise<Sent> {
    const { method = 'GET', url, headers = {}, payload } = request
    const all: Record<string, string> = { ...(headers as Record<string, string>), host: 'give.example.org' }
    if (key !== undefined) all.authorization = `Bearer ${key}`
    const body = payload === undefined ? undefined : Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload))
    if (body !== undefined) all['content-length'] = String(body.length)
    const sending = httpRequest({ host: '127.0.0.1', port, method, path: String(url), headers: all, agent })
    // Errors after the response do not matter.
    sending.on('error', () => undefined).end(body)
    try {
      const [answer] = (await once(sending, 'response')) as [IncomingMessage]
      let text = ''
      for await (const part of answer.setEncoding('utf8')) text += part
      return { status: answer.statusCode ?? closed, text }
    } catch (error) {
      return { status: closed, text: String(error) }
    }
  }

  return {
    send,
    close: () => {
      agent.destroy()
      upstream.destroy()
      server.close()
      server.closeAllConnections()
    }
  }
}

/** Measures the longest wait of a normal request, several times a second. */
async function measureLongestWait(url: string, isOver: () => boolean): Promise<number> {
  let most = 0
  while (!isOver()) {
    const start = performance.now()
    const answer = await fetch(`${url}/campaigns?limit=1`)
    await answer.arrayBuffer()
    most = Math.max(most, performance.now() - start)
    await sleep(20)
  }
  return Math.round(most)
}

/** Resident memory of the process, in MB. */
function readMemoryMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}

/** The same numbers for the same seed (mulberry32). */
function newRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
