import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { sendRequest } from '#test/support/kalends-process.ts'
import { startSite } from '#test/support/services.ts'

const { server } = await startSite()
const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
const port = Number(new URL(url).port)

/** Sends a raw request on its own connection. */
async function sendRaw(lines: string[], { path = '/campaigns', version = '1.1' } = {}) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write([`GET ${path} HTTP/${version}`, ...lines, 'Accept-Language: de', '', ''].join('\r\n'))
  // A refusal has to close the connection; after other responses it stays open.
  socket.setTimeout(300, () => socket.end())
  const response = await text(socket)
  const [head = '', body = ''] = response.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body }
}

const malformed: string[][] = [
  ['Host: localhost', 'Host: example.org'],
  ['Host: localhost', 'host: localhost'],
  ['Host: example.org', 'X-Else: 1', 'HOST: localhost'],
  ['Host:'],
  ['Host:   '],
  [],
  ['Host: localhost, example.org'],
  ['Host: exa mple.org'],
  ['Host: example.org/path'],
  ['Host: user@example.org'],
  ['Host: http://example.org'],
  ['Host: example.org:port'],
  ['Host: example.org:80800'],
  ['Host: example.org:80:80'],
  ['Host: [::1'],
  ['Host: ::1'],
  ['Host: "example.org"'],
  ['Host: -example.org'],
  ['Host: ex\u00e4mple.org']
]

test('a request with two Host headers, or without a valid one, is refused with problem+json, and its connection is closed', async () => {
  for (const lines of malformed) {
    const { status, head, body } = await sendRaw(lines)
    const message = JSON.stringify(lines)
    assert.equal(status, 400, message)
    assert.match(head, /^content-type: application\/problem\+json/im, message)
    assert.match(head, /^connection: close$/im, message)
    assert.match(head, /^x-request-id: /im, message)
    const problem = JSON.parse(body)
    assert.equal(problem.code, 'malformed-host', message)
    assert.match(problem.detail, /genau einen Host-Header/, message)
  }
})

test('two Host headers are also refused for cached responses and unknown paths', async () => {
  for (const path of ['/campaigns', '/site', '/en', '/health', '/nothing']) {
    for (let count = 0; count < 3; count += 1) await sendRequest(url + path)
    assert.equal((await sendRaw(['Host: localhost', 'Host: example.org'], { path })).status, 400, path)
    assert.equal(
      (await sendRaw(['Host: localhost', 'Host: example.org', 'Origin: https://a.example'], { path })).status,
      400
    )
  }
})

test('the calendar refuses two Host headers in its own error format', async () => {
  const path = '/calendar/events/v1/events'
  const { status, body } = await sendRaw(['Host: localhost', 'Host: example.org'], { path })
  assert.equal(status, 400)
  const refused = JSON.parse(body)
  assert.deepEqual([typeof refused.code, refused.data.status], ['string', 400])
})

test('a valid Host is accepted, and HTTP/1.0 may omit it', async () => {
  const valid = [
    'localhost',
    'EXAMPLE.org:8080',
    'xn--exmple-cua.org',
    '[::1]:8080',
    '192.0.2.7',
    'a_b.internal',
    'example.org.'
  ]
  for (const host of valid) assert.equal((await sendRaw([`Host: ${host}`])).status, 200, host)
  assert.equal((await sendRaw([], { version: '1.0' })).status, 200)
  assert.equal((await sendRaw(['Host: localhost', 'Host: localhost'], { version: '1.0' })).status, 400)
})
