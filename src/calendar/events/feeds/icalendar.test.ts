import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { formatICalendar, type ICalEvent, type ICalHeader } from './icalendar.ts'

const head: ICalHeader = {
  name: 'Bürgerhaus',
  description: 'Everything that happens here',
  language: 'en',
  source: 'https://example.org/calendar.ics',
  url: 'https://example.org/calendar'
}

const concert: ICalEvent = {
  uid: 'event-7@example.org',
  version: 3,
  createdAt: new Date('2026-11-01T08:00:00Z'),
  modifiedAt: new Date('2026-12-24T18:30:15.250Z'),
  title: 'Concert',
  description: '',
  start: '2027-02-01 10:00:00',
  end: '2027-02-01 12:30:00',
  startUtc: new Date('2027-02-01T09:00:00Z'),
  endUtc: new Date('2027-02-01T11:30:00Z'),
  timezone: 'Europe/Berlin',
  allDay: false,
  status: 'scheduled',
  url: 'https://example.org/events/concert',
  location: '',
  geo: null,
  categories: [],
  image: null,
  contact: ''
}

test('an event is written with all its properties', () => {
  const entry: ICalEvent = {
    ...concert,
    description: 'Bring friends; and cake,\nplease \\o/',
    location: 'Hall 2, Main Street 1',
    geo: { latitude: 52.5200065999, longitude: -0.0000004 },
    categories: ['Music', 'Rock, Pop'],
    image: { url: 'https://example.org/a.png', mimeType: 'image/png' },
    contact: 'Ada, Grace'
  }
  const text = formatICalendar(head, [entry])
  assert.ok(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n'))
  assert.deepEqual(getComponentLines(unfold(text), 'VEVENT'), [
    'UID:event-7@example.org',
    'DTSTAMP:20261224T183015Z',
    'CREATED:20261101T080000Z',
    'LAST-MODIFIED:20261224T183015Z',
    'SEQUENCE:2',
    'DTSTART;TZID=Europe/Berlin:20270201T100000',
    'DTEND;TZID=Europe/Berlin:20270201T123000',
    'SUMMARY;LANGUAGE=en:Concert',
    'DESCRIPTION:Bring friends\\; and cake\\,\\nplease \\\\o/',
    'LOCATION:Hall 2\\, Main Street 1',
    'GEO:52.520007;0',
    'CATEGORIES:Music,Rock\\, Pop',
    'URL:https://example.org/events/concert',
    'IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:https://example.org/a.png',
    'CONTACT:Ada\\, Grace',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE'
  ])
})

test('empty properties of an event are not written', () => {
  const lines = getComponentLines(unfold(formatICalendar(head, [concert])), 'VEVENT')
  assert.equal(
    lines.filter(line => /^(DESCRIPTION|LOCATION|GEO|CATEGORIES|IMAGE|CONTACT|ORGANIZER)/.test(line)).length,
    0
  )
})

test('the calendar has name, description, URL and refresh interval', () => {
  const lines = unfold(formatICalendar(head, [concert]))
  assert.deepEqual(lines.slice(0, lines.indexOf('BEGIN:VTIMEZONE')), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kalends//Events Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:Bürgerhaus',
    'X-WR-CALNAME:Bürgerhaus',
    'DESCRIPTION:Everything that happens here',
    'X-WR-CALDESC:Everything that happens here',
    'SOURCE;VALUE=URI:https://example.org/calendar.ics',
    'URL:https://example.org/calendar',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'X-WR-TIMEZONE:Europe/Berlin'
  ])
})

test('a cancelled event is written with STATUS:CANCELLED', () => {
  assert.ok(unfold(formatICalendar(head, [{ ...concert, status: 'canceled' }])).includes('STATUS:CANCELLED'))
})

test('a postponed event is tentative, with a note in English or German', () => {
  for (const [language, summary, words] of [
    ['en', 'Postponed: Concert', 'This event is postponed. The date shown is the original one.'],
    ['de', 'Verschoben: Concert', 'Dieser Termin ist verschoben. Angezeigt wird das ursprüngliche Datum.']
  ] as const) {
    const lines = unfold(formatICalendar({ ...head, language }, [{ ...concert, status: 'postponed' }]))
    for (const line of ['STATUS:TENTATIVE', `SUMMARY;LANGUAGE=${language}:${summary}`, `DESCRIPTION:${words}`])
      assert.ok(lines.includes(line), line)
  }
})

test('an event that moves keeps its UID and gets a higher SEQUENCE', () => {
  const moved = {
    ...concert,
    ...buildTimes('Asia/Tokyo', '2028-01-01T00:00Z', '2028-01-01T02:00Z'),
    title: 'Moved',
    version: 4
  }
  const [before, after] = [concert, moved].map(entry =>
    getComponentLines(unfold(formatICalendar(head, [entry])), 'VEVENT')
  )
  assert.equal(before?.[0], after?.[0])
  assert.ok(after?.includes('SEQUENCE:3'))
})

