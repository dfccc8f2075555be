import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readSettings } from '#platform/config.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { buildTecEvent, sendJson, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import type { Incoming, SourceLogin } from '../source.ts'
import { openTec } from './tec-source.ts'

const settings = readSettings({ ALLOW_PRIVATE_ADDRESSES: 'true' })

async function open(url: string, usedSettings = settings, login: SourceLogin | null = null) {
  const request = {
    url,
    file: null,
    fileName: null,
    language: 'en',
    timezone: 'Europe/Berlin',
    mapping: null,
    login
  } as const
  return await openTec(request, { settings: usedSettings, now: new Date(), signal: new AbortController().signal })
}

async function readAll(url: string, login: SourceLogin | null = null): Promise<Incoming[]> {
  const all: Incoming[] = []
  const source = await open(url, settings, login)
  for await (const batch of source.batches()) all.push(...batch)
  return all
}

const getIds = (items: Incoming[]) => items.map(({ kind, sourceId }) => `${kind} ${sourceId}`)
const noCalendar = { code: 'import-no-calendar' }

test('the API is found at its usual path, at a pasted URL of the API, and where headers or HTML of the site link to it', async () => {
  const site = await startTecSite([buildTecEvent(1)])
  const { host } = new URL(site.url)
  for (const path of [
    '',
    '/',
    '/events/',
    '/wp-json/tribe/events/v1/events/?page=2',
    '/?rest_route=/tribe/events/v1'
  ]) {
    site.answer = (url, response) => {
      const route = url.searchParams.get('rest_route')
      if (route !== null) sendJson(response, 200, { events: [buildTecEvent(1)], total: 1, total_pages: 1 })
      return route !== null
    }
    const source = await open(site.url + path)
    assert.equal(source.origin, host, path)
  }
  // The page /blog/ links to the API; there is nothing at the usual path.
  for (const hint of [
    { link: `<${site.url}/blog/api/>; rel="https://api.w.org/"` },
    { 'x-tec-api-root': `${site.url}/blog/api/tribe/events/v1/events/5` },
    { 'content-type': 'text/html', body: `<link rel="https://api.w.org/" href="${site.url}/blog/api/" />` }
  ]) {
    site.answer = (url, response) => {
      const { body = '', ...headers } = hint as Record<string, string>
      if (url.pathname === '/blog/') response.writeHead(200, headers).end(body)
      else if (url.pathname.startsWith('/blog/api/tribe/events/v1/')) sendJson(response, 200, { events: [], total: 0 })
      else sendJson(response, 404, {})
      return true
    }
    assert.equal((await open(`${site.url}/blog/`)).origin, `${host}/blog/api`, JSON.stringify(hint))
  }
})

test('a site without a calendar is refused with import-no-calendar, for every kind of response', async () => {
  const site = await startTecSite()
  for (const answer of [
    (response: Parameters<NonNullable<typeof site.answer>>[1]) => response.writeHead(404).end(),
    (response: Parameters<NonNullable<typeof site.answer>>[1]) => response.end('<h1>Hello</h1>'),
    (response: Parameters<NonNullable<typeof site.answer>>[1]) => response.end('[]'),
    (response: Parameters<NonNullable<typeof site.answer>>[1]) => response.end('{"events": "many"}')
  ]) {
    site.answer = (_, response) => {
      answer(response)
      return true
    }
    await assert.rejects(open(site.url), noCalendar)
  }
  await assert.rejects(open('http://127.0.0.1:1/'), noCalendar)
})

test('a private address is refused without a request', async () => {
  const site = await startTecSite([buildTecEvent(1)])
  await assert.rejects(open(site.url, readSettings({})), noCalendar)
  assert.deepEqual(site.requestedPaths, [])
})

