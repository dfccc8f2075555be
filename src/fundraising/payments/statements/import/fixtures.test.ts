// test: both stores
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import {
  buildStatement,
  buildStatementFile,
  collect,
  type StatementBooking
} from '#test/support/fundraising/bank-statements.ts'
import { donation } from '#test/support/services.ts'
import { detectFileType, parseStatement } from '../parsers/parse-statement.ts'

const { aCampaign, aDonation, readEntries, readStatus, upload } = await startBankImports()
const { id: campaignId } = await aCampaign()

interface Pledge {
  id: string
  campaignId: number
  amount: number
  reference: string
}

/** A bank file for pledged donations, and the expected results of its entries in order. */
interface Fixture {
  description: string
  pledgeCount: number
  buildFile: (pledges: Pledge[]) => Buffer
  results: string[]
  /** The statuses of the donations after the import. */
  statuses: string[]
}

const formatAmount = (one: Pledge | undefined, more = 0) => ((one?.amount ?? 0) + more).toFixed(2)
const buildPayment = (one: Pledge | undefined, fields: Partial<StatementBooking> = {}) =>
  buildBooking({ amount: formatAmount(one), text: `Spende ${one?.reference ?? ''}`, ...fields })
const sumCents = (pledges: Pledge[]) => pledges.reduce((total, one) => total + Math.round(one.amount * 100), 0)
const [received, pending] = ['TRANSFERRED', 'IN_PROCESS']

/** Replaces one character by one that is not in the alphabet of references. */
const toMistypedReference = (one: Pledge | undefined) => `${one?.reference.slice(0, -2)}0${one?.reference.slice(-1)}`

const fixtures: Fixture[] = [
  {
    description: 'camt.053 in version 02',
    pledgeCount: 2,
    buildFile: ([one, two]) => buildStatement([buildPayment(one), buildPayment(two)], { format: 'camt.053.001.02' }),
    results: ['booked', 'booked'],
    statuses: [received, received]
  },
  {
    description: 'camt.053 in version 08 with a debit of the bank',
    pledgeCount: 1,
    buildFile: ([one]) =>
      buildStatement([buildPayment(one), buildBooking({ amount: '9.90', direction: 'out', text: 'Kontofuehrung' })]),
    results: ['booked', 'ignored'],
    statuses: [received]
  },
  {
    description: 'camt.054 in version 02',
    pledgeCount: 1,
    buildFile: ([one]) => buildStatement([buildPayment(one)], { format: 'camt.054.001.02' }),
    results: ['booked'],
    statuses: [received]
  },
  {
    description: 'camt.054 in version 08 with a structured reference',
    pledgeCount: 1,
    buildFile: ([one]) =>
      buildStatement([buildPayment(one, { text: 'Danke', structured: one?.reference ?? '' })], {
        format: 'camt.054.001.08'
      }),
    results: ['booked'],
    statuses: [received]
  },
  {
    description: 'a split booking with one payment that matches no donation',
    pledgeCount: 2,
    buildFile: ([one, two]) =>
      buildStatement([
        buildBooking({
          amount: ((sumCents([one, two] as Pledge[]) + 1234) / 100).toFixed(2),
          payments: [buildPayment(one), buildBooking({ amount: '12.34', text: 'Mitgliedsbeitrag' }), buildPayment(two)]
        })
      ]),
    results: ['booked', 'unmatched', 'booked'],
    statuses: [received, received]
  },
  {
    description: 'direct debits, one of them returned',
    pledgeCount: 2,
    buildFile: ([one, two]) =>
      buildStatement([
        buildPayment(one, { text: 'Lastschrift', endToEndId: one?.reference ?? '' }),
        buildPayment(two, { text: 'Lastschrift', endToEndId: two?.reference ?? '' }),
        buildPayment(two, { text: '', endToEndId: two?.reference ?? '', direction: 'out', returned: 'MD06' })
      ]),
    results: ['booked', 'booked', 'returned'],
    statuses: [received, 'FAILED']
  },
  {
    description: 'a payment without an EndToEndId, and without any reference',
    pledgeCount: 2,
    buildFile: ([one, two]) => {
      const { endToEndId: _, ...rest } = buildPayment(one)
      return buildStatement([
        { ...rest, endToEndId: null },
        buildPayment(two, { endToEndId: null, text: 'Spende', name: 'Ada Lovelace' })
      ])
    },
    results: ['booked', 'suggested'],
    statuses: [received, pending]
  },
  {
    description: 'accounts in several currencies',
    pledgeCount: 2,
    buildFile: ([one, two]) =>
      buildStatementFile([
        { bookings: [buildPayment(one)] },
        { bookings: [buildPayment(two)], account: 'CH9300762011623852957', currency: 'CHF' }
      ]),
    results: ['booked', 'suggested'],
    statuses: [received, pending]
  },
  {
    description: 'a reference that is wrong by one character',
    pledgeCount: 1,
    buildFile: ([one]) => buildStatement([buildPayment(one, { text: `Spende ${toMistypedReference(one)}` })]),
    results: ['suggested'],
    statuses: [pending]
  },
  {
    description: 'too little, too much, and twice',
    pledgeCount: 3,
    buildFile: ([one, two, three]) =>
      buildStatement([
        buildPayment(one, { amount: formatAmount(one, -1) }),
        buildPayment(two, { amount: formatAmount(two, 1) }),
        buildPayment(three),
        buildPayment(three)
      ]),
    results: ['suggested', 'suggested', 'booked', 'suggested'],
    statuses: [pending, pending, received]
  },
  {
    description: 'pending payments',
    pledgeCount: 1,
    buildFile: ([one]) => buildStatement([buildPayment(one, { status: 'PDNG' })]),
    results: ['ignored'],
    statuses: [pending]
  },
  {
    description: 'a batch without details',
    pledgeCount: 1,
    buildFile: ([one]) => buildStatement([buildPayment(one, { text: '', payments: [] })]),
    results: ['unmatched'],
    statuses: [pending]
  }
]

