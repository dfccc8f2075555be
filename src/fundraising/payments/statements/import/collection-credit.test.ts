import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildStatement,
  type StatementBooking,
  type StatementOptions
} from '#test/support/fundraising/bank-statements.ts'
import { type CreatedCollection, startDirectDebits } from '#test/support/fundraising/direct-debit.ts'
import { countViolations } from '../queries.ts'

const { aCampaign, collected, onTheDay, promised, statusesOf, store, treasurer } = await startDirectDebits()
let files = 0

/** What the bank says about batches: one booking each, without details. */
async function imported(bookings: StatementBooking[], options: StatementOptions = {}) {
  files += 1
  const numbered = bookings.map((booking, place) => ({ bankReference: `C${files}-${place}`, payments: [], ...booking }))
  const headers = { 'content-type': 'application/xml' }
  const payload = buildStatement(numbered, options)
  const answer = await treasurer.send({ method: 'POST', url: '/bank-statements', headers, payload })
  assert.equal(answer.status, 201, answer.text)
  return (await treasurer.get(`/bank-statements/${answer.body.id}/entries`)).body
}

const change = async (entry: { statementId: number; id: string }, body: object) =>
  await treasurer.patch(`/bank-statements/${entry.statementId}/entries/${entry.id}`, body)
const statusOf = async (path: string) => (await treasurer.get(path)).body.status

async function holds(): Promise<void> {
  const faults = Object.entries(await countViolations(store)).filter(([, count]) => count > 0)
  assert.deepEqual(faults, [])
}

async function submitted(count = 2) {
  const made = await collected(count)
  assert.equal((await treasurer.patch(made.path, { status: 'submitted' })).status, 200)
  const { amount, messageId } = made.collection
  return { ...made, credit: { amount: amount.toFixed(2), paymentInformationId: `${messageId}-1` } }
}

test('the credit of a collection books it: the collection is done, its donations came on the day of the bank', async () => {
  const { path, collection, donations, credit } = await submitted()
  const [entry] = await imported([{ ...credit, bookedOn: '2026-02-24' }])
  assert.deepEqual(
    [entry.result, entry.reason.code, entry.match, entry.collection.id, entry.collection.status],
    ['booked', 'collection-credit', null, collection.id, 'done']
  )
  assert.equal(await statusOf(path), 'done')
  assert.deepEqual(await statusesOf(donations), ['TRANSFERRED', 'TRANSFERRED'])
  const given = (await treasurer.get(donations[0]?.path ?? '')).body
  assert.deepEqual(
    [given.receivedOn, given.payments[0].source, given.payments[0].collectionId],
    ['2026-02-24', 'direct_debit', collection.id]
  )
  const again = await imported([{ ...credit, bookedOn: '2026-02-24' }])
  assert.deepEqual([again[0].result, again[0].reason.code], ['suggested', 'collection-credited'])
  await holds()
})

test('a collection that was done by hand is only linked; taken back, the entry is open again and the collection stays', async () => {
  const { path, collection, donations, credit } = await submitted()
  await onTheDay(collection.id)
  assert.equal((await treasurer.patch(path, { status: 'done' })).status, 200)
  const before = (await treasurer.get(donations[0]?.path ?? '')).body.payments
  const [entry] = await imported([credit])
  assert.equal(entry.result, 'booked')
  assert.deepEqual((await treasurer.get(donations[0]?.path ?? '')).body.payments, before)
  assert.equal((await change(entry, { ignored: true })).body.code, 'entry-is-assigned')
  const back = await change(entry, { donation: null })
  assert.deepEqual(
    [back.body.result, back.body.reason.code, back.body.collection.id],
    ['suggested', 'taken-back', collection.id]
  )
  assert.equal(await statusOf(path), 'done')
  const linked = await change(entry, { collectionId: collection.id })
  assert.deepEqual([linked.status, linked.body.result], [200, 'booked'])
  const [one] = donations as [CreatedCollection]
  const { campaignId } = one
  await change(entry, { donation: null })
  const ignored = await change(entry, { ignored: true })
  assert.deepEqual([ignored.body.result, ignored.body.collection], ['ignored', null])
  const assigned = await change(entry, { donation: { campaignId, id: one.id } })
  assert.deepEqual([assigned.status, assigned.body.collection], [200, null])
  await holds()
})

