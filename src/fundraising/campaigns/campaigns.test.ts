import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startCampaigns } from '#test/support.ts'

const { admin, visitor } = await startCampaigns()

test('C2 a created campaign is answered in full and can be read by anybody', async () => {
  const created = await admin.post('/campaigns', campaign)
  assert.equal(created.status, 201)
  const read = await visitor.get(`/campaigns/${created.body.id}`)
  assert.equal(read.status, 200)
  assert.deepEqual(read.body, created.body)
})
