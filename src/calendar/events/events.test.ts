import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, anEvent } = await startCalendar()
const events = `${calendar}/events`

test('an event that an admin creates is visible to visitors, by id and in the list', async () => {
  const created = await admin.post(events, event)
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.title, event.title)
  assert.equal(created.body.status, 'publish')
  assert.equal(created.body.slug, 'summer-concert')
  const read = await visitor.get(`${events}/${created.body.id}`)
  assert.equal(read.status, 200, read.text)
  assert.equal(read.body.start_date, '2027-06-01 19:00:00')
  const list = await visitor.get(events)
  assert.equal(list.status, 200, list.text)
  assert.equal(list.body.total, 1)
})

test('an event is created with a venue, organizers and terms, and found by category and search', async () => {
  const created = await anEvent({
    title: 'Jazz',
    venue: { venue: 'Blue Note', city: 'Berlin' },
    organizer: [{ organizer: 'A' }, { organizer: 'B' }],
    categories: ['Music'],
    tags: 'jazz, live'
  })
  assert.equal(created.venue.venue, 'Blue Note')
  assert.deepEqual(
    created.organizer.map((item: { organizer: string }) => item.organizer),
    ['A', 'B']
  )
  assert.equal(created.categories[0].name, 'Music')
  assert.deepEqual(
    created.tags.map((item: { name: string }) => item.name),
    ['jazz', 'live']
  )
  const list = await visitor.get(`${events}?categories=music&search=jazz`)
  assert.equal(list.body.total, 1, list.text)
})
