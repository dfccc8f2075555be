// test: own process, long, both stores, full
// How much of a request body the process reads and buffers for callers without credentials, measured at its sockets, for every route.
import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { startAdmin } from '../support/admin-client.ts'
import { campaign, donation } from '../support/services.ts'

interface Route {
  method: string
  path: string
  isEndless: boolean
}

const routes = new Map<string, Route>()
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method: methods, url, config }) => {
    for (const method of [methods].flat()) {
      const path = url.replace(/:\w+(\([^)]*\))?|\*/g, '1').replace(/\?$/, '')
      routes.set(`${method} ${path}`, { method, path, isEndless: config?.streaming === true })
    }
  })
})

const { server, visitor, admin, signIn } = await startAdmin({ env: { RATE_LIMIT: '0', BODY_MEMORY: '64' } })
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo
// An upload that is unfinished until the end of a test must not time out.
server.app.server.requestTimeout = 0
const accepted = new Map<number, Socket>()
server.app.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort ?? 0, socket))
const opened: Socket[] = []
after(() => opened.map(socket => socket.destroy()))

/** A server that waits for the rest of an unfinished body fails the test instead of blocking it. */
const timeout = 90_000
const kilobyte = 1024
const megabyte = 1024 * kilobyte
const anonymousMax = 64 * kilobyte
/** The bytes that Node reads before the body is refused: one buffer of the socket, one of the request. */
const readAhead = 192 * kilobyte
const piece = Buffer.alloc(64 * kilobyte, 'x')

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  /** The declared length, and how much of it is sent; a body without a length is sent in chunks. */
  declared?: number | undefined
  sent: number
}

interface Conversation {
  socket: Socket
  /** The bytes that the server has sent so far. */
  said: () => string
  status: () => number
  /** The bytes that the process has read from the connection. */
  taken: () => number
}

/** Sends as fast as the connection accepts it, regardless of the response. */
async function startRequest({ method, path, headers = {}, declared, sent }: Sent): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  const { localPort = 0 } = socket
  let said = ''
  socket.on('data', data => {
    said += data.toString('latin1')
  })
  const length = declared === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(declared) }
  const lines = {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/x-www-form-urlencoded',
    ...length,
    ...headers
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
  let left = sent
  const pump = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length
      if (declared === undefined) socket.write(`${piece.length.toString(16)}\r\n`)
      const isFree = socket.write(piece)
      if (declared === undefined) socket.write('\r\n')
      if (!isFree) return
    }
    if (left > 0) return
    socket.off('drain', pump)
    if (declared === undefined) socket.end('0\r\n\r\n')
    else if (declared === sent) socket.end()
  }
  socket.on('drain', pump)
  pump()
  return {
    socket,
    said: () => said,
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]),
    taken: () => accepted.get(localPort)?.bytesRead ?? 0
  }
}

async function waitForStatus(conversation: Conversation): Promise<number> {
  const { socket, status } = conversation
  while (Number.isNaN(status()) && !socket.destroyed) {
    await new Promise(resolve => socket.once('data', resolve).once('close', resolve))
  }
  return status()
}

/** Waits until the connection is closed, after which the server reads nothing more. */
async function waitForClose({ socket }: Conversation): Promise<void> {
  if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
}

async function runInGroups<Item>(items: Item[], size: number, work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work))
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10)
}

const readHeldBytes = async () => Number(/^kalends_request_body_bytes (\d+)/m.exec(await server.metrics.render())?.[1])
const lengths: [how: string, declared: number | undefined][] = [
  ['a declared length', 2 * megabyte],
  ['chunks', undefined]
]

for (const [how, declared] of lengths) {
  test(`no route reads more than 64 KB of a body with ${how} for a caller without credentials`, {
    timeout
  }, async () => {
    const all = [...routes.values()].filter(({ method }) => method !== 'HEAD')
    assert.ok(all.length > 300, `only ${all.length} routes were found`)
    const tooMuch: string[] = []
    await runInGroups(all, 100, async ({ method, path, isEndless }) => {
      const conversation = await startRequest({ method, path, declared, sent: 2 * megabyte })
      const status = await waitForStatus(conversation)
      if (isEndless && status === 200) conversation.socket.destroy()
      await waitForClose(conversation)
      const { taken } = conversation
      if (taken() > anonymousMax + readAhead) tooMuch.push(`${method} ${path}: ${taken()} bytes, answered ${status}`)
    })
    assert.deepEqual(tooMuch, [])
    await waitUntil(async () => (await readHeldBytes()) === 0)
  })
}

