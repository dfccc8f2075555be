import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startSite } from '#test/support/services.ts'

const { server, admin } = await startSite()

const paths = [`${calendar}/categories`, '/en/calendar/2026-11']
const clients: Record<string, Record<string, string>> = {
  'without a coding': {},
  'with gzip': { 'accept-encoding': 'gzip' },
  'with brotli, from another site': { 'accept-encoding': 'br, gzip', origin: 'https://example.org' },
  'that accepts only gzip': { 'accept-encoding': 'gzip, identity;q=0' }
}

async function send(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const response = await server.app.inject({ method, url: path, headers })
  const { 'x-request-id': id, date: _date, ...shared } = response.headers
  return { status: response.statusCode, id, shared, body: response.rawPayload.toString('base64') }
}

async function sendTimes(count: number, path: string, headers: Record<string, string>) {
  const responses: Awaited<ReturnType<typeof send>>[] = []
  for (let index = 0; index < count; index += 1) responses.push(await send(path, headers))
  return responses
}

for (const path of paths) {
  for (const [client, headers] of Object.entries(clients)) {
    test(`a client ${client} gets the same response for ${path} from the handler and from the cache`, async () => {
      const responses = await sendTimes(6, path, headers)
      const [first] = responses
      assert.equal(first?.status, 200)
      for (const { id: _, ...response } of responses) {
        assert.deepEqual(response, { status: 200, shared: first?.shared, body: first?.body })
      }
      assert.equal(new Set(responses.map(({ id }) => id)).size, responses.length)
    })

    test(`a client ${client} with the current ETag of ${path} gets the same 304 response each time`, async () => {
      const { shared: whole } = await send(path, headers)
      const responses = await sendTimes(4, path, { ...headers, 'if-none-match': `"other", ${whole.etag}` })
      const [first] = responses
      for (const { id: _, ...response } of responses) {
        assert.deepEqual(response, { status: 304, shared: first?.shared, body: '' })
      }
      const { 'content-type': _type, 'content-encoding': _coding, 'content-length': _length, ...same } = whole
      assert.deepEqual(first?.shared, same)
    })
  }
}

test('HEAD has the headers of the cached response', async () => {
  const [, , cached] = await sendTimes(3, '/campaigns', {})
  const head = await send('/campaigns', {}, 'HEAD')
  assert.deepEqual(head.shared, cached?.shared)
  assert.equal(head.body, '')
})

test('the metrics count cached responses like any other', async () => {
  const count = async () => {
    const { text } = await admin.get('/metrics')
    return Number(/request_duration_seconds_count\{[^}]*route="\/campaigns"[^}]*\} (\d+)/.exec(text)?.[1])
  }
  await send('/campaigns')
  const before = await count()
  await sendTimes(3, '/campaigns', {})
  assert.equal(await count(), before + 3)
})
