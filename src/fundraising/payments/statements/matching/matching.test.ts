import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, readEntries, importBookings, readStatus, treasurer, upload } =
  await startBankImports()
const campaign = await aCampaign()
const { id: campaignId } = campaign
/** Every pledge has its own amount, so that an entry matches only the intended donation. */
let cents = 10_000
async function createPledge(fields: object = {}, pledgeCampaignId = campaignId) {
  cents += 1
  return await aDonation(pledgeCampaignId, { ...donation, amount: cents / 100, ...fields })
}
const formatAmount = ({ amount }: { amount: number }, more = 0) => (amount + more).toFixed(2)
const toResult = (entry: { result: string; reason: { code: string } | null }) => [
  entry.result,
  entry.reason?.code ?? null
]
const removeHyphens = (reference: string) => reference.replaceAll('-', '')

test('a reference is found in all spellings, and its donation is booked at once if amount and currency match', async () => {
  const spellings: ((reference: string) => { text?: string | string[]; endToEndId?: string })[] = [
    reference => ({ text: `Spende ${reference} danke` }),
    reference => ({ text: removeHyphens(reference).toLowerCase() }),
    reference => ({ text: removeHyphens(reference).split('').join(' ') }),
    reference => ({ text: `XX${removeHyphens(reference)}YY` }),
    reference => ({ text: `SVWZ+${reference}ABWA+somebody` }),
    reference => ({ text: [`Fuer das Dach ${reference.slice(0, 6)}`, reference.slice(6)] }),
    reference => ({ text: 'Lastschrift', endToEndId: reference })
  ]
  const donations = []
  for (const _ of spellings) donations.push(await createPledge())
  const { statement, entries } = await importBookings(
    donations.map((one, index) => buildBooking({ amount: formatAmount(one), ...spellings[index]?.(one.reference) }))
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
  for (const one of donations) assert.equal(await readStatus(one), 'TRANSFERRED')
  assert.deepEqual([statement.counts.entries, statement.counts.booked], [donations.length, donations.length])
  const sum = donations.reduce((total, one) => total + Math.round(one.amount * 100), 0)
  assert.equal(Math.round(statement.amounts.booked * 100), sum)
})

test('a booking by a statement writes history, activity and totals like a manual one', async () => {
  const { id } = await aCampaign()
  const pledged = await createPledge({}, id)
  const { statement } = await importBookings([
    buildBooking({ amount: formatAmount(pledged), text: pledged.reference, bookedOn: '2026-02-27' })
  ])
  const { body } = await admin.get(`/campaigns/${id}/donations/${pledged.id}`)
  assert.deepEqual(
    body.history.map((row: { status: string }) => row.status),
    ['IN_PROCESS', 'TRANSFERRED']
  )
  assert.match(body.history[1].actor, /treasurer/)
  const { body: after } = await admin.get(`/campaigns/${id}`)
  assert.deepEqual([after.amountTransferred, after.amountDonatedSoFar], [pledged.amount, pledged.amount])
  const { body: activity } = await admin.get(`/activity?subjectId=${pledged.id}`)
  assert.deepEqual(activity[0].details, {
    campaignId: id,
    amount: pledged.amount,
    amountReceived: pledged.amount,
    status: 'TRANSFERRED',
    before: 'IN_PROCESS'
  })
  assert.deepEqual([statement.from, statement.to], ['2026-02-27', '2026-02-27'])
})

test('an amount other than the pledge is suggested with the difference, and nothing is booked', async () => {
  const [less, more] = [await createPledge(), await createPledge()]
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(less, -5), text: less.reference }),
    buildBooking({ amount: formatAmount(more, 7.5), text: more.reference })
  ])
  assert.deepEqual(entries.map(toResult), [
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
  assert.deepEqual([await readStatus(less), await readStatus(more)], ['IN_PROCESS', 'IN_PROCESS'])
})

test('the second payment of a donation is only suggested, with the reason, in the same file and in a later one', async () => {
  const pledged = await createPledge()
  const buildPayment = () => buildBooking({ amount: formatAmount(pledged), text: pledged.reference })
  const { entries } = await importBookings([buildPayment(), buildPayment()])
  assert.deepEqual(entries.map(toResult), [
    ['booked', null],
    ['suggested', 'already-received']
  ])
  const later = await importBookings([buildPayment()])
  assert.deepEqual(toResult(later.entries[0]), ['suggested', 'already-received'])
  assert.equal(later.entries[0].suggestions[0].received, pledged.amount)
})

