import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, store, settings, anEvent, aVenue, aCategory } = await startCalendar({
  env: { TIMEZONE: 'Europe/Berlin' }
})

function parseEntries({ text }: TestResponse): ICAL.Component[] {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
}
const getValue = (entry: ICAL.Component | undefined, name: string) => String(entry?.getFirstPropertyValue(name))

test('one event as an iCalendar file has UID, location, categories and URL', async () => {
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
  const [entry] = parseEntries(answer)
  assert.match(getValue(entry, 'uid'), /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
  assert.equal(getValue(entry, 'summary'), 'Rehearsal; with guests')
  assert.equal(getValue(entry, 'description'), 'First line\n\nSecond paragraph')
  assert.equal(getValue(entry, 'location'), 'Town Hall, Main Street 1, 10115 Berlin')
  assert.equal(getValue(entry, 'categories'), 'Choir, and more')
  assert.equal(getValue(entry, 'geo'), '52.5,13.4')
  assert.match(getValue(entry, 'url'), /\/event\/rehearsal-with-guests\/$/)
  assert.match(answer.text, /BEGIN:VTIMEZONE\r\nTZID:Europe\/Berlin/)
  assert.match(answer.text, /DTSTART;TZID=Europe\/Berlin:20270701T190000/)
})

test('a change increases the SEQUENCE and keeps the UID; a cancelled event has STATUS:CANCELLED', async () => {
  const { id } = await anEvent({ title: 'Moved' })
  const [before] = parseEntries(await visitor.get(`${calendar}/events/${id}.ics`))
  await admin.patch(`${calendar}/events/${id}`, { start_date: '2027-06-01 18:00', event_status: 'canceled' })
  const [entry] = parseEntries(await visitor.get(`${calendar}/events/${id}.ics`))
  assert.equal(getValue(entry, 'uid'), getValue(before, 'uid'))
  assert.equal(getValue(entry, 'sequence'), '1')
  assert.equal(getValue(entry, 'status'), 'CANCELLED')
})

test('the DTEND of an all-day event is the day after its last day', async () => {
  const { id } = await anEvent({ title: 'Fair', all_day: true, start_date: '2027-08-01', end_date: '2027-08-03' })
  const { text } = await visitor.get(`${calendar}/events/${id}.ics`)
  assert.match(text, /DTSTART;VALUE=DATE:20270801\r\n/)
  assert.match(text, /DTEND;VALUE=DATE:20270804\r\n/)
})

test('a feed accepts the filters of the list and is in the language of its path', async () => {
  const { id } = await anEvent({ title: 'Open stage', tags: ['stage'] })
  await admin.patch(`${calendar}/events/${id}`, { language: 'de', title: 'Offene Bühne' })
  const english = await visitor.get('/en/events.ics?tags=stage')
  const german = await visitor.get('/de/events.ics?tags=stage')
  assert.deepEqual(
    parseEntries(english).map(entry => getValue(entry, 'summary')),
    ['Open stage']
  )
  assert.deepEqual(
    parseEntries(german).map(entry => getValue(entry, 'summary')),
    ['Offene Bühne']
  )
  assert.match(german.text, /NAME:Termine/)
  const one = await visitor.get(`/de/events/${id}.ics`)
  assert.deepEqual(
    parseEntries(one).map(entry => getValue(entry, 'summary')),
    ['Offene Bühne']
  )
  assert.equal((await visitor.get('/de/events.ics?tags=nothing-like-it')).status, 400)
})

test('a feed has an ETag, and a request with a matching If-None-Match gets 304', async () => {
  const first = await visitor.get('/en/events.ics?tags=stage')
  const again = await visitor.get('/en/events.ics?tags=stage', { 'if-none-match': first.headers.etag ?? '' })
  assert.equal(again.status, 304)
  const head = await visitor.send({ method: 'HEAD', url: '/en/events.ics?tags=stage' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.etag, first.headers.etag)
})

test('feeds contain no drafts, and of password-protected events no description', async () => {
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
    parseEntries(feed).map(entry => getValue(entry, 'summary')),
    ['Closed']
  )
  assert.doesNotMatch(feed.text, /Secret/)
  const opened = await visitor.get(`${calendar}/events/${closed.id}.ics?password=open%20sesame`)
  assert.match(opened.text, /Secret/)
})

test('the feed of an unknown event, or of one in the trash, is 404', async () => {
  const { id } = await anEvent({ title: 'Gone' })
  await admin.delete(`${calendar}/events/${id}`)
  assert.equal((await visitor.get(`${calendar}/events/${id}.ics`)).status, 404)
  assert.equal((await visitor.get(`${calendar}/events/999999.ics`)).status, 404)
})

test('the UID of an event does not depend on the host; the UID of an older event is stored with the public host', async () => {
  const { id } = await anEvent({ title: 'New' })
  const old = await anEvent({ title: 'Old' })
  await store.run(sql`update calendar.events set uid = null where id = ${old.id}`)
  const readUid = async (event: number, host: string) =>
    getValue(parseEntries(await admin.get(`${calendar}/events/${event}.ics`, { host }))[0], 'uid')
  assert.equal(await readUid(id, 'one.example'), await readUid(id, 'other.example'))
  assert.equal(await readUid(old.id, 'one.example:8080'), `event-${old.id}@one.example`)

  const job = createCalendarJobs({ ...settings, publicUrl: 'https://one.example' }).find(
    ({ name }) => name === 'store-event-uids'
  )
  await job?.run(store, {}, new AbortController().signal)
  assert.equal(await readUid(old.id, 'other.example'), `event-${old.id}@one.example`)
})

test('a postponed event is tentative, with a note in the language of the feed', async () => {
  const { id } = await anEvent({ title: 'Party', description: 'With cake', event_status: 'postponed', tags: ['later'] })
  const [english] = parseEntries(await visitor.get(`/en/events/${id}.ics`))
  assert.deepEqual(
    ['status', 'summary', 'description'].map(name => getValue(english, name)),
    ['TENTATIVE', 'Postponed: Party', 'This event is postponed. The date shown is the original one.\n\nWith cake']
  )
  const [german] = parseEntries(await visitor.get('/de/events.ics?tags=later'))
  assert.equal(getValue(german, 'summary'), 'Verschoben: Party')
})

test('the name of the feed contains the name of the site', async () => {
  assert.equal((await admin.patch('/site', { name: 'Bürgerhaus' })).status, 200)
  const { text } = await admin.get('/de/events.ics?tags=stage')
  assert.match(text, /X-WR-CALNAME:Termine · Bürgerhaus\r\n/)
})

test('a feed has the events of the past 90 days, and older ones if start_date is set', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  for (const days of [1, 80, 100])
    await anEvent({ title: `${days} days ago`, start_date: daysAgo(days), end_date: daysAgo(days), tags: ['bygone'] })
  const titles = async (query: string) =>
    parseEntries(await visitor.get(`${calendar}/events.ics?tags=bygone${query}`)).map(entry =>
      getValue(entry, 'summary')
    )
  assert.deepEqual(await titles(''), ['80 days ago', '1 days ago'])
  assert.deepEqual(await titles(`&start_date=${daysAgo(200)}`), ['100 days ago', '80 days ago', '1 days ago'])
})

