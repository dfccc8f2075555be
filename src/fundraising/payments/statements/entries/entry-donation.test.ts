// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'
import { countViolations } from '../queries.ts'

const bank = await startBankImports()
const { admin, aCampaign, aDonation, change, readEntries, importBookings, readStatus, store, treasurer } = bank
const { id: campaignId } = await aCampaign()
const ibans = ['DE02100500000054540402', 'DE02300209000106531065', 'DE02200505501015871393', 'DE02120300000000202051']
const [ada = '', grace = '', family = '', other = ''] = ibans

interface EntryKey {
  statementId: number
  id: string
}

const toDonationPath = ({ statementId, id }: EntryKey) => `/bank-statements/${statementId}/entries/${id}/donation`
const createDonation = async (entry: EntryKey, body: object = {}, headers: Record<string, string> = {}) =>
  await treasurer.post(toDonationPath(entry), body, headers)
const readDonation = async (created: { campaignId: number; id: string }) =>
  (await treasurer.get(`/campaigns/${created.campaignId}/donations/${created.id}`)).body
async function readReceived(): Promise<number> {
  return (await treasurer.get(`/campaigns/${campaignId}`)).body.amountTransferred
}

async function importEntry(fields: Parameters<typeof buildBooking>[0] = {}) {
  const { entries } = await importBookings([buildBooking({ text: 'for the school', ...fields })])
  return entries[0]
}

async function assertConsistent(): Promise<void> {
  const faults = Object.entries(await countViolations(store)).filter(([, count]) => count > 0)
  assert.deepEqual(faults, [])
}

test('an unmatched entry becomes a donation with one request, with name, account, date and amount of the entry', async () => {
  const entry = await importEntry({ amount: '33.10', name: 'Ada Lovelace', iban: ada, bookedOn: '2026-02-27' })
  assert.deepEqual([entry.result, entry.suggestedCampaignId, entry.openOfPayer], ['unmatched', null, 1])
  const before = await readReceived()
  const created = await createDonation(entry, { campaignId })
  assert.equal(created.status, 201, created.text)
  const [one] = created.body.donations
  assert.match(created.headers.location ?? '', new RegExp(`/campaigns/${campaignId}/donations/${one.id}$`))
  assert.deepEqual(
    [created.body.entry.result, created.body.entry.match.donationId, created.body.entry.match.share],
    ['booked', one.id, 33.1]
  )
  const donated = await readDonation(one)
  assert.deepEqual(
    [
      donated.donorName,
      donated.amount,
      donated.amountReceived,
      donated.receivedOn,
      donated.status,
      donated.account.iban
    ],
    ['Ada Lovelace', 33.1, 33.1, '2026-02-27', 'TRANSFERRED', ada]
  )
  assert.deepEqual(
    [donated.payments[0].source, donated.payments[0].entryId, donated.payments[0].receivedOn],
    ['bank_entry', entry.id, '2026-02-27']
  )
  assert.equal(Math.round((await readReceived()) * 100), Math.round((before + 33.1) * 100))
  const { body: activity } = await admin.get(`/activity?subjectId=${one.id}`)
  assert.deepEqual(
    activity.map(({ action }: { action: string }) => action),
    ['donation.created']
  )
  assert.equal(activity[0].details.statementId, entry.statementId)
  const again = await createDonation(entry, { campaignId })
  assert.deepEqual([again.status, again.body.code], [409, 'entry-is-not-open'])
  await assertConsistent()
})

