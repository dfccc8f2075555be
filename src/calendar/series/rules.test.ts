import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getRefusal, newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

// Changing the times and the rule of a series.

const { admin, visitor } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { createSeries, listOccurrences, listDates } = newSeriesClient(admin)

const patch = async (id: number | undefined, apply: string, fields: object) => {
  const changed = await admin.patch(`${calendar}/events/${id}?apply=${apply}`, fields)
  assert.equal(changed.status, 200, changed.text)
  return changed.body
}

test('a new time moves all events by the same difference, except those that were moved before', async () => {
  const { series } = await createSeries()
  const [, second, third] = await listOccurrences(series.id)
  await patch(third?.id, 'this', { start_date: '2031-01-22 18:00', end_date: '2031-01-22 19:00' })
  await patch(second?.id, 'all', { start_date: '2031-01-14 20:00', end_date: '2031-01-14 22:00' })
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ start_date, end_date, series: own }) => [
      start_date,
      end_date,
      own?.date
    ]),
    [
      ['2031-01-07 20:00:00', '2031-01-07 22:00:00', '2031-01-07 20:00:00'],
      ['2031-01-14 20:00:00', '2031-01-14 22:00:00', '2031-01-14 20:00:00'],
      ['2031-01-22 18:00:00', '2031-01-22 19:00:00', '2031-01-21 20:00:00'],
      ['2031-01-28 20:00:00', '2031-01-28 22:00:00', '2031-01-28 20:00:00']
    ]
  )
  const { body } = await visitor.get(`${calendar}/series/${series.id}`)
  assert.deepEqual([body.start_date, body.end_date], ['2031-01-07 20:00:00', '2031-01-07 22:00:00'])
})

test('a new day moves all events, the rule and the excluded dates', async () => {
  const { series } = await createSeries({
    recurrence: { every: 2, unit: 'week', weekdays: ['tuesday', 'sunday'], until: '2031-02-09', except: ['2031-01-12'] }
  })
  const before = await listOccurrences(series.id)
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-21', '2031-01-26', '2031-02-04', '2031-02-09'])
  await patch(before[1]?.id, 'all', { start_date: '2031-01-22 19:00', end_date: '2031-01-22 21:30' })
  const after = await listOccurrences(series.id)
  assert.deepEqual(
    after.map(({ id, start_date }) => [id, start_date.slice(0, 10)]),
    before.map(({ id }, place) => [id, ['2031-01-08', '2031-01-22', '2031-01-27', '2031-02-05', '2031-02-10'][place]])
  )
  const { body } = await visitor.get(`${calendar}/series/${series.id}`)
  assert.equal(body.rule, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,MO;UNTIL=20310210;WKST=TU')
  assert.deepEqual(body.except, ['2031-01-13'])
})

test('a series can be moved by a week onto dates of its own events', async () => {
  const { id, series } = await createSeries()
  await patch(id, 'all', { start_date: '2031-01-14 19:00', end_date: '2031-01-14 21:30' })
  assert.deepEqual(await listDates(series.id), ['2031-01-14', '2031-01-21', '2031-01-28', '2031-02-04'])
})

test('a monthly series is moved by its day within the month', async () => {
  const { series } = await createSeries({
    recurrence: { unit: 'month', weekdays: [{ nth: 1, weekday: 'tuesday' }], until: '2031-04-30' }
  })
  const before = await listOccurrences(series.id)
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-02-04', '2031-03-04', '2031-04-01'])
  await patch(before[1]?.id, 'all', { start_date: '2031-02-05 19:00', end_date: '2031-02-05 21:30' })
  const after = await listOccurrences(series.id)
  assert.deepEqual(
    after.map(({ start_date }) => start_date.slice(0, 10)),
    ['2031-01-01', '2031-02-05', '2031-03-05', '2031-04-02']
  )
  assert.deepEqual(
    after.map(({ id }) => id),
    before.map(({ id }) => id)
  )
  const [status, details] = getRefusal(
    await admin.patch(`${calendar}/events/${before[1]?.id}?apply=all`, {
      start_date: '2031-03-01 19:00',
      end_date: '2031-03-01 21:00'
    })
  )
  assert.deepEqual([status, details.start_date?.code], [400, 'not-in-rule'])
})

test('a new time zone keeps the local times of all events', async () => {
  const { id, series } = await createSeries({ start_date: '2031-03-25 19:00', end_date: '2031-03-25 20:00' })
  await patch(id, 'all', { timezone: 'America/New_York' })
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ start_date, utc_start_date }) => [start_date, utc_start_date]),
    [
      ['2031-03-25 19:00:00', '2031-03-25 23:00:00'],
      ['2031-04-01 19:00:00', '2031-04-01 23:00:00'],
      ['2031-04-08 19:00:00', '2031-04-08 23:00:00'],
      ['2031-04-15 19:00:00', '2031-04-15 23:00:00']
    ]
  )
})

