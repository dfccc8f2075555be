import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, withRole, aCategory, aTag, anEvent } = await startCalendar()
const categories = `${calendar}/categories`
const tags = `${calendar}/tags`

interface Listed {
  id: number
  name: string
  count: number
}
const getNames = ({ body }: TestResponse) => (body.categories ?? body.tags).map((term: Listed) => term.name)

function assertInvalid(answer: TestResponse, parameter: string): void {
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.body.code, 'rest_invalid_param')
  assert.deepEqual(Object.keys(answer.body.data.params), [parameter])
}

// The order of ids differs from the order of names.
const zither = await aCategory({ name: 'Zither', description: 'A strings' })
const arias = await aCategory({ name: 'Árias', slug: 'songs', description: 'C voices' })
const brass = await aCategory({ name: 'brass band', parent: zither.id, description: 'B wind' })
const empty = await aCategory({ name: 'Brass', description: 'D nothing' })
const family = await aTag({ name: 'Family' })
const outdoors = await aTag({ name: 'Outdoors' })
const first = await anEvent({ categories: [zither.id, arias.id], tags: [family.id] })
await anEvent({ categories: [zither.id, brass.id], tags: [family.id, outdoors.id] })
const draft = await anEvent({ categories: [empty.id], status: 'draft' })

test('a list has the terms of published events, ordered by name, with totals', async () => {
  const list = await visitor.get(categories)
  assert.equal(list.status, 200)
  assert.deepEqual(getNames(list), ['Árias', 'brass band', 'Zither'])
  assert.deepEqual(
    list.body.categories.map((one: Listed) => one.count),
    [1, 1, 2]
  )
  assert.deepEqual([list.body.total, list.body.total_pages], [3, 1])
  assert.deepEqual([list.headers['x-tec-total'], list.headers['x-tec-totalpages']].map(Number), [3, 1])
  assert.equal(list.body.categories[0]._links, undefined)
  assert.deepEqual(getNames(await visitor.get(tags)), ['Family', 'Outdoors'])
})

const everyName = ['Árias', 'Brass', 'brass band', 'Zither']
for (const [value, expected] of [
  ['0', everyName],
  ['false', everyName],
  ['FALSE', everyName],
  ['1', ['Árias', 'brass band', 'Zither']],
  ['true', ['Árias', 'brass band', 'Zither']]
] as const) {
  test(`hide_empty=${value} lists the expected categories`, async () => {
    assert.deepEqual(getNames(await visitor.get(`${categories}?hide_empty=${value}`)), expected)
  })
}

for (const value of ['banana', 'yes', '', '2']) {
  test(`hide_empty=${value} is refused`, async () => {
    assertInvalid(await visitor.get(`${categories}?hide_empty=${value}`), 'hide_empty')
  })
}

