import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTags } from '#test/support/html.ts'
import { campaign, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite()
const calendar = '/calendar/events/v1'

async function made(collection: string, fields: object): Promise<{ id: number }> {
  const { status, body, text } = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(status, 201, text)
  return body
}

const start = { start_date: 'next saturday 19:30', end_date: 'next saturday 21:30' }
const music = await made('categories', { name: 'Music & song', language: 'en' })
const hall = await made('venues', { venue: 'Town Hall' })
const concert = await made('events', { title: 'Concert', ...start, categories: [music.id], venue: hall.id })
await made('events', { title: 'Market day', ...start })

/** What the field with the address says. */
function addressIn(html: string): string {
  const [, value = ''] = /<input id="feed-address"[^>]*value="([^"]*)"/.exec(html) ?? []
  return value.replaceAll('&amp;', '&')
}

const pathOf = (address: string) => address.replace(/^https?:\/\/[^/]+/, '')

test('without a choice the address is that of all events, for copying and for calendar programs', async () => {
  const { status, text } = await visitor.get('/en/feeds')
  assert.equal(status, 200)
  assert.match(addressIn(text), /^http:\/\/[^/]+\/en\/events\.ics$/)
  assert.match(text, /href="webcal:\/\/[^/]+\/en\/events\.ics"/)
  assert.match(text, /data-copy="#feed-address"/)
  assert.match(text, /2 events from today on/)
})

test('the form makes an address that has only what was chosen, and keeps the choice', async () => {
  const { text } = await visitor.get(`/en/feeds?category=${music.id}&tag=&venue=${hall.id}&organizer=&search=&in=en`)
  const address = addressIn(text)
  assert.equal(pathOf(address), `/en/events.ics?categories=${music.id}&venue=${hall.id}`)
  const feed = await visitor.get(pathOf(address))
  assert.equal(feed.status, 200)
  assert.match(feed.headers['content-type'] ?? '', /^text\/calendar/)
  assert.match(feed.text, /SUMMARY[^:]*:Concert/)
  assert.doesNotMatch(feed.text, /Market day/)
  assert.match(text, /Only: Music &amp; song, Town Hall/)
  assert.match(text, new RegExp(`<option value="${music.id}" selected>|<option selected value="${music.id}">`))
})

test('search, highlights and the language of the texts become part of the address', async () => {
  const { text } = await visitor.get('/de/feeds?search=caf%C3%A9+%26+song&featured=yes&in=en')
  const address = new URL(addressIn(text))
  assert.equal(address.pathname, '/en/events.ics')
  assert.equal(address.searchParams.get('search'), 'café & song')
  assert.equal(address.searchParams.get('featured'), 'true')
  assert.equal((await visitor.get(pathOf(address.href))).status, 200)
  assert.match(text, /Zurzeit keine kommenden Termine/)
})

test('a category by its name in addresses becomes a number, which is right in the other language too', async () => {
  const { text } = await visitor.get('/en/feeds?category=music-song&in=de')
  assert.equal(pathOf(addressIn(text)), `/de/events.ics?categories=${music.id}`)
  assert.match(text, new RegExp(`hreflang="de"[^>]*href="[^"]*/de/feeds\\?category=${music.id}`))
})

test('what is not there is said kindly, and nothing typed is ever markup', async () => {
  for (const query of ['category=%3Cscript%3Ealert(1)%3C%2Fscript%3E', 'venue=999999', 'organizer=%22%3E%3Cb%3E']) {
    const { status, text } = await visitor.get(`/en/feeds?${query}`)
    assert.equal(status, 200, query)
    assert.match(text, /Unknown filter/)
    assert.doesNotMatch(text, /<script>alert|"><b>/)
    assert.equal(addressIn(text), '')
  }
  const { text } = await visitor.get('/en/feeds?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&in=xx')
  assert.doesNotMatch(text, /<script>alert/)
})

test('every address that the page names answers', async () => {
  const { text } = await visitor.get('/de/feeds')
  const paths = [...text.matchAll(/href="(\/(?:de\/events|calendar|campaigns|wp-json|openapi)[^"]*)"/g)].map(
    ([, path]) => String(path)
  )
  assert.ok(paths.includes(`/de/events/${concert.id}.ics`))
  assert.ok(paths.length >= 6)
  for (const path of paths) assert.equal((await visitor.get(path)).status, 200, path)
})

/** What the fields for copying hold, by their ids. */
const codesIn = (html: string) =>
  Object.fromEntries(
    parseTags(html)
      .filter(({ name }) => name === 'textarea')
      .map(({ attributes, text }) => [attributes.id, text])
  )
const previewIn = (html: string) => parseTags(html).find(({ name }) => name === 'iframe')?.attributes.src ?? ''

test('events for a website: a preview, the code of an element and that of a frame, all of the same choice', async () => {
  const choice = `category=${music.id}&featured=yes&in=de&view=compact&max=10&theme=dark`
  const { text } = await visitor.get(`/en/feeds?show=events&${choice}`, { host: 'verein.example' })
  const preview = previewIn(text)
  assert.equal(preview, `/de/embed/events?categories=${music.id}&featured=true&view=compact&max=10&theme=dark`)
  assert.equal((await visitor.get(preview)).status, 200)
  const codes = codesIn(text)
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
  const instead = pathOf(link?.attributes.href ?? '')
  assert.equal((await visitor.get(instead)).status, 200, instead)
})

test('a campaign for a website: the newest that takes donations, or the one that is chosen', async () => {
  assert.match((await visitor.get('/en/feeds?show=campaign')).text, /There is no campaign yet/)
  const { body: roof } = await admin.post('/campaigns', { ...campaign, name: '"></textarea><script>x</script>' })
  const { body: choir } = await admin.post('/campaigns', { ...campaign, name: 'Choir' })
  await admin.post('/campaigns', { ...campaign, name: 'Over', status: 'closed' })
  const newest = await visitor.get('/en/feeds?show=campaign')
  assert.equal(previewIn(newest.text), `/en/embed/campaigns/${choir.id}`)
  const { text } = await visitor.get(`/en/feeds?show=campaign&campaign=${roof.id}&theme=light&in=en`)
  assert.equal(previewIn(text), `/en/embed/campaigns/${roof.id}?theme=light`)
  const tags = parseTags(codesIn(text)['code-element'] ?? '').filter(({ isEnd }) => !isEnd)
  assert.deepEqual(
    tags.map(({ name }) => name),
    ['script', 'kalends-campaign', 'a']
  )
  assert.deepEqual(tags[1]?.attributes, { campaign: String(roof.id), language: 'en', theme: 'light' })
  assert.doesNotMatch(text, /<script>x/)
})

test('news: every address for a feed reader answers, narrowed as chosen', async () => {
  const { text } = await visitor.get(`/en/feeds?show=news&category=${music.id}&in=de`)
  const addresses = parseTags(text).flatMap(({ name, attributes }) =>
    name === 'input' && /^address-/.test(attributes.id ?? '') ? [pathOf(attributes.value ?? '')] : []
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
