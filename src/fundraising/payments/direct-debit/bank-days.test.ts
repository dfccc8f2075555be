import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, computeEasterSunday, getEarliestCollectionDay, isBankDay, toBankDay } from './bank-days.ts'

test('weekends and six holidays a year are not bank days', () => {
  const closed = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2026-11-14', '2026-11-15']
  for (const day of closed) assert.equal(isBankDay(day), false, day)
  for (const day of ['2026-10-03', '2027-05-06'].map(toBankDay)) assert.equal(isBankDay(day), true, day)
  const open = ['2026-04-02', '2026-04-07', '2026-12-24', '2026-12-31', '2027-05-06', '2027-05-17', '2028-02-29']
  for (const day of open) assert.equal(isBankDay(day), true, day)
  let days = 0
  for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) days += isBankDay(day) ? 1 : 0
  assert.equal(days, 261 - 5, '26 December 2026 is a Saturday.')
})

test('Easter Sunday is computed for known years', () => {
  const known = [
    '2019-04-21',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2030-04-21',
    '2038-04-25',
    '2049-04-18'
  ]
  for (const day of known) assert.equal(computeEasterSunday(Number(day.slice(0, 4))), day)
})

for (const [today, notice, first, reason] of [
  ['2026-11-16', 5, '2026-11-23', 'Saturday is not a bank day'],
  ['2026-11-16', 1, '2026-11-17', 'the next bank day is enough'],
  ['2026-11-13', 1, '2026-11-16', 'from Friday to Monday'],
  ['2026-11-14', 1, '2026-11-17', 'banks accept no file on Saturday, so Monday counts'],
  ['2026-12-24', 1, '2026-12-28', 'over Christmas'],
  ['2026-12-25', 1, '2026-12-29', 'at Christmas'],
  ['2027-03-24', 2, '2027-03-30', 'over Easter'],
  ['2026-11-16', 30, '2026-12-16', 'the agreed number of days']
] as const) {
  test(`a file created on ${today} with ${notice} days of notice collects on ${first} at the earliest: ${reason}`, () => {
    assert.equal(getEarliestCollectionDay(today, notice), first)
  })
}
