import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

// Series in iCalendar feeds: one entry with a rule, which calendar programs expand to the events of the list.

const { admin, visitor, anEvent } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { createSeries, listOccurrences } = newSeriesClient(admin)

const window = 'start_date=2031-01-01&end_date=2033-12-31'

async function readFeed(query: string): Promise<{ text: string; components: ICAL.Component[] }> {
  const { status, text } = await visitor.get(`${calendar}/events.ics?${query}`)
  assert.equal(status, 200, text)
  const calendarComponent = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendarComponent.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return { text, components: calendarComponent.getAllSubcomponents('vevent') }
}

/** Start and end (in UTC, or as days) and title of each event that a calendar program shows for the feed. */
function expand(components: ICAL.Component[]): string[] {
  const occurrences: string[] = []
  const describe = (start: ICAL.Time, end: ICAL.Time, item: ICAL.Event) => {
    const time = (moment: ICAL.Time) => (moment.isDate ? moment.toString() : moment.toJSDate().toISOString())
    occurrences.push(`${time(start)} ${time(end)} ${item.summary}`)
  }
  const masters = components.filter(component => !component.hasProperty('recurrence-id'))
  for (const component of masters) {
    const event = new ICAL.Event(component)
    const uid = event.uid
    for (const other of components) {
      if (other.hasProperty('recurrence-id') && other.getFirstPropertyValue('uid') === uid) event.relateException(other)
    }
    if (!event.isRecurring()) {
      describe(event.startDate, event.endDate, event)
      continue
    }
    const iterator = event.iterator()
    for (let next = iterator.next(); next && next.year < 2034; next = iterator.next()) {
      const { startDate, endDate, item } = event.getOccurrenceDetails(next)
      describe(startDate, endDate, item)
    }
  }
  return occurrences.sort()
}

async function listEvents(query: string): Promise<string[]> {
  const { body } = await visitor.get(`${calendar}/events?per_page=50&${query}`)
  assert.ok(body.total <= 50)
  return body.events
    .map((event: Record<string, string>) => {
      const time = (utc = '') => `${utc.replace(' ', 'T')}.000Z`
      const nextDay = new Date(Date.parse(`${event.end_date?.slice(0, 10)}T00:00:00Z`) + 86_400_000)
      return event.all_day
        ? `${event.start_date?.slice(0, 10)} ${nextDay.toISOString().slice(0, 10)} ${event.title}`
        : `${time(event.utc_start_date)} ${time(event.utc_end_date)} ${event.title}`
    })
    .sort()
}

test('a series is one entry with its rule, exceptions and skipped dates', async () => {
  const query = `tags=feed-series&${window}`
  const { series } = await createSeries({
    tags: ['feed-series'],
    recurrence: { unit: 'week', until: '2031-05-20', except: ['2031-01-14'], also: ['2031-01-16'] }
  })
  await anEvent({
    title: 'Single',
    tags: ['feed-series'],
    start_date: '2031-02-01 10:00',
    end_date: '2031-02-01 11:00'
  })
  const all = await listOccurrences(series.id)
  await admin.patch(`${calendar}/events/${all[3]?.id}`, {
    title: 'Moved',
    start_date: '2031-01-29 20:00',
    end_date: '2031-01-29 21:00'
  })
  await admin.patch(`${calendar}/events/${all[4]?.id}`, { title: 'Renamed' })
  await admin.delete(`${calendar}/events/${all[5]?.id}`)
  await admin.delete(`${calendar}/events/${all[6]?.id}?force=true`)
  await admin.patch(`${calendar}/events/${all[7]?.id}`, { status: 'draft' })
  await admin.delete(`${calendar}/events/${all.at(-1)?.id}`)
  const { text, components } = await readFeed(query)
  assert.deepEqual(expand(components), await listEvents(query))
  assert.equal(components.length, 4)
  assert.equal(new Set(components.map(one => one.getFirstPropertyValue('uid'))).size, 2)
  assert.match(text, /DTSTART;TZID=Europe\/Berlin:20310107T190000\r\n/)
  assert.match(text, /RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20310520T170000Z\r\n/)
  assert.match(text, /RECURRENCE-ID;TZID=Europe\/Berlin:20310128T190000\r\n/)
  assert.match(text, /RDATE;TZID=Europe\/Berlin:20310116T190000\r\n/)
})