let cents = 40_000
for (const { description, pledgeCount, buildFile, results, statuses } of fixtures) {
  test(`every entry of a file has its result: ${description}; all are duplicates in a second file`, async () => {
    const pledges: Pledge[] = []
    for (let count = 0; count < pledgeCount; count += 1) {
      cents += 1
      pledges.push(await aDonation(campaignId, { ...donation, amount: cents / 100 }))
    }
    const bytes = buildFile(pledges)
    const { status, body, text } = await upload(bytes)
    assert.equal(status, 201, text)
    const entries = await readEntries(body.id)
    assert.deepEqual(
      entries.map(({ result }: { result: string }) => result),
      results
    )
    for (const result of new Set(results)) {
      assert.equal(body.counts[result], results.filter(one => one === result).length)
    }
    assert.deepEqual(await Promise.all(pledges.map(readStatus)), statuses)

    const other = await upload(Buffer.from(bytes.toString().replace('<MsgId>M1<', '<MsgId>M2<')))
    assert.equal(other.status, 201, other.text)
    const again = (await readEntries(other.body.id)).map(({ result }: { result: string }) => result)
    assert.deepEqual(
      again,
      // Pending entries are not duplicates.
      results.map((result, index) => (entries[index].reason?.code === 'pending' ? result : 'known'))
    )
    assert.deepEqual(await Promise.all(pledges.map(readStatus)), statuses)
  })
}

test('the fixture files of banks are imported with exactly the parsed entries', async () => {
  const folder = new URL('../parsers/fixtures/', import.meta.url)
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(new URL(name, folder))
    const parsed = await collect(
      parseStatement(bytes, { type: detectFileType(bytes), timezone: 'UTC', currency: 'EUR' })
    )
    const type = { xml: 'application/xml', csv: 'text/csv', mt940: 'text/plain', zip: 'application/zip' }[
      detectFileType(bytes)
    ]
    const { status, body, text } = await upload(bytes, { headers: { 'content-type': type } })
    assert.equal(status, 201, `${name}: ${text}`)
    const entries = await readEntries(body.id)
    const toLine = (
      entry: { position: number; currency: string; direction: string; bookedOn: string | null },
      cents: number
    ) => [entry.position, cents, entry.currency, entry.direction, entry.bookedOn].join(' ')
    assert.deepEqual(
      entries.map((entry: never) => toLine(entry, Math.round((entry as { amount: number }).amount * 100))),
      parsed.map(entry => toLine(entry, entry.amountCents)),
      name
    )
  }
})
