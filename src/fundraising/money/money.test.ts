import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { moneyRule, parseMoney, toAmount } from './money.ts'

const { admin, visitor, aCampaign } = await startCampaigns()
// Large pledges by visitors count at once, without review.
await admin.patch('/organisation', { reviewAbove: null })

const maxCents = 99_999_999_999

for (const [input, cents] of [
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
  [999_999_999.99, maxCents],
  ['20', 2000],
  ['20.5', 2050],
  [' 20.50 ', 2050],
  ['\u00a020\t', 2000],
  ['0020.50', 2050],
  ['-0', 0],
  ['0.00', 0],
  ['999999999.99', maxCents]
] as const) {
  test(`the amount ${formatInput(input)} is parsed as ${cents} cents`, () => {
    const parsed = parseMoney(input)
    assert.equal(parsed, cents)
    assert.ok(!Object.is(parsed, -0))
  })
}

for (const [input, code] of [
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
  test(`${formatInput(input)} is refused as an amount: ${code}`, () => {
    const parsed = parseMoney(input)
    assert.ok(typeof parsed === 'object')
    assert.equal(parsed.code, code)
  })
}

test('an amount is at most 999999999.99, and at least the minimum of its field', () => {
  const check = (value: unknown, minimum: number) => moneyRule.check(value as never, minimum as never)
  assert.deepEqual(check('999999999.99', 1), { value: maxCents })
  for (const over of [1_000_000_000, '1000000000.00', '999999999999999']) {
    assert.equal((check(over, 1) as { code: string }).code, 'too-large')
  }
  assert.deepEqual(check(0, 0), { value: 0 })
  assert.equal((check(0, 1) as { code: string }).code, 'too-small')
  assert.equal((check(-0.01, 0) as { code: string }).code, 'too-small')
})

test('every number of cents is the same after formatting and parsing, as a number and as text', () => {
  const cents = fc.oneof(fc.integer({ min: 0, max: maxCents }), fc.integer({ min: 0, max: 100_000 }))
  fc.assert(
    fc.property(cents, amountCents => {
      const wire = JSON.stringify(toAmount(amountCents))
      assert.match(wire, /^\d{1,9}(\.\d{1,2})?$/)
      assert.equal(parseMoney(JSON.parse(wire)), amountCents)
      assert.equal(parseMoney(wire), amountCents)
      assert.equal(parseMoney(toAmount(amountCents).toFixed(2)), amountCents)
    }),
    { numRuns: countRuns(5000) }
  )
})

test('amounts in responses are exactly those that were sent', async () => {
  for (const [sent, returned] of [
    [4.35, 4.35],
    ['20', 20],
    [' 20.50 ', 20.5],
    [999_999_999.99, 999_999_999.99],
    [0.01, 0.01]
  ]) {
    const { status, body } = await admin.post('/campaigns', { ...campaign, donationMinimum: sent, targetAmount: sent })
    assert.equal(status, 201)
    assert.equal(body.donationMinimum, returned)
    assert.equal(body.targetAmount, returned)
    const input = await visitor.post(`/campaigns/${body.id}/donations`, { ...donation, amount: sent })
    assert.equal(input.body.amount, returned)
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
  test(`the JSON amount ${raw} is refused with its pointer and changes nothing`, async () => {
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
  test(`the amount ${raw} is refused as malformed JSON`, async () => {
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

test('donationMinimum may be 0, targetAmount may not', async () => {
  const { status, body } = await admin.post('/campaigns', { ...campaign, donationMinimum: 0, targetAmount: 0 })
  assert.equal(status, 400)
  assert.deepEqual(
    body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    [['/targetAmount', 'too-small']]
  )
})

test('the total of many donations is exactly their sum', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: maxCents })), {
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

function formatInput(input: number | string): string {
  return typeof input === 'string' ? `"${input}"` : Object.is(input, -0) ? '-0' : String(input)
}
