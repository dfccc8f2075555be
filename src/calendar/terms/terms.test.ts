import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, aCategory, aTag, anEvent } = await startCalendar()
const categories = `${calendar}/categories`
const tags = `${calendar}/tags`
const origin = 'http://localhost:80'

let names = 0
/** A name that no other test uses. */
function newName(word = 'Term'): string {
  names += 1
  return `${word} ${names}x`
}

test('a category is created with the whole shape of the contract, and read as that', async () => {
  const parent = await aCategory({ name: 'Shape above' })
  const made = await admin.post(categories, {
    name: 'Shape below',
    description: '<p>All of it</p>',
    slug: 'below',
    parent: parent.id
  })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body
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
  const { _links, ...rest } = made.body
  assert.deepEqual(rest, shape)
  assert.deepEqual(_links.self, [{ href: `${root}/${id}` }])
  assert.deepEqual(_links.up, [{ embeddable: true, href: `${root}/${parent.id}` }])
  assert.equal(made.headers.location, `${root}/${id}`)
  assert.match(made.headers.etag ?? '', /^"1-/)

  assert.deepEqual((await visitor.get(`${categories}/${id}`)).body, made.body)
  const list = await visitor.get(`${categories}?hide_empty=0&slug=below`)
  assert.deepEqual(list.body.categories, [shape])
})

test('a tag has the same shape without a parent', async () => {
  const made = await admin.post(tags, { name: 'For all', slug: 'fam', description: 'For families' })
  assert.equal(made.status, 201, made.text)
  const { _links, ...rest } = made.body
  const root = `${origin}${tags}`
  assert.deepEqual(rest, {
    id: made.body.id,
    count: 0,
    description: 'For families',
    name: 'For all',
    slug: 'fam',
    taxonomy: 'post_tag',
    meta: [],
    url: `${origin}/tag/fam/`,
    urls: { self: `${root}/${made.body.id}`, collection: root },
    language: 'en',
    translations: ['en']
  })
  assert.deepEqual(_links.collection, [{ href: root }])
  assert.deepEqual((await visitor.get(`${tags}/${made.body.id}`)).body, made.body)
})

test('links and Location stay at the address that was asked', async () => {
  const alias = '/wp-json/tribe/events/v1/categories'
  const made = await admin.post(alias, { name: newName() })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.headers.location, `${origin}${alias}/${made.body.id}`)
  assert.equal(made.body.urls.self, `${origin}${alias}/${made.body.id}`)
})

