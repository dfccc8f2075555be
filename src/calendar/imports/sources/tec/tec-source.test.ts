import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readSettings } from '#platform/config.ts'
import { buildTecEvent, sendJson, startTecSite } from '#test/support/calendar/tec-site.ts'
import type { Incoming } from '../source.ts'
import { openTec } from './tec-source.ts'

const settings = readSettings({ ALLOW_PRIVATE_ADDRESSES: 'true' })

async function open(url: string, given = settings) {
  const wish = { url, file: null, fileName: null, language: 'en', timezone: 'Europe/Berlin', mapping: null } as const
  return await openTec(wish, { settings: given, now: new Date(), signal: new AbortController().signal })
}

async function readAll(url: string): Promise<Incoming[]> {
  const all: Incoming[] = []
  const source = await open(url)
  for await (const some of source.batches()) all.push(...some)
  return all
}

const ids = (items: Incoming[]) => items.map(({ kind, sourceId }) => `${kind} ${sourceId}`)
const noCalendar = { code: 'import-no-calendar' }

test('the API is found where a site says it is, where it usually is, and where somebody pasted it', async () => {
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
  // A page below says where; the usual place has nothing.
  for (const said of [
    { link: `<${site.url}/blog/api/>; rel="https://api.w.org/"` },
    { 'x-tec-api-root': `${site.url}/blog/api/tribe/events/v1/events/5` },
    { 'content-type': 'text/html', body: `<link rel="https://api.w.org/" href="${site.url}/blog/api/" />` }
  ]) {
    site.answer = (url, response) => {
      const { body = '', ...headers } = said as Record<string, string>
      if (url.pathname === '/blog/') response.writeHead(200, headers).end(body)
      else if (url.pathname.startsWith('/blog/api/tribe/events/v1/')) sendJson(response, 200, { events: [], total: 0 })
      else sendJson(response, 404, {})
      return true
    }
    assert.equal((await open(`${site.url}/blog/`)).origin, `${host}/blog/api`, JSON.stringify(said))
  }
})

test('what is no calendar is refused in one way, whatever is there instead', async () => {
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

test('private addresses are not asked, neither given nor redirected to', async () => {
  const site = await startTecSite([buildTecEvent(1)])
  await assert.rejects(open(site.url, readSettings({})), noCalendar)
  assert.deepEqual(site.asked, [])
})

test('answers of the real one are understood: entities, an empty list for no venue, costs, its own page as website', async () => {
  const recorded = JSON.parse(
    readFileSync(new URL('../../../../../test/support/calendar/tec-event.json', import.meta.url), 'utf8')
  )
  const site = await startTecSite([recorded])
  const all = await readAll(site.url)
  assert.deepEqual(ids(all), [
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
  assert.equal(event?.fields.cost, '$10 – $25')
  assert.match(event?.image?.url ?? '', /poster\.png$/)
  assert.deepEqual(event?.problems, [])
})

test('odd answers: missing fields, wrong types, things without a number, protected events', async () => {
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

test('categories come after those above them, and a circle does not hold anything up', async () => {
  const site = await startTecSite([buildTecEvent(1)])
  const category = (id: number, parent: number) => ({ id, name: `Category ${id}`, slug: `c-${id}`, parent })
  site.lists.categories = [category(1, 2), category(2, 3), category(3, 0), category(8, 9), category(9, 8)]
  const all = await readAll(site.url)
  const order = ids(all.filter(({ kind }) => kind === 'category'))
  assert.ok(order.indexOf('category 3') < order.indexOf('category 2'))
  assert.ok(order.indexOf('category 2') < order.indexOf('category 1'))
  assert.equal(order.length, 5)
})

test('a page that fails is asked for again, and then told of; the others come', async () => {
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
  assert.deepEqual(ids(all.filter(({ problems }) => problems.length > 0)), ['event page 2'])
  assert.equal(failed.get('2'), 3)
})

test('pages that repeat and totals that lie come to an end', async () => {
  const site = await startTecSite()
  const page = Array.from({ length: 50 }, (_, place) => buildTecEvent(place + 1))
  site.answer = (url, response) => {
    if (!url.pathname.endsWith('/events')) return false
    sendJson(response, 200, { events: page, total: 9e9, total_pages: 1e9, next_rest_url: 'http://10.0.0.1/next' })
    return true
  }
  assert.equal((await readAll(site.url)).length, 50)
  assert.ok(site.asked.length < 20)
})
