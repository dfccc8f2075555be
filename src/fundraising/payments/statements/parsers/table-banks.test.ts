import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collect } from '#test/support/fundraising/bank-statements.ts'
import { parseStatement } from './parse-statement.ts'
import type { Entry } from './parsed-entry.ts'

const own = 'DE89370400440532013000'
const ada = 'DE02120300000000202051'
const grace = 'DE02500105170137075030'

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

async function entriesIn(table: Buffer | string, mapping?: Record<string, string>): Promise<Entry[]> {
  const options = { type: 'csv' as const, ...(mapping === undefined ? {} : { mapping }) }
  return await collect(parseStatement(Buffer.from(table), options))
}

/** What differs from a plain payment of 25 euros. */
async function assertEntries(entries: Promise<Entry[]>, expected: Partial<Entry>[]): Promise<void> {
  const plain = {
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
    expected.map((entry, place) => ({ position: place + 1, ...plain, ...entry }))
  )
}

test('a table of a Sparkasse as MT940 has it: tags that are glued together are fields', async () => {
  await assertEntries(entriesIn(fixture('sparkasse-mt940.csv')), [
    {
      account: own,
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
      account: own,
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

test('a table of the TARGOBANK has no names of columns, and all about a payment in one cell', async () => {
  await assertEntries(entriesIn(fixture('targobank.csv')), [
    {
      account: own,
      bookedOn: '2026-03-02',
      valueOn: null,
      amountCents: 2500,
      text: 'Spende AC-7KXM-3PFT NOTPROVIDED',
      counterpartName: 'ADA LOVELACE',
      counterpartIban: ada,
      counterpartBic: 'BYLADEM1001'
    },
    {
      account: own,
      bookedOn: '2026-03-03',
      valueOn: null,
      amountCents: 108_010,
      direction: 'out',
      text: 'Abschlag März E-77 DE98ZZZ09999999999 M-1',
      counterpartName: 'Stadtwerke',
      counterpartIban: grace
    },
    {
      account: own,
      bookedOn: '2026-03-04',
      valueOn: null,
      amountCents: 695,
      direction: 'out',
      text: 'Entgelt Kontoführung für Februar 2026',
      counterpartName: 'für Februar 2026'
    }
  ])
})

test('a line of a table without names of columns that cannot be read is told of with its number', async () => {
  const table = fixture('targobank.csv').toString().replace('03.03.2026', '33.03.2026')
  const [, second] = await entriesIn(table)
  assert.match(second?.problems[0]?.message.en ?? '', /^Line 2: /)
})

test('a table of the Commerzbank: the name begins the text, ids stand in it by their German names', async () => {
  await assertEntries(entriesIn(fixture('commerzbank.csv')), [
    {
      account: own,
      bookedOn: '2026-03-02',
      valueOn: '2026-03-02',
      amountCents: 2500,
      endToEndId: 'AC-7KXM-3PFT',
      paymentInformationId: 'NSCT260',
      text: 'Ada Lovelace Spende Orgel'
    },
    {
      account: own,
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

test('a table of the Postbank: balances above and below it are no payments, a text of that name is one', async () => {
  await assertEntries(entriesIn(fixture('postbank.csv')), [
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
