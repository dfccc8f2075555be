// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { createServer } from '#platform/server.ts'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { silent } from '#test/support/database.ts'
import { adminKey, calendar, newClient, startCalendar, type TestResponse } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

// Features for the console that are not in the contract: hidden events, missing translations, the trash, counts, and
// deleting the text of one language.

const started = await startCalendar()
const { admin, visitor, store, settings, anEvent, aVenue, anOrganizer, aCategory, aTag, withRole } = started
const [viewer, contributor, author, editor] = [
  await withRole('viewer'),
  await withRole('contributor'),
  await withRole('author'),
  await withRole('editor')
]

type Collection = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
const getIds = ({ status, body, text }: TestResponse, collection: Collection): number[] => {
  assert.equal(status, 200, text)
  return body[collection].map(({ id }: { id: number }) => id).sort((one: number, other: number) => one - other)
}
const creators = {
  events: { make: anEvent, name: 'title' },
  venues: { make: aVenue, name: 'venue' },
  organizers: { make: anOrganizer, name: 'organizer' },
  categories: { make: aCategory, name: 'name' },
  tags: { make: aTag, name: 'name' }
}
const collections = Object.keys(creators) as Collection[]
let nameCount = 0
function newName(): string {
  nameCount += 1
  return `Name ${nameCount}`
}

test('editors and admins can list hidden events; for other callers the filter is refused', async () => {
  const hidden = await anEvent({ title: 'Hidden', hide_from_listings: true, tags: ['hiding'] })
  const draft = await anEvent({ title: 'Hidden draft', hide_from_listings: true, status: 'draft', tags: ['hiding'] })
  const shown = await anEvent({ title: 'Shown', tags: ['hiding'] })
  const list = `${calendar}/events?tags=hiding`
  for (const client of [editor, admin]) {
    assert.deepEqual(getIds(await client.get(`${list}&hidden=true`), 'events'), [hidden.id, draft.id])
    assert.deepEqual(getIds(await client.get(`${list}&hidden=true&status=draft`), 'events'), [draft.id])
    assert.deepEqual(getIds(await client.get(`${list}&hidden=false`), 'events'), [shown.id])
    assert.deepEqual(getIds(await client.get(list), 'events'), [shown.id])
  }
  const { body } = await editor.get(`${list}&hidden=true&per_page=1`)
  assert.deepEqual([body.total, body.next_rest_url.includes('hidden=true')], [2, true])
  for (const client of [visitor, viewer, contributor, author]) {
    for (const value of ['true', 'false']) {
      const refused = await client.get(`${list}&hidden=${value}`)
      assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['hidden']])
    }
  }
  assert.equal((await editor.get(`${list}&hidden=perhaps`)).status, 400)
})

test('missing_language lists items without a text in that language, for all five kinds', async () => {
  for (const collection of collections) {
    const { make, name } = creators[collection]
    const path = `${calendar}/${collection}`
    const list = `${path}?per_page=50${/^(categories|tags)$/.test(collection) ? '&hide_empty=false' : ''}`
    const english = await make({ [name]: newName() })
    const german = await make({ [name]: newName(), language: 'de' })
    const both = await make({ [name]: newName() })
    await admin.patch(`${path}/${both.id}?language=de`, { [name]: newName() })
    const listWithout = async (language: string) =>
      getIds(await editor.get(`${list}&missing_language=${language}`), collection).filter(id =>
        [english.id, german.id, both.id].includes(id)
      )
    assert.deepEqual([await listWithout('de'), await listWithout('en')], [[english.id], [german.id]], collection)
    const { body } = await editor.get(`${list.replace('50', '1')}&missing_language=de`)
    assert.ok((body.next_rest_url ?? body.rest_url).includes('missing_language=de'), collection)
    const refused = await editor.get(`${list}&missing_language=fr`)
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['missing_language']])
  }
})

test('the trash is listed for editors, and for authors with their own items only', async () => {
  for (const collection of ['events', 'venues', 'organizers'] as const) {
    const { make, name } = creators[collection]
    const path = `${calendar}/${collection}`
    const theirs = await make({ [name]: newName() })
    const own = await make({ [name]: newName() }, author)
    await make({ [name]: newName() })
    for (const { id } of [theirs, own]) assert.equal((await admin.delete(`${path}/${id}`)).status, 200)
    const list = `${path}?status=trash&per_page=50`
    assert.deepEqual(getIds(await editor.get(list), collection), [theirs.id, own.id], collection)
    assert.deepEqual(getIds(await author.get(list), collection), [own.id], collection)
    assert.equal((await visitor.get(list)).status, 400)
    const { body } = await editor.get(list)
    assert.ok(body[collection].every((item: { slug: string }) => item.slug.endsWith('__trashed')))
  }
})

