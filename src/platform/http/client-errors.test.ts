import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'

const { server } = await startCampaigns()
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo

async function sendBytes(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  let text = ''
  for await (const part of socket) text += part
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  return { status: Number(head.slice(9, 12)), head, body }
}

const unreadable: [what: string, bytes: string, status: number][] = [
  ['a request that is not HTTP', 'hello?\r\n\r\n', 400],
  ['a request with a malformed header', 'GET /campaigns HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n', 400],
  ['a request with a NUL in a header', 'GET /campaigns HTTP/1.1\r\nHost: x\r\nX-Nul: a\0b\r\n\r\n', 400],
  [
    'a request with two Content-Length headers',
    'POST /campaigns HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400
  ],
  [
    'a request with too large headers',
    `GET /campaigns HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
    431
  ]
]

for (const [what, bytes, status] of unreadable) {
  test(`${what} is refused with problem+json, and the service continues`, async () => {
    const response = await sendBytes(bytes)
    assert.equal(response.status, status, response.head)
    assert.match(response.head, /content-type: application\/problem\+json/i)
    const problem = JSON.parse(response.body)
    assert.equal(problem.status, status)
    assert.match(response.head, new RegExp(`x-request-id: ${problem.requestId}`, 'i'))
    assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200)
  })
}