test('a 304 response does not read the texts; the ETag changes with the event, venue, category and site name', async () => {
  const venue = await aVenue({ venue: 'Old Mill' })
  const category = await aCategory({ name: 'Milling' })
  const { id } = await anEvent({ title: 'Grinding', venue: venue.id, categories: [category.id] })
  const feed = `/en/events.ics?categories=${category.id}`
  const readEtag = async () => (await admin.get(feed)).headers.etag ?? ''
  let knownEtag = await readEtag()
  await store.run(sql`alter table calendar.event_texts rename to event_texts_renamed`)
  const fresh = await admin.get(feed, { 'if-none-match': knownEtag })
  await store.run(sql`alter table calendar.event_texts_renamed rename to event_texts`)
  assert.deepEqual([fresh.status, fresh.text], [304, ''])
  assert.equal(fresh.headers['content-type'], undefined)

  const changes: [changedItem: string, change: () => Promise<unknown>][] = [
    ['the event', async () => await admin.patch(`${calendar}/events/${id}`, { title: 'Grinding corn' })],
    ['the venue', async () => await admin.patch(`${calendar}/venues/${venue.id}`, { venue: 'New Mill' })],
    ['the category', async () => await admin.patch(`${calendar}/categories/${category.id}`, { name: 'Mills' })],
    ['another event', async () => await anEvent({ title: 'Baking', categories: [category.id] })],
    ['the name of the site', async () => await admin.patch('/site', { name: 'The Mill' })],
    ['a deleted event', async () => await admin.delete(`${calendar}/events/${id}`)]
  ]
  for (const [changedItem, change] of changes) {
    await change()
    const changed = await admin.get(feed, { 'if-none-match': knownEtag })
    assert.equal(changed.status, 200, changedItem)
    knownEtag = changed.headers.etag ?? ''
  }
  assert.equal((await admin.get('/en/events.ics?categories=mills', { 'if-none-match': knownEtag })).status, 200)
})

