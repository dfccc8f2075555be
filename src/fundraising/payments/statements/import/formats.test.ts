// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { donation } from '#test/support/services.ts'
import { buildZip } from '#test/support/zip.ts'

const { aCampaign, aDonation, entriesOf, statusOf, treasurer, upload } = await startBankImports()
const { id: campaignId } = await aCampaign()
let cents = 70_000

async function promised() {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100 })
}

const plainText = { headers: { 'content-type': 'text/plain' } }
const archive = { headers: { 'content-type': 'application/zip' } }
const told = (entry: { result: string; reason: { code: string } | null }) => [entry.result, entry.reason?.code ?? null]

interface Given {
  id: string
  campaignId: number
  amount: number
  reference: string
}

const amountOf = ({ amount }: Given) => amount.toFixed(2)

const mt940 = (...fields: string[]) =>
  [':20:1', ':25:37040044/0532013000', ':28C:1/1', ':60F:C260301EUR0,00', ...fields, ':62F:C260302EUR0,00', '-'].join(
    '\r\n'
  )

test('a gift in MT940 is booked by its reference, whatever the file is called, and a return makes it fail', async () => {
  const [first, second] = [await promised(), await promised()]
  const comma = (one: Given) => amountOf(one).replace('.', ',')
  const { status, body, text } = await upload(
    mt940(
      `:61:2603020302CR${comma(first)}NTRFNONREF`,
      `:86:166?00GUTSCHRIFT?20SVWZ+Spende ${first.reference.slice(0, 5)}?21${first.reference.slice(5)}?32Ada`,
      `:61:2603020302CR${comma(second)}NTRFNONREF`,
      `:86:171?00LASTSCHRIFT?20EREF+${second.reference}?21SVWZ+Spende?32Grace`,
      `:61:2603030303DR${comma(second)}NRTINONREF`,
      `:86:109?00RUECKLASTSCHRIFT?20EREF+${second.reference}?32Grace?34906`
    ),
    plainText
  )
  assert.equal(status, 201, text)
  assert.equal(body.format, 'mt940')
  assert.deepEqual((await entriesOf(body.id)).map(told), [
    ['booked', null],
    ['booked', null],
    ['returned', 'AM04']
  ])
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['TRANSFERRED', 'FAILED'])
})

test('a ZIP file is one statement; a payment that stands in two of its files, or came before, is known', async () => {
  const [first, second, third] = [await promised(), await promised(), await promised()]
  const pays = (one: Given) => buildBooking({ amount: amountOf(one), text: one.reference })
  const [one, two, three] = [pays(first), pays(second), pays(third)]
  assert.equal((await upload(buildStatement([one]))).status, 201)
  const bytes = buildZip([
    { name: '2.xml', content: buildStatement([two, three]) },
    { name: '1.xml', content: buildStatement([one, two]) }
  ])
  const { status, body, text } = await upload(bytes, archive)
  assert.equal(status, 201, text)
  assert.deepEqual([body.format, body.counts.entries, body.complete], ['zip of camt.053.001.08', 4, true])
  const entries = await entriesOf(body.id)
  assert.deepEqual(
    entries.map(({ position, result }: { position: number; result: string }) => [position, result]),
    [
      [1, 'known'],
      [2, 'booked'],
      [3, 'known'],
      [4, 'booked']
    ]
  )
  assert.deepEqual(entries[2].firstSeen, { statementId: body.id, entryId: entries[1].id })
  assert.equal((await upload(bytes, archive)).body.repeated, true)
})

test('a ZIP file of which one file cannot be read is refused with its name in both languages, and nothing is booked', async () => {
  const given = await promised()
  const bytes = buildZip([
    { name: '1.xml', content: buildStatement([buildBooking({ amount: amountOf(given), text: given.reference })]) },
    { name: '2.xml', content: '<html/>' }
  ])
  for (const [language, words] of [
    ['en', /^2\.xml: Unsupported file format/],
    ['de', /^2\.xml: Das Dateiformat wird nicht unterstützt/]
  ] as const) {
    const headers = { ...archive.headers, 'accept-language': language }
    const { status, body } = await upload(bytes, { headers })
    assert.deepEqual([status, body.code], [400, 'not-a-statement'])
    assert.match(body.message ?? body.detail ?? body.title, words)
  }
  assert.equal(await statusOf(given), 'IN_PROCESS')
})

const report = (transactions: string, group = 'PART') => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R${cents}</MsgId><CreDtTm>2026-03-03T06:00:00+01:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>K-${cents}</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.08</OrgnlMsgNmId><GrpSts>${group}</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>K-${cents}-1</OrgnlPmtInfId>${transactions}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`

const debit = (one: Given, status: string, more = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${one.reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>
<StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf>${more}</TxInfAndSts>`

const amountIn = (one: Given) => `<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">${amountOf(one)}</InstdAmt></Amt></OrgnlTxRef>`

test('a debit that the bank rejects fails, whether the report repeats its amount or not; one that it accepts waits on', async () => {
  const [first, second, third] = [await promised(), await promised(), await promised()]
  const { status, body, text } = await upload(
    report(debit(first, 'RJCT', amountIn(first)) + debit(second, 'RJCT') + debit(third, 'ACCP'))
  )
  assert.equal(status, 201, text)
  assert.equal(body.format, 'pain.002.001.10')
  const entries = await entriesOf(body.id)
  assert.deepEqual(entries.map(told), [
    ['returned', 'AC01'],
    ['returned', 'AC01']
  ])
  assert.deepEqual(await Promise.all([first, second, third].map(statusOf)), ['FAILED', 'FAILED', 'IN_PROCESS'])
  const { body: notes } = await treasurer.get(`/campaigns/${campaignId}/donations/${first.id}/notes`)
  assert.match(JSON.stringify(notes), /AC01/)
})

test('a rejected debit of another amount than was promised is suggested, and fails nothing', async () => {
  const given = await promised()
  const { body } = await upload(report(debit(given, 'RJCT', amountIn({ ...given, amount: 1 }))))
  assert.deepEqual((await entriesOf(body.id)).map(told), [['suggested', 'other-amount']])
  assert.equal(await statusOf(given), 'IN_PROCESS')
})

test('a batch that is rejected as a whole is a problem that names the batch', async () => {
  await promised()
  const { body } = await upload(report('<PmtInfSts>RJCT</PmtInfSts>'))
  const [entry] = await entriesOf(body.id)
  assert.deepEqual(
    [entry.result, entry.reason.code, entry.paymentInformationId],
    ['problem', 'batch-rejected', `K-${cents}-1`]
  )
})

test('money that was sent is never booked as a gift, whatever its details say', async () => {
  const given = await promised()
  const payment = { amount: amountOf(given), text: given.reference }
  const bytes = buildStatement([
    buildBooking({ ...payment, direction: 'out', payments: [{ ...payment, direction: 'in' }] })
  ])
  for (const [language, words] of [
    ['en', /Contradictory data/],
    ['de', /Widersprüchliche Angaben/]
  ] as const) {
    const { body } = await upload(bytes)
    const { body: entries } = await treasurer.get(`/bank-statements/${body.id}/entries`, {
      'accept-language': language
    })
    assert.deepEqual([entries[0].result, entries[0].direction], ['problem', 'out'])
    assert.match(entries[0].reason.message, words)
  }
  assert.equal(await statusOf(given), 'IN_PROCESS')
})