test('a recorded response of The Events Calendar is read with entities, venue, organizers, terms, costs and image', async () => {
  const recorded = JSON.parse(
    readFileSync(new URL('../../../../../test/support/calendar/tec-event.json', import.meta.url), 'utf8')
  )
  const site = await startTecSite([recorded])
  const all = await readAll(site.url)
  assert.deepEqual(getIds(all), [
    'venue 10',
    'organizer 18',
    'organizer 19',
    'category 4',
    'category 3',
    'tag 13',
    'tag 12',
    'event 25'
  ])
  const event = all.at(-1)
  assert.deepEqual(event?.texts.en?.title, 'Blues Night &#038; <em>More</em>')
  assert.deepEqual(event?.fields.venue, ['10'])
  assert.deepEqual(event?.fields.organizer, ['18', '19'])
  assert.deepEqual([event?.fields.start_date, event?.fields.timezone], ['2026-12-06T01:00:00Z', 'America/New_York'])
  assert.deepEqual(event?.fields.cost, ['$10', '$25'])
  assert.match(event?.image?.url ?? '', /poster\.png$/)
  assert.deepEqual(event?.problems, [])
})

test('items with missing fields, wrong types or no id are reported, and protected events are skipped', async () => {
  const site = await startTecSite([
    { id: 1 },
    { id: '2', title: ['x'], start_date: 7, end_date: null, venue: 'hall', organizer: { id: 5 }, tags: [null, 3, 'x'] },
    { title: 'Without a number' },
    buildTecEvent(4, { all_day: null }),
    buildTecEvent(5, { timezone: 'Mars/Olympus', image: { url: 'javascript:alert(1)' }, website: 'www.example.org/x' }),
    buildTecEvent(6, { categories: { id: 7, name: 'Alone' }, post_parent: 'none', cost: { a: 1 } })
  ])
  site.lists.venues = [{ id: 1, venue: [] }, null as never, 'x' as never]
  const all = await readAll(site.url)
  const byId = new Map(all.map(item => [`${item.kind} ${item.sourceId}`, item]))
  assert.equal(byId.get('event 1')?.problems.length, 1)
  assert.equal(byId.get('event 2')?.problems.length, 1)
  assert.ok(all.some(item => item.sourceId.startsWith('?') && item.problems.length === 1))
  assert.equal(byId.get('event 4')?.skipped?.length, 1)
  assert.equal(byId.get('event 5')?.fields.start_date, '2027-12-01T09:00:00Z')
  assert.equal(byId.get('event 5')?.fields.website, 'https://www.example.org/x')
  assert.equal(byId.get('event 5')?.image, undefined)
  assert.deepEqual(byId.get('event 6')?.fields.categories, ['7'])
  assert.equal(byId.get('venue 1')?.problems.length, 1)
})

test('cancelled and postponed events are marked, with their reason as the first paragraph', async () => {
  const past = { start_date: '2020-01-01 10:00:00', end_date: '2020-01-01 11:00:00' }
  const site = await startTecSite([
    ...[1, 2, 3, 4].map(id => buildTecEvent(id)),
    buildTecEvent(5, past),
    buildTecEvent(6, past)
  ])
  const buildMeta = (status: string, reason = '') => ({
    meta: { _tribe_events_status: status, _tribe_events_status_reason: reason }
  })
  site.posts = {
    1: buildMeta('canceled', 'The <b>roof</b> leaks.'),
    2: buildMeta('postponed'),
    4: buildMeta('moved-online', 'See you there'),
    5: buildMeta('canceled', 'Storm')
  }
  const all = await readAll(site.url)
  assert.deepEqual(
    all.map(({ fields }) => fields.event_status),
    ['canceled', 'postponed', 'scheduled', 'scheduled', 'canceled', 'scheduled']
  )
  assert.deepEqual(
    all.map(({ texts, notes }) => [texts.en?.description, notes?.length]),
    [
      ['<p><strong>Cancelled:</strong> The <b>roof</b> leaks.</p>\n<p>About 1</p>', 1],
      ['<p>About 2</p>', 0],
      ['<p>About 3</p>', 0],
      ['<p>About 4</p>', 0],
      ['<p><strong>Cancelled:</strong> Storm</p>\n<p>About 5</p>', 1],
      ['<p>About 6</p>', 0]
    ]
  )
  // One list, and one request for each past event, which WordPress does not list.
  assert.equal(site.requestedPaths.filter(path => path.includes('/wp/v2/tribe_events')).length, 3)
})

test('a site that closes the API of WordPress is imported without statuses', async () => {
  const site = await startTecSite([buildTecEvent(1), buildTecEvent(2)])
  site.answer = (url, response) => {
    const isClosed = url.pathname.includes('/wp/v2/')
    if (isClosed) sendJson(response, 401, { code: 'rest_login_required' })
    return isClosed
  }
  assert.deepEqual(
    (await readAll(site.url)).map(({ fields }) => fields.event_status),
    [undefined, undefined]
  )
  assert.equal(site.requestedPaths.filter(path => path.includes('/wp/v2/')).length, 1)
})

