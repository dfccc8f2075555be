import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '#platform/database/sql.ts'
import { createServer } from '#platform/server.ts'
import { readsEvents, watchReads } from '#test/support/count-statements.ts'
import { silent } from '#test/support/database.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { adminKey, calendar, event, newClient, startCalendar } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

const { anEvent, aVenue, aCategory, settings, store } = await startCalendar({ env: { TIMEZONE: 'UTC' } })
let eventReads = 0
const watching = watchReads(store, text => {
  if (readsEvents(text)) eventReads += 1
})
const server = await createServer([createCalendarService(settings)], { store: watching, settings, log: silent })
after(async () => await server.drain())
const [visitor, writer] = [newClient(server), newClient(server, adminKey)]

let requests = 0
const day = event.start_date.slice(0, 10)
/** The event alone, in a list and on its day, by URLs of their own, so that the responses themselves are not cached. */
async function readEvent(id: number) {
  requests += 1
  const [single, list, calendarDay] = await Promise.all([
    visitor.get(`${calendar}/events/${id}?request=${requests}`),
    visitor.get(`${calendar}/events?include=${id}&request=${requests}`),
    visitor.get(`${calendar}/days?from=${day}&to=${day}&include=${id}&request=${requests}`)
  ])
  return { single: single.body, listed: list.body.events[0], entry: calendarDay.body.days[0].events[0] }
}

async function readUntilCached(id: number) {
  await waitUntil(async () => {
    eventReads = 0
    await readEvent(id)
    return eventReads === 0
  })
}

/** As if everything had been published long ago; around a publication nothing is cached for long. */
async function publishLongAgo(): Promise<void> {
  for (const table of [sql`events`, sql`venues`, sql`organizers`]) {
    await store.run(sql`
      update calendar.${table} set published_at = published_at - interval '1 hour' where published_at <= now()`)
  }
}

test('an event is cached for longer than responses that depend on the time, if nothing is scheduled', async () => {
  const { id } = await anEvent()
  await publishLongAgo()
  await writer.patch(`${calendar}/events/${id}`, { title: 'Once more' })
  await readUntilCached(id)
  await sleep(1500)
  eventReads = 0
  await readEvent(id)
  assert.equal(eventReads, 0)

  await writer.patch(`${calendar}/events/${id}`, { title: 'Changed' })
  const { single, listed, entry } = await readEvent(id)
  assert.deepEqual([single.title, listed.title, entry.title], ['Changed', 'Changed', 'Changed'])
  await writer.patch(`${calendar}/events/${id}`, { status: 'draft' })
  assert.equal((await readEvent(id)).entry, undefined)
})

test('a venue that is published by its date appears in cached events then, as does an event in the number of its category', async () => {
  const [venue, category] = [await aVenue(), await aCategory({ name: 'Scheduled' })]
  const { id } = await anEvent({ venue: venue.id, categories: category.id })
  const later = await anEvent({ categories: category.id })
  await publishLongAgo()
  // Here, because the API publishes at once what is scheduled for the next minute.
  const at = new Date(Date.now() + 8000)
  await store.run(sql`update calendar.venues set published_at = ${at} where id = ${venue.id}`)
  await store.run(sql`update calendar.events set published_at = ${at} where id = ${later.id}`)
  await writer.patch(`${calendar}/events/${id}`, { title: 'Before' })
  await readUntilCached(id)
  const show = async () => {
    const { single, listed, entry } = await readEvent(id)
    return [single.venue.venue, listed.venue.venue, entry.venue, single.categories[0].count, listed.categories[0].count]
  }
  assert.ok(Date.now() < at.getTime(), 'the machine is too slow for this test')
  assert.deepEqual(await show(), [undefined, undefined, null, 1, 1])
  await sleep(at.getTime() - Date.now() + 1100)
  assert.deepEqual(await show(), [venue.venue, venue.venue, venue.venue, 2, 2])
})
