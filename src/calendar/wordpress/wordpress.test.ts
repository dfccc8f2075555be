import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Role, roles } from '#platform/caller.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { type Client, startCalendar } from '#test/support/services.ts'
import { acknowledgement } from './experimental.ts'

const calendar = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin', PUBLIC_URL: 'https://verein.example' } })
const { admin, visitor, anEvent, aVenue, anOrganizer, aCategory, aTag, withRole } = calendar
const wp = '/wp-json/wp/v2'
const tec = '/wp-json/tec/v1'
const tribe = '/wp-json/tribe/events/v1'
const experimental = { 'x-tec-eea': acknowledgement }
const upcoming = { start_date: '2099-06-13 14:00:00', end_date: '2099-06-13 18:00:00' }
const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

const clients = new Map<Role, Client>()
for (const role of roles) clients.set(role, await withRole(role))

// biome-ignore lint/suspicious/noExplicitAny: the tests assert on untyped responses.
const getIds = (list: any[]) => list.map(({ id }) => id)

test('the root lists the namespaces, their routes, and where to create an application password', async () => {
  const { body } = await visitor.get('/wp-json/')
  assert.deepEqual(body.namespaces, ['tribe/events/v1', 'tec/v1', 'wp/v2'])
  assert.deepEqual(body.routes['/wp/v2/tribe_events'].methods, ['GET', 'POST'])
  assert.deepEqual(body.routes['/wp/v2/tribe_events/(?P<id>[\\d]+)'].methods, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  assert.equal(body.routes['/tec/v1/events']._links.self[0].href, 'https://verein.example/wp-json/tec/v1/events')
  assert.ok(body.routes['/tribe/events/v1/events'])
  assert.match(body.authentication['application-passwords'].endpoints.authorization, /\/admin\/keys$/)
  for (const namespace of ['wp/v2', 'tec/v1']) {
    const index = await visitor.get(`/wp-json/${namespace}`)
    assert.equal(index.body.namespace, namespace)
    for (const pattern of Object.keys(index.body.routes)) assert.ok(pattern.startsWith(`/${namespace}`), pattern)
  }
})

test('every response of every namespace links to the root', async () => {
  for (const path of ['/wp-json/', `${wp}/types`, `${tribe}/events`, '/calendar/events/v1/events', `${wp}/nothing`]) {
    const { headers } = await visitor.get(path)
    assert.match(headers.link ?? '', /<https:\/\/verein\.example\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/, path)
  }
})

test('a key works as an application password, and users/me returns its user', async () => {
  const anonymous = await visitor.get(`${wp}/users/me`)
  assert.deepEqual([anonymous.status, anonymous.body.code], [401, 'rest_not_logged_in'])
  const { body: issued } = await admin.post('/keys', { name: 'Assistant', role: 'author' })
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`anna:${password}`).toString('base64')}` })
  const wrong = await visitor.get(`${wp}/users/me`, basic('wrong wrong'))
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'incorrect_password'])
  const { status, body } = await visitor.get(`${wp}/users/me?context=edit`, basic(issued.key))
  assert.equal(status, 200)
  assert.equal(body.id, issued.id)
  assert.deepEqual(body.roles, ['author'])
  assert.equal(body.capabilities.edit_tribe_events, true)
  assert.equal(body.capabilities.edit_others_tribe_events, false)
  assert.equal((await visitor.get(`${wp}/users/me`, basic(issued.key))).body.roles, undefined)
})

test('events, venues and organizers are returned as WordPress posts', async () => {
  const category = await aCategory({ name: 'Jazz & Blues' })
  const tag = await aTag({ name: 'Open air' })
  const venue = await aVenue({ venue: 'Town Hall', city: 'Bonn', geo_lat: 50.7, geo_lng: 7.1 })
  const organizer = await anOrganizer({ organizer: 'Choir', email: 'choir@example.org' })
  const event = await anEvent({
    title: 'Songs & dances',
    description: '<p>All evening.</p>',
    ...upcoming,
    cost: '7',
    featured: true,
    categories: [category.id],
    tags: [tag.id],
    venue: venue.id,
    organizer: organizer.id,
    event_status: 'canceled'
  })

  const { body: post } = await visitor.get(`${wp}/tribe_events/${event.id}`)
  assert.equal(post.type, 'tribe_events')
  assert.equal(post.title.rendered, 'Songs &#038; dances')
  assert.equal(post.title.raw, undefined)
  assert.deepEqual(post.content, { rendered: '<p>All evening.</p>', protected: false })
  assert.match(post.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  assert.equal(post.link, 'https://verein.example/event/songs-dances/')
  assert.deepEqual([post.tags, post.tribe_events_cat], [[tag.id], [category.id]])
  assert.equal(post.meta._tribe_events_status, 'canceled')
  assert.equal(post._links.self[0].href, `https://verein.example${wp}/tribe_events/${event.id}`)
  assert.equal(typeof post.author, 'number')
  assert.equal((await visitor.get(`${wp}/tribe_venue/${venue.id}`)).body.title.rendered, 'Town Hall')
  assert.equal((await visitor.get(`${wp}/tribe_organizer/${organizer.id}`)).body.type, 'tribe_organizer')

  const { body: full } = await visitor.get(`${tec}/events/${event.id}`, experimental)
  assert.equal(full.start_date, '2099-06-13 14:00:00')
  assert.equal(full.start_date_utc, '2099-06-13 12:00:00')
  assert.equal(full.duration, '14400')
  assert.equal(full.dates.start.timezone, 'Europe/Berlin')
  assert.deepEqual([full.featured, full.all_day, full.is_past, full.cost], [true, false, false, '€7'])
  assert.deepEqual(full.organizer_names, ['Choir'])
  assert.equal(full.organizers[0].email, 'choir@example.org')
  assert.deepEqual([full.venues[0].city, full.venues[0].lat], ['Bonn', 50.7])
  assert.equal(full.venues[0]._links.self[0].href, `https://verein.example${tec}/venues/${venue.id}`)
  assert.equal((await visitor.get(`${tec}/venues/${venue.id}`, experimental)).body.city, 'Bonn')

  const edited = await admin.get(`${wp}/tribe_events/${event.id}?context=edit`)
  assert.equal(edited.body.title.raw, 'Songs & dances')
  assert.equal((await visitor.get(`${wp}/tribe_events/${event.id}?context=edit`)).status, 401)
  const few = await visitor.get(`${wp}/tribe_events/${event.id}?_fields=id,slug`)
  assert.deepEqual(few.body, { id: event.id, slug: 'songs-dances' })
})

