import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { countRuns } from '#test/support/full-run.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, store, anEvent } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const events = `${calendar}/events`

interface Times {
  start_date: string
  end_date: string
  utc_start_date: string
  utc_end_date: string
}
const getTimes = ({ start_date, end_date, utc_start_date, utc_end_date }: Times) => [
  start_date,
  end_date,
  utc_start_date,
  utc_end_date
]

/** Request: start, end, time zone. Response: start, end, start and end in UTC. */
const vectors = `
2027-02-01 10:00          | 2027-02-01 12:30              |                  | 2027-02-01 10:00:00 | 2027-02-01 12:30:00 | 2027-02-01 09:00:00 | 2027-02-01 11:30:00
2027-07-01 10:00:15       | 2027-07-01 10:00:15           |                  | 2027-07-01 10:00:15 | 2027-07-01 10:00:15 | 2027-07-01 08:00:15 | 2027-07-01 08:00:15
2027-02-01                | 2027-02-02                    |                  | 2027-02-01 00:00:00 | 2027-02-02 00:00:00 | 2027-01-31 23:00:00 | 2027-02-01 23:00:00
2027-02-01T10:00:00Z      | 2027-02-01T10:00:00.999-05:00 |                  | 2027-02-01 11:00:00 | 2027-02-01 16:00:00 | 2027-02-01 10:00:00 | 2027-02-01 15:00:00
2027-02-01T10:00:00+05:00 | 2027-02-01T10:00:00+01:00     | Asia/Tokyo       | 2027-02-01 14:00:00 | 2027-02-01 18:00:00 | 2027-02-01 05:00:00 | 2027-02-01 09:00:00
1801472400                | @1801476000                   | America/New_York | 2027-02-01 04:00:00 | 2027-02-01 05:00:00 | 2027-02-01 09:00:00 | 2027-02-01 10:00:00
02/01/2027 3pm            | 01.02.2027 16:00              | America/New_York | 2027-02-01 15:00:00 | 2027-02-01 16:00:00 | 2027-02-01 20:00:00 | 2027-02-01 21:00:00
2027-02-01 10:00          | 2027-02-01 11:00 UTC          | UTC+5.5          | 2027-02-01 10:00:00 | 2027-02-01 16:30:00 | 2027-02-01 04:30:00 | 2027-02-01 11:00:00
2027-02-01 10:00          | 2027-02-01 11:00              | UTC-5.5          | 2027-02-01 10:00:00 | 2027-02-01 11:00:00 | 2027-02-01 15:30:00 | 2027-02-01 16:30:00
2027-03-28 02:30          | 2027-03-28 04:00              | Europe/Berlin    | 2027-03-28 03:30:00 | 2027-03-28 04:00:00 | 2027-03-28 01:30:00 | 2027-03-28 02:00:00
2027-10-31 02:30          | 2027-10-31 04:00              | Europe/Berlin    | 2027-10-31 02:30:00 | 2027-10-31 04:00:00 | 2027-10-31 01:30:00 | 2027-10-31 03:00:00
2027-10-31T02:30:00+02:00 | 2027-10-31T02:15:00+01:00     | Europe/Berlin    | 2027-10-31 02:30:00 | 2027-10-31 02:15:00 | 2027-10-31 00:30:00 | 2027-10-31 01:15:00`
  .trim()
  .split('\n')
  .map(line => line.split('|').map(part => part.trim()))

test('a local time is read in the time zone of the event; a time with an offset or a timestamp is read as that instant', async () => {
  for (const [start_date = '', end_date = '', timezone = '', ...expected] of vectors) {
    const zone = timezone === '' ? {} : { timezone }
    const created = await anEvent({ start_date, end_date, ...zone })
    assert.deepEqual(getTimes(created), expected, `created ${start_date}`)
    assert.equal(created.timezone, timezone || 'Europe/Berlin')
    const other = await anEvent()
    const changed = await admin.patch(`${events}/${other.id}`, { start_date, end_date, ...zone })
    assert.deepEqual(getTimes(changed.body), expected, `changed ${start_date}`)
  }
  const created = await anEvent({ start_date: 1801472400, end_date: 1801476000 })
  assert.deepEqual([created.utc_start_date, created.utc_end_date], ['2027-02-01 09:00:00', '2027-02-01 10:00:00'])
})

