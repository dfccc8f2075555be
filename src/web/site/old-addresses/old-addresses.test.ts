import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { sql } from '#platform/database/sql.ts'
import { isFullRun } from '#test/support/full-run.ts'
import { calendar, startSite } from '#test/support/services.ts'

const { admin, visitor, store, server } = await startSite({
  env: { TIMEZONE: 'Europe/Berlin', DEFAULT_LANGUAGE: 'en', PUBLIC_URL: 'https://verein.example' }
})
const host = { host: 'verein.example' }

async function create(collection: string, fields: object) {
  const created = await admin.post(`${calendar}/${collection}`, fields, host)
  assert.equal(created.status, 201, created.text)
  return created.body
}

const upcoming = { start_date: '2099-06-13 14:00:00', end_date: '2099-06-13 18:00:00' }

/** The target of a permanent redirect, which does not depend on the visitor's language. */
async function readRedirect(path: string, language = 'de'): Promise<string> {
  const { status, headers } = await visitor.get(path, { ...host, 'accept-language': language })
  assert.equal(status, 301, path)
  assert.equal(headers.vary?.includes('Accept-Language') ?? false, false, path)
  return headers.location ?? ''
}

const readStatus = async (path: string) => (await visitor.get(path, host)).status

async function listSummaries(path: string): Promise<string[]> {
  const { status, headers, text } = await visitor.get(path, host)
  assert.equal(status, 200, `${path}: ${text}`)
  assert.match(headers['content-type'] ?? '', /^text\/calendar/, path)
  return [...text.matchAll(/^SUMMARY(?:;[^:]*)?:(.*)\r$/gm)].map(found => found[1] ?? '')
}

const jazz = await create('categories', { name: 'Jazz', parent: (await create('categories', { name: 'Music' })).id })
const outdoors = await create('tags', { name: 'Outdoors' })
const hall = await create('venues', { venue: 'Town Hall' })
const choir = await create('organizers', { organizer: 'Choir' })
const concert = await create('events', {
  title: 'Jazz night',
  ...upcoming,
  categories: [jazz.id],
  tags: [outdoors.id],
  venue: hall.id,
  organizer: choir.id
})
await create('events', { title: 'Another one', start_date: '2099-08-01 10:00:00', end_date: '2099-08-01 11:00:00' })

test('URLs of The Events Calendar redirect permanently to the page', async () => {
  const pages = {
    [`/event/${concert.slug}/`]: '/en/event/jazz-night',
    '/venue/town-hall/': '/en/venue/town-hall',
    '/organizer/choir/': '/en/organizer/choir',
    '/tag/outdoors/': '/en/tag/outdoors',
    '/events/': '/en/calendar',
    '/events/list/': '/en/calendar/list',
    '/events/list/page/2/': '/en/calendar/list',
    '/events/month/': '/en/calendar',
    '/events/month/2099-06/': '/en/calendar/2099-06',
    '/events/2099-06/': '/en/calendar/2099-06',
    '/events/2099-06-13/': '/en/calendar/2099-06-13',
    '/events/day/2099-06-13/': '/en/calendar/2099-06-13',
    '/events/week/': '/en/calendar',
    '/events/week/2099-06-08/': '/en/calendar/2099-W24',
    '/events/category/music/jazz/': '/en/category/jazz',
    '/events/category/jazz/2099-06/': '/en/category/jazz',
    '/events/category/music/jazz/list/page/3/': '/en/category/jazz',
    '/events/tag/outdoors/': '/en/tag/outdoors',
    '/events/category/jazz/feed/': '/en/events.rss?categories=jazz',
    [`/?post_type=tribe_events&p=${concert.id}`]: '/en/event/jazz-night',
    [`/?p=${concert.id}`]: '/en/event/jazz-night',
    [`/?post_type=tribe_venue&p=${hall.id}`]: '/en/venue/town-hall',
    '/?tribe_events=jazz-night': '/en/event/jazz-night',
    '/?tribe_events_cat=jazz': '/en/category/jazz',
    '/?post_type=tribe_events': '/en/calendar'
  }
  for (const [old, page] of Object.entries(pages)) {
    assert.equal(await readRedirect(old), page, old)
    if (isFullRun && !page.includes('rss')) assert.equal(await readStatus(page), 200, page)
  }
  assert.match(await readRedirect('/events/today/'), /^\/en\/calendar\/\d{4}-\d{2}-\d{2}$/)
})

