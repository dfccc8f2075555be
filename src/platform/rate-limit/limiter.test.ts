import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { donation, startCampaigns } from '#test/support/services.ts'

const remote = { remoteAddress: '192.0.2.1' }
const health: InjectOptions = { url: '/health' }

test('responses show how many requests are left, and further requests get 429 with Retry-After', async () => {
  const { visitor } = await startCampaigns({ env: { RATE_LIMIT: '5' } })
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await visitor.send({ ...health, ...remote })
    assert.equal(status, 200)
    assert.equal(headers['ratelimit-policy'], '"requests";q=5;w=60')
    assert.match(headers.ratelimit ?? '', new RegExp(`^"requests";r=${left};t=([1-9]|[1-5]\\d|60)$`))
    assert.equal(headers['retry-after'], undefined)
  }
  for (let count = 0; count < 3; count += 1) {
    const { status, headers, body } = await visitor.send({ ...health, ...remote })
    assert.equal(status, 429)
    assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
    assert.equal(body.code, 'too-many-requests')
    assert.match(headers.ratelimit ?? '', /^"requests";r=0;t=\d+$/)
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60, headers['retry-after'])
    assert.ok(headers['x-request-id'] !== undefined && headers['x-content-type-options'] === 'nosniff')
  }
})

test('requests of all kinds are counted together, including errors and requests with credentials', async () => {
  const { visitor, admin } = await startCampaigns({ env: { RATE_LIMIT: '5' } })
  const statuses: number[] = []
  for (const url of ['/campaigns', '/nowhere', '/keys', '/campaigns?limit=0', '/campaigns/999999999']) {
    statuses.push((await visitor.send({ url, ...remote })).status)
  }
  assert.deepEqual(statuses, [200, 404, 401, 400, 404])
  assert.equal((await admin.send({ url: '/keys', ...remote })).status, 429)
  assert.equal((await visitor.send({ url: '/nowhere', ...remote })).status, 429)
})

test('each address has its own limit', async () => {
  const { visitor } = await startCampaigns({ env: { RATE_LIMIT: '1' } })
  for (const remoteAddress of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '::ffff:192.0.2.3', '::ffff:192.0.2.4']) {
    assert.equal((await visitor.send({ ...health, remoteAddress })).status, 200, remoteAddress)
    assert.equal((await visitor.send({ ...health, remoteAddress })).status, 429, remoteAddress)
  }
})

test('the addresses of one IPv6 network share a limit', async () => {
  const { visitor } = await startCampaigns({ env: { RATE_LIMIT: '4' } })
  const status = async (remoteAddress: string) => (await visitor.send({ ...health, remoteAddress })).status
  const household = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2:3::']
  for (const address of household) assert.equal(await status(address), 200, address)
  for (const address of household) assert.equal(await status(address), 429, address)
  for (const address of ['2001:db8:1:3::1', '2001:db8:1::1', '2001:db8::1:2:0:0:1', 'fe80::1']) {
    assert.equal(await status(address), 200, address)
  }
})

test('local callers are not limited, callers through a proxy are', async () => {
  const { visitor } = await startCampaigns({ env: { RATE_LIMIT: '2' } })
  for (let count = 0; count < 10; count += 1) {
    for (const remoteAddress of ['127.0.0.1', '::1']) {
      const { status, headers } = await visitor.send({ ...health, remoteAddress })
      assert.equal(status, 200)
      assert.equal(headers.ratelimit, undefined)
    }
  }
  const statuses: number[] = []
  for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
    statuses.push((await visitor.get('/health', { [name]: '192.0.2.1' })).status)
  }
  assert.deepEqual(statuses, [200, 200, 429])
})

test('with TRUST_PROXY the address in X-Forwarded-For is counted', async () => {
  const { visitor } = await startCampaigns({ env: { RATE_LIMIT: '1', TRUST_PROXY: '1' } })
  const status = async (address: string) => (await visitor.get('/health', { 'x-forwarded-for': address })).status
  assert.deepEqual([await status('192.0.2.1'), await status('192.0.2.1'), await status('192.0.2.2')], [200, 429, 200])
  // Only the last address is from the proxy; clients can send the others.
  assert.equal(await status('203.0.113.9, 192.0.2.1'), 429)
})

test('0 disables a limit', async () => {
  const { visitor, aCampaign } = await startCampaigns({
    env: { RATE_LIMIT: '0', RATE_LIMIT_DONATIONS: '0', RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
  })
  const { id } = await aCampaign()
  for (let count = 0; count < 40; count += 1) {
    const url = `/campaigns/${id}/donations`
    const { status, headers } = await visitor.send({ method: 'POST', url, payload: donation, ...remote })
    assert.equal(status, 201)
    assert.equal(headers.ratelimit, undefined)
    assert.equal(headers['ratelimit-policy'], undefined)
  }
})

test('donations have their own limit over all campaigns, which does not affect reads', async () => {
  const { visitor, aCampaign } = await startCampaigns({ env: { RATE_LIMIT_DONATIONS: '2' } })
  const [one, other] = [await aCampaign(), await aCampaign()]
  const donate = async (id: number, remoteAddress: string) =>
    await visitor.send({ method: 'POST', url: `/campaigns/${id}/donations`, payload: donation, remoteAddress })

  const first = await donate(one.id, '192.0.2.1')
  assert.equal(first.status, 201)
  assert.equal(first.headers['ratelimit-policy'], '"donations";q=2;w=60')
  assert.match(first.headers.ratelimit ?? '', /^"donations";r=1;t=\d+$/)
  assert.equal((await donate(other.id, '192.0.2.1')).status, 201)
  const refused = await donate(other.id, '192.0.2.1')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)

  assert.equal((await visitor.send({ url: `/campaigns/${one.id}`, ...remote })).status, 200)
  assert.equal((await donate(one.id, '192.0.2.2')).status, 201)
  assert.equal((await visitor.get(`/campaigns/${other.id}`)).body.donationCount, 1)
})
