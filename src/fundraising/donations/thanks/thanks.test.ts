import assert from 'node:assert/strict'
import { test } from 'node:test'
import { donation, startCampaigns } from '#test/support/services.ts'

const { visitor, withRole, aCampaign } = await startCampaigns({
  env: { RATE_LIMIT_DONATIONS: '0', RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
})
const treasurer = await withRole('treasurer')

async function donate(campaignId: number, donorName: string, fields: object = {}): Promise<string> {
  const path = `/campaigns/${campaignId}/donations`
  const { status, body, text } = await visitor.post(path, { ...donation, donorName, showName: true, ...fields })
  assert.equal(status, 201, text)
  return `${path}/${body.id}`
}

const getNames = async (campaignId: number) =>
  (await visitor.get(`/campaigns/${campaignId}/thanks`)).body.map(({ name }: { name: string }) => name)

test('a name is listed if the donation is received or approved and showName is set, unless it is hidden, held, cancelled or erased', async () => {
  const { id } = await aCampaign()
  const received = await donate(id, 'Received')
  await treasurer.patch(received, { status: 'TRANSFERRED' })
  const approved = await donate(id, 'Approved')
  await treasurer.patch(approved, { messageReview: 'shown' })
  await donate(id, 'Waiting')
  await treasurer.patch(await donate(id, 'Not asked', { showName: false }), { status: 'TRANSFERRED' })
  await treasurer.patch(await donate(id, 'Hidden'), { status: 'TRANSFERRED', messageReview: 'hidden' })
  await treasurer.patch(await donate(id, 'Large', { amount: 90_000 }), { messageReview: 'shown' })
  const cancelled = await donate(id, 'Cancelled')
  await treasurer.patch(cancelled, { messageReview: 'shown' })
  await treasurer.patch(cancelled, { status: 'CANCELLED' })
  assert.deepEqual(await getNames(id), ['Approved', 'Received'])

  await treasurer.post(`/donors/${received.split('/').at(-1)}/erase`, { scope: 'donation' })
  assert.deepEqual(await getNames(id), ['Approved'])
})

test('each name is listed once, without amounts, in pages', async () => {
  const { id } = await aCampaign()
  for (const name of ['Ada', 'Grace', 'Ada', 'Konrad']) {
    await treasurer.patch(await donate(id, name), { status: 'TRANSFERRED' })
  }
  const { body, headers } = await visitor.get(`/campaigns/${id}/thanks?limit=2`)
  assert.deepEqual(body, [{ name: 'Konrad' }, { name: 'Ada' }])
  assert.equal(headers['x-total-count'], '3')
  const next = /<[^>]*(\/campaigns\/[^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? ''
  assert.deepEqual((await visitor.get(next)).body, [{ name: 'Grace' }])
  assert.equal((await visitor.get('/campaigns/999999/thanks')).status, 404)
})
