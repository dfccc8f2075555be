import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, anEvent } = await startCalendar()
const events = `${calendar}/events`
const { id: imageId, url: imageUrl } = await anImage()

/** Uploads a picture of one pixel. */
async function anImage(): Promise<{ id: number; url: string }> {
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const created = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    headers: { 'content-type': 'image/png' },
    payload: Buffer.from(bytes, 'base64')
  })
  assert.equal(created.status, 201, created.text)
  return created.body
}

test('an event created with only the required fields has every member of the contract', async () => {
  const created = await admin.post(events, { ...event, title: 'Plain' })
  const { body } = created
  assert.equal(created.headers.location, body.rest_url)
  const localTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
  const { date, date_utc, modified, modified_utc, start_date_details, ...rest } = body
  for (const time of [date, date_utc, modified, modified_utc]) assert.match(time, localTime)
  assert.deepEqual([modified, modified_utc], [date, date_utc])
  assert.deepEqual(start_date_details, {
    year: '2027',
    month: '06',
    day: '01',
    hour: '19',
    minutes: '00',
    seconds: '00'
  })
  const root = rest.rest_url.slice(0, -`${events}/${body.id}`.length)
  const endDetails = { year: '2027', month: '06', day: '01', hour: '21', minutes: '00', seconds: '00' }
  assert.deepEqual(rest, {
    id: body.id,
    global_id: `localhost?id=${body.id}`,
    global_id_lineage: [`localhost?id=${body.id}`],
    author: '1',
    status: 'publish',
    url: `${root}/event/plain/`,
    rest_url: `${root}${events}/${body.id}`,
    title: 'Plain',
    description: '',
    excerpt: '',
    slug: 'plain',
    image: false,
    all_day: false,
    start_date: '2027-06-01 19:00:00',
    end_date: '2027-06-01 21:00:00',
    end_date_details: endDetails,
    utc_start_date: '2027-06-01 19:00:00',
    utc_start_date_details: start_date_details,
    utc_end_date: '2027-06-01 21:00:00',
    utc_end_date_details: endDetails,
    timezone: 'UTC',
    timezone_abbr: 'UTC',
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: `${root}/event/plain/`,
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    ticketed: false,
    is_virtual: false,
    event_status: 'scheduled',
    post_parent: 0,
    series: null,
    language: 'en',
    translations: ['en']
  })
})

test('json_ld is in the response for a single event, but not in lists and responses to writes', async () => {
  const created = await anEvent({
    title: 'Blues & more',
    timezone: 'America/New_York',
    excerpt: 'Short <em>words</em>',
    cost: '10 - 25',
    image: imageId,
    venue: { venue: 'Blue Note', city: 'Berlin', address: 'Hauptstr. 1' },
    organizer: [{ organizer: 'Ann Lee' }, { organizer: 'Bob' }]
  })
  const { body } = await visitor.get(`${events}/${created.id}`)
  const { json_ld } = body
  assert.deepEqual((await visitor.get(`${events}/by-slug/${created.slug}`)).body.json_ld, json_ld)
  const { location, organizer, offers, ...rest } = json_ld
  assert.deepEqual(rest, {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: 'Blues & more',
    description: 'Short words',
    image: imageUrl,
    url: created.url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: '2027-06-01T19:00:00-04:00',
    endDate: '2027-06-01T21:00:00-04:00',
    performer: 'Organization'
  })
  assert.deepEqual(
    [location['@type'], location.name, location.address.addressLocality],
    ['Place', 'Blue Note', 'Berlin']
  )
  assert.deepEqual([organizer['@type'], organizer.name], ['Person', 'Ann Lee'])
  assert.deepEqual(
    [offers['@type'], offers.price, offers.priceCurrency, offers.url, offers.category, offers.availability],
    ['Offer', '10', 'EUR', created.url, 'primary', 'inStock']
  )
  assert.equal(new Date(offers.validFrom).toISOString(), `${created.date_utc.replace(' ', 'T')}.000Z`)
  assert.equal((await admin.patch(`${events}/${created.id}`, { event_status: 'canceled' })).body.json_ld, undefined)
  assert.equal(
    (await visitor.get(`${events}/${created.id}`)).body.json_ld.eventStatus,
    'https://schema.org/EventCancelled'
  )
  const listed = await visitor.get(`${events}?include=${created.id}`)
  assert.deepEqual([created.json_ld, listed.body.events[0].json_ld], [undefined, undefined])
  assert.equal((await admin.delete(`${events}/${created.id}`)).body.json_ld, undefined)
})
