// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()
const treasurer = await withRole('treasurer')

async function createDonation(fields: object = {}) {
  const { id } = await aCampaign()
  const donated = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
  const { donorToken, ...shown } = donated.body
  return { id, path: `/campaigns/${id}/donations/${donated.body.id}`, donated: shown }
}

test('a treasurer can correct fields that are not about money; fields that are left out keep their value', async () => {
  const { path, donated } = await createDonation({ message: 'Hello', email: 'ada@example.org' })
  const change = { donorName: ' Ada King ', receiptRequested: false, showName: true }
  const { status, body } = await treasurer.patch(path, change)
  assert.equal(status, 200)
  assert.ok(body.updatedAt >= donated.updatedAt)
  assert.deepEqual(
    { ...body, updatedAt: null },
    { ...donated, donorName: 'Ada King', receiptRequested: false, showName: true, updatedAt: null }
  )
  const { history, notes, receipts, payments, news, ...read } = (await treasurer.get(path)).body
  assert.deepEqual(read, body)
  assert.deepEqual(payments, [])
  assert.equal(history.length, 1)
})

test('null removes a message and an email address, and blank text removes a message', async () => {
  const { path } = await createDonation({ message: 'Hello', email: 'ada@example.org' })
  const { body } = await treasurer.patch(path, { message: null, email: null })
  assert.deepEqual([body.message, body.email], [null, null])
  for (const message of ['', ' \n']) {
    await treasurer.patch(path, { message: 'Hello' })
    assert.equal((await treasurer.patch(path, { message })).body.message, null)
  }
})

test('the amount of a donation and its account cannot be changed', async () => {
  const { id, path, donated } = await createDonation()
  const { status, body } = await treasurer.patch(path, {
    amount: 1,
    account: { iban: 'GB82WEST12345698765432', name: 'Thief' },
    reference: 'AC-7KXM-3PFT',
    campaignId: 1,
    id: donated.campaignId,
    createdAt: '2000-01-01T00:00:00Z'
  })
  assert.equal(status, 200)
  assert.deepEqual({ ...body, updatedAt: null }, { ...donated, updatedAt: null })
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.amountDonatedSoFar, 25)
})

test('a correction and a status change can be one request', async () => {
  const { path, donated } = await createDonation()
  const { body, headers } = await treasurer.patch(path, { status: 'TRANSFERRED', receiptRequested: false })
  assert.deepEqual([body.status, body.receiptRequested], ['TRANSFERRED', false])
  assert.equal((await treasurer.get(path)).headers.etag, headers.etag)
  const { body: activity } = await admin.get(`/activity?subjectId=${donated.id}`)
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['donation.status_changed', 'donation.created']
  )
})

test('sending back a donation as it was read changes only updatedAt', async () => {
  const { path } = await createDonation({ message: 'Hello', showName: true })
  // Pledged, partly received, received, and refunded.
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

test('a later change of showName shows or hides the name for visitors', async () => {
  const { path } = await createDonation()
  await treasurer.patch(path, { showName: true })
  assert.equal((await visitor.get(path)).body.donorName, 'Ada Lovelace')
  await treasurer.patch(path, { showName: false })
  assert.equal((await visitor.get(path)).body.donorName, null)
})

test('a donation can be changed and deleted with If-Match; a stale ETag is 412', async () => {
  const { path } = await createDonation()
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

test('PATCH needs a JSON object', async () => {
  const { path } = await createDonation()
  for (const payload of ['', '[]', 'null', '"TRANSFERRED"']) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await treasurer.send({ method: 'PATCH', url: path, headers, payload })
    assert.equal(status, 400, payload)
  }
  assert.equal((await treasurer.send({ method: 'PATCH', url: path })).status, 400)
})

test('of concurrent changes to different final statuses one succeeds, and the totals are correct', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, path } = await createDonation({ status: 'TRANSFERRED' })
    const finalStatuses = ['REFUNDED', 'FAILED', 'REFUNDED', 'FAILED']
    const responses = await Promise.all(finalStatuses.map(async status => await treasurer.patch(path, { status })))
    const { status, history } = (await treasurer.get(path)).body
    responses.forEach((response, index) => {
      assert.equal(response.status, finalStatuses[index] === status ? 200 : 422)
    })
    assert.equal(history.length, 2)
    const { body } = await visitor.get(`/campaigns/${id}`)
    assert.deepEqual([body.amountDonatedSoFar, body.amountTransferred, body.donationCount], [0, 0, 0])
  }
})

test('of concurrent deletions of a donation one succeeds and the others get 404, and the totals are correct', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, path } = await createDonation()
    const responses = await Promise.all([treasurer.delete(path), treasurer.delete(path), treasurer.delete(path)])
    assert.deepEqual(responses.map(response => response.status).sort(), [204, 404, 404])
    const { body } = await visitor.get(`/campaigns/${id}`)
    assert.deepEqual([body.amountDonatedSoFar, body.donationCount], [0, 0])
  }
})