test('a cancelled, failed or refunded donation is only suggested, with its status as the reason', async () => {
  const ended = []
  for (const statuses of [['CANCELLED'], ['FAILED'], ['TRANSFERRED', 'REFUNDED']]) {
    const pledged = await createPledge()
    for (const status of statuses) await admin.patch(`/campaigns/${campaignId}/donations/${pledged.id}`, { status })
    ended.push(pledged)
  }
  const { entries } = await importBookings(
    ended.map(one => buildBooking({ amount: formatAmount(one), text: one.reference }))
  )
  assert.deepEqual(entries.map(toResult), [
    ['suggested', 'was-cancelled'],
    ['suggested', 'had-failed'],
    ['suggested', 'was-refunded']
  ])
})

test('a reference with one wrong, swapped, missing or additional character is only suggested', async () => {
  const pickOtherCharacter = (text: string, index: number) => (text[index] === '3' ? '4' : '3')
  const mistakes: ((text: string) => string)[] = [
    text => text.slice(0, 4) + pickOtherCharacter(text, 4) + text.slice(5),
    text => `${text.slice(0, 6)}0${text.slice(7)}`,
    text => text.slice(0, 5) + text.slice(6),
    text => `${text.slice(0, 5)}7${text.slice(5)}`
  ]
  const donations = []
  for (const _ of mistakes) donations.push(await createPledge())
  // Swapping two equal characters changes nothing, so two different ones are chosen.
  const swapped = await createPledge()
  const index = [...removeHyphens(swapped.reference)].findIndex(
    (one, position, all) => position > 1 && one !== all[position - 1]
  )
  const text = removeHyphens(swapped.reference)
  const withSwap = text.slice(0, index - 1) + text.charAt(index) + text.charAt(index - 1) + text.slice(index + 1)
  const { entries } = await importBookings([
    ...donations.map((one, position) =>
      buildBooking({
        amount: formatAmount(one),
        text: `Spende ${mistakes[position]?.(removeHyphens(one.reference)) ?? ''} fuers Dach`
      })
    ),
    buildBooking({ amount: formatAmount(swapped), text: withSwap })
  ])
  assert.deepEqual(entries.map(toResult), Array(5).fill(['suggested', 'typo']))
  for (const [position, one] of [...donations, swapped].entries()) {
    assert.deepEqual(
      [entries[position].suggestions[0].donationId, entries[position].suggestions[0].by],
      [one.id, 'typo']
    )
    assert.equal(await readStatus(one), 'IN_PROCESS')
  }
})

test('without a reference a donation with the same account or name and the same amount is suggested, and never booked', async () => {
  const iban = 'DE75512108001245126199'
  const byAccount = await createPledge({ account: { iban, name: 'Somebody' } })
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
  for (const [donorName] of names) byName.push(await createPledge({ donorName }))
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(byAccount), iban, text: 'Spende' }),
    ...byName.map((one, position) =>
      buildBooking({ amount: formatAmount(one), name: names[position]?.[1] ?? '', text: 'Spende' })
    ),
    buildBooking({ amount: formatAmount(byAccount, 100), iban, text: 'Another amount' }),
    buildBooking({ amount: '4711.00', text: 'Nobody promised this' })
  ])
  assert.deepEqual(entries.map(toResult), [
    ['suggested', 'same-account'],
    ...names.map(() => ['suggested', 'same-name']),
    ['unmatched', 'no-donation'],
    ['unmatched', 'no-donation']
  ])
  assert.equal(entries[0].suggestions[0].donationId, byAccount.id)
  assert.deepEqual(
    byName.map((one, position) => entries[position + 1].suggestions[0].donationId === one.id),
    names.map(() => true)
  )
})

test('the same amount with another name is not matched: a family name alone, a title or a part of a word do not count', async () => {
  const pledged = await createPledge({ donorName: 'Dr. Ada Lovelace' })
  const names = ['Byron Lovelace', 'Lovelace', 'Dr. Ada', 'Adam Lovelacer', 'Herr Dr.', 'Ad Lo', '%', '']
  const { entries } = await importBookings(
    names.map(name => buildBooking({ amount: formatAmount(pledged), name, text: 'Spende' }))
  )
  assert.deepEqual(
    entries.map(toResult),
    names.map(() => ['unmatched', 'no-donation'])
  )
})

test('if a bank has no column for the name, the name is matched at the beginning of the text', async () => {
  const pledged = await createPledge({ donorName: 'Grete Müßig' })
  const buildTable = (text: string) =>
    `Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung\n02.03.2026;02.03.2026;Gutschrift;${text};${formatAmount(pledged)};EUR\n`
  const results = []
  for (const text of ['Muessig Grete Spende', 'Spende von Grete Müßig', 'Grete']) {
    const { body } = await upload(buildTable(text), { headers: { 'content-type': 'text/csv' } })
    results.push((await readEntries(body.id)).map(toResult)[0])
  }
  assert.deepEqual(results, [
    ['suggested', 'same-name'],
    ['unmatched', 'no-donation'],
    ['unmatched', 'no-donation']
  ])
})

