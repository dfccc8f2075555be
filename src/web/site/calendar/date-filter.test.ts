import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPeriodDays, hasDates, parseDateFilters } from './date-filter.ts'

test('the weekend is the next Saturday and Sunday, and on a Sunday only that day', () => {
  const weekend = (today: string) => Object.values(getPeriodDays('weekend', today))
  for (const day of ['2027-05-03', '2027-05-07', '2027-05-08']) {
    assert.deepEqual(weekend(day), ['2027-05-08', '2027-05-09'], day)
  }
  assert.deepEqual(weekend('2027-05-09'), ['2027-05-09', '2027-05-09'])
  assert.deepEqual(weekend('2027-05-10'), ['2027-05-15', '2027-05-16'])
})

test('“month” is today until the last day of the month, and “today” is one day', () => {
  assert.deepEqual(getPeriodDays('month', '2028-02-10'), { from: '2028-02-10', to: '2028-02-29' })
  assert.deepEqual(getPeriodDays('month', '2027-12-31'), { from: '2027-12-31', to: '2027-12-31' })
  assert.deepEqual(getPeriodDays('today', '2027-05-03'), { from: '2027-05-03', to: '2027-05-03' })
})

test('a date range replaces a period, is sorted, and ignores invalid dates', () => {
  const parse = (query: Record<string, string>) => Object.values(parseDateFilters(query))
  assert.deepEqual(parse({ when: 'weekend' }), ['weekend', '', ''])
  assert.deepEqual(parse({ when: 'weekend', from: '2027-05-03' }), ['', '2027-05-03', ''])
  assert.deepEqual(parse({ from: '2027-05-09', to: '2027-05-03' }), ['', '2027-05-03', '2027-05-09'])
  assert.deepEqual(parse({ from: '2027-02-30', to: 'x', when: 'never' }), ['', '', ''])
  assert.ok(!hasDates(parseDateFilters({ from: '2027-02-30' })))
  assert.ok(hasDates(parseDateFilters({ to: '2027-02-28' })))
})