test('the donor data of an earlier donation with the same account and name is copied unless the request has other data', async () => {
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
  const known = await importEntry({ amount: '12.00', name: 'GRACE HÖPPER', iban: grace })
  assert.deepEqual([known.suggestedCampaignId, known.suggestedCampaignBy], [campaignId, 'earlier'])
  const created = await createDonation(known, { campaignId })
  const donated = await readDonation(created.body.donations[0])
  assert.deepEqual(
    [donated.donorName, donated.email, donated.language, donated.receiptRequested, donated.address, donated.showName],
    ['Grace Höpper', 'grace@example.org', 'de', true, address, false]
  )
  const another = await importEntry({ amount: '13.00', name: 'Somebody Else', iban: grace })
  const withoutEarlierData = await readDonation((await createDonation(another, { campaignId })).body.donations[0])
  assert.deepEqual(
    [withoutEarlierData.donorName, withoutEarlierData.email, withoutEarlierData.address],
    ['Somebody Else', null, null]
  )
  const knownPayer = await importEntry({ amount: '14.00', name: 'Grace Höpper', iban: grace })
  const body = {
    campaignId,
    donorName: 'Grace H.',
    email: null,
    address: null,
    receiptRequested: false,
    language: 'en'
  }
  const withOtherData = await readDonation((await createDonation(knownPayer, body)).body.donations[0])
  assert.deepEqual(
    [
      withOtherData.donorName,
      withOtherData.email,
      withOtherData.address,
      withOtherData.receiptRequested,
      withOtherData.language
    ],
    ['Grace H.', null, null, false, 'en']
  )
})

test('unassigning the entry cancels the donation that was created from it, and it can be booked again', async () => {
  const entry = await importEntry({ amount: '41.00' })
  const before = await readReceived()
  const created = await createDonation(entry, { campaignId })
  const [one] = created.body.donations
  const unassigned = await change(entry, { donation: null })
  assert.deepEqual(
    [unassigned.status, unassigned.body.result, unassigned.body.suggestions[0].donationId],
    [200, 'suggested', one.id]
  )
  assert.equal(await readStatus(one), 'CANCELLED')
  assert.equal(await readReceived(), before)
  assert.equal((await change(entry, { donation: { campaignId, id: one.id } })).status, 200)
  assert.equal(await readStatus(one), 'TRANSFERRED')
  const undone = await treasurer.post(`/campaigns/${campaignId}/donations/${one.id}/undo`)
  assert.deepEqual([undone.status, undone.body.status], [200, 'CANCELLED'])
  assert.equal((await readEntries(entry.statementId))[0].result, 'suggested')

  const second = await importEntry({ amount: '42.00' })
  const direct = (await createDonation(second, { campaignId })).body.donations[0]
  const undo = await treasurer.post(`/campaigns/${campaignId}/donations/${direct.id}/undo`)
  assert.deepEqual([undo.status, undo.body.status], [200, 'CANCELLED'])
  await assertConsistent()
})

test('one Idempotency-Key creates one donation, a stale If-Match none, and concurrent requests one', async () => {
  const entry = await importEntry({ amount: '51.00' })
  const key = { 'idempotency-key': 'entry-donation-1' }
  const first = await createDonation(entry, { campaignId }, key)
  const second = await createDonation(entry, { campaignId }, key)
  assert.deepEqual([second.status, second.headers['idempotent-replayed']], [201, 'true'])
  assert.deepEqual(second.body.donations, first.body.donations)

  const stale = await importEntry({ amount: '52.00' })
  await change(stale, { ignored: true })
  await change(stale, { ignored: false })
  const staleRequest = await createDonation(stale, { campaignId }, { 'if-match': '"1"' })
  assert.deepEqual([staleRequest.status, staleRequest.body.code], [412, 'changed-meanwhile'])

  const requestedTwice = await importEntry({ amount: '53.00' })
  const responses = await Promise.all([
    createDonation(requestedTwice, { campaignId }),
    createDonation(requestedTwice, { campaignId })
  ])
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409])
  await assertConsistent()
})

