import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getRefusal, type ListedOccurrence, newSeriesClient, rehearsal } from '#test/support/calendar/series.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

// Creating and reading series.

const { admin, visitor, withRole, anEvent } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const contributor = await withRole('contributor')

const { createSeries, listOccurrences, listDates } = newSeriesClient(admin)
const weekly = { every: 1, unit: 'week', count: 4 }
const post = async (fields: object) => await admin.post(`${calendar}/events`, { ...rehearsal, ...fields })

test('an event with a recurrence becomes a series of ordinary events', async () => {
  const first = await createSeries({ title: 'Choir', tags: ['choir'], description: 'Bring water.' })
  assert.deepEqual(first.series, {
    id: first.series.id,
    rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4',
    text: 'every Tuesday, 4 times',
    date: '2031-01-07 19:00:00',
    isException: false,
    changes: []
  })
  assert.equal(
    (await visitor.get(`${calendar}/events/${first.id}?language=de`)).body.series.text,
    'jeden Dienstag, 4-mal',
    'in the language of the request'
  )
  const all = await listOccurrences(first.series.id)
  assert.deepEqual(
    all.map(({ start_date, end_date, slug, title }) => [start_date, end_date, slug, title]),
    [
      ['2031-01-07 19:00:00', '2031-01-07 21:30:00', 'choir', 'Choir'],
      ['2031-01-14 19:00:00', '2031-01-14 21:30:00', 'choir-2031-01-14', 'Choir'],
      ['2031-01-21 19:00:00', '2031-01-21 21:30:00', 'choir-2031-01-21', 'Choir'],
      ['2031-01-28 19:00:00', '2031-01-28 21:30:00', 'choir-2031-01-28', 'Choir']
    ]
  )
  const last = await visitor.get(`${calendar}/events/by-slug/choir-2031-01-28`)
  assert.deepEqual(
    [last.body.description, last.body.tags[0].slug, last.body.tags[0].count],
    [first.description, 'choir', 4]
  )
  assert.equal((await anEvent()).series, null)
})

test('each event of a series gets the texts in all languages, the venues and the organizers', async () => {
  const single = await anEvent({
    ...rehearsal,
    title: 'Open rehearsal',
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Choir' }
  })
  await admin.patch(`${calendar}/events/${single.id}?language=de`, { title: 'Offene Probe' })
  const repeated = await admin.patch(`${calendar}/events/${single.id}`, { recurrence: { ...weekly, count: 2 } })
  assert.equal(repeated.status, 200, repeated.text)
  const [, second] = await listOccurrences(repeated.body.series.id)
  const german = await visitor.get(`${calendar}/events/${second?.id}?language=de`)
  assert.deepEqual(
    [german.body.title, german.body.slug, german.body.venue.venue, german.body.organizer[0].organizer],
    ['Offene Probe', 'offene-probe-2031-01-14', 'Hall', 'Choir']
  )
  const found = await visitor.get(
    `${calendar}/events?search=offene&language=de&start_date=2031-01-01&end_date=2031-02-01`
  )
  assert.equal(found.body.total, 2)
})

test('a recurrence can be an RRULE with excluded and additional dates', async () => {
  for (const recurrence of [
    'FREQ=WEEKLY;COUNT=3',
    'RRULE:FREQ=WEEKLY;UNTIL=20310121T180000Z',
    'RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20310121',
    { unit: 'week', until: '2031-01-21' }
  ]) {
    const { series } = await createSeries({ recurrence })
    assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-14', '2031-01-21'], JSON.stringify(recurrence))
  }
  const { series } = await createSeries({
    recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE;TZID=Europe/Berlin:20310114T190000\r\nRDATE;VALUE=DATE:20310116'
  })
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-16', '2031-01-21', '2031-01-28'])
})

