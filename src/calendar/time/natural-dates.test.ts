import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { parseDateTime } from './natural-dates.ts'
import { toLocal } from './time.ts'

/** A Wednesday; in Berlin it is 14:14:15. */
const now = new Date('2026-11-18T13:14:15.678Z')

const localTimes: [input: string, local: string][] = [
  ['2027-02-01', '2027-02-01 00:00:00'],
  ['2027-2-1', '2027-02-01 00:00:00'],
  ['2027/02/01', '2027-02-01 00:00:00'],
  ['2028-02-29', '2028-02-29 00:00:00'],
  ['1970-01-01', '1970-01-01 00:00:00'],
  ['1900-01-01', '1900-01-01 00:00:00'],
  ['2200-12-31 23:59:59', '2200-12-31 23:59:59'],
  ['2027-02-01 10:00', '2027-02-01 10:00:00'],
  ['2027-02-01 9:05', '2027-02-01 09:05:00'],
  ['2027-02-01T10:00:00', '2027-02-01 10:00:00'],
  ['2027-02-01t10:00', '2027-02-01 10:00:00'],
  ['2027-02-01T10:00:00.987654', '2027-02-01 10:00:00'],
  ['2027-02-01 24:00', '2027-02-02 00:00:00'],
  ['  2027-02-01   10:00  ', '2027-02-01 10:00:00'],
  ['02/01/2027 3pm', '2027-02-01 15:00:00'],
  ['02/01/27', '2027-02-01 00:00:00'],
  ['02/01', '2026-02-01 00:00:00'],
  ['01.02.2027', '2027-02-01 00:00:00'],
  ['01.02.2027 15:00', '2027-02-01 15:00:00'],
  ['1.2.2027, 15:00', '2027-02-01 15:00:00'],
  ['01-02-2027', '2027-02-01 00:00:00'],
  ['1 February 2027', '2027-02-01 00:00:00'],
  ['1st Feb 2027 3:30 p.m.', '2027-02-01 15:30:00'],
  ['Feb 1, 2027 12am', '2027-02-01 00:00:00'],
  ['February 1st 2027 12:15 pm', '2027-02-01 12:15:00'],
  ['1-Feb-2027', '2027-02-01 00:00:00'],
  ['24 december', '2026-12-24 00:00:00'],
  ['dec 24 18:00', '2026-12-24 18:00:00'],
  ['24 december 18:00', '2026-12-24 18:00:00'],
  ['24 december 12 a.m.', '2026-12-24 00:00:00'],
  ['feb 1st, 2027', '2027-02-01 00:00:00'],
  ['february 2027', '2027-02-01 00:00:00'],
  ['Mon, 01 Feb 2027 10:00:00', '2027-02-01 10:00:00'],
  ['20270201', '2027-02-01 00:00:00'],
  ['20270201T1030', '2027-02-01 10:30:00'],
  ['20270201T103015', '2027-02-01 10:30:15'],
  ['20270201103015', '2027-02-01 10:30:15'],
  ['2027', '2026-11-18 20:27:00'],
  ['10:30', '2026-11-18 10:30:00'],
  ['now', '2026-11-18 14:14:15'],
  ['today', '2026-11-18 00:00:00'],
  ['midnight', '2026-11-18 00:00:00'],
  ['noon', '2026-11-18 12:00:00'],
  ['Tomorrow', '2026-11-19 00:00:00'],
  ['tomorrow 9am', '2026-11-19 09:00:00'],
  ['9am tomorrow', '2026-11-19 09:00:00'],
  ['tomorrow noon', '2026-11-19 12:00:00'],
  ['noon tomorrow', '2026-11-19 12:00:00'],
  ['yesterday 23:59', '2026-11-17 23:59:00'],
  ['wednesday', '2026-11-18 00:00:00'],
  ['this wednesday', '2026-11-18 00:00:00'],
  ['next wednesday 4pm', '2026-11-25 16:00:00'],
  ['next thursday', '2026-11-19 00:00:00'],
  ['last wednesday', '2026-11-11 00:00:00'],
  ['last tuesday 8:00', '2026-11-17 08:00:00'],
  ['sun', '2026-11-22 00:00:00'],
  ['+5 days', '2026-11-23 14:14:15'],
  ['5 days', '2026-11-23 14:14:15'],
  ['-1 week', '2026-11-11 14:14:15'],
  ['2 weeks ago', '2026-11-04 14:14:15'],
  ['2 days 3 hours ago', '2026-11-16 11:14:15'],
  ['2 days ago 10:00', '2026-11-16 10:00:00'],
  ['+1 month 2 days', '2026-12-20 14:14:15'],
  ['+90 minutes', '2026-11-18 15:44:15'],
  ['+60 days 10:00', '2027-01-17 10:00:00'],
  ['2027-02-01 +5 days', '2027-02-06 00:00:00'],
  ['2027-01-31 +1 month', '2027-03-03 00:00:00'],
  ['tomorrow +3 hours', '2026-11-19 03:00:00'],
  ['next month', '2026-12-18 14:14:15'],
  ['next week', '2026-11-23 14:14:15'],
  ['friday next week 19:30', '2026-11-27 19:30:00'],
  ['sunday this week', '2026-11-22 00:00:00'],
  ['first day of next month', '2026-12-01 14:14:15'],
  ['last day of february 2028', '2028-02-29 00:00:00'],
  ['8:00 first day of 2 months ago', '2026-09-01 08:00:00'],
  ['last day of february 2027 24:00', '2027-03-01 00:00:00'],
  ['monday 24:00', '2026-11-24 00:00:00'],
  ['next week 24:00', '2026-11-24 00:00:00']
]

