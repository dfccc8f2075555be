import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#platform/problem.ts'
import {
  buildConcertAt,
  buildIcal,
  concert,
  listEvents,
  readIcal,
  readOneEvent
} from '#test/support/calendar/read-ical.ts'
import { countRuns } from '#test/support/full-run.ts'

const broken: [description: string, lines: string[], reason: RegExp][] = [
  ['no start', concert.slice(0, 2), /line 3 has no start/],
  ['an invalid start', buildConcertAt('DTSTART:tomorrow'), /Line 6: DTSTART must be a date or time/],
  ['an invalid date', buildConcertAt('DTSTART;VALUE=DATE:20270230'), /Line 6: DTSTART must be a date/],
  ['an end before its start', buildConcertAt('DTSTART:20270401T170000Z', 'DTEND:20270401T160000Z'), /Line 7: the end/],
  ['a negative duration', buildConcertAt('DTSTART:20270401T170000Z', 'DURATION:-PT1H'), /Line 7: DURATION/],
  ['a duration that is too long', buildConcertAt('DTSTART:20270401T170000Z', 'DURATION:P9999W'), /Line 7: DURATION/],
  ['an invalid rule', buildConcertAt('DTSTART:20270401T170000Z', 'RRULE:FREQ=SOMETIMES'), /Line 7: invalid RRULE/],
  ['an invalid year', buildConcertAt('DTSTART:02070401T170000Z'), /Line 6: DTSTART/]
]

for (const [description, lines, reason] of broken) {
  test(`an event with ${description} is reported with its line, and the other events are read`, async () => {
    const events = listEvents(
      await readIcal(buildIcal([lines, [...concert.slice(1), 'UID:another-event@example.org']]))
    )
    assert.deepEqual(
      events.map(({ problems }) => problems.length),
      [1, 0]
    )
    assert.match(events[0]?.problems[0]?.en ?? '', reason)
  })
}

const repaired: [description: string, lines: string[], title: string, start: string, end: string, note: RegExp][] = [
  [
    'without a title has the beginning of its description as title',
    [
      ...concert.filter(line => !line.startsWith('SUMMARY')),
      'DESCRIPTION:<p>We sing old songs from the mountains\\, by the fire</p><p>Bring cake</p>'
    ],
    'We sing old songs from the mountains, by …',
    '2027-04-01 19:00:00',
    '2027-04-01 21:00:00',
    /line 3 has no title \(SUMMARY\); it was imported as “We sing/
  ],
  [
    'without title and description is untitled',
    concert.filter(line => !line.startsWith('SUMMARY')),
    'Untitled',
    '2027-04-01 19:00:00',
    '2027-04-01 21:00:00',
    /“Untitled”/
  ],
  [
    'in an unknown time zone has the times of the zone of the import',
    buildConcertAt('DTSTART;TZID=Nowhere:20270401T170000', 'DTEND;TZID=Nowhere:20270401T180000'),
    'Concert',
    '2027-04-01 17:00:00',
    '2027-04-01 18:00:00',
    /Unknown time zone “Nowhere”.*Europe\/Berlin/
  ],
  [
    'with a time that is declared as a date has that time',
    buildConcertAt('DTSTART;VALUE=DATE:20270401T120000', 'DURATION:PT1H'),
    'Concert',
    '2027-04-01 12:00:00',
    '2027-04-01 13:00:00',
    /Line 6: DTSTART is declared as a date but has a time/
  ]
]

for (const [description, lines, title, start, end, note] of repaired) {
  test(`an event ${description}, with a note`, async () => {
    const { texts, fields, problems, notes } = await readOneEvent(lines)
    assert.deepEqual([problems, texts.en?.title, fields.start_date, fields.end_date], [[], title, start, end])
    assert.equal(notes?.length, 1)
    assert.match(notes?.[0]?.en ?? '', note)
  })
}

test('a date that is written as midnight is read as an all-day event', async () => {
  const { fields, notes } = await readOneEvent(
    buildConcertAt('DTSTART;VALUE=DATE:20270401T000000', 'DTEND;VALUE=DATE:20270403T000000')
  )
  assert.deepEqual([fields.all_day, fields.end_date, notes], [true, '2027-04-02 23:59:59', undefined])
})

test('an empty RRULE is ignored', async () => {
  const { fields, problems } = await readOneEvent([...concert, 'RRULE:', 'EXDATE:', 'RECURRENCE-ID:'])
  assert.deepEqual([problems, fields.start_date], [[], '2027-04-01 19:00:00'])
})