test('local times stay the same across clock changes, and all-day events stay all-day', async () => {
  const { series } = await createSeries({
    start_date: '2031-03-28 19:00',
    end_date: '2031-03-28 21:00',
    recurrence: { unit: 'day', count: 4 }
  })
  const all = await listOccurrences(series.id)
  assert.deepEqual(
    all.map(({ start_date, utc_start_date }) => [start_date.slice(11), utc_start_date.slice(11)]),
    [
      ['19:00:00', '18:00:00'],
      ['19:00:00', '18:00:00'],
      ['19:00:00', '17:00:00'],
      ['19:00:00', '17:00:00']
    ]
  )
  const night = await createSeries({
    start_date: '2031-03-29 02:30',
    end_date: '2031-03-29 03:30',
    recurrence: { unit: 'day', count: 3 }
  })
  assert.deepEqual(
    (await listOccurrences(night.series.id)).map(({ start_date, series }) => [start_date, series?.date]),
    [
      ['2031-03-29 02:30:00', '2031-03-29 02:30:00'],
      ['2031-03-30 03:30:00', '2031-03-30 02:30:00'],
      ['2031-03-31 02:30:00', '2031-03-31 02:30:00']
    ]
  )
  const allDay = await createSeries({
    all_day: true,
    start_date: '2031-03-29',
    end_date: '2031-03-30',
    recurrence: { unit: 'day', count: 2 }
  })
  assert.deepEqual(
    (await listOccurrences(allDay.series.id)).map(({ start_date, end_date }) => [start_date, end_date]),
    [
      ['2031-03-29 00:00:00', '2031-03-30 23:59:59'],
      ['2031-03-30 00:00:00', '2031-03-31 23:59:59']
    ]
  )
})

test('monthly, yearly and weekly rules repeat by weekday or by day', async () => {
  const rules: [recurrence: object, rule: string, dates: string[]][] = [
    [
      { unit: 'month', weekdays: [{ nth: 1, weekday: 'tuesday' }], count: 3 },
      'FREQ=MONTHLY;BYDAY=1TU;COUNT=3',
      ['2031-01-07', '2031-02-04', '2031-03-04']
    ],
    [{ unit: 'month', count: 2 }, 'FREQ=MONTHLY;BYMONTHDAY=7;COUNT=2', ['2031-01-07', '2031-02-07']],
    [
      { unit: 'month', month_days: [7, -1], count: 3 },
      'FREQ=MONTHLY;BYMONTHDAY=-1,7;COUNT=3',
      ['2031-01-07', '2031-01-31', '2031-02-07']
    ],
    [{ unit: 'year', count: 2 }, 'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=7;COUNT=2', ['2031-01-07', '2032-01-07']],
    [
      { unit: 'year', weekdays: [{ nth: 1, weekday: 'tuesday' }], count: 2 },
      'FREQ=YEARLY;BYMONTH=1;BYDAY=1TU;COUNT=2',
      ['2031-01-07', '2032-01-06']
    ],
    [
      { every: 2, unit: 'week', weekdays: ['thursday', 'tuesday'], count: 3 },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=3',
      ['2031-01-07', '2031-01-09', '2031-01-21']
    ]
  ]
  for (const [recurrence, rule, dates] of rules) {
    const { series } = await createSeries({ recurrence })
    assert.deepEqual([series.rule, await listDates(series.id)], [rule, dates])
    const { body } = await visitor.get(`${calendar}/series/${series.id}`)
    assert.deepEqual(body.recurrence, { every: 1, ...recurrence, except: [], also: [], ...sortDays(recurrence) })
  }
})

/** Responses have weekdays and days in order. */
function sortDays(recurrence: { weekdays?: unknown[]; month_days?: number[] }): object {
  if (recurrence.month_days !== undefined) return { month_days: [...recurrence.month_days].sort((a, b) => a - b) }
  return recurrence.weekdays?.length === 2 ? { weekdays: [...recurrence.weekdays].reverse() } : {}
}

