import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite()

async function create(collection: string, fields: object) {
  const created = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(created.status, 201, created.text)
  return created.body
}

const upcoming = { start_date: '2099-06-13 14:00:00', end_date: '2099-06-13 18:00:00' }
const past = { start_date: '2001-06-13 14:00:00', end_date: '2001-06-13 18:00:00' }

test('the page of a venue shows address, upcoming and past events, and a feed of the venue', async () => {
  const venue = await create('venues', {
    venue: 'Town Hall',
    address: 'Markt 1',
    city: 'Ulmenfurt',
    description: '<p>Old walls.</p>',
    website: 'https://hall.example/'
  })
  await create('events', { title: 'Comes here', venue: venue.id, ...upcoming })
  await create('events', { title: 'Was here', venue: venue.id, ...past })
  await create('events', { title: 'Elsewhere', ...upcoming })
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

test('an organizer has JSON-LD of type Organization, and its email address is encoded', async () => {
  const organizer = await create('organizers', { organizer: 'Choir <b>', email: 'choir@example.org', phone: '030 1' })
  const { text } = await visitor.get(`/de/veranstalter/${organizer.slug}`)
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
  assert.equal(data['@type'], 'Organization')
  assert.equal(data.email, undefined)
  assert.doesNotMatch(text, /choir@example\.org|<h1[^>]*>Choir <b>/)
  assert.match(text, /Keine kommenden Termine/)
})

test('a category lists the events of its subcategories, and links to parent and children', async () => {
  const music = await create('categories', { name: 'Music' })
  const jazz = await create('categories', { name: 'Jazz', parent: music.id })
  await create('events', { title: 'Blue notes', categories: [jazz.id], ...upcoming })
  const parentPage = await visitor.get('/en/category/music')
  assert.equal(parentPage.status, 200)
  assert.match(parentPage.text, /Blue notes/)
  assert.match(parentPage.text, /href="\/en\/category\/jazz"/)
  const childPage = await visitor.get('/en/category/jazz')
  assert.match(childPage.text, /Part of <a href="\/en\/category\/music">/)
})

test('a tag is found by its slug in any language, and redirected to the slug in the language of the page', async () => {
  const tag = await create('tags', { name: 'Outdoors' })
  await admin.put(`${calendar}/tags/${tag.id}?language=de`, { name: 'Draußen' })
  const { status, headers } = await visitor.get('/de/schlagwort/outdoors')
  assert.equal(status, 301)
  assert.equal(headers.location, '/de/schlagwort/draussen')
  const { text } = await visitor.get('/en/tag/outdoors')
  assert.match(text, /hreflang="de" href="[^"]*\/de\/schlagwort\/draussen"/)
})

test('a page lists twenty events, and each further page has its own URL', async () => {
  const venue = await create('venues', { venue: 'Busy place' })
  for (let count = 0; count < 21; count += 1)
    await create('events', { title: `Number ${count}`, venue: venue.id, ...upcoming })
  const first = await visitor.get(`/en/venue/${venue.slug}`)
  assert.equal(first.text.match(/class="event-card"/g)?.length, 20)
  assert.match(first.text, /rel="next" href="\/en\/venue\/busy-place\?page=2"/)
  const second = await visitor.get(`/en/venue/${venue.slug}?page=2`)
  assert.equal(second.text.match(/class="event-card"/g)?.length, 1)
  assert.match(second.text, /rel="canonical" href="[^"]*\/en\/venue\/busy-place\?page=2"/)
  assert.equal((await visitor.get(`/en/venue/${venue.slug}?page=99`)).status, 404)
  assert.equal((await visitor.get(`/en/venue/${venue.slug}?page=-1`)).status, 200)
})

test('unknown items and drafts are 404, and items in the trash 410', async () => {
  for (const path of ['venue', 'organizer', 'category', 'tag']) {
    assert.equal((await visitor.get(`/en/${path}/never-was`)).status, 404, path)
  }
  const deleted = await create('venues', { venue: 'Torn down' })
  await admin.delete(`${calendar}/venues/${deleted.id}`)
  assert.equal((await visitor.get(`/en/venue/${deleted.slug}`)).status, 410)
  await create('venues', { venue: 'Planned', slug: 'planned-hall', status: 'draft' })
  assert.equal((await visitor.get('/en/venue/planned-hall')).status, 404)
})

test('venues, organizers, categories and tags in another script have one URL', async () => {
  const name = 'دار الأوبرا'
  const collections = [
    ['venues', { venue: name }, 'venue'],
    ['organizers', { organizer: name }, 'organizer'],
    ['categories', { name }, 'category'],
    ['tags', { name }, 'tag']
  ] as const
  for (const [collection, fields, place] of collections) {
    const { id, slug } = await create(collection, fields)
    await create('events', {
      title: 'In another script',
      ...upcoming,
      [place === 'category' || place === 'tag' ? collection : place]: [id]
    })
    const address = `/en/${place}/${slug}`
    const { status, text } = await visitor.get(address)
    assert.equal(status, 200, address)
    assert.ok(text.includes(`href="http://localhost${address}"`) || text.includes(`${address}"`), address)
    const encodedTwice = await visitor.get(`/en/${place}/${encodeURIComponent(slug)}`)
    assert.deepEqual([encodedTwice.status, encodedTwice.headers.location], [301, address])
  }
})
