// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, change, entriesOf, imported, statusOf, store, treasurer } =
  await startBankImports()
const { id: campaignId } = await aCampaign()
let cents = 20_000
async function promised(fields: object = {}) {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100, ...fields })
}
const amountOf = ({ amount }: { amount: number }, more = 0) => (amount + more).toFixed(2)
const one = ({ id }: { id: string }) => ({ donation: { campaignId, id } })
const taken = { donation: null }
async function readDonation({ id }: { id: string }) {
  return (await admin.get(`/campaigns/${campaignId}/donations/${id}`)).body
}
/** What became of a donation, and of its money. */
async function moneyOf(given: { id: string }) {
  const { status, amountReceived } = await readDonation(given)
  return [status, amountReceived]
}
async function unmatched() {
  const { entries } = await imported([buildBooking({ amount: '3.33', text: 'no reference' })])
  return entries[0]
}

test('a suggestion is confirmed by assigning it, and several at once each by itself', async () => {
  const [less, more, exact] = [await promised(), await promised(), await promised()]
  const { statement, entries } = await imported([
    buildBooking({ amount: amountOf(less, -5), text: less.reference }),
    buildBooking({ amount: amountOf(more, 5), text: more.reference }),
    buildBooking({ amount: '4.44', text: 'nothing' }),
    buildBooking({ amount: amountOf(exact), text: exact.reference })
  ])
  const answer = await change(entries[0], one(less))
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    [answer.body.result, answer.body.match.difference, answer.body.match.by],
    ['booked', -5, 'reference']
  )
  assert.match(answer.headers.etag ?? '', /^"2-/)
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
  assert.deepEqual(await moneyOf(less), ['IN_PROCESS', Number(amountOf(less, -5))])
  assert.deepEqual(await moneyOf(more), ['TRANSFERRED', Number(amountOf(more, 5))])
  const accepted = { entries: [{ id: entries[0].id, accept: true }] }
  assert.equal((await treasurer.post(`/bank-statements/${statement.id}/confirm`, accepted)).body.booked, 1)
  assert.deepEqual(await moneyOf(less), ['TRANSFERRED', Number(amountOf(less, -5))])
  const { body } = await treasurer.get(`/bank-statements/${statement.id}`)
  assert.deepEqual([body.counts.booked, body.counts.suggested, body.counts.unmatched], [3, 0, 1])
})

test('less than was promised waits for the rest until somebody accepts the sum; the donation keeps its amount', async () => {
  const given = await promised()
  const { entries } = await imported([
    buildBooking({ amount: amountOf(given, -5), text: given.reference, bookedOn: '2026-02-27' })
  ])
  await change(entries[0], one(given))
  const { amount, status, amountReceived, receivedOn, payments, notes, nextStatuses } = await readDonation(given)
  const came = Number(amountOf(given, -5))
  assert.deepEqual([amount, status, amountReceived, receivedOn], [given.amount, 'IN_PROCESS', came, '2026-02-27'])
  assert.deepEqual([notes, nextStatuses], [[], ['TRANSFERRED']])
  const { source, statementId, entryId } = payments[0]
  assert.deepEqual(
    [payments.length, payments[0].amount, source, statementId, entryId],
    [1, came, 'bank_entry', entries[0].statementId, entries[0].id]
  )
  const accepted = await change(entries[0], { ...one(given), accept: true })
  assert.deepEqual(
    [accepted.status, accepted.body.match.status, accepted.body.match.difference],
    [200, 'TRANSFERRED', -5]
  )
  const after = await readDonation(given)
  assert.deepEqual([after.amount, after.status, after.amountReceived], [given.amount, 'TRANSFERRED', came])
  assert.deepEqual(after.payments, payments)
})

test('two payments in part are both received; the rest makes the donation whole, and each is taken back by itself', async () => {
  const given = await promised({ amount: 90 })
  const { statement, entries } = await imported([
    buildBooking({ amount: '50.00', text: given.reference }),
    buildBooking({ amount: '40.00', text: given.reference })
  ])
  await change(entries[0], one(given))
  assert.deepEqual(await moneyOf(given), ['IN_PROCESS', 50])
  const { result, reason, match } = (await change(entries[1], one(given))).body
  assert.deepEqual([result, reason, match.share, match.received, match.difference], ['booked', null, 40, 90, 0])
  assert.deepEqual(await moneyOf(given), ['TRANSFERRED', 90])
  assert.equal((await change(entries[0], taken)).status, 200)
  assert.deepEqual(await moneyOf(given), ['IN_PROCESS', 40])
  assert.equal((await change(entries[1], taken)).status, 200)
  assert.deepEqual(await moneyOf(given), ['IN_PROCESS', 0])
  const { body } = await treasurer.get(`/bank-statements/${statement.id}`)
  assert.deepEqual([body.counts.booked, body.counts.suggested], [0, 2])
})