const days: [start: string, end: string, ...lines: string[]][] = [
  ['2027-02-01 00:00:00', '2027-02-01 23:59:59', 'DTSTART;VALUE=DATE:20270201', 'DTEND;VALUE=DATE:20270202'],
  ['2027-12-30 00:00:00', '2027-12-31 23:59:59', 'DTSTART;VALUE=DATE:20271230', 'DTEND;VALUE=DATE:20280101'],
  ['2028-02-28 00:00:00', '2028-02-28 23:59:59', 'DTSTART;VALUE=DATE:20280228', 'DTEND;VALUE=DATE:20280229']
]

for (const [start, end, ...lines] of days) {
  test(`the DTEND of an all-day event from ${start} to ${end} is the next day, without a time zone`, () => {
    const written = unfold(formatICalendar(head, [{ ...concert, start, end, allDay: true }]))
    assert.deepEqual(
      written.filter(line => /^DT(START|END)/.test(line)),
      lines
    )
    assert.ok(!written.includes('BEGIN:VTIMEZONE'))
  })
}

test('an event without duration has no DTEND, and ical.js reads its end as its start', () => {
  const text = formatICalendar(head, [
    { ...concert, ...buildTimes('Europe/Berlin', '2027-02-01T09:00Z', '2027-02-01T09:00Z') }
  ])
  assert.ok(!text.includes('DTEND'))
  const [event] = parse(text).getAllSubcomponents('vevent')
  const { startDate, endDate } = new ICAL.Event(event)
  assert.equal(endDate.compare(startDate), 0)
})

const inUtc: [reason: string, entry: Partial<ICalEvent>, start: string][] = [
  ['a fixed offset', { timezone: 'UTC+1' }, '20270201T090000Z'],
  ['an offset', { timezone: '+01:00' }, '20270201T090000Z'],
  ['an abbreviation', { timezone: 'CET' }, '20270201T090000Z'],
  ['UTC', buildTimes('UTC', '2027-02-01T09:00Z', '2027-02-01T10:00Z'), '20270201T090000Z'],
  ['the repeated hour', buildTimes('Europe/Berlin', '2027-10-31T01:30Z', '2027-10-31T04:00Z'), '20271031T013000Z'],
  ['a local time that does not match the instant', { start: '2027-02-01 09:00:00' }, '20270201T090000Z'],
  ['the far future', buildTimes('Europe/Berlin', '9000-02-01T09:00Z', '9000-02-01T10:00Z'), '90000201T090000Z'],
  [
    'a time before standard time zones',
    buildTimes('Europe/Berlin', '1890-02-01T09:00Z', '1890-02-01T10:00Z'),
    '18900201T090000Z'
  ]
]

for (const [reason, entry, start] of inUtc) {
  test(`times are written in UTC: ${reason}`, () => {
    const lines = unfold(formatICalendar(head, [{ ...concert, ...entry }]))
    assert.ok(lines.includes(`DTSTART:${start}`), lines.join('\n'))
    assert.ok(!lines.includes('BEGIN:VTIMEZONE'))
  })
}

test('each time zone in use is written once, others are not', () => {
  const entries = ['Europe/Berlin', 'Asia/Tokyo', 'Europe/Berlin', 'UTC', 'America/New_York'].map((zone, id) => ({
    ...concert,
    uid: `event-${id}@example.org`,
    ...buildTimes(zone, '2027-02-01T09:00Z', '2027-02-01T10:00Z'),
    allDay: zone === 'America/New_York'
  }))
  const lines = unfold(formatICalendar(head, entries))
  assert.deepEqual(
    lines.filter(line => line.startsWith('TZID:')),
    ['TZID:Europe/Berlin', 'TZID:Asia/Tokyo']
  )
  assert.ok(!lines.some(line => line.startsWith('X-WR-TIMEZONE')))
})

test('a calendar without events is valid and has a time zone', () => {
  const calendar = parse(formatICalendar(head, []))
  assert.equal(calendar.getAllSubcomponents('vevent').length, 0)
  assert.equal(calendar.getAllSubcomponents('vtimezone').length, 1)
})

const changingZones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Europe/Dublin',
  'America/Santiago',
  'America/Sao_Paulo',
  'Asia/Pyongyang'
]

for (const zone of changingZones) {
  test(`ical.js reads every start and end in ${zone} as the right instant, around each change of the clocks`, () => {
    const entries = listInstantsAroundChanges(zone).map((start, id) => ({
      ...concert,
      uid: `event-${id}@example.org`,
      ...buildTimes(zone, new Date(start).toISOString(), new Date(start + 5_400_000).toISOString())
    }))
    const text = formatICalendar(head, entries)
    assert.ok(text.includes(`DTSTART;TZID=${zone}:`))
    assert.deepEqual(
      readInstants(text),
      entries.map(({ startUtc, endUtc }) => [startUtc.toISOString(), endUtc.toISOString()])
    )
  })
}

