import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarService } from '#calendar/service.ts'
import type { Sql } from '#platform/database/sql.ts'
import { createServer } from '#platform/server.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { silent } from '#test/support/database.ts'
import { type Client, calendar, newClient, startCalendar, type TestResponse } from '#test/support/services.ts'

const started = await startCalendar()
const { admin, visitor, withRole, store, anEvent, aVenue, anOrganizer, aCategory, aTag } = started
const path = `${calendar}/events`

const follow = async (link: string, by: Client = visitor, headers = {}) =>
  await by.get(link.replace(/^http:\/\/[^/]+/, ''), headers)
const getIds = ({ body }: TestResponse): number[] => body.events.map((one: { id: number }) => one.id)
const getTotals = ({ headers }: TestResponse) =>
  ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages'].map(name => Number(headers[name]))

/** Creates this number of events, an hour apart. */
async function createEvents(count: number, fields: object): Promise<number[]> {
  const createdIds: number[] = []
  for (let hour = 0; hour < count; hour += 1) {
    const start_date = `2027-05-0${1 + Math.floor(hour / 24)} ${String(hour % 24).padStart(2, '0')}:00`
    createdIds.push((await anEvent({ start_date, end_date: start_date, ...fields })).id)
  }
  return createdIds
}

test('without events the first page is an empty list and the second page is 404', async () => {
  const empty = await visitor.get(`${path}?start_date=2060-01-01&end_date=2060-01-02`)
  assert.equal(empty.status, 200)
  assert.deepEqual(Object.keys(empty.body), ['events', 'rest_url', 'total', 'total_pages'])
  assert.deepEqual([empty.body.events, empty.body.total, empty.body.total_pages], [[], 0, 0])
  assert.deepEqual(getTotals(empty), [0, 0, 0, 0])
  const beyond = await visitor.get(`${path}?start_date=2060-01-01&end_date=2060-01-02&page=2`)
  assert.deepEqual([beyond.status, beyond.body.code], [404, 'event-archive-page-not-found'])
})

test('pages have ten events by default, totals, and links to the next and the previous page', async () => {
  await aTag({ name: 'paged' })
  const all = await createEvents(25, { tags: 'paged' })
  const seen: number[] = []
  let address = `${path}?tags=paged`
  for (const [number, size] of [10, 10, 5].entries()) {
    const page = await visitor.get(address)
    assert.equal(page.status, 200, page.text)
    assert.deepEqual([page.body.events.length, page.body.total, page.body.total_pages], [size, 25, 3])
    assert.deepEqual(getTotals(page), [25, 3, 25, 3])
    seen.push(...getIds(page))
    const { next_rest_url: next, previous_rest_url: previous, rest_url: here } = page.body
    assert.deepEqual(getIds(await follow(here)), getIds(page))
    assert.equal(new URL(here).searchParams.get('page'), String(number + 1))
    const relations = [...(page.headers.link ?? '').matchAll(/<([^>]*)>; rel="(next|prev)"/g)].map(([, url, rel]) => [
      rel,
      url
    ])
    assert.deepEqual(relations, [...(number > 0 ? [['prev', previous]] : []), ...(number < 2 ? [['next', next]] : [])])
    assert.equal(next === undefined, number === 2)
    assert.equal(previous === undefined, number === 0)
    if (previous !== undefined)
      assert.deepEqual(getIds(await follow(previous)), all.slice((number - 1) * 10, number * 10))
    if (number === 1) assert.equal(new URL(previous).searchParams.has('page'), false)
    if (next !== undefined) address = next.replace(/^http:\/\/[^/]+/, '')
  }
  assert.deepEqual(seen, all)
  const beyond = await visitor.get(`${path}?tags=paged&page=4`)
  assert.deepEqual([beyond.status, beyond.body.code], [404, 'event-archive-page-not-found'])
  assert.equal((await visitor.get(`${path}?tags=paged&page=9007199254740991&per_page=50`)).status, 404)
})