test('an invalid line is left out with a note; a truncated event is reported as a problem', async () => {
  const { notes, problems } = await readOneEvent([...concert, 'and this is nothing'])
  assert.deepEqual(problems, [])
  assert.match(notes?.[0]?.en ?? '', /Line 8 /)
  const truncated = buildIcal([concert]).split('END:VEVENT')[0] ?? ''
  const [event] = listEvents(await readIcal(truncated))
  assert.match(event?.problems[0]?.en ?? '', /line 3 has no end/)
  const nested = buildIcal([concert]).replace(
    'END:VEVENT',
    `BEGIN:VEVENT\r\n${concert.join('\r\n').replace('2027@', '2028@')}\r\nEND:VEVENT`
  )
  assert.deepEqual(
    listEvents(await readIcal(nested)).map(({ problems: found }) => found.length),
    [1, 0]
  )
})

test('byte order marks, LF line ends, folded lines, Latin 1 and UTF-16 are read', async () => {
  const text = buildIcal([
    ['UID:umlauts-and-more@example.org', 'SUMMARY:Käse und', '  Wein für ', ' alle', ...concert.slice(2)]
  ])
  const encodings: [string, Uint8Array][] = [
    ['UTF-8', Buffer.from(text)],
    ['a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['LF', Buffer.from(text.replaceAll('\r\n', '\n'))],
    ['Latin 1', Buffer.from(text, 'latin1')],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])]
  ]
  for (const [encoding, bytes] of encodings) {
    const [event] = listEvents(await readIcal(bytes))
    assert.equal(event?.texts.en?.title, 'Käse und Wein für alle', encoding)
  }
})

for (const [description, text, words] of [
  ['an empty file', ' ', /BEGIN:VCALENDAR/],
  ['a web page', '<!doctype html><title>Sign in</title>', /It is a web page/],
  ['a table', 'Title,Date\nConcert,2027-03-01', /BEGIN:VCALENDAR/]
] as const) {
  test(`${description} is refused`, async () => {
    await assert.rejects(
      readIcal(text),
      error => error instanceof Problem && error.status === 400 && words.test(error.message)
    )
  })
}

test('a file of more than 10 MB is refused', async () => {
  await assert.rejects(readIcal(Buffer.alloc(10 * 1024 * 1024 + 1, 32)), { code: 'import-too-large' })
})

test('a calendar of more than 50,000 events is refused', async () => {
  const many = `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(50_001)}`
  await assert.rejects(readIcal(many), { code: 'too-many-events' })
})

test('lines of any length are read', async () => {
  const lines = ['DESCRIPTION', 'ORGANIZER', 'RRULE', 'LOCATION', 'GEO', 'EXDATE', 'UID'].map(
    name => `${name}:${'<a '.repeat(50_000)}`
  )
  for (const line of [...lines, `CATEGORIES:${'\\,'.repeat(4_800_000)}`]) {
    const found = await readIcal(buildIcal([[...concert.slice(1), line]]))
    assert.equal(listEvents(found).length, 1, line.slice(0, 10))
  }
})

test('any lines and any bytes are read or refused with a problem, never with another error', async () => {
  const words = [
    'BEGIN:',
    'END:',
    'VCALENDAR',
    'VEVENT',
    'VTIMEZONE',
    'STANDARD',
    '\r\n',
    '\n ',
    ':',
    ';',
    '=',
    '"',
    '\\',
    ','
  ]
  const names = [
    'UID',
    'DTSTART',
    'DTEND',
    'DURATION',
    'RRULE',
    'EXDATE',
    'RDATE',
    'RECURRENCE-ID',
    'TZID',
    'SUMMARY',
    'LOCATION',
    'GEO'
  ]
  const values = [
    '20270301T100000Z',
    '20270301',
    'FREQ=DAILY',
    'P1D',
    'Europe/Berlin',
    'PT',
    '99999999T999999',
    '0',
    'ä'
  ]
  const piece = fc.constantFrom(...words, ...names, ...values)
  const text = fc.array(piece, { maxLength: 60 }).map(pieces => `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${pieces.join('')}`)
  const lines = fc
    .array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)), { maxLength: 12 })
    .map(pairs => buildIcal([pairs.map(([name, value]) => `${name}:${value}`), concert]))
  await fc.assert(
    fc.asyncProperty(fc.oneof(text.map(Buffer.from), lines.map(Buffer.from), fc.uint8Array()), async bytes => {
      await readIcal(bytes).catch(error => assert.ok(error instanceof Problem))
    }),
    { numRuns: countRuns(300) }
  )
})
