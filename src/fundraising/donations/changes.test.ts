// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()
const treasurer = await withRole('treasurer')

async function aDonationOf(fields: object = {}) {
  const { id } = await aCampaign()
  const given = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
  const { donorToken, ...shown } = given.body
  return { id, path: `/campaigns/${id}/donations/${given.body.id}`, given: shown }
}

test('a treasurer corrects what is not money; what is left out stays', async () => {
  const { path, given } = await aDonationOf({ message: 'Hello', email: 'ada@example.org' })
  const change = { donorName: ' Ada King ', receiptRequested: false, showName: true }
  const { status, body } = await treasurer.patch(path, change)
  assert.equal(status, 200)
  assert.ok(body.updatedAt >= given.updatedAt)
  assert.deepEqual(
    { ...body, updatedAt: null },
    { ...given, donorName: 'Ada King', receiptRequested: false, showName: true, updatedAt: null }
  )
  const { history, notes, receipts, payments, news, ...read } = (await treasurer.get(path)).body
  assert.deepEqual(read, body)
  assert.deepEqual(payments, [])
  assert.equal(history.length, 1)
})

test('null takes a message and an e-mail address away, blanks a message too', async () => {
  const { path } = await aDonationOf({ message: 'Hello', email: 'ada@example.org' })
  const { body } = await treasurer.patch(path, { message: null, email: null })
  assert.deepEqual([body.message, body.email], [null, null])
  for (const message of ['', ' \n']) {
    await treasurer.patch(path, { message: 'Hello' })
    assert.equal((await treasurer.patch(path, { message })).body.message, null)
  }
})

test('the money of a donation and its account are never edited', async () => {
  const { id, path, given } = await aDonationOf()
  const { status, body } = await treasurer.patch(path, {
    amount: 1,
    account: { iban: 'GB82WEST12345698765432', name: 'Thief' },
    reference: 'AC-7KXM-3PFT',
    campaignId: 1,
    id: given.campaignId,
    createdAt: '2000-01-01T00:00:00Z'
  })
  assert.equal(status, 200)
  assert.deepEqual({ ...body, updatedAt: null }, { ...given, updatedAt: null })
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.amountDonatedSoFar, 25)
})

test('a correction and a status change come in one', async () => {
  const { path, given } = await aDonationOf()
  const { body, headers } = await treasurer.patch(path, { status: 'TRANSFERRED', receiptRequested: false })
  assert.deepEqual([body.status, body.receiptRequested], ['TRANSFERRED', false])
  assert.equal((await treasurer.get(path)).headers.etag, headers.etag)
  const { body: activity } = await admin.get(`/activity?subjectId=${given.id}`)
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['donation.status_changed', 'donation.created']
  )
})

test('sending back what was read changes nothing but updatedAt', async () => {
  const { path } = await aDonationOf({ message: 'Hello', showName: true })
  // Promised, paid in part, paid, and paid back.
  const steps = [
    {},
    { amountReceived: 10, receivedOn: '2026-03-02' },
    { status: 'TRANSFERRED' },
    { status: 'REFUNDED' }
  ]
  for (const step of steps) {
    assert.equal((await treasurer.patch(path, step)).status, 200)
    const read = (await treasurer.get(path)).body
    const { status, body, text } = await treasurer.patch(path, read)
    assert.equal(status, 200, text)
    const { history, notes, receipts, payments, news, ...rest } = read
    assert.deepEqual({ ...body, updatedAt: null }, { ...rest, updatedAt: null })
    const again = (await treasurer.get(path)).body
    assert.deepEqual([again.history, again.payments], [history, payments])
  }
})

test('a name that is shown or hidden later is shown or hidden to the public', async () => {
  const { path } = await aDonationOf()
  await treasurer.patch(path, { showName: true })
  assert.equal((await visitor.get(path)).body.donorName, 'Ada Lovelace')
  await treasurer.patch(path, { showName: false })
  assert.equal((await visitor.get(path)).body.donorName, null)
})

test('a change and a deletion of a donation can be made conditional', async () => {
  const { path } = await aDonationOf()
  const first = (await treasurer.get(path)).headers.etag ?? ''
  const changed = await treasurer.patch(path, { message: 'One' }, { 'if-match': first })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.etag, first)
  assert.equal((await treasurer.get(path)).headers.etag, changed.headers.etag)
  for (const stale of [first, '"nonsense"']) {
    assert.equal((await treasurer.patch(path, { message: 'Two' }, { 'if-match': stale })).status, 412)
    assert.equal((await treasurer.delete(path, { 'if-match': stale })).status, 412)
  }
  assert.equal((await treasurer.get(path)).body.message, 'One')
  assert.equal((await treasurer.delete(path, { 'if-match': changed.headers.etag ?? '' })).status, 204)
})

test('a change needs a JSON object', async () => {
  const { path } = await aDonationOf()
  for (const payload of ['', '[]', 'null', '"TRANSFERRED"']) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await treasurer.send({ method: 'PATCH', url: path, headers, payload })
    assert.equal(status, 400, payload)
  }
  assert.equal((await treasurer.send({ method: 'PATCH', url: path })).status, 400)
})

test('of treasurers who move a donation to different ends at once one wins, and the totals are right', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, path } = await aDonationOf({ status: 'TRANSFERRED' })
    const ends = ['REFUNDED', 'FAILED', 'REFUNDED', 'FAILED']
    const answers = await Promise.all(ends.map(async status => await treasurer.patch(path, { status })))
    const { status, history } = (await treasurer.get(path)).body
    answers.forEach((answer, index) => {
      assert.equal(answer.status, ends[index] === status ? 200 : 422)
    })
    assert.equal(history.length, 2)
    const { body } = await visitor.get(`/campaigns/${id}`)
    assert.deepEqual([body.amountDonatedSoFar, body.amountTransferred, body.donationCount], [0, 0, 0])
  }
})

test('of two who delete a donation at once one gets 404, and the totals are right', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, path } = await aDonationOf()
    const answers = await Promise.all([treasurer.delete(path), treasurer.delete(path), treasurer.delete(path)])
    assert.deepEqual(answers.map(answer => answer.status).sort(), [204, 404, 404])
    const { body } = await visitor.get(`/campaigns/${id}`)
    assert.deepEqual([body.amountDonatedSoFar, body.donationCount], [0, 0])
  }
})
