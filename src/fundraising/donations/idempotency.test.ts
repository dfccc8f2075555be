// test: server
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()

let number = 0
const newKey = () => {
  number += 1
  return { 'idempotency-key': `donation-${number}` }
}
const countDonations = async (id: number) => (await visitor.get(`/campaigns/${id}`)).body.donationCount

test('a donation sent twice with one Idempotency-Key is created once, with the same response', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  const first = await visitor.post(`/campaigns/${id}/donations`, donation, key)
  const again = await visitor.post(`/campaigns/${id}/donations`, donation, key)
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.location, first.headers.location)
  assert.equal(await countDonations(id), 1)
})

test('twenty concurrent requests with one Idempotency-Key create one donation', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await aCampaign()
    const key = newKey()
    const responses = await Promise.all(
      Array.from({ length: 20 }, async () => await visitor.post(`/campaigns/${id}/donations`, donation, key))
    )
    const accepted = responses.filter(response => response.status === 201)
    const refused = responses.filter(response => response.status !== 201)
    assert.ok(accepted.length >= 1)
    assert.equal(new Set(accepted.map(response => response.body.id)).size, 1)
    assert.equal(accepted.filter(response => response.headers['idempotent-replayed'] === undefined).length, 1)
    for (const { status, headers, body } of refused) {
      assert.equal(status, 409)
      assert.equal(body.code, 'idempotency-key-in-flight')
      assert.match(headers['retry-after'] ?? '', /^\d+$/)
    }
    const later = await visitor.post(`/campaigns/${id}/donations`, donation, key)
    assert.equal(later.body.id, accepted[0]?.body.id)
    assert.equal(await countDonations(id), 1)
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.amountDonatedSoFar, 25)
  }
})

test('the same Idempotency-Key with another body is 422 and creates nothing', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  await visitor.post(`/campaigns/${id}/donations`, donation, key)
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 26 }, key)
  assert.equal(status, 422)
  assert.equal(body.code, 'idempotency-key-reused')
  assert.equal(await countDonations(id), 1)
})

test('an Idempotency-Key applies to one campaign and one caller', async () => {
  const [one, other] = [await aCampaign(), await aCampaign()]
  const key = newKey()
  const treasurer = await withRole('treasurer')
  const responses = [
    await visitor.post(`/campaigns/${one.id}/donations`, donation, key),
    await visitor.post(`/campaigns/${other.id}/donations`, donation, key),
    await treasurer.post(`/campaigns/${one.id}/donations`, donation, key),
    await admin.post(`/campaigns/${one.id}/donations`, donation, key)
  ]
  assert.equal(new Set(responses.map(response => response.body.id)).size, 4)
  assert.deepEqual([await countDonations(one.id), await countDonations(other.id)], [3, 1])
})

test('a refused donation does not use up its Idempotency-Key', async () => {
  const { id } = await aCampaign({ status: 'closed' })
  const key = newKey()
  const path = `/campaigns/${id}/donations`
  assert.equal((await visitor.post(path, { ...donation, donorName: '' }, key)).status, 400)
  assert.equal((await visitor.post(path, donation, key)).status, 409)
  await admin.patch(`/campaigns/${id}`, { status: 'open' })
  assert.equal((await visitor.post(path, { ...donation, amount: 1 }, key)).status, 422)
  const accepted = await visitor.post(path, donation, key)
  assert.equal(accepted.status, 201)
  assert.equal(accepted.headers['idempotent-replayed'], undefined)
  assert.equal(await countDonations(id), 1)
})

test('a repeated request gets the first response even if the campaign was closed in the meantime', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  const first = await visitor.post(`/campaigns/${id}/donations`, donation, key)
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
  const again = await visitor.post(`/campaigns/${id}/donations`, donation, key)
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
})

test('neither the first nor the repeated response to a donor contains account or email', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  for (let round = 0; round < 2; round += 1) {
    const { text } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, email: 'ada@example.org' }, key)
    assert.ok(!text.includes(donation.account.iban))
    assert.ok(!text.includes('ada@example.org'))
  }
})

test('without an Idempotency-Key every request creates a donation', async () => {
  const { id } = await aCampaign()
  for (let count = 0; count < 3; count += 1) await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.equal(await countDonations(id), 3)
})

for (const key of ['', 'with blank', 'ü', 'x'.repeat(256)]) {
  test(`${JSON.stringify(key.slice(0, 20))} is refused as Idempotency-Key`, async () => {
    const { id } = await aCampaign()
    const { status, body } = await visitor.post(`/campaigns/${id}/donations`, donation, { 'idempotency-key': key })
    assert.equal(status, 400)
    assert.deepEqual([body.errors[0].in, body.errors[0].pointer], ['header', '/idempotency-key'])
    assert.equal(await countDonations(id), 0)
  })
}
