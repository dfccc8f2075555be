import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { buildConcertAt, buildIcal, readIcal, readIcalSeries } from '#test/support/calendar/read-ical.ts'
import { listDates } from '../../../recurrence/recurrence.ts'
import { formatWallTime, parseWallTime } from '../../../recurrence/wall-time.ts'
import { parseSeries } from '../../../series/series-state.ts'
import { hashItem } from '../../runner/conflict-policy.ts'
import type { Incoming } from '../source.ts'

async function readSeries(...lines: string[]): Promise<Incoming> {
  const [item, ...others] = await readIcalSeries(buildIcal([buildConcertAt(...lines)]))
  assert.deepEqual(others, [])
  assert.ok(item !== undefined)
  return item
}

/** The dates of the series. */
function listSeriesDates({ fields, series }: Incoming): string[] {
  assert.ok(series !== undefined)
  const times = { start: String(fields.start_date), end: String(fields.end_date), allDay: fields.all_day === true }
  const { recurrence, start } = parseSeries({ ...times, ...series, timezone: String(fields.timezone) })
  return listDates(recurrence, start, { to: parseWallTime('2029-12-31 23:59:59') }).map(formatWallTime)
}

const berlin = 'DTSTART;TZID=Europe/Berlin:20270309T190000'
const rules: [description: string, lines: string[]][] = [
  ['weekly', [berlin, 'RRULE:FREQ=WEEKLY;COUNT=30']],
  ['every second week on two days', [berlin, 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR;UNTIL=20280401T000000Z']],
  ['until the start of the last occurrence', [berlin, 'RRULE:FREQ=DAILY;UNTIL=20270312T180000Z']],
  ['until just before the last occurrence', [berlin, 'RRULE:FREQ=DAILY;UNTIL=20270312T175959Z']],
  [
    'with excluded and additional dates',
    [berlin, 'RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20270316T180000Z', 'RDATE;TZID=Europe/Berlin:20270318T190000']
  ],
  ['at the hour of its start', [berlin, 'RRULE:FREQ=DAILY;BYHOUR=19;BYMINUTE=0;COUNT=3']],
  ['of whole days', ['DTSTART;VALUE=DATE:20270328', 'RRULE:FREQ=MONTHLY;BYDAY=-1SU;UNTIL=20280101']]
]

for (const [description, lines] of rules) {
  test(`an entry ${description} becomes a series with the dates of ical.js`, async () => {
    const item = await readSeries(...lines)
    assert.equal(item.kind, 'series')
    const component = new ICAL.Component(ICAL.parse(buildIcal([buildConcertAt(...lines)])))
    const zone = new ICAL.Timezone({ tzid: 'Europe/Berlin', component: berlinZone })
    ICAL.TimezoneService.register(zone)
    const iterator = new ICAL.Event(component.getFirstSubcomponent('vevent') ?? undefined).iterator()
    const expected: string[] = []
    for (let next = iterator.next(); next && next.year < 2030; next = iterator.next()) {
      expected.push(next.toString().replace('T', ' ').padEnd(19, ' 00:00:00'))
    }
    assert.deepEqual(listSeriesDates(item), expected)
  })
}

const berlinZone = new ICAL.Component(
  ICAL.parse(
    [
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:19700329T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE'
    ].join('\r\n')
  )
)

// ical.js leaves these starts out.
test('the start is a date of the series and included in COUNT, even if it does not match the rule', async () => {
  const toDays = (item: Incoming) => listSeriesDates(item).map(date => date.slice(5, 10))
  const withRule = await readSeries(berlin, 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3')
  assert.deepEqual(toDays(withRule), ['03-09', '03-15', '03-22'])
  const withDates = await readSeries(berlin, 'RDATE;TZID=Europe/Berlin:20270318T190000,20270320T190000')
  assert.deepEqual(toDays(withDates), ['03-09', '03-18', '03-20'])
})

test('a rule in UTC becomes single events in a time zone with clock changes, and a series in one without', async () => {
  const lines = buildConcertAt('DTSTART:20270309T180000Z', 'RRULE:FREQ=WEEKLY;COUNT=10')
  const changing = await readIcalSeries(buildIcal([lines]))
  assert.deepEqual([changing.length, changing[0]?.kind], [10, 'event'])
  assert.match(changing[0]?.notes?.[0]?.en ?? '', /daylight saving time/)
  const steady = await readIcalSeries(buildIcal([lines]), { timezone: 'UTC' })
  assert.deepEqual([steady.length, steady[0]?.kind], [1, 'series'])
})

test('an entry that is read on another day has the same hash', async () => {
  const calendar = buildIcal([buildConcertAt(berlin, 'RRULE:FREQ=WEEKLY', 'EXDATE:20270316T180000Z')])
  const [first] = await readIcalSeries(calendar)
  const [second] = await readIcalSeries(calendar, {}, new Date('2027-06-01T10:00:00Z'))
  assert.ok(first !== undefined && second !== undefined)
  assert.notEqual(first.series?.from, second.series?.from)
  assert.deepEqual(hashItem(first), hashItem(second))
})

test('without support for series a rule is read as single events', async () => {
  const events = await readIcal(buildIcal([buildConcertAt(berlin, 'RRULE:FREQ=WEEKLY;COUNT=3')]))
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['event', 'event', 'event']
  )
})

test('a file with too many dates has at most 20,000, and the rest is skipped with a reason', async () => {
  const many = Array.from({ length: 30 }, (_, number) => [
    `UID:many-series-${number}@example.org`,
    'SUMMARY:Daily',
    berlin,
    'RRULE:FREQ=DAILY;COUNT=900'
  ])
  const items = await readIcalSeries(buildIcal(many))
  const series = items.filter(({ kind }) => kind === 'series').length
  const single = items.filter(({ kind, skipped }) => kind === 'event' && skipped === undefined).length
  assert.ok(series * 900 + single <= 20_000, `${series} series, ${single} events`)
  assert.ok(items.some(({ skipped }) => skipped !== undefined))
})
