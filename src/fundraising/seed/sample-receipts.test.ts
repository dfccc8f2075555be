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
const findFaults = async () => {
  const faults: string[] = []
  for (const check of fundraisingChecks)
    faults.push(...(await check.run(store)).map(fault => `${check.name}: ${fault}`))
  return faults
}
const list = async (path: string): Promise<TestResponse['body'][]> => (await admin.get(path)).body
/** Sample donations that are received, with a requested receipt and an address. */
const sampleDonations = (await list('/donations?limit=200')).filter(
  ({ status, receiptRequested, address }) => status === 'TRANSFERRED' && receiptRequested && address !== null
)
const sampleCampaign = (await list('/campaigns')).find(({ status }) => status === 'open')
const toSingleRequest = ({ campaignId, id }: TestResponse['body']) => ({ kind: 'single', donation: { campaignId, id } })

test('a receipt for a sample donation is refused, with a message in both languages', async () => {
  const [one] = sampleDonations
  const english = await admin.post('/receipts', toSingleRequest(one))
  assert.deepEqual([english.status, english.body.code], [422, 'donation-is-sample'], english.text)
  assert.match(english.body.detail, new RegExp(`Donation ${one.reference} is sample content`))
  const german = await admin.post('/receipts', toSingleRequest(one), { 'accept-language': 'de' })
  assert.match(german.body.detail, /ist ein Beispiel/)
  const receivedIn = Number(one.receivedOn?.slice(0, 4) ?? year)
  const collective = await admin.post('/receipts', {
    kind: 'collective',
    donor: { donationId: one.id, year: receivedIn }
  })
  assert.deepEqual([collective.status, collective.body.code], [422, 'donation-is-sample'], collective.text)
  assert.deepEqual(await list('/receipts'), [])
})

test('a donation to a sample campaign gets no receipt until the campaign is edited', async () => {
  const donated = (
    await visitor.post(`/campaigns/${sampleCampaign.id}/donations`, { ...donation, ...donor, amount: 40 })
  ).body
  await admin.patch(`/campaigns/${sampleCampaign.id}/donations/${donated.id}`, { status: 'TRANSFERRED' })
  const one = { campaignId: sampleCampaign.id, id: donated.id }
  assert.equal((await admin.post('/receipts', toSingleRequest(one))).body.code, 'donation-is-sample')
  const proof = `/donations/by-token/${donated.donorToken}/simplified-proof.pdf`
  assert.deepEqual([(await visitor.get(proof)).status], [409])

  await admin.put(`/campaigns/${sampleCampaign.id}`, { ...sampleCampaign, name: 'Our own roof' })
  assert.equal((await visitor.get(proof)).status, 200)
  const issued = await admin.post('/receipts', toSingleRequest(one))
  assert.equal(issued.status, 201, issued.text)
  // Sample donations get no receipt even if their campaign is no longer a sample.
  const other = sampleDonations.find(({ campaignId }) => campaignId === sampleCampaign.id)
  assert.equal((await admin.post('/receipts', toSingleRequest(other))).body.code, 'donation-is-sample')
  assert.deepEqual(await findFaults(), [])
})

test('a receipt run skips sample donations and reports them', async () => {
  const { id: campaignId } = await aCampaign()
  // A real donation with the name, email and address of a sample donor.
  const [{ donorName, email, address }] = sampleDonations.filter(
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
  assert.deepEqual(await findFaults(), [])
})

test('doctor reports receipts that certify sample donations, and these are not deleted until the receipts are withdrawn', async () => {
  const one = sampleDonations.find(({ campaignId }) => campaignId !== sampleCampaign.id)
  const marks = [
    { kind: 'donation', id: one.id },
    { kind: 'campaign', id: String(one.campaignId) }
  ]
  // The state before sample content was marked.
  for (const { kind, id } of marks) await samples.remove(store, kind, [id])
  const { body: receipt } = await admin.post('/receipts', toSingleRequest(one))
  for (const { kind, id } of marks) await samples.insert(store, kind, id)
  assert.deepEqual(await findFaults(), [`no receipt certifies sample content: receipt ${receipt.number}`])

  const { kept } = (await admin.delete('/samples')).body
  const keptCampaigns = kept.filter(({ id }: TestResponse['body']) => id === String(one.campaignId))
  assert.equal(keptCampaigns.length, 1)
  assert.match(keptCampaigns[0].reason, new RegExp(`Receipt ${receipt.number} certifies donation ${one.reference}`))
  assert.equal((await admin.post(`/receipts/${receipt.id}/withdraw`, { reason: 'Nobody gave it' })).status, 200)
  const { removed } = (await admin.delete('/samples')).body
  assert.deepEqual(removed, [
    { kind: 'donation', count: 1 },
    { kind: 'campaign', count: 1 }
  ])
  assert.deepEqual(await findFaults(), [])
  assert.equal((await admin.get(`/receipts/${receipt.id}`)).body.state, 'withdrawn')
  assert.equal((await admin.get(`/receipts/${receipt.id}.pdf`)).status, 200)
})