test('taken back, a donation is what it was before: in process, or cancelled where its money came all the same', async () => {
  const [open, cancelled] = [await promised(), await promised()]
  await admin.delete(`/campaigns/${campaignId}/donations/${cancelled.id}`)
  const { entries } = await imported([
    buildBooking({ amount: amountOf(open), text: open.reference }),
    buildBooking({ amount: amountOf(cancelled), text: cancelled.reference })
  ])
  assert.equal((await change(entries[1], one(cancelled))).status, 200)
  assert.deepEqual([await statusOf(open), await statusOf(cancelled)], ['TRANSFERRED', 'TRANSFERRED'])
  const back = await change(entries[0], taken)
  assert.deepEqual([back.body.result, back.body.reason.code, back.body.match], ['suggested', 'taken-back', null])
  assert.equal(back.body.suggestions[0].donationId, open.id)
  await change(entries[1], taken)
  assert.deepEqual([await statusOf(open), await statusOf(cancelled)], ['IN_PROCESS', 'CANCELLED'])
  const { body } = await admin.get(`/campaigns/${campaignId}/donations/${open.id}`)
  assert.deepEqual(
    body.history.map(({ status }: { status: string }) => status),
    ['IN_PROCESS', 'TRANSFERRED', 'IN_PROCESS']
  )
  const { body: activity } = await admin.get(`/activity?subjectId=${open.id}&action=donation.status_changed`)
  assert.deepEqual(activity[0].details.before, 'TRANSFERRED')
})

test('nothing is taken back that a receipt certifies, nor what an entry has sent back since', async () => {
  const [certified, refunded] = [await promised(), await promised()]
  const { entries } = await imported([
    buildBooking({ amount: amountOf(certified), text: certified.reference }),
    buildBooking({ amount: amountOf(refunded), text: refunded.reference }),
    buildBooking({ amount: amountOf(refunded), direction: 'out', text: 'Erstattung' })
  ])
  // As fundraising/receipts writes it.
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
  const refused = await change(entries[0], taken)
  assert.deepEqual([refused.status, refused.body.code], [409, 'donation-has-receipt'])
  assert.match(refused.body.detail, /R-1/)
  assert.deepEqual(await moneyOf(certified), ['TRANSFERRED', certified.amount])

  assert.equal((await change(entries[2], one(refunded))).body.result, 'returned')
  const late = await change(entries[1], taken)
  assert.deepEqual([late.status, late.body.code], [409, 'later-payments'])
  assert.deepEqual(await moneyOf(refunded), ['REFUNDED', 0])
  assert.equal((await change(entries[2], taken)).status, 200)
  assert.equal((await change(entries[1], taken)).status, 200)
  assert.deepEqual(await moneyOf(refunded), ['IN_PROCESS', 0])
})

test('what was refunded by hand goes with the entry that it refunded, and nothing is left to undo', async () => {
  const given = await promised()
  const { entries } = await imported([buildBooking({ amount: amountOf(given), text: given.reference })])
  const path = `/campaigns/${campaignId}/donations/${given.id}`
  assert.equal((await admin.patch(path, { status: 'REFUNDED' })).status, 200)
  assert.equal((await change(entries[0], taken)).status, 200)
  const { status, amountReceived, payments } = await readDonation(given)
  assert.deepEqual([status, amountReceived, payments], ['IN_PROCESS', 0, []])
  const undone = await treasurer.post(`${path}/undo`)
  assert.deepEqual([undone.status, undone.body.code], [409, 'nothing-to-undo'])
})

test('money for a donation that was refunded is received, and it is refunded again when that is taken back', async () => {
  const [given, entry] = [await promised(), await unmatched()]
  for (const status of ['TRANSFERRED', 'REFUNDED'])
    await admin.patch(`/campaigns/${campaignId}/donations/${given.id}`, { status })
  assert.equal((await change(entry, one(given))).status, 200)
  assert.deepEqual(await moneyOf(given), ['IN_PROCESS', 3.33])
  await change(entry, taken)
  assert.deepEqual(await moneyOf(given), ['REFUNDED', 0])
})

