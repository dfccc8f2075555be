import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { donor, organisation } from '#test/support/fundraising/receipts.ts'
import { campaign, donation } from '#test/support/services.ts'

const { admin, visitor, store, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tess, theo] = [await signIn('treasurer'), await signIn('treasurer', 'de')]

interface CreatedDonation {
  campaignId: number
  id: string
  reference: string
}

const aCampaign = async () => (await admin.post('/campaigns', { ...campaign, donationMinimum: 1 })).body.id as number
const donate = async (id: number, fields: object = {}): Promise<CreatedDonation> =>
  (await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 100, ...fields })).body
const apiPath = ({ campaignId, id }: CreatedDonation) => `/campaigns/${campaignId}/donations/${id}`
const pagePath = ({ campaignId, id }: CreatedDonation) => `/admin/donations/${campaignId}/${id}`
const read = async (created: CreatedDonation) => (await admin.get(apiPath(created))).body
const pay = async (created: CreatedDonation, amount: number) =>
  await admin.post(`${apiPath(created)}/payments`, { amount, receivedOn: '2026-03-01' })
const readHidden = (html: string, name: string) =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"')
const toCheckboxValue = ({ campaignId, id }: CreatedDonation) => `${campaignId} ${id}`

test('a donation with a receipt cannot be changed; its page and all forms name the receipt and link to it', async () => {
  await admin.patch('/organisation', organisation)
  const id = await aCampaign()
  const created = await donate(id, { ...donor, donorName: 'Zoë' })
  await pay(created, 100)
  const before = readHidden((await tess.get(pagePath(created))).text, 'changes')
  const { body: receipt } = await admin.post('/receipts', {
    kind: 'single',
    donation: { campaignId: id, id: created.id }
  })
  const link = `href="/admin/receipts/${receipt.id}"`
  const expectedMessage = new RegExp(
    `Donation receipt ${receipt.number} certifies this donation\\. Withdraw it first\\.`
  )
  const page = (await tess.get(pagePath(created))).text
  assert.match(page, expectedMessage)
  assert.ok(page.includes(link))
  assert.ok(!page.includes('name="changes"') && !page.includes(`${pagePath(created)}/fail`))
  for (const step of ['fail', 'went-back']) {
    const { text } = await tess.get(`${pagePath(created)}/${step}`)
    assert.match(text, expectedMessage, step)
    assert.ok(text.includes(link), step)
  }
  const failed = await tess.send(`${pagePath(created)}/fail`, { receivedOn: '2026-03-05' })
  assert.equal(failed.status, 409)
  assert.ok(failed.text.includes(link))
  const back = await tess.send(`${pagePath(created)}/went-back`, { amount: '5', receivedOn: '2026-03-05' })
  assert.equal(back.status, 409)
  assert.ok(back.text.includes(link))
  const undo = await tess.send('/admin/donations/undo', { changes: before })
  assert.equal(undo.status, 409)
  assert.match(undo.text, expectedMessage)
  assert.ok(undo.text.includes(link))
  const bulk = await tess.sendAndFollow('/admin/donations/status', {
    all: 'FAILED',
    confirmed: 'yes',
    receivedOn: '2026-03-05',
    'donations[]': toCheckboxValue(created)
  })
  assert.match(bulk.text, new RegExp(`Nothing was changed\\. ${created.reference}: Receipt ${receipt.number}`))
  assert.doesNotMatch(bulk.text, /was already received/)
  assert.equal((await read(created)).status, 'TRANSFERRED')
})

test('a donation in a direct debit batch can neither be cancelled nor, once collected, undone; the pages link to the batch', async () => {
  await admin.patch('/organisation', { legalName: 'Förderverein', creditorId: 'DE98ZZZ09999999999' })
  const id = await aCampaign()
  const { texts } = (await visitor.get('/mandate')).body
  const created = await donate(id, { mandate: { text: texts.de } })
  const { body: batch } = await admin.post('/collections', { campaignId: id })
  const link = `href="/admin/collections/${batch.id}"`
  const cancelled = await tess.send(`${pagePath(created)}/cancel`, {})
  assert.equal(cancelled.status, 409)
  assert.match(cancelled.text, new RegExp(`part of direct debit batch ${batch.id}\\. Cancel the batch first`))
  assert.ok(cancelled.text.includes(link))
  assert.equal((await read(created)).status, 'IN_PROCESS')

  await admin.patch(`/collections/${batch.id}`, { status: 'submitted' })
  await store.run(sql`update fundraising.collections set collect_on = current_date - 1 where id = ${batch.id}`)
  assert.equal((await admin.patch(`/collections/${batch.id}`, { status: 'done' })).status, 200)
  const [payment] = (await read(created)).payments
  assert.equal(payment?.source, 'direct_debit')
  const page = await tess.get(pagePath(created))
  assert.ok(page.text.includes(`<a ${link}>Direct debit</a>`))
  assert.match(page.text, new RegExp(`collected with direct debit batch ${batch.id}\\.`))
  assert.ok(!page.text.includes('name="changes"') && !page.text.includes(`/payments/${payment?.id}/remove"`))
  const version = (await admin.get(apiPath(created))).headers.etag?.match(/\d+/)?.[0]
  const undo = await theo.send('/admin/donations/undo', { changes: `${created.campaignId} ${created.id} ${version}` })
  assert.equal(undo.status, 409)
  assert.match(undo.text, new RegExp(`mit dem Lastschrifteinzug ${batch.id} eingezogen`))
  assert.ok(undo.text.includes(link))
})
