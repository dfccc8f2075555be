import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildConcertAt,
  buildIcal,
  listEvents,
  listStarts,
  readIcal,
  readOneEvent
} from '#test/support/calendar/read-ical.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'

test('a series is expanded for twelve months from today, without excluded dates and with moved ones', async () => {
  const series = [
    'UID:choir-practice@example.org',
    'SUMMARY:Choir',
    'DTSTART;TZID=Europe/Berlin:20200106T190000',
    'DTEND;TZID=Europe/Berlin:20200106T210000',
    'RRULE:FREQ=WEEKLY;BYDAY=MO',
    'EXDATE;TZID=Europe/Berlin:20270308T190000,20270315T190000',
    'EXDATE:20270322T180000Z',
    'RDATE;TZID=Europe/Berlin:20270402T190000'
  ]
  const moved = [
    'UID:choir-practice@example.org',
    'RECURRENCE-ID;TZID=Europe/Berlin:20270329T190000',
    'SUMMARY:Choir, in the garden',
    'DTSTART;TZID=Europe/Berlin:20270330T180000',
    'DTEND;TZID=Europe/Berlin:20270330T200000'
  ]
  const events = listEvents(await readIcal(buildIcal([moved, series])))
  assert.deepEqual(listStarts(events).slice(0, 4), [
    '2027-03-01 19:00:00',
    '2027-03-30 18:00:00',
    '2027-04-02 19:00:00',
    '2027-04-05 19:00:00'
  ])
  assert.equal(listStarts(events).at(-1), '2028-02-28 19:00:00')
  const [first, second] = events
  assert.equal(first?.sourceId, 'choir-practice@example.org/20270301T180000Z')
  assert.equal(second?.sourceId, 'choir-practice@example.org/20270329T170000Z')
  assert.equal(second?.texts.en?.title, 'Choir, in the garden')
  assert.equal(new Set(events.map(({ sourceId }) => sourceId)).size, events.length)
})

test('an all-day series is expanded without excluded days, and includes an occurrence that is still running', async () => {
  const events = await readIcal(
    buildIcal([
      buildConcertAt(
        'DTSTART;VALUE=DATE:20270227',
        'DTEND;VALUE=DATE:20270302',
        'RRULE:FREQ=MONTHLY;COUNT=3',
        'EXDATE;VALUE=DATE:20270327'
      )
    ])
  )
  assert.deepEqual(listStarts(events), ['2027-02-27 00:00:00', '2027-04-27 00:00:00'])
})

test('a series that is over is skipped with a reason; a past single event is read', async () => {
  const { skipped } = await readOneEvent(buildConcertAt('DTSTART:20200101T100000Z', 'RRULE:FREQ=DAILY;COUNT=5'))
  assert.match(skipped?.[0]?.en ?? '', /No occurrence in the next 12 months/)
  assert.equal(
    (await readOneEvent(buildConcertAt('DTSTART:20200101T100000Z'))).fields.start_date,
    '2020-01-01 11:00:00'
  )
})

test('a rule with more than 400 occurrences is cut, and the rest is skipped with a reason', async () => {
  const events = listEvents(
    await readIcal(buildIcal([buildConcertAt('DTSTART:20270301T100000Z', 'RRULE:FREQ=SECONDLY')]))
  )
  assert.equal(events.length, 401)
  assert.match(events.at(-1)?.skipped?.[0]?.en ?? '', /More than 400 occurrences/)
})

test('1,000 series without any occurrence are skipped, and reading ends', { skip: skipUnlessFull }, async () => {
  const hostile = Array.from({ length: 1000 }, (_, number) => [
    `UID:hostile-series-${number}@example.org`,
    'SUMMARY:Never',
    'DTSTART:20200301T100000Z',
    'RRULE:FREQ=SECONDLY;COUNT=999999999;BYMONTH=2;BYMONTHDAY=30'
  ])
  const events = listEvents(await readIcal(buildIcal(hostile)))
  assert.equal(events.length, 1000)
  assert.ok(events.every(({ skipped }) => skipped !== undefined))
})

const weekly = [
  'UID:weekly-meeting@example.org',
  'SUMMARY:Meeting',
  'DTSTART;TZID=America/New_York:20270301T190000',
  'RRULE:FREQ=WEEKLY;COUNT=2'
]

const buildChange = (title: string, ...lines: string[]) => [
  'UID:weekly-meeting@example.org',
  'RECURRENCE-ID;TZID=America/New_York:20270308T190000',
  `SUMMARY:${title}`,
  'DTSTART;TZID=America/New_York:20270309T190000',
  ...lines
]

const versions: [property: string, winner: string[], loser: string[]][] = [
  ['sequence', ['SEQUENCE:2', 'DTSTAMP:20270101T100000Z'], ['SEQUENCE:1', 'DTSTAMP:20270102T100000Z']],
  ['stamp', ['SEQUENCE:1', 'DTSTAMP:20270102T100000Z'], ['SEQUENCE:1', 'DTSTAMP:20270101T100000Z']]
]

for (const [property, winner, loser] of versions) {
  test(`of two changes of one occurrence the one with the higher ${property} is used, in any order`, async () => {
    const pair = [buildChange('Newer', ...winner), buildChange('Older', ...loser)]
    for (const changes of [pair, pair.toReversed()]) {
      for (const series of [[weekly], []]) {
        const events = listEvents(await readIcal(buildIcal([...series, ...changes])))
        const written = events.filter(({ skipped }) => skipped === undefined).map(({ texts }) => texts.en?.title)
        assert.deepEqual(written, series.length === 1 ? ['Meeting', 'Newer'] : ['Newer'])
        const [older] = events.filter(({ skipped }) => skipped !== undefined)
        assert.equal(older?.texts.en?.title, 'Older')
        assert.match(older?.skipped?.[0]?.en ?? '', /older version/)
      }
    }
  })
}

test('EXDATE and RECURRENCE-ID without a time zone are in the time zone of the series', async () => {
  const excluded = await readIcal(buildIcal([[...weekly, 'EXDATE:20270308T190000']]))
  assert.deepEqual(listStarts(excluded), ['2027-03-01 19:00:00'])
  const moved = buildChange('Moved').map(line => line.replace('-ID;TZID=America/New_York', '-ID'))
  const events = await readIcal(buildIcal([weekly, moved]))
  assert.deepEqual(listStarts(events), ['2027-03-01 19:00:00', '2027-03-09 19:00:00'])
})