test('money that we sent back makes a donation refunded, a part of it leaves the rest, and taken back it is there again', async () => {
  const given = await promised()
  await imported([buildBooking({ amount: amountOf(given), text: given.reference })])
  const { entries } = await imported([
    buildBooking({ amount: amountOf(given), direction: 'out', text: 'Rueckgabe' }),
    buildBooking({ amount: '10.00', direction: 'out', text: 'Zu viel' })
  ])
  const back = await change(entries[0], one(given))
  assert.deepEqual([back.body.result, back.body.match.by, back.body.match.share], ['returned', 'manual', given.amount])
  assert.deepEqual(await moneyOf(given), ['REFUNDED', 0])
  await change(entries[0], taken)
  assert.deepEqual(await moneyOf(given), ['TRANSFERRED', given.amount])
  assert.equal((await change(entries[1], one(given))).body.result, 'returned')
  assert.deepEqual(await moneyOf(given), ['TRANSFERRED', Number(amountOf(given, -10))])
  const more = await change(entries[0], one(given))
  assert.deepEqual([more.status, more.body.errors[0].code], [422, 'more-than-received'])
})

test('an entry is put aside and taken up again; one that is booked has to be taken back first', async () => {
  const entry = await unmatched()
  const aside = await change(entry, { ignored: true })
  assert.deepEqual([aside.body.result, aside.body.reason.code], ['ignored', 'by-hand'])
  const again = await change(entry, { ignored: false })
  assert.deepEqual([again.body.result, again.body.reason.code], ['unmatched', 'no-donation'])
  const given = await promised()
  assert.equal((await change(entry, one(given))).body.match.by, 'manual')
  const refused = await change(entry, { ignored: true })
  assert.deepEqual([refused.status, refused.body.code], [409, 'entry-is-assigned'])
  const other = await promised()
  const moved = await change(entry, one(other))
  assert.equal(moved.body.match.donationId, other.id)
  assert.deepEqual(
    [await moneyOf(given), await moneyOf(other)],
    [
      ['IN_PROCESS', 0],
      ['IN_PROCESS', 3.33]
    ]
  )
})

test('what cannot be right is refused with the field and the rule, and changes nothing', async () => {
  const entry = await unmatched()
  const given = await promised()
  const bad: [object, number, string][] = [
    [{}, 400, 'invalid-input'],
    [{ donation: { campaignId: 'x', id: given.id } }, 400, 'invalid-input'],
    [{ donation: { campaignId, id: 'x' } }, 400, 'invalid-input'],
    [{ donation: { campaignId: campaignId + 1000, id: given.id } }, 422, 'donation-not-found'],
    [{ ...one(given), ignored: true }, 422, 'ignored-and-assigned']
  ]
  for (const [body, status, code] of bad) {
    const answer = await change(entry, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
  }
  assert.deepEqual((await entriesOf(entry.statementId))[0], entry)
  assert.equal((await change({ ...entry, id: given.id }, taken)).body.code, 'entry-not-found')
  assert.equal((await change({ ...entry, statementId: 0 }, taken)).body.code, 'statement-not-found')
  assert.equal((await treasurer.post(`/bank-statements/${entry.statementId}/confirm`, { entries: [] })).status, 400)
})

test('of two treasurers who decide on the same entry, the second hears that it has changed', async () => {
  const [one1, other, entry] = [await promised(), await promised(), await unmatched()]
  const { headers } = await treasurer.get(`/bank-statements/${entry.statementId}/entries/${entry.id}`)
  const tag = { 'if-match': headers.etag ?? '' }
  const answers = await Promise.all([change(entry, one(one1), tag), change(entry, one(other), tag)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  const received = [(await readDonation(one1)).amountReceived, (await readDonation(other)).amountReceived]
  assert.deepEqual(received.sort(), [0, 3.33])
})

test('entries that are assigned to one donation at the same moment are a payment each; it moves once, and counts stay right', async () => {
  const given = await promised({ amount: 9.99 })
  const { statement, entries } = await imported([
    buildBooking({ amount: '3.34', text: 'one' }),
    buildBooking({ amount: '3.35', text: 'two' }),
    buildBooking({ amount: '3.36', text: 'three' })
  ])
  const answers = await Promise.all(
    entries.map((entry: { statementId: number; id: string }) => change(entry, one(given)))
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200]
  )
  const body = await readDonation(given)
  assert.deepEqual([body.status, body.amountReceived, body.history.length], ['TRANSFERRED', 10.05, 2])
  assert.deepEqual(body.payments.map(({ amount }: { amount: number }) => amount).sort(), [3.34, 3.35, 3.36])
  assert.equal((await treasurer.get(`/bank-statements/${statement.id}`)).body.counts.booked, 3)
})