for (const [query, expected] of [
  ['search=BRASS', ['Brass', 'brass band']],
  ['search=arias', ['Árias']],
  ['search=ngs', ['Árias']],
  ['search=s%20b', ['brass band']],
  ['search=%25', []],
  ['search=_', []],
  // A search does not match across a name and its slug.
  ['search=brass%20brass', []],
  ['slug=songs', ['Árias']],
  ['slug=SONGS', ['Árias']],
  ['slug=song', []],
  ['slug=songs,zither', []],
  [`include=${zither.id}`, ['Zither']],
  [`include=${zither.id},${arias.id}`, ['Árias', 'Zither']],
  [`include[]=${zither.id}&include[]=songs`, ['Árias', 'Zither']],
  ['include=Brass%20Band', ['brass band']],
  [`exclude=${zither.id}`, ['Árias', 'Brass', 'brass band']],
  ['exclude=zither,%20songs', ['Brass', 'brass band']],
  [`include=${zither.id},${arias.id}&exclude=songs`, ['Zither']],
  [`parent=${zither.id}`, ['brass band']],
  [`parent=${brass.id}`, []],
  [`post=${first.id}`, ['Árias', 'Zither']],
  [`event=${first.id}`, ['Árias', 'Zither']],
  [`event=${first.id}&post=${first.id}&search=z`, ['Zither']],
  ['order=asc', everyName],
  ['order=ASC', everyName],
  ['order=desc', everyName.toReversed()],
  ['order=whatever', everyName.toReversed()],
  ['orderby=id', ['Zither', 'Árias', 'brass band', 'Brass']],
  ['orderby=term_id&order=desc', ['Brass', 'brass band', 'Árias', 'Zither']],
  ['orderby=slug', ['Brass', 'brass band', 'Árias', 'Zither']],
  ['orderby=count', ['Brass', 'Árias', 'brass band', 'Zither']],
  ['orderby=count&order=desc', ['Zither', 'brass band', 'Árias', 'Brass']],
  ['orderby=description', ['Zither', 'brass band', 'Árias', 'Brass']],
  ['orderby=term_group', everyName],
  ['orderby=nonsense', everyName],
  ['orderby=constructor', everyName],
  [`orderby=include&include=${arias.id},${zither.id},${brass.id}`, ['Árias', 'Zither', 'brass band']],
  [`orderby=include&order=desc&include=${arias.id},${zither.id}`, ['Zither', 'Árias']],
  ['orderby=include', everyName]
] as const) {
  test(`the list of all categories with ${query} has the expected names`, async () => {
    const list = await visitor.get(`${categories}?hide_empty=0&${query}`)
    assert.equal(list.status, 200, list.text)
    assert.deepEqual(getNames(list), expected)
    assert.equal(list.body.total, expected.length)
  })
}

for (const [query, parameter] of [
  ['include=999999', 'include'],
  ['include=nothing-such', 'include'],
  ['include=', 'include'],
  [`include=${zither.id},999999`, 'include'],
  [`include=${family.id}`, 'include'],
  ['exclude=999999', 'exclude'],
  ['exclude=', 'exclude'],
  ['parent=0', 'parent'],
  ['parent=', 'parent'],
  ['parent=zither', 'parent'],
  ['parent=999999', 'parent'],
  [`parent=${family.id}`, 'parent'],
  ['post=999999', 'post'],
  ['event=999999', 'event'],
  ['event=x', 'event'],
  [`event=${first.id}&post=999999`, 'post'],
  [`event=${draft.id}`, 'event'],
  ['search=', 'search'],
  ['order=', 'order'],
  ['orderby=', 'orderby'],
  ['slug=', 'slug'],
  ['page=0', 'page'],
  ['page=x', 'page'],
  ['per_page=-1', 'per_page'],
  ['per_page=2.5', 'per_page'],
  ['language=fr', 'language']
] as const) {
  test(`the list of categories refuses ${query}`, async () => {
    assertInvalid(await visitor.get(`${categories}?${query}`), parameter)
  })
}

test('the terms of an unpublished event are listed only for callers who may see the event', async () => {
  const path = `${categories}?hide_empty=0&event=${draft.id}`
  assert.deepEqual(getNames(await (await withRole('editor')).get(path)), ['Brass'])
  assertInvalid(await (await withRole('author')).get(path), 'event')
  const author = await withRole('author')
  const own = await anEvent({ categories: [zither.id], status: 'draft' }, author)
  assert.deepEqual(getNames(await author.get(`${categories}?event=${own.id}`)), ['Zither'])
})

test('the parameter event has priority over post', async () => {
  const other = await anEvent({ tags: [outdoors.id] })
  const list = await visitor.get(`${tags}?event=${other.id}&post=${first.id}`)
  assert.deepEqual(getNames(list), ['Outdoors'])
})

test('the list of tags ignores the parameter parent', async () => {
  assert.deepEqual(getNames(await visitor.get(`${tags}?parent=999999`)), ['Family', 'Outdoors'])
})

