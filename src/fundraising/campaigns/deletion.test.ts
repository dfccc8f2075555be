import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, store, withRole, aCampaign, aDonation } = await startCampaigns()

async function createCampaignWithDonations() {
  const { id } = await aCampaign()
  const donations = [await aDonation(id, { amount: 30 }), await aDonation(id, { amount: 20, status: 'TRANSFERRED' })]
  return { id, donations, before: (await visitor.get(`/campaigns/${id}`)).body }
}

test('a deleted campaign with donations is hidden from all callers and accepts no donations', async () => {
  const { id, donations } = await createCampaignWithDonations()
  assert.equal((await admin.delete(`/campaigns/${id}`)).status, 204)
  for (const client of [visitor, await withRole('editor'), await withRole('treasurer'), admin]) {
    for (const path of ['', '/donations', `/donations/${donations[0].id}`]) {
      assert.equal((await client.get(`/campaigns/${id}${path}`)).status, 404)
    }
    assert.ok(!(await client.get('/campaigns')).body.some((one: { id: number }) => one.id === id))
    const refused = await client.post(`/campaigns/${id}/donations`, donation)
    assert.equal(refused.status, 404)
    assert.equal(refused.body.code, 'campaign-not-found')
  }
  const cash = { amount: 10, donorName: 'Box', status: 'TRANSFERRED' }
  assert.equal((await admin.post(`/campaigns/${id}/donations`, cash)).status, 404)
})

test('deleting a campaign keeps its donations and their history', async () => {
  const { id } = await createCampaignWithDonations()
  const readRows = async () =>
    await store.one<object>(sql`
      select
        (select json_agg(donations order by id) from fundraising.donations where campaign_id = ${id}) as donations,
        (select json_agg(history order by donation_id, number) from fundraising.donation_history as history
          where campaign_id = ${id}) as history`)
  const before = await readRows()
  await admin.delete(`/campaigns/${id}`)
  assert.deepEqual(await readRows(), before)
})

test('an admin restores a deleted campaign with its donations and totals, and it accepts donations again', async () => {
  const { id, before, donations } = await createCampaignWithDonations()
  await admin.delete(`/campaigns/${id}`)
  const { status, body } = await admin.post(`/campaigns/${id}/restore`)
  assert.equal(status, 200)
  assert.deepEqual({ ...body, updatedAt: null }, { ...before, updatedAt: null })
  assert.deepEqual((await visitor.get(`/campaigns/${id}`)).body, body)
  assert.deepEqual(
    (await visitor.get(`/campaigns/${id}/donations`)).body.map((one: { id: string }) => one.id),
    donations.map(one => one.id).reverse()
  )
  assert.ok((await visitor.get('/campaigns')).body.some((one: { id: number }) => one.id === id))
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 201)
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.amountDonatedSoFar, 75)
})

test('a restored campaign can be deleted and restored again', async () => {
  const { id } = await createCampaignWithDonations()
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await admin.delete(`/campaigns/${id}`)).status, 204)
    assert.equal((await admin.post(`/campaigns/${id}/restore`)).status, 200)
  }
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.amountDonatedSoFar, 50)
})

test('restoring a campaign that is not deleted changes nothing', async () => {
  const { id, before } = await createCampaignWithDonations()
  const { status, body } = await admin.post(`/campaigns/${id}/restore`)
  assert.equal(status, 200)
  assert.deepEqual(body, before)
})

test('a deleted draft is restored as a draft', async () => {
  const { id } = await aCampaign({ status: 'draft' })
  await admin.delete(`/campaigns/${id}`)
  assert.equal((await admin.post(`/campaigns/${id}/restore`)).body.status, 'draft')
  assert.equal((await visitor.get(`/campaigns/${id}`)).status, 404)
})

test('a campaign without donations can be deleted and restored too', async () => {
  const created = await aCampaign()
  await admin.delete(`/campaigns/${created.id}`)
  const { body } = await admin.post(`/campaigns/${created.id}/restore`)
  assert.deepEqual({ ...body, updatedAt: null }, { ...created, updatedAt: null })
})

for (const [role, status] of [
  [undefined, 401],
  ['viewer', 403],
  ['contributor', 403],
  ['author', 403],
  ['editor', 403],
  ['treasurer', 403]
] as const) {
  test(`restoring responds ${status} to ${role ?? 'visitors'}`, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    const { id } = await aCampaign()
    await admin.delete(`/campaigns/${id}`)
    for (const path of [`/campaigns/${id}/restore`, '/campaigns/999999999/restore']) {
      assert.equal((await client.post(path)).status, status)
    }
    assert.equal((await admin.get(`/campaigns/${id}`)).status, 404)
  })
}

test('an unknown campaign cannot be restored', async () => {
  const { status, body } = await admin.post('/campaigns/999999999/restore')
  assert.equal(status, 404)
  assert.equal(body.code, 'campaign-not-found')
})

test('the id of a deleted campaign is not used again', async () => {
  const { id } = await aCampaign()
  await admin.delete(`/campaigns/${id}`)
  assert.ok((await aCampaign()).id > id)
  assert.equal((await admin.put(`/campaigns/${id}`, campaign)).status, 404)
})