test('dates in words (tomorrow, next wednesday) are read in the time zone of the event', async () => {
  const created = await anEvent({
    start_date: 'tomorrow 9am',
    end_date: 'tomorrow 16:30',
    timezone: 'Pacific/Kiritimati'
  })
  const ahead = new Date(Date.now() + (14 + 24) * 3_600_000).toISOString().slice(0, 10)
  assert.deepEqual([created.start_date, created.end_date], [`${ahead} 09:00:00`, `${ahead} 16:30:00`])
  const later = await anEvent({ start_date: 'next wednesday 4pm', end_date: '+10 days' })
  assert.match(later.start_date, /16:00:00$/)
  assert.equal(new Date(later.start_date.slice(0, 10)).getUTCDay(), 3)
  assert.ok(new Date(later.start_date) > new Date())
})

test('timezone_abbr is the abbreviation at the start of the event', async () => {
  const cases = [
    ['Europe/Berlin', '2027-02-01', 'CET'],
    ['Europe/Berlin', '2027-07-01', 'CEST'],
    ['America/New_York', '2027-02-01', 'EST'],
    ['UTC+3', '2027-02-01', 'UTC+3'],
    ['UTC', '2027-02-01', 'UTC']
  ]
  for (const [timezone, day, abbreviation] of cases) {
    const created = await anEvent({ timezone, start_date: `${day} 10:00`, end_date: `${day} 11:00` })
    assert.equal(created.timezone_abbr, abbreviation, `${timezone} ${day}`)
  }
})

test('an all-day event lasts from midnight of its first day to the last second of its last day', async () => {
  const created = await anEvent({ all_day: true, start_date: '2027-07-01 15:00', end_date: '2027-07-03 10:00' })
  const wholeDays = ['2027-07-01 00:00:00', '2027-07-03 23:59:59', '2027-06-30 22:00:00', '2027-07-03 21:59:59']
  assert.deepEqual(getTimes(created), wholeDays)
  assert.equal(created.all_day, true)

  const path = `${events}/${created.id}`
  const shorter = await admin.patch(path, { end_date: '2027-07-02 08:00' })
  assert.deepEqual([shorter.body.start_date, shorter.body.end_date], ['2027-07-01 00:00:00', '2027-07-02 23:59:59'])
  const moved = await admin.patch(path, { timezone: 'Asia/Tokyo' })
  assert.deepEqual(getTimes(moved.body), [
    '2027-07-01 00:00:00',
    '2027-07-02 23:59:59',
    '2027-06-30 15:00:00',
    '2027-07-02 14:59:59'
  ])
  const timed = await admin.patch(path, { all_day: false, start_date: '2027-07-01 09:00' })
  assert.deepEqual(
    [timed.body.all_day, ...getTimes(timed.body).slice(0, 2)],
    [false, '2027-07-01 09:00:00', '2027-07-02 23:59:59']
  )
  const allDay = await admin.patch(path, { all_day: true })
  assert.deepEqual(getTimes(allDay.body).slice(0, 2), ['2027-07-01 00:00:00', '2027-07-02 23:59:59'])
  const sameDay = await anEvent({ all_day: true, start_date: '2027-07-01 15:00', end_date: '2027-07-01 10:00' })
  assert.deepEqual(getTimes(sameDay).slice(0, 2), ['2027-07-01 00:00:00', '2027-07-01 23:59:59'])
})

test('changing only the time zone keeps the local times and changes the UTC times', async () => {
  const created = await anEvent({ start_date: '2027-07-01 10:00', end_date: '2027-07-01 12:00' })
  const path = `${events}/${created.id}`
  const tokyo = await admin.patch(path, { timezone: 'Asia/Tokyo' })
  assert.deepEqual(getTimes(tokyo.body), [
    '2027-07-01 10:00:00',
    '2027-07-01 12:00:00',
    '2027-07-01 01:00:00',
    '2027-07-01 03:00:00'
  ])
  assert.deepEqual([tokyo.body.timezone, tokyo.body.timezone_abbr], ['Asia/Tokyo', 'JST'])
  const site = await admin.patch(path, { timezone: '' })
  assert.deepEqual([...getTimes(site.body), site.body.timezone], [...getTimes(created), 'Europe/Berlin'])
})

