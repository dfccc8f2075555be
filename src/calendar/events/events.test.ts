import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, anEvent } = await startCalendar()
const events = `${calendar}/events`

test('an event that an admin creates is there for everybody', async () => {
  const made = await admin.post(events, event)
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.title, event.title)
  assert.equal(made.body.status, 'publish')
  assert.equal(made.body.slug, 'summer-concert')
  const read = await visitor.get(`${events}/${made.body.id}`)
  assert.equal(read.status, 200, read.text)
  assert.equal(read.body.start_date, '2027-06-01 19:00:00')
  const list = await visitor.get(events)
  assert.equal(list.status, 200, list.text)
  assert.equal(list.body.total, 1)
})

test('a concert has a venue, organizers and terms', async () => {
  const made = await anEvent({
    title: 'Jazz',
    venue: { venue: 'Blue Note', city: 'Berlin' },
    organizer: [{ organizer: 'A' }, { organizer: 'B' }],
    categories: ['Music'],
    tags: 'jazz, live'
  })
  assert.equal(made.venue.venue, 'Blue Note')
  assert.deepEqual(
    made.organizer.map((one: { organizer: string }) => one.organizer),
    ['A', 'B']
  )
  assert.equal(made.categories[0].name, 'Music')
  assert.deepEqual(
    made.tags.map((one: { name: string }) => one.name),
    ['jazz', 'live']
  )
  const list = await visitor.get(`${events}?categories=music&search=jazz`)
  assert.equal(list.body.total, 1, list.text)
})
