// Requests of clients for WordPress and The Events Calendar, in their order, and the parts of the responses that they need.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { adminKey, calendar, startSite } from '../support/services.ts'

const { server, admin } = await startSite({ env: { TIMEZONE: 'Europe/Berlin' } })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
const root = `${origin}/wp-json`

// biome-ignore lint/suspicious/noExplicitAny: a client of another program has no types.
type Json = any

const authorization = `Basic ${Buffer.from(`admin:${adminKey}`).toString('base64')}`

async function call(url: string, options: RequestInit = {}): Promise<{ response: Response; body: Json }> {
  const response = await fetch(url, options)
  return { response, body: await response.json() }
}

const created = await admin.post(`${calendar}/events`, {
  title: 'Reading',
  start_date: '2099-03-01 19:00:00',
  end_date: '2099-03-01 21:00:00',
  venue: { venue: 'Library' },
  organizer: { organizer: 'Book club' },
  categories: ['Books'],
  tags: ['Evening']
})
assert.equal(created.status, 201, created.text)

test('the MCP server of The Events Calendar 0.1.6 starts, and lists, creates, updates and deletes', async () => {
  const headers = {
    Authorization: authorization,
    'Content-Type': 'application/json',
    'X-TEC-EEA':
      'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.'
  }
  const send = async (path: string, method = 'GET', data?: object) => {
    const options = data === undefined ? { method, headers } : { method, headers, body: JSON.stringify(data) }
    const { response, body } = await call(root + path, options)
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(body)}`)
    return body
  }
  const site = await send('/')
  assert.equal(site.timezone_string, 'Europe/Berlin')
  assert.equal(typeof site.name, 'string')
  await send('/wp/v2/users/me')
  // The MCP server continues without the settings of WordPress.
  assert.equal((await call(`${root}/wp/v2/settings`, { headers })).response.status, 404)

  const venue = await send('/tec/v1/venues', 'POST', {
    status: 'publish',
    title: 'Barn',
    city: 'Bonn',
    address: 'Weg 1'
  })
  const organizer = await send('/tec/v1/organizers', 'POST', {
    status: 'publish',
    title: 'Band',
    email: 'band@example.org'
  })
  const event = await send('/tec/v1/events', 'POST', {
    status: 'publish',
    title: 'Concert',
    content: 'Loud & long',
    start_date: '2099-04-01 19:00:00',
    end_date: '2099-04-01 21:00:00',
    cost: '7',
    venues: [venue.id],
    organizers: [organizer.id]
  })
  const changed = await send(`/tec/v1/events/${event.id}`, 'PUT', {
    status: 'publish',
    title: 'Late concert',
    start_date: '2099-04-01 22:00:00',
    end_date: '2099-04-01 23:00:00'
  })
  assert.deepEqual([changed.title.rendered, changed.start_date], ['Late concert', '2099-04-01 22:00:00'])
  assert.deepEqual([changed.venues[0].id, changed.organizers[0].id], [venue.id, organizer.id])

  const listed = await send('/tec/v1/events')
  assert.ok(Array.isArray(listed) && listed.some((one: Json) => one.id === event.id))
  const filters = `per_page=100&order=asc&status=publish&search=late&start_date=2099-01-01&end_date=2099-12-31&venue=${venue.id}`
  assert.deepEqual(
    (await send(`/tec/v1/events?${filters}`)).map((one: Json) => one.id),
    [event.id]
  )
  assert.equal((await send(`/tec/v1/events/${event.id}`)).id, event.id)
  assert.equal((await send('/tec/v1/venues?search=Barn')).length, 1)
  assert.deepEqual(await send('/tec/v1/tickets'), [])
  assert.equal((await send(`/tec/v1/events/${event.id}`, 'DELETE')).status, 'trash')
  assert.equal((await send(`/tec/v1/events/${event.id}?force=true`, 'DELETE')).deleted, true)
})

test('node-wpapi 1.2.2 discovers the API of a page and reads and writes through its routes', async () => {
  // It does not follow a redirect of HEAD.
  const discovered = await fetch(`${origin}/`, { method: 'HEAD', redirect: 'manual' })
  assert.equal(discovered.status, 200)
  const [, found = ''] = /<([^>]*)>; rel="https:\/\/api\.w\.org\/"/.exec(discovered.headers.get('link') ?? '') ?? []
  assert.equal(found, `${root}/`)
  const { body: site } = await call(found)
  // It creates a method for each part of a pattern, and parses the group of an id.
  for (const base of ['tribe_events', 'tribe_venue', 'tribe_organizer', 'tribe_events_cat', 'tags', 'media']) {
    assert.ok(site.routes[`/wp/v2/${base}`].methods.includes('POST'), base)
    assert.ok(site.routes[`/wp/v2/${base}/(?P<id>[\\d]+)`].methods.includes('GET'), base)
  }

  const headers = { Authorization: authorization, 'Content-Type': 'application/json' }
  const create = async (path: string, data: object) => {
    const { response, body } = await call(root + path, { method: 'POST', headers, body: JSON.stringify(data) })
    assert.equal(response.status, 201, JSON.stringify(body))
    return body
  }
  const tag = await create('/wp/v2/tags', { name: 'By wpapi' })
  const category = await create('/wp/v2/tribe_events_cat', { name: 'By wpapi' })
  const event = await create('/wp/v2/tribe_events', {
    title: 'By wpapi',
    content: 'Text',
    status: 'publish',
    start_date: '2099-05-01 10:00:00',
    end_date: '2099-05-01 11:00:00',
    tags: [tag.id],
    tribe_events_cat: [category.id]
  })
  const update = { method: 'PUT', headers, body: JSON.stringify({ title: 'Changed by wpapi' }) }
  const { body: changed } = await call(`${root}/wp/v2/tribe_events/${event.id}`, update)
  assert.equal(changed.title.raw, 'Changed by wpapi')
  assert.deepEqual([changed.tags, changed.tribe_events_cat], [[tag.id], [category.id]])

  const { response, body: list } = await call(`${root}/wp/v2/tribe_events?page=1&per_page=1&search=wpapi`, { headers })
  assert.equal(list[0].id, event.id)
  // It builds `_paging` from these.
  assert.deepEqual([response.headers.get('x-wp-total'), response.headers.get('x-wp-totalpages')], ['1', '1'])

  const form = new FormData()
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'photo.png')
  form.append('title', 'Photo')
  form.append('alt_text', 'A red square')
  const upload = { method: 'POST', headers: { Authorization: authorization }, body: form }
  const { response: uploaded, body: image } = await call(`${root}/wp/v2/media`, upload)
  assert.equal(uploaded.status, 201, JSON.stringify(image))
  assert.equal(image.alt_text, 'A red square')
  assert.equal((await fetch(image.source_url)).status, 200)
})

test('gatsby-source-tribe-events 1.0.1 gets the lists of events, venues, organizers, categories and tags', async () => {
  for (const name of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    const { body } = await call(`${root}/tribe/events/v1/${name}?per_page=50`)
    assert.ok(Array.isArray(body[name]), name)
    for (const item of body[name]) assert.equal(typeof item.id, 'number')
  }
})

test('11ty-plugin-get-tribe-events 1.0.0 follows the links of the list, from a query that ends with an ampersand', async () => {
  const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const dates = { start_date: `${soon} 10:00:00`, end_date: `${soon} 11:00:00` }
  for (const title of ['First', 'Second', 'Third']) await admin.post(`${calendar}/events`, { title, ...dates })
  const titles: string[] = []
  let next: string | undefined = `${root}/tribe/events/v1/events?per_page=2&`
  while (next !== undefined) {
    const { body } = await call(next)
    titles.push(...body.events.map((event: Json) => event.title))
    next = body.next_rest_url
  }
  assert.deepEqual(titles, ['First', 'Second', 'Third'])
})
