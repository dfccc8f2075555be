import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTags } from '#test/support/html.ts'
import { campaign, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite()
const calendar = '/calendar/events/v1'

async function create(collection: string, fields: object): Promise<{ id: number }> {
  const { status, body, text } = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(status, 201, text)
  return body
}

const start = { start_date: 'next saturday 19:30', end_date: 'next saturday 21:30' }
const music = await create('categories', { name: 'Music & song', language: 'en' })
const hall = await create('venues', { venue: 'Town Hall' })
const concert = await create('events', { title: 'Concert', ...start, categories: [music.id], venue: hall.id })
await create('events', { title: 'Market day', ...start })

/** The value of the field with the feed URL. */
function readAddress(html: string): string {
  const [, value = ''] = /<input id="feed-address"[^>]*value="([^"]*)"/.exec(html) ?? []
  return value.replaceAll('&amp;', '&')
}

const toPath = (address: string) => address.replace(/^https?:\/\/[^/]+/, '')

test('without filters the URL is the feed of all events, to copy and as a webcal link', async () => {
  const { status, text } = await visitor.get('/en/feeds')
  assert.equal(status, 200)
  assert.match(readAddress(text), /^http:\/\/[^/]+\/en\/events\.ics$/)
  assert.match(text, /href="webcal:\/\/[^/]+\/en\/events\.ics"/)
  assert.match(text, /data-copy="#feed-address"/)
  assert.match(text, /2 events from today on/)
})

test('the form builds a feed URL with the selected filters only, and keeps the selection', async () => {
  const { text } = await visitor.get(`/en/feeds?category=${music.id}&tag=&venue=${hall.id}&organizer=&search=&in=en`)
  const address = readAddress(text)
  assert.equal(toPath(address), `/en/events.ics?categories=${music.id}&venue=${hall.id}`)
  const feed = await visitor.get(toPath(address))
  assert.equal(feed.status, 200)
  assert.match(feed.headers['content-type'] ?? '', /^text\/calendar/)
  assert.match(feed.text, /SUMMARY[^:]*:Concert/)
  assert.doesNotMatch(feed.text, /Market day/)
  assert.match(text, /Only: Music &amp; song, Town Hall/)
  assert.match(text, new RegExp(`<option value="${music.id}" selected>|<option selected value="${music.id}">`))
})

test('search, featured and language become part of the feed URL', async () => {
  const { text } = await visitor.get('/de/feeds?search=caf%C3%A9+%26+song&featured=yes&in=en')
  const address = new URL(readAddress(text))
  assert.equal(address.pathname, '/en/events.ics')
  assert.equal(address.searchParams.get('search'), 'café & song')
  assert.equal(address.searchParams.get('featured'), 'true')
  assert.equal((await visitor.get(toPath(address.href))).status, 200)
  assert.match(text, /Zurzeit keine kommenden Termine/)
})

test('the slug of a category becomes its id, which is valid in both languages', async () => {
  const { text } = await visitor.get('/en/feeds?category=music-song&in=de')
  assert.equal(toPath(readAddress(text)), `/de/events.ics?categories=${music.id}`)
  assert.match(text, new RegExp(`hreflang="de"[^>]*href="[^"]*/de/feeds\\?category=${music.id}`))
})

test('unknown filters show “Unknown filter”, and the input is escaped', async () => {
  for (const query of ['category=%3Cscript%3Ealert(1)%3C%2Fscript%3E', 'venue=999999', 'organizer=%22%3E%3Cb%3E']) {
    const { status, text } = await visitor.get(`/en/feeds?${query}`)
    assert.equal(status, 200, query)
    assert.match(text, /Unknown filter/)
    assert.doesNotMatch(text, /<script>alert|"><b>/)
    assert.equal(readAddress(text), '')
  }
  const { text } = await visitor.get('/en/feeds?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&in=xx')
  assert.doesNotMatch(text, /<script>alert/)
})

test('every link of the page responds 200', async () => {
  const { text } = await visitor.get('/de/feeds')
  const paths = [...text.matchAll(/href="(\/(?:de\/events|calendar|campaigns|wp-json|openapi)[^"]*)"/g)].map(
    ([, path]) => String(path)
  )
  assert.ok(paths.includes(`/de/events/${concert.id}.ics`))
  assert.ok(paths.length >= 6)
  for (const path of paths) assert.equal((await visitor.get(path)).status, 200, path)
})

