import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isYearOver, listFreePeriods } from './period.ts'

test('the free periods of a year are those without a collective receipt, up to today', () => {
  const year = { from: '2026-01-01', to: '2026-12-31' }
  assert.deepEqual(listFreePeriods(2026, [], '2027-01-01'), [year])
  assert.deepEqual(listFreePeriods(2026, [], '2026-11-16'), [{ from: '2026-01-01', to: '2026-11-16' }])
  assert.deepEqual(listFreePeriods(2026, [], '2025-12-31'), [])
  assert.deepEqual(listFreePeriods(2026, [year], '2027-01-01'), [])
  const [spring, autumn] = [
    { from: '2026-02-28', to: '2026-05-31' },
    { from: '2026-09-01', to: '2026-11-16' }
  ]
  assert.deepEqual(listFreePeriods(2026, [autumn, spring], '2027-01-01'), [
    { from: '2026-01-01', to: '2026-02-27' },
    { from: '2026-06-01', to: '2026-08-31' },
    { from: '2026-11-17', to: '2026-12-31' }
  ])
  // Nested periods, which earlier versions allowed.
  assert.deepEqual(listFreePeriods(2026, [year, spring], '2027-01-01'), [])
  assert.deepEqual(listFreePeriods(2026, [autumn], '2026-11-16'), [{ from: '2026-01-01', to: '2026-08-31' }])
  assert.deepEqual([isYearOver(2026, '2026-12-31'), isYearOver(2026, '2027-01-01')], [false, true])
})