test('per_page is limited to 50; page and per_page other than positive integers are refused', async () => {
  const all = await createEvents(53, { categories: 'many' })
  for (const perPage of ['51', '100', '999999999']) {
    const page = await visitor.get(`${path}?categories=many&per_page=${perPage}`)
    assert.deepEqual(getIds(page), all.slice(0, 50))
    assert.deepEqual([page.body.total, page.body.total_pages], [53, 2])
    assert.equal(new URL(page.body.rest_url).searchParams.get('per_page'), '50')
  }
  assert.deepEqual(getIds(await visitor.get(`${path}?categories=many&per_page=50&page=2`)), all.slice(50))
  assert.deepEqual(getIds(await visitor.get(`${path}?categories=many&per_page=1&page=53`)), all.slice(52))
  assert.deepEqual(getIds(await visitor.get(`${path}?categories=many&per_page=3.0&page=1e1`)), all.slice(27, 30))
  for (const name of ['page', 'per_page']) {
    for (const wrong of ['0', '-1', '2.5', 'x', '', '99999999999999999999']) {
      const { status, body } = await visitor.get(`${path}?${name}=${wrong}`)
      assert.deepEqual([status, Object.keys(body.data?.params ?? {})], [400, [name]], `${name}=${wrong}`)
    }
  }
})

test('links to pages keep every filter, encoded, and lead through the whole list', async () => {
  const venue = await aVenue({ venue: 'Linked', geo_lat: 52.5, geo_lng: 13.4 })
  const organizer = await anOrganizer()
  const category = await aCategory({ name: 'Rhythm & Blues' })
  const parent = await anEvent({ title: 'Parent' })
  const all = await createEvents(3, {
    title: 'Wild & free + 100% "real" #1',
    venue: venue.id,
    organizer: organizer.id,
    categories: category.id,
    tags: 'linked',
    featured: true,
    ticketed: true,
    post_parent: parent.id,
    language: 'de'
  })
  const filters: Record<string, string> = {
    start_date: '2027-05-01 00:00:00',
    end_date: '2027-05-31',
    search: 'wild + & "100% " #1',
    geoloc: 'true',
    geoloc_lat: '52.5',
    geoloc_lng: '13.4',
    geoloc_radius: '10',
    status: 'publish',
    post_parent: String(parent.id),
    starts_before: '2027-06-01T00:00:00+02:00',
    starts_after: '2027-04-30',
    ends_before: '2027-06-01',
    ends_after: 'now',
    strict_dates: 'false',
    categories: 'Rhythm & Blues',
    tags: 'linked',
    venue: String(venue.id),
    organizer: String(organizer.id),
    featured: 'true',
    ticketed: '1',
    orderby: 'start_date',
    order: 'desc',
    password: 'a b&c',
    language: 'de'
  }
  const first = await visitor.get(`${path}?${new URLSearchParams({ ...filters, per_page: '1' })}`)
  assert.deepEqual([first.status, first.body.total], [200, 3], first.text)
  const seen = getIds(first)
  let page = first
  while (page.body.next_rest_url !== undefined && seen.length < 5) {
    for (const link of [page.body.rest_url, page.body.next_rest_url]) {
      const query = Object.fromEntries(new URL(link).searchParams)
      for (const [name, value] of Object.entries(filters)) assert.equal(query[name], value, name)
      assert.equal(query.per_page, '1')
    }
    page = await follow(page.body.next_rest_url)
    assert.equal(page.status, 200, page.text)
    assert.equal(page.headers['content-language'], 'de')
    seen.push(...getIds(page))
  }
  assert.deepEqual(seen, all.toReversed())
})

test('links to pages work for lists in bracket notation, ids in objects and comma-separated lists', async () => {
  const [one, two] = [await aTag({ name: 'bracket one' }), await aTag({ name: 'bracket two' })]
  const all = await createEvents(2, { tags: [one.id, two.id] })
  for (const filters of [
    `tags[]=${one.id}&tags[]=bracket-two`,
    `tags[0]=${one.id}&tags[1]=bracket two`,
    `tags[0][id]=${one.id}&tags[1][id]=${two.id}`,
    `tags=${one.id}, ${two.id}`,
    `tags[]=${one.id}&include[]=${all[0]}&include[]=${all[1]}&status[]=publish`
  ]) {
    const first = await visitor.get(`${path}?per_page=1&${filters}`)
    assert.equal(first.body.total, 2, first.text)
    const second = await follow(first.body.next_rest_url)
    assert.deepEqual([...getIds(first), ...getIds(second)], all, filters)
  }
})

