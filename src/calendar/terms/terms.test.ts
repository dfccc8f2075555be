import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, aCategory, aTag, anEvent } = await startCalendar()
const categories = `${calendar}/categories`
const tags = `${calendar}/tags`
const origin = 'http://localhost:80'

let nameCount = 0
/** A name that no other test uses. */
function newName(word = 'Term'): string {
  nameCount += 1
  return `${word} ${nameCount}x`
}

test('a created category has all members of the contract, and is read with the same ones', async () => {
  const parent = await aCategory({ name: 'Shape above' })
  const created = await admin.post(categories, {
    name: 'Shape below',
    description: '<p>All of it</p>',
    slug: 'below',
    parent: parent.id
  })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body
  const root = `${origin}${categories}`
  const shape = {
    id,
    count: 0,
    description: '<p>All of it</p>',
    name: 'Shape below',
    slug: 'below',
    taxonomy: 'tribe_events_cat',
    parent: parent.id,
    meta: [],
    url: `${origin}/events/category/shape-above/below/`,
    urls: { self: `${root}/${id}`, collection: root, up: `${root}/${parent.id}` },
    language: 'en',
    translations: ['en']
  }
  const { _links, ...rest } = created.body
  assert.deepEqual(rest, shape)
  assert.deepEqual(_links.self, [{ href: `${root}/${id}` }])
  assert.deepEqual(_links.up, [{ embeddable: true, href: `${root}/${parent.id}` }])
  assert.equal(created.headers.location, `${root}/${id}`)
  assert.match(created.headers.etag ?? '', /^"1-/)

  assert.deepEqual((await visitor.get(`${categories}/${id}`)).body, created.body)
  const list = await visitor.get(`${categories}?hide_empty=0&slug=below`)
  assert.deepEqual(list.body.categories, [shape])
})

test('a tag has the same members without a parent', async () => {
  const created = await admin.post(tags, { name: 'For all', slug: 'fam', description: 'For families' })
  assert.equal(created.status, 201, created.text)
  const { _links, ...rest } = created.body
  const root = `${origin}${tags}`
  assert.deepEqual(rest, {
    id: created.body.id,
    count: 0,
    description: 'For families',
    name: 'For all',
    slug: 'fam',
    taxonomy: 'post_tag',
    meta: [],
    url: `${origin}/tag/fam/`,
    urls: { self: `${root}/${created.body.id}`, collection: root },
    language: 'en',
    translations: ['en']
  })
  assert.deepEqual(_links.collection, [{ href: root }])
  assert.deepEqual((await visitor.get(`${tags}/${created.body.id}`)).body, created.body)
})

test('links and the Location header stay under the requested URL', async () => {
  const alias = '/wp-json/tribe/events/v1/categories'
  const created = await admin.post(alias, { name: newName() })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.headers.location, `${origin}${alias}/${created.body.id}`)
  assert.equal(created.body.urls.self, `${origin}${alias}/${created.body.id}`)
})

