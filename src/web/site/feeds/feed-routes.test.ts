import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeXml } from '#platform/http/feed-xml.ts'
import { buildMultipartForm, picture } from '#test/support/crawl/route-crawler.ts'
import { calendar, campaign, startSite } from '#test/support/services.ts'

const { admin, server, visitor } = await startSite({ env: { TIMEZONE: 'Europe/Berlin' } })
const otherSite = await startSite()
const host = { host: 'verein.example' }

async function create(collection: string, fields: object): Promise<{ id: number; slug: string }> {
  const { status, body, text } = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(status, 201, text)
  return body
}

const upcoming = { start_date: '2098-06-14 14:00:00', end_date: '2098-06-14 18:00:00' }
const hostile = `Café <b>& "co" ]]> </title>`
const { body: image } = await admin.send({
  method: 'POST',
  url: `${calendar}/media`,
  ...buildMultipartForm({}, picture)
})
const music = await create('categories', { name: 'Music' })
const hall = await create('venues', { venue: 'Town Hall', city: 'Kiel' })
const choir = await create('organizers', { organizer: 'Choir' })
const later = await create('events', { ...upcoming, title: 'Published later', date: '2026-02-01 10:00:00' })
const concert = await create('events', {
  ...upcoming,
  title: 'Concert',
  description: `<p>Songs &amp; <em>more</em> ]]&gt;</p>`,
  date: '2026-01-01 10:00:00',
  categories: [music.id],
  tags: ['evening'],
  venue: hall.id,
  organizer: choir.id,
  featured: true,
  image: image.id
})
await admin.put(`${calendar}/events/${concert.id}?language=de`, { title: 'Konzert' })
await create('events', { title: 'Over', start_date: '2020-01-01 10:00:00', end_date: '2020-01-01 11:00:00' })
await create('events', { ...upcoming, title: 'Draft', status: 'draft' })

const listTitles = (text: string) =>
  [...text.matchAll(/<(?:item|entry)>[\s\S]*?<title>([^<]*)<\/title>/g)].map(([, title]) => title)
const listIds = (text: string) => [...text.matchAll(/<(?:guid[^>]*|id)>(tag:[^<]*event\/\d+)</g)].map(([, id]) => id)
const findItem = (text: string, title: string) =>
  text.split(/<(?=item>|entry>)/).find(part => part.includes(`<title>${title}</title>`)) ?? ''

test('RSS and Atom list upcoming events, the latest published first, in the language of the path', async () => {
  for (const form of ['rss', 'atom']) {
    const en = await visitor.get(`/en/events.${form}`)
    assert.equal(en.status, 200, en.text)
    assert.equal(en.headers['content-type'], `application/${form}+xml; charset=utf-8`)
    assert.equal(en.headers['content-language'], 'en')
    assert.deepEqual(listTitles(en.text), ['Published later', 'Concert'])
    const de = await visitor.get(`/de/events.${form}`)
    assert.deepEqual(listTitles(de.text), ['Published later', 'Konzert'])
  }
})

test('an item has time and place as text, and its image as an enclosure', async () => {
  const rss = findItem((await visitor.get('/en/events.rss', host)).text, 'Concert')
  assert.match(rss, /&lt;strong&gt;Saturday, 14 June 2098, 14:00–18:00&lt;\/strong&gt;&lt;br&gt;Town Hall, Kiel/)
  assert.match(rss, /&lt;p&gt;Songs &amp;amp; more \]\]&amp;gt;&lt;\/p&gt;/)
  assert.match(rss, /<link>http:\/\/verein\.example\/en\/event\/concert<\/link>/)
  assert.match(rss, /<category>Music<\/category>/)
  assert.match(rss, /<pubDate>Thu, 01 Jan 2026 09:00:00 GMT<\/pubDate>/)
  assert.match(rss, /<enclosure url="http:\/\/verein\.example\/media\/[^"]+" length="[1-9]\d*" type="image\/\w+"\/>/)
  const atom = findItem((await visitor.get('/de/events.atom', host)).text, 'Konzert')
  assert.match(atom, /Samstag, 14\. Juni 2098, 14:00–18:00 Uhr/)
  assert.match(atom, /<published>2026-01-01T09:00:00\.000Z<\/published>/)
  assert.match(atom, /<link rel="enclosure" type="image\/\w+" length="[1-9]\d*" href="http:\/\/verein\.example\/media/)
})

