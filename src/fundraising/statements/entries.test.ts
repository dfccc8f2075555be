import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/sql.ts'
import { paid, startBank } from '#test/bank.ts'
import { donation } from '#test/support.ts'

const { admin, aCampaign, aDonation, change, entriesOf, imported, statusOf, store, treasurer } = await startBank()
const { id: campaignId } = await aCampaign()
let cents = 20_000
async function promised(fields: object = {}) {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100, ...fields })
}
const amountOf = ({ amount }: { amount: number }, more = 0) => (amount + more).toFixed(2)
const one = ({ id }: { id: string }) => ({ donation: { campaignId, id } })
const taken = { donation: null }
async function unmatched() {
  const { entries } = await imported([paid({ amount: '3.33', text: 'no reference' })])
  return entries[0]
}

test('a suggestion is confirmed by assigning it, and several at once each by itself', async () => {
  const [less, more, exact] = [await promised(), await promised(), await promised()]
  const { statement, entries } = await imported([
    paid({ amount: amountOf(less, -5), text: less.reference }),
    paid({ amount: amountOf(more, 5), text: more.reference }),
    paid({ amount: '4.44', text: 'nothing' }),
    paid({ amount: amountOf(exact), text: exact.reference })
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
  assert.deepEqual([await statusOf(less), await statusOf(more)], ['TRANSFERRED', 'TRANSFERRED'])
  const { body } = await treasurer.get(`/bank-statements/${statement.id}`)
  assert.deepEqual([body.counts.booked, body.counts.suggested, body.counts.unmatched], [3, 0, 1])
})

test('a difference is written down at the donation, which keeps its amount', async () => {
  const given = await promised()
  const { entries } = await imported([paid({ amount: amountOf(given, -5), text: given.reference })])
  await change(entries[0], one(given))
  const { body } = await treasurer.get(`/campaigns/${campaignId}/donations/${given.id}`)
  assert.deepEqual([body.amount, body.status], [given.amount, 'TRANSFERRED'])
  assert.match(
    body.notes[0].text,
    /^\d+\.\d\d EUR came, \d+\.\d\d EUR had been promised\. \(Bank statement \d+, entry 1, booked on /
  )
})

test('two payments in part are both assigned; the first books, and the sum of both is shown', async () => {
  const given = await promised({ amount: 90 })
  const { statement, entries } = await imported([
    paid({ amount: '50.00', text: given.reference }),
    paid({ amount: '40.00', text: given.reference })
  ])
  await change(entries[0], one(given))
  const second = await change(entries[1], one(given))
  assert.deepEqual([second.body.result, second.body.reason.code], ['booked', 'already-received'])
  assert.equal(second.body.match.received, 90)
  // The first is taken back: the second books from now on, and the donation stays as it is.
  assert.equal((await change(entries[0], taken)).status, 200)
  assert.equal(await statusOf(given), 'TRANSFERRED')
  assert.equal((await change(entries[1], taken)).status, 200)
  assert.equal(await statusOf(given), 'IN_PROCESS')
  const { body } = await treasurer.get(`/bank-statements/${statement.id}`)
  assert.deepEqual([body.counts.booked, body.counts.suggested], [0, 2])
})

test('C6 taken back, a donation is what it was before: in process, or cancelled where its money came all the same', async () => {
  const [open, cancelled] = [await promised(), await promised()]
  await admin.delete(`/campaigns/${campaignId}/donations/${cancelled.id}`)
  const { entries } = await imported([
    paid({ amount: amountOf(open), text: open.reference }),
    paid({ amount: amountOf(cancelled), text: cancelled.reference })
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

test('nothing is taken back that a receipt certifies, nor what has moved on', async () => {
  const [certified, refunded] = [await promised(), await promised()]
  const { entries } = await imported([
    paid({ amount: amountOf(certified), text: certified.reference }),
    paid({ amount: amountOf(refunded), text: refunded.reference })
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
  const refused = await change(entries[0], taken)
  assert.deepEqual([refused.status, refused.body.code], [409, 'donation-has-receipt'])
  assert.match(refused.body.detail, /R-1/)
  assert.equal(await statusOf(certified), 'TRANSFERRED')

  await admin.patch(`/campaigns/${campaignId}/donations/${refunded.id}`, { status: 'REFUNDED' })
  const late = await change(entries[1], taken)
  assert.deepEqual([late.status, late.body.code], [409, 'donation-has-moved-on'])
  const other = await unmatched()
  assert.equal((await change(other, one(refunded))).body.code, 'donation-has-moved-on')
})

test('money that went back makes a donation fail by hand too, and it is there again when that is taken back', async () => {
  const given = await promised()
  await imported([paid({ amount: amountOf(given), text: given.reference })])
  const { entries } = await imported([paid({ amount: amountOf(given), direction: 'out', text: 'Rueckgabe' })])
  const failed = await change(entries[0], one(given))
  assert.deepEqual([failed.body.result, failed.body.match.by, await statusOf(given)], ['returned', 'manual', 'FAILED'])
  await change(entries[0], taken)
  assert.equal(await statusOf(given), 'TRANSFERRED')
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
  assert.deepEqual(
    [moved.body.match.donationId, await statusOf(given), await statusOf(other)],
    [other.id, 'IN_PROCESS', 'TRANSFERRED']
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

test('B8 of two treasurers who decide on the same entry, the second hears that it has changed', async () => {
  const [one1, other, entry] = [await promised(), await promised(), await unmatched()]
  const { headers } = await treasurer.get(`/bank-statements/${entry.statementId}/entries/${entry.id}`)
  const tag = { 'if-match': headers.etag ?? '' }
  const answers = await Promise.all([change(entry, one(one1), tag), change(entry, one(other), tag)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  const statuses = [await statusOf(one1), await statusOf(other)]
  assert.deepEqual(statuses.sort(), ['IN_PROCESS', 'TRANSFERRED'])
})

test('two entries that are assigned to one donation at the same moment book it once, and counts stay right', async () => {
  const given = await promised({ amount: 9.99 })
  const { statement, entries } = await imported([
    paid({ amount: '3.34', text: 'one' }),
    paid({ amount: '3.35', text: 'two' }),
    paid({ amount: '3.36', text: 'three' })
  ])
  const answers = await Promise.all(
    entries.map((entry: { statementId: number; id: string }) => change(entry, one(given)))
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200]
  )
  assert.equal(answers.filter(({ body }) => body.reason === null).length, 1)
  const { body } = await admin.get(`/campaigns/${campaignId}/donations/${given.id}`)
  assert.equal(body.history.length, 2)
  assert.equal((await treasurer.get(`/bank-statements/${statement.id}`)).body.counts.booked, 3)
})
