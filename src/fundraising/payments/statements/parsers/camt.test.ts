import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  buildStatement,
  buildStatementFile,
  collect,
  type StatementOptions
} from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
import type { Entry } from './parsed-entry.ts'

const ownIban = 'DE89370400440532013000'
const ada = 'DE02120300000000202051'
const grace = 'DE02500105170137075030'

const defaultEntry: Omit<Entry, 'position'> = {
  part: 1,
  account: ownIban,
  bankReference: null,
  bookedOn: '2026-03-02',
  valueOn: '2026-03-02',
  amountCents: 2500,
  chargesCents: 0,
  currency: 'EUR',
  direction: 'in',
  isReturn: false,
  isRejected: false,
  returnReason: null,
  isPending: false,
  endToEndId: null,
  mandateReference: null,
  paymentInformationId: null,
  text: '',
  counterpartName: null,
  counterpartIban: null,
  counterpartBic: null,
  problems: []
}

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

async function parseEntries(bytes: Buffer): Promise<Entry[]> {
  return await collect(parseStatement(bytes, { type: 'xml', timezone: 'Europe/Berlin' }))
}

test('a statement in version 02 is parsed as German banks specify it', async () => {
  const bytes = readFixture('camt.053.001.02.xml')
  assert.equal(parseStatement(bytes, { type: 'xml' }).meta.format, 'camt.053.001.02')
  assert.deepEqual(await parseEntries(bytes), [
    {
      ...defaultEntry,
      position: 1,
      bankReference: '2026061000012345',
      valueOn: '2026-03-03',
      text: 'Spende AC-7KXM-3PFT fuer das neue Dach',
      counterpartName: 'Jürgen Müller & Söhne',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    { ...defaultEntry, position: 2, amountCents: 1290, direction: 'out', text: 'Abschluss Kontofuehrung' }
  ])
})

test('a statement in version 08 is parsed with a namespace prefix, a time in UTC and a structured reference', async () => {
  const bytes = readFixture('camt.053.001.08.xml')
  assert.equal(parseStatement(bytes, { type: 'xml' }).meta.format, 'camt.053.001.08')
  assert.deepEqual(await parseEntries(bytes), [
    {
      ...defaultEntry,
      position: 1,
      bankReference: '2026062ABC',
      bookedOn: '2026-03-03',
      valueOn: '2026-03-03',
      amountCents: 5010,
      endToEndId: 'AC-7KXM-3PFT',
      text: 'RF18539007547034',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    }
  ])
})

test('a booking of several payments is one entry per payment, numbered if the bank has one reference for all', async () => {
  const booked = { ...defaultEntry, bookedOn: '2026-03-05', valueOn: '2026-03-05' }
  assert.deepEqual(await parseEntries(readFixture('split.camt.054.001.02.xml')), [
    {
      ...booked,
      position: 1,
      bankReference: '2026064S9/1',
      amountCents: 1000,
      endToEndId: 'E1',
      text: 'AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada
    },
    {
      ...booked,
      position: 2,
      bankReference: '2026064S9/2',
      amountCents: 2000,
      endToEndId: 'E2',
      text: 'Erste Zeile, die genau umbricht, AC- 7KXM-3PFT',
      counterpartName: 'Grace Hopper'
    },
    { ...booked, position: 3, bankReference: '2026064S9/3', amountCents: 3000, text: 'Bareinzahlung Filiale 3' }
  ])
})

test('debits that are returned in one booking have the collected amounts, the return reason and the charges', async () => {
  const returned: Omit<Entry, 'position'> = {
    ...defaultEntry,
    bookedOn: '2026-03-09',
    valueOn: '2026-03-06',
    direction: 'out',
    isReturn: true,
    paymentInformationId: 'PAIN-7-1',
    chargesCents: 300
  }
  assert.deepEqual(await parseEntries(readFixture('returned-debits.camt.054.001.08.xml')), [
    {
      ...returned,
      position: 1,
      bankReference: '2026068R1/1',
      returnReason: 'AC04 Konto aufgeloest',
      endToEndId: 'AC-7KXM-3PFT',
      mandateReference: 'M-0001',
      text: 'Spende AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada
    },
    {
      ...returned,
      position: 2,
      bankReference: '2026068R1/2',
      amountCents: 1050,
      returnReason: 'MD06',
      endToEndId: 'AC-7KXM-9999',
      mandateReference: 'M-0002',
      counterpartName: 'Grace Hopper',
      counterpartIban: grace
    }
  ])
})

for (const format of ['camt.052.001.08', 'camt.053.001.02', 'camt.053.001.08', 'camt.054.001.02', 'camt.054.001.08']) {
  const parseBookings = async (bookings: Parameters<typeof buildStatement>[0], options: StatementOptions = {}) =>
    await parseEntries(buildStatement(bookings, { format, ...options }))

  test(`${format}: one payment with all fields`, async () => {
    const donor = { name: 'Ada Lovelace', iban: ada, bic: 'BYLADEM1001' }
    const [entry] = await parseBookings([
      { amount: '25.00', text: 'AC-7KXM-3PFT', ...donor, endToEndId: 'E-1', bankReference: 'B1' }
    ])
    assert.deepEqual(entry, {
      ...defaultEntry,
      position: 1,
      bankReference: 'B1',
      endToEndId: 'E-1',
      text: 'AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    })
  })

  test(`${format}: a missing EndToEndId and NOTPROVIDED are parsed as null`, async () => {
    const entries = await parseBookings([
      { amount: '1.00', endToEndId: null },
      { amount: '1.00', endToEndId: 'NOTPROVIDED' },
      { amount: '1.00', endToEndId: 'NotProvided' },
      { amount: '1.00', endToEndId: 'E-1' }
    ])
    assert.deepEqual(
      entries.map(({ endToEndId }) => endToEndId),
      [null, null, null, 'E-1']
    )
  })

  test(`${format}: payments keep their own references, and a booking without details is one entry`, async () => {
    const entries = await parseBookings([
      {
        amount: '30.00',
        bankReference: 'B1',
        payments: [
          { amount: '10.00', bankReference: 'T1' },
          { amount: '20.00', bankReference: 'T2' }
        ]
      },
      { amount: '99.00', bankReference: 'B2', payments: [] }
    ])
    assert.deepEqual(
      entries.map(({ position, bankReference, amountCents, text }) => [position, bankReference, amountCents, text]),
      [
        [1, 'T1', 1000, ''],
        [2, 'T2', 2000, ''],
        [3, 'B2', 9900, 'Sammelgutschrift']
      ]
    )
  })

  test(`${format}: payments that do not add up to their booking have a problem, unless charges explain the difference`, async () => {
    const payments = [{ amount: '10.00' }, { amount: '20.00' }]
    const wrong = await parseBookings([{ amount: '31.00', payments }])
    assert.deepEqual(
      wrong.map(({ problems }) => problems.map(({ code }) => code)),
      [['sum'], ['sum']]
    )
    const less = await parseBookings([
      { amount: '29.00', payments: [{ amount: '10.00', charges: '1.00' }, { amount: '20.00' }] }
    ])
    assert.deepEqual(
      less.flatMap(({ problems }) => problems),
      []
    )
    const [single] = await parseBookings([{ amount: '31.00', payments: [{ amount: '13.00' }] }])
    assert.deepEqual([single?.amountCents, single?.problems.map(({ code }) => code)], [3100, ['sum']])
  })

  test(`${format}: a reversal is a return, in the direction in which it was booked`, async () => {
    const entries = await parseBookings([
      { amount: '5.00', direction: 'out', isReversal: true },
      { amount: '5.00', direction: 'in', isReversal: true },
      { amount: '5.00', direction: 'in', bankCode: 'NTRF+159+00931' },
      { amount: '5.00', direction: 'out', bankCode: 'NMSC+000', isoCode: 'PMNT/IDDT/UPDD' },
      { amount: '5.00', direction: 'out', bankCode: 'NRTI+808' },
      { amount: '5.00', direction: 'out', bankCode: 'NTRF+116', isoCode: 'PMNT/ICDT/ESCT' }
    ])
    assert.deepEqual(
      entries.map(({ direction, isReturn }) => [direction, isReturn]),
      [
        ['out', true],
        ['in', true],
        ['in', true],
        ['out', true],
        ['out', true],
        ['out', false]
      ]
    )
  })

  test(`${format}: a single returned debit has the collected amount, whether charges are listed or only booked`, async () => {
    const returnedDebit = { direction: 'out' as const, returned: 'MS03', name: 'Ada Lovelace', iban: ada }
    const entries = await parseBookings([
      { amount: '28.00', ...returnedDebit, ordered: '25.00 EUR', charges: '3.00' },
      { amount: '28.00', ...returnedDebit, ordered: '25.00 EUR' },
      { amount: '28.00', ...returnedDebit, charges: '3.00' },
      { amount: '25.00', ...returnedDebit }
    ])
    assert.deepEqual(
      entries.map(({ amountCents, chargesCents, counterpartName, problems }) => [
        amountCents,
        chargesCents,
        counterpartName,
        problems.length
      ]),
      [
        [2500, 300, 'Ada Lovelace', 0],
        [2500, 300, 'Ada Lovelace', 0],
        [2500, 300, 'Ada Lovelace', 0],
        [2500, 0, 'Ada Lovelace', 0]
      ]
    )
  })

  test(`${format}: a payment that is not booked yet is pending`, async () => {
    const entries = await parseBookings([
      { amount: '1.00', status: 'BOOK' },
      { amount: '1.00', status: 'PDNG', bookedOn: null },
      { amount: '1.00', status: 'INFO' }
    ])
    assert.deepEqual(
      entries.map(({ isPending, bookedOn }) => [isPending, bookedOn]),
      [
        [false, '2026-03-02'],
        [true, null],
        [true, '2026-03-02']
      ]
    )
  })

  test(`${format}: a payment sent in another currency has the booked amount`, async () => {
    const [one, two, three] = await parseBookings([
      { amount: '92.10', payments: [{ amount: '92.10', ordered: '100.00 USD', charges: '2.00' }] },
      { amount: '92.10', payments: [{ amount: '100.00', currency: 'USD' }, { amount: '1.00' }] }
    ])
    assert.deepEqual([one?.amountCents, one?.currency, one?.problems], [9210, 'EUR', []])
    assert.deepEqual(
      [two, three].map(entry => entry?.problems.map(({ code }) => code)),
      [['currency'], []]
    )
  })

  test(`${format}: the lines of a text are joined directly if a full line was wrapped, otherwise with a blank`, async () => {
    const cut = 'Spende fuer das neue Dach der Schule'
    const entries = await parseBookings([
      { amount: '1.00', text: [cut.slice(0, 27), cut.slice(27)] },
      { amount: '1.00', text: ['AC-7KXM', '3PFT'] },
      { amount: '1.00', text: '  two \n\t words ' },
      { amount: '1.00', text: 'Spende', structured: 'RF18539007547034' }
    ])
    assert.deepEqual(
      entries.map(({ text }) => text),
      [cut, 'AC-7KXM 3PFT', 'two words', 'Spende RF18539007547034']
    )
  })
}

test('entries of several accounts in one file have their own account and currency', async () => {
  const bytes = buildStatementFile([
    { bookings: [{ amount: '1.00' }] },
    { account: grace, currency: 'CHF', bookings: [{ amount: '2.00' }, { amount: '3.00', currency: 'USD' }] }
  ])
  assert.deepEqual(
    (await parseEntries(bytes)).map(({ position, account, currency, amountCents }) => [
      position,
      account,
      currency,
      amountCents
    ]),
    [
      [1, ownIban, 'EUR', 100],
      [2, grace, 'CHF', 200],
      [3, grace, 'USD', 300]
    ]
  )
})

test('amounts are parsed exactly, and an invalid amount is reported as a problem', async () => {
  const amounts = ['0.29', '25', '25.5', '25.500', '999999999.99', '1.005', '1000000000', '-5.00', '5,00', 'x']
  const entries = await parseEntries(buildStatement(amounts.map(amount => ({ amount }))))
  assert.deepEqual(
    entries.map(({ amountCents, problems }) => problems[0]?.code ?? amountCents),
    [29, 2500, 2550, 2550, 99_999_999_999, 'amount-decimals', 'amount-too-large', 'amount', 'amount', 'amount']
  )
})

test('a date that does not exist and an unknown direction are reported as problems', async () => {
  const [day] = await parseEntries(buildStatement([{ amount: '1.00', bookedOn: '2026-02-30' }]))
  assert.deepEqual([day?.bookedOn, day?.problems[0]?.code], [null, 'day'])
  const text = buildStatement([{ amount: '1.00' }])
    .toString()
    .replaceAll('CRDT', 'BOTH')
  const [direction] = await parseEntries(Buffer.from(text))
  assert.deepEqual(
    direction?.problems.map(({ code }) => code),
    ['direction']
  )
})

test('umlauts are parsed in the encodings that banks use, with and without a byte order mark', async () => {
  const booking = { amount: '1.00', name: 'Jürgen Weiß' }
  const utf8 = buildStatement([booking])
  const files = [
    utf8,
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]),
    buildStatement([booking], { encoding: 'ISO-8859-1' }),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(utf8.toString().replace('UTF-8', 'UTF-16'), 'utf16le')])
  ]
  for (const file of files) assert.equal((await parseEntries(file))[0]?.counterpartName, 'Jürgen Weiß')
})

test('elements of other namespaces are ignored', async () => {
  const text = buildStatement([{ amount: '1.00' }]).toString()
  const withForeignElement = text.replace('<Ntry>', '<Ntry><x:Amt xmlns:x="urn:other" Ccy="USD">9.00</x:Amt>')
  const [entry] = await parseEntries(Buffer.from(withForeignElement))
  assert.deepEqual([entry?.amountCents, entry?.currency], [100, 'EUR'])
})

test('a statement without bookings is parsed and has no entries', async () => {
  assert.deepEqual(await parseEntries(buildStatement([])), [])
})
