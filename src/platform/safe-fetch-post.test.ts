import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { respondWith, startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { type PostOptions, postBytes, SafeFetchError } from './safe-fetch.ts'

const usual: PostOptions = {
  allowPrivate: true,
  headers: { 'content-type': 'application/json', 'user-agent': 'somebody else' },
  body: '{"name":"Ädä"}',
  connectMs: 5000,
  timeoutMs: 5000,
  bytesMax: 100
}

async function reasonOf(url: string, posting: Partial<PostOptions> = {}): Promise<string> {
  try {
    return String((await postBytes(url, { ...usual, ...posting })).status)
  } catch (error) {
    assert.ok(error instanceof SafeFetchError, String(error))
    return error.reason
  }
}

/** Does with the connection what no HTTP server would. */
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

test('what is posted arrives as it is, and the answer comes back with its status', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(response => response.writeHead(201, { 'retry-after': '7' }).end('thank you'))
  const { status, retryAfter, answer } = await postBytes(receiver.url, usual)
  assert.deepEqual([status, retryAfter, answer.toString()], [201, '7', 'thank you'])
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received
  assert.equal(body, usual.body)
  assert.equal(headers['user-agent'], 'Kalends')
  assert.equal(headers['content-length'], '16')
})

test('a redirect is an answer, and is not followed', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(respondWith(307, { location: receiver.url }))
  assert.equal(await reasonOf(receiver.url), '307')
  assert.equal(receiver.received.length, 1)
})

test('nothing is posted to a private address, however it is spelled', async () => {
  const receiver = await startWebhookReceiver()
  const { port } = new URL(receiver.url)
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    assert.equal(await reasonOf(`http://${host}:${port}/`, { allowPrivate: false }), 'private-address', host)
  }
  assert.equal(receiver.received.length, 0)
  for (const url of ['ftp://127.0.0.1/', 'http://me:secret@127.0.0.1/', 'nonsense']) {
    assert.equal(await reasonOf(url), 'address', url)
  }
})

test('whoever does not answer in time, or not in HTTP, has not answered', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(() => undefined)
  assert.equal(await reasonOf(receiver.url, { timeoutMs: 100 }), 'timeout')
  const silent = await aSocketServer(() => undefined)
  // TLS is part of the connection: somebody who takes it and says nothing has not made one.
  assert.equal(await reasonOf(`https://${silent}/`, { connectMs: 100 }), 'timeout')
  const rude = await aSocketServer(socket => socket.end('no HTTP at all\r\n\r\n'))
  assert.equal(await reasonOf(`http://${rude}/`), 'unreachable')
  await receiver.stop()
  assert.equal(await reasonOf(receiver.url), 'unreachable')
})

test('a connection that was made in time has the whole time for its answer', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(response => setTimeout(() => response.writeHead(204).end(), 300))
  assert.equal(await reasonOf(receiver.url, { connectMs: 200 }), '204')
})

test('of an answer no more is read than wanted, and whoever has given a status has answered', async () => {
  const receiver = await startWebhookReceiver()
  receiver.setBehaviour(response => {
    const more = () => response.write('x'.repeat(65_536)) && setImmediate(more)
    response.writeHead(200).on('drain', more)
    more()
  })
  assert.equal((await postBytes(receiver.url, usual)).answer.length, 100)
  receiver.setBehaviour(response => response.writeHead(200).write('half'))
  const { status, answer } = await postBytes(receiver.url, { ...usual, timeoutMs: 200 })
  assert.deepEqual([status, answer.toString()], [200, 'half'])
})

test('a process that stops need not wait for the answer', async () => {
  const receiver = await startWebhookReceiver()
  const stopping = new AbortController()
  receiver.setBehaviour(() => stopping.abort())
  await assert.rejects(postBytes(receiver.url, { ...usual, signal: stopping.signal }), SafeFetchError)
})