test('an invalid recurrence is refused with the name of the member', async () => {
  const invalid: [recurrence: unknown, field: string, code: string][] = [
    ['every week', 'recurrence', 'rule'],
    ['FREQ=HOURLY', 'recurrence', 'frequency'],
    ['FREQ=SECONDLY;COUNT=3', 'recurrence', 'frequency'],
    ['FREQ=DAILY;BYHOUR=9,10', 'recurrence', 'time-of-day'],
    ['FREQ=WEEKLY;BYDAYS=TU', 'recurrence', 'rule'],
    ['FREQ=WEEKLY;BYDAY=2TU', 'recurrence', 'rule'],
    ['FREQ=DAILY;BYWEEKNO=3', 'recurrence', 'rule'],
    ['FREQ=DAILY\nRRULE:FREQ=WEEKLY', 'recurrence', 'rule'],
    ['DTSTART:20310107', 'recurrence', 'rule'],
    ['FREQ=DAILY;COUNT=3;UNTIL=20310201', 'recurrence.count', 'not-allowed'],
    ['FREQ=DAILY;COUNT=1001', 'recurrence.count', 'out-of-range'],
    ['FREQ=DAILY;INTERVAL=100', 'recurrence.every', 'out-of-range'],
    ['FREQ=DAILY;COUNT=3\nEXDATE:soon', 'recurrence.except', 'dates'],
    ['FREQ=DAILY;COUNT=3\nRDATE:20310120T080000', 'recurrence.also', 'time'],
    [`FREQ=DAILY;COUNT=3\nEXDATE:${'20310108,'.repeat(3000)}`, 'recurrence', 'rule'],
    [7, 'recurrence', 'rule'],
    [['FREQ=DAILY'], 'recurrence', 'rule'],
    [{}, 'recurrence.unit', 'not-allowed'],
    [{ unit: 'hour' }, 'recurrence.unit', 'not-allowed'],
    [{ unit: 'toString' }, 'recurrence.unit', 'not-allowed'],
    [{ unit: 'day', every: 0 }, 'recurrence.every', 'out-of-range'],
    [{ unit: 'day', every: 1.5 }, 'recurrence.every', 'out-of-range'],
    [{ unit: 'day', every: '2' }, 'recurrence.every', 'out-of-range'],
    [{ unit: 'day', weekdays: ['tuesday'] }, 'recurrence.weekdays', 'weekdays'],
    [{ unit: 'week', weekdays: ['dienstag'] }, 'recurrence.weekdays', 'weekdays'],
    [{ unit: 'month', weekdays: ['tuesday'] }, 'recurrence.weekdays', 'weekdays'],
    [{ unit: 'month', weekdays: [{ nth: 0, weekday: 'tuesday' }] }, 'recurrence.weekdays', 'weekdays'],
    [{ unit: 'month', weekdays: [{ nth: 6, weekday: 'tuesday' }] }, 'recurrence.weekdays', 'weekdays'],
    [{ unit: 'week', month_days: [1] }, 'recurrence.month_days', 'month-days'],
    [{ unit: 'month', month_days: [32] }, 'recurrence.month_days', 'month-days'],
    [{ unit: 'day', until: 'later' }, 'recurrence.until', 'date'],
    [{ unit: 'day', until: '2031-02-30' }, 'recurrence.until', 'date'],
    [{ unit: 'day', until: '2031-01-06' }, 'recurrence.until', 'end-before-start'],
    [{ unit: 'day', until: '2034-01-06' }, 'recurrence.until', 'too-many'],
    [{ unit: 'day', until: '2031-02-01', count: 3 }, 'recurrence.count', 'not-allowed'],
    [{ unit: 'day', count: 0 }, 'recurrence.count', 'out-of-range'],
    [{ unit: 'day', count: 1001 }, 'recurrence.count', 'out-of-range'],
    [{ unit: 'day', untill: '2031-02-01' }, 'recurrence.untill', 'unknown'],
    [{ unit: 'day', count: 3, except: ['2031-01-07'] }, 'recurrence.except', 'start'],
    [{ unit: 'day', count: 3, also: ['2031-01-01'] }, 'recurrence.also', 'before-start'],
    [{ unit: 'week', weekdays: ['thursday'] }, 'start_date', 'not-in-rule'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'start_date', 'not-in-rule'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'recurrence', 'no-dates']
  ]
  for (const [recurrence, field, code] of invalid) {
    const [status, details] = getRefusal(await post({ recurrence }))
    const codes = Object.entries(details).map(([name, detail]) => [name, detail.code])
    assert.deepEqual([status, codes], [400, [[field, code]]], JSON.stringify(recurrence).slice(0, 100))
  }
  const [, details] = getRefusal(await post({ recurrence: { unit: 'week', weekdays: ['thursday'] } }))
  assert.match(details.start_date?.message ?? '', /the first one is 9 January 2031 \(2031-01-09\)/)
  assert.equal((await post({ recurrence: null })).status, 201)
  assert.equal((await post({ recurrence: '' })).body.series, null)
})

