import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { type DonationWithMandate, startDirectDebits } from '#test/support/fundraising/direct-debit.ts'
import { fundraisingChecks } from '../../../doctor.ts'
import { buildPreNotificationEmail } from '../../../emails/pre-notification.ts'

const { admin, visitor, treasurer, createCollection, moveCollectionDateToPast, readStatuses, store, settings } =
  await startDirectDebits()

test('cancelling a collection makes its donations collectable again and removes its file', async () => {
  const { path, campaignId, collection, donations } = await createCollection()
  const cancelled = await treasurer.patch(path, { status: 'cancelled' })
  assert.deepEqual([cancelled.status, cancelled.body.status, cancelled.body.count], [200, 'cancelled', 2])
  assert.deepEqual([(await treasurer.get(`${path}/pain.008.xml`)).body.code], ['collection-file-gone'])
  assert.equal((await treasurer.get(`${path}/donations`)).body.length, 2, 'its donations are still listed')
  const asDonor = (await visitor.get(`/donations/by-token/${donations[0]?.donorToken}`)).body
  assert.equal(asDonor.collectedOn, null)
  const again = await treasurer.post('/collections', { campaignId })
  assert.deepEqual([again.status, again.body.count], [201, 2])
  for (const status of ['made', 'submitted', 'done']) {
    const refused = await treasurer.patch(path, { status })
    assert.deepEqual([refused.status, refused.body.code], [422, 'illegal-status-change'])
  }
  assert.notEqual(again.body.messageId, collection.messageId)
})

