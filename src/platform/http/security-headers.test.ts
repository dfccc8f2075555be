import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { buildRequiredQuery, isUserOperation, startRouteCrawler } from '#test/support/crawl/route-crawler.ts'
import { pickSample } from '#test/support/full-run.ts'
import { campaign, donation, startCampaigns, startCampaignsAndCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, operations, ofOthers, pathOf } = await startRouteCrawler()
const { id } = await aCampaign()
const viewer = await withRole('viewer')
const json = { 'content-type': 'application/json' }

/** A request for every kind of response. */
const kinds: [status: number, request: InjectOptions][] = [
  [200, { url: '/campaigns' }],
  [200, { url: '/health' }],
  [200, { url: '/openapi.json' }],
  [201, { method: 'POST', url: `/campaigns/${id}/donations`, payload: donation }],
  [204, { method: 'OPTIONS', url: '/campaigns' }],
  [304, { url: `/campaigns/${id}`, headers: { 'if-none-match': '*' } }],
  [400, { method: 'POST', url: `/campaigns/${id}/donations`, payload: '{', headers: json }],
  [400, { method: 'POST', url: `/campaigns/${id}/donations`, payload: {} }],
  [400, { url: '/campaigns?limit=0' }],
  [400, { url: '/campaigns/%zz' }],
  [401, { url: '/keys' }],
  [401, { url: '/campaigns', headers: { authorization: 'Bearer wrong' } }],
  [404, { url: '/nowhere' }],
  [404, { url: '/campaigns/999999999' }],
  [404, { method: 'POST', url: '/nowhere', payload: '<', headers: { 'content-type': 'text/xml' } }],
  [405, { method: 'PATCH', url: '/campaigns' }],
  [413, { method: 'POST', url: `/campaigns/${id}/donations`, payload: `"${'x'.repeat(1_100_000)}"`, headers: json }],
  [415, { method: 'POST', url: `/campaigns/${id}/donations`, payload: 'a=b', headers: { 'content-type': 'text/csv' } }],
  [422, { method: 'POST', url: `/campaigns/${id}/donations`, payload: { ...donation, amount: 1 } }]
]

test('every response has a request id and the security headers', async () => {
  for (const [status, request] of kinds) {
    const context = `${request.method ?? 'GET'} ${request.url}`
    const response = await visitor.send(request)
    assert.equal(response.status, status, context)
    assert.match(response.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, context)
    assert.equal(response.headers['x-content-type-options'], 'nosniff', context)
    assert.equal(response.headers['x-frame-options'], 'DENY', context)
    assert.equal(response.headers['referrer-policy'], 'no-referrer', context)
    assert.match(response.headers['content-security-policy'] ?? '', /default-src 'none'/, context)
    assert.equal(response.headers['strict-transport-security'], undefined, context)
    assert.equal(response.headers['x-powered-by'], undefined, context)
  }
})

test('every error is problem+json with its status, code and request id, and is not cached', async () => {
  for (const [status, request] of kinds.filter(([code]) => code >= 400)) {
    const context = `${request.method ?? 'GET'} ${request.url}`
    const { headers, body } = await visitor.send(request)
    assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, context)
    assert.equal(body.status, status, context)
    assert.equal(body.requestId, headers['x-request-id'], context)
    assert.equal(body.type, `/problems/${body.code}`, context)
    assert.equal(headers['cache-control'], 'no-store', context)
  }
})

test('with an https PUBLIC_URL responses have Strict-Transport-Security', async () => {
  const { visitor: reader } = await startCampaigns({ env: { PUBLIC_URL: 'https://give.example.org' } })
  for (const path of ['/campaigns', '/nowhere']) {
    assert.match((await reader.get(path)).headers['strict-transport-security'] ?? '', /^max-age=\d{7,}/, path)
  }
})

test('each request has its own id, or a valid one of the client', async () => {
  const own = await Promise.all(Array.from({ length: 20 }, async () => await visitor.get('/health')))
  assert.equal(new Set(own.map(({ headers }) => headers['x-request-id'])).size, 20)
  for (const given of ['12345678', 'trace-id_1.2', '0af7651916cd43dd8448eb211c80319c', 'x'.repeat(100)]) {
    const { headers, body } = await visitor.get('/nowhere', { 'x-request-id': given })
    assert.equal(headers['x-request-id'], given)
    assert.equal(body.requestId, given)
  }
})

test('a hostile request id is not echoed', async () => {
  const hostile = ['', 'short', 'x'.repeat(101), 'two words', '<script>alert(1)</script>', 'a\tb\tc\td\te', 'ümläute-']
  for (const given of [...hostile, '"quoted-id"', 'line\r\nSet-Cookie: a=b', '12345678, 12345678', '{"json": true}']) {
    const { headers, text } = await visitor.get('/nowhere', { 'x-request-id': given })
    assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, given)
    if (given !== '') assert.ok(!text.includes(given), given)
    assert.equal(headers['set-cookie'], undefined)
  }
})