test('websites are decoded once, get a scheme, and are encoded as URLs', async () => {
  const own = 'https://site.example/event/?post_type=tribe_events&amp;p=7'
  const websites: [usedSettings: string, expected: unknown][] = [
    ['https://example.org/?a=1&amp;b=2', 'https://example.org/?a=1&b=2'],
    ['https://müller.example/straße?a=1&amp;b=ü', 'https://xn--mller-kva.example/stra%C3%9Fe?a=1&b=%C3%BC'],
    ['https://example.org/a b', 'https://example.org/a%20b'],
    ['https://example.org/%C3%BC?q=%26', 'https://example.org/%C3%BC?q=%26'],
    ['//example.org/x', 'https://example.org/x'],
    ['müller.example/x', 'https://xn--mller-kva.example/x'],
    ['', null],
    [own, null]
  ]
  const site = await startTecSite(
    websites.map(([website], place) => buildTecEvent(place + 1, { website, url: own.replace('&amp;', '&#038;') }))
  )
  const all = await readAll(site.url)
  assert.deepEqual(
    all.map(({ fields }) => fields.website),
    websites.map(([, expected]) => expected)
  )
  assert.deepEqual(
    all.flatMap(({ notes }) => notes ?? []),
    []
  )
})

test('titles keep text that only looks like a tag', async () => {
  const titles = ['C++ &#038; <Templates>', 'A <em>good</em> <3 day', 'Titel <script>alert(1)</script>', '5 < 7 > 3']
  const site = await startTecSite(titles.map((title, place) => buildTecEvent(place + 1, { title })))
  const shown = (await readAll(site.url)).map(({ texts }) => toSingleLineText(texts.en?.title ?? ''))
  assert.deepEqual(shown, ['C++ & <Templates>', 'A good <3 day', 'Titel', '5 < 7 > 3'])
})

test('several prices keep their currency, and ambiguous prices get a note', async () => {
  const costs: [cost: string, values: string[], expected: unknown, notes: number][] = [
    ['12€', ['12'], '12€', 0],
    ['10€ – 25€', ['10', '15', '25'], ['10€', '15€', '25€'], 0],
    ['CHF5.50 – CHF9.99', ['5.50', '9.99'], ['CHF5.50', 'CHF9.99'], 0],
    ['Free', ['0'], 'Free', 0],
    ['Kostenlos / Spende', ['kostenlos-spende'], 'Kostenlos / Spende', 0],
    ['1.234€', ['.50', '1.234'], '1.234€', 1],
    ['', [], '', 0]
  ]
  const site = await startTecSite(
    costs.map(([cost, values], place) => buildTecEvent(place + 1, { cost, cost_details: { values } }))
  )
  const all = await readAll(site.url)
  assert.deepEqual(
    all.map(({ fields, notes }) => [fields.cost, notes?.length]),
    costs.map(([, , expected, notes]) => [expected, notes])
  )
})

test('embedded videos, pages and players become links, with a note', async () => {
  const embeds: [html: string, expected: string, notes: number][] = [
    [
      '<iframe width="560" src="https://www.youtube.com/embed/dQw4w9WgXcQ?start=5&amp;rel=0" allowfullscreen></iframe>',
      '<p><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">https://www.youtube.com/watch?v=dQw4w9WgXcQ</a></p>',
      1
    ],
    [
      '<iframe src="//player.vimeo.com/video/76979871"></iframe>',
      '<p><a href="https://vimeo.com/76979871">https://vimeo.com/76979871</a></p>',
      1
    ],
    [
      '<audio controls src="https://x.example/a.mp3"></audio>',
      '<p><a href="https://x.example/a.mp3">https://x.example/a.mp3</a></p></audio>',
      1
    ],
    [
      '<video class="wp-video-shortcode" id="video-0-1"><source src="https://x.example/v.mp4?_=1" /><a href="https://x.example/v.mp4">v</a></video>',
      '<a href="https://x.example/v.mp4">v</a></video>',
      0
    ],
    ['<iframe src="javascript:alert(1)"></iframe>', '', 0]
  ]
  const site = await startTecSite(embeds.map(([description], place) => buildTecEvent(place + 1, { description })))
  const all = await readAll(site.url)
  assert.deepEqual(
    all.map(({ texts, notes }) => [texts.en?.description, notes?.length]),
    embeds.map(([, expected, notes]) => [expected, notes])
  )
})