test('the id of an item stays when the event is renamed and cancelled, and its date of update is newer', async () => {
  const before = await visitor.get('/en/events.atom', host)
  const updated = () => findItem(before.text, 'Published later').match(/<updated>([^<]*)</)?.[1] ?? ''
  await admin.put(`${calendar}/events/${later.id}`, { title: 'Renamed', slug: 'renamed', event_status: 'canceled' })
  const after = await visitor.get('/en/events.atom', host)
  assert.deepEqual(listIds(after.text), listIds(before.text))
  assert.match(after.text, /<id>tag:verein\.example,2026:en\/event\/\d+<\/id>/)
  const renamed = findItem(after.text, 'Cancelled: Renamed')
  assert.match(renamed, /\/en\/event\/renamed"/)
  assert.ok((renamed.match(/<updated>([^<]*)</)?.[1] ?? '') >= updated())
  assert.ok(
    listIds((await visitor.get('/en/events.rss', host)).text).includes(`tag:verein.example,2026:en/event/${later.id}`)
  )
})

test('a feed has the filters of the lists, with the parameters of the API and of the pages', async () => {
  const filters = [
    `categories=${music.id}`,
    'category=music',
    'tags=evening',
    'tag=evening',
    `venue=${hall.id}`,
    `organizer=${choir.id}`,
    'featured=true',
    'search=concert'
  ]
  for (const query of filters) {
    const { text, status } = await visitor.get(`/en/events.rss?${query}`)
    assert.equal(status, 200, query)
    assert.deepEqual(listTitles(text), ['Concert'], query)
    assert.match(text, /<title>Events: Kalends \([^<]+\)<\/title>/)
  }
  assert.equal(listTitles((await visitor.get('/en/events.rss?featured=false')).text).length, 2)
  assert.equal((await visitor.get('/en/events.rss?categories=nothing-of-that')).status, 404)
  assert.equal((await visitor.get('/en/events.atom?venue=999999')).status, 404)
})

test('campaigns have feeds, which a donation does not change', async () => {
  const { body: roof } = await admin.post('/campaigns', {
    ...campaign,
    language: 'en',
    name: 'New roof',
    imageUrl: '/assets/roof.png',
    translations: { de: { name: 'Neues Dach' } }
  })
  await admin.post('/campaigns', { ...campaign, name: 'Secret', status: 'draft' })
  const before = await visitor.get('/en/campaigns.atom', host)
  assert.deepEqual(listTitles(before.text), ['New roof'])
  assert.match(before.text, /<id>tag:verein\.example,2026:en\/campaign\/\d+<\/id>/)
  assert.match(before.text, /Goal: €8,000/)
  assert.match(before.text, /rel="enclosure" type="image\/png" href="http:\/\/verein\.example\/assets\/roof\.png"/)
  assert.deepEqual(listTitles((await visitor.get('/de/campaigns.rss')).text), ['Neues Dach'])
  await visitor.post(`/campaigns/${roof.id}/donations`, {
    amount: 25,
    donorName: 'Ada',
    account: { iban: 'DE02120300000000202051', name: 'Ada' }
  })
  assert.equal((await visitor.get('/en/campaigns.atom', host)).headers.etag, before.headers.etag)
})

test('updates of campaigns are in the feed of campaigns and in the sitemap, drafts are not', async () => {
  const { id } = (await otherSite.admin.post('/campaigns', { ...campaign, name: 'Barn', language: 'en' })).body
  const texts = { en: { title: 'The barn stands', text: '<p>With a <b>roof</b>.</p>' }, de: { title: 'Sie steht' } }
  const write = async (fields: object) =>
    (await otherSite.admin.post(`/campaigns/${id}/updates`, { texts, ...fields })).body as { id: number }
  const draft = await write({})
  const published = await write({ status: 'published' })
  const feed = async (language: string) => (await otherSite.visitor.get(`/${language}/campaigns.atom`)).text
  const sitemap = async () => (await otherSite.visitor.get('/sitemap.xml?part=campaigns-1')).text
  const english = await feed('en')
  assert.deepEqual(listTitles(english).slice(0, 2), ['Barn: The barn stands', 'Barn'])
  assert.match(findItem(english, 'Barn: The barn stands'), /With a roof\./)
  assert.ok(listTitles(await feed('de')).includes('Barn: Sie steht'))
  assert.match(await sitemap(), new RegExp(`/en/donate/${id}-barn/updates/${published.id}<`))
  assert.match(await sitemap(), new RegExp(`hreflang="de" href="[^"]*/${published.id}"`))
  assert.doesNotMatch((await sitemap()) + english, new RegExp(`/updates/${draft.id}[<"]`))
  // Also after something was cached.
  await otherSite.admin.patch(`/campaigns/${id}/updates/${published.id}`, { status: 'draft' })
  assert.doesNotMatch((await sitemap()) + (await feed('en')), new RegExp(`/updates/${published.id}[<"]`))
})

test('a feed responds 304 to If-None-Match, and to HEAD without a body', async () => {
  const { headers } = await visitor.get('/en/events.rss')
  const again = await visitor.get('/en/events.rss', { 'if-none-match': headers.etag ?? '' })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  const head = await server.app.inject({ method: 'HEAD', url: '/en/events.rss' })
  assert.equal(head.statusCode, 200)
  assert.equal(head.headers.etag, headers.etag)
  assert.equal(head.body, '')
})

test('feeds with markup and control characters in texts are well-formed XML', async () => {
  assert.equal(escapeXml('a\u0000b\u000bc\ufffed\ud800e'), 'abcd\ufffde')
  assert.equal(escapeXml(`<b attr="x">&amp; ]]>`), '&lt;b attr=&quot;x&quot;&gt;&amp;amp; ]]&gt;')
  await otherSite.admin.patch('/site', { name: hostile })
  await otherSite.admin.post(`${calendar}/events`, {
    ...upcoming,
    title: `${hostile} \u{1f388}`,
    venue: { venue: hostile }
  })
  await otherSite.admin.post('/campaigns', { ...campaign, name: hostile, description: hostile })
  for (const path of ['/en/events.rss', '/de/events.atom', '/en/campaigns.rss', '/de/campaigns.atom']) {
    const { text, status } = await otherSite.visitor.get(path)
    assert.equal(status, 200, path)
    assert.deepEqual(findFaults(text), [], path)
    assert.doesNotMatch(text, /]]>/, path)
  }
})