test('redirects may be cached for an hour, except for the one to the current day', async () => {
  assert.equal((await visitor.get('/events/', host)).headers['cache-control'], 'public, max-age=3600')
  assert.equal((await visitor.get('/events/today/', host)).headers['cache-control'], 'no-cache')
})

test('HEAD gets the same redirect as GET', async () => {
  const { statusCode, headers } = await server.app.inject({ method: 'HEAD', url: '/event/jazz-night/', headers: host })
  assert.equal(statusCode, 301)
  assert.equal(headers.location, '/en/event/jazz-night')
})

test('unknown and hidden items are 404, as pages, as feeds, and by id', async () => {
  const draft = await create('events', { title: 'Drafted', slug: 'drafted', status: 'draft', ...upcoming })
  const paths = [
    '/event/never-was/',
    '/event/drafted/',
    '/event/never-was/?ical=1',
    '/event/drafted/?ical=1',
    '/event/never-was/ical/',
    '/venue/never-was/?ical=1',
    '/events/category/never-was/?ical=1',
    '/events/category/',
    '/events/photo/',
    '/events/2099-13/',
    '/events/2099-02-30/',
    `/?post_type=tribe_events&p=${draft.id}`,
    '/?post_type=tribe_venue&p=999999',
    `/?post_type=tribe_venue&p=${concert.id}`,
    '/?p=999999&ical=1',
    '/wp-content/uploads/2026/05/nothing.jpg',
    '/event/%2F%2Fevil.example',
    '/events/category/%5Cevil.example'
  ]
  for (const path of paths) assert.equal(await readStatus(path), 404, path)
})

test('a URL with ical=1, outlook-ical=1 or /ical/ is the iCalendar file of its page', async () => {
  const concertOnly = [
    '/event/jazz-night/?ical=1',
    '/event/jazz-night/?outlook-ical=1',
    '/event/jazz-night/ical/',
    `/?post_type=tribe_events&p=${concert.id}&ical=1`,
    '/events/2099-06/?ical=1',
    '/events/2099-06-13/?ical=1',
    '/events/week/2099-06-08/?ical=1',
    '/events/category/jazz/2099-06/?ical=1',
    '/events/category/jazz/2099-06/ical/',
    '/events/tag/outdoors/2099-06/?ical=1'
  ]
  for (const path of concertOnly) assert.deepEqual(await listSummaries(path), ['Jazz night'], path)
  assert.deepEqual(await listSummaries('/events/category/jazz/2099-08/?ical=1'), [])
  assert.deepEqual(await listSummaries('/events/2099-08/?ical=1'), ['Another one'])
})

test('the iCalendar files of the whole calendar, a category, a venue and an organizer contain upcoming events', async () => {
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  const dates = { start_date: `${soon} 10:00:00`, end_date: `${soon} 11:00:00` }
  await create('events', { title: 'Soon', ...dates, categories: [jazz.id], venue: hall.id, organizer: choir.id })
  await create('events', { title: 'Soon as well', ...dates })
  for (const path of ['/events/?ical=1', '/events/ical/', '/events/list/?ical=1', '/?post_type=tribe_events&ical=1'])
    assert.deepEqual(await listSummaries(path), ['Soon', 'Soon as well'], path)
  for (const path of ['/events/category/music/jazz/', '/venue/town-hall/', '/organizer/choir/'])
    assert.deepEqual(await listSummaries(`${path}?ical=1`), ['Soon'], path)
})

