// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, change, readEntries, importBookings, readStatus, store, treasurer } =
  await startBankImports()
const { id: campaignId } = await aCampaign()
let cents = 20_000
async function createPledge(fields: object = {}) {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100, ...fields })
}
const formatAmount = ({ amount }: { amount: number }, more = 0) => (amount + more).toFixed(2)
const assignTo = ({ id }: { id: string }) => ({ donation: { campaignId, id } })
const withoutDonation = { donation: null }
async function readDonation({ id }: { id: string }) {
  return (await admin.get(`/campaigns/${campaignId}/donations/${id}`)).body
}
/** The status and received amount of a donation. */
async function readMoney(pledged: { id: string }) {
  const { status, amountReceived } = await readDonation(pledged)
  return [status, amountReceived]
}
async function importUnmatched() {
  const { entries } = await importBookings([buildBooking({ amount: '3.33', text: 'no reference' })])
  return entries[0]
}

test('a suggestion is confirmed by assigning its donation, or several in one request with a result for each', async () => {
  const [less, more, exact] = [await createPledge(), await createPledge(), await createPledge()]
  const { statement, entries } = await importBookings([
    buildBooking({ amount: formatAmount(less, -5), text: less.reference }),
    buildBooking({ amount: formatAmount(more, 5), text: more.reference }),
    buildBooking({ amount: '4.44', text: 'nothing' }),
    buildBooking({ amount: formatAmount(exact), text: exact.reference })
  ])
  const response = await change(entries[0], assignTo(less))
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(
    [response.body.result, response.body.match.difference, response.body.match.by],
    ['booked', -5, 'reference']
  )
  assert.match(response.headers.etag ?? '', /^"2-/)
  const confirmed = await treasurer.post(`/bank-statements/${statement.id}/confirm`, {
    entries: [
      { id: entries[1].id, version: 1 },
      { id: entries[2].id },
      { id: entries[0].id, version: 1 },
      { id: entries[3].id }
    ]
  })
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.deepEqual(
    confirmed.body.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok),
    [true, 'nothing-suggested', 'changed-meanwhile', true]
  )
  assert.deepEqual(await readMoney(less), ['IN_PROCESS', Number(formatAmount(less, -5))])
  assert.deepEqual(await readMoney(more), ['TRANSFERRED', Number(formatAmount(more, 5))])
  const accepted = { entries: [{ id: entries[0].id, accept: true }] }
  assert.equal((await treasurer.post(`/bank-statements/${statement.id}/confirm`, accepted)).body.booked, 1)
  assert.deepEqual(await readMoney(less), ['TRANSFERRED', Number(formatAmount(less, -5))])
  const { body } = await treasurer.get(`/bank-statements/${statement.id}`)
  assert.deepEqual([body.counts.booked, body.counts.suggested, body.counts.unmatched], [3, 0, 1])
})

test('after a partial payment the donation stays pending until a treasurer accepts the sum, and keeps its amount', async () => {
  const pledged = await createPledge()
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(pledged, -5), text: pledged.reference, bookedOn: '2026-02-27' })
  ])
  await change(entries[0], assignTo(pledged))
  const { amount, status, amountReceived, receivedOn, payments, notes, nextStatuses } = await readDonation(pledged)
  const receivedAmount = Number(formatAmount(pledged, -5))
  assert.deepEqual(
    [amount, status, amountReceived, receivedOn],
    [pledged.amount, 'IN_PROCESS', receivedAmount, '2026-02-27']
  )
  assert.deepEqual([notes, nextStatuses], [[], ['TRANSFERRED']])
  const { source, statementId, entryId } = payments[0]
  assert.deepEqual(
    [payments.length, payments[0].amount, source, statementId, entryId],
    [1, receivedAmount, 'bank_entry', entries[0].statementId, entries[0].id]
  )
  const accepted = await change(entries[0], { ...assignTo(pledged), accept: true })
  assert.deepEqual(
    [accepted.status, accepted.body.match.status, accepted.body.match.difference],
    [200, 'TRANSFERRED', -5]
  )
  const after = await readDonation(pledged)
  assert.deepEqual([after.amount, after.status, after.amountReceived], [pledged.amount, 'TRANSFERRED', receivedAmount])
  assert.deepEqual(after.payments, payments)
})