/** Elements that are not closed, and characters that are not escaped. */
function findFaults(text: string): string[] {
  const open: string[] = []
  const faults: string[] = []
  for (const [, between = '', isEnd, name = '', rest = ''] of text
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/([^<]*)<(\/?)([\w:]+)((?:\s[\w:]+="[^"<]*")*\s*\/?)>/g)) {
    if (/&(?!amp;|lt;|gt;|quot;)/.test(between + rest)) faults.push(`a bare & in ${between}`)
    if (isEnd === '/') {
      if (open.pop() !== name) faults.push(`</${name}> closes another`)
    } else if (!rest.endsWith('/')) open.push(name)
  }
  if (open.length > 0 || !/<\/(?:rss|feed)>\n$/.test(text)) faults.push(`open at the end: ${open}`)
  return faults
}

test('pages link to their feeds and to oEmbed', async () => {
  const rss = (path: string) => new RegExp(`type="application/rss\\+xml"[^>]*href="http://verein\\.example${path}"`)
  const oembed = /type="application\/json\+oembed"[^>]*href="http:\/\/verein\.example\/oembed\?url=http%3A%2F%2Fverein/
  const openPage = async (path: string) => (await visitor.get(path, host)).text
  assert.match(await openPage('/en/calendar'), rss('/en/events\\.rss'))
  assert.match(await openPage('/en/calendar'), oembed)
  assert.match(await openPage('/de/kalender/liste?category=music'), rss('/de/events\\.rss\\?categories=music'))
  assert.match(await openPage(`/en/venue/${hall.slug}`), rss(`/en/events\\.rss\\?venue=${hall.id}`))
  assert.match(await openPage(`/en/organizer/${choir.slug}`), rss(`/en/events\\.rss\\?organizer=${choir.id}`))
  assert.match(await openPage('/en/category/music'), rss('/en/events\\.rss\\?categories=music'))
  assert.match(await openPage('/en/event/concert'), oembed)
  assert.match(await openPage('/en/donate'), rss('/en/campaigns\\.rss'))
  const [, path = ''] = /href="(\/en\/donate\/\d+-[^"#]*)"/.exec(await openPage('/en/donate')) ?? []
  assert.match(await openPage(path), oembed)
  for (const feed of ['/en/events.rss?categories=music', '/de/events.atom', '/en/campaigns.rss']) {
    assert.equal((await visitor.get(feed)).status, 200, feed)
  }
})

test('the feed of a site with one language redirects to that language', async () => {
  await otherSite.admin.patch('/site', { languages: ['de'], defaultLanguage: 'de' })
  const { status, headers } = await otherSite.visitor.get('/en/events.rss?featured=true')
  assert.equal(status, 302)
  assert.equal(headers.location, '/de/events.rss?featured=true')
})
