import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitProgress } from './progress.ts'

for (const [description, [amountTransferred, amountDonatedSoFar, targetAmount], expected] of [
  ['no donations', [0, 0, 8000], { promised: 0, percent: 0, receivedEnd: 0, promisedEnd: 0 }],
  ['pledges only', [0, 2000, 8000], { promised: 2000, percent: 0, receivedEnd: 0, promisedEnd: 25 }],
  ['received donations only', [2000, 2000, 8000], { promised: 0, percent: 25, receivedEnd: 25, promisedEnd: 25 }],
  ['both, with cents', [0.1, 0.3, 1], { promised: 0.2, percent: 10, receivedEnd: 10, promisedEnd: 30 }],
  [
    'one cent of a target of a million',
    [0.01, 0.01, 1_000_000],
    { promised: 0, percent: 0, receivedEnd: 1, promisedEnd: 1 }
  ],
  [
    'one cent less than the target',
    [7999.99, 7999.99, 8000],
    { promised: 0, percent: 99, receivedEnd: 100, promisedEnd: 100 }
  ],
  [
    'pledges beyond the target',
    [4000, 20_000, 8000],
    { promised: 16_000, percent: 50, receivedEnd: 50, promisedEnd: 100 }
  ],
  ['more than the target', [12_000, 12_500, 8000], { promised: 500, percent: 150, receivedEnd: 100, promisedEnd: 100 }]
] as const) {
  test(`a campaign with ${description} is split into received and pledged`, () => {
    const sums = { amountTransferred, amountDonatedSoFar, amountOffline: 0, targetAmount }
    assert.deepEqual(splitProgress(sums), { received: amountTransferred, ...expected })
  })
}

test('offline amounts count as received, in addition to donations', () => {
  const sums = { amountTransferred: 0.1, amountDonatedSoFar: 0.3, amountOffline: 0.2, targetAmount: 1 }
  assert.deepEqual(splitProgress(sums), {
    ...{ received: 0.3, promised: 0.2, percent: 30 },
    ...{ receivedEnd: 30, promisedEnd: 50 }
  })
})
