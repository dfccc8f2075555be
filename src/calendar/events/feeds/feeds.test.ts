import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, anEvent, aVenue, aCategory } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })

function entriesIn({ text }: TestResponse): ICAL.Component[] {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
}
const wordOf = (entry: ICAL.Component | undefined, name: string) => String(entry?.getFirstPropertyValue(name))

test('one event is an iCalendar file with a stable UID, its place, its categories and its address', async () => {
  const venue = await aVenue({
    venue: 'Town Hall',
    address: 'Main Street 1',
    zip: '10115',
    city: 'Berlin',
    geo_lat: 52.5,
    geo_lng: 13.4
  })
  const category = await aCategory({ name: 'Choir, and more' })
  const { id } = await anEvent({
    title: 'Rehearsal; with guests',
    description: 'First line\n\nSecond paragraph',
    venue: venue.id,
    categories: [category.id],
    start_date: '2027-07-01 19:00',
    end_date: '2027-07-01 21:00'
  })
  const answer = await visitor.get(`${calendar}/events/${id}.ics`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8')
  const [entry] = entriesIn(answer)
  assert.equal(wordOf(entry, 'uid'), `event-${id}@localhost`)
  assert.equal(wordOf(entry, 'summary'), 'Rehearsal; with guests')
  assert.equal(wordOf(entry, 'description'), 'First line\n\nSecond paragraph')
  assert.equal(wordOf(entry, 'location'), 'Town Hall, Main Street 1, 10115 Berlin')
  assert.equal(wordOf(entry, 'categories'), 'Choir, and more')
  assert.equal(wordOf(entry, 'geo'), '52.5,13.4')
  assert.match(wordOf(entry, 'url'), /\/event\/rehearsal-with-guests\/$/)
  assert.match(answer.text, /BEGIN:VTIMEZONE\r\nTZID:Europe\/Berlin/)
  assert.match(answer.text, /DTSTART;TZID=Europe\/Berlin:20270701T190000/)
})

test('a change raises the SEQUENCE and keeps the UID; a cancelled event stays and says so', async () => {
  const { id } = await anEvent({ title: 'Moved' })
  await admin.patch(`${calendar}/events/${id}`, { start_date: '2027-06-01 18:00', event_status: 'canceled' })
  const [entry] = entriesIn(await visitor.get(`${calendar}/events/${id}.ics`))
  assert.equal(wordOf(entry, 'uid'), `event-${id}@localhost`)
  assert.equal(wordOf(entry, 'sequence'), '1')
  assert.equal(wordOf(entry, 'status'), 'CANCELLED')
})

test('whole days end on the day after, as iCalendar wants it', async () => {
  const { id } = await anEvent({ title: 'Fair', all_day: true, start_date: '2027-08-01', end_date: '2027-08-03' })
  const { text } = await visitor.get(`${calendar}/events/${id}.ics`)
  assert.match(text, /DTSTART;VALUE=DATE:20270801\r\n/)
  assert.match(text, /DTEND;VALUE=DATE:20270804\r\n/)
})

test('a list takes the filters of the list, in the language of its path', async () => {
  const { id } = await anEvent({ title: 'Open stage', tags: ['stage'] })
  await admin.patch(`${calendar}/events/${id}`, { language: 'de', title: 'Offene Bühne' })
  const english = await visitor.get('/en/events.ics?tags=stage')
  const german = await visitor.get('/de/events.ics?tags=stage')
  assert.deepEqual(
    entriesIn(english).map(entry => wordOf(entry, 'summary')),
    ['Open stage']
  )
  assert.deepEqual(
    entriesIn(german).map(entry => wordOf(entry, 'summary')),
    ['Offene Bühne']
  )
  assert.match(german.text, /NAME:Termine/)
  const one = await visitor.get(`/de/events/${id}.ics`)
  assert.deepEqual(
    entriesIn(one).map(entry => wordOf(entry, 'summary')),
    ['Offene Bühne']
  )
  assert.equal((await visitor.get('/de/events.ics?tags=nothing-like-it')).status, 400)
})

test('whoever has the file hears 304', async () => {
  const first = await visitor.get('/en/events.ics?tags=stage')
  const again = await visitor.get('/en/events.ics?tags=stage', { 'if-none-match': first.headers.etag ?? '' })
  assert.equal(again.status, 304)
  const head = await visitor.send({ method: 'HEAD', url: '/en/events.ics?tags=stage' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.etag, first.headers.etag)
})

test('what is not public is in no feed, and a password hides all but title and dates', async () => {
  const draft = await anEvent({ title: 'Draft', status: 'draft', tags: ['hidden'] })
  const closed = await anEvent({
    title: 'Closed',
    description: 'Secret',
    post_password: 'open sesame',
    tags: ['hidden']
  })
  assert.equal((await visitor.get(`${calendar}/events/${draft.id}.ics`)).status, 403)
  assert.equal((await visitor.get(`${calendar}/events/${closed.id}.ics`)).status, 403)
  const feed = await visitor.get(`${calendar}/events.ics?tags=hidden`)
  assert.deepEqual(
    entriesIn(feed).map(entry => wordOf(entry, 'summary')),
    ['Closed']
  )
  assert.doesNotMatch(feed.text, /Secret/)
  const opened = await visitor.get(`${calendar}/events/${closed.id}.ics?password=open%20sesame`)
  assert.match(opened.text, /Secret/)
})

test('an event that is not there is 404, and one in the trash too', async () => {
  const { id } = await anEvent({ title: 'Gone' })
  await admin.delete(`${calendar}/events/${id}`)
  assert.equal((await visitor.get(`${calendar}/events/${id}.ics`)).status, 404)
  assert.equal((await visitor.get(`${calendar}/events/999999.ics`)).status, 404)
})
