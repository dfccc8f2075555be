import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Cost, formatCost, parseCost, toCostDetails } from './cost.ts'

const site = { symbol: '$', position: 'prefix' } as const

/** Input, formatted cost, currency symbol and its position, values. */
const likeTheEventsCalendar: [unknown, string, string, string, string[]][] = [
  ['20', '$20', '', '', ['20']],
  [20, '$20', '', '', ['20']],
  ['$20', '$20', '$', 'prefix', ['20']],
  ['20$', '20$', '$', 'postfix', ['20']],
  ['20 €', '20€', '€', 'postfix', ['20']],
  ['€20', '€20', '€', 'prefix', ['20']],
  ['EUR 20', 'EUR20', 'EUR', 'prefix', ['20']],
  ['20 EUR', '20EUR', 'EUR', 'postfix', ['20']],
  ['Free', 'Free', '', '', ['free']],
  ['Donation', 'Donation', '', '', ['donation']],
  ['10-20', '$10 – $20', '', '', ['10', '20']],
  ['$10 - $20', '$10 – $20', '', '', ['10', '20']],
  [['0$', '20$', '30$'], 'Free – 30$', '$', 'postfix', ['0', '20', '30']],
  [['10', '5', '20'], '$5 – $20', '', '', ['5', '10', '20']],
  [[10, 5], '$5 – $10', '', '', ['5', '10']],
  ['10.50', '$10.50', '', '', ['10.50']],
  ['10,50', '$10,50', '', '', ['10.50']],
  ['<b>20</b> &euro;', '20€', '€', 'postfix', ['20']]
]

const asPrices: typeof likeTheEventsCalendar = [
  ['0', 'Free', '', '', ['0']],
  [0, 'Free', '', '', ['0']],
  ['0.00 €', 'Free', '€', 'postfix', ['0.00']],
  ['1,000.50', '$1,000.50', '', '', ['1000.50']],
  ['1.000,50', '$1.000,50', '', '', ['1000.50']],
  ['1,000,000', '$1,000,000', '', '', ['1000000']],
  ["1'000.50 CHF", "1'000.50CHF", 'CHF', 'postfix', ['1000.50']],
  ['1 000 Kč', '1 000Kč', 'Kč', 'postfix', ['1000']],
  ['1.000', '$1.000', '', '', ['1000']],
  ['0.500', '$0.500', '', '', ['0.500']],
  ['10.5', '$10.5', '', '', ['10.5']],
  [1.125, '$1.1250', '', '', ['1.1250']],
  ['.50', '$.50', '', '', ['0.50']],
  ['10, 20', '$10 – $20', '', '', ['10', '20']],
  ['10,20,30', '$10 – $30', '', '', ['10', '20', '30']],
  ['10,50 - 1.000,50', '$10,50 – $1.000,50', '', '', ['10.50', '1000.50']],
  ['10 / 20 / 30', '$10 – $30', '', '', ['10', '20', '30']],
  ['10 bis 20', '$10 – $20', '', '', ['10', '20']],
  ['10 - 10', '$10', '', '', ['10']],
  ['€10 – €25', '€10 – €25', '', '', ['10', '25']],
  ['10 - 20 €', '10€ – 20€', '', '', ['10', '20']],
  ['10-€20', '€10 – €20', '', '', ['10', '20']],
  ['Free - 20', 'Free – $20', '', '', ['0', '20']],
  [['Free', '20'], 'Free – $20', '', '', ['0', '20']],
  ['20.- €', '20€', '€', 'postfix', ['20']],
  ['CHF 20.–', 'CHF20', 'CHF', 'prefix', ['20']],
  ['Fr. 20', 'Fr.20', 'Fr.', 'prefix', ['20']],
  ['US$ 20', 'US$20', 'US$', 'prefix', ['20']]
]

const asText: typeof likeTheEventsCalendar = [
  ['$20 at the door', '$20 at the door', '$', 'prefix', ['20']],
  ['20 at the door', '20 at the door', '', '', ['20']],
  ['VIP 20', 'VIP 20', '', '', ['20']],
  ['20 Euro', '20 Euro', '', '', ['20']],
  ['$10 adults, $5 kids', '$10 adults, $5 kids', '$', 'prefix', ['5', '10']],
  ['Einlass 19:30, ab 18, 10 €', 'Einlass 19:30, ab 18, 10 €', '€', 'postfix', ['10']],
  ['2 for 1', '2 for 1', '', '', ['2-for-1']],
  ['50% off', '50% off', '', '', ['50-off']],
  ['1.2.2027', '1.2.2027', '', '', ['1-2-2027']],
  ['1,00,000', '1,00,000', '', '', ['100000']],
  ['10 € / 12 CHF', '10 € / 12 CHF', '', '', ['10', '12']],
  [['Donation', '20'], 'Donation, 20', '', '', ['20']],
  ['???', '???', '', '', []]
]

