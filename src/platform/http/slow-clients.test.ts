// test: both stores
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startCampaigns } from '#test/support/services.ts'

const { server, aCampaign } = await startCampaigns()
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo
const { id } = await aCampaign()
const sockets: Socket[] = []
after(() => sockets.map(socket => socket.destroy()))

const slow: [what: string, begins: string][] = [
  ['says nothing', ''],
  ['does not come to the end of the headers', 'GET /campaigns HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
  [
    'does not come to the end of the body',
    `POST /campaigns/${id}/donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`
  ]
]

async function connected(begins: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(begins)
  socket.resume()
  return socket
}

test('a connection is given ten seconds for headers and thirty for all of a request', () => {
  const { headersTimeout, requestTimeout, maxConnections } = server.app.server
  const given = { headersTimeout, requestTimeout, maxConnections }
  assert.deepEqual(given, { headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 4000 })
})

test('whoever an answer is for has a minute without any progress, and as long as is promised until the next request', async () => {
  const connection = once(server.app.server, 'connection')
  const socket = await connected('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
  const [there] = (await connection) as [Socket]
  await once(socket, 'data')
  assert.equal(there.timeout, 60_000)
  socket.destroy()

  const another = once(server.app.server, 'connection')
  const idle = await connected(`GET /campaigns/${id} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [waiting] = (await another) as [Socket]
  const [answer] = (await once(idle, 'data')) as [Buffer]
  const promised = Number(/Keep-Alive: timeout=(\d+)/i.exec(answer.toString())?.[1])
  assert.ok(promised > 0 && (waiting.timeout ?? 0) >= promised * 1000, `${promised} s, ${waiting.timeout} ms`)
  idle.destroy()
})

for (const [index, [what, begins]] of slow.entries()) {
  test(`hundreds of whom each ${what} keep nobody out, and are sent away when their time is over`, {
    skip: index > 0 && skipUnlessFull
  }, async () => {
    const many = await Promise.all(Array.from({ length: 300 }, async () => await connected(begins)))
    // They take none of the places of those who are being served.
    const honest = await fetch(`http://127.0.0.1:${port}/campaigns/${id}`)
    assert.equal(honest.status, 200)
    await honest.text()
    const { headersTimeout, requestTimeout } = server.app.server
    const gone = Promise.all(many.map(async socket => socket.closed || (await once(socket, 'close'))))
    // Looked after once a second; without that they would be here for half a minute.
    Object.assign(server.app.server, { headersTimeout: 100, requestTimeout: 100 })
    await gone
    Object.assign(server.app.server, { headersTimeout, requestTimeout })
  })
}
