import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createServer } from '#platform/server.ts'
import { readsEvents, watchReads } from '#test/support/count-statements.ts'
import { silent } from '#test/support/database.ts'
import { isFullRun } from '#test/support/full-run.ts'
import { adminKey, type Client, calendar, newClient, startCalendar } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

const started = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { admin, anEvent, aVenue, anOrganizer, aCategory, aTag, settings, store } = started
const rolesOfKeys = ['viewer', 'contributor', 'author', 'editor'] as const
const keys = await Promise.all(
  rolesOfKeys.map(async role => (await admin.post('/keys', { name: `the ${role}`, role })).body.key as string)
)
const [, , authorKey] = keys

let eventReads = 0
const watching = watchReads(store, text => {
  if (readsEvents(text)) eventReads += 1
})
const service = createCalendarService(settings)
const caching = await createServer([service], { store: watching, settings, log: silent })
/** Without the cache nothing is shared: each response is made of rows that are read for it. */
const plain = await createServer([service], { store, settings: { ...settings, responseCache: 0 }, log: silent })
after(async () => {
  await caching.drain()
  await plain.drain()
})

const [visitor, writer] = [newClient(caching), newClient(caching, adminKey)]
/** The same caller at both servers. */
interface Pair {
  shared: Client
  own: Client
}

const callers = [undefined, ...keys, adminKey].map(
  (key): Pair => ({
    shared: newClient(caching, key),
    own: newClient(plain, key)
  })
)

const comparedHeaders = ['content-type', 'content-length', 'content-language', 'etag', 'link', 'vary', 'x-tec-total']
let requests = 0

/** Requests with a URL of its own, so that the response itself is not cached. */
async function read(by: Client, path: string, headers: Record<string, string> = {}) {
  requests += 1
  return await by.get(`${path}${path.includes('?') ? '&' : '?'}request=${requests}`, headers)
}

async function readForComparison(by: Client, path: string, headers: Record<string, string>) {
  const { status, text, headers: sent } = await read(by, path, headers)
  return { status, text, headers: Object.fromEntries(comparedHeaders.map(name => [name, sent[name]])) }
}

/** Requests until the event comes from the cache; then no statement reads it. */
async function readUntilCached(path: string) {
  for (let tries = 0; tries < 100; tries += 1) {
    eventReads = 0
    const response = await read(visitor, path)
    if (eventReads === 0) return response
  }
  throw new Error(`${path} is not cached.`)
}

async function seedEvents(): Promise<{ id: number; slug: string }[]> {
  const venues = [
    await aVenue({ venue: 'Mill “am Bach” <b>', city: 'Köln', geo_lat: 50, geo_lng: 7, description: 'Old' }),
    await aVenue({ venue: 'Draft hall', status: 'draft' }),
    await aVenue({ venue: 'Locked hall', post_password: 'sesame', address: 'Secret street' })
  ]
  const organizers = [await anOrganizer({ email: 'choir@example.org' }), await anOrganizer({ status: 'private' })]
  const [category, tag] = [await aCategory({ name: 'Größe' }), await aTag({ name: 'évening' })]
  const variants: object[] = [
    {},
    { status: 'draft' },
    { status: 'private' },
    { status: 'publish', date: '2099-01-01 10:00:00' },
    { post_password: 'sesame', description: 'The cake is in the cellar', cost: '7', venue: venues[0].id },
    { hide_from_listings: true },
    { language: 'de', title: 'Nur auf Deutsch 🎶' },
    { venue: [venues[0].id, venues[1].id, venues[2].id], organizer: organizers.map(({ id }) => id) },
    { venue: venues[2].id, categories: [category.id], tags: [tag.id], cost: '10 – 20 €', featured: true },
    { venue: venues[1].id, is_virtual: true, website: 'https://example.org/?a=1&b=2', excerpt: '<p>Short</p>' },
    { start_date: '2027-06-03', end_date: '2027-06-04', all_day: true, timezone: 'America/New_York' },
    { recurrence: { every: 1, unit: 'week', count: 4 }, title: 'Weekly' },
    { event_status: 'canceled', description: 'A "quoted" text\u2028 with <em>markup</em> & more' }
  ]
  const seeded: { id: number; slug: string }[] = []
  for (const [number, fields] of variants.entries()) {
    // Authors cannot link venues that they do not see.
    for (const by of 'venue' in fields ? [admin] : [admin, started.withKey(authorKey ?? '')]) {
      const made = await anEvent({ title: `Event ${number}`, ...fields }, by)
      if (number % 3 === 0) {
        await admin.patch(`${calendar}/events/${made.id}?language=de`, { title: `Termin ${number}` })
      }
      seeded.push({ id: made.id, slug: made.slug })
    }
  }
  const trashed = await anEvent({ title: 'Gone' })
  await admin.delete(`${calendar}/events/${trashed.id}`)
  return [...seeded, { id: trashed.id, slug: trashed.slug }]
}

const seeded = await seedEvents()

