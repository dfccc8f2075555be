import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')
const absent = '01900000-0000-7000-8000-000000000000'

test('several donations move on at once, and one that cannot does not hold up the others', async () => {
  const [roof, cats, gone] = [await aCampaign(), await aCampaign(), await aCampaign()]
  const [one, failed, there, stale, hidden] = [
    await aDonation(roof.id),
    await aDonation(roof.id),
    await aDonation(cats.id, { status: 'TRANSFERRED' }),
    await aDonation(cats.id),
    await aDonation(gone.id)
  ]
  await treasurer.patch(`/campaigns/${roof.id}/donations/${failed.id}`, { status: 'FAILED' })
  await treasurer.patch(`/campaigns/${cats.id}/donations/${stale.id}`, { showName: true })
  await admin.delete(`/campaigns/${gone.id}`)

  const { status, body } = await treasurer.post('/donations/status', {
    status: 'TRANSFERRED',
    donations: [
      { campaignId: roof.id, id: failed.id },
      { campaignId: roof.id, id: one.id.toUpperCase(), version: 1 },
      { campaignId: cats.id, id: there.id },
      { campaignId: cats.id, id: stale.id, version: 1 },
      { campaignId: cats.id, id: one.id },
      { campaignId: roof.id, id: absent },
      { campaignId: gone.id, id: hidden.id },
      { campaignId: cats.id, id: stale.id, version: 2 }
    ]
  })
  assert.equal(status, 200)
  assert.equal(body.changed, 2)
  const codes = body.results.map(({ id, ok, code }: { id: string; ok: boolean; code?: string }) => [id, ok, code])
  assert.deepEqual(codes, [
    [failed.id, false, 'illegal-status-change'],
    [one.id, true, undefined],
    [there.id, true, undefined],
    [stale.id, false, 'changed-meanwhile'],
    [one.id, false, 'donation-not-found'],
    [absent, false, 'donation-not-found'],
    [hidden.id, false, 'campaign-not-found'],
    [stale.id, true, undefined]
  ])
  const after = async (campaignId: number, id: string) =>
    (await treasurer.get(`/campaigns/${campaignId}/donations/${id}`)).body
  const moved = await after(roof.id, one.id)
  assert.equal(moved.status, 'TRANSFERRED')
  assert.match(moved.history[1].actor, /treasurer/)
  assert.equal((await after(roof.id, failed.id)).status, 'FAILED')
  assert.equal((await after(cats.id, there.id)).history.length, 1)
  assert.equal((await visitor.get(`/campaigns/${roof.id}`)).body.amountTransferred, 25)
  assert.equal((await visitor.get(`/campaigns/${cats.id}`)).body.amountTransferred, 50)
  const { body: activity } = await admin.get(`/activity?subject=donation&subjectId=${one.id}`)
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['donation.status_changed', 'donation.created']
  )
})

test('why a donation does not move is said in the language of the caller', async () => {
  const body = { status: 'TRANSFERRED', donations: [{ campaignId: 4_000_000_000, id: absent }] }
  for (const [language, words] of [
    ['en', /^There is no campaign/],
    ['de', /^Die Spendenaktion .* gibt es nicht/]
  ] as const) {
    const answer = await treasurer.post('/donations/status', body, { 'accept-language': language })
    assert.match(answer.body.results[0].message, words)
  }
})

test('a move of none, of too many, to no status or by somebody else is refused and moves nothing', async () => {
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
    const answer = await treasurer.post('/donations/status', body)
    assert.deepEqual([answer.status, answer.body.errors[0].pointer, answer.body.errors[0].code], [400, pointer, code])
  }
  const fine = { status: 'TRANSFERRED', donations: [one] }
  assert.equal((await visitor.post('/donations/status', fine)).status, 401)
  assert.equal((await (await withRole('editor')).post('/donations/status', fine)).status, 403)
  assert.equal((await treasurer.get(`/campaigns/${id}/donations/${one.id}`)).body.status, 'IN_PROCESS')
  const all = { status: 'TRANSFERRED', donations: Array(200).fill(one) }
  assert.equal((await treasurer.post('/donations/status', all)).body.changed, 1)
})
