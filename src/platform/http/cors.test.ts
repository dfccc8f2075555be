import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, campaign, donation, startCampaigns } from '#test/support/services.ts'

const page = 'https://give.example.org'
const foreign = 'https://elsewhere.example'
const { admin, visitor, aCampaign } = await startCampaigns({ env: { CORS_ORIGINS: `${page},https://other.example` } })

const preflight = async (client: Client, path: string, origin: string, method: string) =>
  await client.send({
    method: 'OPTIONS',
    url: path,
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' }
  })

test('pages of every origin may read responses, errors included', async () => {
  const { id } = await aCampaign()
  for (const origin of [page, foreign, 'null']) {
    for (const path of ['/campaigns', `/campaigns/${id}`, '/campaigns/999999999', '/nowhere', '/keys']) {
      const { headers } = await visitor.get(path, { origin })
      assert.equal(headers['access-control-allow-origin'], '*', `${origin} ${path}`)
    }
    const preflightResponse = await preflight(visitor, `/campaigns/${id}`, origin, 'GET')
    assert.equal(preflightResponse.status, 204)
    assert.equal(preflightResponse.headers['access-control-allow-origin'], '*')
  }
})

test('a page can read the headers that a client needs', async () => {
  const { id } = await aCampaign()
  const read = await visitor.get(`/campaigns/${id}`, { origin: foreign })
  const donated = await visitor.post(`/campaigns/${id}/donations`, donation, { origin: page })
  for (const { headers } of [read, donated]) {
    const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase().split(', ')
    for (const name of [
      'etag',
      'link',
      'location',
      'x-total-count',
      'x-request-id',
      'idempotent-replayed',
      'ratelimit',
      'ratelimit-policy',
      'retry-after'
    ]) {
      assert.ok(exposed.includes(name), name)
    }
  }
})

test('a page of an origin in CORS_ORIGINS may write', async () => {
  const { id } = await aCampaign()
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const path = method === 'POST' ? '/campaigns' : `/campaigns/${id}`
    const { status, headers } = await preflight(visitor, path, page, method)
    assert.equal(status, 204, method)
    assert.equal(headers['access-control-allow-origin'], page, method)
    assert.match(headers.vary ?? '', /\borigin\b/i, method)
    assert.ok(headers['access-control-allow-methods']?.split(', ').includes(method), method)
    const allowed = (headers['access-control-allow-headers'] ?? '').toLowerCase().split(', ')
    for (const name of ['authorization', 'content-type', 'accept-language', 'idempotency-key', 'if-match']) {
      assert.ok(allowed.includes(name), name)
    }
    assert.ok(Number(headers['access-control-max-age']) > 0)
  }
  const written = await admin.put(`/campaigns/${id}`, campaign, { origin: page })
  assert.equal(written.status, 200)
  assert.equal(written.headers['access-control-allow-origin'], page)
  assert.match(written.headers.vary ?? '', /\borigin\b/i)
})

test('a page of another origin may not write', async () => {
  const { id } = await aCampaign()
  for (const origin of [foreign, 'null', `${page}.evil.example`, page.toUpperCase(), page.replace('https', 'http')]) {
    const preflightResponse = await preflight(visitor, '/campaigns', origin, 'POST')
    assert.equal(preflightResponse.status, 204)
    assert.equal(preflightResponse.headers['access-control-allow-origin'], undefined, origin)
    assert.match(preflightResponse.headers.vary ?? '', /\borigin\b/i, origin)
    const sent = await visitor.post(`/campaigns/${id}/donations`, donation, { origin })
    assert.equal(sent.headers['access-control-allow-origin'], undefined, origin)
  }
})

test('by default no page may write, and with * every page may', async () => {
  const { visitor: byDefault } = await startCampaigns()
  const { visitor: open } = await startCampaigns({ env: { CORS_ORIGINS: '*' } })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const closed = await preflight(byDefault, '/campaigns/1', page, method)
    assert.equal(closed.headers['access-control-allow-origin'], undefined, method)
    const opened = await preflight(open, '/campaigns/1', foreign, method)
    assert.equal(opened.headers['access-control-allow-origin'], '*', method)
  }
})

test('Access-Control-Allow-Credentials is never sent', async () => {
  const { visitor: open } = await startCampaigns({ env: { CORS_ORIGINS: '*' } })
  for (const client of [visitor, open]) {
    for (const origin of [page, foreign]) {
      for (const response of [
        await client.get('/campaigns', { origin, cookie: 'a=b' }),
        await preflight(client, '/campaigns', origin, 'GET'),
        await preflight(client, '/campaigns', origin, 'POST')
      ]) {
        assert.equal(response.headers['access-control-allow-credentials'], undefined)
      }
    }
  }
})

test('a preflight needs no credentials, and changes nothing', async () => {
  const { id } = await aCampaign()
  const preflightResponse = await visitor.send({
    method: 'OPTIONS',
    url: `/campaigns/${id}`,
    headers: { origin: page, 'access-control-request-method': 'DELETE', authorization: 'Bearer wrong' }
  })
  assert.equal(preflightResponse.status, 204)
  assert.equal((await visitor.get(`/campaigns/${id}`)).status, 200)
})