test('every caller gets the same bytes and headers as without the cache, also after others requested the same events', async () => {
  const alias = '/wp-json/tribe/events/v1'
  const lists = [
    ...['', '?per_page=5', '?per_page=5&page=3', '?per_page=5&page=99', '?page=1&per_page=50&language=de'],
    ...['?search=event', '?categories=grosse', '?featured=true', '?orderby=title&order=desc', '?series_once=true'],
    ...['?start_date=2027-06-02', '?status=publish', '?status=draft', '?hidden=true', '?search=nothing%20like%20it'],
    ...['?_fields=events', '?_fields=total,rest_url', '?_fields[]=events', '?_envelope', '?_envelope=1&per_page=3'],
    ...['?password=sesame', '?password=wrong', '?language=xx']
  ].flatMap(query => [`${calendar}/events${query}`, ...(query.length < 12 ? [`${alias}/events${query}`] : [])])
  const singles = seeded.flatMap(({ id, slug }, number) => [
    `${calendar}/events/${id}`,
    `${calendar}/events/by-slug/${slug === '' ? 'none' : slug}`,
    ...(number % 2 === 0 ? [`${alias}/events/${id}`, `${calendar}/events/${id}?language=de`] : []),
    ...(number % 4 === 0 ? ['password=sesame', 'context=edit', '_fields=id,venue.venue', '_envelope=1'] : []).map(
      query => `${calendar}/events/${id}?${query}`
    )
  ])
  const variants = [{}, { 'accept-language': 'de' }, { host: 'other.example' }]
  const tagsOfLists = new Map<string, unknown>()
  const [first, ...others] = callers
  if (first === undefined) throw new Error('The first caller is a visitor.')
  for (const [number, path] of [...lists, ...singles].entries()) {
    const headers: Record<string, string> = variants[number % variants.length] ?? {}
    const compare = async ({ shared, own }: Pair, more: Record<string, string> = {}) => {
      const expected = await readForComparison(own, path, { ...headers, ...more })
      const actual = await readForComparison(shared, path, { ...headers, ...more })
      // The ETag of a shared list is made from those of its events: another one, but one for each body.
      if (actual.headers.etag !== expected.headers.etag && actual.text.startsWith('{"events":[')) {
        assert.equal(tagsOfLists.get(actual.text) ?? actual.headers.etag, actual.headers.etag, path)
        tagsOfLists.set(actual.text, actual.headers.etag)
        expected.headers.etag = actual.headers.etag
      }
      assert.deepEqual(actual, expected, path)
      return expected
    }
    const expected = await compare(first)
    // The second request stores what visitors share.
    await readForComparison(first.shared, path, headers)
    const compared = isFullRun ? others : others.filter((_, place) => place === number % others.length)
    for (const other of compared) await compare(other)
    await compare(first, { 'event-password': 'sesame' })
    assert.deepEqual(await readForComparison(first.shared, path, headers), expected, path)
  }
  assert.equal(new Set(tagsOfLists.values()).size, tagsOfLists.size, 'lists with other events have other ETags')
  assert.ok(tagsOfLists.size > 10)
})

test('a cached event is not read again, and its ETag gives 304', async () => {
  for (const path of [`${calendar}/events?per_page=20`, `${calendar}/events/${seeded[0]?.id}`]) {
    const { text, headers } = await readUntilCached(path)
    const etag = headers.etag ?? ''
    const again = await read(visitor, path, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
    const head = await visitor.send({ method: 'HEAD', url: `${path}${path.includes('?') ? '&' : '?'}head=1` })
    assert.deepEqual([head.headers.etag, head.headers['content-length']], [etag, String(Buffer.byteLength(text))])
  }
})

test('after a change, visitors get neither the old event nor one that they must not see', async () => {
  const { id } = await anEvent({ title: 'Before', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' })
  const path = `${calendar}/events/${id}`
  const list = `${calendar}/events?start_date=2027-05-01&end_date=2027-05-01`
  const readBoth = async () => {
    const [single, listed] = [await read(visitor, path), await read(visitor, list)]
    return [single.status, single.body.title, listed.body.events[0]?.title, listed.body.events[0]?.description]
  }
  const change = async (fields: object) => {
    await readUntilCached(path)
    await readUntilCached(list)
    assert.equal((await writer.patch(path, fields)).status, 200)
    return await readBoth()
  }
  assert.deepEqual(await change({ title: 'After', description: 'Open' }), [200, 'After', 'After', '<p>Open</p>'])
  assert.deepEqual(await change({ hide_from_listings: true }), [200, 'After', undefined, undefined])
  await writer.patch(path, { hide_from_listings: false })
  assert.deepEqual(await change({ post_password: 'sesame' }), [403, undefined, 'After', ''])
  await writer.patch(path, { post_password: '' })
  assert.deepEqual(await change({ status: 'draft' }), [403, undefined, undefined, undefined])
  await writer.patch(path, { status: 'publish' })
  await readUntilCached(path)
  await writer.delete(path)
  assert.deepEqual(await readBoth(), [404, undefined, undefined, undefined])
})
