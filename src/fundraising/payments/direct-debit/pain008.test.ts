import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findErrorsBySchema,
  findSchemaErrors,
  listValues,
  sumTransactions
} from '#test/support/fundraising/direct-debit.ts'
import { loadIsoSchema } from '#test/support/fundraising/iso-schema.ts'
import { buildPain008, type Debit } from './pain008.ts'
import { toSepaCharacters } from './transliteration.ts'

const debit: Debit = {
  reference: 'AC-7KXM-3PFT',
  amountCents: 2500,
  signedOn: '2026-11-15',
  debtorName: 'Jürgen Groß',
  debtorIban: 'DE02120300000000202051',
  account: 'DE89370400440532013000',
  sequenceType: 'OOFF',
  remittance: 'Spende AC-7KXM-3PFT Musikschule'
}

const buildFile = (debits: Debit[]) =>
  buildPain008({
    messageId: 'KALENDS-20261115-101500-0A1B2C3D',
    createdAt: '2026-11-15T10:15:00.000Z',
    collectOn: '2026-11-24',
    creditorName: 'Förderverein der Musikschule e. V. & Freunde',
    creditorId: 'DE98ZZZ09999999999',
    batchBooking: true,
    debits
  })

/** Realistic names, and malformed ones. */
const names = [
  'Zoë Müller-Lüdenscheidt',
  'Łukasz Żółć',
  'Søren Ægir Ångström',
  'Дмитрий Щукин',
  'Αλέξανδρος Ψαρρός',
  '李小龍',
  'محمد',
  '<Nm>&amp;"\'</Nm>]]>',
  '🎺🎺🎺',
  '/// //',
  '\u200b\u0301',
  'x'.repeat(140),
  'ﬃ ½ Ⅷ ＡＢＣ'
]

const buildDebits = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...debit,
    debtorName: names[index % names.length] ?? '',
    remittance: `Spende ${names[index % names.length]}`,
    amountCents: index === 0 ? 99_999_999_999 : index,
    account: index % 2 === 0 ? debit.account : 'AT611904300234573201',
    sequenceType: index % 4 < 2 ? ('OOFF' as const) : ('RCUR' as const)
  }))

test('a file with all kinds of names is valid, and its sums are those of its debits', async () => {
  const debits = buildDebits(names.length)
  const xml = buildFile(debits)
  assert.deepEqual(await findSchemaErrors(xml), [[]])
  const cents = debits.reduce((sum, { amountCents }) => sum + amountCents, 0)
  assert.deepEqual(sumTransactions(xml), { count: names.length, cents })
  assert.deepEqual(
    listValues(xml, 'PmtInfId'),
    [1, 2, 3, 4].map(number => `KALENDS-20261115-101500-0A1B2C3D-${number}`)
  )
  assert.deepEqual(listValues(xml, 'SeqTp'), ['OOFF', 'OOFF', 'RCUR', 'RCUR'])
  assert.equal(xml, buildFile(debits), 'the same debits give the same bytes')
})

const schema = loadIsoSchema()

test('files of one debit and of a thousand are valid by the schema of ISO, which refuses an invalid file', {
  skip: 'reason' in schema && schema.reason
}, async () => {
  const { text } = schema as { text: string }
  const files = [
    buildFile([debit]),
    buildFile(buildDebits(1000)),
    buildFile([debit]).replace('<PmtMtd>DD</PmtMtd>', '')
  ]
  assert.deepEqual(
    (await findErrorsBySchema(text, files)).map(errors => errors.length > 0),
    [false, false, true]
  )
})

test('the schema of these tests refuses invalid files', async () => {
  const xml = buildFile([debit])
  const wrong = [
    ['<CtrlSum>25.00</CtrlSum>', ''],
    ['Juergen Gross', 'Jürgen Groß'],
    ['>25.00</InstdAmt>', '>0.00</InstdAmt>'],
    ['>25.00</InstdAmt>', '>25.001</InstdAmt>'],
    ['<SeqTp>OOFF</SeqTp>', '<SeqTp>FRST</SeqTp>'],
    ['2026-11-24', '24.11.2026'],
    ['Juergen Gross', 'x'.repeat(71)]
  ] as const
  for (const [before] of wrong) assert.ok(xml.includes(before), before)
  const errors = await findSchemaErrors(xml, ...wrong.map(([before, after]) => xml.replace(before, after)))
  assert.deepEqual(
    errors.map(found => found.length > 0),
    [false, ...wrong.map(() => true)]
  )
})

for (const [name, transliterated] of [
  ['Jürgen Groß', 'Juergen Gross'],
  ['ÄRZTE ÖL Übung', 'AeRZTE OeL Uebung'],
  ['José Ñandú-Çelik', 'Jose Nandu-Celik'],
  ['Łukasz Øre Æsop Þór', 'Lukasz Oere Aesop Thor'],
  ['Дмитрий Щукин', 'Dmitrii Shchukin'],
  ['Αλέξανδρος', 'Alexandros'],
  ['Meier & Söhne', 'Meier + Soehne'],
  ['Ann “Annie” O’Neil', "Ann 'Annie' O'Neil"],
  ['a_b@c; [d]', 'a-b(at)c, (d)'],
  ['  //Müller//  ', 'Mueller'],
  ['李', 'NOTPROVIDED'],
  ['', 'NOTPROVIDED']
] as const) {
  test(`“${name}” is transliterated to “${transliterated}”`, () =>
    assert.equal(toSepaCharacters(name, 70), transliterated))
}

test('every Unicode character is transliterated to allowed characters, within the maximum length', () => {
  for (let code = 1; code < 0x11000; code += 1) {
    const transliterated = toSepaCharacters(`a${String.fromCodePoint(code)}`, 12)
    assert.match(transliterated, /^[A-Za-z0-9/\-?:().,'+ ]{1,12}$/, code.toString(16))
  }
  assert.equal(toSepaCharacters('ß'.repeat(100_000), 70), 's'.repeat(70))
})
