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

const { aCampaign, aDonation, entriesOf, statusOf, upload } = await startBankImports()
const { id: campaignId } = await aCampaign()

interface Given {
  id: string
  campaignId: number
  amount: number
  reference: string
}

/** A file of a bank, made for donations that somebody promised; and what comes of each entry, in its order. */
interface Fixture {
  what: string
  promised: number
  file: (given: Given[]) => Buffer
  results: string[]
  /** What the donations are afterwards. */
  statuses: string[]
}

const amount = (one: Given | undefined, more = 0) => ((one?.amount ?? 0) + more).toFixed(2)
const pays = (one: Given | undefined, fields: Partial<StatementBooking> = {}) =>
  buildBooking({ amount: amount(one), text: `Spende ${one?.reference ?? ''}`, ...fields })
const sum = (given: Given[]) => given.reduce((total, one) => total + Math.round(one.amount * 100), 0)
const [received, awaited] = ['TRANSFERRED', 'IN_PROCESS']

/** One wrong character, which is none of the alphabet. */
const mistyped = (one: Given | undefined) => `${one?.reference.slice(0, -2)}0${one?.reference.slice(-1)}`

const fixtures: Fixture[] = [
  {
    what: 'camt.053 in version 02',
    promised: 2,
    file: ([one, two]) => buildStatement([pays(one), pays(two)], { format: 'camt.053.001.02' }),
    results: ['booked', 'booked'],
    statuses: [received, received]
  },
  {
    what: 'camt.053 in version 08 with a debit of the bank',
    promised: 1,
    file: ([one]) =>
      buildStatement([pays(one), buildBooking({ amount: '9.90', direction: 'out', text: 'Kontofuehrung' })]),
    results: ['booked', 'ignored'],
    statuses: [received]
  },
  {
    what: 'camt.054 in version 02',
    promised: 1,
    file: ([one]) => buildStatement([pays(one)], { format: 'camt.054.001.02' }),
    results: ['booked'],
    statuses: [received]
  },
  {
    what: 'camt.054 in version 08 with a structured reference',
    promised: 1,
    file: ([one]) =>
      buildStatement([pays(one, { text: 'Danke', structured: one?.reference ?? '' })], { format: 'camt.054.001.08' }),
    results: ['booked'],
    statuses: [received]
  },
  {
    what: 'a split booking, of which one payment is nobody’s',
    promised: 2,
    file: ([one, two]) =>
      buildStatement([
        buildBooking({
          amount: ((sum([one, two] as Given[]) + 1234) / 100).toFixed(2),
          payments: [pays(one), buildBooking({ amount: '12.34', text: 'Mitgliedsbeitrag' }), pays(two)]
        })
      ]),
    results: ['booked', 'unmatched', 'booked'],
    statuses: [received, received]
  },
  {
    what: 'direct debits, and one of them returned',
    promised: 2,
    file: ([one, two]) =>
      buildStatement([
        pays(one, { text: 'Lastschrift', endToEndId: one?.reference ?? '' }),
        pays(two, { text: 'Lastschrift', endToEndId: two?.reference ?? '' }),
        pays(two, { text: '', endToEndId: two?.reference ?? '', direction: 'out', returned: 'MD06' })
      ]),
    results: ['booked', 'booked', 'returned'],
    statuses: [received, 'FAILED']
  },
  {
    what: 'a payment without an EndToEndId, and without any reference',
    promised: 2,
    file: ([one, two]) => {
      const { endToEndId: _, ...rest } = pays(one)
      return buildStatement([
        { ...rest, endToEndId: null },
        pays(two, { endToEndId: null, text: 'Spende', name: 'Ada Lovelace' })
      ])
    },
    results: ['booked', 'suggested'],
    statuses: [received, awaited]
  },
  {
    what: 'accounts in several currencies',
    promised: 2,
    file: ([one, two]) =>
      buildStatementFile([
        { bookings: [pays(one)] },
        { bookings: [pays(two)], account: 'CH9300762011623852957', currency: 'CHF' }
      ]),
    results: ['booked', 'suggested'],
    statuses: [received, awaited]
  },
  {
    what: 'a reference that is wrong by one character',
    promised: 1,
    file: ([one]) => buildStatement([pays(one, { text: `Spende ${mistyped(one)}` })]),
    results: ['suggested'],
    statuses: [awaited]
  },
  {
    what: 'too little, too much, and twice',
    promised: 3,
    file: ([one, two, three]) =>
      buildStatement([
        pays(one, { amount: amount(one, -1) }),
        pays(two, { amount: amount(two, 1) }),
        pays(three),
        pays(three)
      ]),
    results: ['suggested', 'suggested', 'booked', 'suggested'],
    statuses: [awaited, awaited, received]
  },
  {
    what: 'payments that the bank has not booked yet',
    promised: 1,
    file: ([one]) => buildStatement([pays(one, { status: 'PDNG' })]),
    results: ['ignored'],
    statuses: [awaited]
  },
  {
    what: 'a batch of which the bank tells no details',
    promised: 1,
    file: ([one]) => buildStatement([pays(one, { text: '', payments: [] })]),
    results: ['unmatched'],
    statuses: [awaited]
  }
]

let cents = 40_000
for (const { what, promised, file, results, statuses } of fixtures) {
  test(`every entry of a file has its result: ${what}; and all are known when they come in another file`, async () => {
    const given: Given[] = []
    for (let count = 0; count < promised; count += 1) {
      cents += 1
      given.push(await aDonation(campaignId, { ...donation, amount: cents / 100 }))
    }
    const bytes = file(given)
    const { status, body, text } = await upload(bytes)
    assert.equal(status, 201, text)
    const entries = await entriesOf(body.id)
    assert.deepEqual(
      entries.map(({ result }: { result: string }) => result),
      results
    )
    for (const result of new Set(results)) {
      assert.equal(body.counts[result], results.filter(one => one === result).length)
    }
    assert.deepEqual(await Promise.all(given.map(statusOf)), statuses)

    const other = await upload(Buffer.from(bytes.toString().replace('<MsgId>M1<', '<MsgId>M2<')))
    assert.equal(other.status, 201, other.text)
    const again = (await entriesOf(other.body.id)).map(({ result }: { result: string }) => result)
    assert.deepEqual(
      again,
      // What is not booked may come again.
      results.map((result, place) => (entries[place].reason?.code === 'pending' ? result : 'known'))
    )
    assert.deepEqual(await Promise.all(given.map(statusOf)), statuses)
  })
}

test('files as banks write them are taken in, entry by entry as they are read', async () => {
  const folder = new URL('../parsers/fixtures/', import.meta.url)
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(new URL(name, folder))
    const read = await collect(parseStatement(bytes, { type: detectFileType(bytes), timezone: 'UTC', currency: 'EUR' }))
    const type = { xml: 'application/xml', csv: 'text/csv', mt940: 'text/plain', zip: 'application/zip' }[
      detectFileType(bytes)
    ]
    const { status, body, text } = await upload(bytes, { headers: { 'content-type': type } })
    assert.equal(status, 201, `${name}: ${text}`)
    const entries = await entriesOf(body.id)
    const shown = (
      entry: { position: number; currency: string; direction: string; bookedOn: string | null },
      cents: number
    ) => [entry.position, cents, entry.currency, entry.direction, entry.bookedOn].join(' ')
    assert.deepEqual(
      entries.map((entry: never) => shown(entry, Math.round((entry as { amount: number }).amount * 100))),
      read.map(entry => shown(entry, entry.amountCents)),
      name
    )
  }
})