const series: [kind: string, fields: object][] = [
  [
    'whole days',
    {
      all_day: true,
      start_date: '2031-03-01',
      end_date: '2031-03-02',
      recurrence: { unit: 'month', until: '2031-12-31' }
    }
  ],
  [
    'nights with a clock change',
    { start_date: '2031-03-29 02:30', end_date: '2031-03-29 03:30', recurrence: { unit: 'day', count: 4 } }
  ],
  [
    'a repeated hour',
    { start_date: '2031-10-25 02:30', end_date: '2031-10-25 02:45', recurrence: { unit: 'day', count: 3 } }
  ],
  ['months', { recurrence: { unit: 'month', weekdays: [{ nth: 1, weekday: 'tuesday' }], count: 20 } }],
  ['another zone', { timezone: 'America/New_York', recurrence: { every: 3, unit: 'week', count: 12 } }],
  [
    'an offset',
    {
      timezone: '+02:00',
      start_date: '2031-01-07 00:30',
      end_date: '2031-01-07 01:00',
      recurrence: { unit: 'week', count: 3 }
    }
  ],
  ['UTC', { timezone: 'UTC', recurrence: { unit: 'week', count: 3 } }]
]

for (const [place, [kind, fields]] of series.entries()) {
  test(`a feed expands to the events of the list: ${kind}`, async () => {
    const query = `tags=feed-kind-${place}&${window}`
    await createSeries({ ...fields, tags: [`feed-kind-${place}`] })
    assert.deepEqual(expand((await readFeed(query)).components), await listEvents(query))
  })
}

test('a series that is only partly in the feed is written as single events with their own UIDs', async () => {
  const { series: created } = await createSeries({ tags: ['feed-part'] })
  const [, second] = await listOccurrences(created.id)
  const calendarComponent = await readFeed(`tags=feed-part&${window}`)
  assert.equal(calendarComponent.components.length, 1)
  for (const query of [`tags=feed-part&start_date=2031-01-01&end_date=2031-01-22`, `include=${second?.id}`]) {
    const { text, components } = await readFeed(query)
    assert.deepEqual(expand(components), await listEvents(query))
    assert.doesNotMatch(text, /RRULE:FREQ=WEEKLY/)
    assert.equal(new Set(components.map(one => one.getFirstPropertyValue('uid'))).size, components.length)
  }
  await admin.patch(`${calendar}/events/${second?.id}`, { tags: [] })
  assert.equal((await readFeed(`tags=feed-part&${window}`)).components.length, 3)
})

test('a feed that begins after the start of a series has the rule with the original start', async () => {
  await createSeries({ tags: ['feed-late'] })
  const { text, components } = await readFeed('tags=feed-late&start_date=2031-01-20')
  assert.equal(components.length, 1)
  assert.match(text, /DTSTART;TZID=Europe\/Berlin:20310107T190000\r\n/)
  assert.match(text, /RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4\r\n/)
})

test('the ETag of a feed changes when an event of a listed series changes outside the dates of the feed', async () => {
  const { id } = await createSeries({ tags: ['feed-version'] })
  const path = `${calendar}/events.ics?tags=feed-version&start_date=2031-01-10`
  const before = (await admin.get(path)).headers.etag ?? ''
  assert.equal((await admin.get(path, { 'if-none-match': before })).status, 304)
  await admin.delete(`${calendar}/events/${id}`)
  const after = await admin.get(path, { 'if-none-match': before })
  assert.equal(after.status, 200)
  assert.match(after.text, /EXDATE;TZID=Europe\/Berlin:20310107T190000\r\n/)
})
