// test: both stores
// Replays recorded requests to The Events Calendar, and compares the responses with the recorded ones.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import type { TSchema } from 'typebox'
import {
  buildListSchema,
  categorySchema,
  eventSchema,
  organizerSchema,
  tagSchema,
  venueSchema
} from '#calendar/contract/shapes.ts'
import { type Additions, type Addresses, findDifferences } from '../support/calendar/tec-shape.ts'
import { newSchemaValidator, type Schema } from '../support/crawl/route-crawler.ts'
import { adminKey, calendar, startCalendar, type TestResponse } from '../support/services.ts'

interface Recorded {
  name: string
  /** The name of the created item in later requests. */
  saves?: string
  request: { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'; path: string; as?: string; body?: object }
  response: { status: number; headers: Record<string, string>; body: Record<string, unknown> }
}

const recordings: Recorded[] = JSON.parse(
  readFileSync(new URL('../support/calendar/tec-recorded.json', import.meta.url), 'utf8')
)
const namespace = '/wp-json/tribe/events/v1'
const language = ['language', 'translations']

/** Additional members of our responses: clients ignore unknown members. */
const additions: Additions = {
  answer: [...language, 'series', 'ticketed', 'is_virtual', 'event_status', 'post_parent', 'previous_rest_url'],
  event: [...language, 'series', 'ticketed', 'is_virtual', 'event_status', 'post_parent'],
  venue: language,
  organizer: language,
  image: ['alt']
}

const ownLinks = { decision: 'there is no wp/v2, links have this namespace', members: /^\._links\./ }
const lowestPrice = { decision: 'an offer has one price, the lowest', members: /^\.json_ld\.offers\.price: / }
const noAny = { decision: 'links can be followed, and status=any is refused', members: /has no parameter status$/ }

/** Responses that differ deliberately. */
const deliberate: Record<string, { decision: string; status?: number; code?: string; members?: RegExp }> = {
  'doc/options': { decision: 'every route takes a language', members: /^\.endpoints\[0\]\.args: / },
  'auth/anonymous-invalid-body-validation-or-401-first': {
    decision: '401 comes before validation',
    status: 401,
    code: 'rest_forbidden'
  },
  'auth/unknown-user-on-create': { decision: 'any user name', status: 401, code: 'incorrect_password' },
  'events-get/unknown': { decision: 'unknown ids and slugs are 404', status: 404, code: 'rest-event-not-found' },
  'events-slug-get/unknown': { decision: 'unknown ids and slugs are 404', status: 404, code: 'rest-event-not-found' },
  'venues-get/unknown': { decision: 'unknown ids and slugs are 404', status: 404, code: 'rest-venue-not-found' },
  'extra/organizers-slug-update-unknown': {
    decision: 'unknown ids and slugs are 404',
    status: 404,
    code: 'rest-organizer-not-found'
  },
  'events-create/nested-organizer-object': { decision: 'nested objects are accepted', status: 201 },
  'events-create/nested-venue-and-organizer-object': { decision: 'nested objects are accepted', status: 201 },
  'events-list/empty-as-admin': noAny,
  'venues-list/empty-as-admin': noAny,
  'events-update/put-title': { decision: 'what is not sent stays', members: /^\.website: / },
  'events-get/full': lowestPrice,
  'events-slug-get/ok': lowestPrice,
  'venues-get/minimal': { decision: 'a venue of the same name is another one', members: /city|addressLocality/ },
  'categories-create/minimal': ownLinks,
  'categories-get/root': ownLinks,
  'tags-get/ok': ownLinks,
  'events-delete/author-deletes-others-event': {
    decision: 'no information about events of others',
    status: 403,
    code: 'rest_forbidden'
  }
}

const { admin, server, visitor, withKey, withRole, aCategory, anEvent, anOrganizer, aTag, aVenue } =
  await startCalendar({ env: { TIMEZONE: 'Europe/Berlin', CURRENCY: 'USD' } })

const callers: Record<string, Awaited<ReturnType<typeof withRole>>> = {
  administrator: admin,
  subscriber: await withRole('viewer'),
  author: await withRole('author'),
  'wrong credentials': withKey('a-key-that-nobody-has')
}

const thisYear = new Date().getFullYear()
const ids = new Map<string, string | number>([
  ['next year', thisYear + 1],
  ['last year', thisYear - 1]
])

/** The request with the ids of this site. */
function replaceIds(text: string): string {
  const numbers = text.replace(/"\{([^}]+)\}"/g, (all, name) => (ids.has(name) ? String(ids.get(name)) : all))
  return numbers.replace(/\{([^}"]+)\}/g, (all, name) => (ids.has(name) ? String(ids.get(name)) : all))
}

async function replay({ request, saves }: Recorded): Promise<TestResponse> {
  const answer = await (request.as === undefined ? visitor : (callers[request.as] ?? visitor)).send({
    method: request.method,
    url: namespace + replaceIds(request.path),
    ...(request.body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, payload: replaceIds(JSON.stringify(request.body)) })
  })
  if (saves !== undefined) ids.set(saves, answer.body.id)
  return answer
}

/** The content of the recorded site that no recorded request creates. */
async function createRecordedContent(): Promise<void> {
  const { data } = await sharp({ create: { width: 640, height: 400, channels: 3, background: 'navy' } })
    .png()
    .toBuffer({ resolveWithObject: true })
  const poster = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="poster.png"' },
    payload: data
  })
  ids.set('poster', poster.body.id)
  const jazz = { name: 'Jazz & Blues', slug: 'jazz', description: 'Smoky <b>rooms</b>', parent: ids.get('music') }
  const club = { venue: 'Blue Note', description: 'A club', address: 'Hauptstr. 1', city: 'Berlin', country: 'Germany' }
  const more = { province: 'Brandenburg', zip: '10115', phone: '+49 30 123', website: 'https://bluenote.example' }
  const council = { organizer: 'City Council', description: 'Hello', phone: '030-1', website: 'https://city.example/' }
  const created = {
    jazz: await aCategory(jazz),
    'other category': await aCategory({ name: 'Fair' }),
    live: await aTag({ name: 'Live' }),
    family: await aTag({ name: 'Family', slug: 'fam', description: 'For all' }),
    club: await aVenue({ ...club, ...more }),
    'other venue': await aVenue({ venue: 'Barn' }),
    council: await anOrganizer({ ...council, email: 'info@city.example' }),
    contributed: await anEvent({ title: 'By contributor' }, await withRole('contributor'))
  }
  for (const [name, { id }] of Object.entries(created)) ids.set(name, id)
  const start = `${thisYear + 1}-12-15`
  for (const title of ['Market', 'Fair', 'Dance']) await anEvent({ title, start_date: start, end_date: start })
}

function readAddresses({ headers }: TestResponse): Addresses {
  const site = headers['x-tec-api-origin'] ?? ''
  return { site, rest: `${site}/wp-json`, host: new URL(site).hostname }
}

/** Errors are compared by code and status, not by their texts. */
function toRefusal({ code, data }: { code?: unknown; data?: { status?: unknown; params?: object } }) {
  const { status, params = [] } = data ?? {}
  return { code, status, params: Array.isArray(params) ? params : Object.keys(params) }
}

for (const recorded of recordings) {
  const { name, request, response } = recorded
  const difference = deliberate[name]
  const as = request.as ?? 'a visitor'
  const title = `${name}: ${request.method} ${request.path} by ${as}`

  test(`${title} ${difference === undefined ? 'has the recorded response' : `differs from the recorded response: ${difference.decision}`}`, async () => {
    if (name === 'events-create/full') await createRecordedContent()
    const answer = await replay(recorded)

    assert.equal(answer.status, difference?.status ?? response.status, answer.text)
    if (answer.status < 400 && request.method !== 'OPTIONS') checkShape(request, answer)
    if (answer.status >= 400) {
      const expected = toRefusal(response.body)
      const other =
        difference?.code === undefined ? {} : { code: difference.code, status: difference.status, params: [] }
      assert.deepEqual(toRefusal(answer.body), { ...expected, ...other })
    } else if (difference?.status === undefined) {
      const found = findDifferences(response.body, answer.body, readAddresses(answer), additions)
      const accepted = found.filter(line => difference?.members?.test(line))
      assert.deepEqual(
        found.filter(line => !accepted.includes(line)),
        []
      )
      if (difference !== undefined) assert.notDeepEqual(accepted, [], 'this does not differ any more')
    }
    if (difference === undefined) compareHeaders(response.headers, answer)
  })
}

const items: Record<string, TSchema> = {
  events: eventSchema,
  venues: venueSchema,
  organizers: organizerSchema,
  categories: categorySchema,
  tags: tagSchema
}
const shapes = Object.entries(items).map(([collection, item]) => ({
  collection,
  validateItem: newSchemaValidator(item as Schema),
  validateList: newSchemaValidator(buildListSchema(collection, item) as Schema)
}))

/** The response has the declared shape, and no other members. */
function checkShape({ method, path }: Recorded['request'], { body, text }: TestResponse): void {
  const [, collection = '', item] = /^\/(\w+)(\/[^?]+)?(?:\?|$)/.exec(path) ?? []
  const shape = shapes.find(one => one.collection === collection)
  if (shape === undefined || /[?&]_(?:fields|envelope)/.test(path)) return
  const isList = method === 'GET' && item === undefined
  assert.deepEqual((isList ? shape.validateList : shape.validateItem)(body), [], text)
}

function compareHeaders(recorded: Record<string, string>, { headers }: TestResponse): void {
  assert.match(headers['content-type'] ?? '', /^application\/json; charset=utf-8$/i)
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.match(headers.link ?? '', /^<[^>]+\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/)
  for (const [name, value] of Object.entries(recorded)) {
    const found = headers[name.toLowerCase()] ?? 'missing'
    if (name === 'Allow') assert.equal(found.replace(/, HEAD|, OPTIONS/g, ''), value, name)
    else assert.match(found, /^\d+$/, name)
  }
}

test('a key is accepted as password of Basic authentication, and a wrong one is refused', async () => {
  const buildBasicAuth = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`
  const read = async (authorization: string) =>
    await server.app.inject({ url: `${namespace}/events?status=draft`, headers: { authorization } })
  assert.equal((await read(buildBasicAuth(adminKey))).statusCode, 200)
  assert.equal((await read(buildBasicAuth('wrong'))).json().code, 'incorrect_password')
})