test('links to pages keep every filter, and the pages contain each term exactly once', async () => {
  let url: string | undefined =
    `${categories}?hide_empty=0&per_page=2&orderby=id&order=desc&search=r&exclude=songs&language=en`
  const seen: number[] = []
  const pages: TestResponse[] = []
  while (url !== undefined) {
    const page = await visitor.get(url)
    pages.push(page)
    seen.push(...page.body.categories.map((one: Listed) => one.id))
    url = page.body.next_rest_url?.replace('http://localhost:80', '')
  }
  assert.deepEqual(seen, [empty.id, brass.id, zither.id])
  const next = new URL(pages[0]?.body.next_rest_url)
  assert.deepEqual(Object.fromEntries(next.searchParams), {
    per_page: '2',
    search: 'r',
    exclude: 'songs',
    order: 'desc',
    orderby: 'id',
    hide_empty: '0',
    language: 'en',
    page: '2'
  })
  assert.equal(next.pathname, `${categories}/`)
  assert.equal(pages[0]?.body.previous_rest_url, undefined)
  const previous = new URL(pages[1]?.body.previous_rest_url)
  assert.equal(previous.searchParams.get('page'), null)
  assert.equal(previous.searchParams.get('search'), 'r')
  assert.match(pages[0]?.headers.link ?? '', /rel="next"/)

  const listed = await visitor.get(`${categories}?include[]=${zither.id}&include[]=songs&event=${first.id}&per_page=1`)
  const kept = new URL(listed.body.next_rest_url).searchParams
  assert.deepEqual([kept.get('include'), kept.get('event')], [`${zither.id},songs`, String(first.id)])
})

test('include matches a text as a slug before it matches it as a name', async () => {
  const named = await aTag({ name: 'Stone', slug: 'pebble' })
  const slugged = await aTag({ name: 'Granite', slug: 'stone' })
  const findIds = async (key: string) =>
    (await visitor.get(`${tags}?hide_empty=0&include=${key}`)).body.tags.map((tag: Listed) => tag.id)
  assert.deepEqual(await findIds('stone'), [slugged.id])
  assert.deepEqual(await findIds('Pebble'), [named.id])
  assert.deepEqual(await findIds('granite'), [slugged.id])
})

test('a page after the last one is empty, with correct totals', async () => {
  const past = await visitor.get(`${categories}?page=7&per_page=2`)
  assert.equal(past.status, 200)
  assert.deepEqual(past.body.categories, [])
  assert.deepEqual([past.body.total, past.body.total_pages], [3, 2])
  assert.equal(new URL(past.body.previous_rest_url).searchParams.get('page'), '6')
  assert.equal(past.body.next_rest_url, undefined)
  assert.equal((await visitor.get(`${categories}?page=9007199254740991`)).status, 200)
})

test('a page has ten terms by default, or per_page terms, and at most fifty', async () => {
  for (let number = 0; number < 52; number += 1) await aTag({ name: `Many ${String(number).padStart(2, '0')}` })
  const many = `${tags}?hide_empty=0&search=many`
  assert.equal((await visitor.get(many)).body.tags.length, 10)
  assert.equal((await visitor.get(`${many}&per_page=3&page=2`)).body.tags[0].name, 'Many 03')
  const most = await visitor.get(`${many}&per_page=1000`)
  assert.equal(most.body.tags.length, 50)
  assert.equal(new URL(most.body.rest_url).searchParams.get('per_page'), '50')
  assert.deepEqual([most.body.total, most.body.total_pages], [52, 2])
})

test('a list has an ETag: a matching If-None-Match gets 304 until a term changes', async () => {
  const list = await visitor.get(categories)
  const again = await visitor.get(categories, { 'if-none-match': list.headers.etag ?? '' })
  assert.equal(again.status, 304)
  await admin.patch(`${categories}/${zither.id}`, { description: 'A strings!' })
  const changed = await visitor.get(categories, { 'if-none-match': list.headers.etag ?? '' })
  assert.equal(changed.status, 200)
})
