// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { donation } from '#test/support/services.ts'
import { buildZip } from '#test/support/zip.ts'

const { aCampaign, aDonation, readEntries, readStatus, treasurer, upload } = await startBankImports()
const { id: campaignId } = await aCampaign()
let cents = 70_000

async function createPledge() {
  cents += 1
  return await aDonation(campaignId, { ...donation, amount: cents / 100 })
}

const plainText = { headers: { 'content-type': 'text/plain' } }
const archive = { headers: { 'content-type': 'application/zip' } }
const toResult = (entry: { result: string; reason: { code: string } | null }) => [
  entry.result,
  entry.reason?.code ?? null
]

interface Pledge {
  id: string
  campaignId: number
  amount: number
  reference: string
}

const formatAmount = ({ amount }: Pledge) => amount.toFixed(2)

const buildMt940 = (...fields: string[]) =>
  [':20:1', ':25:37040044/0532013000', ':28C:1/1', ':60F:C260301EUR0,00', ...fields, ':62F:C260302EUR0,00', '-'].join(
    '\r\n'
  )

test('a payment in MT940 is booked by its reference, and a return sets the donation to FAILED', async () => {
  const [first, second] = [await createPledge(), await createPledge()]
  const formatWithComma = (one: Pledge) => formatAmount(one).replace('.', ',')
  const { status, body, text } = await upload(
    buildMt940(
      `:61:2603020302CR${formatWithComma(first)}NTRFNONREF`,
      `:86:166?00GUTSCHRIFT?20SVWZ+Spende ${first.reference.slice(0, 5)}?21${first.reference.slice(5)}?32Ada`,
      `:61:2603020302CR${formatWithComma(second)}NTRFNONREF`,
      `:86:171?00LASTSCHRIFT?20EREF+${second.reference}?21SVWZ+Spende?32Grace`,
      `:61:2603030303DR${formatWithComma(second)}NRTINONREF`,
      `:86:109?00RUECKLASTSCHRIFT?20EREF+${second.reference}?32Grace?34906`
    ),
    plainText
  )
  assert.equal(status, 201, text)
  assert.equal(body.format, 'mt940')
  assert.deepEqual((await readEntries(body.id)).map(toResult), [
    ['booked', null],
    ['booked', null],
    ['returned', 'AM04']
  ])
  assert.deepEqual([await readStatus(first), await readStatus(second)], ['TRANSFERRED', 'FAILED'])
})

test('a ZIP file is one statement, in which a payment of another file or an earlier import is a duplicate', async () => {
  const [first, second, third] = [await createPledge(), await createPledge(), await createPledge()]
  const buildPayment = (one: Pledge) => buildBooking({ amount: formatAmount(one), text: one.reference })
  const [one, two, three] = [buildPayment(first), buildPayment(second), buildPayment(third)]
  assert.equal((await upload(buildStatement([one]))).status, 201)
  const bytes = buildZip([
    { name: '2.xml', content: buildStatement([two, three]) },
    { name: '1.xml', content: buildStatement([one, two]) }
  ])
  const { status, body, text } = await upload(bytes, archive)
  assert.equal(status, 201, text)
  assert.deepEqual([body.format, body.counts.entries, body.complete], ['zip of camt.053.001.08', 4, true])
  const entries = await readEntries(body.id)
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

test('a ZIP file with an unreadable file is refused with the file name in both languages, and nothing is booked', async () => {
  const pledged = await createPledge()
  const bytes = buildZip([
    {
      name: '1.xml',
      content: buildStatement([buildBooking({ amount: formatAmount(pledged), text: pledged.reference })])
    },
    { name: '2.xml', content: '<html/>' }
  ])
  for (const [language, message] of [
    ['en', /^2\.xml: Unsupported file format/],
    ['de', /^2\.xml: Das Dateiformat wird nicht unterstützt/]
  ] as const) {
    const headers = { ...archive.headers, 'accept-language': language }
    const { status, body } = await upload(bytes, { headers })
    assert.deepEqual([status, body.code], [400, 'not-a-statement'])
    assert.match(body.message ?? body.detail ?? body.title, message)
  }
  assert.equal(await readStatus(pledged), 'IN_PROCESS')
})

const buildReport = (transactions: string, group = 'PART') => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R${cents}</MsgId><CreDtTm>2026-03-03T06:00:00+01:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>K-${cents}</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.08</OrgnlMsgNmId><GrpSts>${group}</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>K-${cents}-1</OrgnlPmtInfId>${transactions}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`

const buildDebit = (one: Pledge, status: string, details = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${one.reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>
<StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf>${details}</TxInfAndSts>`

const buildAmount = (one: Pledge) =>
  `<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">${formatAmount(one)}</InstdAmt></Amt></OrgnlTxRef>`

test('a debit that the bank rejects sets the donation to FAILED, with or without its amount in the report; an accepted one stays pending', async () => {
  const [first, second, third] = [await createPledge(), await createPledge(), await createPledge()]
  const { status, body, text } = await upload(
    buildReport(buildDebit(first, 'RJCT', buildAmount(first)) + buildDebit(second, 'RJCT') + buildDebit(third, 'ACCP'))
  )
  assert.equal(status, 201, text)
  assert.equal(body.format, 'pain.002.001.10')
  const entries = await readEntries(body.id)
  assert.deepEqual(entries.map(toResult), [
    ['returned', 'AC01'],
    ['returned', 'AC01']
  ])
  assert.deepEqual(await Promise.all([first, second, third].map(readStatus)), ['FAILED', 'FAILED', 'IN_PROCESS'])
  const { body: notes } = await treasurer.get(`/campaigns/${campaignId}/donations/${first.id}/notes`)
  assert.match(JSON.stringify(notes), /AC01/)
})

test('a rejected debit with another amount than pledged is suggested, and the donation stays pending', async () => {
  const pledged = await createPledge()
  const { body } = await upload(buildReport(buildDebit(pledged, 'RJCT', buildAmount({ ...pledged, amount: 1 }))))
  assert.deepEqual((await readEntries(body.id)).map(toResult), [['suggested', 'other-amount']])
  assert.equal(await readStatus(pledged), 'IN_PROCESS')
})

test('a batch that is rejected completely is an entry with a problem that names the batch', async () => {
  await createPledge()
  const { body } = await upload(buildReport('<PmtInfSts>RJCT</PmtInfSts>'))
  const [entry] = await readEntries(body.id)
  assert.deepEqual(
    [entry.result, entry.reason.code, entry.paymentInformationId],
    ['problem', 'batch-rejected', `K-${cents}-1`]
  )
})

test('an outgoing booking is never booked as a donation, even if its details are incoming', async () => {
  const pledged = await createPledge()
  const payment = { amount: formatAmount(pledged), text: pledged.reference }
  const bytes = buildStatement([
    buildBooking({ ...payment, direction: 'out', payments: [{ ...payment, direction: 'in' }] })
  ])
  for (const [language, message] of [
    ['en', /Contradictory data/],
    ['de', /Widersprüchliche Angaben/]
  ] as const) {
    const { body } = await upload(bytes)
    const { body: entries } = await treasurer.get(`/bank-statements/${body.id}/entries`, {
      'accept-language': language
    })
    assert.deepEqual([entries[0].result, entries[0].direction], ['problem', 'out'])
    assert.match(entries[0].reason.message, message)
  }
  assert.equal(await readStatus(pledged), 'IN_PROCESS')
})
