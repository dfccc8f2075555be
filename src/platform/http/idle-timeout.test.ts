import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { enforceIdleTimeout } from './idle-timeout.ts'

const silentMs = 500
const answers: Record<string, (response: ServerResponse) => void> = {
  '/': response => response.end('x'),
  '/silent': response => response.write('x'),
  '/large': response => response.write(Buffer.alloc(50_000_000)),
  '/steady': async response => {
    for (let round = 0; round < 24 && !response.destroyed; round += 1) {
      response.write('x')
      await sleep(silentMs / 8)
    }
    response.end()
  },
  '/unlimited': response => {
    response.socket?.setTimeout(0)
    response.write('x')
  }
}
const server = createServer({ keepAliveTimeout: silentMs }, (request, response) => {
  response.socket?.setTimeout(silentMs)
  answers[request.url ?? '']?.(response)
})
enforceIdleTimeout(server, 20)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})

/** How long the server keeps the connection after the request. */
async function lasts(path: string, { reads = true } = {}): Promise<number> {
  const connected = once(server, 'connection')
  const socket = await ask(path, { reads })
  const began = performance.now()
  const [there] = (await connected) as [Socket]
  if (!there.closed) await once(there, 'close')
  socket.destroy()
  return performance.now() - began
}

async function ask(path: string, { reads = true } = {}): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  if (reads) socket.resume()
  return socket
}

for (const [what, path, reads] of [
  ['has its answer and asks for nothing more', '/', true],
  ['gets no more of an answer', '/silent', true],
  ['reads no more of an answer', '/large', false]
] as const) {
  test(`a connection that ${what} is ended after the time it has, and not before`, async () => {
    assert.ok((await lasts(path, { reads })) >= silentMs - 25)
  })
}

test('as long as something goes over a connection it stays', async () => {
  assert.ok((await lasts('/steady')) >= silentMs * 2)
})

test('without a limit a connection stays', async () => {
  const socket = await ask('/unlimited')
  await sleep(silentMs * 2)
  assert.equal(socket.closed, false)
  socket.destroy()
})

test('who asks again over the same connection begins anew', async () => {
  const socket = await ask('/')
  for (let round = 0; round < 4; round += 1) {
    await sleep(silentMs / 2)
    assert.equal(socket.closed, false)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  }
  await once(socket, 'close')
})