for (const path of [categories, tags]) {
  test(`a name is required and must not be empty: ${path}`, async () => {
    const missing = await admin.post(path, { description: 'No name' })
    assert.equal(missing.status, 400)
    assert.equal(missing.body.code, 'rest_missing_callback_param')
    assert.deepEqual(missing.body.data.params, ['name'])

    const created = await admin.post(path, { name: newName() })
    for (const name of ['', '0', '  ', '<b></b>', '&nbsp;', '\u200b', '\u0301', {}, ['a'], true, 'x'.repeat(201)]) {
      for (const answer of [
        await admin.post(path, { name }),
        await admin.put(`${path}/${created.body.id}`, { name })
      ]) {
        assert.equal(answer.status, 400, `${JSON.stringify(name)}: ${answer.text}`)
        assert.equal(answer.body.code, 'rest_invalid_param')
        assert.deepEqual(Object.keys(answer.body.data.params), ['name'])
      }
    }
    assert.equal((await admin.patch(`${path}/${created.body.id}`, { name: null })).status, 400)
    assert.equal((await admin.post(path, { name: 'y'.repeat(200) })).status, 201)
    const tagged = await admin.post(path, { name: `<b>${'z'.repeat(200)}</b>` })
    assert.equal(tagged.body.name, 'z'.repeat(200), 'removed markup does not count')
  })

  test(`names are plain text, descriptions are sanitized HTML: ${path}`, async () => {
    const created = await admin.post(path, {
      name: ' <b>Rock</b> &amp; \\Roll\n ',
      description: '<p onclick="x()">One\\two</p><script>alert(1)</script>\n\n<em>three</em>'
    })
    assert.equal(created.body.name, 'Rock & \\Roll')
    assert.equal(created.body.slug, 'rock-roll')
    assert.equal(created.body.description, '<p>One\\two</p>\n\n<em>three</em>')
    const emptied = await admin.patch(`${path}/${created.body.id}`, { description: '' })
    assert.equal(emptied.body.description, '')
    assert.equal((await admin.post(path, { name: newName(), description: '' })).status, 201)
  })

  test(`an existing name is refused with the id of its term, unless the request has a new slug: ${path}`, async () => {
    const first = await admin.post(path, { name: 'Café du Nord' })
    for (const name of ['Café du Nord', 'CAFE  du nord', '<i>Café</i> du Nord']) {
      const again = await admin.post(path, { name })
      assert.equal(again.status, 400, again.text)
      assert.equal(again.body.code, 'term_exists')
      assert.equal(again.body.data.term_id, first.body.id)
    }
    assert.equal((await admin.post(path, { name: 'Café du Nord', slug: 'cafe-du-nord' })).body.code, 'term_exists')
    const other = await admin.post(path, { name: 'Café du Nord', slug: 'another-cafe' })
    assert.equal(other.status, 201, other.text)
    assert.equal(other.body.slug, 'another-cafe')
  })

  test(`a slug that is taken gets a number on create, and is refused on update: ${path}`, async () => {
    const first = await admin.post(path, { name: newName(), slug: 'wanted' })
    const second = await admin.post(path, { name: newName(), slug: 'Wanted' })
    assert.deepEqual([first.body.slug, second.body.slug], ['wanted', 'wanted-2'])

    const refused = await admin.patch(`${path}/${second.body.id}`, { slug: 'wanted', name: 'Never' })
    assert.equal(refused.status, 400, refused.text)
    assert.equal(refused.body.code, 'duplicate_term_slug')
    assert.equal((await visitor.get(`${path}/${second.body.id}`)).body.name, second.body.name)
    const own = await admin.patch(`${path}/${second.body.id}`, { slug: 'wanted-2' })
    assert.equal(own.status, 200, own.text)
  })

  test(`POST, PUT and PATCH change only the fields of the request: ${path}`, async () => {
    const created = await admin.post(path, { name: newName('Kept'), description: 'Kept', slug: newName('kept-slug') })
    const { _links, ...before } = created.body
    const at = `${path}/${before.id}`
    for (const method of ['post', 'put', 'patch'] as const) {
      const changed = await admin[method](at, { description: `By ${method}` })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(changed.body, { ...before, description: `By ${method}`, _links })
    }
    const renamed = await admin.patch(at, { name: 'Renamed thing' })
    assert.equal(renamed.body.slug, before.slug, 'a new name does not change the slug')
    const reset = await admin.patch(at, { slug: '' })
    assert.equal(reset.body.slug, 'renamed-thing')
    assert.equal((await admin.patch(at, { slug: 'own' })).body.slug, 'own')
    assert.equal((await admin.patch(at, { slug: null })).body.slug, 'renamed-thing')
    assert.equal((await admin.patch(at, { description: null })).body.description, '')
    assert.equal((await admin.patch(at, {})).body.name, 'Renamed thing')
  })

  test(`the path selects the term, not an id in body or query: ${path}`, async () => {
    const one = (await admin.post(path, { name: newName() })).body
    const other = (await admin.post(path, { name: newName() })).body
    assert.equal((await visitor.get(`${path}/${one.id}?id=${other.id}`)).body.id, one.id)
    const changed = await admin.patch(`${path}/${one.id}?id=${other.id}`, { id: other.id, description: 'Mine' })
    assert.equal(changed.body.id, one.id)
    assert.equal((await visitor.get(`${path}/${other.id}`)).body.description, '')
    assert.equal((await admin.delete(`${path}/${one.id}?id=${other.id}`)).body.id, one.id)
    assert.equal((await visitor.get(`${path}/${other.id}`)).status, 200)
  })

  test(`an unknown id, or an id of the other kind, is 404: ${path}`, async () => {
    const other = path === categories ? await aTag({ name: newName() }) : await aCategory({ name: newName() })
    for (const id of [other.id, 999_999, 0, '99999999999999999999']) {
      const at = `${path}/${id}`
      const answers = [
        await visitor.get(at),
        await admin.post(at, { name: newName() }),
        await admin.put(at, { name: newName() }),
        await admin.patch(at, {}),
        await admin.delete(at)
      ]
      for (const answer of answers) {
        assert.equal(answer.status, 404, answer.text)
        assert.equal(answer.body.code, 'rest-term-not-found')
      }
    }
    assert.equal((await visitor.get(`${path}/abc`)).body.code, 'rest_no_route')
    assert.equal((await admin.put(path, { name: newName() })).body.code, 'rest_no_route')
  })

  test(`a term is deleted permanently, and removed from its events: ${path}`, async () => {
    const field = path === categories ? 'categories' : 'tags'
    const created = (await admin.post(path, { name: newName(), description: 'Last words' })).body
    const event = await anEvent({ [field]: [created.id] })
    assert.equal(event[field].length, 1)

    const removed = await admin.delete(`${path}/${created.id}`)
    assert.equal(removed.status, 200, removed.text)
    assert.equal(removed.body.description, 'Last words')
    assert.equal(removed.body.count, 1)
    assert.equal(removed.body._links, undefined)
    const again = await admin.delete(`${path}/${created.id}`)
    assert.equal(again.status, 404)
    assert.equal(again.body.code, 'rest-term-not-found')
    assert.equal((await visitor.get(`${path}/${created.id}`)).status, 404)
    assert.deepEqual((await visitor.get(`${calendar}/events/${event.id}`)).body[field], [])
  })

  test(`a change with an outdated If-Match is 412: ${path}`, async () => {
    const created = await admin.post(path, { name: newName() })
    const at = `${path}/${created.body.id}`
    const old = { 'if-match': created.headers.etag ?? '' }
    const changed = await admin.patch(at, { description: 'New' }, old)
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await admin.patch(at, { description: 'Newer' }, old)).status, 412)
    assert.equal((await admin.delete(at, old)).status, 412)
    const current = { 'if-match': (await visitor.get(at)).headers.etag ?? '' }
    assert.equal((await admin.delete(at, current)).status, 200)
  })

  test(`a repeated POST with the same Idempotency-Key creates one term: ${path}`, async () => {
    const name = newName()
    const key = { 'idempotency-key': `once-${path}` }
    const first = await admin.post(path, { name }, key)
    const second = await admin.post(path, { name }, key)
    assert.deepEqual([first.status, second.status], [201, 201], second.text)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.headers.location, first.headers.location)
    assert.equal(second.headers.etag, first.headers.etag)
  })

  test(`each change of a term adds a record to the activity log: ${path}`, async () => {
    const kind = path === categories ? 'category' : 'tag'
    const { id } = (await admin.post(path, { name: newName() })).body
    await admin.patch(`${path}/${id}`, { description: 'Changed' })
    await admin.delete(`${path}/${id}`)
    const activity = await admin.get(`/activity?subject=${kind}&subjectId=${id}`)
    const actions = activity.body.map((one: { action: string }) => one.action)
    assert.deepEqual(actions.toSorted(), [`${kind}.created`, `${kind}.deleted`, `${kind}.updated`])
  })
}

