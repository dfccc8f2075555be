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
const idsIn = ({ body }: TestResponse): number[] => body.events.map((one: { id: number }) => one.id)
const totalsIn = ({ headers }: TestResponse) =>
  ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages'].map(name => Number(headers[name]))

/** So many, an hour apart. */
async function several(count: number, fields: object): Promise<number[]> {
  const made: number[] = []
  for (let hour = 0; hour < count; hour += 1) {
    const start_date = `2027-05-0${1 + Math.floor(hour / 24)} ${String(hour % 24).padStart(2, '0')}:00`
    made.push((await anEvent({ start_date, end_date: start_date, ...fields })).id)
  }
  return made
}

test('no events are an empty list, and only its first page is there', async () => {
  const empty = await visitor.get(`${path}?start_date=2060-01-01&end_date=2060-01-02`)
  assert.equal(empty.status, 200)
  assert.deepEqual(Object.keys(empty.body), ['events', 'rest_url', 'total', 'total_pages'])
  assert.deepEqual([empty.body.events, empty.body.total, empty.body.total_pages], [[], 0, 0])
  assert.deepEqual(totalsIn(empty), [0, 0, 0, 0])
  const beyond = await visitor.get(`${path}?start_date=2060-01-01&end_date=2060-01-02&page=2`)
  assert.deepEqual([beyond.status, beyond.body.code], [404, 'event-archive-page-not-found'])
})

test('pages have ten events unless it is said, totals, and links to the next and the previous one', async () => {
  await aTag({ name: 'paged' })
  const all = await several(25, { tags: 'paged' })
  const seen: number[] = []
  let address = `${path}?tags=paged`
  for (const [number, size] of [10, 10, 5].entries()) {
    const page = await visitor.get(address)
    assert.equal(page.status, 200, page.text)
    assert.deepEqual([page.body.events.length, page.body.total, page.body.total_pages], [size, 25, 3])
    assert.deepEqual(totalsIn(page), [25, 3, 25, 3])
    seen.push(...idsIn(page))
    const { next_rest_url: next, previous_rest_url: previous, rest_url: here } = page.body
    assert.deepEqual(idsIn(await follow(here)), idsIn(page))
    assert.equal(new URL(here).searchParams.get('page'), String(number + 1))
    const relations = [...(page.headers.link ?? '').matchAll(/<([^>]*)>; rel="(next|prev)"/g)].map(([, url, rel]) => [
      rel,
      url
    ])
    assert.deepEqual(relations, [...(number > 0 ? [['prev', previous]] : []), ...(number < 2 ? [['next', next]] : [])])
    assert.equal(next === undefined, number === 2)
    assert.equal(previous === undefined, number === 0)
    if (previous !== undefined)
      assert.deepEqual(idsIn(await follow(previous)), all.slice((number - 1) * 10, number * 10))
    if (number === 1) assert.equal(new URL(previous).searchParams.has('page'), false)
    if (next !== undefined) address = next.replace(/^http:\/\/[^/]+/, '')
  }
  assert.deepEqual(seen, all)
  const beyond = await visitor.get(`${path}?tags=paged&page=4`)
  assert.deepEqual([beyond.status, beyond.body.code], [404, 'event-archive-page-not-found'])
  assert.equal((await visitor.get(`${path}?tags=paged&page=9007199254740991&per_page=50`)).status, 404)
})

test('per_page is lowered to 50, and other pages than whole ones above 0 are refused', async () => {
  const all = await several(53, { categories: 'many' })
  for (const wish of ['51', '100', '999999999']) {
    const page = await visitor.get(`${path}?categories=many&per_page=${wish}`)
    assert.deepEqual(idsIn(page), all.slice(0, 50))
    assert.deepEqual([page.body.total, page.body.total_pages], [53, 2])
    assert.equal(new URL(page.body.rest_url).searchParams.get('per_page'), '50')
  }
  assert.deepEqual(idsIn(await visitor.get(`${path}?categories=many&per_page=50&page=2`)), all.slice(50))
  assert.deepEqual(idsIn(await visitor.get(`${path}?categories=many&per_page=1&page=53`)), all.slice(52))
  assert.deepEqual(idsIn(await visitor.get(`${path}?categories=many&per_page=3.0&page=1e1`)), all.slice(27, 30))
  for (const name of ['page', 'per_page']) {
    for (const wrong of ['0', '-1', '2.5', 'x', '', '99999999999999999999']) {
      const { status, body } = await visitor.get(`${path}?${name}=${wrong}`)
      assert.deepEqual([status, Object.keys(body.data?.params ?? {})], [400, [name]], `${name}=${wrong}`)
    }
  }
})

