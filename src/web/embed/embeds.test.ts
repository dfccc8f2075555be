import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTags } from '#test/support/html.ts'
import { calendar, campaign, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite({ env: { TIMEZONE: 'Europe/Berlin' } })
const host = { host: 'verein.example' }

async function create(collection: string, fields: object): Promise<{ id: number; slug: string }> {
  const { status, body, text } = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(status, 201, text)
  return body
}

const upcoming = { start_date: '2098-06-14 14:00:00', end_date: '2098-06-14 18:00:00' }
const hostile = `"><script>steal()</script>`
const music = await create('categories', { name: 'Music' })
const concert = await create('events', { ...upcoming, title: 'Concert', categories: [music.id] })
await admin.put(`${calendar}/events/${concert.id}?language=de`, { title: 'Konzert' })
const market = await create('events', { ...upcoming, title: `Market ${hostile}` })
const locked = await create('events', { ...upcoming, title: 'Locked', post_password: 'sesame' })
const draft = await create('events', { ...upcoming, title: 'Draft', status: 'draft' })
const { body: roof } = await admin.post('/campaigns', {
  ...campaign,
  language: 'en',
  name: `New roof ${hostile}`,
  translations: { de: { name: 'Neues Dach' } }
})
const { body: secret } = await admin.post('/campaigns', { ...campaign, name: 'Secret', status: 'draft' })

const embeds = ['/en/embed/events', `/de/embed/events/${market.id}`, `/en/embed/campaigns/${roof.id}`]

test('an embed may be framed by any site, sets no cookie, and opens its links in the top window', async () => {
  for (const path of embeds) {
    const { status, headers, text } = await visitor.get(path)
    assert.equal(status, 200, path)
    assert.match(headers['content-type'] ?? '', /^text\/html/)
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'; script-src 'self'.*frame-ancestors \*$/)
    assert.equal(headers['x-frame-options'], undefined)
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    const links = parseTags(text).filter(({ name, isEnd }) => name === 'a' && !isEnd)
    assert.ok(links.length > 0)
    for (const { attributes } of links) assert.equal(attributes.target, '_top', `${path}: ${attributes.href}`)
    assert.match(text, /<h1[\s>]/)
    assert.match(text, /<meta name="robots" content="noindex"/)
    assert.match(text, /(?:Market|New roof) &quot;>/, 'the title is on the page, escaped')
    assert.doesNotMatch(text, /masthead|<script>steal/)
  }
  const page = await visitor.get('/en/calendar')
  assert.equal(page.headers['x-frame-options'], 'DENY')
  assert.match(page.headers['content-security-policy'] ?? '', /frame-ancestors 'none'/)
})

test('the query string of an embedded list sets filter, view, theme and length', async () => {
  const all = await visitor.get('/en/embed/events')
  assert.match(all.text, /Concert.*Market/s)
  const narrow = await visitor.get(`/de/embed/events?categories=${music.id}&view=compact&theme=dark`)
  assert.match(narrow.text, /<html lang="de" class="theme-dark">/)
  assert.match(narrow.text, /Konzert/)
  assert.doesNotMatch(narrow.text, /Market/)
  assert.match(narrow.text, /class="plain-list compact"/)
  assert.match(narrow.text, /dark-\w+\.css"\/>/)
  const one = await visitor.get('/en/embed/events?max=1&theme=light')
  assert.equal(one.text.match(/<article/g)?.length, 1)
  assert.doesNotMatch(one.text, /dark-\w+\.css/)
  for (const query of ['max=-1', 'max=1e9', 'view=x', 'theme=%3Cb%3E', 'max=99999']) {
    assert.equal((await visitor.get(`/en/embed/events?${query}`)).status, 200, query)
  }
})

test('an unknown or unpublished item is 404 in the frame, and a protected one 403, without its title', async () => {
  const missing = ['/en/embed/events?categories=nothing', `/en/embed/events/${draft.id}`, '/en/embed/events/x']
  for (const path of [...missing, `/en/embed/campaigns/${secret.id}`, '/de/embed/campaigns/999999']) {
    const { status, headers, text } = await visitor.get(path)
    assert.equal(status, 404, path)
    assert.match(headers['content-security-policy'] ?? '', /frame-ancestors \*/)
    assert.doesNotMatch(text, /masthead|Secret|Draft/)
  }
  const { status, text } = await visitor.get(`/en/embed/events/${locked.id}`)
  assert.equal(status, 403)
  assert.doesNotMatch(text, /Locked/)
})

test('an embed without a language redirects to the language of the parameter, or of the visitor', async () => {
  const reader = { 'accept-language': 'de' }
  const readLocation = async (path: string) => (await visitor.get(path, reader)).headers.location
  assert.equal(await readLocation('/embed/events?max=3'), '/de/embed/events?max=3')
  assert.equal(await readLocation('/embed/events?language=en'), '/en/embed/events?language=en')
  assert.equal(await readLocation(`/embed/campaigns/${roof.id}`), `/de/embed/campaigns/${roof.id}`)
  assert.equal(await readLocation('/embed/events/%2F%2Fevil.example'), '/de/embed/events/%2F%2Fevil.example')
})

async function oembed(url: string, more = '') {
  return await visitor.get(`/oembed?url=${encodeURIComponent(url)}${more}`, host)
}

test('oEmbed returns a frame for the pages of events, campaigns and the calendar, in both languages', async () => {
  const pages: [path: string, frame: string, title: string][] = [
    [`/en/event/${concert.slug}`, `/en/embed/events/${concert.id}`, 'Concert'],
    ['/de/termin/konzert/', `/de/embed/events/${concert.id}`, 'Konzert'],
    [`/de/spenden/${roof.id}-neues-dach`, `/de/embed/campaigns/${roof.id}`, 'Neues Dach'],
    [`/en/donate/${roof.id}`, `/en/embed/campaigns/${roof.id}`, `New roof ${hostile}`],
    ['/en/calendar/list?category=music&page=2', '/en/embed/events?categories=music', 'Upcoming events: Kalends'],
    ['/de/kalender/2027-02', '/de/embed/events', 'Nächste Termine: Kalends']
  ]
  for (const [path, frame, title] of pages) {
    const { status, body, headers } = await oembed(`https://verein.example${path}`)
    assert.equal(status, 200, path)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.equal(body.version, '1.0')
    assert.equal(body.type, 'rich')
    assert.equal(body.title, title)
    assert.equal(body.provider_name, 'Kalends')
    const [iframe, end, ...rest] = parseTags(body.html)
    assert.equal(iframe?.name, 'iframe')
    assert.ok(end?.isEnd && rest.length === 0, body.html)
    assert.equal(iframe?.attributes.src, `http://verein.example${frame}`)
    assert.equal(iframe?.attributes.title, title)
    assert.equal(Number(iframe?.attributes.height), body.height)
    assert.equal((await visitor.get(frame)).status, 200, frame)
  }
})

test('oEmbed respects maxwidth and maxheight', async () => {
  const readSize = async (more: string) => {
    const { body } = await oembed('http://verein.example/en/calendar', more)
    return [body.width, body.height]
  }
  assert.deepEqual(await readSize(''), [600, 640])
  assert.deepEqual(await readSize('&maxwidth=400&maxheight=200'), [400, 200])
  assert.deepEqual(await readSize('&maxwidth=4000&maxheight=x'), [600, 640])
  assert.match((await oembed('http://verein.example/en/calendar', '&maxwidth=150')).body.html, /width="150"/)
})

test('oEmbed returns XML for format=xml', async () => {
  const { status, headers, text } = await oembed(`https://verein.example/en/donate/${roof.id}`, '&format=xml')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/xml/)
  assert.match(text, /<type>rich<\/type>/)
  assert.match(text, /<html>&lt;iframe src=&quot;http:\/\/verein\.example\/en\/embed\/campaigns\/\d+&quot;/)
  assert.doesNotMatch(text, /<script|<iframe/)
})

test('oEmbed responds 404 for other sites and unpublished pages, 401 for protected ones, 400 for unknown formats and a missing URL', async () => {
  const unknown = [
    'https://elsewhere.example/en/calendar',
    'https://verein.example/en/imprint',
    'https://verein.example/en/event/nothing',
    `https://verein.example/en/event/${draft.slug || 'draft'}`,
    `https://verein.example/en/donate/${secret.id}`,
    'https://verein.example/en/calendar/yesterday',
    'https://verein.example/en/event/%E0%A4%A',
    'javascript:steal()',
    'not an address'
  ]
  for (const url of unknown) {
    const { status, body } = await oembed(url)
    assert.equal(status, 404, url)
    assert.equal(body.code, 'not-embeddable')
  }
  const protectedPage = await oembed(`https://verein.example/en/event/${locked.slug}`)
  assert.equal(protectedPage.status, 401)
  assert.doesNotMatch(protectedPage.text, /Locked/)
  assert.equal((await oembed('https://verein.example/en/calendar', '&format=yaml')).status, 400)
  assert.equal((await visitor.get('/oembed')).status, 400)
  assert.match((await visitor.get('/oembed')).headers['content-type'] ?? '', /^application\/problem\+json/)
})
