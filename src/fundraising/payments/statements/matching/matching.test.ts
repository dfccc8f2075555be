import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, entriesOf, imported, statusOf, treasurer, upload } = await startBankImports()
const campaign = await aCampaign()
const { id: campaignId } = campaign
/** No two have the same amount, so that only those are found that are looked for. */
let cents = 10_000
async function promised(fields: object = {}, of = campaignId) {
  cents += 1
  return await aDonation(of, { ...donation, amount: cents / 100, ...fields })
}
const amountOf = ({ amount }: { amount: number }, more = 0) => (amount + more).toFixed(2)
const told = (entry: { result: string; reason: { code: string } | null }) => [entry.result, entry.reason?.code ?? null]
const plain = (reference: string) => reference.replaceAll('-', '')

test('a reference is found however it is written, and its donation is booked at once if amount and currency are right', async () => {
  const writings: ((reference: string) => { text?: string | string[]; endToEndId?: string })[] = [
    reference => ({ text: `Spende ${reference} danke` }),
    reference => ({ text: plain(reference).toLowerCase() }),
    reference => ({ text: plain(reference).split('').join(' ') }),
    reference => ({ text: `XX${plain(reference)}YY` }),
    reference => ({ text: `SVWZ+${reference}ABWA+somebody` }),
    reference => ({ text: [`Fuer das Dach ${reference.slice(0, 6)}`, reference.slice(6)] }),
    reference => ({ text: 'Lastschrift', endToEndId: reference })
  ]
  const donations = []
  for (const _ of writings) donations.push(await promised())
  const { statement, entries } = await imported(
    donations.map((one, place) => buildBooking({ amount: amountOf(one), ...writings[place]?.(one.reference) }))
  )
  assert.deepEqual(
    entries.map((entry: { match: { donationId: string; by: string; difference: number } }) => [
      entry.match?.donationId,
      entry.match?.by,
      entry.match?.difference
    ]),
    donations.map(one => [one.id, 'reference', 0])
  )
  assert.deepEqual([...new Set(entries.map((entry: { result: string }) => entry.result))], ['booked'])
  for (const one of donations) assert.equal(await statusOf(one), 'TRANSFERRED')
  assert.deepEqual([statement.counts.entries, statement.counts.booked], [donations.length, donations.length])
  const sum = donations.reduce((total, one) => total + Math.round(one.amount * 100), 0)
  assert.equal(Math.round(statement.amounts.booked * 100), sum)
})

test('a booking by a statement is as one by hand: history with the day of the bank, record, totals', async () => {
  const { id } = await aCampaign()
  const given = await promised({}, id)
  const { statement } = await imported([
    buildBooking({ amount: amountOf(given), text: given.reference, bookedOn: '2026-02-27' })
  ])
  const { body } = await admin.get(`/campaigns/${id}/donations/${given.id}`)
  assert.deepEqual(
    body.history.map((row: { status: string }) => row.status),
    ['IN_PROCESS', 'TRANSFERRED']
  )
  assert.match(body.history[1].actor, /treasurer/)
  const { body: after } = await admin.get(`/campaigns/${id}`)
  assert.deepEqual([after.amountTransferred, after.amountDonatedSoFar], [given.amount, given.amount])
  const { body: activity } = await admin.get(`/activity?subjectId=${given.id}`)
  assert.deepEqual(activity[0].details, {
    campaignId: id,
    amount: given.amount,
    amountReceived: given.amount,
    status: 'TRANSFERRED',
    before: 'IN_PROCESS'
  })
  assert.deepEqual([statement.from, statement.to], ['2026-02-27', '2026-02-27'])
})

test('another amount than was promised is suggested with the difference, and nothing is booked', async () => {
  const [less, more] = [await promised(), await promised()]
  const { entries } = await imported([
    buildBooking({ amount: amountOf(less, -5), text: less.reference }),
    buildBooking({ amount: amountOf(more, 7.5), text: more.reference })
  ])
  assert.deepEqual(entries.map(told), [
    ['suggested', 'paid-less'],
    ['suggested', 'paid-more']
  ])
  assert.deepEqual(
    entries.map((entry: { suggestions: { difference: number; donationId: string }[] }) => entry.suggestions[0]),
    [
      { ...entries[0].suggestions[0], difference: -5, donationId: less.id, by: 'reference' },
      { ...entries[1].suggestions[0], difference: 7.5, donationId: more.id, by: 'reference' }
    ]
  )
  assert.deepEqual([await statusOf(less), await statusOf(more)], ['IN_PROCESS', 'IN_PROCESS'])
})

test('who pays twice is booked once; the second payment waits with the reason, in the same file and in a later one', async () => {
  const given = await promised()
  const payment = () => buildBooking({ amount: amountOf(given), text: given.reference })
  const { entries } = await imported([payment(), payment()])
  assert.deepEqual(entries.map(told), [
    ['booked', null],
    ['suggested', 'already-received']
  ])
  const later = await imported([payment()])
  assert.deepEqual(told(later.entries[0]), ['suggested', 'already-received'])
  assert.equal(later.entries[0].suggestions[0].received, given.amount)
})