test('items that are written in one namespace are readable in all of them', async () => {
  const venue = await admin.post(`${tec}/venues`, { title: 'Barn', city: 'Kiel', lat: 54.3, lng: 10.1 }, experimental)
  assert.equal(venue.status, 201, venue.text)
  assert.equal(venue.headers.location, `${tec}/venues/${venue.body.id}`)
  const organizer = await admin.post(`${tec}/organizers`, { title: 'Band', email: 'band@example.org' }, experimental)
  const category = await admin.post(`${wp}/tribe_events_cat`, { name: 'Rock & Roll' })
  assert.deepEqual([category.status, category.body.name], [201, 'Rock &amp; Roll'])
  const tag = await admin.post(`${wp}/tags`, { name: 'Loud' })

  const created = await admin.post(
    `${tec}/events`,
    {
      title: 'Concert',
      content: '<p>Loud.</p>',
      ...upcoming,
      status: 'publish',
      venues: [venue.body.id],
      organizers: [organizer.body.id],
      tribe_events_cat: [category.body.id],
      tags: [tag.body.id]
    },
    experimental
  )
  assert.equal(created.status, 201, created.text)
  const { body: event } = await visitor.get(`${tribe}/events/${created.body.id}`)
  assert.equal(event.description, '<p>Loud.</p>')
  assert.deepEqual([event.venue.venue, event.venue.city, event.venue.geo_lat], ['Barn', 'Kiel', 54.3])
  assert.equal(event.organizer[0].organizer, 'Band')
  assert.deepEqual([event.categories[0].name, event.tags[0].name], ['Rock & Roll', 'Loud'])

  const changed = await admin.put(`${tec}/events/${event.id}`, { title: 'Big concert' }, experimental)
  assert.deepEqual([changed.status, changed.body.title.raw], [200, 'Big concert'])
  assert.equal((await visitor.get(`${tribe}/events/${event.id}`)).body.venue.venue, 'Barn')
  const cancelled = await admin.post(`${wp}/tribe_events/${event.id}`, {
    title: { raw: 'No concert' },
    meta: { _tribe_events_status: 'canceled' },
    featured_media: 0
  })
  assert.equal(cancelled.status, 200, cancelled.text)
  const { body: after } = await visitor.get(`${tribe}/events/${event.id}`)
  assert.deepEqual([after.title, after.event_status], ['No concert', 'canceled'])

  const dated = await admin.post(`${wp}/tribe_events`, {
    title: 'By meta',
    status: 'publish',
    meta: { _EventStartDate: '2099-01-01 10:00:00', _EventEndDate: '2099-01-01 11:00:00' }
  })
  assert.equal(dated.status, 201, dated.text)
  const undated = await admin.post(`${wp}/tribe_events`, { title: 'Without dates' })
  assert.deepEqual([undated.status, undated.body.data.params], [400, ['start_date', 'end_date']])

  const trashed = await admin.delete(`${tec}/events/${event.id}`, experimental)
  assert.deepEqual([trashed.status, trashed.body.status], [200, 'trash'])
  const removed = await admin.delete(`${wp}/tribe_events/${event.id}?force=true`)
  assert.deepEqual([removed.body.deleted, removed.body.previous.id], [true, event.id])
  const gone = await admin.get(`${wp}/tribe_events/${event.id}`)
  assert.deepEqual([gone.status, gone.body.code], [404, 'rest_post_invalid_id'])
})