for (const path of [categories, tags]) {
  test(`a name is required and must say something: ${path}`, async () => {
    const missing = await admin.post(path, { description: 'No name' })
    assert.equal(missing.status, 400)
    assert.equal(missing.body.code, 'rest_missing_callback_param')
    assert.deepEqual(missing.body.data.params, ['name'])

    const made = await admin.post(path, { name: newName() })
    for (const name of ['', '0', '  ', '<b></b>', '&nbsp;', '\u200b', '\u0301', {}, ['a'], true, 'x'.repeat(201)]) {
      for (const answer of [await admin.post(path, { name }), await admin.put(`${path}/${made.body.id}`, { name })]) {
        assert.equal(answer.status, 400, `${JSON.stringify(name)}: ${answer.text}`)
        assert.equal(answer.body.code, 'rest_invalid_param')
        assert.deepEqual(Object.keys(answer.body.data.params), ['name'])
      }
    }
    assert.equal((await admin.patch(`${path}/${made.body.id}`, { name: null })).status, 400)
    assert.equal((await admin.post(path, { name: 'y'.repeat(200) })).status, 201)
    const tagged = await admin.post(path, { name: `<b>${'z'.repeat(200)}</b>` })
    assert.equal(tagged.body.name, 'z'.repeat(200), 'What is taken out does not count.')
  })

  test(`names are plain text, descriptions are clean HTML as stored: ${path}`, async () => {
    const made = await admin.post(path, {
      name: ' <b>Rock</b> &amp; \\Roll\n ',
      description: '<p onclick="x()">One\\two</p><script>alert(1)</script>\n\n<em>three</em>'
    })
    assert.equal(made.body.name, 'Rock & \\Roll')
    assert.equal(made.body.slug, 'rock-roll')
    assert.equal(made.body.description, '<p>One\\two</p>\n\n<em>three</em>')
    const emptied = await admin.patch(`${path}/${made.body.id}`, { description: '' })
    assert.equal(emptied.body.description, '')
    assert.equal((await admin.post(path, { name: newName(), description: '' })).status, 201)
  })

  test(`the same name is refused with the id of the first, unless it comes with a slug that is new: ${path}`, async () => {
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

  test(`a slug that is taken gets a number when a term is made, and is refused when one is changed: ${path}`, async () => {
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

  test(`a change keeps what it does not mention, by POST, PUT and PATCH: ${path}`, async () => {
    const made = await admin.post(path, { name: newName('Kept'), description: 'Kept', slug: newName('kept-slug') })
    const { _links, ...before } = made.body
    const at = `${path}/${before.id}`
    for (const method of ['post', 'put', 'patch'] as const) {
      const changed = await admin[method](at, { description: `By ${method}` })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(changed.body, { ...before, description: `By ${method}`, _links })
    }
    const renamed = await admin.patch(at, { name: 'Renamed thing' })
    assert.equal(renamed.body.slug, before.slug, 'A name does not change the address.')
    const anew = await admin.patch(at, { slug: '' })
    assert.equal(anew.body.slug, 'renamed-thing')
    assert.equal((await admin.patch(at, { slug: 'own' })).body.slug, 'own')
    assert.equal((await admin.patch(at, { slug: null })).body.slug, 'renamed-thing')
    assert.equal((await admin.patch(at, { description: null })).body.description, '')
    assert.equal((await admin.patch(at, {})).body.name, 'Renamed thing')
  })

  test(`the path names the term, whatever the body or the query says: ${path}`, async () => {
    const one = (await admin.post(path, { name: newName() })).body
    const other = (await admin.post(path, { name: newName() })).body
    assert.equal((await visitor.get(`${path}/${one.id}?id=${other.id}`)).body.id, one.id)
    const changed = await admin.patch(`${path}/${one.id}?id=${other.id}`, { id: other.id, description: 'Mine' })
    assert.equal(changed.body.id, one.id)
    assert.equal((await visitor.get(`${path}/${other.id}`)).body.description, '')
    assert.equal((await admin.delete(`${path}/${one.id}?id=${other.id}`)).body.id, one.id)
    assert.equal((await visitor.get(`${path}/${other.id}`)).status, 200)
  })

  test(`an id that is not there, or of the other kind, is not found: ${path}`, async () => {
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

  test(`a term is removed for good, and from its events: ${path}`, async () => {
    const field = path === categories ? 'categories' : 'tags'
    const made = (await admin.post(path, { name: newName(), description: 'Last words' })).body
    const event = await anEvent({ [field]: [made.id] })
    assert.equal(event[field].length, 1)

    const removed = await admin.delete(`${path}/${made.id}`)
    assert.equal(removed.status, 200, removed.text)
    assert.equal(removed.body.description, 'Last words')
    assert.equal(removed.body.count, 1)
    assert.equal(removed.body._links, undefined)
    const again = await admin.delete(`${path}/${made.id}`)
    assert.equal(again.status, 404)
    assert.equal(again.body.code, 'rest-term-not-found')
    assert.equal((await visitor.get(`${path}/${made.id}`)).status, 404)
    assert.deepEqual((await visitor.get(`${calendar}/events/${event.id}`)).body[field], [])
  })

  test(`a change that goes by an old reading is refused: ${path}`, async () => {
    const made = await admin.post(path, { name: newName() })
    const at = `${path}/${made.body.id}`
    const old = { 'if-match': made.headers.etag ?? '' }
    const changed = await admin.patch(at, { description: 'New' }, old)
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await admin.patch(at, { description: 'Newer' }, old)).status, 412)
    assert.equal((await admin.delete(at, old)).status, 412)
    const current = { 'if-match': (await visitor.get(at)).headers.etag ?? '' }
    assert.equal((await admin.delete(at, current)).status, 200)
  })

  test(`a creation with an Idempotency-Key happens once: ${path}`, async () => {
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

  test(`what was done to a term is on record: ${path}`, async () => {
    const kind = path === categories ? 'category' : 'tag'
    const { id } = (await admin.post(path, { name: newName() })).body
    await admin.patch(`${path}/${id}`, { description: 'Changed' })
    await admin.delete(`${path}/${id}`)
    const activity = await admin.get(`/activity?subject=${kind}&subjectId=${id}`)
    const actions = activity.body.map((one: { action: string }) => one.action)
    assert.deepEqual(actions.toSorted(), [`${kind}.created`, `${kind}.deleted`, `${kind}.updated`])
  })
}

test('categories and tags do not take each other’s names and slugs', async () => {
  const category = await aCategory({ name: 'Common ground' })
  const tag = await aTag({ name: 'Common ground' })
  assert.deepEqual([category.slug, tag.slug], ['common-ground', 'common-ground'])
})

test('bodies may be forms and parameters may be in the query, as clients of the contract send them', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const made = await admin.send({ method: 'POST', url: categories, headers: form, payload: 'name=By+form&parent=0' })
  assert.equal(made.status, 201, made.text)
  const changed = await admin.put(`${categories}/${made.body.id}?description=By%20query`, {})
  assert.equal(changed.body.description, 'By query')
})

test('a tag has no parent', async () => {
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
  test(`${role ?? 'a visitor'} reads terms, and writes them as far as the contract allows`, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    for (const [path, expected] of [
      [categories, forCategories],
      [tags, forTags]
    ] as const) {
      const { id } = (await admin.post(path, { name: newName() })).body
      assert.equal((await client.get(`${path}/${id}`)).status, 200)
      assert.equal((await client.get(path)).status, 200)
      const made = await client.post(path, { name: newName() })
      assert.equal(made.status, expected === 200 ? 201 : expected, made.text)
      assert.equal((await client.patch(`${path}/${id}`, { description: 'By role' })).status, expected)
      const removed = await client.delete(`${path}/${id}`)
      assert.equal(removed.status, expected)
      if (expected !== 200) {
        assert.equal(removed.body.code, 'rest_forbidden')
        // Permission comes before validation and existence.
        assert.equal((await client.post(path, {})).status, expected)
        assert.equal((await client.delete(`${path}/999999`)).status, expected)
      }
    }
  })
}

test('whatever the name, the term is found again by the slug it got, and its name comes back as it was answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async name => {
      const made = await admin.post(tags, { name })
      if (made.status === 400) {
        assert.ok(['rest_invalid_param', 'term_exists'].includes(made.body.code), made.text)
        return
      }
      assert.equal(made.status, 201, made.text)
      assert.match(made.body.slug, /^[a-z0-9_%-]{1,200}$/)
      const found = await visitor.get(`${tags}?hide_empty=0&slug=${encodeURIComponent(made.body.slug)}`)
      assert.deepEqual(
        found.body.tags?.map((tag: { id: number }) => tag.id),
        made.body.slug === '0' ? undefined : [made.body.id],
        found.text
      )
      const renamed = await admin.patch(`${tags}/${made.body.id}`, { name: made.body.name })
      assert.equal(renamed.body.name, made.body.name, 'Cleaning what is clean changes nothing.')
    }),
    { numRuns: countRuns(40) }
  )
})
