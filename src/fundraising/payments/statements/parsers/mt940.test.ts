import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collect } from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
import { createParsedPayment, type Entry } from './parsed-entry.ts'

const ownIban = 'DE89370400440532013000'
const ada = 'DE02120300000000202051'
const grace = 'DE02500105170137075030'

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

async function parseEntries(file: Buffer | string): Promise<Entry[]> {
  return await collect(parseStatement(Buffer.from(file), { type: 'mt940' }))
}

/** A statement of one account with these fields. */
const buildStatement = (...fields: string[]) =>
  [
    ':20:1',
    ':25:37040044/0532013000',
    ':28C:1/1',
    ':60F:C260301EUR0,00',
    ...fields,
    ':62F:C260302EUR0,00',
    '-',
    ''
  ].join('\r\n')

test('a file of a German bank is parsed: tags across subfields, returns with charges, reversals, the year of a booking', async () => {
  const expected: Partial<Entry>[] = [
    {
      bankReference: '2026-01-02 BANKREF0000001',
      bookedOn: '2026-01-02',
      valueOn: '2025-12-31',
      text: 'Spende für die Orgel AC-7KXM-3PFT danke',
      counterpartName: 'Ada Augusta Lovelace geb. Byron',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    {
      bankReference: '2026-01-02 BANKREF0000002',
      chargesCents: 300,
      direction: 'out',
      isReturn: true,
      returnReason: 'AM04',
      endToEndId: 'AC-7KXM-9999',
      mandateReference: 'AC-7KXM-9999',
      text: 'Spende',
      counterpartName: 'Grace Hopper',
      counterpartIban: grace,
      counterpartBic: 'INGDDEFFXXX'
    },
    { amountCents: 500, direction: 'out', isReturn: true, text: 'Irrtum', counterpartName: 'Grace Hopper' },
    { amountCents: 750, isReturn: true, text: 'Irrtum', counterpartName: 'Stadtwerke' },
    {
      bankReference: '2026-01-05 BANKREF0000003',
      bookedOn: '2026-01-05',
      valueOn: '2026-01-05',
      amountCents: 7500,
      paymentInformationId: 'KALENDS-7-1',
      text: 'ANZAHL 3'
    },
    { bookedOn: '2026-01-05', valueOn: '2026-01-05', amountCents: 990, direction: 'out', text: 'ABSCHLUSS' },
    { bookedOn: '2026-02-28', valueOn: '2026-02-28', amountCents: 100, currency: 'CHF', text: 'Kleine Gabe?' }
  ]
  const day = { bookedOn: '2026-01-02', valueOn: '2026-01-02' }
  assert.deepEqual(
    await parseEntries(readFixture('german.sta')),
    expected.map((entry, index) => ({
      position: index + 1,
      part: 1,
      ...createParsedPayment('EUR'),
      account: ownIban,
      amountCents: 2500,
      ...day,
      ...entry
    }))
  )
})

test('a file in a SWIFT envelope is parsed, with the text formats of banks of other countries', async () => {
  const entries = await parseEntries(readFixture('envelope.mt940'))
  assert.deepEqual(
    entries.map(entry => [
      entry.account,
      entry.direction,
      entry.amountCents,
      entry.text,
      entry.endToEndId,
      entry.counterpartName,
      entry.counterpartIban
    ]),
    [
      ['NL91ABNA0417164300', 'in', 2500, 'Spende AC-7KXM-3PFT', 'E-77', 'ADA LOVELACE', ada],
      ['NL91ABNA0417164300', 'out', 310, 'COSTS OF THE ACCOUNT FEBRUARY', null, null, null]
    ]
  )
})

test('entries of an interim report (MT942) are pending', async () => {
  const reading = parseStatement(readFixture('interim.mt942'), { type: 'mt940' })
  const [entry] = await collect(reading)
  assert.deepEqual([reading.meta.format, entry?.isPending, entry?.text], ['mt942', true, 'AC-7KXM-3PFT'])
})

test('in a file with MT940 and MT942 only the entries of MT942 are pending', async () => {
  const booked = buildStatement(':61:2603020302C1,00NTRFNONREF')
  const entries = await parseEntries(`${booked}${readFixture('interim.mt942')}${booked}`)
  assert.deepEqual(
    entries.map(({ isPending }) => isPending),
    [false, true, false]
  )
})

test('umlauts are parsed as Latin 1 and as UTF-8, with and without a byte order mark', async () => {
  const text = buildStatement(':61:2603020302C25,00NTRFNONREF', ':86:166?00GUTSCHRIFT?20SVWZ+für Käthe')
  for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(text), Buffer.from(`\ufeff${text}`)]) {
    assert.equal((await parseEntries(bytes))[0]?.text, 'für Käthe')
  }
})