test('two partial payments complete a donation, and each can be unassigned separately', async () => {
  const pledged = await createPledge({ amount: 90 })
  const { statement, entries } = await importBookings([
    buildBooking({ amount: '50.00', text: pledged.reference }),
    buildBooking({ amount: '40.00', text: pledged.reference })
  ])
  await change(entries[0], assignTo(pledged))
  assert.deepEqual(await readMoney(pledged), ['IN_PROCESS', 50])
  const { result, reason, match } = (await change(entries[1], assignTo(pledged))).body
  assert.deepEqual([result, reason, match.share, match.received, match.difference], ['booked', null, 40, 90, 0])
  assert.deepEqual(await readMoney(pledged), ['TRANSFERRED', 90])
  assert.equal((await change(entries[0], withoutDonation)).status, 200)
  assert.deepEqual(await readMoney(pledged), ['IN_PROCESS', 40])
  assert.equal((await change(entries[1], withoutDonation)).status, 200)
  assert.deepEqual(await readMoney(pledged), ['IN_PROCESS', 0])
  const { body } = await treasurer.get(`/bank-statements/${statement.id}`)
  assert.deepEqual([body.counts.booked, body.counts.suggested], [0, 2])
})

test('unassigning an entry restores the previous status of the donation, pending or cancelled', async () => {
  const [open, cancelled] = [await createPledge(), await createPledge()]
  await admin.delete(`/campaigns/${campaignId}/donations/${cancelled.id}`)
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(open), text: open.reference }),
    buildBooking({ amount: formatAmount(cancelled), text: cancelled.reference })
  ])
  assert.equal((await change(entries[1], assignTo(cancelled))).status, 200)
  assert.deepEqual([await readStatus(open), await readStatus(cancelled)], ['TRANSFERRED', 'TRANSFERRED'])
  const unassigned = await change(entries[0], withoutDonation)
  assert.deepEqual(
    [unassigned.body.result, unassigned.body.reason.code, unassigned.body.match],
    ['suggested', 'taken-back', null]
  )
  assert.equal(unassigned.body.suggestions[0].donationId, open.id)
  await change(entries[1], withoutDonation)
  assert.deepEqual([await readStatus(open), await readStatus(cancelled)], ['IN_PROCESS', 'CANCELLED'])
  const { body } = await admin.get(`/campaigns/${campaignId}/donations/${open.id}`)
  assert.deepEqual(
    body.history.map(({ status }: { status: string }) => status),
    ['IN_PROCESS', 'TRANSFERRED', 'IN_PROCESS']
  )
  const { body: activity } = await admin.get(`/activity?subjectId=${open.id}&action=donation.status_changed`)
  assert.deepEqual(activity[0].details.before, 'TRANSFERRED')
})

