// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { extendSeries } from './extend.ts'

// Writes of the same series at the same time.

const { admin, store, withRole } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const editor = await withRole('editor')
const { createSeries, listOccurrences } = newSeriesClient(admin)

test('concurrent runs of the daily job create each event once', async () => {
  const created = []
  for (const title of ['Choir', 'Band', 'Dance']) {
    created.push(await createSeries({ title, recurrence: { unit: 'month', every: 2 } }))
  }
  const ids = created.map(({ series }) => series.id)
  const lengths = await Promise.all(ids.map(async id => (await listOccurrences(id)).length))
  const later = new Date(Date.UTC(2032, 0, 7))
  await Promise.all([extendSeries(store, later), extendSeries(store, later), extendSeries(store, later)])
  for (const [place, id] of ids.entries()) {
    const all = await listOccurrences(id)
    assert.equal(all.length, (lengths[place] ?? 0) + 6)
    assert.equal(new Set(all.map(({ start_date }) => start_date)).size, all.length)
    assert.equal(new Set(all.map(({ slug }) => slug)).size, all.length)
  }
  const records = await store.all(sql`
    select details -> 'series' as series from platform.activity
    where action = 'event.created' and actor = 'series' and (details ->> 'series')::bigint = any(${ids}::bigint[])`)
  assert.equal(records.length, ids.length)
})

test('two concurrent changes of all events are both applied to each of them', async () => {
  const { series } = await createSeries({ recurrence: { unit: 'day', count: 40 } })
  const [first, second] = await listOccurrences(series.id)
  const answers = await Promise.all([
    admin.patch(`${calendar}/events/${first?.id}?apply=all`, { title: 'New title' }),
    editor.patch(`${calendar}/events/${second?.id}?apply=all`, { featured: true })
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200]
  )
  const all = await listOccurrences(series.id)
  assert.equal(all.length, 40)
  assert.ok(all.every(({ title, featured, series: own }) => title === 'New title' && featured && !own?.isException))
})

test('of two concurrent changes of the same version of a series one gets 412', async () => {
  const { series } = await createSeries()
  const path = `${calendar}/series/${series.id}`
  const { headers } = await admin.get(path)
  const condition = { 'if-match': String(headers.etag) }
  const answers = await Promise.all([
    admin.patch(path, { title: 'Of one' }, condition),
    editor.patch(path, { title: 'Of the other' }, condition)
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  assert.equal(new Set((await listOccurrences(series.id)).map(({ title }) => title)).size, 1)
})

test('after two concurrent changes of the rule the series has one of them, and its events match it', async () => {
  const { series } = await createSeries({ recurrence: { unit: 'week', count: 8 } })
  const [first, second] = await listOccurrences(series.id)
  const answers = await Promise.all([
    admin.patch(`${calendar}/events/${first?.id}?apply=all`, { recurrence: { unit: 'week', count: 12 } }),
    editor.patch(`${calendar}/events/${second?.id}?apply=all`, { recurrence: { unit: 'week', count: 5 } })
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200]
  )
  const { body } = await admin.get(`${calendar}/series/${series.id}`)
  assert.equal((await listOccurrences(series.id)).length, body.recurrence.count)
})