test('a payment in another currency is only suggested, and a payment to another account is booked with a note', async () => {
  const [inOtherCurrency, toOtherAccount] = [await createPledge(), await createPledge()]
  const { entries } = await importBookings(
    [buildBooking({ amount: formatAmount(inOtherCurrency), text: inOtherCurrency.reference })],
    {
      currency: 'CHF'
    }
  )
  assert.deepEqual(toResult(entries[0]), ['suggested', 'other-currency'])
  assert.equal(entries[0].suggestions[0].difference, null)
  const other = await importBookings(
    [buildBooking({ amount: formatAmount(toOtherAccount), text: toOtherAccount.reference })],
    {
      account: 'DE02120300000000202051'
    }
  )
  assert.deepEqual(toResult(other.entries[0]), ['booked', 'other-account'])
})

test('donations to closed and deleted campaigns are booked too', async () => {
  const donations = []
  for (const state of ['closed', 'deleted']) {
    const { id } = await aCampaign()
    const pledged = await createPledge({}, id)
    if (state === 'closed') await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
    else assert.equal((await admin.delete(`/campaigns/${id}`)).status, 204)
    donations.push(pledged)
  }
  const { entries } = await importBookings(
    donations.map(one => buildBooking({ amount: formatAmount(one), text: one.reference }))
  )
  assert.deepEqual(entries.map(toResult), [
    ['booked', null],
    ['booked', null]
  ])
})

test('of several references in one text the one with the same amount is booked; if two have it, both are suggested', async () => {
  const [one, two] = [await createPledge(), await createPledge()]
  const [first, second] = [await createPledge({ amount: 61 }), await createPledge({ amount: 61 })]
  const { entries } = await importBookings([
    buildBooking({ amount: formatAmount(two), text: `${one.reference} und ${two.reference}` }),
    buildBooking({ amount: '61.00', text: `${first.reference}${removeHyphens(second.reference)}` })
  ])
  assert.deepEqual(entries.map(toResult), [
    ['booked', null],
    ['suggested', 'several-references']
  ])
  assert.equal(entries[0].match.donationId, two.id)
  assert.deepEqual(
    new Set(entries[1].suggestions.map((suggested: { donationId: string }) => suggested.donationId)),
    new Set([first.id, second.id])
  )
})

test('a returned debit sets its donation to FAILED, with the reason of the bank as text', async () => {
  const pledged = await createPledge()
  const booked = await importBookings([
    buildBooking({ amount: formatAmount(pledged), endToEndId: pledged.reference, text: 'Einzug' })
  ])
  const { entries } = await importBookings([
    buildBooking({
      amount: formatAmount(pledged),
      direction: 'out',
      endToEndId: pledged.reference,
      returned: 'AM04',
      isReversal: false
    }),
    buildBooking({ amount: '77.77', direction: 'out', returned: 'AC04', text: 'nothing of ours' })
  ])
  assert.deepEqual(entries.map(toResult), [
    ['returned', 'AM04'],
    ['unmatched', 'return-without-donation']
  ])
  assert.match(entries[0].reason.message, /insufficient funds \(AM04\)/)
  const { body } = await treasurer.get(`/campaigns/${campaignId}/donations/${pledged.id}`)
  assert.equal(body.status, 'FAILED')
  assert.match(body.notes.at(-1).text, /insufficient funds.*Bank statement \d+, transaction 1/)
  const { body: before } = await treasurer.get(
    `/bank-statements/${booked.statement.id}/entries/${booked.entries[0].id}`
  )
  assert.deepEqual([before.result, before.match.donationId, before.match.status], ['booked', pledged.id, 'FAILED'])
  const again = await importBookings([
    buildBooking({ amount: formatAmount(pledged), direction: 'out', endToEndId: pledged.reference, returned: 'AM04' })
  ])
  assert.deepEqual(toResult(again.entries[0]), ['suggested', 'nothing-to-return'])
})

test('outgoing and pending entries are ignored; a pending payment is booked by a later file that has it as booked', async () => {
  const pledged = await createPledge()
  const buildPayment = buildBooking({ amount: formatAmount(pledged), text: pledged.reference })
  const { entries } = await importBookings([
    buildBooking({ amount: '12.00', direction: 'out', text: 'Bank charges' }),
    { ...buildPayment, status: 'PDNG' }
  ])
  assert.deepEqual(entries.map(toResult), [
    ['ignored', 'outgoing'],
    ['ignored', 'pending']
  ])
  assert.equal(await readStatus(pledged), 'IN_PROCESS')
  const booked = await importBookings([buildPayment])
  assert.deepEqual(toResult(booked.entries[0]), ['booked', null])
})