test('all events of a series can become all-day events, and get times again', async () => {
  const { id, series } = await createSeries()
  await patch(id, 'all', { all_day: true })
  assert.deepEqual(
    (await listOccurrences(series.id)).slice(0, 2).map(({ start_date, end_date }) => [start_date, end_date]),
    [
      ['2031-01-07 00:00:00', '2031-01-07 23:59:59'],
      ['2031-01-14 00:00:00', '2031-01-14 23:59:59']
    ]
  )
  await patch(id, 'all', { all_day: false, start_date: '2031-01-07 08:00', end_date: '2031-01-07 09:00' })
  assert.equal((await listOccurrences(series.id))[1]?.end_date, '2031-01-14 09:00:00')
})

test('a new rule keeps the events of dates in both rules, creates new ones and moves the others to the trash', async () => {
  const { id, series } = await createSeries()
  const before = await listOccurrences(series.id)
  await patch(id, 'all', { recurrence: { every: 2, unit: 'week', count: 4 } })
  const after = await listOccurrences(series.id)
  assert.deepEqual(
    after.map(({ start_date }) => start_date.slice(0, 10)),
    ['2031-01-07', '2031-01-21', '2031-02-04', '2031-02-18']
  )
  assert.deepEqual([after[0]?.id, after[1]?.id], [before[0]?.id, before[2]?.id])
  assert.deepEqual([after[1]?.slug, after[2]?.slug], [before[2]?.slug, `${before[0]?.slug}-2031-02-04`])
  const trashed = await admin.get(`${calendar}/events?status=trash&include=${before[1]?.id},${before[3]?.id}`)
  assert.deepEqual(
    trashed.body.events.map((event: { series: null }) => event.series),
    [null, null]
  )
  await patch(after[1]?.id, 'all', { recurrence: { unit: 'week', count: 4 } })
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-14', '2031-01-21', '2031-01-28'])
})

test('a new rule is aligned with the date of the changed event', async () => {
  const { series } = await createSeries({ recurrence: { unit: 'week', count: 6 } })
  const before = await listOccurrences(series.id)
  await patch(before[3]?.id, 'all', { recurrence: { every: 2, unit: 'week', until: '2031-02-28' } })
  assert.deepEqual(await listDates(series.id), ['2031-01-14', '2031-01-28', '2031-02-11', '2031-02-25'])
  const refused = await admin.patch(`${calendar}/events/${before[3]?.id}?apply=all`, {
    recurrence: { unit: 'week', weekdays: ['friday'] }
  })
  assert.match(getRefusal(refused)[1].start_date?.message ?? '', /2031-01-31/)
  await patch(before[3]?.id, 'all', {
    start_date: '2031-01-31 19:00',
    end_date: '2031-01-31 21:30',
    recurrence: { unit: 'week', weekdays: ['friday'], until: '2031-02-10' }
  })
  assert.deepEqual(await listDates(series.id), ['2031-01-17', '2031-01-24', '2031-01-31', '2031-02-07'])
})

test('a new rule does not change past events', async () => {
  const formatDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const { series } = await createSeries({
    start_date: `${formatDay(-14)} 12:00`,
    end_date: `${formatDay(-14)} 13:00`,
    recurrence: { unit: 'week', count: 5 }
  })
  const before = await listOccurrences(series.id)
  await patch(before[3]?.id, 'all', { recurrence: { every: 1, unit: 'day', until: formatDay(9) } })
  const after = await listDates(series.id)
  assert.deepEqual(after.slice(0, 2), [formatDay(-14), formatDay(-7)])
  assert.ok(
    after.slice(2).every(date => date >= formatDay(0)),
    after.join()
  )
  assert.equal(after.at(-1), formatDay(9))
})