/** The texts of the fields to copy, by id. */
const readCodes = (html: string) =>
  Object.fromEntries(
    parseTags(html)
      .filter(({ name }) => name === 'textarea')
      .map(({ attributes, text }) => [attributes.id, text])
  )
const readPreview = (html: string) => parseTags(html).find(({ name }) => name === 'iframe')?.attributes.src ?? ''

test('events for a website: preview, element code and frame code have the selected filters', async () => {
  const choice = `category=${music.id}&featured=yes&in=de&view=compact&max=10&theme=dark`
  const { text } = await visitor.get(`/en/feeds?show=events&${choice}`, { host: 'verein.example' })
  const preview = readPreview(text)
  assert.equal(preview, `/de/embed/events?categories=${music.id}&featured=true&view=compact&max=10&theme=dark`)
  assert.equal((await visitor.get(preview)).status, 200)
  const codes = readCodes(text)
  const [frame] = parseTags(codes['code-frame'] ?? '')
  assert.equal(frame?.attributes.src, `http://verein.example${preview}`)
  const [script, , element, link] = parseTags(codes['code-element'] ?? '')
  assert.deepEqual(script?.attributes, { type: 'module', src: 'http://verein.example/widgets/v1.js' })
  assert.equal(element?.name, 'kalends-events')
  assert.deepEqual(element?.attributes, {
    language: 'de',
    categories: String(music.id),
    featured: '',
    view: 'compact',
    max: '10',
    theme: 'dark'
  })
  const fallback = toPath(link?.attributes.href ?? '')
  assert.equal((await visitor.get(fallback)).status, 200, fallback)
})

test('a campaign for a website: the newest open campaign, or the selected one', async () => {
  assert.match((await visitor.get('/en/feeds?show=campaign')).text, /There is no campaign yet/)
  const { body: roof } = await admin.post('/campaigns', { ...campaign, name: '"></textarea><script>x</script>' })
  const { body: choir } = await admin.post('/campaigns', { ...campaign, name: 'Choir' })
  await admin.post('/campaigns', { ...campaign, name: 'Over', status: 'closed' })
  const newest = await visitor.get('/en/feeds?show=campaign')
  assert.equal(readPreview(newest.text), `/en/embed/campaigns/${choir.id}`)
  const { text } = await visitor.get(`/en/feeds?show=campaign&campaign=${roof.id}&theme=light&in=en`)
  assert.equal(readPreview(text), `/en/embed/campaigns/${roof.id}?theme=light`)
  const tags = parseTags(readCodes(text)['code-element'] ?? '').filter(({ isEnd }) => !isEnd)
  assert.deepEqual(
    tags.map(({ name }) => name),
    ['script', 'kalends-campaign', 'a']
  )
  assert.deepEqual(tags[1]?.attributes, { campaign: String(roof.id), language: 'en', theme: 'light' })
  assert.doesNotMatch(text, /<script>x/)
})

test('news: the feed URLs have the selected filters, and respond 200', async () => {
  const { text } = await visitor.get(`/en/feeds?show=news&category=${music.id}&in=de`)
  const addresses = parseTags(text).flatMap(({ name, attributes }) =>
    name === 'input' && /^address-/.test(attributes.id ?? '') ? [toPath(attributes.value ?? '')] : []
  )
  assert.deepEqual(addresses, [
    `/de/events.atom?categories=${music.id}`,
    `/de/events.rss?categories=${music.id}`,
    '/de/campaigns.atom',
    '/de/campaigns.rss'
  ])
  for (const path of addresses) assert.equal((await visitor.get(path)).status, 200, path)
  assert.match((await visitor.get('/en/feeds?show=news&category=nothing')).text, /Unknown filter/)
})