test('an entry that cannot become a donation is refused with a code, and changes nothing', async () => {
  const draft = (await aCampaign({ status: 'draft' })).id
  const deleted = (await aCampaign()).id
  await admin.delete(`/campaigns/${deleted}`)
  const withoutName = await importEntry({ amount: '61.00', name: '', iban: other })
  const outgoing = await importEntry({ amount: '62.00', direction: 'out' })
  const booked = await aDonation(campaignId, donation)
  const bookedEntry = await importEntry({ amount: booked.amount.toFixed(2), text: booked.reference })
  const dollars = await importEntry({ amount: '63.00', currency: 'USD' })
  const withoutIban = await importEntry({ amount: '64.00', iban: '' })
  const refused: [EntryKey, object, number, string][] = [
    [withoutName, {}, 422, 'campaign-missing'],
    [withoutName, { campaignId }, 422, 'donor-name-missing'],
    [withoutName, { campaignId: 999_999, donorName: 'A' }, 422, 'campaign-not-found'],
    [withoutName, { campaignId: deleted, donorName: 'A' }, 422, 'campaign-not-found'],
    [withoutName, { campaignId: draft, donorName: 'A' }, 422, 'campaign-is-draft'],
    [withoutName, { campaignId, donorName: 'A', amount: 60 }, 422, 'amount-differs'],
    [withoutName, { campaignId, donorName: 'A', amount: 61, allOfPayer: true }, 422, 'amount-for-one'],
    [withoutName, { campaignId, donorName: '' }, 400, 'invalid-input'],
    [dollars, { campaignId }, 422, 'other-currency'],
    [withoutIban, { campaignId, allOfPayer: true }, 422, 'payer-without-iban'],
    [withoutIban, { campaignId, remember: true }, 422, 'payer-without-iban'],
    [outgoing, { campaignId }, 409, 'entry-is-outgoing'],
    [bookedEntry, { campaignId }, 409, 'entry-is-not-open'],
    [{ ...bookedEntry, id: '01900000-0000-7000-8000-000000000000' }, { campaignId }, 404, 'entry-not-found'],
    [{ ...bookedEntry, statementId: 999_999 }, { campaignId }, 404, 'statement-not-found']
  ]
  const before = await readReceived()
  for (const [entry, body, status, code] of refused) {
    const response = await createDonation(entry, body)
    assert.deepEqual([response.status, response.body.code], [status, code], response.text)
  }
  assert.equal(await readReceived(), before)
  assert.equal((await readEntries(withoutName.statementId))[0].version, 1)
  const converted = await createDonation(dollars, { campaignId, amount: 58.2 })
  assert.deepEqual([converted.status, converted.body.donations[0].amount], [201, 58.2])
})

test('an entry can become a donation to a closed campaign', async () => {
  const ended = (await aCampaign({ status: 'closed' })).id
  const entry = await importEntry({ amount: '71.00' })
  const created = await createDonation(entry, { campaignId: ended })
  assert.equal(created.status, 201, created.text)
  assert.equal((await admin.get(`/campaigns/${ended}`)).body.amountTransferred, 71)
})

test('all unmatched entries of a payer become donations in one request, except entries with a suggestion or in another currency', async () => {
  const pledged = await aDonation(campaignId, { ...donation, amount: 500, account: { iban: family, name: 'Schulz' } })
  const from = { iban: family, name: 'Familie Schulz' }
  const first = await importEntry({ amount: '81.00', ...from })
  const { entries } = await importBookings([
    buildBooking({ amount: '82.00', ...from }),
    buildBooking({ amount: '83.00', currency: 'CHF', ...from }),
    buildBooking({ amount: '400.00', text: pledged.reference, ...from })
  ])
  assert.deepEqual(
    entries.map(({ result }: { result: string }) => result),
    ['unmatched', 'unmatched', 'suggested']
  )
  assert.equal((await readEntries(first.statementId))[0].openOfPayer, 3)
  const created = await createDonation(first, { campaignId, allOfPayer: true })
  assert.deepEqual(
    created.body.donations.map(({ amount }: { amount: number }) => amount),
    [81, 82]
  )
  const after = await readEntries(entries[0].statementId)
  assert.deepEqual(
    after.map(({ result }: { result: string }) => result),
    ['booked', 'unmatched', 'suggested']
  )
  assert.equal(await readStatus(pledged), 'IN_PROCESS')
  const { body: statement } = await treasurer.get(`/bank-statements/${entries[0].statementId}`)
  assert.deepEqual([statement.counts.booked, statement.counts.unmatched], [1, 1])
  await assertConsistent()
})

