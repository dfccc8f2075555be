import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { countRuns } from '#test/support/full-run.ts'
import { buildVtimezone, getZoneClock, isUnambiguous, toTzid } from './vtimezone.ts'

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Europe/Dublin',
  'Europe/Istanbul',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/St_Johns',
  'America/Nuuk',
  'Asia/Jerusalem',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Etc/GMT+5'
]

test('regular clock changes are written as RRULE', () => {
  assert.deepEqual(buildVtimezone('Europe/Berlin', 2020, 2029), [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:DAYLIGHT',
    'DTSTART:20190331T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'DTSTART:20191027T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE'
  ])
})

const rules: [zone: string, years: [number, number], ...lines: string[]][] = [
  ['America/New_York', [2020, 2029], 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
  ['America/New_York', [2000, 2009], 'DTSTART:20061029T020000', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
  ['Australia/Lord_Howe', [2020, 2029], 'TZOFFSETTO:+1030', 'TZOFFSETTO:+1100'],
  [
    'Asia/Jerusalem',
    [2020, 2029],
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'
  ],
  ['America/Sao_Paulo', [2010, 2019], 'DTSTART:20171015T000000', 'DTSTART:20190217T000000'],
  ['Africa/Casablanca', [2027, 2027], 'DTSTART:20270207T030000', 'DTSTART:20270314T020000'],
  ['Africa/Monrovia', [1970, 1979], 'TZOFFSETFROM:-004430', 'TZOFFSETTO:+0000']
]

for (const [zone, [first, last], ...lines] of rules) {
  test(`${zone} ${first} to ${last} has ${lines.join(' and ')}`, () => {
    const written = buildVtimezone(zone, first, last)
    for (const line of lines) assert.ok(written.includes(line), `${line} is not in\n${written.join('\n')}`)
  })
}

test('a zone whose clocks never change has one observance', () => {
  assert.deepEqual(buildVtimezone('Asia/Kolkata', 2020, 2029), [
    'BEGIN:VTIMEZONE',
    'TZID:Asia/Kolkata',
    'BEGIN:STANDARD',
    'DTSTART:20190101T000000',
    'TZOFFSETFROM:+0530',
    'TZOFFSETTO:+0530',
    'END:STANDARD',
    'END:VTIMEZONE'
  ])
})

test('a summer time of one week is found', () => {
  const shifts = getZoneClock('America/Boa_Vista', 2000, 2000).shifts.map(({ at }) => new Date(at).toISOString())
  assert.deepEqual(shifts.slice(-2), ['2000-10-08T04:00:00.000Z', '2000-10-15T03:00:00.000Z'])
})

test('the larger offset is DAYLIGHT, also in Ireland, and a permanent change is STANDARD', () => {
  const names = (zone: string, year: number) =>
    buildVtimezone(zone, year, year).filter(line => /^BEGIN:[DS]|^TZOFFSETTO/.test(line))
  assert.deepEqual(names('Europe/Dublin', 2027).slice(0, 2), ['BEGIN:DAYLIGHT', 'TZOFFSETTO:+0100'])
  assert.deepEqual(names('Asia/Pyongyang', 2018), [
    'BEGIN:STANDARD',
    'TZOFFSETTO:+0830',
    'BEGIN:STANDARD',
    'TZOFFSETTO:+0900'
  ])
})

for (const zone of zones) {
  test(`the clock changes of ${zone} are those of Temporal`, () => {
    const [from, to] = [Date.UTC(2009, 0, 1), Date.UTC(2031, 0, 1)]
    const expected: number[] = []
    let time = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).getTimeZoneTransition('next')
    while (time !== null && time.epochMilliseconds < to) {
      expected.push(time.epochMilliseconds)
      time = time.getTimeZoneTransition('next')
    }
    assert.deepEqual(
      getZoneClock(zone, 2010, 2029).shifts.map(shift => shift.at),
      expected
    )
  })
}

test('ical.js reads an unambiguous local time as its instant, in any time zone and year', () => {
  const instants = fc.integer({ min: Date.UTC(1975, 0, 1) / 60_000, max: Date.UTC(2059, 11, 31) / 60_000 })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, fc.nat(9), (zone, minutes, more) => {
      const instant = minutes * 60_000
      const year = new Date(instant).getUTCFullYear()
      const clock = getZoneClock(zone, year - more, year + more)
      const [wall, wallClock] = getLocalTime(zone, instant)
      if (!isUnambiguous(clock, wallClock, instant)) return
      const timezone = new ICAL.Timezone({ component: clock.vtimezone.join('\r\n'), tzid: zone })
      assert.equal(timezone.utcOffset(ICAL.Time.fromDateTimeString(wall)) * 1000, wallClock - instant, wall)
    }),
    { numRuns: countRuns(300) }
  )
})

const ambiguityCases: [wallClock: string, instant: string, isExpected: boolean][] = [
  ['2027-10-31T02:30:00', '2027-10-31T00:30:00Z', false],
  ['2027-10-31T02:30:00', '2027-10-31T01:30:00Z', false],
  ['2027-10-31T01:59:59', '2027-10-30T23:59:59Z', true],
  ['2027-10-31T03:00:00', '2027-10-31T02:00:00Z', true],
  ['2027-03-28T02:30:00', '2027-03-28T01:30:00Z', false],
  ['2027-03-28T03:30:00', '2027-03-28T01:30:00Z', true],
  ['2027-03-28T01:59:59', '2027-03-28T00:59:59Z', true],
  ['2027-07-01T12:00:00', '2027-07-01T11:00:00Z', false],
  ['nonsense', '2027-07-01T11:00:00Z', false]
]

for (const [wallClock, instant, isExpected] of ambiguityCases) {
  test(`${wallClock} in Berlin is ${isExpected ? 'unambiguously' : 'not unambiguously'} ${instant}`, () => {
    const clock = getZoneClock('Europe/Berlin', 2020, 2029)
    assert.equal(isUnambiguous(clock, Date.parse(`${wallClock}Z`), Date.parse(instant)), isExpected)
  })
}

const names: [timezone: string, name: string | undefined][] = [
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['US/Eastern', 'US/Eastern'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', undefined],
  ['Etc/UTC', undefined],
  ['UTC+5.5', undefined],
  ['+02:00', undefined],
  ['EST', undefined],
  ['Foo/Bar', undefined],
  ['Europe/Berlin\r\nX:1', undefined],
  ['', undefined]
]

for (const [timezone, name] of names) {
  test(`${JSON.stringify(timezone)} is written ${name === undefined ? 'in UTC' : `as ${name}`}`, () => {
    assert.equal(toTzid(timezone), name)
    assert.equal(toTzid(timezone), name)
  })
}

/** The local time as text, and as a timestamp as if it were UTC. */
function getLocalTime(zone: string, instant: number): [string, number] {
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString()
  const text = wall.length === 16 ? `${wall}:00` : wall
  return [text, Date.parse(`${text}Z`)]
}