test('a local time that does not exist in the new time zone moves forward', async () => {
  const created = await anEvent({ timezone: 'UTC', start_date: '2027-03-28 02:30', end_date: '2027-03-28 02:45' })
  const moved = await admin.patch(`${events}/${created.id}`, { timezone: 'Europe/Berlin' })
  assert.deepEqual(getTimes(moved.body), [
    '2027-03-28 03:30:00',
    '2027-03-28 03:45:00',
    '2027-03-28 01:30:00',
    '2027-03-28 01:45:00'
  ])
})

test('changing only the start keeps the end, and changing only the end keeps the start', async () => {
  const created = await anEvent({ start_date: '2027-07-01 10:00', end_date: '2027-07-01 12:00' })
  const path = `${events}/${created.id}`
  const later = await admin.patch(path, { start_date: '2027-07-01 11:30' })
  assert.deepEqual(getTimes(later.body).slice(0, 2), ['2027-07-01 11:30:00', '2027-07-01 12:00:00'])
  const longer = await admin.patch(path, { end_date: '2027-07-02 01:00' })
  assert.deepEqual(getTimes(longer.body).slice(0, 2), ['2027-07-01 11:30:00', '2027-07-02 01:00:00'])
  const mixed = await admin.patch(path, { start_date: '2027-07-01 18:00', timezone: 'America/New_York' })
  assert.deepEqual(getTimes(mixed.body), [
    '2027-07-01 18:00:00',
    '2027-07-02 01:00:00',
    '2027-07-01 22:00:00',
    '2027-07-02 05:00:00'
  ])
})

test('a local time in the first pass of a repeated hour keeps its UTC time when the client sends it back', async () => {
  const created = await anEvent({ start_date: '2027-10-31T02:30:00+02:00', end_date: '2027-10-31T02:45:00+02:00' })
  assert.equal(created.utc_start_date, '2027-10-31 00:30:00')
  const { start_date, end_date, timezone } = created
  const back = await admin.put(`${events}/${created.id}`, { start_date, end_date, timezone, all_day: false })
  assert.deepEqual(getTimes(back.body), getTimes(created))
})

test('an end before the start and dates that do not exist are refused, and nothing changes', async () => {
  const { id } = await anEvent({ start_date: '2027-07-01 10:00', end_date: '2027-07-01 12:00' })
  const before = await readCalendarState(store)
  const refused: [object, string][] = [
    [{ end_date: '2027-07-01 09:59:59' }, 'end_date'],
    [{ start_date: '2027-07-01 12:00:01' }, 'end_date'],
    [{ start_date: '2027-08-01 10:00', end_date: '2027-07-30' }, 'end_date'],
    [{ all_day: true, start_date: '2027-07-02', end_date: '2027-07-01 23:00' }, 'end_date'],
    ...['2027-02-30', '25:00', 'someday', '', '0000-00-00 00:00:00', 'x'.repeat(10_000)].map(
      (start_date): [object, string] => [{ start_date }, 'start_date']
    ),
    ...[null, {}, [], true, ['2027-01-01'], '2027-13-01', '99999-01-01'].map((end_date): [object, string] => [
      { end_date },
      'end_date'
    ])
  ]
  for (const [change, name] of refused) {
    const answer = await admin.put(`${events}/${id}`, change)
    assert.equal(answer.status, 400, JSON.stringify(change))
    assert.deepEqual(Object.keys(answer.body.data.params), [name], JSON.stringify(change))
    const created = await admin.post(events, {
      ...event,
      start_date: '2027-07-01 10:00',
      end_date: '2027-07-01 12:00',
      ...change
    })
    assert.equal(created.status, 400, JSON.stringify(change))
  }
  assert.deepEqual(await readCalendarState(store), before)
})

test('any instant of a year comes back as the same instant in every time zone', async () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'UTC-9.5',
    'Africa/Cairo'
  ]
  const { id } = await anEvent()
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 366 * 86_400 }),
      fc.constantFrom(...zones),
      async (seconds, timezone) => {
        const instant = new Date(Date.UTC(2027, 0, 1) + seconds * 1000).toISOString()
        const { body } = await admin.put(`${events}/${id}`, { start_date: instant, end_date: instant, timezone })
        assert.equal(`${body.utc_start_date.replace(' ', 'T')}.000Z`, instant)
        assert.deepEqual([body.end_date, body.utc_end_date], [body.start_date, body.utc_start_date])
        const { start_date, end_date } = body
        assert.deepEqual(getTimes((await admin.put(`${events}/${id}`, { start_date, end_date })).body), getTimes(body))
      }
    ),
    { numRuns: countRuns(25) }
  )
})
