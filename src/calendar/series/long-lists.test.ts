// test: full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarService } from '#calendar/service.ts'
import { createServer } from '#platform/server.ts'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { silent } from '#test/support/database.ts'
import { calendar, newClient, startCalendar } from '#test/support/services.ts'
import { dayMs } from '../recurrence/occurrences.ts'
import { copyToDates } from './copies.ts'

const { admin, anEvent, store, settings: defaultSettings } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { createSeries } = newSeriesClient(admin)

test('a page of a series with 10,000 events takes as many SQL statements as a page of single events', async () => {
  const first = await createSeries({ recurrence: { unit: 'day', count: 1 } })
  const times = { durationMs: dayMs / 12, allDay: false, timezone: 'Europe/Berlin' }
  const dates = Array.from({ length: 9999 }, (_, place) => Date.UTC(2031, 0, 8 + place, 19))
  await store.transaction(async tx => {
    await copyToDates(tx, { templateId: first.id, seriesId: first.series.id, times, now: new Date() }, dates)
  })
  const counted = countStatements(store)
  // Without a cache, which would also poll for writes of other processes.
  const settings = { ...defaultSettings, responseCache: 0 }
  const server = await createServer([createCalendarService(settings)], { store: counted.store, settings, log: silent })
  const client = newClient(server)
  const getAndCount = async (query: string) => {
    const before = counted.statements()
    const { status, body, text } = await client.get(`${calendar}/events?${query}`)
    assert.equal(status, 200, text)
    return { body, statements: counted.statements() - before }
  }
  const query = 'start_date=2031-01-01&end_date=2060-01-01&per_page=50'
  const { body, statements } = await getAndCount(query)
  assert.deepEqual([body.total, body.events.length, body.events[49].series.id], [10_000, 50, first.series.id])
  assert.equal(statements, 2)

  // A further page takes as many statements as one of single events.
  for (let place = 0; place < 10; place += 1) await anEvent({ start_date: '2029-05-01', end_date: '2029-05-01' })
  const single = await getAndCount('start_date=2029-01-01&end_date=2029-12-31')
  assert.equal(single.body.events.length, 10)
  assert.equal((await getAndCount(`${query}&page=3`)).statements, single.statements)
  await server.drain()
})
