import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarService } from '#calendar/service.ts'
import type { Settings } from '#platform/config.ts'
import type { RouteContext, Service } from '#platform/http/service.ts'
import { calendar, event, startServices } from '#test/support/services.ts'
import { daysSchema } from '../day-shapes.ts'
import { importRowsSchema, importSchema } from '../import-shapes.ts'
import {
  buildListSchema,
  categorySchema,
  eventSchema,
  imageSchema,
  organizerSchema,
  tagSchema,
  venueSchema
} from '../shapes.ts'
import { createOnce, defineRoute, type RequestContext, type RouteTable } from './route.ts'

// Test routes respond like the routes of the calendar, with an extra member in every object: as if a query selected a
// column by mistake.

const schemas = {
  event: eventSchema,
  events: buildListSchema('events', eventSchema),
  venue: venueSchema,
  venues: buildListSchema('venues', venueSchema),
  organizer: organizerSchema,
  organizers: buildListSchema('organizers', organizerSchema),
  category: categorySchema,
  categories: buildListSchema('categories', categorySchema),
  tag: tagSchema,
  tags: buildListSchema('tags', tagSchema),
  image: imageSchema,
  media: buildListSchema('media', imageSchema),
  days: daysSchema,
  import: importSchema,
  imports: buildListSchema('imports', importSchema),
  report: importRowsSchema
}

/** The response bodies of the test routes, which add the secret. */
const bodies: Record<string, object> = {}
const secret = { password_hash: 'a secret', internal: { note: 'a secret' } }

/** Adds the secret to every object except maps, whose keys are content. */
function plantSecret(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(item => plantSecret(item))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, plantSecret(member, key)])
  const isMap = name === 'sizes' || name === 'mapping'
  return {
    ...Object.fromEntries(members.slice(0, 1)),
    ...(isMap ? {} : secret),
    ...Object.fromEntries(members.slice(1))
  }
}

function registerPlantedRoutes(scope: RouteContext): void {
  const table: RouteTable = { routes: [] }
  const common = { requires: 'public', summary: 'Test', description: 'Test.', params: {} } as const
  for (const [name, response] of Object.entries(schemas)) {
    const getBody = () => plantSecret(bodies[name]) as object
    const path = `/planted/${name}`
    const handler = async () => ({ body: getBody(), version: 7 })
    defineRoute(scope, table, { ...common, methods: ['GET', 'PATCH', 'DELETE'], path, response, handler })
    const create = async (context: RequestContext) =>
      await createOnce(context, async () => ({ body: getBody(), version: 7, path }))
    defineRoute(scope, table, { ...common, methods: ['POST'], path, response, creates: true, handler: create })
  }
  defineRoute(scope, table, {
    ...common,
    methods: ['GET'],
    path: '/planted/error',
    response: eventSchema,
    handler: async () => {
      throw Object.assign(new Error('a secret'), secret)
    }
  })
}