test('the feed of The Events Calendar is RSS', async () => {
  const { status, headers, text } = await visitor.get('/events/feed/', host)
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/rss\+xml/)
  assert.match(text, /<title>Jazz night<\/title>/)
  assert.match(text, /https:\/\/verein\.example\/en\/event\/jazz-night/)
})

test('a former slug redirects to the renamed item, in the language of the slug', async () => {
  const event = await create('events', { title: 'Old name', ...upcoming })
  await admin.put(`${calendar}/events/${event.id}?language=de`, { title: 'Alter Name' }, host)
  await admin.patch(`${calendar}/events/${event.id}?language=en`, { slug: 'new-name' }, host)
  await admin.patch(`${calendar}/events/${event.id}?language=de`, { slug: 'neuer-name' }, host)
  assert.equal(await readRedirect('/event/old-name/'), '/en/event/new-name')
  assert.equal(await readRedirect('/event/alter-name/'), '/de/termin/neuer-name')
  assert.equal(await readRedirect('/event/neuer-name/', 'en'), '/de/termin/neuer-name')
  assert.equal(await readRedirect('/en/event/old-name'), '/en/event/new-name')
  assert.equal(await readRedirect('/de/termin/alter-name'), '/de/termin/neuer-name')
  assert.deepEqual(await listSummaries('/event/old-name/?ical=1'), ['Old name'])

  const renamed = { venues: 'Old place', organizers: 'Old club', categories: 'Old kind', tags: 'Old word' }
  const paths = { venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' }
  for (const [collection, name] of Object.entries(renamed)) {
    const kind = paths[collection as keyof typeof paths]
    const created = await create(collection, { [collection.endsWith('s') ? kind : 'name']: name, name })
    await admin.patch(`${calendar}/${collection}/${created.id}`, { slug: `new-${kind}` }, host)
    assert.equal(await readRedirect(`/en/${kind}/${created.slug}`), `/en/${kind}/new-${kind}`)
    const old = kind === 'category' ? 'events/category' : kind
    assert.equal(await readRedirect(`/${old}/${created.slug}/`), `/en/${kind}/new-${kind}`)
  }
})

test('a slug redirects to the item that has it now, else to the one that had it before', async () => {
  const first = await create('events', { title: 'Taken', ...upcoming })
  await admin.patch(`${calendar}/events/${first.id}`, { slug: 'moved-on' }, host)
  assert.equal(await readRedirect('/event/taken/'), '/en/event/moved-on')
  const second = await create('events', { title: 'Taken', ...upcoming })
  assert.equal(second.slug, 'taken')
  assert.equal(await readRedirect('/event/taken/'), '/en/event/taken')
  await admin.delete(`${calendar}/events/${second.id}?force=true`, host)
  assert.equal(await readRedirect('/event/taken/'), '/en/event/moved-on')
  await admin.delete(`${calendar}/events/${first.id}?force=true`, host)
  assert.equal(await readStatus('/event/taken/'), 404)
})

test('the API does not find an item by a slug that it had before', async () => {
  const event = await create('events', { title: 'Strict', ...upcoming })
  await admin.patch(`${calendar}/events/${event.id}`, { slug: 'stricter' }, host)
  assert.equal((await visitor.get(`${calendar}/events/by-slug/strict`, host)).status, 404)
})

/** Records that an item was imported, as an import does. */
async function recordImport(origin: string, kind: string, sourceId: number, itemId: number): Promise<void> {
  await store.run(sql`
    insert into calendar.imports (source, dry_run, policy, language, timezone, origin, author_id, caller, status, created_at)
    values ('tec', false, 'overwrite', 'en', 'UTC', ${origin}, 1, '{}', 'done', now())`)
  await store.run(sql`
    insert into calendar.imported (origin, kind, source_id, item_id, hash, version)
    values (${origin}, ${kind}, ${String(sourceId)}, ${itemId}, 'x', 1)`)
}

test('ids of an imported site redirect to the imported item, with precedence over own ids if the host is the same', async () => {
  const moved = await create('events', { title: 'Moved here', ...upcoming })
  await recordImport('verein.example', 'event', 40_034, moved.id)
  await recordImport('verein.example', 'event', concert.id, moved.id)
  assert.equal(await readRedirect('/?post_type=tribe_events&p=40034'), '/en/event/moved-here')
  assert.equal(await readRedirect('/?p=40034'), '/en/event/moved-here')
  assert.equal(await readRedirect(`/?p=${concert.id}`), '/en/event/moved-here')
  assert.equal(await readStatus('/?post_type=tribe_venue&p=40034'), 404)

  const other = await create('venues', { venue: 'From elsewhere' })
  await recordImport('other.example', 'venue', 40_035, other.id)
  await recordImport('other.example', 'venue', hall.id, other.id)
  assert.equal(await readRedirect('/?post_type=tribe_venue&p=40035'), '/en/venue/from-elsewhere')
  assert.equal(await readRedirect(`/?post_type=tribe_venue&p=${hall.id}`), '/en/venue/town-hall')
})

test('upload URLs of an imported site redirect to the image, in every size', async () => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const created = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    headers: { ...host, 'content-type': 'image/png', 'content-disposition': 'attachment; filename="party.png"' },
    payload: bytes
  })
  assert.equal(created.status, 201, created.text)
  const source = 'https://verein.example/wp-content/uploads/2026/05/party-scaled.png'
  await store.run(sql`update calendar.media set source = ${source} where id = ${created.body.id}`)
  for (const name of ['party-scaled.png', 'party.png', 'party-300x200.png']) {
    const location = await readRedirect(`/wp-content/uploads/2026/05/${name}`)
    assert.equal(location, new URL(created.body.url).pathname, name)
    assert.equal(await readStatus(location), 200)
  }
  assert.equal(await readStatus('/wp-content/uploads/2026/06/party.png'), 404)
})