test('links keep every filter, properly encoded, and lead to the rest of the same list', async () => {
  const venue = await aVenue({ venue: 'Linked', geo_lat: 52.5, geo_lng: 13.4 })
  const organizer = await anOrganizer()
  const category = await aCategory({ name: 'Rhythm & Blues' })
  const parent = await anEvent({ title: 'Parent' })
  const all = await several(3, {
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
  const given: Record<string, string> = {
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
  const first = await visitor.get(`${path}?${new URLSearchParams({ ...given, per_page: '1' })}`)
  assert.deepEqual([first.status, first.body.total], [200, 3], first.text)
  const seen = idsIn(first)
  let page = first
  while (page.body.next_rest_url !== undefined && seen.length < 5) {
    for (const link of [page.body.rest_url, page.body.next_rest_url]) {
      const query = Object.fromEntries(new URL(link).searchParams)
      for (const [name, value] of Object.entries(given)) assert.equal(query[name], value, name)
      assert.equal(query.per_page, '1')
    }
    page = await follow(page.body.next_rest_url)
    assert.equal(page.status, 200, page.text)
    assert.equal(page.headers['content-language'], 'de')
    seen.push(...idsIn(page))
  }
  assert.deepEqual(seen, all.toReversed())
})

test('a list in brackets and ids as objects come back as a list with commas', async () => {
  const [one, two] = [await aTag({ name: 'bracket one' }), await aTag({ name: 'bracket two' })]
  const all = await several(2, { tags: [one.id, two.id] })
  for (const given of [
    `tags[]=${one.id}&tags[]=bracket-two`,
    `tags[0]=${one.id}&tags[1]=bracket two`,
    `tags[0][id]=${one.id}&tags[1][id]=${two.id}`,
    `tags=${one.id}, ${two.id}`,
    `tags[]=${one.id}&include[]=${all[0]}&include[]=${all[1]}&status[]=publish`
  ]) {
    const first = await visitor.get(`${path}?per_page=1&${given}`)
    assert.equal(first.body.total, 2, first.text)
    const second = await follow(first.body.next_rest_url)
    assert.deepEqual([...idsIn(first), ...idsIn(second)], all, given)
  }
})

test('links stay at the address that was asked, and language only where it was chosen', async () => {
  const alias = '/wp-json/tribe/events/v1/events'
  const page = await visitor.get(`${alias}?tags=paged`, { 'accept-language': 'de' })
  assert.match(page.body.next_rest_url, /^http:\/\/localhost(?::80)?\/wp-json\/tribe\/events\/v1\/events\/\?/)
  assert.equal(new URL(page.body.next_rest_url).searchParams.has('language'), false)
  assert.match(page.headers.vary ?? '', /accept-language/i)
  assert.deepEqual(idsIn(await follow(page.body.next_rest_url)).length, 10)
  assert.equal(new URL((await visitor.get(`${path}?tags=paged`)).body.rest_url).pathname, `${path}/`)
})

test('a link of an editor does not name a status that was not asked for', async () => {
  const visitors = new URL((await visitor.get(path)).body.rest_url).searchParams
  assert.equal(visitors.get('status'), 'publish')
  const { body } = await admin.get(path)
  assert.equal(new URL(body.rest_url).searchParams.has('status'), false)
  assert.equal((await follow(body.rest_url, admin)).status, 200)
})

test('events come by the instant of their start, then by id, or in the order that is asked for', async () => {
  const at = async (title: string, start: string, end: string, timezone: string, date: string) =>
    (await anEvent({ title, start_date: start, end_date: end, timezone, date, tags: 'ordered' })).id as number
  const tokyo = await at('banana', '2027-03-02 05:00', '2027-03-05 00:00', 'Asia/Tokyo', '2020-03-01')
  const berlin = await at('Äpfel', '2027-03-01 22:00', '2027-03-01 23:00', 'Europe/Berlin', '2020-01-01')
  const twin = await at('Banana', '2027-03-01 21:00', '2027-03-04 00:00', 'UTC', '2020-03-01')
  const york = await at('cherry', '2027-03-01 14:00', '2027-03-01 15:00', 'America/New_York', '2020-02-01')
  await admin.patch(`${path}/${berlin}`, { website: 'https://example.org' })
  const order = async (query: string) => idsIn(await visitor.get(`${path}?tags=ordered&${query}`))
  // 19:00, 20:00, 21:00 and 21:00 in UTC.
  assert.deepEqual(await order(''), [york, tokyo, berlin, twin])
  assert.deepEqual(await order('orderby=start_date&order=asc'), [york, tokyo, berlin, twin])
  assert.deepEqual(await order('order=desc'), [twin, berlin, tokyo, york])
  assert.deepEqual(await order('order=DESC&orderby=start_date'), [twin, berlin, tokyo, york])
  assert.deepEqual(await order('orderby=end_date'), [york, berlin, twin, tokyo])
  assert.deepEqual(await order('orderby=title'), [berlin, tokyo, twin, york])
  assert.deepEqual(await order('orderby=title&order=desc'), [york, twin, tokyo, berlin])
  assert.deepEqual(await order('orderby=date'), [berlin, york, tokyo, twin])
  assert.deepEqual(await order('orderby=date&order=desc'), [twin, tokyo, york, berlin])
  assert.deepEqual((await order('orderby=modified')).at(-1), berlin)
  assert.deepEqual((await order('orderby=modified&order=desc'))[0], berlin)
  for (const [name, wrongs] of Object.entries({ orderby: ['', 'name', 'id', 'start_date;'], order: ['', 'up', '1'] })) {
    for (const wrong of wrongs) {
      const { status, body } = await visitor.get(`${path}?${name}=${wrong}`)
      assert.deepEqual([status, Object.keys(body.data?.params ?? {})], [400, [name]], `${name}=${wrong}`)
    }
  }
})

test('a title is ordered in the language that the reader gets', async () => {
  const one = await anEvent({ title: 'Apple', tags: 'worded' })
  await admin.patch(`${path}/${one.id}?language=de`, { title: 'Zimt' })
  const two = await anEvent({ title: 'Mint', tags: 'worded' })
  const three = await anEvent({ title: 'Nelke', tags: 'worded', language: 'de' })
  const order = async (query: string) => idsIn(await visitor.get(`${path}?tags=worded&orderby=title&${query}`))
  assert.deepEqual(await order('language=en'), [one.id, two.id, three.id])
  assert.deepEqual(await order('language=de'), [two.id, three.id, one.id])
  assert.deepEqual(await order('language=de&order=desc&per_page=1&page=2'), [three.id])
})

test('drafts have an order too', async () => {
  const author = await withRole('author')
  await admin.post(`${calendar}/tags`, { name: 'drafted' })
  const draft = await anEvent({ status: 'draft', tags: 'drafted' }, author)
  const old = await anEvent({ status: 'draft', tags: 'drafted', date: '2020-01-01' }, author)
  for (const by of [author, admin]) {
    const found = await by.get(`${path}?tags=drafted&orderby=date`)
    assert.deepEqual(idsIn(found), [old.id, draft.id])
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
  // Without a cache, which would also poll what other processes write.
  const settings = { ...started.settings, responseCache: 0 }
  const server = await createServer([createCalendarService(settings)], { store: counted.store, settings, log: silent })
  const client = newClient(server)
  const spent = async (address: string) => {
    const before = counted.statements()
    assert.equal((await client.get(address)).status, 200, address)
    return counted.statements() - before
  }
  // One for the page, one each for venues, organizers and terms, and one for the total if the page does not reveal it.
  for (const query of ['', 'per_page=50', 'ends_after=now']) {
    assert.ok((await spent(`${path}?${query}`)) <= 5, query)
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
    // The ids first.
    assert.ok((await spent(`${path}?${query}`)) <= 6, query)
  }
  const everything = `categories=counted&tags=counted&venue=${venue.id}&organizer=${organizer[0].id}&search=counted&geoloc=1`
  for (const query of ['categories=counted', 'tags=counted&per_page=50', `post_parent=${id}`, everything]) {
    assert.ok((await spent(`${path}?${query}`)) <= 7, query)
  }
  assert.equal(await spent(`${path}/${id}`), 4)
  assert.equal(await spent(`${path}/by-slug/counted`), 4)
  await server.drain()
})

test('what is withdrawn while a page is put together is not shown any more', async () => {
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
  assert.deepEqual(idsIn(page), [other.id])
  // It is counted after the page.
  assert.equal(page.body.total, 1)
})
