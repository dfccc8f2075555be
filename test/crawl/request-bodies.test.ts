// test: own process, long, both stores, full
// What strangers can make the process read and hold, measured at its sockets, for every route there is.
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
// An upload that waits here for the end of a test is not cut off for taking long.
server.app.server.requestTimeout = 0
const accepted = new Map<number, Socket>()
server.app.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort ?? 0, socket))
const opened: Socket[] = []
after(() => opened.map(socket => socket.destroy()))

/** A server that waits for the rest of an unfinished body fails the test instead of blocking it. */
const timeout = 90_000
const kilobyte = 1024
const megabyte = 1024 * kilobyte
const strangerMax = 64 * kilobyte
/** What Node has read before the body is refused: one buffer of the socket, one of the request. */
const readAhead = 192 * kilobyte
const piece = Buffer.alloc(64 * kilobyte, 'x')

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  /** What the headers promise, and how much of it is really sent; a body without a length comes in chunks. */
  declared?: number | undefined
  sent: number
}

interface Conversation {
  socket: Socket
  /** All that the server has said so far. */
  said: () => string
  status: () => number
  /** Bytes that the process has taken from the connection. */
  taken: () => number
}

/** Sends as fast as the connection accepts it, regardless of the response. */
async function begin({ method, path, headers = {}, declared, sent }: Sent): Promise<Conversation> {
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

async function answered(conversation: Conversation): Promise<number> {
  const { socket, status } = conversation
  while (Number.isNaN(status()) && !socket.destroyed) {
    await new Promise(resolve => socket.once('data', resolve).once('close', resolve))
  }
  return status()
}

/** Until the server has hung up: then it takes nothing more. */
async function ended({ socket }: Conversation): Promise<void> {
  if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
}

async function inGroups<Item>(items: Item[], size: number, work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work))
}

async function becomes(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10)
}

const heldBytes = async () => Number(/^kalends_request_body_bytes (\d+)/m.exec(await server.metrics.render())?.[1])
const declaredOrNot: [how: string, declared: number | undefined][] = [
  ['a declared length', 2 * megabyte],
  ['chunks', undefined]
]

for (const [how, declared] of declaredOrNot) {
  test(`no route reads more than 64 KB of a body with ${how} for a stranger`, { timeout }, async () => {
    const all = [...routes.values()].filter(({ method }) => method !== 'HEAD')
    assert.ok(all.length > 300, `only ${all.length} routes were found`)
    const tooMuch: string[] = []
    await inGroups(all, 100, async ({ method, path, isEndless }) => {
      const conversation = await begin({ method, path, declared, sent: 2 * megabyte })
      const status = await answered(conversation)
      if (isEndless && status === 200) conversation.socket.destroy()
      await ended(conversation)
      const { taken } = conversation
      if (taken() > strangerMax + readAhead) tooMuch.push(`${method} ${path}: ${taken()} bytes, answered ${status}`)
    })
    assert.deepEqual(tooMuch, [])
    await becomes(async () => (await heldBytes()) === 0)
  })
}

test('what is for strangers tells them how much they may send, and takes what is smaller', { timeout }, async () => {
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

test('a body for the console waits until its session, role and origin are known', { timeout }, async () => {
  const editor = await signIn('editor')
  const viewer = await signIn('viewer')
  const upload = { method: 'POST', path: '/admin/images', declared: 40 * megabyte, sent: 2 * megabyte }
  const cases: [what: string, headers: Record<string, string>, status: number][] = [
    ['without a session', {}, 401],
    ['with a made-up session', { cookie: `kalends_session=kls_${'a'.repeat(10)}_${'b'.repeat(32)}` }, 401],
    ['with a role that may not', { cookie: viewer.cookies() }, 403],
    ['from another site', { cookie: editor.cookies(), origin: 'https://evil.example' }, 403],
    ['from another site by its mark', { cookie: editor.cookies(), 'sec-fetch-site': 'cross-site' }, 403]
  ]
  for (const [what, headers, status] of cases) {
    const conversation = await begin({ ...upload, headers })
    assert.equal(await answered(conversation), status, what)
    await ended(conversation)
    assert.ok(conversation.taken() < strangerMax + readAhead, `${what}: ${conversation.taken()}`)
  }
  const signInForm = await begin({
    ...{ method: 'POST', path: '/admin/sign-in', declared: 10 * kilobyte, sent: 0 },
    headers: { origin: 'https://evil.example' }
  })
  assert.equal(await answered(signInForm), 403, 'a form of another site is refused before its body has arrived')
  signInForm.socket.destroy()
})

test('whoever asks before sending (Expect: 100-continue) is told to go on only where the body is wanted', {
  timeout
}, async () => {
  const expect = { expect: '100-continue' }
  const stranger = await begin({ method: 'POST', path: '/admin/images', headers: expect, declared: megabyte, sent: 0 })
  assert.equal(await answered(stranger), 401)
  const editor = await signIn('editor')
  const headers = { ...expect, cookie: editor.cookies() }
  const known = await begin({ method: 'POST', path: '/admin/images', headers, declared: megabyte, sent: 0 })
  assert.equal(await answered(known), 100)
  for (const { socket } of [stranger, known]) socket.destroy()
})

test('uploads of all together stay within BODY_MEMORY, and small bodies get in meanwhile', { timeout }, async () => {
  const { body: made } = await admin.post('/campaigns', campaign)
  const editor = await signIn('editor')
  const headers = { cookie: editor.cookies() }
  const upload = { method: 'POST', path: '/admin/images', declared: 40 * megabyte, sent: megabyte }
  // One fits, and waits for the rest of its body.
  const first = await begin({ ...upload, headers })
  await becomes(async () => (await heldBytes()) === 40 * megabyte)
  const anonymous = await Promise.all(Array.from({ length: 30 }, async () => await begin(upload)))
  const signedIn = await Promise.all(Array.from({ length: 19 }, async () => await begin({ ...upload, headers })))
  for (const one of anonymous) assert.equal(await answered(one), 401)
  for (const one of signedIn) assert.equal(await answered(one), 503)
  assert.match(signedIn[0]?.said() ?? '', /^retry-after: 5/im)
  assert.equal(await heldBytes(), 40 * megabyte)
  assert.equal((await visitor.post(`/campaigns/${made.id}/donations`, donation)).status, 201)

  // A body without a length that grows beyond what is left is refused where it does.
  const growing = await begin({ ...upload, headers, declared: undefined, sent: 30 * megabyte })
  assert.equal(await answered(growing), 503)
  const held = await heldBytes()
  assert.ok(held <= 64 * megabyte, `${held}`)

  for (const { socket } of [first, ...anonymous, ...signedIn, growing]) socket.destroy()
  await becomes(async () => (await heldBytes()) === 0)
  const free = await begin({ ...upload, headers })
  await becomes(async () => (await heldBytes()) === 40 * megabyte)
  assert.ok(Number.isNaN(free.status()), 'the room is free again')
  free.socket.destroy()
})
