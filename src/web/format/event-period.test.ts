import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '#platform/language.ts'
import { formatPeriod, getLastDay, isSeveralDays } from './event-period.ts'

function formatText(language: Language, start_date: string, end_date: string, all_day: boolean | null = false): string {
  const { start, end } = formatPeriod(language, { start_date, end_date, all_day })
  return `${start} – ${end}`
}

test('an event of several days shows the time of its first and last day', () => {
  const [start, end] = ['2026-12-24 17:00:00', '2026-12-27 12:00:00'] as const
  assert.equal(formatText('en', start, end), 'Thu 24 Dec, 17:00 – Sun 27 Dec, 12:00')
  assert.equal(formatText('de', start, end), 'Do. 24. Dez., 17:00 – So. 27. Dez., 12:00')
})

test('all-day events show no times, and different years are shown', () => {
  assert.equal(formatText('en', '2026-12-24 00:00:00', '2026-12-27 23:59:59', true), 'Thu 24 Dec – Sun 27 Dec')
  assert.equal(formatText('en', '2026-12-24 00:00:00', '2026-12-27 23:59:59', null), 'Thu 24 Dec – Sun 27 Dec')
  assert.equal(
    formatText('de', '2026-12-31 20:00:00', '2027-01-01 04:00:00'),
    'Do. 31. Dez. 2026, 20:00 – Fr. 1. Jan. 2027, 04:00'
  )
})

test('an end at midnight belongs to the day before', () => {
  const event = { start_date: '2027-05-07 18:00:00', end_date: '2027-05-10 00:00:00', all_day: false }
  assert.equal(getLastDay(event), '2027-05-09')
  assert.equal(formatText('en', event.start_date, event.end_date), 'Fri 7 May, 18:00 – Sun 9 May, 24:00')
  assert.ok(!isSeveralDays({ ...event, end_date: '2027-05-08 00:00:00' }))
  assert.ok(!isSeveralDays({ ...event, start_date: event.end_date }))
})
