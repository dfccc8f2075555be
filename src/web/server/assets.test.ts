import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyReply } from 'fastify'
import { loadShedding } from '#platform/http/plugins/load-shedding.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newMetrics } from '#platform/metrics.ts'
import { silent } from '#test/support/database.ts'
import { campaign, startSite } from '#test/support/services.ts'
import { getAssetPath, registerAssetRoutes } from './assets.ts'
import { registerThemeRoutes } from './theme.ts'

const { server, visitor, admin } = await startSite()

test('styles, scripts and fonts have a content hash in their names, and may be cached permanently', async () => {
  for (const name of ['site.css', 'admin.css', 'fraunces.woff2', 'copy.js']) {
    const { status, headers } = await visitor.get(getAssetPath(name))
    assert.equal(status, 200, name)
    assert.match(getAssetPath(name), /-[A-Z0-9]{8}\.\w+$/)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  }
})

test('styles are compressed according to Accept-Encoding', async () => {
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

test('only built assets are served', async () => {
  for (const name of ['nothing.css', 'manifest.json', '..%2f..%2fmain.js', '%2e%2e%2fservice.js', '%00']) {
    assert.equal((await visitor.get(`/assets/${name}`)).status, 404, name)
  }
})

test('a page loads the common style sheet and that of its own part, and no others', async () => {
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

test('the page of a campaign starts with less than 3 KB of scripts, also with proof of work, and loads the rest on demand', async () => {
  await admin.patch('/organisation', { proofOfWork: true, legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })
  const { id } = (await admin.post('/campaigns', campaign)).body
  const { headers } = await visitor.get(`/en/donate/${id}`)
  const page = await visitor.get(headers.location ?? '')
  const scripts = new Map<string, string>()
  const onDemand: string[] = []
  const load = async (path: string) => {
    if (scripts.has(path)) return
    const { status, text } = await visitor.get(path)
    assert.equal(status, 200, path)
    scripts.set(path, text)
    onDemand.push(...[...text.matchAll(/import\("\.\/([a-z-]+)-[A-Z0-9]+\.js"\)/g)].map(([, name = '']) => name))
    for (const [, name = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) await load(`/assets/${name}`)
  }
  for (const [, path = ''] of page.text.matchAll(/<script type="module" src="([^"]+)"/g)) await load(path)
  assert.ok(scripts.size > 4, [...scripts.keys()].join(' '))
  const bytes = [...scripts.values()].reduce((sum, text) => sum + gzipSync(text).length, 0)
  assert.ok(bytes < 3000, `${bytes} bytes`)
  assert.deepEqual(onDemand.toSorted(), ['amount', 'campaign-updates', 'find-solution', 'iban-field'])
})

test('the styles of an error page are served while requests are refused because of overload', async () => {
  const app = Fastify()
  after(() => app.close())
  const sendError = (_error: unknown, _request: unknown, reply: FastifyReply) => reply.code(503).send('overloaded')
  // As the plugin requestContext does.
  app.decorateRequest('routeConfig')
  app.addHook('onRequest', async request => {
    request.routeConfig = request.routeOptions.config
  })
  await app.register(loadShedding, { metrics: newMetrics(), log: silent, sendError })
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  app.get('/slow', async () => await released)
  app.get('/fast', async () => 'served')
  registerAssetRoutes({ app } as unknown as RouteContext)
  registerThemeRoutes({ app } as unknown as RouteContext)
  const inProgress = Array.from({ length: 200 }, async () => await app.inject('/slow'))
  for (let status = 200; status !== 503; ) {
    status = (await app.inject('/fast')).statusCode
    assert.ok(status === 200 || status === 503, String(status))
  }
  for (const path of [getAssetPath('site.css'), getAssetPath('fraunces.woff2'), '/theme.css?accent=336699']) {
    assert.equal((await app.inject(path)).statusCode, 200, path)
  }
  release()
  await Promise.all(inProgress)
})
