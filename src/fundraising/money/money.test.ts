import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { moneyRule, parseMoney, toAmount } from './money.ts'

const { admin, visitor, aCampaign } = await startCampaigns()
// Large promises of the public count here at once.
await admin.patch('/organisation', { reviewAbove: null })

const mostCents = 99_999_999_999

for (const [given, cents] of [
  [20, 2000],
  [20.5, 2050],
  [0.01, 1],
  [0, 0],
  [-0, 0],
  [4.35, 435],
  [1.15, 115],
  [8.2, 820],
  [0.29, 29],
  [1e5, 10_000_000],
  [-5, -500],
  [999_999_999.99, mostCents],
  ['20', 2000],
  ['20.5', 2050],
  [' 20.50 ', 2050],
  ['\u00a020\t', 2000],
  ['0020.50', 2050],
  ['-0', 0],
  ['0.00', 0],
  ['999999999.99', mostCents]
] as const) {
  test(`the amount ${shown(given)} is ${cents} cents`, () => {
    const read = parseMoney(given)
    assert.equal(read, cents)
    assert.ok(!Object.is(read, -0))
  })
}

for (const [given, code] of [
  [0.1 + 0.2, 'too-many-decimals'],
  [20.001, 'too-many-decimals'],
  [1e-7, 'too-many-decimals'],
  [999_999_999.995, 'too-many-decimals'],
  ['20.500', 'too-many-decimals'],
  ['0.001', 'too-many-decimals'],
  ['20,50', 'comma'],
  ['1,000.50', 'comma'],
  ['1.000,50', 'comma'],
  ['', 'not-a-number'],
  ['   ', 'not-a-number'],
  ['twenty', 'not-a-number'],
  ['NaN', 'not-a-number'],
  ['Infinity', 'not-a-number'],
  ['1e5', 'not-a-number'],
  ['2E1', 'not-a-number'],
  ['0x14', 'not-a-number'],
  ['+20', 'not-a-number'],
  ['--20', 'not-a-number'],
  ['20.', 'not-a-number'],
  ['.50', 'not-a-number'],
  ['2 0', 'not-a-number'],
  ['20€', 'not-a-number'],
  ['٢٠', 'not-a-number'],
  [Number.NaN, 'not-a-number'],
  [Number.POSITIVE_INFINITY, 'too-large'],
  [1e21, 'too-large'],
  ['1000000000000000', 'too-large']
] as const) {
  test(`${shown(given)} is not an amount: ${code}`, () => {
    const read = parseMoney(given)
    assert.ok(typeof read === 'object')
    assert.equal(read.code, code)
  })
}

test('an amount ends at 999999999.99, and begins where the field says', () => {
  const check = (value: unknown, least: number) => moneyRule.check(value as never, least as never)
  assert.deepEqual(check('999999999.99', 1), { value: mostCents })
  for (const over of [1_000_000_000, '1000000000.00', '999999999999999']) {
    assert.equal((check(over, 1) as { code: string }).code, 'too-large')
  }
  assert.deepEqual(check(0, 0), { value: 0 })
  assert.equal((check(0, 1) as { code: string }).code, 'too-small')
  assert.equal((check(-0.01, 0) as { code: string }).code, 'too-small')
})

test('every number of cents survives the way to the wire and back, as a number and as text', () => {
  const cents = fc.oneof(fc.integer({ min: 0, max: mostCents }), fc.integer({ min: 0, max: 100_000 }))
  fc.assert(
    fc.property(cents, whole => {
      const wire = JSON.stringify(toAmount(whole))
      assert.match(wire, /^\d{1,9}(\.\d{1,2})?$/)
      assert.equal(parseMoney(JSON.parse(wire)), whole)
      assert.equal(parseMoney(wire), whole)
      assert.equal(parseMoney(toAmount(whole).toFixed(2)), whole)
    }),
    { numRuns: countRuns(5000) }
  )
})

test('amounts of the wire are exact: what was sent is what comes back', async () => {
  for (const [sent, back] of [
    [4.35, 4.35],
    ['20', 20],
    [' 20.50 ', 20.5],
    [999_999_999.99, 999_999_999.99],
    [0.01, 0.01]
  ]) {
    const { status, body } = await admin.post('/campaigns', { ...campaign, donationMinimum: sent, targetAmount: sent })
    assert.equal(status, 201)
    assert.equal(body.donationMinimum, back)
    assert.equal(body.targetAmount, back)
    const given = await visitor.post(`/campaigns/${body.id}/donations`, { ...donation, amount: sent })
    assert.equal(given.body.amount, back)
  }
})

for (const raw of [
  '1e400',
  '-1e400',
  '20.001',
  '0',
  '-0',
  '-1',
  '1e-400',
  '1000000000',
  '"20,00"',
  'null',
  'true',
  '[20]'
]) {
  test(`the raw amount ${raw} is refused with its pointer and changes nothing`, async () => {
    const { id } = await aCampaign({ donationMinimum: 0 })
    const refused = await visitor.send({
      method: 'POST',
      url: `/campaigns/${id}/donations`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ...donation, amount: 0 }).replace('"amount":0', `"amount":${raw}`)
    })
    assert.equal(refused.status, 400)
    assert.deepEqual(
      refused.body.errors.map((error: { pointer: string }) => error.pointer),
      ['/amount']
    )
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.donationCount, 0)
  })
}

for (const raw of ['NaN', 'Infinity', '020', '.5', '20.', '1_000', '20,50']) {
  test(`the raw amount ${raw} is no JSON`, async () => {
    const { id } = await aCampaign()
    const { status, body } = await visitor.send({
      method: 'POST',
      url: `/campaigns/${id}/donations`,
      headers: { 'content-type': 'application/json' },
      payload: `{"amount":${raw},"donorName":"Ada"}`
    })
    assert.equal(status, 400)
    assert.equal(body.code, 'malformed-json')
  })
}

test('the least amounts: donationMinimum may be 0, targetAmount and amount may not', async () => {
  const { status, body } = await admin.post('/campaigns', { ...campaign, donationMinimum: 0, targetAmount: 0 })
  assert.equal(status, 400)
  assert.deepEqual(
    body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    [['/targetAmount', 'too-small']]
  )
})

test('the total of many donations is their sum to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: mostCents })), {
        minLength: 1,
        maxLength: 12
      }),
      async amounts => {
        const { id } = await aCampaign({ donationMinimum: 0 })
        for (const cents of amounts) {
          const { status } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: toAmount(cents) })
          assert.equal(status, 201)
        }
        const sum = amounts.reduce((before, cents) => before + BigInt(cents), 0n)
        const { body } = await visitor.get(`/campaigns/${id}`)
        assert.equal(body.amountDonatedSoFar, Number(sum) / 100)
        assert.equal(body.donationCount, amounts.length)
      }
    ),
    { numRuns: 15 }
  )
})

function shown(given: number | string): string {
  return typeof given === 'string' ? `"${given}"` : Object.is(given, -0) ? '-0' : String(given)
}