test('a public route refuses a larger body with 413 and its limit, and accepts a smaller one', {
  timeout
}, async () => {
  const { body: made } = await admin.post('/campaigns', campaign)
  const url = `/campaigns/${made.id}/donations`
  const large = await visitor.post(
    url,
    { ...donation, message: 'x'.repeat(70 * kilobyte) },
    { 'accept-language': 'de' }
  )
  assert.equal(large.status, 413)
  assert.equal(large.body.code, 'body-too-large')
  assert.match(large.body.detail, /64 KB/)
  assert.equal((await visitor.post(url, { ...donation, message: 'x'.repeat(900) })).status, 201)
  // A caller with a key gets the validation error instead.
  assert.equal((await admin.post(url, { ...donation, message: 'x'.repeat(70 * kilobyte) })).status, 400)
})

test('the body of a console form is not read before session, role and origin are checked', { timeout }, async () => {
  const editor = await signIn('editor')
  const viewer = await signIn('viewer')
  const upload = { method: 'POST', path: '/admin/images', declared: 40 * megabyte, sent: 2 * megabyte }
  const cases: [what: string, headers: Record<string, string>, status: number][] = [
    ['without a session', {}, 401],
    ['with a forged session', { cookie: `kalends_session=kls_${'a'.repeat(10)}_${'b'.repeat(32)}` }, 401],
    ['with a role without permission', { cookie: viewer.cookies() }, 403],
    ['from another site', { cookie: editor.cookies(), origin: 'https://evil.example' }, 403],
    ['from another site by Sec-Fetch-Site', { cookie: editor.cookies(), 'sec-fetch-site': 'cross-site' }, 403]
  ]
  for (const [what, headers, status] of cases) {
    const conversation = await startRequest({ ...upload, headers })
    assert.equal(await waitForStatus(conversation), status, what)
    await waitForClose(conversation)
    assert.ok(conversation.taken() < anonymousMax + readAhead, `${what}: ${conversation.taken()}`)
  }
  const signInForm = await startRequest({
    ...{ method: 'POST', path: '/admin/sign-in', declared: 10 * kilobyte, sent: 0 },
    headers: { origin: 'https://evil.example' }
  })
  assert.equal(await waitForStatus(signInForm), 403, 'a form of another site is refused before its body has arrived')
  signInForm.socket.destroy()
})

test('Expect: 100-continue is answered with 100 only if the request is allowed', {
  timeout
}, async () => {
  const expect = { expect: '100-continue' }
  const anonymousRequest = await startRequest({
    method: 'POST',
    path: '/admin/images',
    headers: expect,
    declared: megabyte,
    sent: 0
  })
  assert.equal(await waitForStatus(anonymousRequest), 401)
  const editor = await signIn('editor')
  const headers = { ...expect, cookie: editor.cookies() }
  const signedInRequest = await startRequest({
    method: 'POST',
    path: '/admin/images',
    headers,
    declared: megabyte,
    sent: 0
  })
  assert.equal(await waitForStatus(signedInRequest), 100)
  for (const { socket } of [anonymousRequest, signedInRequest]) socket.destroy()
})

test('concurrent uploads stay within BODY_MEMORY, further ones get 503, and small bodies are accepted at the same time', {
  timeout
}, async () => {
  const { body: made } = await admin.post('/campaigns', campaign)
  const editor = await signIn('editor')
  const headers = { cookie: editor.cookies() }
  const upload = { method: 'POST', path: '/admin/images', declared: 40 * megabyte, sent: megabyte }
  // The first one fits, and its body is unfinished.
  const first = await startRequest({ ...upload, headers })
  await waitUntil(async () => (await readHeldBytes()) === 40 * megabyte)
  const anonymous = await Promise.all(Array.from({ length: 30 }, async () => await startRequest(upload)))
  const signedIn = await Promise.all(Array.from({ length: 19 }, async () => await startRequest({ ...upload, headers })))
  for (const one of anonymous) assert.equal(await waitForStatus(one), 401)
  for (const one of signedIn) assert.equal(await waitForStatus(one), 503)
  assert.match(signedIn[0]?.said() ?? '', /^retry-after: 5/im)
  assert.equal(await readHeldBytes(), 40 * megabyte)
  assert.equal((await visitor.post(`/campaigns/${made.id}/donations`, donation)).status, 201)

  // A body without a length is refused as soon as it exceeds the remaining memory.
  const growing = await startRequest({ ...upload, headers, declared: undefined, sent: 30 * megabyte })
  assert.equal(await waitForStatus(growing), 503)
  const held = await readHeldBytes()
  assert.ok(held <= 64 * megabyte, `${held}`)

  for (const { socket } of [first, ...anonymous, ...signedIn, growing]) socket.destroy()
  await waitUntil(async () => (await readHeldBytes()) === 0)
  const free = await startRequest({ ...upload, headers })
  await waitUntil(async () => (await readHeldBytes()) === 40 * megabyte)
  assert.ok(Number.isNaN(free.status()), 'the memory is free again')
  free.socket.destroy()
})
