import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertClock } from './time-zone.ts'

test('local times are converted correctly on and around the days of clock changes, in any order', () => {
  const cases: [string, string][] = [
    ['2027-03-27 12:00:00', '2027-03-27 13:00:00'],
    ['2027-03-28 00:59:59', '2027-03-28 01:59:59'],
    ['2027-03-28 01:00:00', '2027-03-28 03:00:00'],
    ['2027-03-28 12:00:00', '2027-03-28 14:00:00'],
    ['2027-03-29 00:00:00', '2027-03-29 02:00:00'],
    ['2027-10-31 00:59:59', '2027-10-31 02:59:59'],
    ['2027-10-31 01:00:00', '2027-10-31 02:00:00'],
    ['2027-10-31 23:59:59', '2027-11-01 00:59:59']
  ]
  for (const [utc, berlin] of [...cases, ...cases.toReversed(), ...cases]) {
    assert.equal(convertClock('Europe/Berlin', utc, 'UTC'), berlin)
  }
  assert.equal(convertClock('UTC', '2027-03-28 03:00:00', 'Europe/Berlin'), '2027-03-28 01:00:00')
  assert.equal(convertClock('UTC', '2027-07-01 12:00:00', 'UTC+5.5'), '2027-07-01 06:30:00')
  assert.equal(convertClock('UTC', '2027-07-01 12:00:00', 'Nowhere/Land'), undefined)
})