test('another amount is suggested with the difference, and booked for the collection when a treasurer says so', async () => {
  const { path, collection, donations, credit } = await submitted()
  const less = (collection.amount - 5).toFixed(2)
  const [entry] = await imported([{ ...credit, amount: less, bookedOn: '2026-02-25' }])
  assert.deepEqual(
    [entry.result, entry.reason.code, entry.collection.id],
    ['suggested', 'collection-differs', collection.id]
  )
  assert.match(
    entry.reason.message,
    new RegExp(`direct debit batch ${collection.id}, but ${less} received of .*: 5\\.00 less`)
  )
  assert.equal(await statusOf(path), 'submitted')
  const linked = await change(entry, { collectionId: collection.id })
  assert.deepEqual([linked.status, linked.body.result], [200, 'booked'], linked.text)
  assert.equal(await statusOf(path), 'done')
  assert.deepEqual(await statusesOf(donations), ['TRANSFERRED', 'TRANSFERRED'])
  await holds()
})

test('a collection that the bank should not have yet, or not any more, is left to the treasurer', async () => {
  const made = await collected()
  const credit = { amount: made.collection.amount.toFixed(2), paymentInformationId: `${made.collection.messageId}-1` }
  const [entry] = await imported([credit])
  assert.deepEqual([entry.result, entry.reason.code], ['suggested', 'collection-not-submitted'])
  const refused = await change(entry, { collectionId: made.collection.id })
  assert.deepEqual([refused.status, refused.body.code], [422, 'illegal-status-change'])
  await treasurer.patch(made.path, { status: 'submitted' })
  assert.equal((await change(entry, { collectionId: made.collection.id })).status, 200)

  const unknown = await imported([
    { ...credit, paymentInformationId: 'SOMEBODY-ELSE-1' },
    { ...credit, paymentInformationId: `${made.collection.messageId}-7` }
  ])
  assert.deepEqual(
    unknown.map(({ result }: { result: string }) => result),
    ['unmatched', 'unmatched']
  )
  await holds()
})

test('debits that the bank books one by one are booked by their references, and nothing counts twice', async () => {
  const { path, collection, donations, credit } = await submitted()
  const references = (await treasurer.get(`${path}/donations`)).body as { reference: string; amount: number }[]
  const entries = await imported([
    {
      ...credit,
      payments: references.map(({ reference, amount }, place) => ({
        amount: amount.toFixed(2),
        endToEndId: reference,
        mandateId: reference,
        bankReference: `D${place}`
      }))
    }
  ])
  assert.deepEqual(
    entries.map(({ result, match }: { result: string; match: { reference: string } }) => [result, match.reference]),
    references.map(({ reference }) => ['booked', reference])
  )
  assert.deepEqual(await statusesOf(donations), ['TRANSFERRED', 'TRANSFERRED'])
  const [sum] = await imported([credit])
  assert.deepEqual([sum.result, sum.collection.id], ['booked', collection.id])
  const given = (await treasurer.get(donations[0]?.path ?? '')).body
  assert.equal(given.amountReceived, given.amount)
  await holds()
})

test('a file with two accounts is credited twice: each credit books its own donations, and the last one ends the collection', async () => {
  const accounts = ['DE89370400440532013000', 'DE02100500000054540402']
  const donations: CreatedCollection[] = []
  for (const [place, iban] of accounts.entries()) {
    const { id } = await aCampaign({ account: { iban, name: 'Music School' } })
    donations.push(await promised(id, { amount: 20 + place }))
  }
  const made = await treasurer.post('/collections', {})
  assert.equal(made.status, 201, made.text)
  const { id, blocks, messageId } = made.body as {
    id: number
    messageId: string
    blocks: { account: string; amount: number }[]
  }
  assert.equal(blocks.length, 2)
  await treasurer.patch(`/collections/${id}`, { status: 'submitted' })
  const credit = async (number: number) => {
    const { account = '', amount = 0 } = blocks[number - 1] ?? {}
    const booking = {
      amount: amount.toFixed(2),
      paymentInformationId: `${messageId}-${number}`,
      bookedOn: '2026-02-26'
    }
    return (await imported([booking], { account }))[0]
  }
  const isOf = (place: number) => donations.findIndex((_, index) => accounts[index] === blocks[place]?.account)
  assert.equal((await credit(1)).result, 'booked')
  const first = await statusesOf(donations)
  assert.deepEqual([first[isOf(0)], first[isOf(1)]], ['TRANSFERRED', 'IN_PROCESS'])
  assert.equal(await statusOf(`/collections/${id}`), 'submitted')
  assert.equal((await credit(2)).result, 'booked')
  assert.deepEqual(await statusesOf(donations), ['TRANSFERRED', 'TRANSFERRED'])
  assert.equal(await statusOf(`/collections/${id}`), 'done')
  await holds()
})
