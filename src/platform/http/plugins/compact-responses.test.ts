import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startServices } from '#test/support/services.ts'
import { problemJson } from '../errors.ts'
import type { Service } from '../service.ts'

/** More than the buffers of the operating system hold. */
const length = 24 * 1_048_576
const text = 'BEGIN:VEVENT\r\nSUMMARY:Grüße\r\nEND:VEVENT\r\n'.repeat(length / 44)
const picture = randomBytes(2 * 1_048_576)

const service: Service = {
  name: 'sample',
  title: 'Sample',
  errorFormat: problemJson,
  rules: [],
  examples: [],
  routes: [
    ({ app }) => {
      app.get('/feed', {
        config: { requires: 'public', cache: { tags: ['sample'] } },
        schema: { produces: 'text/calendar' },
        handler: async (_request, reply) => reply.type('text/calendar; charset=utf-8').send(text)
      })
      app.get('/picture', {
        config: { requires: 'public' },
        schema: { produces: 'image/webp' },
        handler: async (_request, reply) => reply.type('image/webp').send(picture)
      })
    }
  ]
}
const { server, visitor } = await startServices([() => service], {})
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo

test('slow readers of a large text do not each keep a copy in memory, and get all of it', {
  skip: skipUnlessFull
}, async () => {
  const sockets: Socket[] = []
  server.app.server.on('connection', socket => sockets.push(socket))
  const readers = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const reader = connect(port, '127.0.0.1').pause()
      await once(reader, 'connect')
      reader.write(`GET /feed?reader=${index} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)
      return reader
    })
  )
  const sum = (measure: (socket: Socket) => number) => sockets.reduce((total, socket) => total + measure(socket), 0)
  // Until the buffers of the operating system are full.
  for (let before = -1, written = 0; written === 0 || written > before; ) {
    await sleep(300)
    before = written
    written = sum(socket => socket.bytesWritten - socket.writableLength)
  }
  assert.equal(sockets.length, 5)
  assert.ok(sum(socket => socket.writableLength) < 1_048_576, String(sum(socket => socket.writableLength)))

  for (const reader of readers) {
    const parts: Buffer[] = []
    for await (const part of reader) parts.push(part)
    const [head = '', body] = Buffer.concat(parts).toString().split('\r\n\r\n', 2)
    assert.match(head, new RegExp(`\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`, 'i'))
    assert.match(head, /\r\netag: /i)
    assert.equal(body, text)
  }
})

test('a client with the current ETag gets 304, and images are sent unchanged', async () => {
  const { headers } = await visitor.get('/feed')
  assert.equal((await visitor.get('/feed', { 'if-none-match': headers.etag ?? '' })).status, 304)
  const sent = await server.app.inject('/picture')
  assert.ok(sent.rawPayload.equals(picture))
})