for (const [input, local] of localTimes) {
  test(`'${input}' in Berlin is the local time ${local}`, () => {
    assert.equal(parseDateTime(input, 'Europe/Berlin', now)?.local, local)
  })
}

const instants: [input: unknown, utc: string][] = [
  ['2027-02-01T10:00:00Z', '2027-02-01T10:00:00Z'],
  ['2027-02-01T10:00:00.5z', '2027-02-01T10:00:00Z'],
  ['2027-02-01T10:00:00+05:00', '2027-02-01T05:00:00Z'],
  ['2027-02-01 10:00 -0530', '2027-02-01T15:30:00Z'],
  ['2027-02-01 10:00:00 GMT+0100', '2027-02-01T09:00:00Z'],
  ['20270201T100000Z', '2027-02-01T10:00:00Z'],
  ['Mon, 01 Feb 2027 10:00:00 GMT', '2027-02-01T10:00:00Z'],
  ['2027-02-01 10:00 EST', '2027-02-01T15:00:00Z'],
  ['2027-02-01 10:00 Europe/Berlin', '2027-02-01T09:00:00Z'],
  ['tomorrow 9am america/new_york', '2026-11-19T14:00:00Z'],
  ['2027-02-01 10:00 UTC-5.5', '2027-02-01T15:30:00Z'],
  ['2027-07-01 UTC', '2027-07-01T00:00:00Z'],
  ['@1801472400', '2027-02-01T09:00:00Z'],
  ['@0', '1970-01-01T00:00:00Z'],
  ['@-86400', '1969-12-31T00:00:00Z'],
  ['1801472400', '2027-02-01T09:00:00Z'],
  ['1801472400.75', '2027-02-01T09:00:00Z'],
  [1801472400, '2027-02-01T09:00:00Z'],
  [1801472400.75, '2027-02-01T09:00:00Z'],
  ['123456', '1970-01-02T10:17:36Z'],
  ['-123456', '1969-12-30T13:42:24Z']
]

for (const [input, utc] of instants) {
  test(`${JSON.stringify(input)} is the instant ${utc} in every time zone, with the local time of the zone`, () => {
    for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'UTC-5.5']) {
      const parsed = parseDateTime(input, zone, now)
      assert.equal(parsed?.instant.toISOString(), utc.replace('Z', '.000Z'))
      assert.equal(parsed?.local, toLocal(new Date(utc), zone))
      assert.equal(parsed?.hasTime, input !== '2027-07-01 UTC')
    }
  })
}