for (const [description, rows] of [
  ['is parsed as by The Events Calendar', likeTheEventsCalendar],
  ['is parsed as the prices it means', asPrices],
  ['is shown as the text that was entered', asText]
] as const) {
  for (const [input, shown, symbol, position, values] of rows) {
    test(`a cost of ${JSON.stringify(input)} ${description}`, () => {
      const cost = parse(input)
      assert.equal(formatCost(cost, site), shown)
      assert.deepEqual(toCostDetails(cost), {
        currency_symbol: symbol,
        currency_code: '',
        currency_position: position,
        values
      })
    })
  }
}

for (const input of ['', '  ', null, undefined, [], [''], ['', ' '], '<b></b>']) {
  test(`${JSON.stringify(input)} is parsed as no cost`, () => {
    assert.equal(parseCost(input), null)
  })
}

test('a missing cost is formatted as an empty string, without values', () => {
  assert.equal(formatCost(null, site), '')
  assert.deepEqual(toCostDetails(null), { currency_symbol: '', currency_code: '', currency_position: '', values: [] })
})

for (const input of [
  true,
  false,
  {},
  [['20']],
  [null],
  [true],
  -5,
  '-5',
  '−5',
  '$-5',
  '-$5',
  'EUR -5',
  '10, -5',
  ['10', '-5'],
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e21,
  1e-7,
  'x'.repeat(201),
  ['1'.repeat(201)],
  Array.from({ length: 21 }, (_, place) => place),
  Array.from({ length: 21 }, (_, place) => place).join('/')
]) {
  test(`${(JSON.stringify(input) ?? '').slice(0, 40)} (${typeof input}) is refused as a cost`, () => {
    assert.equal(parseCost(input), undefined)
  })
}

test('a price without a currency symbol gets the symbol of the site; a price with a symbol keeps it', () => {
  const euros = { symbol: ' €', position: 'postfix' } as const
  assert.equal(formatCost(parse('20'), euros), '20 €')
  assert.equal(formatCost(parse('10-20'), euros), '10 € – 20 €')
  assert.equal(formatCost(parse('$20'), euros), '$20')
  assert.equal(formatCost(parse('$10-$20'), euros), '$10 – $20')
})

test('a cost may have 20 values, and a text 200 characters', () => {
  assert.equal(parse(Array.from({ length: 20 }, (_, place) => `${place + 1}`)).values.length, 20)
  assert.equal(parse('x'.repeat(200)).words.length, 200)
})

test('a formatted cost is parsed as the same prices', () => {
  const price = fc.nat(99_999).map(cents => (cents / 100).toFixed(2))
  fc.assert(
    fc.property(fc.uniqueArray(price, { minLength: 1, maxLength: 2 }), fc.constantFrom('', '€'), (prices, symbol) => {
      const cost = parse(prices.map(digits => digits + symbol))
      const again = parse(formatCost(cost, site))
      if (Number(toCostDetails(cost).values.at(-1)) === 0) return
      assert.deepEqual(toCostDetails(again).values.map(Number), toCostDetails(cost).values.map(Number))
    })
  )
})

test('any text is parsed as a cost or as none, or is refused; it never throws', () => {
  const unit = fc.constantFrom('1', '20', '.', ',', '-', ' ', '€', '$', 'EUR', 'Free', 'x', '<', '&', "'", '%', ':')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), text => {
      const cost = parseCost(text)
      if (cost === undefined || cost === null) return
      assert.notEqual(formatCost(cost, site), '')
      for (const value of toCostDetails(cost).values) assert.match(value, /^(?:\d+(?:\.\d+)?|[a-z0-9%_-]+)$/)
    })
  )
})

function parse(input: unknown): Cost {
  const cost = parseCost(input)
  assert.ok(cost, `${JSON.stringify(input)} is a cost`)
  return cost
}
