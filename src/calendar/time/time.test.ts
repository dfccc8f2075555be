import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { endOfDay, formatIsoWithOffset, startOfDay, toDateDetails, toInstant, toLocal } from './time.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'EST',
  '+02:00',
  'UTC-5.5'
]

const localTimes: [local: string, zone: string, utc: string, shown?: string][] = [
  ['2027-02-01 10:00:00', 'Europe/Berlin', '2027-02-01T09:00:00Z'],
  ['2027-07-01 10:00:00', 'Europe/Berlin', '2027-07-01T08:00:00Z'],
  ['2027-03-28 01:59:59', 'Europe/Berlin', '2027-03-28T00:59:59Z'],
  ['2027-03-28 02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00Z', '2027-03-28 03:30:00'],
  ['2027-03-28 03:00:00', 'Europe/Berlin', '2027-03-28T01:00:00Z'],
  ['2027-10-31 01:59:59', 'Europe/Berlin', '2027-10-30T23:59:59Z'],
  ['2027-10-31 02:30:00', 'Europe/Berlin', '2027-10-31T01:30:00Z'],
  ['2027-10-31 03:00:00', 'Europe/Berlin', '2027-10-31T02:00:00Z'],
  ['2027-11-07 01:30:00', 'America/New_York', '2027-11-07T06:30:00Z'],
  ['2027-03-14 02:30:00', 'America/New_York', '2027-03-14T07:30:00Z', '2027-03-14 03:30:00'],
  ['2027-04-04 01:45:00', 'Australia/Lord_Howe', '2027-04-03T15:15:00Z'],
  ['2027-10-03 02:10:00', 'Australia/Lord_Howe', '2027-10-02T15:40:00Z', '2027-10-03 02:40:00'],
  ['2011-12-30 10:00:00', 'Pacific/Apia', '2011-12-30T20:00:00Z', '2011-12-31 10:00:00'],
  ['2027-02-01 10:00:00', 'UTC-5.5', '2027-02-01T15:30:00Z'],
  ['2027-02-01 10:00:00', 'UTC+05:30', '2027-02-01T04:30:00Z'],
  ['2027-02-01 10:00:00', '-05:30', '2027-02-01T15:30:00Z'],
  ['2027-07-01 10:00:00', 'EST', '2027-07-01T15:00:00Z'],
  ['2027-01-01 00:00:00', 'UTC+14', '2026-12-31T10:00:00Z'],
  ['2028-02-29 23:59:59', 'UTC', '2028-02-29T23:59:59Z'],
  ['1970-01-01 00:00:00', 'UTC', '1970-01-01T00:00:00Z'],
  ['1900-01-01 00:00:00', 'America/New_York', '1900-01-01T05:00:00Z']
]

for (const [local, zone, utc, shown = local] of localTimes) {
  test(`${local} in ${zone} is ${utc}, which is the local time ${shown}`, () => {
    const instant = toInstant(local, zone)
    assert.equal(instant.toISOString(), utc.replace('Z', '.000Z'))
    assert.equal(toLocal(instant, zone), shown)
  })
}

test('both passes of a repeated hour have the same local time', () => {
  assert.equal(toLocal(new Date('2027-10-31T00:30:00Z'), 'Europe/Berlin'), '2027-10-31 02:30:00')
  assert.equal(toLocal(new Date('2027-10-31T01:30:00Z'), 'Europe/Berlin'), '2027-10-31 02:30:00')
})

test('local times have no fractions of a second', () => {
  assert.equal(toLocal(new Date('2027-02-01T09:00:00.999Z'), 'Europe/Berlin'), '2027-02-01 10:00:00')
  assert.equal(toLocal(new Date('1969-12-31T23:59:59.001Z'), 'UTC'), '1969-12-31 23:59:59')
})

test('date details are text with leading zeros', () => {
  assert.deepEqual(toDateDetails('2027-02-01 09:05:07'), {
    year: '2027',
    month: '02',
    day: '01',
    hour: '09',
    minutes: '05',
    seconds: '07'
  })
})

test('a day starts at 00:00:00 and ends at 23:59:59', () => {
  assert.equal(startOfDay('2027-02-01 10:11:12'), '2027-02-01 00:00:00')
  assert.equal(endOfDay('2027-02-01 10:11:12'), '2027-02-01 23:59:59')
})

test('the ISO format has the offset of that instant', () => {
  const vectors: [string, string, string][] = [
    ['2027-02-01 10:00:00', 'America/New_York', '2027-02-01T10:00:00-05:00'],
    ['2027-07-01 10:00:00', 'America/New_York', '2027-07-01T10:00:00-04:00'],
    ['2027-02-01 10:00:00', 'America/St_Johns', '2027-02-01T10:00:00-03:30'],
    ['2027-02-01 10:00:00', 'UTC-5.5', '2027-02-01T10:00:00-05:30'],
    ['2027-02-01 10:00:00', 'UTC', '2027-02-01T10:00:00+00:00']
  ]
  for (const [local, zone, iso] of vectors) assert.equal(formatIsoWithOffset(local, zone, toInstant(local, zone)), iso)
})

const FIRST_MS = Date.UTC(1970, 0, 2)
const LAST_MS = Date.UTC(2100, 0, 1)
const seconds = fc.integer({ min: FIRST_MS / 1000, max: LAST_MS / 1000 })

test('every existing local time is the same after conversion to an instant and back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), seconds, (zone, second) => {
      // The local time of an instant exists.
      const local = toLocal(new Date(second * 1000), zone)
      assert.equal(toLocal(toInstant(local, zone), zone), local)
    }),
    { numRuns: countRuns(500) }
  )
})

test('an instant is the same after conversion to local time and back, or the later one in a repeated hour', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), seconds, (zone, second) => {
      const differenceMs = toInstant(toLocal(new Date(second * 1000), zone), zone).getTime() - second * 1000
      assert.ok([0, 30, 60, 120].includes(differenceMs / 60_000), `${zone} ${second} ${differenceMs}`)
    }),
    { numRuns: countRuns(500) }
  )
})

test('the same local time on a later day is a later instant, except on the day that Apia skipped', () => {
  for (const zone of zones) {
    let before = Number.NEGATIVE_INFINITY
    for (let day = Date.UTC(2027, 0, 1); day < Date.UTC(2028, 0, 1); day += 86_400_000) {
      const instant = toInstant(`${new Date(day).toISOString().slice(0, 10)} 02:30:00`, zone).getTime()
      assert.ok(instant > before, `${zone} ${new Date(day).toISOString()}`)
      before = instant
    }
  }
  const skipped = toInstant('2011-12-30 10:00:00', 'Pacific/Apia')
  assert.deepEqual(skipped, toInstant('2011-12-31 10:00:00', 'Pacific/Apia'))
})

test('conversions do not depend on the time zone of the machine', () => {
  const machine = process.env.TZ
  try {
    for (const zone of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
      process.env.TZ = zone
      assert.equal(toInstant('2027-03-14 02:30:00', 'UTC').toISOString(), '2027-03-14T02:30:00.000Z')
      assert.equal(toLocal(new Date('2027-03-14T02:30:00Z'), 'Europe/Berlin'), '2027-03-14 03:30:00')
    }
  } finally {
    if (machine === undefined) delete process.env.TZ
    else process.env.TZ = machine
  }
})
