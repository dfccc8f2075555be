import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildConcertAt, readOneEvent } from '#test/support/calendar/read-ical.ts'

const times: [
  description: string,
  times: string[],
  head: string[],
  start: string,
  end: string,
  zone: string,
  allDay: boolean
][] = [
  [
    'an IANA time zone',
    ['DTSTART;TZID=America/New_York:20270401T190000', 'DURATION:PT1H30M'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 20:30:00',
    'America/New_York',
    false
  ],
  [
    'a time zone name of Microsoft',
    ['DTSTART;TZID=W. Europe Standard Time:20270401T190000', 'DURATION:P1W'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-08 19:00:00',
    'Europe/Berlin',
    false
  ],
  [
    'a time zone name of Mozilla',
    ['DTSTART;TZID="/mozilla.org/20050126_1/Asia/Tokyo":20270401T190000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 19:00:00',
    'Asia/Tokyo',
    false
  ],
  [
    'a list of cities as in Outlook',
    ['DTSTART;TZID="(UTC+09:00) Osaka, Sapporo, Tokyo":20270401T190000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 19:00:00',
    'Asia/Tokyo',
    false
  ],
  [
    'a region as in Outlook',
    ['DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20270401T190000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 19:00:00',
    'America/New_York',
    false
  ],
  [
    'a time zone name of Lotus',
    ['DTSTART;TZID=US-Mountain:20270401T190000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 19:00:00',
    'US/Mountain',
    false
  ],
  [
    'no time zone',
    ['DTSTART:20270401T190000', 'DTEND:20270401T200000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 20:00:00',
    'Europe/Berlin',
    false
  ],
  [
    'UTC in a calendar with a time zone',
    ['DTSTART:20270401T170000Z'],
    ['X-WR-TIMEZONE:Asia/Tokyo'],
    '2027-04-02 02:00:00',
    '2027-04-02 02:00:00',
    'Asia/Tokyo',
    false
  ],
  [
    'UTC in a calendar with the time zone UTC',
    ['DTSTART:20270401T170000Z'],
    ['X-WR-TIMEZONE:UTC'],
    '2027-04-01 19:00:00',
    '2027-04-01 19:00:00',
    'Europe/Berlin',
    false
  ],
  [
    'different time zones of start and end',
    ['DTSTART;TZID=Europe/Berlin:20270401T190000', 'DTEND;TZID=America/New_York:20270401T190000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-02 01:00:00',
    'Europe/Berlin',
    false
  ],
  [
    'an end without the time zone of its start',
    ['DTSTART;TZID=America/New_York:20270401T190000', 'DTEND:20270401T210000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 21:00:00',
    'America/New_York',
    false
  ],
  [
    'an end without the Z of its start',
    ['DTSTART:20270401T170000Z', 'DTEND:20270401T190000'],
    [],
    '2027-04-01 19:00:00',
    '2027-04-01 21:00:00',
    'Europe/Berlin',
    false
  ],
  ['a day', ['DTSTART;VALUE=DATE:20270401'], [], '2027-04-01 00:00:00', '2027-04-01 23:59:59', 'Europe/Berlin', true],
  [
    'days with an exclusive end',
    ['DTSTART;VALUE=DATE:20270401', 'DTEND;VALUE=DATE:20270404'],
    [],
    '2027-04-01 00:00:00',
    '2027-04-03 23:59:59',
    'Europe/Berlin',
    true
  ],
  [
    'a day whose end equals its start',
    ['DTSTART:20270401', 'DTEND:20270401'],
    [],
    '2027-04-01 00:00:00',
    '2027-04-01 23:59:59',
    'Europe/Berlin',
    true
  ],
  [
    'an all-day event of Outlook',
    ['DTSTART:20270401T000000', 'DTEND:20270402T000000', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'],
    [],
    '2027-04-01 00:00:00',
    '2027-04-01 23:59:59',
    'Europe/Berlin',
    true
  ]
]

for (const [description, lines, head, start_date, end_date, timezone, all_day] of times) {
  test(`an event with ${description} has the expected start, end and time zone`, async () => {
    const { fields, problems } = await readOneEvent(buildConcertAt(...lines), head)
    assert.deepEqual(problems, [])
    const { start_date: start, end_date: end, timezone: zone, all_day: allDay } = fields
    assert.deepEqual([start, end, zone, allDay], [start_date, end_date, timezone, all_day])
  })
}

const customZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Customized Time Zone',
  'BEGIN:STANDARD',
  'DTSTART:16010101T010000',
  'TZOFFSETFROM:-0300',
  'TZOFFSETTO:-0400',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0300',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE'
]

test('a custom time zone is read by the rules in the calendar, in summer and in winter', async () => {
  const times = ['20270115T120000', '20270715T120000', '20271031T120000']
  const starts = []
  for (const time of times) {
    const { fields } = await readOneEvent(buildConcertAt(`DTSTART;TZID=Customized Time Zone:${time}`), customZone)
    starts.push(fields.start_date, fields.timezone)
  }
  const berlin = 'Europe/Berlin'
  assert.deepEqual(starts, [
    '2027-01-15 17:00:00',
    berlin,
    '2027-07-15 17:00:00',
    berlin,
    '2027-10-31 17:00:00',
    berlin
  ])
})