test('relative URLs become absolute URLs of the imported site', async () => {
  const description =
    '<p><a href="/anfahrt/?x=1&#038;y=2">a</a> <a href="#oben">b</a> <a href="mailto:a@b.example">c</a> <img src=\'/wp-content/x.jpg\' alt=\'"x"\'></p>'
  const site = await startTecSite([buildTecEvent(1, { description })])
  const [event] = await readAll(site.url)
  assert.equal(
    event?.texts.en?.description,
    '<p><a href="https://site.example/anfahrt/?x=1&amp;y=2">a</a> <a href="#oben">b</a> <a href="mailto:a@b.example">c</a> <img src="https://site.example/wp-content/x.jpg" alt="&quot;x&quot;"></p>'
  )
})

test('counters and nonces in a response do not count as a change of the event', async () => {
  const render = (count: number) =>
    `<div id='gallery-${count}' class='gallery galleryid-${count}'><figure data-secret="s${count}"><img src="https://site.example/a.jpg" aria-describedby="gallery-${count}-11"></figure></div>` +
    `<iframe class="wp-embedded-content" src="https://site.example/b/embed/#?secret=${count}"></iframe><!-- ${count} -->`
  const site = await startTecSite([buildTecEvent(1, { description: render(1) })])
  const readItems = async () => (await readAll(site.url)).map(({ originals: _raw, ...item }) => item)
  const before = await readItems()
  site.lists.events = [buildTecEvent(1, { description: render(2) })]
  assert.deepEqual(await readItems(), before)
})

test('categories are listed after their parents, and a cycle of parents does not stop the import', async () => {
  const site = await startTecSite([buildTecEvent(1)])
  const buildCategory = (id: number, parent: number) => ({ id, name: `Category ${id}`, slug: `c-${id}`, parent })
  site.lists.categories = [
    buildCategory(1, 2),
    buildCategory(2, 3),
    buildCategory(3, 0),
    buildCategory(8, 9),
    buildCategory(9, 8)
  ]
  const all = await readAll(site.url)
  const order = getIds(all.filter(({ kind }) => kind === 'category'))
  assert.ok(order.indexOf('category 3') < order.indexOf('category 2'))
  assert.ok(order.indexOf('category 2') < order.indexOf('category 1'))
  assert.equal(order.length, 5)
})

test('a failing page is requested again, and then reported; the other pages are read', {
  skip: skipUnlessFull
}, async () => {
  const site = await startTecSite(Array.from({ length: 150 }, (_, place) => buildTecEvent(place + 1)))
  const failed = new Map<string, number>()
  site.answer = (url, response) => {
    const page = url.searchParams.get('page') ?? ''
    const times = (failed.get(page) ?? 0) + 1
    if (url.searchParams.get('per_page') !== '50' || !url.pathname.endsWith('/events')) return false
    failed.set(page, times)
    const isBroken = page === '2' || (page === '3' && times === 1)
    if (isBroken) sendJson(response, 500, { code: 'internal_server_error' })
    return isBroken
  }
  const all = await readAll(site.url)
  assert.equal(all.length, 101)
  assert.deepEqual(getIds(all.filter(({ problems }) => problems.length > 0)), ['event page 2'])
  assert.equal(failed.get('2'), 3)
})

test('reading ends if a site repeats pages and returns wrong totals', { skip: skipUnlessFull }, async () => {
  const site = await startTecSite()
  const page = Array.from({ length: 50 }, (_, place) => buildTecEvent(place + 1))
  site.answer = (url, response) => {
    if (!url.pathname.endsWith('/events')) return false
    sendJson(response, 200, { events: page, total: 9e9, total_pages: 1e9, next_rest_url: 'http://10.0.0.1/next' })
    return true
  }
  assert.equal((await readAll(site.url)).length, 50)
  assert.ok(site.requestedPaths.filter(path => path.includes('/tribe/')).length < 20)
})
