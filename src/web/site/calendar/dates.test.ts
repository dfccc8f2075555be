import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../format/format.ts'
import { isWeek, listWeekDays, toWeek } from './dates.ts'

test('weeks follow ISO 8601', () => {
  const weeks: [day: string, week: string][] = [
    ['2026-11-18', '2026-W47'],
    ['2026-12-31', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
    ['2023-01-01', '2022-W52']
  ]
  for (const [day, week] of weeks) {
    assert.equal(toWeek(day, 'monday'), week)
    assert.ok(isWeek(week))
    assert.ok(listWeekDays(week, 'monday').includes(day))
  }
  for (const week of ['2027-W53', '2026-W54', '2026-W00', '2026-W1', '1899-W10', '2201-W01', '2026-w10']) {
    assert.ok(!isWeek(week), week)
  }
})

test('every day is in its week, whether weeks begin on Monday or Sunday', () => {
  for (const weekStart of ['monday', 'sunday'] as const) {
    for (let day = '2026-12-20'; day < '2027-01-20'; day = addDays(day, 1)) {
      const days = listWeekDays(toWeek(day, weekStart), weekStart)
      assert.ok(days.includes(day), `${day} ${weekStart}`)
      assert.equal(days.length, 7)
    }
  }
  assert.equal(listWeekDays('2026-W47', 'sunday')[0], '2026-11-15')
})