test('links stay under the requested URL, and have a language only if the request had one', async () => {
  const alias = '/wp-json/tribe/events/v1/events'
  const page = await visitor.get(`${alias}?tags=paged`, { 'accept-language': 'de' })
  assert.match(page.body.next_rest_url, /^http:\/\/localhost(?::80)?\/wp-json\/tribe\/events\/v1\/events\/\?/)
  assert.equal(new URL(page.body.next_rest_url).searchParams.has('language'), false)
  assert.match(page.headers.vary ?? '', /accept-language/i)
  assert.deepEqual(getIds(await follow(page.body.next_rest_url)).length, 10)
  assert.equal(new URL((await visitor.get(`${path}?tags=paged`)).body.rest_url).pathname, `${path}/`)
})

test('links for an admin have no status unless the request had one', async () => {
  const visitors = new URL((await visitor.get(path)).body.rest_url).searchParams
  assert.equal(visitors.get('status'), 'publish')
  const { body } = await admin.get(path)
  assert.equal(new URL(body.rest_url).searchParams.has('status'), false)
  assert.equal((await follow(body.rest_url, admin)).status, 200)
})

test('events are ordered by the instant of their start, then by id, or as orderby and order say', async () => {
  const createEvent = async (title: string, start: string, end: string, timezone: string, date: string) =>
    (await anEvent({ title, start_date: start, end_date: end, timezone, date, tags: 'ordered' })).id as number
  const tokyo = await createEvent('banana', '2027-03-02 05:00', '2027-03-05 00:00', 'Asia/Tokyo', '2020-03-01')
  const berlin = await createEvent('Äpfel', '2027-03-01 22:00', '2027-03-01 23:00', 'Europe/Berlin', '2020-01-01')
  const twin = await createEvent('Banana', '2027-03-01 21:00', '2027-03-04 00:00', 'UTC', '2020-03-01')
  const york = await createEvent('cherry', '2027-03-01 14:00', '2027-03-01 15:00', 'America/New_York', '2020-02-01')
  await admin.patch(`${path}/${berlin}`, { website: 'https://example.org' })
  const listOrdered = async (query: string) => getIds(await visitor.get(`${path}?tags=ordered&${query}`))
  // 19:00, 20:00, 21:00 and 21:00 in UTC.
  assert.deepEqual(await listOrdered(''), [york, tokyo, berlin, twin])
  assert.deepEqual(await listOrdered('orderby=start_date&order=asc'), [york, tokyo, berlin, twin])
  assert.deepEqual(await listOrdered('order=desc'), [twin, berlin, tokyo, york])
  assert.deepEqual(await listOrdered('order=DESC&orderby=start_date'), [twin, berlin, tokyo, york])
  assert.deepEqual(await listOrdered('orderby=end_date'), [york, berlin, twin, tokyo])
  assert.deepEqual(await listOrdered('orderby=title'), [berlin, tokyo, twin, york])
  assert.deepEqual(await listOrdered('orderby=title&order=desc'), [york, twin, tokyo, berlin])
  assert.deepEqual(await listOrdered('orderby=date'), [berlin, york, tokyo, twin])
  assert.deepEqual(await listOrdered('orderby=date&order=desc'), [twin, tokyo, york, berlin])
  assert.deepEqual((await listOrdered('orderby=modified')).at(-1), berlin)
  assert.deepEqual((await listOrdered('orderby=modified&order=desc'))[0], berlin)
  for (const [name, wrongs] of Object.entries({ orderby: ['', 'name', 'id', 'start_date;'], order: ['', 'up', '1'] })) {
    for (const wrong of wrongs) {
      const { status, body } = await visitor.get(`${path}?${name}=${wrong}`)
      assert.deepEqual([status, Object.keys(body.data?.params ?? {})], [400, [name]], `${name}=${wrong}`)
    }
  }
})