test('a donation that is over is suggested with what became of it', async () => {
  const over = []
  for (const statuses of [['CANCELLED'], ['FAILED'], ['TRANSFERRED', 'REFUNDED']]) {
    const given = await promised()
    for (const status of statuses) await admin.patch(`/campaigns/${campaignId}/donations/${given.id}`, { status })
    over.push(given)
  }
  const { entries } = await imported(over.map(one => buildBooking({ amount: amountOf(one), text: one.reference })))
  assert.deepEqual(entries.map(told), [
    ['suggested', 'was-cancelled'],
    ['suggested', 'had-failed'],
    ['suggested', 'was-refunded']
  ])
})

test('one wrong, swapped, missing or additional character is found through the check character, and is only suggested', async () => {
  const wrong = (text: string, place: number) => (text[place] === '3' ? '4' : '3')
  const mistakes: ((text: string) => string)[] = [
    text => text.slice(0, 4) + wrong(text, 4) + text.slice(5),
    text => `${text.slice(0, 6)}0${text.slice(7)}`,
    text => text.slice(0, 5) + text.slice(6),
    text => `${text.slice(0, 5)}7${text.slice(5)}`
  ]
  const donations = []
  for (const _ of mistakes) donations.push(await promised())
  // Two equal neighbours look the same when they are swapped.
  const swapped = await promised()
  const place = [...plain(swapped.reference)].findIndex((one, at, all) => at > 1 && one !== all[at - 1])
  const text = plain(swapped.reference)
  const turned = text.slice(0, place - 1) + text.charAt(place) + text.charAt(place - 1) + text.slice(place + 1)
  const { entries } = await imported([
    ...donations.map((one, at) =>
      buildBooking({ amount: amountOf(one), text: `Spende ${mistakes[at]?.(plain(one.reference)) ?? ''} fuers Dach` })
    ),
    buildBooking({ amount: amountOf(swapped), text: turned })
  ])
  assert.deepEqual(entries.map(told), Array(5).fill(['suggested', 'typo']))
  for (const [at, one] of [...donations, swapped].entries()) {
    assert.deepEqual([entries[at].suggestions[0].donationId, entries[at].suggestions[0].by], [one.id, 'typo'])
    assert.equal(await statusOf(one), 'IN_PROCESS')
  }
})

test('without a reference account and amount are suggested, or name and amount; a guess never books', async () => {
  const iban = 'DE75512108001245126199'
  const byAccount = await promised({ account: { iban, name: 'Somebody' } })
  const names: [donor: string, payer: string][] = [
    ['Käthe Müller', 'MUELLER, KAETHE'],
    ['Ada Lovelace', 'Lovelace Ada K.'],
    ['Jörg Groß', 'Dr. Jörg Gross'],
    ['Dr. Jörg Größe', 'GROESSE, JOERG'],
    ['Prof. Dr. Käthe Strauß', 'Kaethe Strauss'],
    ['Frau Ada Augusta Lovelace', 'Ada Lovelace'],
    ['Anna Größe', 'Familie Joerg u. Anna Groesse'],
    ['Dipl.-Ing. Hans-Peter Müller', 'MULLER HANS PETER']
  ]
  const byName = []
  for (const [donorName] of names) byName.push(await promised({ donorName }))
  const { entries } = await imported([
    buildBooking({ amount: amountOf(byAccount), iban, text: 'Spende' }),
    ...byName.map((one, at) => buildBooking({ amount: amountOf(one), name: names[at]?.[1] ?? '', text: 'Spende' })),
    buildBooking({ amount: amountOf(byAccount, 100), iban, text: 'Another amount' }),
    buildBooking({ amount: '4711.00', text: 'Nobody promised this' })
  ])
  assert.deepEqual(entries.map(told), [
    ['suggested', 'same-account'],
    ...names.map(() => ['suggested', 'same-name']),
    ['unmatched', 'no-donation'],
    ['unmatched', 'no-donation']
  ])
  assert.equal(entries[0].suggestions[0].donationId, byAccount.id)
  assert.deepEqual(
    byName.map((one, at) => entries[at + 1].suggestions[0].donationId === one.id),
    names.map(() => true)
  )
})

test('another name of the same amount is nobody’s: a family name alone, a title, and a part of a word do not count', async () => {
  const given = await promised({ donorName: 'Dr. Ada Lovelace' })
  const names = ['Byron Lovelace', 'Lovelace', 'Dr. Ada', 'Adam Lovelacer', 'Herr Dr.', 'Ad Lo', '%', '']
  const { entries } = await imported(names.map(name => buildBooking({ amount: amountOf(given), name, text: 'Spende' })))
  assert.deepEqual(
    entries.map(told),
    names.map(() => ['unmatched', 'no-donation'])
  )
})

