import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'
import type { Log } from '../log.ts'

function collectLines() {
  const lines: { client?: string }[] = []
  const info = (fields: object, text: string) => void (text === 'request' && lines.push(fields))
  return { lines, log: { debug: () => {}, warn: () => {}, error: () => {}, info } as unknown as Log }
}

/** Starts a server; the returned function sends a request and returns the client that the access log names. */
async function startLogging(env: Record<string, string>) {
  const { lines, log } = collectLines()
  const { visitor } = await startCampaigns({ env, log })
  return async (remoteAddress: string, headers: Record<string, string> = {}) => {
    await visitor.send({ url: '/campaigns', remoteAddress, headers })
    return lines.at(-1)?.client
  }
}

const forwarded = { 'x-forwarded-for': '203.0.113.77' }

test('the access log names the network of the client, behind a trusted proxy that of the visitor', async () => {
  const client = await startLogging({ PUBLIC_URL: 'https://give.example.org', TRUST_PROXY: 'loopback' })
  assert.equal(await client('127.0.0.1', forwarded), '203.0.113.0/24')
  assert.equal(await client('127.0.0.1', { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' }), '2001:db8:1::/48')
  assert.equal(await client('198.51.100.9'), '198.51.100.0/24')
  // X-Forwarded-For is only trusted from loopback addresses.
  assert.equal(await client('198.51.100.9', forwarded), '198.51.100.0/24')
  assert.equal(await client('127.0.0.1'), 'local')
})

test('without TRUST_PROXY the headers of a proxy are ignored, and the address of the proxy is not logged', async () => {
  const client = await startLogging({})
  assert.equal(await client('198.51.100.9', forwarded), undefined)
  assert.equal(await client('198.51.100.9'), '198.51.100.0/24')
})

test('full addresses are logged with LOG_ADDRESSES=full, and none with LOG_ADDRESSES=none', async () => {
  const full = await startLogging({ LOG_ADDRESSES: 'full', TRUST_PROXY: 'loopback' })
  assert.equal(await full('127.0.0.1', forwarded), '203.0.113.77')
  const none = await startLogging({ LOG_ADDRESSES: 'none', TRUST_PROXY: 'loopback' })
  assert.equal(await none('127.0.0.1', forwarded), undefined)
})

test('a request whose connection is closed with the response is logged with its client', async () => {
  const { lines, log } = collectLines()
  const env = { PUBLIC_URL: 'https://give.example.org', TRUST_PROXY: 'loopback', RATE_LIMIT: '0' }
  const { server } = await startCampaigns({ env, log })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  // As for a health check that closes the connection as soon as it has its answer.
  server.app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    response.prependListener('finish', () => request.socket.destroy())
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /campaigns HTTP/1.1\r\nHost: give.example.org\r\n\r\n')
  assert.match(await text(socket), /^HTTP\/1\.1 200/)
  await waitUntil(() => lines.length === 1)
  assert.equal(lines[0]?.client, 'local')
})