test('a category and a tag can have the same name and slug', async () => {
  const category = await aCategory({ name: 'Common ground' })
  const tag = await aTag({ name: 'Common ground' })
  assert.deepEqual([category.slug, tag.slug], ['common-ground', 'common-ground'])
})

test('terms can be created with a form, and changed with parameters in the query', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const created = await admin.send({ method: 'POST', url: categories, headers: form, payload: 'name=By+form&parent=0' })
  assert.equal(created.status, 201, created.text)
  const changed = await admin.put(`${categories}/${created.body.id}?description=By%20query`, {})
  assert.equal(changed.body.description, 'By query')
})

test('a parent of a tag is refused', async () => {
  const category = await aCategory({ name: newName() })
  const tag = await aTag({ name: newName() })
  for (const parent of [category.id, tag.id, 'x', 999_999]) {
    for (const answer of [
      await admin.post(tags, { name: newName(), parent }),
      await admin.patch(`${tags}/${tag.id}`, { parent })
    ]) {
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.code, 'rest_taxonomy_not_hierarchical')
    }
  }
  assert.equal((await admin.post(tags, { name: newName(), parent: 0 })).status, 201)
})

const roles: [Parameters<typeof withRole>[0] | undefined, number, number][] = [
  [undefined, 401, 401],
  ['viewer', 403, 403],
  ['contributor', 403, 403],
  ['author', 200, 403],
  ['editor', 200, 200],
  ['admin', 200, 200]
]
for (const [role, forCategories, forTags] of roles) {
  test(`${role ?? 'a visitor'} can read terms, and write them as the contract allows`, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    for (const [path, expected] of [
      [categories, forCategories],
      [tags, forTags]
    ] as const) {
      const { id } = (await admin.post(path, { name: newName() })).body
      assert.equal((await client.get(`${path}/${id}`)).status, 200)
      assert.equal((await client.get(path)).status, 200)
      const created = await client.post(path, { name: newName() })
      assert.equal(created.status, expected === 200 ? 201 : expected, created.text)
      assert.equal((await client.patch(`${path}/${id}`, { description: 'By role' })).status, expected)
      const removed = await client.delete(`${path}/${id}`)
      assert.equal(removed.status, expected)
      if (expected !== 200) {
        assert.equal(removed.body.code, 'rest_forbidden')
        // Permission is checked before validation and existence.
        assert.equal((await client.post(path, {})).status, expected)
        assert.equal((await client.delete(`${path}/999999`)).status, expected)
      }
    }
  })
}

test('a term with any name is found by its slug, and keeps its name when it is sent back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async name => {
      const created = await admin.post(tags, { name })
      if (created.status === 400) {
        assert.ok(['rest_invalid_param', 'term_exists'].includes(created.body.code), created.text)
        return
      }
      assert.equal(created.status, 201, created.text)
      assert.match(created.body.slug, /^[a-z0-9_%-]{1,200}$/)
      const found = await visitor.get(`${tags}?hide_empty=0&slug=${encodeURIComponent(created.body.slug)}`)
      assert.deepEqual(
        found.body.tags?.map((tag: { id: number }) => tag.id),
        created.body.slug === '0' ? undefined : [created.body.id],
        found.text
      )
      const renamed = await admin.patch(`${tags}/${created.body.id}`, { name: created.body.name })
      assert.equal(renamed.body.name, created.body.name, 'sanitizing a name twice changes nothing')
    }),
    { numRuns: countRuns(40) }
  )
})
