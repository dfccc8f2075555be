import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite()

async function make(collection: string, fields: object) {
  const made = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(made.status, 201, made.text)
  return made.body
}

const ahead = { start_date: '2099-06-13 14:00:00', end_date: '2099-06-13 18:00:00' }
const over = { start_date: '2001-06-13 14:00:00', end_date: '2001-06-13 18:00:00' }

test('a venue shows its address, what comes, what was, and a calendar of its own', async () => {
  const venue = await make('venues', {
    venue: 'Town Hall',
    address: 'Markt 1',
    city: 'Ulmenfurt',
    description: '<p>Old walls.</p>',
    website: 'https://hall.example/'
  })
  await make('events', { title: 'Comes here', venue: venue.id, ...ahead })
  await make('events', { title: 'Was here', venue: venue.id, ...over })
  await make('events', { title: 'Elsewhere', ...ahead })
  const { status, text } = await visitor.get(`/en/venue/${venue.slug}`)
  assert.equal(status, 200)
  assert.match(text, /<h1>Town Hall<\/h1>/)
  assert.match(text, /Old walls/)
  assert.match(text, /openstreetmap\.org\/search\?query=Markt%201/)
  assert.match(text, /Comes here/)
  assert.match(text, /<details class="listing-past">.*Past events \(1\).*Was here/s)
  assert.match(text, /<a href="https:\/\/hall\.example\/" rel="external noopener">hall\.example<\/a>/)
  assert.doesNotMatch(text, /Elsewhere/)
  assert.match(text, new RegExp(`/en/events\\.ics\\?venue=${venue.id}`))
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
  assert.equal(data['@type'], 'Place')
  assert.match(data.url, /\/en\/venue\/town-hall$/)
})

test('an organizer is an organisation for search engines, and its mail address is not plain text', async () => {
  const organizer = await make('organizers', { organizer: 'Choir <b>', email: 'choir@example.org', phone: '030 1' })
  const { text } = await visitor.get(`/de/veranstalter/${organizer.slug}`)
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
  assert.equal(data['@type'], 'Organization')
  assert.equal(data.email, undefined)
  assert.doesNotMatch(text, /choir@example\.org|<h1[^>]*>Choir <b>/)
  assert.match(text, /Keine kommenden Termine/)
})

test('a category shows what is in it and below it, and leads up and down', async () => {
  const music = await make('categories', { name: 'Music' })
  const jazz = await make('categories', { name: 'Jazz', parent: music.id })
  await make('events', { title: 'Blue notes', categories: [jazz.id], ...ahead })
  const above = await visitor.get('/en/category/music')
  assert.equal(above.status, 200)
  assert.match(above.text, /Blue notes/)
  assert.match(above.text, /href="\/en\/category\/jazz"/)
  const below = await visitor.get('/en/category/jazz')
  assert.match(below.text, /Part of <a href="\/en\/category\/music">/)
})

test('a tag is found by its slug in any language, at one address each', async () => {
  const tag = await make('tags', { name: 'Outdoors' })
  await admin.put(`${calendar}/tags/${tag.id}?language=de`, { name: 'Draußen' })
  const { status, headers } = await visitor.get('/de/schlagwort/outdoors')
  assert.equal(status, 301)
  assert.equal(headers.location, '/de/schlagwort/draussen')
  const { text } = await visitor.get('/en/tag/outdoors')
  assert.match(text, /hreflang="de" href="[^"]*\/de\/schlagwort\/draussen"/)
})

test('twenty events a page, each page with its own address', async () => {
  const venue = await make('venues', { venue: 'Busy place' })
  for (let count = 0; count < 21; count += 1)
    await make('events', { title: `Number ${count}`, venue: venue.id, ...ahead })
  const first = await visitor.get(`/en/venue/${venue.slug}`)
  assert.equal(first.text.match(/class="event-card"/g)?.length, 20)
  assert.match(first.text, /rel="next" href="\/en\/venue\/busy-place\?page=2"/)
  const second = await visitor.get(`/en/venue/${venue.slug}?page=2`)
  assert.equal(second.text.match(/class="event-card"/g)?.length, 1)
  assert.match(second.text, /rel="canonical" href="[^"]*\/en\/venue\/busy-place\?page=2"/)
  assert.equal((await visitor.get(`/en/venue/${venue.slug}?page=99`)).status, 404)
  assert.equal((await visitor.get(`/en/venue/${venue.slug}?page=-1`)).status, 200)
})

test('what is not there is 404, what is in the trash 410, and drafts stay hidden', async () => {
  for (const path of ['venue', 'organizer', 'category', 'tag']) {
    assert.equal((await visitor.get(`/en/${path}/never-was`)).status, 404, path)
  }
  const gone = await make('venues', { venue: 'Torn down' })
  await admin.delete(`${calendar}/venues/${gone.id}`)
  assert.equal((await visitor.get(`/en/venue/${gone.slug}`)).status, 410)
  await make('venues', { venue: 'Planned', slug: 'planned-hall', status: 'draft' })
  assert.equal((await visitor.get('/en/venue/planned-hall')).status, 404)
})

test('venues, organizers, categories and tags in another script are at one address', async () => {
  const name = 'دار الأوبرا'
  const collections = [
    ['venues', { venue: name }, 'venue'],
    ['organizers', { organizer: name }, 'organizer'],
    ['categories', { name }, 'category'],
    ['tags', { name }, 'tag']
  ] as const
  for (const [collection, fields, place] of collections) {
    const { id, slug } = await make(collection, fields)
    await make('events', {
      title: 'In another script',
      ...ahead,
      [place === 'category' || place === 'tag' ? collection : place]: [id]
    })
    const address = `/en/${place}/${slug}`
    const { status, text } = await visitor.get(address)
    assert.equal(status, 200, address)
    assert.ok(text.includes(`href="http://localhost${address}"`) || text.includes(`${address}"`), address)
    const twice = await visitor.get(`/en/${place}/${encodeURIComponent(slug)}`)
    assert.deepEqual([twice.status, twice.headers.location], [301, address])
  }
})
