import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildStatement,
  type StatementBooking,
  type StatementOptions
} from '#test/support/fundraising/bank-statements.ts'
import { type DonationWithMandate, startDirectDebits } from '#test/support/fundraising/direct-debit.ts'
import { countViolations } from '../queries.ts'

const { aCampaign, createCollection, moveCollectionDateToPast, donateWithMandate, readStatuses, store, treasurer } =
  await startDirectDebits()
let fileCount = 0

/** Imports a statement with one booking per batch, without details. */
async function importBookings(bookings: StatementBooking[], options: StatementOptions = {}) {
  fileCount += 1
  const numbered = bookings.map((booking, index) => ({
    bankReference: `C${fileCount}-${index}`,
    payments: [],
    ...booking
  }))
  const headers = { 'content-type': 'application/xml' }
  const payload = buildStatement(numbered, options)
  const response = await treasurer.send({ method: 'POST', url: '/bank-statements', headers, payload })
  assert.equal(response.status, 201, response.text)
  return (await treasurer.get(`/bank-statements/${response.body.id}/entries`)).body
}

const changeEntry = async (entry: { statementId: number; id: string }, body: object) =>
  await treasurer.patch(`/bank-statements/${entry.statementId}/entries/${entry.id}`, body)
const readStatus = async (path: string) => (await treasurer.get(path)).body.status

async function assertConsistent(): Promise<void> {
  const faults = Object.entries(await countViolations(store)).filter(([, count]) => count > 0)
  assert.deepEqual(faults, [])
}

async function createSubmittedCollection(count = 2) {
  const created = await createCollection(count)
  assert.equal((await treasurer.patch(created.path, { status: 'submitted' })).status, 200)
  const { amount, messageId } = created.collection
  return { ...created, credit: { amount: amount.toFixed(2), paymentInformationId: `${messageId}-1` } }
}

test('the credit of a collection sets it to done, and its donations are received on the booking date', async () => {
  const { path, collection, donations, credit } = await createSubmittedCollection()
  const [entry] = await importBookings([{ ...credit, bookedOn: '2026-02-24' }])
  assert.deepEqual(
    [entry.result, entry.reason.code, entry.match, entry.collection.id, entry.collection.status],
    ['booked', 'collection-credit', null, collection.id, 'done']
  )
  assert.equal(await readStatus(path), 'done')
  assert.deepEqual(await readStatuses(donations), ['TRANSFERRED', 'TRANSFERRED'])
  const donated = (await treasurer.get(donations[0]?.path ?? '')).body
  assert.deepEqual(
    [donated.receivedOn, donated.payments[0].source, donated.payments[0].collectionId],
    ['2026-02-24', 'direct_debit', collection.id]
  )
  const again = await importBookings([{ ...credit, bookedOn: '2026-02-24' }])
  assert.deepEqual([again[0].result, again[0].reason.code], ['suggested', 'collection-credited'])
  await assertConsistent()
})

test('the credit of a collection that is already done is only linked; unassigning it reopens the entry and keeps the collection', async () => {
  const { path, collection, donations, credit } = await createSubmittedCollection()
  await moveCollectionDateToPast(collection.id)
  assert.equal((await treasurer.patch(path, { status: 'done' })).status, 200)
  const before = (await treasurer.get(donations[0]?.path ?? '')).body.payments
  const [entry] = await importBookings([credit])
  assert.equal(entry.result, 'booked')
  assert.deepEqual((await treasurer.get(donations[0]?.path ?? '')).body.payments, before)
  assert.equal((await changeEntry(entry, { ignored: true })).body.code, 'entry-is-assigned')
  const unassigned = await changeEntry(entry, { donation: null })
  assert.deepEqual(
    [unassigned.body.result, unassigned.body.reason.code, unassigned.body.collection.id],
    ['suggested', 'taken-back', collection.id]
  )
  assert.equal(await readStatus(path), 'done')
  const linked = await changeEntry(entry, { collectionId: collection.id })
  assert.deepEqual([linked.status, linked.body.result], [200, 'booked'])
  const [one] = donations as [DonationWithMandate]
  const { campaignId } = one
  await changeEntry(entry, { donation: null })
  const ignored = await changeEntry(entry, { ignored: true })
  assert.deepEqual([ignored.body.result, ignored.body.collection], ['ignored', null])
  const assigned = await changeEntry(entry, { donation: { campaignId, id: one.id } })
  assert.deepEqual([assigned.status, assigned.body.collection], [200, null])
  await assertConsistent()
})