test('a blank that was lost at the end of a full line is restored', async () => {
  const first = `166?00GUTSCHRIFT?20SVWZ+Spende fuer die Orgel?32Ada King Graefin`
  const entries = await parseEntries(buildStatement(':61:2603020302C25,00NTRFNONREF', `:86:${first}`, 'Lovelace'))
  assert.deepEqual([first.length, entries[0]?.counterpartName], [64, 'Ada King Graefin Lovelace'])
})

test('a question mark with a number in a text is a subfield only if the number is the next one', async () => {
  const [entry] = await parseEntries(
    buildStatement(':61:2603020302C25,00NTRFNONREF', ':86:166?00GUTSCHRIFT?21SVWZ+Wofuer?20 Euro oder mehr?32Ada')
  )
  assert.deepEqual([entry?.text, entry?.counterpartName], ['Wofuer?20 Euro oder mehr', 'Ada'])
})

for (const [amount, cents, code] of [
  ['25,', 2500, undefined],
  ['0,01', 1, undefined],
  ['1234567,89', 123_456_789, undefined],
  ['25,001', 0, 'amount-decimals'],
  ['99999999999,00', 0, 'amount-too-large']
] as const) {
  test(`the amount ${amount} is parsed exactly, or reported as a problem with its line`, async () => {
    const [entry] = await parseEntries(buildStatement(`:61:2603020302C${amount}NTRFNONREF`, ':86:166?20SVWZ+x'))
    assert.deepEqual([entry?.amountCents, entry?.problems[0]?.code], [cents, code])
    if (code !== undefined) assert.match(entry?.problems[0]?.message.de ?? '', /^Zeile 5: /)
  })
}

test('an invalid transaction is an entry with a problem that names its line, and the others are parsed', async () => {
  const entries = await parseEntries(
    buildStatement(
      ':61:2603020302X25,00NTRFNONREF',
      ':86:166?20SVWZ+AC-7KXM-3PFT',
      ':61:2613320302C25,00NTRFNONREF',
      ':86:166?20SVWZ+x',
      ':61:2603020302C1,00NTRFNONREF'
    )
  )
  assert.deepEqual(
    entries.map(({ amountCents, text, problems }) => [amountCents, text, problems[0]?.message.en]),
    [
      [0, 'AC-7KXM-3PFT', 'Line 5: Invalid transaction (:61:).'],
      [2500, 'x', 'Line 7: Invalid booking date.'],
      [100, '', undefined]
    ]
  )
})

for (const [value, booked, expected] of [
  ['260102', '1231', '2025-12-31'],
  ['251231', '0102', '2026-01-02'],
  ['260302', '0302', '2026-03-02'],
  ['240229', '0229', '2024-02-29']
] as const) {
  test(`a booking of ${booked} with the value date ${value} has the date ${expected}`, async () => {
    const [entry] = await parseEntries(buildStatement(`:61:${value}${booked}C1,00NTRFNONREF`))
    assert.equal(entry?.bookedOn, expected)
  })
}
