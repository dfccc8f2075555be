import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { donation } from '#test/support/services.ts'

const { admin, aCampaign, importBookings, treasurer } = await startBankImports({ env: { TIMEZONE: 'Europe/Berlin' } })
const german = { 'accept-language': 'de' }
await admin.patch('/organisation', organisation)

const { id: campaignId } = await aCampaign({ name: 'Dach; "neu"' })
const path = `/campaigns/${campaignId}/donations`
const address = { street: 'Gasse 1', postalCode: '01067', city: 'Köln', country: 'DE' }
const bank = (await treasurer.post(path, { ...donation, amount: 100, donorName: 'Jörg Größe', address })).body
const cash = (
  await treasurer.post(path, {
    ...donation,
    account: undefined,
    amount: 20,
    donorName: '=SUMME(A1)',
    status: 'TRANSFERRED',
    receivedOn: '2025-12-30',
    paymentSource: 'cash'
  })
).body
await importBookings([buildBooking({ amount: '100.00', text: bank.reference, bookedOn: '2025-03-04' })])
const { body: receipt } = await treasurer.post('/receipts', { kind: 'single', donation: { campaignId, id: bank.id } })
await treasurer.post(`${path}/${cash.id}/payments`, { amount: -5.5, receivedOn: '2025-12-31' })
await treasurer.post(`${path}/${cash.id}/payments`, { amount: 3, receivedOn: '2026-01-01', source: 'cash' })

const parseCsv = (text: string, delimiter: string) =>
  parse(text.replace(/^\ufeff/, ''), { delimiter, columns: true, relax_quotes: false }) as Record<string, string>[]

test('the journal of a year lists every payment with its date, in the German or the English CSV format', async () => {
  const response = await treasurer.get('/journal.csv?year=2025', german)
  assert.equal(response.status, 200, response.text)
  const rows = parseCsv(response.text, ';')
  assert.deepEqual(
    rows.map(row => [row.Tag, row.Eingegangen, row.Zugesagt, row.Zahlungsart, row.Name, row.Konto]),
    [
      ['04.03.2025', '100,00', '100,00', 'Überweisung', 'Jörg Größe', 'DE89370400440532013000'],
      ['30.12.2025', '20,00', '20,00', 'Bar', "'=SUMME(A1)", 'Kasse'],
      ['31.12.2025', '-5,50', '20,00', 'Bar, zurückgezahlt', "'=SUMME(A1)", 'Kasse']
    ]
  )
  const [first] = rows
  assert.equal(first?.['Nummer der Zuwendungsbestätigung'], receipt.number)
  assert.deepEqual(
    [first?.Straße, first?.PLZ, first?.Ort, first?.Land, first?.Spendenaktion, first?.Referenz],
    ['Gasse 1', '01067', 'Köln', 'DE', 'Dach; "neu"', bank.reference]
  )
  const english = await treasurer.get('/journal.csv?year=2026')
  assert.deepEqual(
    parseCsv(english.text, ',').map(row => [row.Day, row.Received, row.Payment]),
    [['2026-01-01', '3.00', 'Cash']]
  )
})

test('the journal can be filtered by account, and the sums per account match its rows', async () => {
  const { body } = await treasurer.get('/journal?year=2025')
  assert.deepEqual(body.years, [2026, 2025])
  assert.deepEqual(body.accounts, [
    { account: 'DE89370400440532013000', currency: 'EUR', count: 1, received: 100, returned: 0, balance: 100 },
    { account: 'cash', currency: 'EUR', count: 2, received: 20, returned: 5.5, balance: 14.5 }
  ])
  const ofCash = await treasurer.get('/journal.csv?year=2025&account=cash', german)
  assert.equal(parseCsv(ofCash.text, ';').length, 2)
  const ofBank = await treasurer.get('/journal.csv?year=2025&account=DE89%203704%200044%200532%200130%2000', german)
  assert.equal(parseCsv(ofBank.text, ';').length, 1)
  const none = await treasurer.get('/journal.csv?year=2024', german)
  assert.deepEqual(parseCsv(none.text, ';'), [])
  for (const query of ['', '?year=99', '?year=abc']) {
    assert.equal((await treasurer.get(`/journal.csv${query}`)).status, 400)
  }
})

test('the DATEV export is a batch of bookings with the account numbers of the settings', async () => {
  const settings = await treasurer.patch('/bookkeeping', {
    consultantNumber: 29_098,
    clientNumber: 55_003,
    bankAccounts: [{ iban: 'DE89 3704 0044 0532 0130 00', account: '0946' }]
  })
  assert.equal(settings.status, 200, settings.text)
  assert.deepEqual([settings.body.cash, settings.body.membershipFees, settings.body.version], ['0920', '2110', 1])
  const response = await treasurer.get('/journal/datev.csv?year=2025')
  assert.equal(response.status, 200, response.text)
  assert.match(response.headers['content-disposition'] ?? '', /EXTF_Buchungsstapel_2025\.csv/)
  const [head = '', columns = '', ...lines] = response.text
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n')
  const fields = head.split(';')
  assert.deepEqual(
    [fields.length, fields.slice(0, 5), fields.slice(10, 16), fields[26]],
    [
      31,
      ['"EXTF"', '700', '21', '"Buchungsstapel"', '13'],
      ['29098', '55003', '20250101', '4', '20250101', '20251231'],
      '"49"'
    ]
  )
  assert.match(fields[5] ?? '', /^20\d{15}$/)
  assert.equal(columns.split(';').length, 125)
  const rows = parseCsv([columns, ...lines].join('\r\n'), ';')
  assert.deepEqual(
    rows.map(row => [
      row['Umsatz (ohne Soll/Haben-Kz)'],
      row['Soll/Haben-Kennzeichen'],
      row.Konto,
      row['Gegenkonto (ohne BU-Schlüssel)'],
      row.Belegdatum,
      row['Belegfeld 1'],
      row['Beleginfo - Inhalt 1']
    ]),
    [
      ['100,00', 'S', '0946', '3221', '0403', bank.reference, receipt.number],
      ['20,00', 'S', '0920', '3222', '3012', cash.reference, ''],
      ['5,50', 'H', '0920', '3222', '3112', cash.reference, '']
    ]
  )
  assert.equal(rows[0]?.Buchungstext, 'Jörg Größe Dach; "neu"')
})

test('invalid account numbers are refused with their field, and change nothing', async () => {
  for (const [pointer, body] of [
    ['/bank', { bank: '12' }],
    ['/cash', { cash: 'abcd' }],
    ['/consultantNumber', { consultantNumber: 7 }],
    ['/bankAccounts/0/iban', { bankAccounts: [{ iban: 'nothing', account: '0945' }] }],
    ['/bank', { bank: '09450' }]
  ] as const) {
    const refused = await treasurer.patch('/bookkeeping', body)
    assert.ok([400, 422].includes(refused.status), refused.text)
    assert.equal(refused.body.errors[0].pointer, pointer)
  }
  assert.equal((await treasurer.get('/bookkeeping')).body.bank, '0945')
  const stale = await treasurer.patch('/bookkeeping', { bank: '0947' }, { 'if-match': '"0-nothing"' })
  assert.equal(stale.status, 412)
})
