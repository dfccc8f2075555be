import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collect } from '#test/support/fundraising/bank-statements.ts'
import { StatementFileProblem } from './file-problems.ts'
import { detectFileType, parseStatement } from './parse-statement.ts'
import type { Entry } from './parsed-entry.ts'

const ownIban = 'DE89370400440532013000'
const ada = 'DE02120300000000202051'
const grace = 'DE02500105170137075030'

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

async function parseEntries(table: Buffer | string, mapping?: Record<string, string>): Promise<Entry[]> {
  const options = { type: 'csv' as const, ...(mapping === undefined ? {} : { mapping }) }
  return await collect(parseStatement(Buffer.from(table), options))
}

/** Compares entries with their expected values; fields that are left out have the defaults below. */
async function assertEntries(entries: Promise<Entry[]>, expected: Partial<Entry>[]): Promise<void> {
  const defaults = {
    part: 1,
    account: null,
    bankReference: null,
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
    counterpartName: null,
    counterpartIban: null,
    counterpartBic: null,
    problems: []
  }
  assert.deepEqual(
    await entries,
    expected.map((entry, index) => ({ position: index + 1, ...defaults, ...entry }))
  )
}

test('a CSV file of a Sparkasse is parsed, in the Windows encoding', async () => {
  await assertEntries(parseEntries(readFixture('sparkasse.csv')), [
    {
      account: ownIban,
      bookedOn: '2026-03-02',
      valueOn: '2026-03-03',
      amountCents: 102_500,
      text: 'Spende AC-7KXM-3PFT',
      counterpartName: 'Jürgen Müller',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    {
      account: ownIban,
      bookedOn: '2026-03-09',
      valueOn: '2026-03-06',
      amountCents: 1050,
      chargesCents: 300,
      direction: 'out',
      isReturn: true,
      returnReason: 'AC04',
      endToEndId: 'AC-7KXM-9999',
      mandateReference: 'M-0002',
      text: 'AC04 Spende AC-7KXM-9999',
      counterpartName: 'Grace Hopper',
      counterpartIban: grace,
      counterpartBic: 'INGDDEFFXXX'
    },
    {
      account: ownIban,
      bookedOn: '2026-03-10',
      valueOn: null,
      amountCents: 500,
      isPending: true,
      text: 'Morgen da',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    }
  ])
})

test('a CSV file of the DKB is parsed below its lines about the account; the counterpart is the payer or the payee', async () => {
  await assertEntries(parseEntries(readFixture('dkb.csv')), [
    {
      bookedOn: '2026-03-04',
      valueOn: '2026-03-04',
      amountCents: 2500,
      text: 'AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada
    },
    {
      bookedOn: '2026-03-05',
      valueOn: '2026-03-05',
      amountCents: 8010,
      direction: 'out',
      endToEndId: 'R-1',
      text: 'Abschlag März',
      counterpartName: 'Stadtwerke',
      counterpartIban: grace
    }
  ])
})

test('a CSV file of the ING is parsed, with quotes and separators in a text', async () => {
  await assertEntries(parseEntries(readFixture('ing.csv')), [
    {
      bookedOn: '2026-03-06',
      valueOn: '2026-03-06',
      amountCents: 25_000,
      text: 'Spende "Dach"; AC 7KXM 3PFT',
      counterpartName: 'Grace Hopper'
    }
  ])
})

test('a CSV file of a Volksbank is parsed: a column without a name for debit and credit, tags in the text, and a balance that is not a payment', async () => {
  await assertEntries(parseEntries(readFixture('volksbank.csv')), [
    {
      bookedOn: '2026-03-07',
      valueOn: '2026-03-07',
      amountCents: 3000,
      endToEndId: 'E-77',
      mandateReference: 'M-1',
      text: 'Überweisungsgutschr. AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    {
      bookedOn: '2026-03-08',
      valueOn: '2026-03-08',
      amountCents: 8010,
      direction: 'out',
      text: 'Basislastschrift Abschlag',
      counterpartName: 'Stadtwerke',
      counterpartIban: grace
    }
  ])
})

test('an English CSV file with a column per direction is parsed, and an invalid line is reported with its number', async () => {
  const entries = await parseEntries(readFixture('english.csv'))
  assert.deepEqual(
    entries.map(({ bookedOn, amountCents, direction, text, counterpartName, problems }) => [
      bookedOn,
      amountCents,
      direction,
      text,
      counterpartName,
      problems.map(({ code, message }) => `${code}: ${message.en}`)
    ]),
    [
      ['2026-03-13', 102_550, 'in', 'AC-7KXM-3PFT, thanks', 'Ada Lovelace', []],
      ['2026-03-02', 1290, 'out', 'Fees', null, []],
      ['2026-03-04', 0, 'in', 'Broken', null, ['amount: Line 5: Invalid amount.']],
      [null, 100, 'in', 'No such day', null, ['day: Line 6: Invalid booking date.']]
    ]
  )
})

for (const [cell, expected] of [
  ['25', 2500],
  ['25,5', 2550],
  ['25.50', 2550],
  ['1.234,56', 123_456],
  ['1,234.56', 123_456],
  ["1'234.56", 123_456],
  ['1.234', 123_400],
  ['1.234.567', 123_456_700],
  ['+0,29 €', 29],
  ['EUR 0.29', 29],
  ['-25,00', -2500],
  ['−25,00', -2500],
  ['25,00-', -2500],
  ['25,00 S', -2500],
  ['25,00 H', 2500],
  ['25,005', 'amount-decimals'],
  ['1.23.4,00', 'amount'],
  ['12,34,5', 'amount'],
  ['1e3', 'amount'],
  ['abc', 'amount'],
  [`${'1.'.repeat(5000)}`, 'amount']
] as const) {
  test(`the amount ${cell.slice(0, 20)} is parsed exactly, or reported as a problem`, async () => {
    const other = typeof expected === 'string' ? '1,00' : cell
    const [entry] = await parseEntries(`Datum;Betrag\n02.03.2026;"${cell}"\n02.03.2026;"${other}"\n`)
    const signed = entry?.direction === 'out' ? -entry.amountCents : entry?.amountCents
    assert.equal(entry?.problems[0]?.code ?? signed, expected)
  })
}

test('the order of day and month in 3/4/2026 follows from the other rows, otherwise the date is a problem', async () => {
  const parseDays = async (...cells: string[]) =>
    (await parseEntries(`date,amount\n${cells.map(cell => `${cell},1.00\n`).join('')}`)).map(
      ({ bookedOn, problems }) => bookedOn ?? problems[0]?.code
    )
  assert.deepEqual(await parseDays('3/4/2026', '3/13/2026'), ['2026-03-04', '2026-03-13'])
  assert.deepEqual(await parseDays('3/4/2026', '13/3/2026'), ['2026-04-03', '2026-03-13'])
  assert.deepEqual(await parseDays('3/4/2026', '5/5/2026'), ['day', '2026-05-05'])
  assert.deepEqual(await parseDays('2026-03-04', '20260304', '4.3.26', '2026-03-04 12:30'), Array(4).fill('2026-03-04'))
})

test('a mapping assigns fields to unknown columns, and takes precedence over column names', async () => {
  const table = 'What;When;How much;Datum;Betrag\nAC-7KXM-3PFT;02.03.2026;25,00;01.01.2020;1,00\n'
  const [entry] = await parseEntries(table, { What: 'text', When: 'bookedOn', 'How much': 'amount' })
  assert.deepEqual([entry?.text, entry?.bookedOn, entry?.amountCents], ['AC-7KXM-3PFT', '2026-03-02', 2500])
})

test('a CSV file with unknown columns is refused with the list of its columns and their known fields', () => {
  const table = Buffer.from('What;Datum;How much\nx;02.03.2026;25,00\n')
  assert.throws(
    () => parseStatement(table, { type: 'csv' }),
    (error: unknown) => {
      assert.ok(error instanceof StatementFileProblem)
      assert.equal(error.code, 'statement-columns')
      assert.deepEqual(error.data, {
        columns: ['What', 'Datum', 'How much'],
        mapping: { What: '', Datum: 'bookedOn', 'How much': '' }
      })
      return true
    }
  )
})

test('unknown columns are found below other lines at the beginning', () => {
  const table = Buffer.from('Konto;DE89\n\nWhat;When;How much\nx;02.03.2026;25,00\n')
  assert.throws(() => parseStatement(table, { type: 'csv' }), {
    data: {
      columns: ['What', 'When', 'How much'],
      mapping: { What: '', When: '', 'How much': '' }
    }
  })
})

test('a CSV file without a header is refused, and the error does not repeat its content', () => {
  const table = Buffer.from(`02.03.2026;Ada Lovelace;${ada};25,00\n`)
  assert.throws(
    () => parseStatement(table, { type: 'csv' }),
    (error: unknown) => {
      assert.ok(error instanceof StatementFileProblem)
      assert.equal(error.code, 'statement-without-columns')
      assert.doesNotMatch(JSON.stringify([error.text, error.data]), /Ada|DE02/)
      return true
    }
  )
})

for (const mapping of [{ None: 'amount' }, { Betrag: 'money' }, { Betrag: 'constructor' }] as Record<
  string,
  string
>[]) {
  test(`a mapping such as ${JSON.stringify(mapping)} is refused`, () => {
    const table = Buffer.from('Datum;Betrag\n02.03.2026;25,00\n')
    assert.throws(() => parseStatement(table, { type: 'csv', mapping }), { code: 'statement-mapping' })
  })
}

test('a quote that is never closed is a problem of its line, and the lines before it are parsed', async () => {
  const entries = await parseEntries(
    'Datum;Betrag;Name\n02.03.2026;25,00;Ada\n03.03.2026;1,00;"Grace\n04.03.2026;1,00;x\n'
  )
  assert.deepEqual(
    entries.map(({ amountCents, problems }) => [amountCents, problems[0]?.message.en.slice(0, 6)]),
    [
      [2500, undefined],
      [0, 'Line 3']
    ]
  )
})

test('the type of a file is detected by its beginning', () => {
  assert.equal(detectFileType(Buffer.from('\ufeff <?xml version="1.0"?>')), 'xml')
  assert.equal(detectFileType(Buffer.from('\ufeff<Document>', 'utf16le')), 'xml')
  assert.equal(detectFileType(Buffer.from('"Buchungstag";"Betrag"')), 'csv')
  assert.equal(detectFileType(Buffer.from('\r\n:20:STARTUMS\r\n:25:')), 'mt940')
  assert.equal(detectFileType(Buffer.from('{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\r\n:20:1')), 'mt940')
  assert.equal(detectFileType(Buffer.from('ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:1\r\n')), 'mt940')
  assert.equal(detectFileType(Buffer.from('PK\u0003\u0004…')), 'zip')
})