test('an image is uploaded as the body with its name in a header, or as a form', async () => {
  const raw = await admin.send({
    method: 'POST',
    url: `${wp}/media?alt_text=A%20party`,
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="party.png"' },
    payload: png
  })
  assert.equal(raw.status, 201, raw.text)
  assert.deepEqual([raw.body.slug, raw.body.alt_text, raw.body.mime_type], ['party', 'A party', 'image/png'])
  assert.equal(raw.body.media_details.width, 8)
  const { pathname } = new URL(raw.body.source_url)
  assert.equal((await visitor.get(pathname)).status, 200)

  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'second.png')
  const encoded = new Response(form)
  const multipart = await admin.send({
    method: 'POST',
    url: `${wp}/media`,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer())
  })
  assert.deepEqual([multipart.status, multipart.body.slug], [201, 'second'])

  const event = await admin.post(`${wp}/tribe_events`, { title: 'Party', ...upcoming, featured_media: raw.body.id })
  assert.equal(event.body.featured_media, raw.body.id)
  assert.equal((await admin.get(`${wp}/media/${raw.body.id}`)).body.id, raw.body.id)
  assert.ok(getIds((await admin.get(`${wp}/media?per_page=100`)).body).includes(raw.body.id))
  const text = await admin.send({
    method: 'POST',
    url: `${wp}/media`,
    headers: { 'content-type': 'image/png' },
    payload: 'no image'
  })
  assert.deepEqual([text.status, text.body.code], [400, 'rest_upload_not_an_image'])
  assert.equal((await admin.delete(`${wp}/media/${raw.body.id}?force=true`)).body.deleted, true)
})

test('tec/v1 requires its header except for the document, and has no tickets', async () => {
  for (const path of ['/events', '/venues', '/organizers', '/tickets']) {
    for (const headers of [{}, { 'x-tec-eea': 'yes' }]) {
      const { status, body } = await visitor.get(tec + path, headers)
      assert.deepEqual([status, body.code], [400, 'missing_experimental_endpoint_acknowledgement'], path)
    }
    const upper = { 'x-tec-eea': acknowledgement.toUpperCase() }
    assert.equal((await visitor.get(tec + path, upper)).status, 200, path)
  }
  const tickets = await visitor.get(`${tec}/tickets`, experimental)
  assert.deepEqual([tickets.body, tickets.headers['x-wp-total']], [[], '0'])
})