test('an entry cannot be unassigned if a receipt certifies its payment or a later entry refunds it', async () => {
  const [certified, refunded] = [await createPledge(), await createPledge()]
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(certified), text: certified.reference }),
    buildBooking({ amount: formatAmount(refunded), text: refunded.reference }),
    buildBooking({ amount: formatAmount(refunded), direction: 'out', text: 'Erstattung' })
  ])
  // The rows that fundraising/receipts writes.
  const id = '01900000-0000-7000-8000-000000000001'
  await store.run(sql`
    insert into fundraising.receipts (
      id, number, year, sequence, kind, language, issued_on, issued_at, issued_by, amount_cents, currency, donor_name, content, file, file_hash
    ) values (${id}, 'R-1', 2026, 1, 'single', 'de', '2026-03-02', now(), 'x', 1, 'EUR', 'x', '{}', '', '')`)
  await store.run(sql`
    insert into fundraising.receipt_donations (campaign_id, donation_id, receipt_id, live)
    values (${campaignId}, ${certified.id}, ${id}, true)`)
  await store.run(sql`
    update fundraising.payments set receipt_id = ${id}, certified_cents = amount_cents
    where campaign_id = ${campaignId} and donation_id = ${certified.id}`)
  const refused = await change(entries[0], withoutDonation)
  assert.deepEqual([refused.status, refused.body.code], [409, 'donation-has-receipt'])
  assert.match(refused.body.detail, /R-1/)
  assert.deepEqual(await readMoney(certified), ['TRANSFERRED', certified.amount])

  assert.equal((await change(entries[2], assignTo(refunded))).body.result, 'returned')
  const refundedLater = await change(entries[1], withoutDonation)
  assert.deepEqual([refundedLater.status, refundedLater.body.code], [409, 'later-payments'])
  assert.deepEqual(await readMoney(refunded), ['REFUNDED', 0])
  assert.equal((await change(entries[2], withoutDonation)).status, 200)
  assert.equal((await change(entries[1], withoutDonation)).status, 200)
  assert.deepEqual(await readMoney(refunded), ['IN_PROCESS', 0])
})

test('unassigning an entry also removes a manual refund of its payment, and nothing is left to undo', async () => {
  const pledged = await createPledge()
  const { entries } = await importBookings([buildBooking({ amount: formatAmount(pledged), text: pledged.reference })])
  const path = `/campaigns/${campaignId}/donations/${pledged.id}`
  assert.equal((await admin.patch(path, { status: 'REFUNDED' })).status, 200)
  assert.equal((await change(entries[0], withoutDonation)).status, 200)
  const { status, amountReceived, payments } = await readDonation(pledged)
  assert.deepEqual([status, amountReceived, payments], ['IN_PROCESS', 0, []])
  const undone = await treasurer.post(`${path}/undo`)
  assert.deepEqual([undone.status, undone.body.code], [409, 'nothing-to-undo'])
})

test('an entry can be assigned to a refunded donation, which is refunded again when the entry is unassigned', async () => {
  const [pledged, entry] = [await createPledge(), await importUnmatched()]
  for (const status of ['TRANSFERRED', 'REFUNDED'])
    await admin.patch(`/campaigns/${campaignId}/donations/${pledged.id}`, { status })
  assert.equal((await change(entry, assignTo(pledged))).status, 200)
  assert.deepEqual(await readMoney(pledged), ['IN_PROCESS', 3.33])
  await change(entry, withoutDonation)
  assert.deepEqual(await readMoney(pledged), ['REFUNDED', 0])
})

test('an outgoing entry refunds a donation in full or in part, and unassigning it restores the received amount', async () => {
  const pledged = await createPledge()
  await importBookings([buildBooking({ amount: formatAmount(pledged), text: pledged.reference })])
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(pledged), direction: 'out', text: 'Rueckgabe' }),
    buildBooking({ amount: '10.00', direction: 'out', text: 'Zu viel' })
  ])
  const unassigned = await change(entries[0], assignTo(pledged))
  assert.deepEqual(
    [unassigned.body.result, unassigned.body.match.by, unassigned.body.match.share],
    ['returned', 'manual', pledged.amount]
  )
  assert.deepEqual(await readMoney(pledged), ['REFUNDED', 0])
  await change(entries[0], withoutDonation)
  assert.deepEqual(await readMoney(pledged), ['TRANSFERRED', pledged.amount])
  assert.equal((await change(entries[1], assignTo(pledged))).body.result, 'returned')
  assert.deepEqual(await readMoney(pledged), ['TRANSFERRED', Number(formatAmount(pledged, -10))])
  const more = await change(entries[0], assignTo(pledged))
  assert.deepEqual([more.status, more.body.errors[0].code], [422, 'more-than-received'])
})

