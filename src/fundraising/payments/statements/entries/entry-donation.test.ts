// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'
import { countViolations } from '../queries.ts'

const bank = await startBankImports()
const { admin, aCampaign, aDonation, change, entriesOf, imported, statusOf, store, treasurer } = bank
const { id: campaignId } = await aCampaign()
const ibans = ['DE02100500000054540402', 'DE02300209000106531065', 'DE02200505501015871393', 'DE02120300000000202051']
const [ada = '', grace = '', family = '', other = ''] = ibans

interface Shown {
  statementId: number
  id: string
}

const pathOf = ({ statementId, id }: Shown) => `/bank-statements/${statementId}/entries/${id}/donation`
const donate = async (entry: Shown, body: object = {}, headers: Record<string, string> = {}) =>
  await treasurer.post(pathOf(entry), body, headers)
const donationOf = async (made: { campaignId: number; id: string }) =>
  (await treasurer.get(`/campaigns/${made.campaignId}/donations/${made.id}`)).body
async function received(): Promise<number> {
  return (await treasurer.get(`/campaigns/${campaignId}`)).body.amountTransferred
}

async function came(fields: Parameters<typeof buildBooking>[0] = {}) {
  const { entries } = await imported([buildBooking({ text: 'for the school', ...fields })])
  return entries[0]
}

async function holds(): Promise<void> {
  const faults = Object.entries(await countViolations(store)).filter(([, count]) => count > 0)
  assert.deepEqual(faults, [])
}

test('a payment without a promise becomes a donation with one request: name, account, day and amount come from the bank', async () => {
  const entry = await came({ amount: '33.10', name: 'Ada Lovelace', iban: ada, bookedOn: '2026-02-27' })
  assert.deepEqual([entry.result, entry.suggestedCampaignId, entry.openOfPayer], ['unmatched', null, 1])
  const before = await received()
  const made = await donate(entry, { campaignId })
  assert.equal(made.status, 201, made.text)
  const [one] = made.body.donations
  assert.match(made.headers.location ?? '', new RegExp(`/campaigns/${campaignId}/donations/${one.id}$`))
  assert.deepEqual(
    [made.body.entry.result, made.body.entry.match.donationId, made.body.entry.match.share],
    ['booked', one.id, 33.1]
  )
  const given = await donationOf(one)
  assert.deepEqual(
    [given.donorName, given.amount, given.amountReceived, given.receivedOn, given.status, given.account.iban],
    ['Ada Lovelace', 33.1, 33.1, '2026-02-27', 'TRANSFERRED', ada]
  )
  assert.deepEqual(
    [given.payments[0].source, given.payments[0].entryId, given.payments[0].receivedOn],
    ['bank_entry', entry.id, '2026-02-27']
  )
  assert.equal(Math.round((await received()) * 100), Math.round((before + 33.1) * 100))
  const { body: activity } = await admin.get(`/activity?subjectId=${one.id}`)
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['donation.created']
  )
  assert.equal(activity[0].details.statementId, entry.statementId)
  const again = await donate(entry, { campaignId })
  assert.deepEqual([again.status, again.body.code], [409, 'entry-is-not-open'])
  await holds()
})

test('what an earlier donation of the same account and name says is taken over, unless something else is said', async () => {
  const address = { street: 'Hauptstraße 1', postalCode: '12345', city: 'Berlin', country: 'DE' }
  await aDonation(campaignId, {
    ...donation,
    donorName: 'Grace Höpper',
    email: 'grace@example.org',
    language: 'de',
    receiptRequested: true,
    address,
    account: { iban: grace, name: 'Grace Höpper' }
  })
  const known = await came({ amount: '12.00', name: 'GRACE HÖPPER', iban: grace })
  assert.deepEqual([known.suggestedCampaignId, known.suggestedCampaignBy], [campaignId, 'earlier'])
  const made = await donate(known, { campaignId })
  const given = await donationOf(made.body.donations[0])
  assert.deepEqual(
    [given.donorName, given.email, given.language, given.receiptRequested, given.address, given.showName],
    ['Grace Höpper', 'grace@example.org', 'de', true, address, false]
  )
  const another = await came({ amount: '13.00', name: 'Somebody Else', iban: grace })
  const apart = await donationOf((await donate(another, { campaignId })).body.donations[0])
  assert.deepEqual([apart.donorName, apart.email, apart.address], ['Somebody Else', null, null])
  const said = await came({ amount: '14.00', name: 'Grace Höpper', iban: grace })
  const body = {
    campaignId,
    donorName: 'Grace H.',
    email: null,
    address: null,
    receiptRequested: false,
    language: 'en'
  }
  const own = await donationOf((await donate(said, body)).body.donations[0])
  assert.deepEqual(
    [own.donorName, own.email, own.address, own.receiptRequested, own.language],
    ['Grace H.', null, null, false, 'en']
  )
})

