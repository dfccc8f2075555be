import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collect } from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
import { createParsedPayment, type Entry } from './parsed-entry.ts'

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const report = readFixture('rejected.pain.002.001.03.xml').toString()

async function parseEntries(file: Buffer | string): Promise<Entry[]> {
  return await collect(parseStatement(Buffer.from(file), { type: 'xml', timezone: 'Europe/Berlin' }))
}

for (const version of ['03', '10']) {
  test(`a status report in version ${version} has an entry for each rejected debit and none for accepted ones`, async () => {
    const rejected = {
      part: 1,
      ...createParsedPayment('EUR'),
      bookedOn: '2026-03-03',
      direction: 'out',
      isReturn: true,
      isRejected: true,
      paymentInformationId: 'KALENDS-7-1'
    }
    assert.deepEqual(await parseEntries(readFixture(`rejected.pain.002.001.${version}.xml`)), [
      {
        ...rejected,
        position: 1,
        account: 'DE89370400440532013000',
        bankReference: 'KALENDS-7-1/AC-7KXM-3PFT',
        amountCents: 2500,
        returnReason: 'AC01',
        endToEndId: 'AC-7KXM-3PFT',
        mandateReference: 'AC-7KXM-3PFT',
        text: 'Spende AC-7KXM-3PFT',
        counterpartName: 'Ada Lovelace',
        counterpartIban: 'DE02120300000000202051',
        counterpartBic: 'BYLADEM1001'
      },
      {
        ...rejected,
        position: 2,
        bankReference: 'KALENDS-7-1/AC-7KXM-8888',
        returnReason: 'MD01',
        endToEndId: 'AC-7KXM-8888'
      }
    ])
  })
}

test('a debit without a status has the status of its batch, otherwise that of the file', async () => {
  const ofBatch = report.replaceAll(/<TxSts>\w+<\/TxSts>/g, '').replace('<PmtInfSts>PART', '<PmtInfSts>RJCT')
  assert.equal((await parseEntries(ofBatch)).length, 3)
  const ofFile = ofBatch.replace('<PmtInfSts>RJCT</PmtInfSts>', '').replace('<GrpSts>PART', '<GrpSts>RJCT')
  assert.equal((await parseEntries(ofFile)).length, 3)
})

test('a batch or file that is rejected completely is one entry with a problem, with its id, sum and reason', async () => {
  const withoutDebits = report.replace(/<TxInfAndSts>[\s\S]*<\/TxInfAndSts>/, '')
  const reason = '<StsRsnInf><Rsn><Cd>FF01</Cd></Rsn></StsRsnInf>'
  const batch = withoutDebits.replace(
    '<PmtInfSts>PART</PmtInfSts>',
    `<OrgnlCtrlSum>75.00</OrgnlCtrlSum><PmtInfSts>RJCT</PmtInfSts>${reason}`
  )
  const file = withoutDebits
    .replace(/<OrgnlPmtInfAndSts>[\s\S]*<\/OrgnlPmtInfAndSts>/, '')
    .replace('<GrpSts>PART</GrpSts>', `<GrpSts>RJCT</GrpSts>${reason}`)
  for (const [text, name] of [
    [batch, 'KALENDS-7-1'],
    [file, 'KALENDS-7']
  ] as const) {
    const entries = await parseEntries(text)
    assert.deepEqual(
      entries.map(entry => [
        entry.paymentInformationId,
        entry.amountCents,
        entry.returnReason,
        entry.problems[0]?.code
      ]),
      [[name, 7500, 'FF01', 'batch-rejected']]
    )
  }
})

test('a report that accepts everything has no entries, and rejected transfers have the direction in', async () => {
  assert.deepEqual(await parseEntries(report.replaceAll('RJCT', 'ACSC').replaceAll('PART', 'ACSC')), [])
  const transfers = await parseEntries(report.replace('pain.008.001.08', 'pain.001.001.09'))
  assert.deepEqual(
    transfers.map(({ direction }) => direction),
    ['in', 'in']
  )
})

test('a report that does not name the original file is refused', async () => {
  const text = report.replace(/<OrgnlGrpInfAndSts>[\s\S]*<\/OrgnlGrpInfAndSts>/, '')
  await assert.rejects(parseEntries(text), { code: 'not-a-statement' })
})
