import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar, startCampaignsAndCalendar } from '#test/support/services.ts'

const alias = '/wp-json/tribe/events/v1'
const { admin, anEvent, anOrganizer, aCategory, aTag, aVenue, visitor } = await startCalendar({
  env: { TIMEZONE: 'Asia/Kabul' }
})

const category = await aCategory()
const child = await aCategory({ name: 'Jazz', parent: category.id })
const tag = await aTag()
const venue = await aVenue()
const organizer = await anOrganizer()
const event = await anEvent({ venue: venue.id, organizer: [organizer.id], categories: [child.id], tags: [tag.id] })

const paths = [
  '/events?start_date=2020-01-01&per_page=1',
  `/events/${event.id}`,
  `/events/by-slug/${event.slug}`,
  '/venues',
  `/venues/${venue.id}`,
  '/organizers',
  `/organizers/${organizer.id}`,
  '/categories',
  `/categories/${child.id}`,
  '/tags',
  `/tags/${tag.id}`,
  '/doc',
  ''
]

for (const path of paths) {
  test(`${path || 'the index'} has the same response under both URLs, and its links stay under the requested one`, async () => {
    const own = await visitor.get(calendar + path)
    const same = await visitor.get(alias + path)
    assert.deepEqual([own.status, same.status], [200, 200])
    assert.ok(
      !own.text.includes('wp-json') && !own.text.includes('tribe/events'),
      'a response under our own URL links to the alias'
    )
    assert.ok(!same.text.includes('calendar/events/v1'), 'a response under the alias links to our own URL')
    const expectedText = own.text
      .replaceAll('/calendar/events/v1', '/wp-json/tribe/events/v1')
      .replaceAll('calendar/events/v1', 'tribe/events/v1')
    // The index of the alias has other route keys and another parent link: it is not compared as text.
    if (path !== '') assert.equal(same.text, expectedText)
    assert.equal(same.headers['x-tec-total'], own.headers['x-tec-total'])
    assert.match(same.headers.link ?? '', /^<[^>]+\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/)
    assert.match(same.headers['x-tec-api-root'] ?? '', /\/wp-json\/tribe\/events\/v1\/$/)
  })
}

test('an event that is created, changed or deleted under one URL is so under the other', async () => {
  const fields = { title: 'Made at the alias', start_date: '2027-05-01', end_date: '2027-05-02' }
  const created = await admin.post(`${alias}/events/`, fields)
  assert.equal(created.status, 201, created.text)
  assert.equal(created.headers.location, created.body.rest_url)
  assert.match(created.body.rest_url, /\/wp-json\/tribe\/events\/v1\/events\/\d+$/)

  const own = `${calendar}/events/${created.body.id}`
  assert.equal((await visitor.get(own)).body.title, 'Made at the alias')
  assert.equal((await admin.patch(own, { title: 'Changed' })).status, 200)
  assert.equal((await visitor.get(`${alias}/events/${created.body.id}/`)).body.title, 'Changed')
  assert.equal((await admin.delete(`${alias}/events/${created.body.id}`)).body.status, 'trash')
  assert.equal((await visitor.get(own)).status, 404)
})

test('the alias supports OPTIONS and method overrides, and answers 404 rest_no_route like its namespace', async () => {
  const { id } = await anEvent()
  const options = await visitor.send({ method: 'OPTIONS', url: `${alias}/events` })
  assert.deepEqual([options.status, options.body.namespace], [200, 'tribe/events/v1'])
  assert.match(options.body._links.self[0].href, /\/wp-json\/tribe\/events\/v1\/events$/)
  assert.equal((await admin.post(`${alias}/events/${id}?_method=DELETE`)).body.status, 'trash')
  for (const path of ['/nothing', '/events/abc', 's', '/../../keys']) {
    const { status, body } = await visitor.get(alias + path)
    assert.deepEqual([status, body.code], [404, 'rest_no_route'], path)
  }
})

test('/wp-json/ describes the site, its three namespaces and all their routes', async () => {
  const { status, body, headers } = await visitor.get('/wp-json/')
  assert.equal(status, 200)
  assert.deepEqual((await visitor.get('/wp-json')).body, body)
  for (const name of ['name', 'description', 'url', 'home']) assert.equal(typeof body[name], 'string', name)
  assert.match(body.url, /^http:\/\/localhost/)
  assert.deepEqual([body.timezone_string, body.gmt_offset], ['Asia/Kabul', '4.5'])
  assert.deepEqual(body.namespaces, ['tribe/events/v1', 'tec/v1', 'wp/v2'])
  const ofNamespace = Object.entries(body.routes).filter(([route]) => route.startsWith('/tribe/'))
  assert.deepEqual(Object.fromEntries(ofNamespace), (await visitor.get(alias)).body.routes)
  for (const route of Object.keys(body.routes)) assert.match(route, /^\/(?:tribe\/events\/v1|tec\/v1|wp\/v2)(\/|$)/)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.match(headers.link ?? '', /^<[^>]+\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/)

  const href = body.routes['/tribe/events/v1/events']._links.self[0].href
  assert.equal((await visitor.get(new URL(href).pathname)).status, 200, 'the link to the list of events works')
})

test('other routes of WordPress are 404 rest_no_route', async () => {
  for (const path of ['/wp-json/wp/v2/posts', '/wp-json/tribe/events/v2', '/wp-json/tec/v2']) {
    const { status, body } = await visitor.get(path)
    assert.deepEqual([status, body.code], [404, 'rest_no_route'], path)
  }
  const options = await visitor.send({ method: 'OPTIONS', url: '/wp-json' })
  assert.deepEqual([options.status, options.body.namespace, options.body.methods], [200, '', ['GET']])
})

test('campaigns and calendar in one process each answer errors in their own format', {
  skip: skipUnlessFull
}, async () => {
  const both = await startCampaignsAndCalendar()
  assert.equal((await both.visitor.get(`${alias}/nothing`)).body.code, 'rest_no_route')
  assert.equal((await both.visitor.get('/campaigns/nothing')).body.status, 404)
  assert.match((await both.visitor.get('/nothing')).headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.equal((await both.visitor.get('/nothing')).headers['x-tec-api-version'], undefined)
  assert.equal((await both.visitor.post('/campaigns?_envelope', {})).status, 401)
})