test('taken back, the donation is cancelled, as without the payment there would be none; it can be booked again', async () => {
  const entry = await came({ amount: '41.00' })
  const before = await received()
  const made = await donate(entry, { campaignId })
  const [one] = made.body.donations
  const back = await change(entry, { donation: null })
  assert.deepEqual([back.status, back.body.result, back.body.suggestions[0].donationId], [200, 'suggested', one.id])
  assert.equal(await statusOf(one), 'CANCELLED')
  assert.equal(await received(), before)
  assert.equal((await change(entry, { donation: { campaignId, id: one.id } })).status, 200)
  assert.equal(await statusOf(one), 'TRANSFERRED')
  const undone = await treasurer.post(`/campaigns/${campaignId}/donations/${one.id}/undo`)
  assert.deepEqual([undone.status, undone.body.status], [200, 'CANCELLED'])
  assert.equal((await entriesOf(entry.statementId))[0].result, 'suggested')

  const second = await came({ amount: '42.00' })
  const direct = (await donate(second, { campaignId })).body.donations[0]
  const undo = await treasurer.post(`/campaigns/${campaignId}/donations/${direct.id}/undo`)
  assert.deepEqual([undo.status, undo.body.status], [200, 'CANCELLED'])
  await holds()
})

test('the same key makes one donation, another treasurer with an old version none, and two at once one', async () => {
  const entry = await came({ amount: '51.00' })
  const key = { 'idempotency-key': 'entry-donation-1' }
  const first = await donate(entry, { campaignId }, key)
  const second = await donate(entry, { campaignId }, key)
  assert.deepEqual([second.status, second.headers['idempotent-replayed']], [201, 'true'])
  assert.deepEqual(second.body.donations, first.body.donations)

  const stale = await came({ amount: '52.00' })
  await change(stale, { ignored: true })
  await change(stale, { ignored: false })
  const late = await donate(stale, { campaignId }, { 'if-match': '"1"' })
  assert.deepEqual([late.status, late.body.code], [412, 'changed-meanwhile'])

  const wanted = await came({ amount: '53.00' })
  const answers = await Promise.all([donate(wanted, { campaignId }), donate(wanted, { campaignId })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  await holds()
})

test('what cannot become a donation is refused with the field and the rule, and changes nothing', async () => {
  const draft = (await aCampaign({ status: 'draft' })).id
  const deleted = (await aCampaign()).id
  await admin.delete(`/campaigns/${deleted}`)
  const nameless = await came({ amount: '61.00', name: '', iban: other })
  const outgoing = await came({ amount: '62.00', direction: 'out' })
  const booked = await aDonation(campaignId, donation)
  const done = await came({ amount: booked.amount.toFixed(2), text: booked.reference })
  const dollars = await came({ amount: '63.00', currency: 'USD' })
  const withoutIban = await came({ amount: '64.00', iban: '' })
  const refused: [Shown, object, number, string][] = [
    [nameless, {}, 422, 'campaign-missing'],
    [nameless, { campaignId }, 422, 'donor-name-missing'],
    [nameless, { campaignId: 999_999, donorName: 'A' }, 422, 'campaign-not-found'],
    [nameless, { campaignId: deleted, donorName: 'A' }, 422, 'campaign-not-found'],
    [nameless, { campaignId: draft, donorName: 'A' }, 422, 'campaign-is-draft'],
    [nameless, { campaignId, donorName: 'A', amount: 60 }, 422, 'amount-differs'],
    [nameless, { campaignId, donorName: 'A', amount: 61, allOfPayer: true }, 422, 'amount-for-one'],
    [nameless, { campaignId, donorName: '' }, 400, 'invalid-input'],
    [dollars, { campaignId }, 422, 'other-currency'],
    [withoutIban, { campaignId, allOfPayer: true }, 422, 'payer-without-iban'],
    [withoutIban, { campaignId, remember: true }, 422, 'payer-without-iban'],
    [outgoing, { campaignId }, 409, 'entry-is-outgoing'],
    [done, { campaignId }, 409, 'entry-is-not-open'],
    [{ ...done, id: '01900000-0000-7000-8000-000000000000' }, { campaignId }, 404, 'entry-not-found'],
    [{ ...done, statementId: 999_999 }, { campaignId }, 404, 'statement-not-found']
  ]
  const before = await received()
  for (const [entry, body, status, code] of refused) {
    const answer = await donate(entry, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
  }
  assert.equal(await received(), before)
  assert.equal((await entriesOf(nameless.statementId))[0].version, 1)
  const worth = await donate(dollars, { campaignId, amount: 58.2 })
  assert.deepEqual([worth.status, worth.body.donations[0].amount], [201, 58.2])
})

test('money for a campaign that has ended or is closed counts all the same', async () => {
  const ended = (await aCampaign({ status: 'closed' })).id
  const entry = await came({ amount: '71.00' })
  const made = await donate(entry, { campaignId: ended })
  assert.equal(made.status, 201, made.text)
  assert.equal((await admin.get(`/campaigns/${ended}`)).body.amountTransferred, 71)
})

test('all payments of a payer in all statements become donations together, but not those that something was found for', async () => {
  const promised = await aDonation(campaignId, { ...donation, amount: 500, account: { iban: family, name: 'Schulz' } })
  const from = { iban: family, name: 'Familie Schulz' }
  const first = await came({ amount: '81.00', ...from })
  const { entries } = await imported([
    buildBooking({ amount: '82.00', ...from }),
    buildBooking({ amount: '83.00', currency: 'CHF', ...from }),
    buildBooking({ amount: '400.00', text: promised.reference, ...from })
  ])
  assert.deepEqual(
    entries.map(({ result }: { result: string }) => result),
    ['unmatched', 'unmatched', 'suggested']
  )
  assert.equal((await entriesOf(first.statementId))[0].openOfPayer, 3)
  const made = await donate(first, { campaignId, allOfPayer: true })
  assert.deepEqual(
    made.body.donations.map(({ amount }: { amount: number }) => amount),
    [81, 82]
  )
  const after = await entriesOf(entries[0].statementId)
  assert.deepEqual(
    after.map(({ result }: { result: string }) => result),
    ['booked', 'unmatched', 'suggested']
  )
  assert.equal(await statusOf(promised), 'IN_PROCESS')
  const { body: statement } = await treasurer.get(`/bank-statements/${entries[0].statementId}`)
  assert.deepEqual([statement.counts.booked, statement.counts.unmatched], [1, 1])
  await holds()
})

test('what came besides becomes a gift of its own by the same donor, both booked by the one entry', async () => {
  const promised = await aDonation(campaignId, { ...donation, amount: 50, email: 'extra@example.org' })
  const entry = await came({ amount: '60.00', text: promised.reference })
  assert.deepEqual([entry.result, entry.reason.code], ['suggested', 'paid-more'])
  const one = { campaignId, id: promised.id }
  const booked = await change(entry, { donation: one, extra: 'donation' }, { 'if-match': '"1"' })
  assert.equal(booked.status, 200, booked.text)
  assert.deepEqual(booked.body.matches.map(({ share }: { share: number }) => share).sort(), [10, 50])
  const rest = booked.body.matches.find(({ donationId }: { donationId: string }) => donationId !== promised.id)
  const extra = await donationOf({ campaignId, id: rest.donationId })
  assert.deepEqual(
    [extra.donorName, extra.email, extra.amount, extra.amountReceived, extra.status, extra.account.iban],
    [promised.donorName, 'extra@example.org', 10, 10, 'TRANSFERRED', donation.account.iban]
  )
  const whole = await donationOf(one)
  assert.deepEqual([whole.amountReceived, whole.status], [50, 'TRANSFERRED'])
  await holds()

  await change(entry, { donation: null })
  assert.deepEqual(
    [await statusOf(promised), await statusOf({ campaignId, id: extra.id })],
    ['IN_PROCESS', 'CANCELLED']
  )
  // All of it was booked for the donation, and then somebody thinks better of it.
  await change(entry, { donation: one })
  assert.equal((await donationOf(one)).amountReceived, 60)
  const again = await change(entry, { donation: one, extra: 'donation' })
  assert.equal(again.status, 200, again.text)
  assert.equal((await donationOf(one)).amountReceived, 50)
  await holds()
})

test('paid twice, the second payment is a gift of its own; where nothing is over, that is said', async () => {
  const promised = await aDonation(campaignId, { ...donation, amount: 70 })
  const { entries } = await imported([
    buildBooking({ amount: '70.00', text: promised.reference }),
    buildBooking({ amount: '70.00', text: promised.reference })
  ])
  const one = { campaignId, id: promised.id }
  const second = await change(entries[1], { donation: one, extra: 'donation' })
  assert.equal(second.status, 200, second.text)
  assert.notEqual(second.body.match.donationId, promised.id)
  assert.equal((await donationOf(one)).amountReceived, 70)

  const more = await aDonation(campaignId, { ...donation, amount: 90 })
  const less = await came({ amount: '80.00', text: more.reference })
  const refused: [object, string][] = [
    [{ donation: { campaignId, id: more.id }, extra: 'donation' }, 'no-extra'],
    [{ extra: 'donation' }, 'donation-missing'],
    [{ remember: true }, 'remember-without-ignored'],
    [{ collectionId: 999_999 }, 'collection-not-found'],
    [{ collectionId: 1, ignored: true }, 'collection-alone']
  ]
  for (const [body, code] of refused) {
    const answer = await change(less, body)
    assert.deepEqual([answer.status, answer.body.code], [422, code], answer.text)
  }
  await holds()
})

test('what a treasurer recorded before the entry came is not counted twice', async () => {
  const promised = await aDonation(campaignId, { ...donation, amount: 30 })
  const one = { campaignId, id: promised.id }
  await treasurer.patch(`/campaigns/${campaignId}/donations/${promised.id}`, { status: 'TRANSFERRED' })
  const entry = await came({ amount: '35.00', text: promised.reference })
  const booked = await change(entry, { donation: one, extra: 'donation' })
  assert.equal(booked.status, 200, booked.text)
  assert.deepEqual(booked.body.matches.map(({ share }: { share: number }) => share).sort(), [30, 5])
  assert.equal((await donationOf(one)).amountReceived, 30)
  await holds()
})