test('a credit with a different amount is suggested with the difference, and booked when a treasurer assigns it', async () => {
  const { path, collection, donations, credit } = await createSubmittedCollection()
  const less = (collection.amount - 5).toFixed(2)
  const [entry] = await importBookings([{ ...credit, amount: less, bookedOn: '2026-02-25' }])
  assert.deepEqual(
    [entry.result, entry.reason.code, entry.collection.id],
    ['suggested', 'collection-differs', collection.id]
  )
  assert.match(
    entry.reason.message,
    new RegExp(`direct debit batch ${collection.id}, but ${less} received of .*: 5\\.00 less`)
  )
  assert.equal(await readStatus(path), 'submitted')
  const linked = await changeEntry(entry, { collectionId: collection.id })
  assert.deepEqual([linked.status, linked.body.result], [200, 'booked'], linked.text)
  assert.equal(await readStatus(path), 'done')
  assert.deepEqual(await readStatuses(donations), ['TRANSFERRED', 'TRANSFERRED'])
  await assertConsistent()
})

test('a credit for a collection that is not submitted is only suggested, and one for an unknown collection is unmatched', async () => {
  const created = await createCollection()
  const credit = {
    amount: created.collection.amount.toFixed(2),
    paymentInformationId: `${created.collection.messageId}-1`
  }
  const [entry] = await importBookings([credit])
  assert.deepEqual([entry.result, entry.reason.code], ['suggested', 'collection-not-submitted'])
  const refused = await changeEntry(entry, { collectionId: created.collection.id })
  assert.deepEqual([refused.status, refused.body.code], [422, 'illegal-status-change'])
  await treasurer.patch(created.path, { status: 'submitted' })
  assert.equal((await changeEntry(entry, { collectionId: created.collection.id })).status, 200)

  const unknown = await importBookings([
    { ...credit, paymentInformationId: 'SOMEBODY-ELSE-1' },
    { ...credit, paymentInformationId: `${created.collection.messageId}-7` }
  ])
  assert.deepEqual(
    unknown.map(({ result }: { result: string }) => result),
    ['unmatched', 'unmatched']
  )
  await assertConsistent()
})

test('debits that the bank books individually are matched by their references, and nothing counts twice', async () => {
  const { path, collection, donations, credit } = await createSubmittedCollection()
  const references = (await treasurer.get(`${path}/donations`)).body as { reference: string; amount: number }[]
  const entries = await importBookings([
    {
      ...credit,
      payments: references.map(({ reference, amount }, index) => ({
        amount: amount.toFixed(2),
        endToEndId: reference,
        mandateId: reference,
        bankReference: `D${index}`
      }))
    }
  ])
  assert.deepEqual(
    entries.map(({ result, match }: { result: string; match: { reference: string } }) => [result, match.reference]),
    references.map(({ reference }) => ['booked', reference])
  )
  assert.deepEqual(await readStatuses(donations), ['TRANSFERRED', 'TRANSFERRED'])
  const [sum] = await importBookings([credit])
  assert.deepEqual([sum.result, sum.collection.id], ['booked', collection.id])
  const donated = (await treasurer.get(donations[0]?.path ?? '')).body
  assert.equal(donated.amountReceived, donated.amount)
  await assertConsistent()
})

test('with two accounts each credit books its own donations, and the last credit sets the collection to done', async () => {
  const accounts = ['DE89370400440532013000', 'DE02100500000054540402']
  const donations: DonationWithMandate[] = []
  for (const [index, iban] of accounts.entries()) {
    const { id } = await aCampaign({ account: { iban, name: 'Music School' } })
    donations.push(await donateWithMandate(id, { amount: 20 + index }))
  }
  const created = await treasurer.post('/collections', {})
  assert.equal(created.status, 201, created.text)
  const { id, blocks, messageId } = created.body as {
    id: number
    messageId: string
    blocks: { account: string; amount: number }[]
  }
  assert.equal(blocks.length, 2)
  await treasurer.patch(`/collections/${id}`, { status: 'submitted' })
  const importCredit = async (number: number) => {
    const { account = '', amount = 0 } = blocks[number - 1] ?? {}
    const booking = {
      amount: amount.toFixed(2),
      paymentInformationId: `${messageId}-${number}`,
      bookedOn: '2026-02-26'
    }
    return (await importBookings([booking], { account }))[0]
  }
  const findDonationIndex = (blockIndex: number) =>
    donations.findIndex((_, index) => accounts[index] === blocks[blockIndex]?.account)
  assert.equal((await importCredit(1)).result, 'booked')
  const first = await readStatuses(donations)
  assert.deepEqual([first[findDonationIndex(0)], first[findDonationIndex(1)]], ['TRANSFERRED', 'IN_PROCESS'])
  assert.equal(await readStatus(`/collections/${id}`), 'submitted')
  assert.equal((await importCredit(2)).result, 'booked')
  assert.deepEqual(await readStatuses(donations), ['TRANSFERRED', 'TRANSFERRED'])
  assert.equal(await readStatus(`/collections/${id}`), 'done')
  await assertConsistent()
})