test('the post types name the paths of their collections', async () => {
  const { body } = await visitor.get(`${wp}/types`)
  for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer']) {
    assert.equal(body[type].rest_base, type)
    assert.equal((await visitor.get(`${wp}/${body[type].rest_base}`)).status, 200)
    assert.equal((await visitor.get(`${wp}/types/${type}`)).body.slug, type)
  }
})

test('lists have up to 100 items per page and each item exactly once, with totals and links', {
  skip: skipUnlessFull
}, async () => {
  const fresh = await startCalendar()
  const count = 120
  const created: number[] = []
  for (let number = 0; number < count; number += 1) created.push((await fresh.aTag({ name: `Tag ${number}` })).id)
  for (const size of [7, 50, 70, 100]) {
    const seen: number[] = []
    let next: string | undefined = `${wp}/tags?per_page=${size}&orderby=id`
    while (next !== undefined) {
      const { status, headers, body } = await fresh.visitor.get(next)
      assert.equal(status, 200)
      assert.deepEqual(
        [headers['x-wp-total'], headers['x-wp-totalpages']],
        [String(count), String(Math.ceil(count / size))],
        `${size} a page`
      )
      seen.push(...getIds(body))
      next = /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]?.replace(/^https?:\/\/[^/]*/, '')
    }
    assert.deepEqual(seen, created, `${size} a page`)
  }
  for (const wrong of ['per_page=101', 'per_page=0', 'page=x']) {
    assert.equal((await fresh.visitor.get(`${wp}/tags?${wrong}`)).body.code, 'rest_invalid_param', wrong)
  }
  const beyond = await fresh.visitor.get(`${wp}/tribe_events?page=2`)
  assert.deepEqual([beyond.status, beyond.body.code], [400, 'rest_post_invalid_page_number'])
  assert.equal((await fresh.visitor.get(`${tec}/events?page=2`, experimental)).status, 404)
})

test('tec/v1 also lists past events, wp/v2 only events that are not over', async () => {
  const fresh = await startCalendar()
  const past = await fresh.anEvent({ title: 'Past', start_date: '2001-05-01 10:00', end_date: '2001-05-01 11:00' })
  const far = await fresh.anEvent({ title: 'Far ahead', ...upcoming })
  assert.deepEqual(getIds((await fresh.visitor.get(`${tec}/events`, experimental)).body), [past.id, far.id])
  const between = `${tec}/events?start_date=2000-01-01&end_date=2002-01-01`
  assert.deepEqual(getIds((await fresh.visitor.get(between, experimental)).body), [past.id])
  const newest = `${tec}/events?orderby=event_date&order=DESC`
  assert.deepEqual(getIds((await fresh.visitor.get(newest, experimental)).body), [far.id, past.id])
  assert.deepEqual(getIds((await fresh.visitor.get(`${wp}/tribe_events`)).body), [far.id])
  assert.deepEqual(getIds((await fresh.visitor.get(`${wp}/tribe_events?slug=past,nothing`)).body), [past.id])
  assert.deepEqual(getIds((await fresh.visitor.get(`${wp}/tribe_events?search=ahead`)).body), [far.id])
})

test('callers can read and change the same events as in tribe/events/v1', async () => {
  const draft = await anEvent({ title: 'Drafted', status: 'draft', ...upcoming })
  const locked = await anEvent({ title: 'Locked', description: 'secret words', post_password: 'sesame', ...upcoming })
  const hidden = await visitor.get(`${wp}/tribe_events/${draft.id}`)
  assert.deepEqual([hidden.status, hidden.body.code], [403, 'rest_forbidden'])
  assert.equal((await visitor.get(`${tec}/events/${draft.id}`, experimental)).status, 403)
  assert.ok(!getIds((await visitor.get(`${tec}/events?per_page=100`, experimental)).body).includes(draft.id))
  assert.ok(getIds((await admin.get(`${wp}/tribe_events?status=any&per_page=100`)).body).includes(draft.id))
  assert.equal((await visitor.get(`${wp}/tribe_events?status=any`)).status, 400)

  const { body: list } = await visitor.get(`${wp}/tribe_events?per_page=100`)
  // biome-ignore lint/suspicious/noExplicitAny: a post.
  const shown = list.find((post: any) => post.id === locked.id)
  assert.deepEqual(shown.content, { rendered: '', protected: true })
  assert.equal((await visitor.get(`${wp}/tribe_events/${locked.id}`)).status, 403)
  const opened = await visitor.get(`${wp}/tribe_events/${locked.id}?password=sesame`)
  assert.match(opened.body.content.rendered, /secret words/)

  const other = await anEvent({ title: 'Of the admin', ...upcoming })
  const author = clients.get('author') as Client
  assert.equal((await author.put(`${tec}/events/${other.id}`, { title: 'Mine' }, experimental)).status, 403)
})

