// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { type Client, startCampaigns, type TestResponse } from '#test/support/services.ts'

/** A request with this header is not a local one. */
const forwardedFor = (address = '192.0.2.1') => ({ 'x-forwarded-for': address })
const wrong = { authorization: 'Bearer wrong' }
const undelayedMax = 10
const pauseMs = 1000

/** Sends as many wrong keys as are not delayed; with the delay they would take at least the asserted time. */
async function assertNotDelayed(client: Client, headers: Record<string, string>): Promise<void> {
  const start = Date.now()
  for (let count = 0; count < undelayedMax; count += 1) {
    assert.equal((await client.get('/campaigns', { ...headers, ...wrong })).status, 401)
  }
  assert.ok(Date.now() - start < undelayedMax * pauseMs)
}

test('the first ten wrong keys of an address get a response at once, further ones after a delay', async () => {
  const { visitor } = await startCampaigns()
  await assertNotDelayed(visitor, forwardedFor())

  for (let count = 0; count < 2; count += 1) {
    const before = Date.now()
    assert.equal((await visitor.get('/campaigns', { ...forwardedFor(), ...wrong })).status, 401)
    assert.ok(Date.now() - before >= pauseMs * 0.9, `took ${Date.now() - before} ms`)
  }
})

test('many wrong keys at once get 429 with Retry-After, and afterwards the correct key works', async () => {
  const { visitor, admin } = await startCampaigns()
  const responses = await Promise.all(await flood(visitor, 60))
  const refused = responses.filter(({ status }) => status === 429)
  assert.ok(refused.length >= 20, `${refused.length} were refused`)
  assert.ok(responses.every(({ status }) => status === 401 || status === 429))
  for (const { headers, body } of refused) {
    assert.ok(Number(headers['retry-after']) > 0)
    assert.equal(body.code, 'too-many-wrong-keys')
  }
  await waitUntil(async () => (await admin.get('/keys', forwardedFor())).status === 200, 5000)
})

test('visitors without credentials are served while many wrong keys are sent', { skip: skipUnlessFull }, async () => {
  const { visitor } = await startCampaigns()
  const pending = await flood(visitor, 60)
  assert.equal((await visitor.get('/campaigns', forwardedFor())).status, 200)
  await Promise.all(pending)
})

test('correct keys are not counted as wrong ones', async () => {
  const { admin, visitor } = await startCampaigns()
  for (let count = 0; count < 30; count += 1) assert.equal((await admin.get('/keys', forwardedFor())).status, 200)
  await assertNotDelayed(visitor, forwardedFor())
})

test('local callers are not delayed, also not while many wrong keys arrive through a proxy', async () => {
  const { visitor, admin } = await startCampaigns()
  const start = Date.now()
  for (let count = 0; count < 30; count += 1) assert.equal((await visitor.get('/campaigns', wrong)).status, 401)
  assert.ok(Date.now() - start < 10 * pauseMs)

  const pending = await flood(visitor, 60)
  assert.equal((await admin.get('/keys')).status, 200)
  assert.equal((await visitor.get('/keys', wrong)).status, 401)
  assert.ok((await Promise.all(pending)).some(({ status }) => status === 429))
})

test('with TRUST_PROXY each address is counted separately', async () => {
  const { visitor, admin } = await startCampaigns({ env: { TRUST_PROXY: 'true' } })
  const pending = await flood(visitor, 60)
  await assertNotDelayed(visitor, forwardedFor('192.0.2.2'))
  assert.equal((await admin.get('/keys', forwardedFor('192.0.2.2'))).status, 200)
  assert.ok((await Promise.all(pending)).some(({ status }) => status === 429))
})

test('with TRUST_PROXY addresses of one IPv6 network are counted together', { skip: skipUnlessFull }, async () => {
  const { visitor } = await startCampaigns({ env: { TRUST_PROXY: 'true' } })
  const responses = await Promise.all(await flood(visitor, 60, index => `2001:db8::${index + 1}`))
  assert.ok(responses.some(({ status }) => status === 429))
})

test('without TRUST_PROXY a forwarding header does not change the address of a caller', async () => {
  const { visitor } = await startCampaigns()
  const responses = await Promise.all(await flood(visitor, 60, index => `192.0.2.${index}`))
  assert.ok(responses.some(({ status }) => status === 429))
})

/** Sends requests one after the other without waiting for responses; all are sent when it returns. */
async function flood(client: Client, requests: number, address = (_: number) => '192.0.2.1') {
  const sent: Promise<TestResponse>[] = []
  for (let index = 0; index < requests; index += 1) {
    sent.push(client.get('/campaigns', { ...forwardedFor(address(index)), ...wrong }))
    await nextTurn()
  }
  return sent
}