test('an endless series has events for the next two years', async () => {
  const today = new Date()
  const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 1))
    .toISOString()
    .slice(0, 10)
  const created = await post({
    start_date: `${day} 10:00`,
    end_date: `${day} 11:00`,
    recurrence: { unit: 'month', month_days: [Number(day.slice(8))] }
  })
  const { body } = await visitor.get(`${calendar}/series/${created.body.series.id}`)
  assert.equal(body.isEndless, true)
  assert.ok(body.occurrences >= 13 && body.occurrences <= 25, body.occurrences)
  assert.deepEqual(body.next, { id: created.body.id, date: `${day} 10:00:00` })
})

test('the response for a series has its rule, its description and its next event', async () => {
  const first = await createSeries({
    title: 'Tuesday group',
    recurrence: { every: 2, unit: 'week', until: '2031-07-31', except: ['2031-01-21'], also: ['2031-01-23'] }
  })
  const { status, body } = await visitor.get(`${calendar}/series/${first.series.id}?language=en`)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    id: first.series.id,
    author: first.author,
    rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20310731',
    recurrence: {
      every: 2,
      unit: 'week',
      weekdays: ['tuesday'],
      until: '2031-07-31',
      except: ['2031-01-21'],
      also: ['2031-01-23']
    },
    text: 'every second Tuesday until 31 July 2031, not on 21 January 2031, also on 23 January 2031',
    isEndless: false,
    start_date: '2031-01-07 19:00:00',
    end_date: '2031-01-07 21:30:00',
    all_day: false,
    timezone: 'Europe/Berlin',
    except: ['2031-01-21'],
    also: ['2031-01-23'],
    next: { id: first.id, date: '2031-01-07 19:00:00' },
    occurrences: 15,
    language: 'en',
    rest_url: body.rest_url
  })
  const german = await visitor.get(`${calendar}/series/${first.series.id}`, { 'accept-language': 'de' })
  assert.equal(
    german.body.text,
    'jeden zweiten Dienstag bis 31. Juli 2031, nicht am 21. Januar 2031, auch am 23. Januar 2031'
  )
  assert.equal((await visitor.get(`${calendar}/series/999999`)).body.code, 'rest-series-not-found')
})

test('a series of drafts is hidden from visitors', async () => {
  const draft = await createSeries({ title: 'Draft', status: 'draft' })
  assert.equal((await visitor.get(`${calendar}/series/${draft.series.id}`)).status, 404)
  assert.equal((await visitor.get(`${calendar}/events?series=${draft.series.id}`)).status, 400)
  assert.equal((await admin.get(`${calendar}/series/${draft.series.id}`)).body.occurrences, 4)
  const pending = await contributor.post(`${calendar}/events`, { ...rehearsal, recurrence: weekly, status: 'publish' })
  const all = await listOccurrences(pending.body.series.id, '&status=pending,publish')
  assert.deepEqual(new Set(all.map(({ status, slug }) => `${status} ${slug}`)), new Set(['pending ']))
})

test('a preview has dates and description, and creates nothing', async () => {
  const before = (await admin.get(`${calendar}/events?start_date=2000-01-01`)).body.total
  const preview = await contributor.post(`${calendar}/series/preview`, {
    start_date: '2031-01-07 19:00',
    recurrence: { unit: 'day', count: 100 }
  })
  assert.equal(preview.status, 200, preview.text)
  const { dates, ...rest } = preview.body
  assert.deepEqual([dates.length, dates[0], dates[59]], [60, '2031-01-07 19:00:00', '2031-03-07 19:00:00'])
  assert.deepEqual(rest, {
    rule: 'FREQ=DAILY;COUNT=100',
    recurrence: { every: 1, unit: 'day', count: 100, except: [], also: [] },
    text: 'every day, 100 times',
    isEndless: false,
    total: 100
  })
  const endless = await contributor.post(`${calendar}/series/preview`, {
    start_date: '2031-01-07 19:00',
    recurrence: 'FREQ=WEEKLY',
    language: 'de'
  })
  assert.deepEqual([endless.body.total, endless.body.isEndless, endless.body.text], [null, true, 'jeden Dienstag'])
  assert.equal((await visitor.post(`${calendar}/series/preview`, {})).status, 401)
  const [status, details] = getRefusal(
    await contributor.post(`${calendar}/series/preview`, {
      start_date: '2031-01-08 19:00',
      recurrence: 'FREQ=WEEKLY;BYDAY=TU'
    })
  )
  assert.deepEqual([status, details.start_date?.code], [400, 'not-in-rule'])
  assert.equal((await admin.get(`${calendar}/events?start_date=2000-01-01`)).body.total, before)
})

