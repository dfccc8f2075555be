import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')
const unknownId = '01900000-0000-7000-8000-000000000000'

test('the status of several donations is changed in one request, and a refused change does not prevent the others', async () => {
  const [roof, cats, deletedCampaign] = [await aCampaign(), await aCampaign(), await aCampaign()]
  const [one, failed, alreadyReceived, stale, ofDeletedCampaign] = [
    await aDonation(roof.id),
    await aDonation(roof.id),
    await aDonation(cats.id, { status: 'TRANSFERRED' }),
    await aDonation(cats.id),
    await aDonation(deletedCampaign.id)
  ]
  await treasurer.patch(`/campaigns/${roof.id}/donations/${failed.id}`, { status: 'FAILED' })
  await treasurer.patch(`/campaigns/${cats.id}/donations/${stale.id}`, { showName: true })
  await admin.delete(`/campaigns/${deletedCampaign.id}`)

  const { status, body } = await treasurer.post('/donations/status', {
    status: 'TRANSFERRED',
    donations: [
      { campaignId: roof.id, id: failed.id },
      { campaignId: roof.id, id: one.id.toUpperCase(), version: 1 },
      { campaignId: cats.id, id: alreadyReceived.id },
      { campaignId: cats.id, id: stale.id, version: 1 },
      { campaignId: cats.id, id: one.id },
      { campaignId: roof.id, id: unknownId },
      { campaignId: deletedCampaign.id, id: ofDeletedCampaign.id },
      { campaignId: cats.id, id: stale.id, version: 2 }
    ]
  })
  assert.equal(status, 200)
  assert.equal(body.changed, 2)
  const codes = body.results.map(({ id, ok, code }: { id: string; ok: boolean; code?: string }) => [id, ok, code])
  assert.deepEqual(codes, [
    [failed.id, false, 'illegal-status-change'],
    [one.id, true, undefined],
    [alreadyReceived.id, true, undefined],
    [stale.id, false, 'changed-meanwhile'],
    [one.id, false, 'donation-not-found'],
    [unknownId, false, 'donation-not-found'],
    [ofDeletedCampaign.id, false, 'campaign-not-found'],
    [stale.id, true, undefined]
  ])
  const readDonation = async (campaignId: number, id: string) =>
    (await treasurer.get(`/campaigns/${campaignId}/donations/${id}`)).body
  const changed = await readDonation(roof.id, one.id)
  assert.equal(changed.status, 'TRANSFERRED')
  assert.match(changed.history[1].actor, /treasurer/)
  assert.equal((await readDonation(roof.id, failed.id)).status, 'FAILED')
  assert.equal((await readDonation(cats.id, alreadyReceived.id)).history.length, 1)
  assert.equal((await visitor.get(`/campaigns/${roof.id}`)).body.amountTransferred, 25)
  assert.equal((await visitor.get(`/campaigns/${cats.id}`)).body.amountTransferred, 50)
  const { body: activity } = await admin.get(`/activity?subject=donation&subjectId=${one.id}`)
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['donation.status_changed', 'donation.created']
  )
})

test('the error of a single donation is in the language of the caller', async () => {
  const body = { status: 'TRANSFERRED', donations: [{ campaignId: 4_000_000_000, id: unknownId }] }
  for (const [language, message] of [
    ['en', /^There is no campaign/],
    ['de', /^Die Spendenaktion .* gibt es nicht/]
  ] as const) {
    const response = await treasurer.post('/donations/status', body, { 'accept-language': language })
    assert.match(response.body.results[0].message, message)
  }
})

test('a change of no donations, of too many, to an unknown status or without permission is refused and changes nothing', async () => {
  const { id } = await aCampaign()
  const one = { campaignId: id, id: (await aDonation(id)).id }
  const refused: [body: object, pointer: string, code: string][] = [
    [{ status: 'TRANSFERRED', donations: [] }, '/donations', 'wrong-number'],
    [{ status: 'TRANSFERRED', donations: Array(201).fill(one) }, '/donations', 'wrong-number'],
    [{ status: 'PAID', donations: [one] }, '/status', 'not-allowed'],
    [{ status: 'TRANSFERRED', donations: [one, { ...one, id: 'x' }] }, '/donations/1/id', 'uuid'],
    [{ status: 'TRANSFERRED', donations: [{ id: one.id }] }, '/donations/0/campaignId', 'required'],
    [{ status: 'TRANSFERRED', donations: [{ ...one, version: 0 }] }, '/donations/0/version', 'too-small'],
    [{ status: 'TRANSFERRED' }, '/donations', 'required']
  ]
  for (const [body, pointer, code] of refused) {
    const response = await treasurer.post('/donations/status', body)
    assert.deepEqual(
      [response.status, response.body.errors[0].pointer, response.body.errors[0].code],
      [400, pointer, code]
    )
  }
  const valid = { status: 'TRANSFERRED', donations: [one] }
  assert.equal((await visitor.post('/donations/status', valid)).status, 401)
  assert.equal((await (await withRole('editor')).post('/donations/status', valid)).status, 403)
  assert.equal((await treasurer.get(`/campaigns/${id}/donations/${one.id}`)).body.status, 'IN_PROCESS')
  const all = { status: 'TRANSFERRED', donations: Array(200).fill(one) }
  assert.equal((await treasurer.post('/donations/status', all)).body.changed, 1)
})