test('a submitted collection can be cancelled only if it was recalled, and be done only from its collection date on', async () => {
  const { path, donations, collection } = await createCollection()
  assert.equal((await treasurer.patch(path, { status: 'done' })).body.code, 'illegal-status-change')
  assert.equal((await treasurer.patch(path, { status: 'submitted' })).body.status, 'submitted')
  const notRecalled = await treasurer.patch(path, { status: 'cancelled' })
  assert.deepEqual([notRecalled.status, notRecalled.body.errors[0].pointer], [422, '/recalled'])
  const early = await treasurer.patch(path, { status: 'done' })
  assert.deepEqual([early.status, early.body.code], [409, 'collected-too-early'])
  assert.deepEqual(await readStatuses(donations), ['IN_PROCESS', 'IN_PROCESS'])
  const recalled = await treasurer.patch(path, { status: 'cancelled', recalled: true })
  assert.deepEqual([recalled.status, recalled.body.status], [200, 'cancelled'])
  const { body } = await admin.get(`/activity?subject=collection&subjectId=${collection.id}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['collection.cancelled', 'collection.submitted', 'collection.made']
  )
})

test('a collection that is done books its pending donations; failed ones stay failed and are never collected again', async () => {
  const { path, donations, collection, campaignId } = await createCollection(3)
  await treasurer.patch(path, { status: 'submitted' })
  const [failed, paid] = donations as [DonationWithMandate, DonationWithMandate]
  assert.equal((await treasurer.patch(failed.path, { status: 'FAILED' })).status, 200)
  assert.equal((await treasurer.patch(paid.path, { status: 'TRANSFERRED' })).status, 200)
  await moveCollectionDateToPast(collection.id)
  const done = await treasurer.patch(path, { status: 'done' })
  assert.equal(done.body.status, 'done')
  assert.deepEqual(await readStatuses(donations), ['FAILED', 'TRANSFERRED', 'TRANSFERRED'])
  assert.equal((await treasurer.patch(path, { status: 'done' })).status, 200, 'a repeated request changes nothing')
  assert.equal((await treasurer.post('/collections', { campaignId })).body.code, 'nothing-to-collect')
  const history = (await treasurer.get(donations[2]?.path ?? '')).body.history
  assert.deepEqual(
    history.map(({ status }: { status: string }) => status),
    ['IN_PROCESS', 'TRANSFERRED']
  )
  const totals = (await visitor.get(`/campaigns/${campaignId}`)).body
  assert.deepEqual([totals.amountTransferred, totals.amountDonatedSoFar], [50, 50])
})

test('a donation in an open collection cannot be cancelled or deleted', async () => {
  const { path, donations, collection } = await createCollection(1)
  const [one] = donations as [DonationWithMandate]
  for (const step of ['made', 'submitted']) {
    if (step !== 'made') await treasurer.patch(path, { status: step })
    for (const refused of [
      await treasurer.patch(one.path, { status: 'CANCELLED' }),
      await treasurer.delete(one.path)
    ]) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'donation-is-being-collected'])
      assert.ok(refused.body.detail.includes(`direct debit batch ${collection.id}.`))
    }
  }
  await treasurer.patch(path, { status: 'cancelled', recalled: true })
  assert.equal((await treasurer.patch(one.path, { status: 'CANCELLED' })).status, 200)
})

test('a collection with a donation that was paid, revoked or erased can be neither downloaded nor submitted', async () => {
  for (const change of [
    async ({ path }: DonationWithMandate) => await treasurer.patch(path, { status: 'TRANSFERRED' }),
    async ({ reference }: DonationWithMandate) => await treasurer.post(`/mandates/${reference}/revoke`),
    async ({ id }: DonationWithMandate) => await treasurer.post(`/donors/${id}/erase`, { scope: 'donation' })
  ]) {
    const { path, donations, campaignId } = await createCollection(2, { email: null })
    const [one] = donations as [DonationWithMandate]
    assert.equal((await treasurer.get(`${path}/pain.008.xml`)).status, 200)
    const response = await change(one)
    assert.ok(response.status < 300, response.text)
    for (const refused of [
      await treasurer.get(`${path}/pain.008.xml`),
      await treasurer.patch(path, { status: 'submitted' })
    ]) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'collection-out-of-date'])
      assert.ok(refused.body.detail.includes(one.reference))
    }
    const { warnings } = (await treasurer.get(path)).body
    assert.deepEqual([warnings[0].code, warnings[0].references], ['out-of-date', [one.reference]])
    assert.equal((await treasurer.patch(path, { status: 'cancelled' })).status, 200)
    const again = await treasurer.post('/collections', { campaignId })
    assert.equal(again.body.count, 1)
  }
})

test('a mandate in a submitted collection cannot be revoked, and the error names the collection date', async () => {
  const { path, donations, collection } = await createCollection(1)
  const [one] = donations as [DonationWithMandate]
  await treasurer.patch(path, { status: 'submitted' })
  for (const refused of [
    await treasurer.post(`/mandates/${one.reference}/revoke`),
    await visitor.post(`/donations/by-token/${one.donorToken}/mandate/revoke`)
  ]) {
    assert.deepEqual([refused.status, refused.body.code], [409, 'debit-is-at-the-bank'])
    assert.ok(refused.body.detail.includes(collection.collectOn))
  }
})

test('a status change with a stale If-Match is 412', async () => {
  const { path } = await createCollection(1)
  const etag = (await treasurer.get(path)).headers.etag ?? ''
  assert.equal((await treasurer.patch(path, { status: 'submitted' }, { 'if-match': etag })).status, 200)
  assert.equal((await treasurer.patch(path, { status: 'cancelled', recalled: true }, { 'if-match': etag })).status, 412)
})

test('the pre-notification contains the data that SEPA requires, and is not sent for a cancelled collection', async () => {
  const { path, donations, collection, campaignId } = await createCollection(1, {
    donorName: 'Ada <b>',
    language: 'de'
  })
  const [one] = donations as [DonationWithMandate]
  const about = `${collection.id} ${campaignId} ${one.id}`
  const email = await buildPreNotificationEmail(store, settings, about)
  assert.deepEqual(email?.to, { name: 'Ada <b>', address: 'ada@example.org' })
  const [year, , day] = collection.collectOn.split('-').map(Number)
  for (const part of [
    `${day}. `,
    String(year),
    '25,00\u00a0€',
    'DE02…2051',
    'Förderverein Übermut',
    'DE98ZZZ09999999999',
    one.reference
  ]) {
    assert.ok(email?.text.includes(part), part)
  }
  assert.ok(!email?.text.includes('DE02120300000000202051') && !email?.html?.includes('Ada <b>'))
  await treasurer.patch(path, { status: 'cancelled' })
  assert.equal(await buildPreNotificationEmail(store, settings, about), undefined)
})

test('erasing a donor of a submitted collection deletes its file, and the collection can still be done', async () => {
  const { path, donations, collection } = await createCollection(2)
  await treasurer.patch(path, { status: 'submitted' })
  const [one] = donations as [DonationWithMandate]
  assert.ok((await treasurer.post(`/donors/${one.id}/erase`, { scope: 'donation' })).status < 300)
  const file = await treasurer.get(`${path}/pain.008.xml`)
  assert.deepEqual([file.status, file.body.code], [410, 'collection-file-gone'])
  const [item] = (await treasurer.get(`${path}/donations`)).body
  assert.deepEqual([item.reference, item.donorName, item.amount], [one.reference, null, 25])
  await moveCollectionDateToPast(collection.id)
  assert.equal((await treasurer.patch(path, { status: 'done' })).body.status, 'done')
  assert.deepEqual(await readStatuses(donations), ['TRANSFERRED', 'TRANSFERRED'])
})

test('doctor reports a collection whose sums do not match its donations', async () => {
  const { collection } = await createCollection(1)
  const check = fundraisingChecks.find(({ name }) => name.startsWith('direct debit batches'))
  assert.deepEqual(await check?.run(store), [])
  await store.run(sql`update fundraising.collections set amount_cents = amount_cents + 1 where id = ${collection.id}`)
  assert.deepEqual(await check?.run(store), [`direct debit batch ${collection.id}: 0 donations and 0.01 EUR too much`])
})