test('an entry can be ignored and reopened; a booked entry has to be unassigned first', async () => {
  const entry = await importUnmatched()
  const ignored = await change(entry, { ignored: true })
  assert.deepEqual([ignored.body.result, ignored.body.reason.code], ['ignored', 'by-hand'])
  const again = await change(entry, { ignored: false })
  assert.deepEqual([again.body.result, again.body.reason.code], ['unmatched', 'no-donation'])
  const pledged = await createPledge()
  assert.equal((await change(entry, assignTo(pledged))).body.match.by, 'manual')
  const refused = await change(entry, { ignored: true })
  assert.deepEqual([refused.status, refused.body.code], [409, 'entry-is-assigned'])
  const other = await createPledge()
  const reassigned = await change(entry, assignTo(other))
  assert.equal(reassigned.body.match.donationId, other.id)
  assert.deepEqual(
    [await readMoney(pledged), await readMoney(other)],
    [
      ['IN_PROCESS', 0],
      ['IN_PROCESS', 3.33]
    ]
  )
})

test('an invalid change of an entry is refused with a code, and changes nothing', async () => {
  const entry = await importUnmatched()
  const pledged = await createPledge()
  const bad: [object, number, string][] = [
    [{}, 400, 'invalid-input'],
    [{ donation: { campaignId: 'x', id: pledged.id } }, 400, 'invalid-input'],
    [{ donation: { campaignId, id: 'x' } }, 400, 'invalid-input'],
    [{ donation: { campaignId: campaignId + 1000, id: pledged.id } }, 422, 'donation-not-found'],
    [{ ...assignTo(pledged), ignored: true }, 422, 'ignored-and-assigned']
  ]
  for (const [body, status, code] of bad) {
    const response = await change(entry, body)
    assert.deepEqual([response.status, response.body.code], [status, code], response.text)
  }
  assert.deepEqual((await readEntries(entry.statementId))[0], entry)
  assert.equal((await change({ ...entry, id: pledged.id }, withoutDonation)).body.code, 'entry-not-found')
  assert.equal((await change({ ...entry, statementId: 0 }, withoutDonation)).body.code, 'statement-not-found')
  assert.equal((await treasurer.post(`/bank-statements/${entry.statementId}/confirm`, { entries: [] })).status, 400)
})

test('of two concurrent changes of an entry with the same If-Match, the second is 412', async () => {
  const [first, other, entry] = [await createPledge(), await createPledge(), await importUnmatched()]
  const { headers } = await treasurer.get(`/bank-statements/${entry.statementId}/entries/${entry.id}`)
  const ifMatch = { 'if-match': headers.etag ?? '' }
  const responses = await Promise.all([
    change(entry, assignTo(first), ifMatch),
    change(entry, assignTo(other), ifMatch)
  ])
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412])
  const received = [(await readDonation(first)).amountReceived, (await readDonation(other)).amountReceived]
  assert.deepEqual(received.sort(), [0, 3.33])
})

test('entries assigned to one donation concurrently are one payment each; its status changes once, and the counts are correct', async () => {
  const pledged = await createPledge({ amount: 9.99 })
  const { statement, entries } = await importBookings([
    buildBooking({ amount: '3.34', text: 'one' }),
    buildBooking({ amount: '3.35', text: 'two' }),
    buildBooking({ amount: '3.36', text: 'three' })
  ])
  const responses = await Promise.all(
    entries.map((entry: { statementId: number; id: string }) => change(entry, assignTo(pledged)))
  )
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200]
  )
  const body = await readDonation(pledged)
  assert.deepEqual([body.status, body.amountReceived, body.history.length], ['TRANSFERRED', 10.05, 2])
  assert.deepEqual(body.payments.map(({ amount }: { amount: number }) => amount).sort(), [3.34, 3.35, 3.36])
  assert.equal((await treasurer.get(`/bank-statements/${statement.id}`)).body.counts.booked, 3)
})
