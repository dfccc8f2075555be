import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { countRuns } from '#test/support/full-run.ts'
import { ParamError } from '../contract/param-definition.ts'
import { findFirstDate, listDates, resolveRecurrence } from './recurrence.ts'
import { recurrenceParam } from './recurrence-param.ts'
import { formatRule, weekdayCodes } from './rule.ts'
import { formatWallTime } from './wall-time.ts'

const weekday = fc.constantFrom(...weekdayCodes)
const weekdays = fc.uniqueArray(weekday, { minLength: 1, maxLength: 7 })
const nthWeekday = fc
  .record({ nth: fc.constantFrom(1, 2, 3, 4, 5, -1, -2), day: weekday })
  .map(({ nth, day }) => nth + day)
const end = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 40 }).map(count => `;COUNT=${count}`),
  fc.integer({ min: 0, max: 900 }).map(days => `;UNTIL=${toBasic(Date.UTC(2026, 0, 1) + days * 86_400_000)}`)
)
const interval = fc.integer({ min: 1, max: 6 }).map(number => (number === 1 ? '' : `;INTERVAL=${number}`))
const days = fc.oneof(
  fc.constant('FREQ=DAILY'),
  fc.constant('FREQ=WEEKLY'),
  weekdays.map(list => `FREQ=WEEKLY;BYDAY=${list.join(',')}`),
  fc.uniqueArray(nthWeekday, { minLength: 1, maxLength: 3 }).map(list => `FREQ=MONTHLY;BYDAY=${list.join(',')}`),
  fc
    .uniqueArray(fc.constantFrom(1, 2, 15, 28, 29, 30, 31, -1, -2), { minLength: 1, maxLength: 3 })
    .map(list => `FREQ=MONTHLY;BYMONTHDAY=${list.join(',')}`),
  fc.constant('FREQ=MONTHLY'),
  fc.constant('FREQ=YEARLY'),
  // ical.js stops after 28 years without a date, so the rare fifth weekdays of February have their own test.
  fc
    .record({ month: fc.integer({ min: 1, max: 12 }), day: nthWeekday })
    .filter(({ month, day }) => month !== 2 || !day.startsWith('5'))
    .map(({ month, day }) => `FREQ=YEARLY;BYMONTH=${month};BYDAY=${day}`)
)

const toBasic = (wall: number) => formatWallTime(wall).slice(0, 10).replaceAll('-', '')

test('a rule has the same dates as in ical.js', () => {
  fc.assert(
    fc.property(days, interval, end, fc.integer({ min: 0, max: 1500 }), (rule, every, ending, day) => {
      const from = Date.UTC(2026, 0, 1, 19) + day * 86_400_000
      const input = recurrenceParam.parse(rule + every, { zone: 'UTC', now: new Date(0) })
      assert.ok(input !== null && !(input instanceof ParamError), rule)
      const withoutEnd = resolveRecurrence(input, { start: from, timezone: 'UTC' })
      const start = findFirstDate(withoutEnd.rule, from)
      const text =
        formatRule(withoutEnd.rule) + (ending.startsWith(';UNTIL') && ending.slice(7) < toBasic(start) ? '' : ending)
      const inputWithEnd = recurrenceParam.parse(text, { zone: 'UTC', now: new Date(0) })
      assert.ok(inputWithEnd !== null && !(inputWithEnd instanceof ParamError), text)
      const recurrence = resolveRecurrence(inputWithEnd, { start, timezone: 'UTC' })
      const ours = listDates(recurrence, start, { most: 30 }).slice(0, 30).map(formatWallTime)
      const theirs = listByIcalJs(formatRule(recurrence.rule), start)
      // For some rules with two fifth weekdays ical.js omits the start, which RFC 5545 always includes.
      fc.pre(theirs[0] === formatWallTime(start))
      assert.deepEqual(ours, theirs, text)
    }),
    { numRuns: countRuns(1000) }
  )
})

test('a rule for the fifth Sunday of February has all its dates, and throws if its interval never meets a leap year', () => {
  const input = recurrenceParam.parse('FREQ=YEARLY;BYMONTH=2;BYDAY=5SU', { zone: 'UTC', now: new Date(0) })
  assert.ok(input !== null && !(input instanceof ParamError))
  const from = Date.UTC(2026, 0, 1, 19)
  const recurrence = resolveRecurrence(input, { start: from, timezone: 'UTC' })
  const start = findFirstDate(recurrence.rule, from)
  const years = listDates(recurrence, start, {}).map(date => new Date(date).getUTCFullYear())
  assert.deepEqual(years, [2032, 2060, 2088, 2128, 2156, 2184])
  assert.throws(() => findFirstDate({ ...recurrence.rule, interval: 4 }, from), /must have a date/)
})

/** ical.js compares UNTIL as a time, so it gets the end of the last day. */
function listByIcalJs(rule: string, start: number): string[] {
  const recur = ICAL.Recur.fromString(rule.replace(/UNTIL=(\d{8})/, 'UNTIL=$1T235959'))
  const iterator = recur.iterator(ICAL.Time.fromDateTimeString(new Date(start).toISOString().slice(0, 19)))
  const found: string[] = []
  for (let next = iterator.next(); next && found.length < 30; next = iterator.next()) {
    found.push(next.toString().replace('T', ' '))
  }
  // Later dates are not supported.
  return found.filter(date => date < '2201')
}