test('where a bank has no place for the name, the beginning of the text is it', async () => {
  const given = await promised({ donorName: 'Grete Müßig' })
  const table = (text: string) =>
    `Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung\n02.03.2026;02.03.2026;Gutschrift;${text};${amountOf(given)};EUR\n`
  const results = []
  for (const text of ['Muessig Grete Spende', 'Spende von Grete Müßig', 'Grete']) {
    const { body } = await upload(table(text), { headers: { 'content-type': 'text/csv' } })
    results.push((await entriesOf(body.id)).map(told)[0])
  }
  assert.deepEqual(results, [
    ['suggested', 'same-name'],
    ['unmatched', 'no-donation'],
    ['unmatched', 'no-donation']
  ])
})

test('another currency than the campaign’s is never booked at once, and money on another account is booked and noted', async () => {
  const [foreign, elsewhere] = [await promised(), await promised()]
  const { entries } = await imported([buildBooking({ amount: amountOf(foreign), text: foreign.reference })], {
    currency: 'CHF'
  })
  assert.deepEqual(told(entries[0]), ['suggested', 'other-currency'])
  assert.equal(entries[0].suggestions[0].difference, null)
  const other = await imported([buildBooking({ amount: amountOf(elsewhere), text: elsewhere.reference })], {
    account: 'DE02120300000000202051'
  })
  assert.deepEqual(told(other.entries[0]), ['booked', 'other-account'])
})

test('donations to campaigns that are closed, over or deleted are booked too', async () => {
  const donations = []
  for (const state of ['closed', 'deleted']) {
    const { id } = await aCampaign()
    const given = await promised({}, id)
    if (state === 'closed') await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
    else assert.equal((await admin.delete(`/campaigns/${id}`)).status, 204)
    donations.push(given)
  }
  const { entries } = await imported(donations.map(one => buildBooking({ amount: amountOf(one), text: one.reference })))
  assert.deepEqual(entries.map(told), [
    ['booked', null],
    ['booked', null]
  ])
})

test('several references in one text: the one that fits the amount is booked, and two that fit are left to a person', async () => {
  const [one, two] = [await promised(), await promised()]
  const [first, second] = [await promised({ amount: 61 }), await promised({ amount: 61 })]
  const { entries } = await imported([
    buildBooking({ amount: amountOf(two), text: `${one.reference} und ${two.reference}` }),
    buildBooking({ amount: '61.00', text: `${first.reference}${plain(second.reference)}` })
  ])
  assert.deepEqual(entries.map(told), [
    ['booked', null],
    ['suggested', 'several-references']
  ])
  assert.equal(entries[0].match.donationId, two.id)
  assert.deepEqual(
    new Set(entries[1].suggestions.map((suggested: { donationId: string }) => suggested.donationId)),
    new Set([first.id, second.id])
  )
})

test('a returned debit makes its donation fail, with the reason of the bank in words', async () => {
  const given = await promised()
  const booked = await imported([
    buildBooking({ amount: amountOf(given), endToEndId: given.reference, text: 'Einzug' })
  ])
  const { entries } = await imported([
    buildBooking({
      amount: amountOf(given),
      direction: 'out',
      endToEndId: given.reference,
      returned: 'AM04',
      isReversal: false
    }),
    buildBooking({ amount: '77.77', direction: 'out', returned: 'AC04', text: 'nothing of ours' })
  ])
  assert.deepEqual(entries.map(told), [
    ['returned', 'AM04'],
    ['unmatched', 'return-without-donation']
  ])
  assert.match(entries[0].reason.message, /insufficient funds \(AM04\)/)
  const { body } = await treasurer.get(`/campaigns/${campaignId}/donations/${given.id}`)
  assert.equal(body.status, 'FAILED')
  assert.match(body.notes.at(-1).text, /insufficient funds.*Bank statement \d+, transaction 1/)
  const { body: before } = await treasurer.get(
    `/bank-statements/${booked.statement.id}/entries/${booked.entries[0].id}`
  )
  assert.deepEqual([before.result, before.match.donationId, before.match.status], ['booked', given.id, 'FAILED'])
  const again = await imported([
    buildBooking({ amount: amountOf(given), direction: 'out', endToEndId: given.reference, returned: 'AM04' })
  ])
  assert.deepEqual(told(again.entries[0]), ['suggested', 'nothing-to-return'])
})

test('money that was sent, and what the bank has not booked yet, is put aside; it counts when it is booked', async () => {
  const given = await promised()
  const payment = buildBooking({ amount: amountOf(given), text: given.reference })
  const { entries } = await imported([
    buildBooking({ amount: '12.00', direction: 'out', text: 'Bank charges' }),
    { ...payment, status: 'PDNG' }
  ])
  assert.deepEqual(entries.map(told), [
    ['ignored', 'outgoing'],
    ['ignored', 'pending']
  ])
  assert.equal(await statusOf(given), 'IN_PROCESS')
  const booked = await imported([payment])
  assert.deepEqual(told(booked.entries[0]), ['booked', null])
})