test('translated paths of an imported site redirect to the page', async () => {
  const path = (base: string, kind: string) => sql`
    insert into calendar.imported_paths (base, kind) values (${base}, ${kind})`
  await store.run(path('/blog/veranstaltung/', 'event'))
  await store.run(path('/veranstaltungsort/', 'venue'))
  await store.run(path('/veranstaltungen/', 'view'))
  await store.run(path('/veranstaltungen/kategorie/', 'category'))
  const pages = {
    '/blog/veranstaltung/jazz-night/': '/en/event/jazz-night',
    '/blog/veranstaltung/jazz-night': '/en/event/jazz-night',
    '/veranstaltungsort/town-hall/': '/en/venue/town-hall',
    '/veranstaltungen/': '/en/calendar',
    '/veranstaltungen/2099-06/': '/en/calendar/2099-06',
    '/veranstaltungen/monat/2099-06/': '/en/calendar/2099-06',
    '/veranstaltungen/kategorie/music/jazz/': '/en/category/jazz',
    '/veranstaltungen/kategorie/jazz/2099-06/': '/en/category/jazz'
  }
  for (const [old, page] of Object.entries(pages)) assert.equal(await readRedirect(old), page, old)
  assert.deepEqual(await listSummaries('/blog/veranstaltung/jazz-night/?ical=1'), ['Jazz night'])
  assert.deepEqual(await listSummaries('/veranstaltungen/2099-08/?ical=1'), ['Another one'])
  const unknown = ['/blog/veranstaltung/', '/blog/veranstaltung/never-was/', '/veranstaltungsort/%zz/', '/elsewhere/x/']
  for (const old of unknown) assert.ok([400, 404].includes(await readStatus(old)), old)
  assert.equal((await admin.post('/veranstaltungen/', {}, host)).status, 404)
})