test('series_once lists each series once, with correct totals', async () => {
  const tag = { tags: ['once'] }
  const first = await createSeries({ ...tag, title: 'Once a' })
  const other = await createSeries({
    ...tag,
    title: 'Once b',
    start_date: '2031-01-14 08:00',
    end_date: '2031-01-14 09:00'
  })
  const single = await anEvent({
    ...tag,
    title: 'Single',
    start_date: '2031-01-10 19:00',
    end_date: '2031-01-10 20:00'
  })
  const list = `${calendar}/events?tags=once&start_date=2031-01-01&series_once=true`
  const once = await visitor.get(list)
  assert.deepEqual(
    [once.body.events.map(({ id }: ListedOccurrence) => id), once.body.total],
    [[first.id, single.id, other.id], 3]
  )
  assert.ok((await visitor.get(`${list}&per_page=1`)).body.next_rest_url.includes('series_once=true'))
  const later = await visitor.get(list.replace('2031-01-01', '2031-01-20'))
  assert.deepEqual(
    later.body.events.map(({ start_date }: ListedOccurrence) => start_date),
    ['2031-01-21 08:00:00', '2031-01-21 19:00:00']
  )
  assert.equal((await visitor.get(list.replace('=true', '=false'))).body.total, 9)
  const backwards = await visitor.get(`${list}&order=desc`)
  assert.deepEqual(
    backwards.body.events.map(({ start_date }: ListedOccurrence) => start_date),
    ['2031-02-04 08:00:00', '2031-01-28 19:00:00', '2031-01-10 19:00:00'],
    'latest first, with the latest event of each series'
  )
  const running = await visitor.get(`${calendar}/events?tags=once&ends_after=now&series_once=true`)
  assert.equal(running.body.total, 3)
})

test('a series with a thousand events is created in one request', { skip: skipUnlessFull }, async () => {
  const created = await post({ title: 'Daily', recurrence: { unit: 'day', count: 1000 } })
  assert.equal(created.status, 201, created.text)
  const { body } = await visitor.get(`${calendar}/series/${created.body.series.id}`)
  assert.equal(body.occurrences, 1000)
  const [entry] = (await admin.get('/activity?limit=1')).body
  assert.deepEqual(
    [entry.action, entry.details.occurrences, entry.details.series],
    ['event.created', 1000, created.body.series.id]
  )
})

test('all events of a long series are changed in one request and deleted in another', {
  skip: skipUnlessFull
}, async () => {
  const created = await post({ title: 'Long', recurrence: { unit: 'day', count: 1000 } })
  const changed = await admin.patch(`${calendar}/events/${created.body.id}?apply=all`, {
    title: 'Longer',
    start_date: '2031-01-08 20:00',
    end_date: '2031-01-08 21:00'
  })
  assert.equal(changed.status, 200, changed.text)
  const list = `${calendar}/events?series=${created.body.series.id}&start_date=2031-01-01&end_date=2035-01-01`
  const last = await visitor.get(`${list}&order=desc&per_page=1`)
  assert.deepEqual(
    [last.body.total, last.body.events[0].title, last.body.events[0].start_date],
    [1000, 'Longer', '2033-10-03 20:00:00']
  )
  assert.equal((await admin.delete(`${calendar}/series/${created.body.series.id}`)).status, 200)
  assert.equal((await visitor.get(list)).status, 400)
})
