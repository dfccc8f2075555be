import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { type CreatedCollection, startDirectDebits } from '#test/support/fundraising/direct-debit.ts'
import { fundraisingChecks } from '../../../doctor.ts'
import { buildPreNotificationEmail } from '../../../emails/pre-notification.ts'

const { admin, visitor, treasurer, collected, onTheDay, statusesOf, store, settings } = await startDirectDebits()

test('a cancelled collection frees its donations, and has no file any more', async () => {
  const { path, campaignId, collection, donations } = await collected()
  const cancelled = await treasurer.patch(path, { status: 'cancelled' })
  assert.deepEqual([cancelled.status, cancelled.body.status, cancelled.body.count], [200, 'cancelled', 2])
  assert.deepEqual([(await treasurer.get(`${path}/pain.008.xml`)).body.code], ['collection-file-gone'])
  assert.equal((await treasurer.get(`${path}/donations`)).body.length, 2, 'What was in it can still be seen.')
  const own = (await visitor.get(`/donations/by-token/${donations[0]?.donorToken}`)).body
  assert.equal(own.collectedOn, null)
  const again = await treasurer.post('/collections', { campaignId })
  assert.deepEqual([again.status, again.body.count], [201, 2])
  for (const status of ['made', 'submitted', 'done']) {
    const refused = await treasurer.patch(path, { status })
    assert.deepEqual([refused.status, refused.body.code], [422, 'illegal-status-change'])
  }
  assert.notEqual(again.body.messageId, collection.messageId)
})