test('writes need the same roles as in tribe/events/v1', async () => {
  const writers: Record<string, Role[]> = {
    [`${wp}/tribe_events`]: ['contributor', 'author', 'editor', 'admin'],
    [`${tec}/venues`]: ['contributor', 'author', 'editor', 'admin'],
    [`${wp}/tribe_events_cat`]: ['author', 'editor', 'admin'],
    [`${wp}/tags`]: ['editor', 'admin']
  }
  for (const [path, allowed] of Object.entries(writers)) {
    const body = (role: string) => ({ title: `For ${role}`, name: `For ${role}`, ...upcoming })
    assert.equal((await visitor.post(path, body('nobody'), experimental)).status, 401, path)
    for (const [role, client] of clients) {
      const { status, text } = await client.post(path, body(role), experimental)
      assert.equal(status, allowed.includes(role) ? 201 : 403, `${role} ${path} ${text}`)
    }
  }
  for (const [role, client] of clients) {
    const allowed = ['author', 'editor', 'admin'].includes(role)
    assert.equal((await client.get(`${wp}/media`)).status, allowed ? 200 : 403, role)
  }
})

test('malformed requests are refused or find nothing, without a server error', async () => {
  const refused = ['?include=abc', '?status=nothing', '?orderby=nothing', '?tribe_events_cat=999999', '?page=-1']
  for (const query of refused) assert.equal((await visitor.get(`${wp}/tribe_events${query}`)).status, 400, query)
  for (const slug of ['..', '.', '', '%00', '%2e%2e', 'a%2Fb', ','])
    assert.ok((await visitor.get(`${wp}/tribe_events?slug=${slug}`)).status < 500, slug)
  assert.deepEqual((await visitor.get(`${wp}/tribe_events?slug=..`)).body, [])
  for (const name of ['include', 'page', 'per_page', 'status', 'tags']) {
    for (const query of [`${name}[toString]=1`, `${name}[0][toString]=1`])
      assert.equal((await visitor.get(`${wp}/tribe_events?${query}`)).status, 400, query)
  }
  assert.deepEqual((await visitor.get(`${wp}/tribe_events?slug[0][toString]=1`)).body, [])
  assert.equal((await visitor.get(`${wp}/tags?hide_empty[toString]=1`)).status, 200)
  assert.equal((await visitor.get(`${wp}/tribe_events/99999999999999999999`)).status, 404)
  assert.equal((await admin.post(`${wp}/tribe_events`, [])).status, 400)
  assert.equal((await admin.post(`${wp}/tags`, { name: { raw: 'x' } })).status, 400)
  assert.equal((await admin.post(`${wp}/media`, {})).status, 400)
})

test('a repeated request with the same Idempotency-Key creates one event', async () => {
  const headers = { ...experimental, 'idempotency-key': 'the-same-event-once' }
  const first = await admin.post(`${tec}/events`, { title: 'Once', ...upcoming }, headers)
  const second = await admin.post(`${tec}/events`, { title: 'Once', ...upcoming }, headers)
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.body.id, first.body.id)
})

test('the OpenAPI document of the calendar has none of these routes, and responses have no undeclared members', async () => {
  const { body } = await visitor.get('/openapi/calendar.json')
  assert.ok(!Object.keys(body.paths).some(path => /\/(?:wp\/v2|tec\/v1)/.test(path)))
  const { body: event } = await visitor.get(`${tec}/events/${(await anEvent({ ...upcoming })).id}`, experimental)
  assert.equal(event.venue, undefined)
  assert.equal(event.global_id, undefined)
})
