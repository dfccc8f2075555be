// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { type Client, startCampaigns, type TestResponse } from '#test/support/services.ts'

/** A request with this is not from the machine itself. */
const passedOn = (address = '192.0.2.1') => ({ 'x-forwarded-for': address })
const wrong = { authorization: 'Bearer wrong' }
const answeredAtOnce = 10
const pauseMs = 1000

/** As many as are not slowed down; with the pause they would take this long at least, without it a hundredth. */
async function answersAtOnce(client: Client, headers: Record<string, string>): Promise<void> {
  const start = Date.now()
  for (let count = 0; count < answeredAtOnce; count += 1) {
    assert.equal((await client.get('/campaigns', { ...headers, ...wrong })).status, 401)
  }
  assert.ok(Date.now() - start < answeredAtOnce * pauseMs)
}

test('the first ten wrong keys of an address are answered at once, further ones after a pause', async () => {
  const { visitor } = await startCampaigns()
  await answersAtOnce(visitor, passedOn())

  for (let count = 0; count < 2; count += 1) {
    const before = Date.now()
    assert.equal((await visitor.get('/campaigns', { ...passedOn(), ...wrong })).status, 401)
    assert.ok(Date.now() - before >= pauseMs * 0.9, `took ${Date.now() - before} ms`)
  }
})

test('a flood of wrong keys gets 429 with Retry-After, and afterwards the right key works', async () => {
  const { visitor, admin } = await startCampaigns()
  const answers = await Promise.all(await flood(visitor, 60))
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length >= 20, `${refused.length} were refused`)
  assert.ok(answers.every(({ status }) => status === 401 || status === 429))
  for (const { headers, body } of refused) {
    assert.ok(Number(headers['retry-after']) > 0)
    assert.equal(body.code, 'too-many-wrong-keys')
  }
  await waitUntil(async () => (await admin.get('/keys', passedOn())).status === 200, 5000)
})

test('during a flood visitors without credentials are not hindered', { skip: skipUnlessFull }, async () => {
  const { visitor } = await startCampaigns()
  const flooding = await flood(visitor, 60)
  assert.equal((await visitor.get('/campaigns', passedOn())).status, 200)
  await Promise.all(flooding)
})

test('right keys are not counted, and a wrong one now and then does not matter', async () => {
  const { admin, visitor } = await startCampaigns()
  for (let count = 0; count < 30; count += 1) assert.equal((await admin.get('/keys', passedOn())).status, 200)
  await answersAtOnce(visitor, passedOn())
})

test('callers at the machine itself are not slowed down, also not by a flood through a proxy', async () => {
  const { visitor, admin } = await startCampaigns()
  const start = Date.now()
  for (let count = 0; count < 30; count += 1) assert.equal((await visitor.get('/campaigns', wrong)).status, 401)
  assert.ok(Date.now() - start < 10 * pauseMs)

  const flooding = await flood(visitor, 60)
  assert.equal((await admin.get('/keys')).status, 200)
  assert.equal((await visitor.get('/keys', wrong)).status, 401)
  assert.ok((await Promise.all(flooding)).some(({ status }) => status === 429))
})

test('with TRUST_PROXY each address counts for itself', async () => {
  const { visitor, admin } = await startCampaigns({ env: { TRUST_PROXY: 'true' } })
  const flooding = await flood(visitor, 60)
  await answersAtOnce(visitor, passedOn('192.0.2.2'))
  assert.equal((await admin.get('/keys', passedOn('192.0.2.2'))).status, 200)
  assert.ok((await Promise.all(flooding)).some(({ status }) => status === 429))
})

test('with TRUST_PROXY addresses of one IPv6 network count together', { skip: skipUnlessFull }, async () => {
  const { visitor } = await startCampaigns({ env: { TRUST_PROXY: 'true' } })
  const answers = await Promise.all(await flood(visitor, 60, index => `2001:db8::${index + 1}`))
  assert.ok(answers.some(({ status }) => status === 429))
})

test('without TRUST_PROXY a forwarding header does not make another address of a caller', async () => {
  const { visitor } = await startCampaigns()
  const answers = await Promise.all(await flood(visitor, 60, index => `192.0.2.${index}`))
  assert.ok(answers.some(({ status }) => status === 429))
})

/** Sends one after the other without waiting for answers; all are sent when it returns. */
async function flood(client: Client, requests: number, address = (_: number) => '192.0.2.1') {
  const sent: Promise<TestResponse>[] = []
  for (let index = 0; index < requests; index += 1) {
    sent.push(client.get('/campaigns', { ...passedOn(address(index)), ...wrong }))
    await nextTurn()
  }
  return sent
}
