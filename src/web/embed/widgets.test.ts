import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startSite } from '#test/support/services.ts'

const { server, visitor } = await startSite()
const bytesMax = 5 * 1024

test('the script of both custom elements is one file of at most 5 KB, compressed', async () => {
  const { rawPayload, headers } = await server.app.inject({
    url: '/widgets/v1.js',
    headers: { 'accept-encoding': 'gzip' }
  })
  assert.equal(headers['content-encoding'], 'gzip')
  assert.ok(rawPayload.length <= bytesMax, `${rawPayload.length} bytes`)
  const script = gunzipSync(rawPayload).toString()
  assert.match(script, /kalends-events/)
  assert.match(script, /kalends-campaign/)
  assert.doesNotMatch(script, /\bimport\b(?!\.meta)|innerHTML|cookie|localStorage/)
})

test('the script may be loaded from any origin, is cached for 10 minutes, and revalidated with its ETag', async () => {
  const { status, headers } = await visitor.get('/widgets/v1.js')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/javascript/)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(headers['cache-control'], 'public, max-age=600')
  assert.equal(headers['set-cookie'], undefined)
  assert.equal((await visitor.get('/widgets/v1.js', { 'if-none-match': headers.etag ?? '' })).status, 304)
})

test('other versions and file names under /widgets are 404', async () => {
  for (const name of ['v2.js', 'v1.ts', 'site.css', '..%2fmanifest.json', '%00', 'constructor']) {
    assert.equal((await visitor.get(`/widgets/${name}`)).status, 404, name)
  }
})
