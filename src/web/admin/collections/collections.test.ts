import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { campaign, donation } from '#test/support/services.ts'

const { admin, visitor, store, signIn } = await startAdmin()
const treasurer = await signIn('treasurer')
const germanTreasurer = await signIn('treasurer', 'de')
const { id: campaignId } = (await admin.post('/campaigns', campaign)).body
const list = '/admin/collections'

async function pledge(fields: object = {}) {
  const { texts } = (await visitor.get('/mandate')).body
  const created = await visitor.post(`/campaigns/${campaignId}/donations`, {
    ...donation,
    mandate: { text: texts.en },
    ...fields
  })
  assert.equal(created.status, 201, created.text)
  return created.body
}

/** Creates a direct debit batch with the form, and returns the path of its page. */
async function createBatch(fields: Record<string, string> = { batchBooking: 'yes' }) {
  const answer = await treasurer.send(list, fields)
  assert.equal(answer.status, 303, answer.text)
  return answer.headers.location ?? ''
}

test('without a creditor identifier the page says what is missing, and links admins to the setting', async () => {
  const page = await treasurer.get(list)
  assert.equal(page.status, 200)
  assert.match(page.text, /Direct debit is not available yet/)
  assert.match(page.text, /An admin can set them/)
  assert.match((await (await signIn('admin')).get(list)).text, /href="\/admin\/organisation"/)
  assert.match((await germanTreasurer.get(list)).text, /Lastschriften sind noch nicht möglich/)
  await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })
  assert.match((await treasurer.get(list)).text, /No donations to collect/)
})

test('a treasurer creates a direct debit batch, downloads its file, marks it as submitted, and as paid after the collection date', async () => {
  const pledged = await pledge({ donorName: '<b>Ada</b> & Co' })
  const offer = await treasurer.get(list)
  assert.match(offer.text, /€25\.00/)
  assert.match(offer.text, /from 1 donation</)
  assert.match(offer.text, /No pre-notification by email/)

  const refused = await treasurer.send(list, { collectOn: '2020-01-01' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Collection date must be a day on which banks settle payments/)
  assert.match(refused.text, /value="2020-01-01"/)

  const path = await createBatch()
  const page = await treasurer.get(path)
  assert.match(page.text, /Batch created/)
  assert.ok(page.text.includes(pledged.reference) && page.text.includes('&lt;b>Ada&lt;/b> &amp; Co'))
  const file = await treasurer.get(`${path}/file.xml`)
  assert.match(file.headers['content-type'] ?? '', /^application\/xml/)
  assert.match(file.headers['content-disposition'] ?? '', /^attachment; filename="direct-debits-.*\.xml"$/)
  assert.match(file.text, /pain\.008\.001\.08/)
  assert.match((await treasurer.get(`/admin/donations/${campaignId}/${pledged.id}`)).text, /Mandate text/)

  assert.match((await treasurer.sendAndFollow(`${path}/submitted`, {})).text, /Marked as submitted/)
  assert.match((await treasurer.get(`${path}/cancel`)).text, /only if the bank has confirmed/)
  const early = await treasurer.send(`${path}/done`, {})
  assert.equal(early.status, 409)
  assert.match(early.text, /cannot be completed before its collection date/)
  await store.run(sql`update fundraising.collections set collect_on = current_date - 1`)
  assert.match((await treasurer.get(path)).text, /Mark as paid/)
  assert.match((await treasurer.get(`${path}/done`)).text, /at most 1 donation, €25\.00/)
  assert.match((await treasurer.sendAndFollow(`${path}/done`, {})).text, /booked as received/)
  const read = await admin.get(`/campaigns/${campaignId}/donations/${pledged.id}`)
  assert.equal(read.body.status, 'TRANSFERRED')
  assert.doesNotMatch((await treasurer.get(path)).text, /Cancel this batch/)
  assert.match((await treasurer.get(list)).text, /Done/)
})

test('a batch with a donation that was paid otherwise has no file, explains why, and is cancelled after a confirmation page', async () => {
  const pledged = await pledge()
  const path = await createBatch()
  await admin.patch(`/campaigns/${campaignId}/donations/${pledged.id}`, { status: 'TRANSFERRED' })
  const page = await germanTreasurer.get(path)
  assert.match(page.text, /damit niemand doppelt zahlt/)
  assert.ok(page.text.includes(`search=${pledged.reference}`))
  assert.doesNotMatch(page.text, /Datei herunterladen/)
  const refused = await germanTreasurer.get(`${path}/file.xml`)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Stornieren Sie ihn/)
  assert.match((await germanTreasurer.get(`${path}/cancel`)).text, /Diesen Einzug stornieren\?/)
  assert.match((await germanTreasurer.sendAndFollow(`${path}/cancel`, {})).text, /Lastschrifteinzug storniert/)
})

test('a submitted batch can be cancelled only with the confirmation that the bank recalled it', async () => {
  await pledge()
  const path = await createBatch()
  await treasurer.send(`${path}/submitted`, {})
  assert.equal((await treasurer.send(`${path}/cancel`, {})).status, 422)
  assert.match((await treasurer.get(`${path}/cancel`)).text, /action="[^"]*\/cancel\?recalled=yes"/)
  assert.equal((await treasurer.send(`${path}/cancel?recalled=yes`, {})).status, 303)
})

test('a mandate is shown on the page of its donation, and revoked after a confirmation page', async () => {
  const pledged = await pledge()
  const donationPath = `/admin/donations/${campaignId}/${pledged.id}`
  const page = await treasurer.get(donationPath)
  assert.match(page.text, /not yet: create a batch/)
  const revoke = `${list}/mandates/${pledged.reference}/revoke`
  assert.ok(page.text.includes(`href="${revoke}"`))
  assert.match((await treasurer.get(revoke)).text, /stays pending until a transfer is received/)
  const after = await treasurer.sendAndFollow(revoke, {})
  assert.match(after.text, /Mandate revoked/)
  assert.doesNotMatch(after.text, /Mandate text/)
})

test('editors have no menu entry for direct debits, and get 403 for all their pages and forms', async () => {
  const editor = await signIn('editor')
  assert.doesNotMatch((await editor.get('/admin')).text, /admin\/collections/)
  for (const path of [list, `${list}/1`, `${list}/1/file.xml`, `${list}/1/cancel`, `${list}/mandates/x/revoke`]) {
    assert.equal((await editor.get(path)).status, 403, path)
  }
  for (const path of [list, `${list}/1/submitted`, `${list}/1/done`, `${list}/1/cancel`]) {
    assert.equal((await editor.send(path, {})).status, 403, path)
  }
  assert.equal((await treasurer.get(`${list}/999`)).status, 404)
})
