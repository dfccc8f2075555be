// test: both stores
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'

const { server, aCampaign } = await startCampaigns()
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo
const { id } = await aCampaign()
const sockets: Socket[] = []
after(() => sockets.map(socket => socket.destroy()))

const slow: [what: string, firstBytes: string][] = [
  ['send nothing', ''],
  ['do not complete their headers', 'GET /campaigns HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
  [
    'do not complete their body',
    `POST /campaigns/${id}/donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`
  ]
]

async function openConnection(firstBytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(firstBytes)
  socket.resume()
  return socket
}

test('the server allows ten seconds for headers, thirty for a request, and 4,000 connections', () => {
  const { headersTimeout, requestTimeout, maxConnections } = server.app.server
  const limits = { headersTimeout, requestTimeout, maxConnections }
  assert.deepEqual(limits, { headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 4000 })
})

test('a client that does not read its response is disconnected after a minute; an idle keep-alive connection after the announced timeout', async () => {
  const connection = once(server.app.server, 'connection')
  const socket = await openConnection('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
  const [serverSocket] = (await connection) as [Socket]
  await once(socket, 'data')
  await waitUntil(() => serverSocket.timeout === 60_000)
  socket.destroy()

  const another = once(server.app.server, 'connection')
  const idle = await openConnection(`GET /campaigns/${id} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [idleServerSocket] = (await another) as [Socket]
  const [response] = (await once(idle, 'data')) as [Buffer]
  const announcedSeconds = Number(/Keep-Alive: timeout=(\d+)/i.exec(response.toString())?.[1])
  assert.ok(
    announcedSeconds > 0 && (idleServerSocket.timeout ?? 0) >= announcedSeconds * 1000,
    `${announcedSeconds} s, ${idleServerSocket.timeout} ms`
  )
  idle.destroy()
})

for (const [index, [what, firstBytes]] of slow.entries()) {
  test(`300 connections that ${what} do not block other clients, and are closed after the timeout`, {
    skip: index > 0 && skipUnlessFull
  }, async () => {
    const openSockets = await Promise.all(Array.from({ length: 300 }, async () => await openConnection(firstBytes)))
    // They do not count towards the limit of concurrent requests.
    const otherClient = await fetch(`http://127.0.0.1:${port}/campaigns/${id}`)
    assert.equal(otherClient.status, 200)
    await otherClient.text()
    const { headersTimeout, requestTimeout } = server.app.server
    const allClosed = Promise.all(openSockets.map(async socket => socket.closed || (await once(socket, 'close'))))
    // The server checks its connections every second; the default would be half a minute.
    Object.assign(server.app.server, { headersTimeout: 100, requestTimeout: 100 })
    await allClosed
    Object.assign(server.app.server, { headersTimeout, requestTimeout })
  })
}
