// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { countRuns } from '#test/support/full-run.ts'
import { adminKey, calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, anEvent, anOrganizer, aCategory, aTag, aVenue, visitor, withRole } = await startCalendar()

const event = await anEvent({ title: 'Open day', venue: { venue: 'Town Hall', city: 'Kiel' } })
const venue = await aVenue()
const organizer = await anOrganizer()
const category = await aCategory()
const tag = await aTag()

const readable = [
  '',
  '/doc',
  '/events',
  `/events/${event.id}`,
  `/events/by-slug/${event.slug}`,
  '/venues',
  `/venues/${venue.id}`,
  `/venues/by-slug/${venue.slug}`,
  '/organizers',
  `/organizers/${organizer.id}`,
  `/organizers/by-slug/${organizer.slug}`,
  '/categories',
  `/categories/${category.id}`,
  '/tags',
  `/tags/${tag.id}`
]
const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`

function assertNoRoute({ status, body, text }: TestResponse, where: string): void {
  assert.equal(status, 404, `${where}: ${text}`)
  assert.deepEqual(
    body,
    {
      code: 'rest_no_route',
      message: 'No route was found matching the URL and request method.',
      data: { status: 404 }
    },
    where
  )
}

/** The headers that are the same in every response to the same request. */
function stableHeaders({ headers }: TestResponse): object {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return rest
}

test('a trailing slash does not change the response', async () => {
  for (const path of readable.slice(2)) {
    const plain = await visitor.get(calendar + path)
    const slashed = await visitor.get(`${calendar}${path}/`)
    assert.equal(plain.status, 200, path)
    assert.deepEqual(slashed.body, plain.body, path)
  }
  assert.equal((await visitor.get(`${calendar}/`)).body.namespace, 'calendar/events/v1')
})

test('HEAD works on every GET route, with the same status and headers and no body', async () => {
  for (const path of readable) {
    const url = calendar + path
    const got = await visitor.get(url)
    const headed = await visitor.send({ method: 'HEAD', url })
    assert.deepEqual([headed.status, headed.text], [200, ''], path)
    assert.deepEqual(stableHeaders(headed), stableHeaders(got), path)
  }
  const missing = await visitor.send({ method: 'HEAD', url: `${calendar}/events/99999999` })
  assert.deepEqual([missing.status, missing.text], [404, ''])
})

test('OPTIONS describes every route as the index does, with Allow, and needs no credentials', async () => {
  const { routes } = (await visitor.get(calendar)).body
  for (const path of readable) {
    const { status, headers, body } = await visitor.send({ method: 'OPTIONS', url: calendar + path })
    const pattern = `/calendar/events/v1${path.replace(/\d+$/, '(?P<id>\\d+)').replace(/(by-slug\/).*/, '$1(?P<slug>[^/]+)')}`
    const methods: string[] = body.methods
    const allow = (headers.allow ?? '').split(', ')
    assert.equal(status, 200, path)
    assert.deepEqual(body, routes[pattern], path)
    for (const method of methods) assert.ok(allow.includes(method), `${method} ${path}`)
  }
})

test('an unknown path or method is 404 rest_no_route, never 405, for visitors and admins', async () => {
  const unknownRoutes: [InjectOptions['method'], string][] = [
    ['GET', '/events/abc'],
    ['GET', '/events/-4'],
    ['GET', '/events/12abc'],
    ['GET', '/events/1.5'],
    ['GET', '/events/%20'],
    ['GET', '/events/by-slug/'],
    ['GET', '/events/by-slug'],
    ['GET', '/events/by-slug/a/b'],
    ['GET', '/categories/by-slug/music'],
    ['GET', '/nothing'],
    ['GET', '/event'],
    ['POST', '/doc'],
    ['POST', ''],
    ['PUT', '/events'],
    ['PATCH', '/venues'],
    ['DELETE', '/events'],
    ['DELETE', '/organizers'],
    ['PUT', '/categories'],
    ['DELETE', '/tags']
  ]
  for (const [method = 'GET', path] of unknownRoutes) {
    for (const client of [visitor, admin]) {
      assertNoRoute(await client.send({ method, url: calendar + path }), `${method} ${path}`)
    }
  }
  const withBody = { headers: { 'content-type': 'application/json' }, payload: '{broken' }
  assertNoRoute(await admin.send({ method: 'PUT', url: `${calendar}/events`, ...withBody }), 'PUT with a broken body')
  assert.equal((await admin.get(`${calendar}/events`)).status, 200)
})

test('a malformed URL and a body that is too large get error responses of the same form', async () => {
  const unreadable = await visitor.get(`${calendar}/events/by-slug/%ff`)
  const tooLarge = await admin.post(`${calendar}/events`, { title: 'x'.repeat(1_100_000) })
  for (const [answer, status] of [
    [unreadable, 400],
    [tooLarge, 413]
  ] as const) {
    assert.equal(answer.status, status)
    assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data'])
    assert.deepEqual(answer.body.data, { status })
    assert.equal(answer.headers['x-robots-tag'], 'noindex')
  }
})

test('an unknown event id of any length is 404 rest-event-not-found', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^9\d{7,40}$/), async digits => {
      const { status, body } = await visitor.get(`${calendar}/events/${digits}`)
      assert.deepEqual([status, body.code, body.data.status], [404, 'rest-event-not-found', 404])
    }),
    { numRuns: countRuns(20) }
  )
})

test('X-HTTP-Method-Override and _method override the method of a POST', async () => {
  const { id } = await anEvent({ title: 'Overridden' })
  const url = `${calendar}/events/${id}`
  const patched = await admin.post(url, { title: 'Renamed' }, { 'x-http-method-override': 'PATCH' })
  assert.deepEqual([patched.status, patched.body.title], [200, 'Renamed'])
  assert.equal((await admin.post(url, undefined, { 'x-http-method-override': 'get' })).body.title, 'Renamed')
  assert.equal((await admin.post(`${url}?_method=nonsense`, { title: 'Still a POST' })).body.title, 'Still a POST')

  assert.equal((await visitor.post(`${url}?_method=DELETE`)).status, 401)
  assert.equal(
    (await admin.get(`${url}?_method=DELETE`)).body.status,
    'publish',
    'only the method of a POST is overridden'
  )
  assert.equal((await admin.post(`${url}?_method=delete`)).body.status, 'trash')
  assert.equal((await admin.get(url)).status, 404)
})

test('_fields selects members of a response; dots select members of objects, not of lists', async () => {
  const url = `${calendar}/events/${event.id}`
  const fields: [string, object][] = [
    ['_fields=id,title', { id: event.id, title: 'Open day' }],
    ['_fields=%20id%20,,%20title', { id: event.id, title: 'Open day' }],
    ['_fields[]=id&_fields[]=title', { id: event.id, title: 'Open day' }],
    ['_fields=venue.city,venue.venue', { venue: { venue: 'Town Hall', city: 'Kiel' } }],
    ['_fields=venue.city.x,id', { id: event.id, venue: { city: 'Kiel' } }],
    ['_fields=title.rendered', { title: 'Open day' }],
    ['_fields=nothing', []],
    ['_fields=venue.nothing', { venue: [] }]
  ]
  for (const [query, expected] of fields) {
    assert.deepEqual((await visitor.get(`${url}?${query}`)).body, expected, query)
  }
  assert.ok((await visitor.get(`${url}?_fields=`)).body.rest_url, 'an empty _fields selects everything')

  const list = `${calendar}/events?start_date=2020-01-01`
  assert.deepEqual(Object.keys((await visitor.get(`${list}&_fields=total,events`)).body), ['events', 'total'])
  assert.deepEqual((await visitor.get(`${list}&_fields=events.id`)).body, { events: [] })
  assert.equal((await visitor.get(`${url}999999?_fields=id`)).body.code, 'rest-event-not-found')
})

test('_envelope puts the status and headers of responses and errors into the body of a 200', async () => {
  const list = await visitor.get(`${calendar}/events?start_date=2020-01-01&_envelope&per_page=1&_fields=total`)
  assert.deepEqual([list.status, list.body.status, Object.keys(list.body.body)], [200, 200, ['total']])
  assert.equal(Number(list.body.headers['X-TEC-Total']), list.body.body.total)
  assert.equal(list.headers['x-tec-total'], String(list.body.body.total))

  const created = await admin.post(`${calendar}/tags?_envelope=1`, { name: 'Enveloped' })
  assert.deepEqual([created.status, created.body.status, created.body.body.name], [200, 201, 'Enveloped'])

  const missing = await visitor.get(`${calendar}/events/99999999?_envelope`)
  assert.deepEqual([missing.status, missing.body.status], [200, 404])
  assert.equal(missing.body.body.code, 'rest-event-not-found')
  const refused = await visitor.post(`${calendar}/tags?_envelope`, { name: 'No' })
  assert.deepEqual([refused.status, refused.body.status, refused.body.body.code], [200, 401, 'rest_forbidden'])
})

test('every response has X-Robots-Tag: noindex and the headers that lead to the API', async () => {
  const answers = [
    ...(await Promise.all(readable.map(async path => await visitor.get(calendar + path)))),
    await visitor.get(`${calendar}/nothing`),
    await visitor.get(`${calendar}/events?page=0`),
    await visitor.post(`${calendar}/events`, {}),
    await admin.send({ method: 'OPTIONS', url: `${calendar}/events` }),
    await visitor.get(`${calendar}/events`, { authorization: basic('wrong') })
  ]
  for (const { headers, status } of answers) {
    assert.match(headers['content-type'] ?? '', /^application\/json; charset=utf-8$/i)
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['x-tec-api-version'], 'v1')
    const origin = headers['x-tec-api-origin'] ?? ''
    assert.match(origin, /^http:\/\/localhost(:80)?$/)
    assert.equal(headers['x-tec-api-root'], `${origin}/calendar/events/v1/`)
    assert.ok(headers.link?.startsWith(`<${origin}/wp-json/>; rel="https://api.w.org/"`), `${status}: ${headers.link}`)
  }
})

test('the Allow header lists the methods that the caller may use', async () => {
  const author = await withRole('author')
  const viewer = await withRole('viewer')
  const item = `${calendar}/events/${event.id}`
  const all = 'GET, DELETE, POST, PUT, PATCH'
  assert.equal((await visitor.get(item)).headers.allow, 'GET')
  assert.equal((await viewer.get(item)).headers.allow, 'GET')
  assert.equal((await author.get(item)).headers.allow, all)
  assert.equal((await visitor.get(`${calendar}/events`)).headers.allow, 'GET')
  assert.equal((await admin.get(`${calendar}/events`)).headers.allow, 'GET, POST')
  assert.equal((await admin.get(`${calendar}/tags/${tag.id}`)).headers.allow, 'GET, POST, PUT, PATCH, DELETE')
  assert.equal((await author.get(`${calendar}/tags`)).headers.allow, 'GET', 'tags are for editors')
  assert.equal((await author.get(`${calendar}/categories`)).headers.allow, 'GET, POST')
})

test('CORS exposes the headers with totals and allows the request headers of API clients', async () => {
  const read = await visitor.get(`${calendar}/events`, { origin: 'https://pages.example' })
  const exposed = (read.headers['access-control-expose-headers'] ?? '').split(', ')
  for (const name of ['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages', 'Link']) {
    assert.ok(exposed.includes(name), name)
  }
  const preflight = await visitor.send({
    method: 'OPTIONS',
    url: `${calendar}/events`,
    headers: { origin: 'https://pages.example', 'access-control-request-method': 'GET' }
  })
  for (const name of ['Authorization', 'X-WP-Nonce', 'X-HTTP-Method-Override', 'Content-Type']) {
    assert.ok(preflight.headers['access-control-allow-headers']?.split(', ').includes(name), name)
  }
})

test('lists have their totals in X-TEC and X-WP headers, and a Link to the next page', async () => {
  const { headers, body } = await visitor.get(`${calendar}/categories?hide_empty=0&per_page=1`)
  await aCategory({ name: 'Another' })
  assert.equal(headers['x-tec-total'], String(body.total))
  assert.equal(headers['x-wp-total'], String(body.total))
  const more = await visitor.get(`${calendar}/categories?hide_empty=0&per_page=1`)
  assert.equal(more.headers['x-tec-totalpages'], String(more.body.total_pages))
  assert.match(more.headers.link ?? '', /rel="https:\/\/api\.w\.org\/", <[^>]+page=2>; rel="next"$/)
})

test('wrong credentials are 401 on public routes too; a valid key works with any user name', async () => {
  for (const path of readable) {
    const { status, body, headers } = await visitor.get(calendar + path, { authorization: basic('wrong') })
    assert.deepEqual([status, body.code, body.data], [401, 'incorrect_password', { status: 401 }], path)
    assert.match(headers['www-authenticate'] ?? '', /Basic/)
    assert.equal((await visitor.get(calendar + path, { authorization: basic(adminKey) })).status, 200, path)
  }
})