const createService = (settings: Settings): Service => {
  const service = createCalendarService(settings)
  const group = { name: 'Test', description: 'Test.', paths: /\/planted\// }
  return { ...service, groups: [...(service.groups ?? []), group], routes: [...service.routes, registerPlantedRoutes] }
}
const { admin, visitor } = await startServices([createService], {})

const image = await admin.send({
  method: 'POST',
  url: `${calendar}/media`,
  headers: { 'content-type': 'image/png' },
  payload: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64'
  )
})
assert.equal(image.status, 201, image.text)
const parent = await admin.post(`${calendar}/categories`, { name: 'Culture' })
const category = await admin.post(`${calendar}/categories`, { name: 'Music', parent: parent.body.id })
const tag = await admin.post(`${calendar}/tags`, { name: 'Outdoors' })
const createdEvent = await admin.post(`${calendar}/events`, {
  ...event,
  image: image.body.id,
  cost: '10',
  venue: {
    venue: 'Town Hall',
    address: 'Street 1',
    city: 'Kiel',
    geo_lat: 54.3,
    geo_lng: 10.1,
    image: image.body.id,
    description: 'Old'
  },
  organizer: [{ organizer: 'Choir', email: 'choir@example.org', image: image.body.id }, { organizer: 'Band' }],
  categories: [category.body.id],
  tags: [tag.body.id]
})
assert.equal(createdEvent.status, 201, createdEvent.text)
await admin.post(`${calendar}/events`, { ...event, title: 'Without anything' })
const upload = await admin.send({
  method: 'POST',
  url: `${calendar}/imports?source=csv`,
  headers: { 'content-type': 'multipart/form-data; boundary=border' },
  payload: [
    '--border',
    'Content-Disposition: form-data; name="file"; filename="events.csv"',
    '',
    'title,start_date,end_date',
    'Fair,2027-03-01 10:00,2027-03-01 12:00',
    '--border--',
    ''
  ].join('\r\n')
})
assert.equal(upload.status, 201, upload.text)
bodies.report = {
  rows: [
    { position: 1, kind: 'event', source_id: '1', title: 'Fair', outcome: 'new', reasons: ['Reason'], item_id: null }
  ],
  total: 1,
  total_pages: 1
}

const urls: Record<string, string> = {
  event: `/events/${createdEvent.body.id}`,
  events: '/events?start_date=2020-01-01',
  venue: `/venues/${createdEvent.body.venue.id}`,
  venues: '/venues?with_counts=1',
  organizer: `/organizers/${createdEvent.body.organizer[0].id}`,
  organizers: '/organizers?with_counts=1',
  category: `/categories/${category.body.id}`,
  categories: '/categories?hide_empty=0',
  tag: `/tags/${tag.body.id}`,
  tags: '/tags',
  image: `/media/${image.body.id}`,
  media: '/media',
  days: '/days?from=2027-05-31&to=2027-06-02',
  import: `/imports/${upload.body.id}`,
  imports: '/imports'
}
for (const [name, url] of Object.entries(urls)) {
  const { status, body, text } = await admin.get(calendar + url)
  assert.equal(status, 200, `${name}: ${text}`)
  bodies[name] = body
}

for (const name of Object.keys(schemas)) {
  const url = `${calendar}/planted/${name}`

  test(`${name}: undeclared members do not reach the caller, and the declared ones have the same bytes`, async () => {
    const expected = JSON.stringify(bodies[name])
    assert.ok(JSON.stringify(plantSecret(bodies[name])).includes('a secret'))
    const read = await visitor.get(url)
    assert.deepEqual([read.status, read.text], [200, expected])
    const head = await visitor.send({ method: 'HEAD', url })
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(expected)))
    assert.equal(head.headers.etag, read.headers.etag)
    assert.equal((await visitor.patch(url, {})).text, expected)
    assert.equal((await visitor.delete(url)).text, expected)

    const key = { 'idempotency-key': `the-only-key-for-${name}` }
    const created = await visitor.post(url, {}, key)
    assert.deepEqual([created.status, created.text], [201, expected])
    assert.equal(created.headers.etag, read.headers.etag)
    const again = await visitor.post(url, {}, key)
    assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', expected])
  })

  test(`${name}: _fields and _envelope do not expose undeclared members`, async () => {
    const first = Object.keys(bodies[name] ?? {})[0] ?? ''
    const { body } = await visitor.get(`${url}?_fields=${first},password_hash,internal.note`)
    assert.deepEqual(Object.keys(body), [first])
    const enveloped = await visitor.get(`${url}?_envelope`)
    assert.equal(JSON.stringify(enveloped.body.body), JSON.stringify(bodies[name]))
    assert.equal((await visitor.get(`${url}?_fields=password_hash&_envelope=1`)).body.body.length, 0)
  })
}

test('members of an error that is not a problem do not reach the caller', async () => {
  const { status, text } = await visitor.get(`${calendar}/planted/error`)
  assert.equal(status, 500)
  assert.ok(!text.includes('a secret'), text)
})