const refused: unknown[] = [
  ...['', ' ', 'foo', '2027-02-30', '2027-02-29', '30.02.2027', '02/30/2027', '31 april', 'feb 30 2027', '2027-13-01'],
  ...['2027-00-10', '2027-01-00', '00.02.2027', '13/01/2027', '20270230', '20270230103015', '2027-02-30 10:00'],
  ...['tomorrow 2027-02-30', '2027-02-30 +1 day', 'first day of 2027-02-30', '2027-02-30T10:00:00Z'],
  ...['25:00', '24:01', '10:61', '10:00:60', '13pm', '0pm', '2027-02-01 25:00', 'tomorrow 10:61', '2561'],
  ...['2027-02-01T10:00:00+25:00', '2027-02-01T10:00:00 05:00', '10:00 Foo/Bar', '10:00 XYZ', '10:00 EST UTC', 'UTC'],
  ...['1899-12-31', '2201-01-01', '0027-02-01', '0000-00-00 00:00:00', '+999999 years', '2027-01-01 -1950 years'],
  ...['@99999999999', '1801472400000', '12', '0', '1e9', '+1801472400', '@', '@1801472400 +1 day'],
  ...['2027-02-01 2027-02-02', '10:00 11:00', '2027-02-01 10', '01.02.27', '01.02', 'february', 'tuesday 2027-02-01'],
  ...['fifth monday of february 2027', 'first day of next month monday', '+2 weekdays', '2027-W05', 'tomorrowish'],
  // Texts that locutus would read as a time zone, a year or a time, or would ignore.
  ...[
    'first monday of january 2027',
    'third friday of next month',
    'last sunday of march 2027',
    '10:00 IST',
    '10:00 a'
  ],
  ...['tomorrow x', 'tues', '1 v 2027', '+5', 'tomorrow +5', '+5 10:00 days', '10:00:00,5', '2027.032', '10-JUL-17'],
  ...['1 Feb, 2027', '2027 may 2026', 'feb-1-2027', '2027-02-01 1030', 'back of 7pm', 'first monday', '+2 mondays'],
  ...['tomorrow first day of', 'next 10:00 month', 'ago', 'monday ago'],
  ...[
    'next friday 2027-02-05',
    'next week 2027-02-01',
    'next friday next week',
    '2 days ago 3 hours',
    'monday tuesday'
  ],
  ...[0, 12, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, true, null, undefined, [], ['2027-02-01'], {}, now]
]

for (const input of refused) {
  test(`${typeof input === 'number' ? input : JSON.stringify(input)} is refused as a date or time`, () => {
    assert.equal(parseDateTime(input, 'Europe/Berlin', now), undefined)
  })
}

const changes: [input: string, zone: string, utc: string, local: string][] = [
  ['2027-03-28 02:30', 'Europe/Berlin', '2027-03-28T01:30:00Z', '2027-03-28 03:30:00'],
  ['2027-10-31 02:30', 'Europe/Berlin', '2027-10-31T01:30:00Z', '2027-10-31 02:30:00'],
  ['2027-10-31T02:30:00+02:00', 'Europe/Berlin', '2027-10-31T00:30:00Z', '2027-10-31 02:30:00'],
  ['2027-11-07 01:30', 'America/New_York', '2027-11-07T06:30:00Z', '2027-11-07 01:30:00'],
  ['2027-03-28 01:00 +2 hours', 'Europe/Berlin', '2027-03-28T02:00:00Z', '2027-03-28 04:00:00'],
  ['2027-10-31 00:00 +3 hours', 'Europe/Berlin', '2027-10-31T01:00:00Z', '2027-10-31 02:00:00'],
  ['2027-03-27 10:00 +1 day', 'Europe/Berlin', '2027-03-28T08:00:00Z', '2027-03-28 10:00:00'],
  ['2027-02-01 10:00', 'UTC-5.5', '2027-02-01T15:30:00Z', '2027-02-01 10:00:00']
]

for (const [input, zone, utc, local] of changes) {
  test(`'${input}' in ${zone} is ${utc} with the local time ${local}`, () => {
    const parsed = parseDateTime(input, zone, now)
    assert.deepEqual([parsed?.instant.toISOString(), parsed?.local], [utc.replace('Z', '.000Z'), local])
  })
}