test('a feed with more than 5,000 events has the first 5,000 and links to the feed of the year, which has all', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await anEvent({
    title: 'Daily',
    start_date: '2028-03-01 10:00',
    end_date: '2028-03-01 11:00',
    tags: ['daily']
  })
  await store.run(sql`
    with one as (
      select * from calendar.events where id = ${id}
    ),
    copies as (
      insert into calendar.events (
        languages, author_id, status, published_at, created_at, modified_at, all_day, starts_at, ends_at, start_local,
        end_local, timezone, timezone_abbr, show_map, show_map_link, hide_from_listings, sticky, featured, ticketed
      )
      select
        languages, author_id, status, published_at, created_at, modified_at, all_day,
        starts_at + minutes * interval '1 minute', ends_at + minutes * interval '1 minute',
        start_local + minutes * interval '1 minute', end_local + minutes * interval '1 minute', timezone, timezone_abbr,
        show_map, show_map_link, hide_from_listings, sticky, featured, ticketed
      from one, generate_series(1, 5000) as minutes
      returning id
    ),
    texts as (
      insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, live, search)
      select copies.id, language, title, description, excerpt, '', live, search
      from copies, calendar.event_texts
      where event_id = ${id}
    )
    insert into calendar.event_terms (event_id, term_id)
    select copies.id, term_id from copies, calendar.event_terms where event_id = ${id}`)
  const full = await admin.get('/en/events.ics?tags=daily&start_date=2028-01-01')
  assert.equal(full.text.split('BEGIN:VEVENT').length - 1, 5000)
  const [, next] = /<([^>]+)>; rel="next"/.exec(full.headers.link ?? '') ?? []
  assert.match(next ?? '', /\/en\/events\.ics\?tags=daily&year=2028$/)
  assert.ok(
    full.text
      .replaceAll('\r\n ', '')
      .includes(`DESCRIPTION:This calendar has the first 5000 events. All events of a year: ${next}`)
  )

  const year = await admin.get(new URL(next ?? '').pathname + new URL(next ?? '').search)
  assert.equal(year.text.split('BEGIN:VEVENT').length - 1, 5001)
  const again = await admin.get('/en/events.ics?tags=daily&year=2028', { 'if-none-match': year.headers.etag ?? '' })
  assert.equal(again.status, 304)
  assert.equal((await visitor.get('/en/events.ics?tags=daily&year=2027')).text.includes('BEGIN:VEVENT'), false)
  assert.equal((await visitor.get('/en/events.ics?year=soon')).status, 400)
})
