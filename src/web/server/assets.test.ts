import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startSite } from '#test/support/services.ts'
import { getAssetPath } from './assets.ts'

const { server, visitor } = await startSite()

test('styles, scripts and fonts have names that change with their content, and may be kept for ever', async () => {
  for (const name of ['site.css', 'admin.css', 'fraunces.woff2', 'copy.js']) {
    const { status, headers } = await visitor.get(getAssetPath(name))
    assert.equal(status, 200, name)
    assert.match(getAssetPath(name), /-[A-Z0-9]{8}\.\w+$/)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  }
})

test('styles come compressed to those who can read that', async () => {
  const get = async (encoding: string) =>
    await server.app.inject({ url: getAssetPath('site.css'), headers: { 'accept-encoding': encoding } })
  const plain = await get('')
  const gzip = await get('gzip')
  const brotli = await get('gzip, br')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body)
  assert.equal((await get('gzip, br;q=0')).headers['content-encoding'], 'gzip')
  assert.equal(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size, 3)
  assert.equal(brotli.headers.vary, 'Accept-Encoding')
})

test('nothing but what was built is served as an asset', async () => {
  for (const name of ['nothing.css', 'manifest.json', '..%2f..%2fmain.js', '%2e%2e%2fservice.js', '%00']) {
    assert.equal((await visitor.get(`/assets/${name}`)).status, 404, name)
  }
})

test('a page loads the styles of every page and of its own part, and no others', async () => {
  const load = async (path: string) =>
    [...(await server.app.inject({ url: path })).body.matchAll(/rel="stylesheet" href="\/assets\/([a-z]+)-/g)].map(
      ([, name]) => name
    )
  assert.deepEqual(await load('/en'), ['site'])
  assert.deepEqual(await load('/en/calendar'), ['site', 'calendar'])
  assert.deepEqual(await load('/de/kalender/liste'), ['site', 'calendar'])
  assert.deepEqual(await load('/en/feeds'), ['site', 'developers'])
  assert.deepEqual(await load('/en/api'), ['site', 'developers'])
})
