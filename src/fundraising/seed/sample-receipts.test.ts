import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as samples from '#platform/activity/sample-queries.ts'
import { donor, organisation } from '#test/support/fundraising/receipts.ts'
import { donation, startCampaigns, type TestResponse } from '#test/support/services.ts'
import { fundraisingChecks } from '../doctor.ts'
import { processRuns } from '../receipts/runs/receipt-run.ts'
import { seedFundraising } from './seed.ts'

const { admin, visitor, store, settings, aCampaign, aDonation } = await startCampaigns()
await seedFundraising(store, settings)
await admin.patch('/organisation', organisation)
const year = Number(new Date().toLocaleDateString('sv', { timeZone: settings.timezone }).slice(0, 4))
const faults = async () => {
  const found: string[] = []
  for (const check of fundraisingChecks) found.push(...(await check.run(store)).map(fault => `${check.name}: ${fault}`))
  return found
}
const list = async (path: string): Promise<TestResponse['body'][]> => (await admin.get(path)).body
/** Invented donations that a receipt could be issued for. */
const invented = (await list('/donations?limit=200')).filter(
  ({ status, receiptRequested, address }) => status === 'TRANSFERRED' && receiptRequested && address !== null
)
const sample = (await list('/campaigns')).find(({ status }) => status === 'open')
const single = ({ campaignId, id }: TestResponse['body']) => ({ kind: 'single', donation: { campaignId, id } })

test('nobody gets a receipt for sample content, in one language or the other', async () => {
  const [one] = invented
  const english = await admin.post('/receipts', single(one))
  assert.deepEqual([english.status, english.body.code], [422, 'donation-is-sample'], english.text)
  assert.match(english.body.detail, new RegExp(`Donation ${one.reference} is sample content`))
  const german = await admin.post('/receipts', single(one), { 'accept-language': 'de' })
  assert.match(german.body.detail, /ist ein Beispiel/)
  const receivedIn = Number(one.receivedOn?.slice(0, 4) ?? year)
  const collective = await admin.post('/receipts', {
    kind: 'collective',
    donor: { donationId: one.id, year: receivedIn }
  })
  assert.deepEqual([collective.status, collective.body.code], [422, 'donation-is-sample'], collective.text)
  assert.deepEqual(await list('/receipts'), [])
})

test('a donation to a sample campaign gets no receipt, until somebody makes the campaign their own', async () => {
  const given = (await visitor.post(`/campaigns/${sample.id}/donations`, { ...donation, ...donor, amount: 40 })).body
  await admin.patch(`/campaigns/${sample.id}/donations/${given.id}`, { status: 'TRANSFERRED' })
  const one = { campaignId: sample.id, id: given.id }
  assert.equal((await admin.post('/receipts', single(one))).body.code, 'donation-is-sample')
  const proof = `/donations/by-token/${given.donorToken}/simplified-proof.pdf`
  assert.deepEqual([(await visitor.get(proof)).status], [409])

  await admin.put(`/campaigns/${sample.id}`, { ...sample, name: 'Our own roof' })
  assert.equal((await visitor.get(proof)).status, 200)
  const issued = await admin.post('/receipts', single(one))
  assert.equal(issued.status, 201, issued.text)
  // What nobody gave stays so, whoever owns the campaign now.
  const other = invented.find(({ campaignId }) => campaignId === sample.id)
  assert.equal((await admin.post('/receipts', single(other))).body.code, 'donation-is-sample')
  assert.deepEqual(await faults(), [])
})

test('a run leaves sample content out and says so', async () => {
  const { id: campaignId } = await aCampaign()
  // Somebody real with the name, mail and address of somebody invented.
  const [{ donorName, email, address }] = invented.filter(
    ({ receivedOn }) => Number(receivedOn?.slice(0, 4) ?? year) === year
  ) as [TestResponse['body']]
  await aDonation(campaignId, { donorName, email, address, receiptRequested: true, amount: 25, status: 'TRANSFERRED' })
  const { body: run } = await admin.post('/receipt-runs', { year, upToToday: true })
  await processRuns(store, settings)
  const { body: ended } = await admin.get(`/receipt-runs/${run.id}`)
  const [skipped, ...others] = ended.skipped
  assert.deepEqual([ended.status, ended.issued, skipped.reason, others], ['done', 1, 'sample', []])
  assert.ok(skipped.count > 5, String(skipped.count))
  const [issued] = await list(`/receipts?search=${encodeURIComponent(donorName)}`)
  assert.equal(issued.amount, 25)
  assert.deepEqual(await faults(), [])
})

test('doctor finds receipts that certify sample content, and it stays until they are withdrawn', async () => {
  const one = invented.find(({ campaignId }) => campaignId !== sample.id)
  const marks = [
    { kind: 'donation', id: one.id },
    { kind: 'campaign', id: String(one.campaignId) }
  ]
  // As before sample content was marked.
  for (const { kind, id } of marks) await samples.remove(store, kind, [id])
  const { body: receipt } = await admin.post('/receipts', single(one))
  for (const { kind, id } of marks) await store.run(samples.buildInsert(kind, id))
  assert.deepEqual(await faults(), [`no receipt certifies sample content: receipt ${receipt.number}`])

  const { kept } = (await admin.delete('/samples')).body
  const mine = kept.filter(({ id }: TestResponse['body']) => id === String(one.campaignId))
  assert.equal(mine.length, 1)
  assert.match(mine[0].reason, new RegExp(`Receipt ${receipt.number} certifies donation ${one.reference}`))
  assert.equal((await admin.post(`/receipts/${receipt.id}/withdraw`, { reason: 'Nobody gave it' })).status, 200)
  const { removed } = (await admin.delete('/samples')).body
  assert.deepEqual(removed, [
    { kind: 'donation', count: 1 },
    { kind: 'campaign', count: 1 }
  ])
  assert.deepEqual(await faults(), [])
  assert.equal((await admin.get(`/receipts/${receipt.id}`)).body.state, 'withdrawn')
  assert.equal((await admin.get(`/receipts/${receipt.id}.pdf`)).status, 200)
})