test('isNow is true only for the word now, in any case and with blanks around it', () => {
  for (const input of ['now', 'NOW', ' Now ']) assert.equal(parseDateTime(input, 'UTC', now)?.isNow, true)
  for (const input of ['today', '+0 days', 'now +1 day', '14:14:15', String(now.getTime()).slice(0, 10)]) {
    assert.equal(parseDateTime(input, 'UTC', now)?.isNow, false)
  }
})

test('weekdays in words are those of PHP, from every day of the week', () => {
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  weekdays.forEach((todayName, today) => {
    const currentTime = new Date(Date.UTC(2026, 10, 16 + today, 12))
    weekdays.forEach((name, weekday) => {
      const ahead = (weekday - today + 7) % 7
      const expected = {
        [name]: ahead,
        [`this ${name}`]: ahead,
        [`next ${name}`]: ahead === 0 ? 7 : ahead,
        [`last ${name}`]: ahead - 7,
        [`previous ${name}`]: ahead - 7,
        [`${name} this week`]: weekday - today,
        [`next week ${name}`]: weekday - today + 7,
        [`${name} last week`]: weekday - today - 7
      }
      for (const [words, days] of Object.entries(expected)) {
        const date = new Date(Date.UTC(2026, 10, 16 + today + days)).toISOString().slice(0, 10)
        assert.equal(parseDateTime(words, 'UTC', currentTime)?.local, `${date} 00:00:00`, `${words}, on a ${todayName}`)
      }
    })
  })
})

test('now in the first pass of a repeated hour is the current second, not the second pass', () => {
  const earlier = new Date('2027-10-31T00:30:00.500Z')
  assert.equal(parseDateTime('now', 'Europe/Berlin', earlier)?.instant.toISOString(), '2027-10-31T00:30:00.000Z')
  assert.equal(parseDateTime('+1 hour', 'Europe/Berlin', earlier)?.instant.toISOString(), '2027-10-31T01:30:00.000Z')
})

test('dates in words count from the current day in the time zone', () => {
  const lateInBerlin = new Date('2026-12-31T23:30:00Z')
  assert.equal(parseDateTime('today', 'Europe/Berlin', lateInBerlin)?.local, '2027-01-01 00:00:00')
  assert.equal(parseDateTime('today', 'America/New_York', lateInBerlin)?.local, '2026-12-31 00:00:00')
  assert.equal(parseDateTime('24 december', 'Europe/Berlin', lateInBerlin)?.local, '2027-12-24 00:00:00')
})

test('hasTime says whether the text has a time of day', () => {
  const withTime = ['2027-02-01 10:00', '2027-02-01 00:00', '3pm', 'now', '+5 days', 'midnight', 'tomorrow noon', '@5']
  const without = ['2027-02-01', '01.02.2027', 'today', 'tomorrow', 'next friday', '2027-02-01 +5 days', '20270201']
  for (const input of withTime) assert.equal(parseDateTime(input, 'UTC', now)?.hasTime, true, input)
  for (const input of without) assert.equal(parseDateTime(input, 'UTC', now)?.hasTime, false, input)
})

test('every date is read the same in each of its formats', () => {
  const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, fc.constantFrom('Europe/Berlin', 'UTC-5.5', 'Asia/Kolkata'), (date, zone) => {
      const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-')
      const english = date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
      const spellings = [`${year}-${month}-${day}`, `${day}.${month}.${year}`, `${month}/${day}/${year}`, english]
      for (const spelling of [...spellings, `${year}${month}${day}`]) {
        assert.equal(parseDateTime(`${spelling} 12:00`, zone, now)?.local, `${year}-${month}-${day} 12:00:00`)
      }
    })
  )
})