test('orderby=title uses the titles in the language of the response', async () => {
  const one = await anEvent({ title: 'Apple', tags: 'worded' })
  await admin.patch(`${path}/${one.id}?language=de`, { title: 'Zimt' })
  const two = await anEvent({ title: 'Mint', tags: 'worded' })
  const three = await anEvent({ title: 'Nelke', tags: 'worded', language: 'de' })
  const listOrdered = async (query: string) => getIds(await visitor.get(`${path}?tags=worded&orderby=title&${query}`))
  assert.deepEqual(await listOrdered('language=en'), [one.id, two.id, three.id])
  assert.deepEqual(await listOrdered('language=de'), [two.id, three.id, one.id])
  assert.deepEqual(await listOrdered('language=de&order=desc&per_page=1&page=2'), [three.id])
})

test('drafts are ordered by date, those without a publication date last', async () => {
  const author = await withRole('author')
  await admin.post(`${calendar}/tags`, { name: 'drafted' })
  const draft = await anEvent({ status: 'draft', tags: 'drafted' }, author)
  const old = await anEvent({ status: 'draft', tags: 'drafted', date: '2020-01-01' }, author)
  for (const by of [author, admin]) {
    const found = await by.get(`${path}?tags=drafted&orderby=date`)
    assert.deepEqual(getIds(found), [old.id, draft.id])
  }
})

test('the number of statements of a list depends on the filters, not on the number of events', async () => {
  const venue = await aVenue({ geo_lat: 1, geo_lng: 1 })
  const category = await aCategory({ name: 'Counted' })
  const { id } = await anEvent({
    title: 'Counted',
    venue: venue.id,
    organizer: [{ organizer: 'A' }, { organizer: 'B' }],
    categories: category.id,
    tags: 'counted'
  })
  for (let more = 0; more < 4; more += 1) await anEvent({ venue: venue.id, tags: 'counted', post_parent: id })
  const { organizer } = (await visitor.get(`${path}/${id}`)).body
  const counted = countStatements(store)
  // Without a cache, which would also poll for writes of other processes.
  const settings = { ...started.settings, responseCache: 0 }
  const server = await createServer([createCalendarService(settings)], { store: counted.store, settings, log: silent })
  const client = newClient(server)
  const countFor = async (address: string) => {
    const before = counted.statements()
    assert.equal((await client.get(address)).status, 200, address)
    return counted.statements() - before
  }
  // One for the page, one each for venues, organizers and terms, and one for the total unless the page shows it.
  for (const query of ['', 'per_page=50', 'ends_after=now']) {
    assert.ok((await countFor(`${path}?${query}`)) <= 5, query)
  }
  for (const query of [
    'per_page=1&page=3',
    'search=counted',
    'include=1,2,3',
    'featured=false&ticketed=false',
    'geoloc=true',
    'geoloc_lat=1&geoloc_lng=1&orderby=title',
    'orderby=title&language=de'
  ]) {
    // One more, which finds the ids.
    assert.ok((await countFor(`${path}?${query}`)) <= 6, query)
  }
  const everything = `categories=counted&tags=counted&venue=${venue.id}&organizer=${organizer[0].id}&search=counted&geoloc=1`
  for (const query of ['categories=counted', 'tags=counted&per_page=50', `post_parent=${id}`, everything]) {
    assert.ok((await countFor(`${path}?${query}`)) <= 7, query)
  }
  assert.equal(await countFor(`${path}/${id}`), 4)
  assert.equal(await countFor(`${path}/by-slug/counted`), 4)
  await server.drain()
})

test('an event that becomes a draft while a page is read is neither listed nor counted', async () => {
  const { id } = await anEvent({ tags: 'withdrawn' })
  const other = await anEvent({ tags: 'withdrawn' })
  let withdrawn = false
  const slow = new Proxy(store, {
    get: (target, name) =>
      name !== 'all'
        ? Reflect.get(target, name)
        : async (statement: Sql) => {
            const rows = await target.all(statement)
            if (!withdrawn && statement.text.includes('row_number() over () as place')) {
              withdrawn = true
              await admin.post(`${path}/${id}`, { status: 'draft' })
            }
            return rows
          }
  })
  const server = await createServer([createCalendarService(started.settings)], {
    store: slow,
    settings: started.settings,
    log: silent
  })
  const page = await newClient(server).get(`${path}?tags=withdrawn&per_page=2&start_date=2020-01-01`)
  await server.drain()
  assert.ok(withdrawn)
  assert.deepEqual(getIds(page), [other.id])
  // The total is counted after the page is read.
  assert.equal(page.body.total, 1)
})