test('what the bank has is cancelled only if it was recalled, and done only when its day has come', async () => {
  const { path, donations, collection } = await collected()
  assert.equal((await treasurer.patch(path, { status: 'done' })).body.code, 'illegal-status-change')
  assert.equal((await treasurer.patch(path, { status: 'submitted' })).body.status, 'submitted')
  const unsaid = await treasurer.patch(path, { status: 'cancelled' })
  assert.deepEqual([unsaid.status, unsaid.body.errors[0].pointer], [422, '/recalled'])
  const early = await treasurer.patch(path, { status: 'done' })
  assert.deepEqual([early.status, early.body.code], [409, 'collected-too-early'])
  assert.deepEqual(await statusesOf(donations), ['IN_PROCESS', 'IN_PROCESS'])
  const recalled = await treasurer.patch(path, { status: 'cancelled', recalled: true })
  assert.deepEqual([recalled.status, recalled.body.status], [200, 'cancelled'])
  const { body } = await admin.get(`/activity?subject=collection&subjectId=${collection.id}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['collection.cancelled', 'collection.submitted', 'collection.made']
  )
})

test('done books what nobody has heard of; what failed before stays failed and is never collected again', async () => {
  const { path, donations, collection, campaignId } = await collected(3)
  await treasurer.patch(path, { status: 'submitted' })
  const [failed, paid] = donations as [CreatedCollection, CreatedCollection]
  assert.equal((await treasurer.patch(failed.path, { status: 'FAILED' })).status, 200)
  assert.equal((await treasurer.patch(paid.path, { status: 'TRANSFERRED' })).status, 200)
  await onTheDay(collection.id)
  const done = await treasurer.patch(path, { status: 'done' })
  assert.equal(done.body.status, 'done')
  assert.deepEqual(await statusesOf(donations), ['FAILED', 'TRANSFERRED', 'TRANSFERRED'])
  assert.equal((await treasurer.patch(path, { status: 'done' })).status, 200, 'Twice is the same as once.')
  assert.equal((await treasurer.post('/collections', { campaignId })).body.code, 'nothing-to-collect')
  const history = (await treasurer.get(donations[2]?.path ?? '')).body.history
  assert.deepEqual(
    history.map(({ status }: { status: string }) => status),
    ['IN_PROCESS', 'TRANSFERRED']
  )
  const totals = (await visitor.get(`/campaigns/${campaignId}`)).body
  assert.deepEqual([totals.amountTransferred, totals.amountDonatedSoFar], [50, 50])
})

test('a donation on its way to the bank is not cancelled or deleted by hand', async () => {
  const { path, donations, collection } = await collected(1)
  const [one] = donations as [CreatedCollection]
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

test('a file that became wrong before the bank had it is not handed out or in: nobody pays twice', async () => {
  for (const happens of [
    async ({ path }: CreatedCollection) => await treasurer.patch(path, { status: 'TRANSFERRED' }),
    async ({ reference }: CreatedCollection) => await treasurer.post(`/mandates/${reference}/revoke`),
    async ({ id }: CreatedCollection) => await treasurer.post(`/donors/${id}/erase`, { scope: 'donation' })
  ]) {
    const { path, donations, campaignId } = await collected(2, { email: null })
    const [one] = donations as [CreatedCollection]
    assert.equal((await treasurer.get(`${path}/pain.008.xml`)).status, 200)
    const answer = await happens(one)
    assert.ok(answer.status < 300, answer.text)
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

test('a mandate that is used at the bank already is not taken back, and the donor is told what to do', async () => {
  const { path, donations, collection } = await collected(1)
  const [one] = donations as [CreatedCollection]
  await treasurer.patch(path, { status: 'submitted' })
  for (const refused of [
    await treasurer.post(`/mandates/${one.reference}/revoke`),
    await visitor.post(`/donations/by-token/${one.donorToken}/mandate/revoke`)
  ]) {
    assert.deepEqual([refused.status, refused.body.code], [409, 'debit-is-at-the-bank'])
    assert.ok(refused.body.detail.includes(collection.collectOn))
  }
})

test('two treasurers do not overwrite each other', async () => {
  const { path } = await collected(1)
  const tag = (await treasurer.get(path)).headers.etag ?? ''
  assert.equal((await treasurer.patch(path, { status: 'submitted' }, { 'if-match': tag })).status, 200)
  assert.equal((await treasurer.patch(path, { status: 'cancelled', recalled: true }, { 'if-match': tag })).status, 412)
})

test('the letter about the day says what the scheme wants, and none goes out for what is not collected', async () => {
  const { path, donations, collection, campaignId } = await collected(1, { donorName: 'Ada <b>', language: 'de' })
  const [one] = donations as [CreatedCollection]
  const about = `${collection.id} ${campaignId} ${one.id}`
  const letter = await buildPreNotificationEmail(store, settings, about)
  assert.deepEqual(letter?.to, { name: 'Ada <b>', address: 'ada@example.org' })
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
    assert.ok(letter?.text.includes(part), part)
  }
  assert.ok(!letter?.text.includes('DE02120300000000202051') && !letter?.html?.includes('Ada <b>'))
  await treasurer.patch(path, { status: 'cancelled' })
  assert.equal(await buildPreNotificationEmail(store, settings, about), undefined)
})

test('a donor who is erased after the bank has the file takes the file along, and what was collected stays', async () => {
  const { path, donations, collection } = await collected(2)
  await treasurer.patch(path, { status: 'submitted' })
  const [one] = donations as [CreatedCollection]
  assert.ok((await treasurer.post(`/donors/${one.id}/erase`, { scope: 'donation' })).status < 300)
  const gone = await treasurer.get(`${path}/pain.008.xml`)
  assert.deepEqual([gone.status, gone.body.code], [410, 'collection-file-gone'])
  const [item] = (await treasurer.get(`${path}/donations`)).body
  assert.deepEqual([item.reference, item.donorName, item.amount], [one.reference, null, 25])
  await onTheDay(collection.id)
  assert.equal((await treasurer.patch(path, { status: 'done' })).body.status, 'done')
  assert.deepEqual(await statusesOf(donations), ['TRANSFERRED', 'TRANSFERRED'])
})

test('doctor sees a collection whose sums are not those of its donations', async () => {
  const { collection } = await collected(1)
  const check = fundraisingChecks.find(({ name }) => name.startsWith('direct debit batches'))
  assert.deepEqual(await check?.run(store), [])
  await store.run(sql`update fundraising.collections set amount_cents = amount_cents + 1 where id = ${collection.id}`)
  assert.deepEqual(await check?.run(store), [`direct debit batch ${collection.id}: 0 donations and 0.01 EUR too much`])
})
