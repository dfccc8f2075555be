// test: own process, long, server
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { requireSettled } from '#test/support/require-settled.ts'
import { campaign, donation, startCampaigns, type TestResponse } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'

const database = await createDatabase()
const proxy = await startProxy(database.url)
/** A second server on the same database, without the proxy. */
const direct = await startCampaigns({ database: { url: database.url, remove: async () => {} } })
const { admin, visitor, withRole, store, aCampaign, aDonation } = await startCampaigns({
  withTimeouts: true,
  // A cached response is sent for up to a second without the database.
  env: { RESPONSE_CACHE: '0' },
  database: {
    url: proxy.url,
    remove: async () => {
      await proxy.close()
      await database.remove()
    }
  }
})

const treasurer = await withRole('treasurer')
const editor = await withRole('editor')
const { id } = await aCampaign()
const { id: donationId } = await aDonation(id)
const one = `/campaigns/${id}`

const requests: Record<string, (number: string) => Promise<TestResponse>> = {
  'a public list': async () => await visitor.get('/campaigns'),
  'a public read': async () => await visitor.get(one),
  'a read with ADMIN_KEY': async () => await admin.get('/activity'),
  'a read with a key': async () => await treasurer.get(`${one}/donations/${donationId}`),
  'an export': async () => await treasurer.get(`${one}/donations.csv`),
  'a donation': async () => await visitor.post(`${one}/donations`, donation),
  'a donation with an Idempotency-Key': async number =>
    await visitor.post(`${one}/donations`, donation, { 'idempotency-key': `donation-${number}` }),
  'a new campaign': async () => await admin.post('/campaigns', campaign),
  'a new campaign with a key and an Idempotency-Key': async number =>
    await editor.post('/campaigns', campaign, { 'idempotency-key': `campaign-${number}` }),
  'a replacement': async () => await editor.put(one, campaign),
  'a correction': async () => await treasurer.patch(`${one}/donations/${donationId}`, { showName: true }),
  'a deletion': async () => await admin.delete(`${one}/donations/01900000-0000-7000-8000-000000000000`),
  'a new key': async () => await admin.post('/keys', { name: 'made in trouble', role: 'viewer' }),
  'a new key with an Idempotency-Key': async number =>
    await admin.post('/keys', { name: 'made in trouble', role: 'viewer' }, { 'idempotency-key': `key-${number}` })
}

test('every request succeeds while the database is available', async () => {
  await assertAllSucceed('at first')
})

test('while the database refuses connections every request gets 503 at once', async () => {
  await proxy.refuse()
  await assertAllUnavailable('refused')
  await proxy.pass()
  await assertAllSucceed('after it refused')
})

test('while the database does not respond every request gets 503 in time', async () => {
  proxy.blackHole()
  await assertAllUnavailable('silent')
  await proxy.pass()
  await assertAllSucceed('after it was silent')
})

test('every request works again after the database server disappeared without closing connections', async () => {
  proxy.abandon()
  await assertAllUnavailable('abandoned')
  // The first use of a connection that was idle during the outage still times out.
  await waitUntil(async () => (await listFailures('abandoned')).length === 0)
  await assertAllSucceed('after it was abandoned')
})

test('while the database is unavailable the process is alive but not ready, and becomes ready by itself', async () => {
  await proxy.refuse()
  assert.equal((await visitor.get('/livez')).status, 200)
  assert.deepEqual((await visitor.get('/health')).body, { alive: true })
  const refused = await visitor.get('/readyz')
  assert.equal(refused.status, 503)
  assert.ok(Number(refused.headers['retry-after']) > 0)

  await proxy.pass()
  proxy.blackHole()
  const [livez, readyz] = await requireSettled(Promise.all([visitor.get('/livez'), visitor.get('/readyz')]))
  assert.equal(livez.status, 200)
  assert.equal(readyz.status, 503)
  assert.match(readyz.headers['content-type'] ?? '', /problem\+json/)

  await proxy.pass()
  await waitUntil(async () => (await visitor.get('/readyz')).status === 200)
})

test('a donation whose response was lost can be repeated with its Idempotency-Key, and is created once', async () => {
  const { id: campaignId } = await aCampaign()
  const donate = async () =>
    await visitor.post(`/campaigns/${campaignId}/donations`, donation, { 'idempotency-key': 'lost-answer' })
  const first = donate()
  proxy.reset()
  await first
  let response = await donate()
  await waitUntil(async () => {
    if (response.status !== 201) response = await donate()
    return response.status === 201
  })
  await donate()
  assert.equal((await visitor.get(`/campaigns/${campaignId}`)).body.donationCount, 1)
})

test('changing a campaign that another transaction has locked gives 503 in time, and works after the lock is released', async () => {
  const { id: campaignId } = await aCampaign()
  await direct.store.transaction(async tx => {
    await tx.one(sql`select id from fundraising.campaigns where id = ${campaignId} for update`)
    const response = await requireSettled(admin.put(`/campaigns/${campaignId}`, campaign))
    assertUnavailable(response, 'locked')
  })
  assert.equal((await admin.put(`/campaigns/${campaignId}`, campaign)).status, 200)
})

test('after the outages every donation has its activity record', async () => {
  const { wrong } = await store.one<{ wrong: number }>(sql`
    select count(*) as wrong
    from fundraising.donations
    left join platform.activity on subject = 'donation' and subject_id = donations.id::text and action = 'donation.created'
    where activity.id is null`)
  assert.equal(wrong, 0)
})

async function assertAllSucceed(when: string): Promise<void> {
  // The first requests may still use a broken connection; afterwards all have to succeed.
  await waitUntil(async () => (await visitor.get('/readyz')).status === 200)
  await Promise.all(Array.from({ length: 8 }, async () => await visitor.get('/campaigns?limit=1')))
  assert.deepEqual(await listFailures(when), [], when)
}

async function listFailures(when: string): Promise<[string, number][]> {
  const outcomes = Object.entries(requests).map(
    async ([name, send]): Promise<[string, number]> => [name, (await send(when.replaceAll(' ', '-'))).status]
  )
  return (await Promise.all(outcomes)).filter(([name, status]) => status >= (name === 'a deletion' ? 405 : 300))
}

async function assertAllUnavailable(when: string): Promise<void> {
  const responses = Object.entries(requests).map(
    async ([name, send]): Promise<[string, TestResponse]> => [name, await requireSettled(send(when))]
  )
  for (const [name, response] of await Promise.all(responses)) assertUnavailable(response, `${name}, ${when}`)
}

function assertUnavailable(response: TestResponse, name: string): void {
  assert.equal(response.status, 503, name)
  assert.match(response.headers['content-type'] ?? '', /^application\/problem\+json/, name)
  assert.ok(Number(response.headers['retry-after']) > 0, name)
  assert.equal(response.body.code, 'database-away', name)
  assert.doesNotMatch(response.text, /ECONN|127\.0\.0\.1|timeout|select/, name)
}
