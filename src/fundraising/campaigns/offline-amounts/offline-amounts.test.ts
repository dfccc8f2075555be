import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const [editor, treasurer] = [await withRole('editor'), await withRole('treasurer')]
const cashBox = { amount: '412.40', receivedOn: '2026-05-03', label: { en: 'Cash box', de: 'Spendendose' } }

test('an offline amount is a total of its own and does not change the totals of donations', async () => {
  const { id } = await aCampaign()
  await aDonation(id, { amount: 100, status: 'TRANSFERRED', receivedOn: '2026-05-02' })
  const before = (await visitor.get(`/campaigns/${id}`)).body
  const created = await treasurer.post(`/campaigns/${id}/offline-amounts`, cashBox)
  assert.equal(created.status, 201, created.text)
  const { createdAt, id: offlineId, ...shown } = created.body
  assert.deepEqual(shown, { ...cashBox, amount: 412.4 })
  assert.match(String(created.headers.location), new RegExp(`/campaigns/${id}/offline-amounts/${offlineId}$`))

  const { body, headers } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual(body, { ...before, amountOffline: 412.4 })
  assert.deepEqual((await visitor.get(`/campaigns/${id}/offline-amounts`)).body, [created.body])

  const removed = await treasurer.delete(`/campaigns/${id}/offline-amounts/${offlineId}`)
  assert.equal(removed.status, 204)
  assert.equal((await treasurer.delete(`/campaigns/${id}/offline-amounts/${offlineId}`)).status, 404)
  const after = await visitor.get(`/campaigns/${id}`, { 'if-none-match': String(headers.etag) })
  assert.deepEqual([after.status, after.body.amountOffline], [200, 0])
})

test('an offline amount is neither in the journal nor in lists of donations; the export of campaigns contains the sum', async () => {
  const { id } = await aCampaign({ name: 'Well' })
  await treasurer.post(`/campaigns/${id}/offline-amounts`, { ...cashBox, label: { en: 'Benefit concert' } })
  const journal = await treasurer.get('/journal?year=2026')
  assert.equal(journal.status, 200)
  assert.doesNotMatch(journal.text, /412\.4|Benefit/)
  assert.doesNotMatch((await treasurer.get('/journal.csv?year=2026')).text, /412|Benefit/)
  assert.doesNotMatch((await treasurer.get('/donations.csv')).text, /412|Benefit/)
  assert.deepEqual((await treasurer.get(`/campaigns/${id}/donations`)).body, [])
  const rows: Record<string, string>[] = parse((await visitor.get('/campaigns.csv')).text, { columns: true })
  const { amountDonatedSoFar, amountOffline } = rows.find(({ name }) => name === 'Well') ?? {}
  assert.deepEqual([amountDonatedSoFar, amountOffline], ['0.00', '412.40'])
})

test('an offline amount changes the ETags of the list, the export and the story of campaigns', async () => {
  const { id } = await aCampaign()
  const paths = ['/campaigns', '/campaigns.csv', `/campaigns/${id}/story`]
  const before = await Promise.all(paths.map(async path => (await visitor.get(path)).headers.etag))
  await treasurer.post(`/campaigns/${id}/offline-amounts`, cashBox)
  for (const [index, path] of paths.entries()) {
    assert.equal((await visitor.get(path, { 'if-none-match': String(before[index]) })).status, 200, path)
  }
})

test('only treasurers add offline amounts, and invalid ones are refused and change nothing', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/offline-amounts`
  assert.deepEqual([(await visitor.post(path, cashBox)).status, (await editor.post(path, cashBox)).status], [401, 403])
  const refusals: [change: object, status: number, pointer: string, code: string][] = [
    [{ amount: 0 }, 400, '/amount', 'too-small'],
    [{ amount: -5 }, 400, '/amount', 'too-small'],
    [{ label: {} }, 400, '/label', 'text-missing'],
    [{ receivedOn: '2026-02-30' }, 400, '/receivedOn', 'date'],
    [{ receivedOn: '2199-01-01' }, 422, '/receivedOn', 'in-the-future']
  ]
  for (const [change, status, pointer, code] of refusals) {
    const refused = await treasurer.post(path, { ...cashBox, ...change })
    assert.equal(refused.status, status, refused.text)
    assert.deepEqual([refused.body.errors[0].pointer, refused.body.errors[0].code], [pointer, code])
  }
  assert.deepEqual((await visitor.get(path)).body, [])
  const draft = await aCampaign({ status: 'draft' })
  assert.equal((await visitor.get(`/campaigns/${draft.id}/offline-amounts`)).status, 404)
})

test('the activity log contains the amount and label of added and deleted offline amounts', async () => {
  const { id } = await aCampaign()
  const { body } = await treasurer.post(`/campaigns/${id}/offline-amounts`, cashBox)
  await treasurer.delete(`/campaigns/${id}/offline-amounts/${body.id}`)
  const entries = (await admin.get('/activity?subject=campaign&limit=2')).body
  assert.deepEqual(
    entries.map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['campaign.offline_amount_removed', { amount: 412.4, label: cashBox.label }],
      ['campaign.offline_amount_added', { amount: 412.4, label: cashBox.label }]
    ]
  )
})