test('both passes of the repeated hour in Berlin are read as the right instant', () => {
  const entries = ['2027-10-31T00:30Z', '2027-10-31T01:30Z'].map(start => ({
    ...concert,
    ...buildTimes('Europe/Berlin', start, '2027-10-31T06:00Z')
  }))
  assert.deepEqual(
    readInstants(formatICalendar(head, entries)).map(([start]) => start),
    ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z']
  )
})

const python = ['python3', '/usr/bin/python3'].find(
  command => spawnSync(command, ['-c', 'import icalendar'], { stdio: 'ignore' }).status === 0
)

test('python-icalendar reads the same texts and instants', { skip: python === undefined }, () => {
  const entries = changingZones.flatMap(zone =>
    listInstantsAroundChanges(zone, 2026).map((start, id) => ({
      ...concert,
      uid: `event-${id}@example.org`,
      ...buildTimes(zone, new Date(start).toISOString(), new Date(start + 5_400_000).toISOString()),
      title: `Käse; "Wein", \\o/ und ${'🎉'.repeat(30)}`,
      description: 'first\nsecond'
    }))
  )
  const { stdout, stderr } = spawnSync(python ?? '', ['-c', pythonReader], { input: formatICalendar(head, entries) })
  assert.equal(stderr.toString(), '')
  assert.deepEqual(
    JSON.parse(stdout.toString()),
    entries.map(({ title, description, startUtc, endUtc }) => [
      title,
      description,
      startUtc.getTime() / 1000,
      endUtc.getTime() / 1000
    ])
  )
})

/** Uses the time zones of the text, not those of Python. */
const pythonReader = `
import sys, json, icalendar, datetime
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
zones = {str(zone['TZID']): zone.to_tz() for zone in calendar.walk('VTIMEZONE')}
def instant(value):
    zone = value.params.get('TZID')
    if zone is None: return value.dt.timestamp()
    return zones[zone].localize(value.dt.replace(tzinfo=None)).timestamp()
print(json.dumps([[str(e['SUMMARY']), str(e['DESCRIPTION']), instant(e['DTSTART']), instant(e['DTEND'])]
    for e in calendar.walk('VEVENT')]))
`

/** The times of an entry, computed with Temporal and not with the code under test. */
function buildTimes(timezone: string, start: string, end: string): Partial<ICalEvent> {
  const wall = (instant: string): string =>
    Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit: 'second' })
  const clock = (instant: string): string => wall(instant).replace('T', ' ')
  return { timezone, start: clock(start), end: clock(end), startUtc: new Date(start), endUtc: new Date(end) }
}

/** Every half hour around the clock changes, and the middle of each quarter. */
function listInstantsAroundChanges(zone: string, fromYear = 2017): number[] {
  const instants = [0, 3, 6, 9].map(month => Date.UTC(2027, month, 15, 12))
  let change = Temporal.ZonedDateTime.from(`${fromYear}-01-01T00:00[${zone}]`).getTimeZoneTransition('next')
  while (change !== null && change.year < 2028) {
    for (let halfHours = -8; halfHours <= 8; halfHours += 1) {
      instants.push(change.epochMilliseconds + halfHours * 1_800_000)
    }
    change = change.getTimeZoneTransition('next')
  }
  return instants
}

function parse(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text))
}

/** Start and end of every event, computed with the time zones in the text. */
function readInstants(text: string): [string, string][] {
  const calendar = parse(text)
  const zones = new Map(
    calendar.getAllSubcomponents('vtimezone').map(zone => {
      const tzid = String(zone.getFirstPropertyValue('tzid'))
      return [tzid, new ICAL.Timezone({ component: zone, tzid })]
    })
  )
  return calendar.getAllSubcomponents('vevent').map(event => {
    const [start, end] = ['dtstart', 'dtend'].map(name => {
      const property = event.getFirstProperty(name)
      const time = property?.getFirstValue()
      assert.ok(time instanceof ICAL.Time)
      const tzid = property?.getFirstParameter('tzid')
      const zone = tzid === undefined ? ICAL.Timezone.utcTimezone : zones.get(tzid)
      assert.ok(zone !== undefined)
      const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
      return new Date(wall - zone.utcOffset(time) * 1000).toISOString()
    })
    return [start ?? '', end ?? '']
  })
}

function unfold(text: string): string[] {
  return text.replaceAll('\r\n ', '').split('\r\n')
}

function getComponentLines(lines: string[], name: string): string[] {
  return lines.slice(lines.indexOf(`BEGIN:${name}`) + 1, lines.indexOf(`END:${name}`))
}
