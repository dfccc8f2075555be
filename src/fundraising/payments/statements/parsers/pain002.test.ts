import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collect } from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
import { createParsedPayment, type Entry } from './parsed-entry.ts'

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const older = fixture('rejected.pain.002.001.03.xml').toString()

async function entriesIn(file: Buffer | string): Promise<Entry[]> {
  return await collect(parseStatement(Buffer.from(file), { type: 'xml', timezone: 'Europe/Berlin' }))
}

for (const version of ['03', '10']) {
  test(`what a status report in version ${version} rejects makes entries, what it accepts makes none`, async () => {
    const rejected = {
      part: 1,
      ...createParsedPayment('EUR'),
      bookedOn: '2026-03-03',
      direction: 'out',
      isReturn: true,
      isRejected: true,
      paymentInformationId: 'KALENDS-7-1'
    }
    assert.deepEqual(await entriesIn(fixture(`rejected.pain.002.001.${version}.xml`)), [
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

test('a debit without a status of its own has that of its batch, and of the file', async () => {
  const ofBatch = older.replaceAll(/<TxSts>\w+<\/TxSts>/g, '').replace('<PmtInfSts>PART', '<PmtInfSts>RJCT')
  assert.equal((await entriesIn(ofBatch)).length, 3)
  const ofFile = ofBatch.replace('<PmtInfSts>RJCT</PmtInfSts>', '').replace('<GrpSts>PART', '<GrpSts>RJCT')
  assert.equal((await entriesIn(ofFile)).length, 3)
})

test('a batch or a file that is rejected as a whole is one problem, with its name, sum and reason', async () => {
  const withoutDebits = older.replace(/<TxInfAndSts>[\s\S]*<\/TxInfAndSts>/, '')
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
    const entries = await entriesIn(text)
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

test('a report that accepts everything has no entries, and one of transfers is no return of a donation', async () => {
  assert.deepEqual(await entriesIn(older.replaceAll('RJCT', 'ACSC').replaceAll('PART', 'ACSC')), [])
  const transfers = await entriesIn(older.replace('pain.008.001.08', 'pain.001.001.09'))
  assert.deepEqual(
    transfers.map(({ direction }) => direction),
    ['in', 'in']
  )
})

test('a report without the file that it is about is refused', async () => {
  const text = older.replace(/<OrgnlGrpInfAndSts>[\s\S]*<\/OrgnlGrpInfAndSts>/, '')
  await assert.rejects(entriesIn(text), { code: 'not-a-statement' })
})