test('with_counts lists venues and organizers with the number of their events in one SQL statement, not for visitors', async () => {
  const counted: Record<string, number> = {}
  let statements = 0
  const counting = new Proxy(store, {
    get: (target, name) => {
      if (['all', 'one', 'maybeOne', 'run', 'script', 'transaction'].includes(String(name))) statements += 1
      return Reflect.get(target, name)
    }
  })
  const server = await createServer([createCalendarService(settings)], {
    store: counting,
    settings: settings,
    log: silent
  })
  const client = newClient(server, adminKey)
  for (const collection of ['venues', 'organizers'] as const) {
    const { make, name } = creators[collection]
    const [busy, idle] = [await make({ [name]: newName() }), await make({ [name]: newName() })]
    const link = { [name]: busy.id }
    await anEvent(link)
    await anEvent({ ...link, start_date: '2020-01-01', end_date: '2020-01-02' })
    await anEvent({ ...link, status: 'draft' })
    await anEvent({ ...link, hide_from_listings: true })
    const gone = await anEvent(link)
    await admin.delete(`${calendar}/events/${gone.id}`)
    const list = `${calendar}/${collection}?include=${busy.id},${idle.id}`
    const getCounts = ({ body }: TestResponse) =>
      Object.fromEntries(
        body[collection].map((item: { id: number; event_count: number }) => [item.id, item.event_count])
      )
    assert.deepEqual(getCounts(await editor.get(`${list}&with_counts=true`)), { [busy.id]: 4, [idle.id]: 0 })
    assert.deepEqual(getCounts(await author.get(`${list}&with_counts=true`)), { [busy.id]: 2, [idle.id]: 0 })
    for (const more of ['', '&with_counts=false']) {
      const { body } = await editor.get(list + more)
      assert.ok(body[collection].every((item: object) => !('event_count' in item)))
    }
    const refused = await visitor.get(`${list}&with_counts=true`)
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['with_counts']])
    for (const orderby of ['title', 'date', 'modified']) {
      assert.equal((await editor.get(`${list}&with_counts=true&orderby=${orderby}`)).body.total, 2)
    }
    const before = statements
    await client.get(`${calendar}/${collection}?with_counts=true&per_page=50`)
    counted[collection] = statements - before
    assert.equal((await editor.get(`${calendar}/${collection}/${busy.id}`)).body.event_count, undefined)
  }
  await server.drain()
  assert.deepEqual(counted, { venues: 1, organizers: 1 })
})

test('the text of one language can be deleted, but not the last one', async () => {
  for (const collection of collections) {
    const { make, name } = creators[collection]
    const created = await make({ [name]: newName(), description: 'English' })
    const path = `${calendar}/${collection}/${created.id}`
    const germanName = newName()
    const translated = await admin.patch(`${path}?language=de`, { [name]: germanName })
    const german = await admin.get(`${path}?language=de`)
    assert.deepEqual([german.body[name], german.body.translations], [germanName, ['de', 'en']])

    const removed = await editor.delete(`${path}?language=de&text_only=true`)
    assert.deepEqual(
      [removed.status, removed.body[name], removed.body.language, removed.body.translations],
      [200, created[name], 'en', ['en']],
      removed.text
    )
    assert.notEqual(removed.headers.etag, translated.headers.etag)
    const fallback = await visitor.get(`${path}?language=de`)
    assert.deepEqual([fallback.body[name], fallback.body.language], [created[name], 'en'])
    const { action, details } = await store.one<{ action: string; details: { removed: string } }>(sql`
      select action, details from platform.activity order by id desc limit 1`)
    assert.deepEqual([action.split('.')[1], details.removed], ['updated', 'de'])

    const before = await readCalendarState(store)
    const refused: [string, string][] = [
      ['?language=en&text_only=true', 'language'],
      ['?language=de&text_only=true', 'language'],
      ['?text_only=true', 'language'],
      ['?text_only=maybe', 'text_only']
    ]
    for (const [query, parameter] of refused) {
      const { status, body } = await admin.delete(path + query)
      assert.deepEqual([status, Object.keys(body.data.params)], [400, [parameter]], `${collection}${query}`)
    }
    assert.equal((await visitor.delete(`${path}?language=de&text_only=true`)).status, 401)
    assert.equal((await viewer.delete(`${path}?language=de&text_only=true`)).status, 403)
    const stale = { 'if-match': '"1-x"' }
    assert.equal((await admin.delete(`${path}?language=en&text_only=true`, stale)).status, 412)
    assert.equal((await admin.delete(`${calendar}/${collection}/999999?language=de&text_only=true`)).status, 404)
    assert.deepEqual(await readCalendarState(store), before)

    assert.equal((await admin.patch(`${path}?language=de`, { [name]: germanName })).status, 200)
    const other = await admin.delete(`${path}?language=en&text_only=1`)
    assert.deepEqual([other.body[name], other.body.translations], [germanName, ['de']])
    assert.equal((await visitor.get(path)).body.language, 'de')
  }
})

test('a text can be deleted by slug, but not from an item in the trash and not together with force=true', async () => {
  for (const collection of ['events', 'venues', 'organizers'] as const) {
    const { make, name } = creators[collection]
    const created = await make({ [name]: newName() })
    const path = `${calendar}/${collection}/${created.id}`
    const { body } = await admin.patch(`${path}?language=de`, { [name]: newName() })
    const bySlug = `${calendar}/${collection}/by-slug/${body.slug}?language=de&text_only=true`
    const both = await admin.delete(`${bySlug}&force=true`)
    assert.deepEqual([both.status, Object.keys(both.body.data.params)], [400, ['text_only']])
    assert.equal((await author.delete(bySlug)).status, 403)
    assert.deepEqual((await admin.delete(bySlug)).body.translations, ['en'])
    assert.equal((await visitor.get(`${calendar}/${collection}/by-slug/${body.slug}`)).status, 404)
    await admin.patch(`${path}?language=de`, { [name]: newName() })
    await admin.delete(path)
    assert.equal((await admin.delete(`${path}?language=de&text_only=true`)).status, 404)
  }
})

test('an editor can read both texts, and the response names its language', async () => {
  const { id } = await anEvent({ title: 'Only German', language: 'de' })
  const path = `${calendar}/events/${id}`
  const response = await editor.get(`${path}?language=en&context=edit`)
  assert.deepEqual([response.body.language, response.body.translations], ['de', ['de']])
  await editor.patch(`${path}?language=en`, { title: 'English too' })
  const titles = await Promise.all(
    ['en', 'de'].map(async language => (await editor.get(`${path}?language=${language}`)).body.title)
  )
  assert.deepEqual(titles, ['English too', 'Only German'])
})