test('a date with dashes, which is parsed by itself, is read as the same date with slashes', () => {
  const twoDigits = (max: number) => fc.integer({ min: 0, max }).map(number => String(number).padStart(2, '0'))
  const dates = fc.tuple(
    fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1899, max: 2201 })),
    twoDigits(13),
    twoDigits(32)
  )
  const times = fc.oneof(
    fc.constant([]),
    fc.tuple(twoDigits(25), twoDigits(60)),
    fc.tuple(twoDigits(25), twoDigits(60), twoDigits(60))
  )
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC-5.5')
  fc.assert(
    fc.property(dates, times, zones, ([year, month, day], time, zone) => {
      const spell = (mark: string) =>
        `${String(year).padStart(4, '0')}${mark}${month}${mark}${day} ${time.join(':')}`.trim()
      assert.deepEqual(parseDateTime(spell('-'), zone, now), parseDateTime(spell('/'), zone, now), spell('-'))
    }),
    { numRuns: countRuns(2000) }
  )
  // The hour that the clock skips, and the hour that it repeats.
  for (const day of ['03-28', '10-31']) {
    for (const time of ['01:59:59', '02:00', '02:30:00', '03:00']) {
      const given = `2027-${day} ${time}`
      const slashed = given.replaceAll('-', '/')
      assert.deepEqual(parseDateTime(given, 'Europe/Berlin', now), parseDateTime(slashed, 'Europe/Berlin', now), given)
    }
  }
})

test('the local time of any accepted text matches its instant, and no text throws', () => {
  const vocabulary = [
    'now',
    'tomorrow',
    'monday',
    'next',
    'last',
    'first',
    'day',
    'of',
    'week',
    'ago',
    'feb',
    'EST',
    'z'
  ]
  const more = [
    '+5',
    '-999999',
    'years',
    'hours',
    '2027-02-01',
    '10:00',
    '24:00',
    '2027',
    '@',
    '1',
    '31',
    't',
    ',',
    '/'
  ]
  const texts = fc.array(fc.constantFrom(...vocabulary, ...more), { maxLength: 8 })
  const joinedTexts = fc.tuple(texts, fc.constantFrom(' ', '')).map(([words, between]) => words.join(between))
  fc.assert(
    fc.property(fc.oneof(joinedTexts, fc.string(), fc.double(), fc.integer()), input => {
      const parsed = parseDateTime(input, 'Europe/Berlin', now)
      if (parsed === undefined) return
      assert.equal(parsed.local, toLocal(parsed.instant, 'Europe/Berlin'))
      assert.match(parsed.local, /^(19|20|21|22)\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
    }),
    { numRuns: countRuns(2000) }
  )
})

test('a text over 100 characters is refused, and a megabyte quickly', { timeout: 2000 }, () => {
  assert.notEqual(parseDateTime('2027-02-01'.padEnd(100), 'UTC', now), undefined)
  assert.equal(parseDateTime('2027-02-01'.padEnd(101), 'UTC', now), undefined)
  for (const piece of ['1', ' ', '+1 day ', '10:00', ',']) {
    assert.equal(parseDateTime(piece.repeat(1_000_000), 'UTC', now), undefined)
    parseDateTime(piece.repeat(20).slice(0, 100), 'UTC', now)
  }
})

test('the result does not depend on the time zone of the machine', () => {
  const machine = process.env.TZ
  // Time zones that skip midnight or half an hour, and one in which noon of 1 January 1970 was 0 in Unix seconds.
  const zones = [
    'America/Santiago',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
    'America/New_York',
    'Asia/Kolkata',
    'UTC'
  ]
  // Days with clock changes in these time zones, and the first day of 1970.
  const days = ['2027-03-14', '2027-11-07', '2027-09-05', '2027-04-04', '2027-10-03', '1970-01-01']
  try {
    for (const zone of zones) {
      process.env.TZ = zone
      for (const day of days) {
        for (const time of ['00:00:00', '00:30:00', '01:45:00', '02:15:00', '02:30:00', '23:30:00']) {
          const then = new Date(`${day}T${time}Z`)
          assert.equal(parseDateTime(`${day} ${time}`, 'UTC', now)?.local, `${day} ${time}`, zone)
          assert.equal(parseDateTime('+0 days', 'UTC', then)?.local, `${day} ${time}`, zone)
          assert.equal(parseDateTime('today', 'UTC', then)?.local, `${day} 00:00:00`, zone)
        }
      }
      assert.equal(
        parseDateTime('tomorrow 9am', 'Europe/Berlin', now)?.instant.toISOString(),
        '2026-11-19T08:00:00.000Z'
      )
      assert.equal(parseDateTime('+2880 hours', 'UTC', now)?.local, '2027-03-18 13:14:15', zone)
    }
  } finally {
    if (machine === undefined) delete process.env.TZ
    else process.env.TZ = machine
  }
})