test('an overpayment becomes a second donation of the same donor, booked by the same entry', async () => {
  const pledged = await aDonation(campaignId, { ...donation, amount: 50, email: 'extra@example.org' })
  const entry = await importEntry({ amount: '60.00', text: pledged.reference })
  assert.deepEqual([entry.result, entry.reason.code], ['suggested', 'paid-more'])
  const one = { campaignId, id: pledged.id }
  const booked = await change(entry, { donation: one, extra: 'donation' }, { 'if-match': '"1"' })
  assert.equal(booked.status, 200, booked.text)
  assert.deepEqual(booked.body.matches.map(({ share }: { share: number }) => share).sort(), [10, 50])
  const rest = booked.body.matches.find(({ donationId }: { donationId: string }) => donationId !== pledged.id)
  const extra = await readDonation({ campaignId, id: rest.donationId })
  assert.deepEqual(
    [extra.donorName, extra.email, extra.amount, extra.amountReceived, extra.status, extra.account.iban],
    [pledged.donorName, 'extra@example.org', 10, 10, 'TRANSFERRED', donation.account.iban]
  )
  const paid = await readDonation(one)
  assert.deepEqual([paid.amountReceived, paid.status], [50, 'TRANSFERRED'])
  await assertConsistent()

  await change(entry, { donation: null })
  assert.deepEqual(
    [await readStatus(pledged), await readStatus({ campaignId, id: extra.id })],
    ['IN_PROCESS', 'CANCELLED']
  )
  // The whole amount is booked for the donation first, and split afterwards.
  await change(entry, { donation: one })
  assert.equal((await readDonation(one)).amountReceived, 60)
  const again = await change(entry, { donation: one, extra: 'donation' })
  assert.equal(again.status, 200, again.text)
  assert.equal((await readDonation(one)).amountReceived, 50)
  await assertConsistent()
})

test('the second payment of a donation becomes a donation of its own; without an overpayment the request is refused', async () => {
  const pledged = await aDonation(campaignId, { ...donation, amount: 70 })
  const { entries } = await importBookings([
    buildBooking({ amount: '70.00', text: pledged.reference }),
    buildBooking({ amount: '70.00', text: pledged.reference })
  ])
  const one = { campaignId, id: pledged.id }
  const second = await change(entries[1], { donation: one, extra: 'donation' })
  assert.equal(second.status, 200, second.text)
  assert.notEqual(second.body.match.donationId, pledged.id)
  assert.equal((await readDonation(one)).amountReceived, 70)

  const more = await aDonation(campaignId, { ...donation, amount: 90 })
  const less = await importEntry({ amount: '80.00', text: more.reference })
  const refused: [object, string][] = [
    [{ donation: { campaignId, id: more.id }, extra: 'donation' }, 'no-extra'],
    [{ extra: 'donation' }, 'donation-missing'],
    [{ remember: true }, 'remember-without-ignored'],
    [{ collectionId: 999_999 }, 'collection-not-found'],
    [{ collectionId: 1, ignored: true }, 'collection-alone']
  ]
  for (const [body, code] of refused) {
    const response = await change(less, body)
    assert.deepEqual([response.status, response.body.code], [422, code], response.text)
  }
  await assertConsistent()
})

test('a payment that a treasurer recorded before the entry was imported is not counted twice', async () => {
  const pledged = await aDonation(campaignId, { ...donation, amount: 30 })
  const one = { campaignId, id: pledged.id }
  await treasurer.patch(`/campaigns/${campaignId}/donations/${pledged.id}`, { status: 'TRANSFERRED' })
  const entry = await importEntry({ amount: '35.00', text: pledged.reference })
  const booked = await change(entry, { donation: one, extra: 'donation' })
  assert.equal(booked.status, 200, booked.text)
  assert.deepEqual(booked.body.matches.map(({ share }: { share: number }) => share).sort(), [30, 5])
  assert.equal((await readDonation(one)).amountReceived, 30)
  await assertConsistent()
})
