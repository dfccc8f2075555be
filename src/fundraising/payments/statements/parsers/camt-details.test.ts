import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildStatement, collect } from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
import type { Entry } from './parsed-entry.ts'

const ada = 'DE02120300000000202051'

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

async function parseEntries(bytes: Buffer): Promise<Entry[]> {
  return await collect(parseStatement(bytes, { type: 'xml' }))
}

test('details in the opposite direction of their booking are a problem, unless details in both directions add up to it', async () => {
  const entries = await parseEntries(readFixture('contradictions.camt.053.001.08.xml'))
  assert.deepEqual(
    entries.slice(0, 7).map(({ direction, amountCents, problems }) => [direction, amountCents, problems[0]?.code]),
    [
      ['out', 2500, 'direction-contradiction'],
      ['out', 1000, 'direction-contradiction'],
      ['out', 2000, 'direction-contradiction'],
      ['in', 2000, undefined],
      ['out', 500, undefined],
      ['in', 2000, 'sum'],
      ['in', 500, 'sum']
    ]
  )
})

test('the credit of a batch has the id of the batch, and tags without separators are parsed as fields', async () => {
  const entries = await parseEntries(readFixture('contradictions.camt.053.001.08.xml'))
  assert.deepEqual(
    entries
      .slice(7)
      .map(({ paymentInformationId, endToEndId, mandateReference, text }) => [
        paymentInformationId,
        endToEndId,
        mandateReference,
        text
      ]),
    [
      ['KALENDS-7-1', null, null, ''],
      ['KALENDS-8', null, null, ''],
      ['KALENDS-9-1', 'AC-7KXM-9999', 'M-1', 'Spende für Orgel']
    ]
  )
})

for (const [description, text, expected] of [
  ['a tag name inside a word is text', 'Freref+1 meinFREUND', 'Freref+1 meinFREUND'],
  ['text after an id is kept', 'Spende EREF: 12 AC-7KXM-3PFT', 'Spende AC-7KXM-3PFT'],
  ['text after an account is kept', `IBAN: ${ada} BIC: BYLADEM1001 AC-7KXM-3PFT`, 'AC-7KXM-3PFT'],
  ['an id that is too long is text', `EREF+12 AC-7KXM-3PFT ${'x'.repeat(30)}`, `AC-7KXM-3PFT ${'x'.repeat(30)}`],
  ['a second text is added', 'SVWZ+Spende SVWZ+AC-7KXM-3PFT', 'Spende AC-7KXM-3PFT']
] as const) {
  test(`the text of the payer is kept: ${description}`, async () => {
    const [entry] = await parseEntries(buildStatement([{ amount: '25.00', text }]))
    assert.equal(entry?.text, expected)
  })
}
