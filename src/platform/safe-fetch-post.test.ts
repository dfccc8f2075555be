import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { respondWith, startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { type PostOptions, postBytes, SafeFetchError } from './safe-fetch.ts'

const defaults: PostOptions = {
  allowPrivate: true,
  headers: { 'content-type': 'application/json', 'user-agent': 'somebody else' },
  body: '{"name":"Ädä"}',
  connectMs: 5000,
  timeoutMs: 5000,
  bytesMax: 100
}

async function postForReason(url: string, posting: Partial<PostOptions> = {}): Promise<string> {
  try {
    return String((await postBytes(url, { ...defaults, ...posting })).status)
  } catch (error) {
    assert.ok(error instanceof SafeFetchError, String(error))
    return error.reason
  }
}

/** A TCP server with non-HTTP behaviour. */
async function aSocketServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the body is sent unchanged, and the response is returned with its status', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(response => response.writeHead(201, { 'retry-after': '7' }).end('thank you'))
  const { status, retryAfter, answer } = await postBytes(receiver.url, defaults)
  assert.deepEqual([status, retryAfter, answer.toString()], [201, '7', 'thank you'])
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received
  assert.equal(body, defaults.body)
  assert.equal(headers['user-agent'], 'Kalends')
  assert.equal(headers['content-length'], '16')
})

test('a redirect is returned as the response, and is not followed', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(respondWith(307, { location: receiver.url }))
  assert.equal(await postForReason(receiver.url), '307')
  assert.equal(receiver.received.length, 1)
})

test('nothing is sent to a private address, in any spelling', async () => {
  const receiver = await startWebhookReceiver()
  const { port } = new URL(receiver.url)
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    assert.equal(await postForReason(`http://${host}:${port}/`, { allowPrivate: false }), 'private-address', host)
  }
  assert.equal(receiver.received.length, 0)
  for (const url of ['ftp://127.0.0.1/', 'http://me:secret@127.0.0.1/', 'nonsense']) {
    assert.equal(await postForReason(url), 'address', url)
  }
})

test('no response in time is a timeout, and an invalid response or no connection is “unreachable”', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(() => undefined)
  assert.equal(await postForReason(receiver.url, { timeoutMs: 100 }), 'timeout')
  const silent = await aSocketServer(() => undefined)
  // The TLS handshake is part of the connection: a server that accepts but does not respond times out.
  assert.equal(await postForReason(`https://${silent}/`, { connectMs: 100 }), 'timeout')
  const invalid = await aSocketServer(socket => socket.end('no HTTP at all\r\n\r\n'))
  assert.equal(await postForReason(`http://${invalid}/`), 'unreachable')
  await receiver.stop()
  assert.equal(await postForReason(receiver.url), 'unreachable')
})

test('after the connection is established the full timeout applies to the response', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(response => setTimeout(() => response.writeHead(204).end(), 300))
  assert.equal(await postForReason(receiver.url, { connectMs: 200 }), '204')
})

test('at most bytesMax of a response are read, and a response with a status counts although its body is incomplete', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(response => {
    const more = () => response.write('x'.repeat(65_536)) && setImmediate(more)
    response.writeHead(200).on('drain', more)
    more()
  })
  assert.equal((await postBytes(receiver.url, defaults)).answer.length, 100)
  receiver.setBehaviour(response => response.writeHead(200).write('half'))
  const { status, answer } = await postBytes(receiver.url, { ...defaults, timeoutMs: 200 })
  assert.deepEqual([status, answer.toString()], [200, 'half'])
})

test('a request can be aborted when the process stops', async () => {
  const receiver = await startWebhookReceiver()
  const stopping = new AbortController()
  receiver.setBehaviour(() => stopping.abort())
  await assert.rejects(postBytes(receiver.url, { ...defaults, signal: stopping.signal }), SafeFetchError)
})