test('errors are in the language of Accept-Language, with Content-Language', async () => {
  const texts: [header: string | undefined, language: string, text: RegExp][] = [
    [undefined, 'en', /There is no campaign/],
    ['de', 'de', /gibt es nicht/],
    ['de-CH, en;q=0.5', 'de', /gibt es nicht/],
    ['fr', 'en', /There is no campaign/],
    ['de;q=abc', 'en', /There is no campaign/],
    ['x'.repeat(10_000), 'en', /There is no campaign/]
  ]
  for (const [header, language, text] of texts) {
    const headers: Record<string, string> = header === undefined ? {} : { 'accept-language': header }
    const response = await visitor.get('/campaigns/999999999', headers)
    assert.equal(response.headers['content-language'], language, header)
    assert.match(response.body.detail, text, header)
  }
  const invalid = await admin.post('/campaigns', { ...campaign, name: '' }, { 'accept-language': 'de' })
  assert.match(invalid.body.errors[0].message, /darf nicht leer sein/)
  for (const [, request] of kinds.filter(([code]) => code >= 400)) {
    const response = await visitor.send({ ...request, headers: { ...request.headers, 'accept-language': 'de' } })
    assert.equal(response.headers['content-language'], 'de', request.url?.toString())
  }
})

test('requests without Accept-Language get DEFAULT_LANGUAGE', async () => {
  const { visitor: reader } = await startCampaigns({ env: { DEFAULT_LANGUAGE: 'de' } })
  assert.equal((await reader.get('/nowhere')).headers['content-language'], 'de')
  assert.equal((await reader.get('/nowhere', { 'accept-language': 'en' })).headers['content-language'], 'en')
})

test('OPTIONS lists the methods of a path, and other methods are refused with the same list', async () => {
  // In the short check, test/crawl/roles.test.ts sends other methods to every path.
  for (const path of pickSample([...new Set(ofOthers.map(operation => operation.path))], 0)) {
    const here = ofOthers.filter(operation => operation.path === path)
    const methods = here.map(({ method }): string => method)
    const known = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
    const first = here[0]
    assert.ok(first !== undefined)
    const url = await pathOf(first)

    const options = await visitor.send({ method: 'OPTIONS', url })
    assert.equal(options.status, 204, url)
    assert.equal(options.text, '')
    assert.deepEqual((options.headers.allow ?? '').split(', ').sort(), known, url)

    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (known.includes(method)) continue
      const response = await admin.send({ method, url, payload: '<', headers: { 'content-type': 'text/xml' } })
      assert.equal(response.status, 405, `${method} ${url}`)
      assert.deepEqual((response.headers.allow ?? '').split(', ').sort(), known, `${method} ${url}`)
    }
  }
})

// Without these settings /mandate is not found.
await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })

/** Exports contain the current time, and metrics change. */
const changesWithTime = /^\/(?:metrics|donors\/[^/]+|journal\/datev\.csv|receipts\.zip)$/

test('a trailing slash is ignored', async () => {
  const reads = operations.filter(one => one.method === 'GET' && !isUserOperation(one))
  for (const operation of pickSample(reads, 0)) {
    const url = await pathOf(operation)
    const query = `?${buildRequiredQuery(operation).join('&')}`
    const [plain, slashed] = [await admin.get(url + query), await admin.get(`${url}/${query}`)]
    assert.equal(slashed.status, 200, url)
    if (!changesWithTime.test(url)) assert.deepEqual(slashed.body, plain.body, url)
  }
  assert.equal((await admin.post('/campaigns/', campaign)).status, 201)
  assert.equal((await viewer.delete(`/campaigns/${id}/`)).status, 403)
})

test('with the calendar every response links to the WordPress API', async () => {
  const link = '<https://verein.example/wp-json/>; rel="https://api.w.org/"'
  const both = await startCampaignsAndCalendar({ env: { PUBLIC_URL: 'https://verein.example' } })
  const host = { host: 'verein.example' }
  for (let count = 0; count < 2; count += 1) await both.admin.post('/campaigns', campaign, host)
  const paths = ['/health', '/openapi.json', '/campaigns/999', '/nowhere', '/keys', '/campaigns/%zz', '/campaigns']
  // The second response comes from the cache.
  for (const path of [...paths, '/campaigns']) {
    assert.equal((await both.visitor.get(path, host)).headers.link, link, path)
  }
  for (let count = 0; count < 2; count += 1) {
    const { headers } = await both.visitor.get('/campaigns?limit=1', host)
    assert.match(headers.link ?? '', /^<https:\/\/verein\.example\/campaigns\?[^>]+>; rel="next", </)
    assert.ok(headers.link?.endsWith(link), headers.link)
  }
  assert.equal((await (await startCampaigns()).visitor.get('/health')).headers.link, undefined)
})
