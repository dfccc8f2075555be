import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '#platform/server.ts'
import { watchReads } from '#test/support/count-statements.ts'
import { silent } from '#test/support/database.ts'
import { adminKey, calendar, newClient, startCalendar } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

const { anEvent, aVenue, anOrganizer, aCategory, settings, store } = await startCalendar()

/** Tables whose rows were read by id. */
const linkedReads = new Set<string>()
const watching = watchReads(store, text => {
  const [, table] = /from calendar\.(venues|organizers|terms) as/.exec(text) ?? []
  if (table !== undefined) linkedReads.add(table)
})
const server = await createServer([createCalendarService(settings)], { store: watching, settings, log: silent })
const visitor = newClient(server)
const writer = newClient(server, adminKey)

let requests = 0
/** The first event of the list, by a URL of its own, so that the response itself is not cached. */
async function getFirst(by = visitor) {
  linkedReads.clear()
  requests += 1
  const { body } = await by.get(`${calendar}/events?request=${requests}`)
  return body.events[0]
}

test('venues, organizers and terms of events are cached for visitors until they change, and read for other callers', async () => {
  const [venue, organizer, category] = [await aVenue(), await anOrganizer(), await aCategory({ name: 'Linked' })]
  const links = { venue: venue.id, organizer: organizer.id, categories: category.id }
  for (let count = 0; count < 3; count += 1) await anEvent(links)
  const first = await getFirst()
  assert.deepEqual(linkedReads, new Set(['venues', 'organizers', 'terms']))
  // Items are cached at the second read, and used while the process knows the writes of other processes.
  for (let tries = 0; tries < 100 && linkedReads.size > 0; tries += 1) assert.deepEqual(await getFirst(), first)
  assert.deepEqual(linkedReads, new Set())

  assert.deepEqual(await getFirst(writer), first)
  assert.deepEqual(linkedReads, new Set(['venues', 'organizers', 'terms']))

  await writer.patch(`${calendar}/venues/${venue.id}`, { venue: 'Renamed' })
  assert.equal((await getFirst()).venue.venue, 'Renamed')
  await writer.patch(`${calendar}/categories/${category.id}`, { name: 'Renamed too' })
  assert.equal((await getFirst()).categories[0].name, 'Renamed too')
  await writer.patch(`${calendar}/organizers/${organizer.id}`, { status: 'draft' })
  assert.deepEqual((await getFirst()).organizer, [])
  assert.equal((await getFirst(writer)).organizer[0].id, organizer.id)
  await server.drain()
})
