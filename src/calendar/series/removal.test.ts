import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { sql } from '#platform/database/sql.ts'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { extendSeries } from './extend.ts'

// Deleting events of a series, and creating those of endless series.

const { admin, visitor, store, settings } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { createSeries, listOccurrences, listDates } = newSeriesClient(admin)

const formatDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function createEndless(fields: object = {}) {
  return await createSeries({
    start_date: `${formatDay(1)} 12:00`,
    end_date: `${formatDay(1)} 13:00`,
    recurrence: { every: 30, unit: 'day' },
    ...fields
  })
}

const getLastDate = async (seriesId: number) => (await listDates(seriesId)).at(-1)
const getDateInYears = (years: number) => new Date(Date.now() + years * 365.25 * 86_400_000)

test('the date of an event in the trash is excluded until the event is restored', async () => {
  const { series } = await createSeries()
  const [, second] = await listOccurrences(series.id)
  assert.equal((await admin.delete(`${calendar}/events/${second?.id}`)).status, 200)
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-21', '2031-01-28'])
  const { body } = await visitor.get(`${calendar}/series/${series.id}`)
  assert.deepEqual([body.except, body.text], [['2031-01-14'], 'every Tuesday, 4 times, not on 14 January 2031'])
  const restored = await admin.patch(`${calendar}/events/${second?.id}`, { status: 'publish' })
  assert.deepEqual([restored.body.series.isException, restored.body.slug], [false, second?.slug])
  assert.deepEqual((await visitor.get(`${calendar}/series/${series.id}`)).body.except, [])
})

test('the date of a permanently deleted event stays excluded', async () => {
  const { series } = await createSeries()
  const [, second] = await listOccurrences(series.id)
  assert.equal((await admin.delete(`${calendar}/events/${second?.id}?force=true`)).status, 200)
  assert.deepEqual((await visitor.get(`${calendar}/series/${series.id}`)).body.recurrence.except, ['2031-01-14'])
  await admin.patch(`${calendar}/series/${series.id}`, { start_date: '2031-01-07 20:00', end_date: '2031-01-07 21:00' })
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-21', '2031-01-28'])
})

test('deleting this and the following events moves them to the trash and ends the rule', async () => {
  const { series } = await createSeries({ tags: ['going'] })
  const [, second, third] = await listOccurrences(series.id)
  const removed = await admin.delete(`${calendar}/events/${second?.id}?apply=following`)
  assert.deepEqual([removed.status, removed.body.status], [200, 'trash'])
  assert.deepEqual(await listDates(series.id), ['2031-01-07'])
  assert.equal((await visitor.get(`${calendar}/series/${series.id}`)).body.rule, 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20310113')
  assert.equal((await visitor.get(`${calendar}/events/by-slug/${third?.slug}`)).status, 404)
  assert.equal((await admin.get(`${calendar}/tags?search=going`)).body.tags[0].count, 1)
  assert.equal((await admin.delete(`${calendar}/events/${second?.id}?apply=following`)).status, 410)
  const [entry] = (await admin.get('/activity?limit=1')).body
  assert.deepEqual([entry.action, entry.details], ['event.trashed', { series: series.id, occurrences: 3 }])
})

test('a whole series can be moved to the trash or deleted permanently', async () => {
  const { id, series } = await createSeries({ tags: ['gone'] })
  assert.equal((await admin.delete(`${calendar}/series/${series.id}`)).body.occurrences, 4)
  assert.equal((await admin.get(`${calendar}/series/${series.id}`)).status, 404)
  assert.equal((await admin.get(`${calendar}/events?status=trash&include=${id}`)).body.total, 1)
  const { id: other, series: deleted } = await createSeries({ tags: ['gone'] })
  assert.equal((await admin.delete(`${calendar}/events/${other}?apply=all&force=true`)).status, 200)
  assert.equal((await admin.get(`${calendar}/events?status=trash&include=${other}`)).body.total, 0)
  const left = await store.all(sql`select id from calendar.series where id = ${deleted.id}`)
  assert.deepEqual(left, [])
  assert.equal((await admin.get(`${calendar}/tags?search=gone&hide_empty=false`)).body.tags[0].count, 0)
  const { series: third } = await createSeries()
  assert.equal((await admin.delete(`${calendar}/series/${third.id}?force=true`)).status, 200)
  assert.equal((await admin.delete(`${calendar}/series/${third.id}?force=true`)).status, 404)
})

test('deleting the last event of a series deletes the series', async () => {
  const { id, series } = await createSeries({ recurrence: 'FREQ=DAILY;COUNT=1' })
  await admin.delete(`${calendar}/events/${id}?force=true`)
  assert.deepEqual(await store.all(sql`select id from calendar.series where id = ${series.id}`), [])
})

test('a job creates the next events of an endless series, each once', async () => {
  const job = createCalendarJobs(settings).find(({ name }) => name === 'extend-series')
  assert.match(job?.schedule ?? '', /^\d+ \d+ \* \* \*$/)
  const { id, series } = await createEndless({ title: 'Endless', tags: ['endless'], description: 'Always.' })
  const before = await listDates(series.id)
  await extendSeries(store, new Date())
  assert.deepEqual(await listDates(series.id), before)

  const all = await listOccurrences(series.id)
  await admin.patch(`${calendar}/events/${all.at(-1)?.id}`, { title: 'Special' })
  await admin.patch(`${calendar}/events/${id}?language=de`, { title: 'Nur dieser' })
  await Promise.all([extendSeries(store, getDateInYears(1)), extendSeries(store, getDateInYears(1))])
  const after = await listOccurrences(series.id)
  const added = after.slice(before.length)
  assert.ok(added.length >= 11 && added.length <= 13, String(added.length))
  assert.equal(new Set(after.map(({ start_date }) => start_date)).size, after.length)
  assert.ok(added.every(({ title, description }) => title === 'Endless' && description.includes('Always')))
  assert.match(added[0]?.slug ?? '', /^endless-\d{4}-\d\d-\d\d$/)
  assert.equal((await admin.get(`${calendar}/tags?search=endless`)).body.tags[0].count, after.length)
  const [entry] = (await admin.get('/activity?limit=1')).body
  assert.deepEqual(
    [entry.action, entry.actor, entry.details],
    ['event.created', 'series', { series: series.id, occurrences: added.length }]
  )
})

test('the job does not create events again that were trashed, deleted or after the end of their series', async () => {
  const skipped = await createEndless({ title: 'Skipped' })
  const all = await listOccurrences(skipped.series.id)
  await admin.delete(`${calendar}/events/${all[3]?.id}`)
  await admin.delete(`${calendar}/events/${all[4]?.id}?force=true`)
  const ended = await createEndless({ title: 'Ended' })
  const [, second] = await listOccurrences(ended.series.id)
  await admin.delete(`${calendar}/events/${second?.id}?apply=following`)
  const trashed = await createEndless({ title: 'Trashed' })
  await admin.delete(`${calendar}/series/${trashed.series.id}`)
  // Resets the state of the job, as if it had never run.
  await store.run(sql`
    update calendar.series set made_until = start_local where id in (${skipped.series.id}, ${trashed.series.id})`)
  await extendSeries(store, new Date())
  const dates = (await listOccurrences(skipped.series.id)).map(({ id }) => id)
  assert.deepEqual(
    dates,
    all.filter((_, place) => place !== 3 && place !== 4).map(({ id }) => id)
  )
  assert.equal(await getLastDate(ended.series.id), formatDay(1))
  const remaining = await store.all(
    sql`select id from calendar.events where series_id = ${trashed.series.id} and status <> 'trash'`
  )
  assert.deepEqual(remaining, [])
})
