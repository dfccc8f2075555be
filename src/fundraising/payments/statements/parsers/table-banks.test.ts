import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collect } from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
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

test('a CSV file of a Sparkasse in its MT940 layout is parsed: tags without separators are fields', async () => {
  await assertEntries(parseEntries(readFixture('sparkasse-mt940.csv')), [
    {
      account: ownIban,
      bookedOn: '2026-03-02',
      valueOn: '2026-03-02',
      amountCents: 2500,
      endToEndId: 'E-77',
      mandateReference: 'M-1',
      text: 'Spende AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    {
      account: ownIban,
      bookedOn: '2026-03-03',
      valueOn: '2026-03-03',
      amountCents: 2500,
      direction: 'out',
      isReturn: true,
      returnReason: 'AC04',
      endToEndId: 'AC-7KXM-9999',
      mandateReference: 'AC-7KXM-9999',
      text: 'AC04 KONTO AUFGELOEST',
      counterpartName: 'Grace Hopper',
      counterpartIban: grace,
      counterpartBic: 'INGDDEFFXXX'
    }
  ])
})

test('a CSV file of the TARGOBANK is parsed: it has no header, and all data of a payment in one cell', async () => {
  await assertEntries(parseEntries(readFixture('targobank.csv')), [
    {
      account: ownIban,
      bookedOn: '2026-03-02',
      valueOn: null,
      amountCents: 2500,
      text: 'Spende AC-7KXM-3PFT NOTPROVIDED',
      counterpartName: 'ADA LOVELACE',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    {
      account: ownIban,
      bookedOn: '2026-03-03',
      valueOn: null,
      amountCents: 108_010,
      direction: 'out',
      text: 'Abschlag März E-77 DE98ZZZ09999999999 M-1',
      counterpartName: 'Stadtwerke',
      counterpartIban: grace
    },
    {
      account: ownIban,
      bookedOn: '2026-03-04',
      valueOn: null,
      amountCents: 695,
      direction: 'out',
      text: 'Entgelt Kontoführung für Februar 2026',
      counterpartName: 'für Februar 2026'
    }
  ])
})

test('an invalid line of a CSV file without a header is reported with its number', async () => {
  const table = readFixture('targobank.csv').toString().replace('03.03.2026', '33.03.2026')
  const [, second] = await parseEntries(table)
  assert.match(second?.problems[0]?.message.en ?? '', /^Line 2: /)
})

test('a CSV file of the Commerzbank is parsed: the text begins with the name and contains ids with German labels', async () => {
  await assertEntries(parseEntries(readFixture('commerzbank.csv')), [
    {
      account: ownIban,
      bookedOn: '2026-03-02',
      valueOn: '2026-03-02',
      amountCents: 2500,
      endToEndId: 'AC-7KXM-3PFT',
      paymentInformationId: 'NSCT260',
      text: 'Ada Lovelace Spende Orgel'
    },
    {
      account: ownIban,
      bookedOn: '2026-03-03',
      valueOn: '2026-03-03',
      amountCents: 8010,
      direction: 'out',
      endToEndId: 'E-77',
      mandateReference: 'M-1',
      text: 'Stadtwerke Abschlag März SEPA-BASISLASTSCHRIFT wiederholend'
    }
  ])
})

test('a CSV file of the Postbank is parsed: balances above and below the table are not payments, a payment with that text is one', async () => {
  await assertEntries(parseEntries(readFixture('postbank.csv')), [
    {
      bookedOn: '2026-03-02',
      valueOn: '2026-03-03',
      amountCents: 2500,
      text: 'Spende AC-7KXM-3PFT',
      counterpartName: 'Ada Lovelace',
      counterpartIban: ada
    },
    {
      bookedOn: '2026-03-03',
      valueOn: '2026-03-03',
      amountCents: 8010,
      direction: 'out',
      endToEndId: 'E-77',
      mandateReference: 'M-1',
      text: 'Kontostand',
      counterpartName: 'Stadtwerke',
      counterpartIban: grace
    }
  ])
})
