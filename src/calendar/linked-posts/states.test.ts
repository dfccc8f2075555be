import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole } = await startCalendar()
const contributor = await withRole('contributor')
const author = await withRole('author')
const otherAuthor = await withRole('author')
const editor = await withRole('editor')
const viewer = await withRole('viewer')

for (const kind of ['venue', 'organizer'] as const) {
  const path = `${calendar}/${kind}s`
  const one = kind === 'venue' ? 'a venue' : 'an organizer'
  const make = async (fields: object = {}, by: Client = admin) => {
    const made = await by.post(path, { [kind]: 'Statesman', ...fields })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  test(`only writers make ${one}`, async () => {
    const body = { [kind]: 'Hall' }
    assert.deepEqual(codeOf(await visitor.post(path, body)), [401, 'rest_forbidden'])
    assert.deepEqual(codeOf(await visitor.post(path, {})), [401, 'rest_forbidden'])
    assert.deepEqual(codeOf(await viewer.post(path, body)), [403, 'rest_forbidden'])
    assert.equal((await contributor.post(path, body)).body.status, 'draft')
    assert.equal((await contributor.post(path, { ...body, status: 'publish' })).body.status, 'pending')
    assert.equal((await author.post(path, body)).body.status, 'publish')
    assert.equal((await author.post(path, { ...body, status: 'private' })).body.status, 'private')
  })

  test(`POST always makes a new ${kind}, and with an Idempotency-Key only one`, async () => {
    const body = { [kind]: 'Twice' }
    const [one, two] = [await make(body), await make(body)]
    assert.notEqual(one.id, two.id)
    assert.deepEqual([one.slug, two.slug], ['twice', 'twice-2'])
    const first = await admin.post(path, body, { 'idempotency-key': `twice-${kind}` })
    const again = await admin.post(path, body, { 'idempotency-key': `twice-${kind}` })
    assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 201, 'true'])
    assert.deepEqual([again.body, again.headers.etag], [first.body, first.headers.etag])
  })

  test(`who may change and delete ${one}: own ones, published ones by who may publish, others' by editors`, async () => {
    const draft = await make({}, contributor)
    const published = await make({}, author)
    const each = async (id: number, by: Client) => [
      (await by.patch(`${path}/${id}`, { phone: '1' })).status,
      (await by.delete(`${path}/${id}`)).status
    ]
    for (const stranger of [visitor]) assert.deepEqual(await each(draft.id, stranger), [401, 401])
    for (const stranger of [viewer, author]) assert.deepEqual(await each(draft.id, stranger), [403, 403])
    for (const stranger of [viewer, contributor, otherAuthor]) {
      assert.deepEqual(await each(published.id, stranger), [403, 403])
      const bySlug = await stranger.patch(`${path}/by-slug/${published.slug}`, { phone: '1' })
      assert.deepEqual(codeOf(bySlug), [403, 'rest_forbidden'])
    }
    assert.equal((await editor.patch(`${path}/${draft.id}`, { status: 'publish' })).status, 200)
    assert.deepEqual(await each(draft.id, contributor), [403, 403])
    assert.deepEqual(await each(published.id, author), [200, 200])
    assert.deepEqual(await each(draft.id, editor), [200, 200])
  })

  test(`what is not published of ${one} is seen by its author and by editors`, async () => {
    for (const status of ['draft', 'pending', 'private', 'future']) {
      const date = status === 'future' ? { date: '2099-01-01 00:00:00' } : {}
      const { id, slug, url, ...made } = await make({ status, ...date }, author)
      assert.equal(made.status, status)
      assert.match(url, new RegExp(`/\\?post_type=tribe_${kind}&p=${id}$`))
      assert.notEqual(slug, '')
      for (const address of [`${path}/${id}`, `${path}/by-slug/${slug}`]) {
        for (const stranger of [visitor, viewer, contributor, otherAuthor]) {
          const expected = address.includes('by-slug')
            ? [404, `rest-${kind}-not-found`]
            : [403, `${kind}-not-accessible`]
          assert.deepEqual(codeOf(await stranger.get(address)), expected)
        }
        for (const friend of [author, editor, admin]) assert.equal((await friend.get(address)).status, 200)
      }
    }
    const soon = await make({ status: 'future', date: new Date(Date.now() + 30_000).toISOString() }, author)
    assert.equal(soon.status, 'publish')
    assert.equal((await make({ status: 'draft' }, author)).date_utc, '0000-00-00 00:00:00')
  })

  test(`only editors name another author of ${one}`, async () => {
    const own = await make({}, author)
    assert.equal((await make({ author: own.author }, author)).author, own.author)
    assert.deepEqual(codeOf(await author.post(path, { [kind]: 'Gift', author: 1 })), [403, 'rest_forbidden'])
    assert.deepEqual(codeOf(await author.patch(`${path}/${own.id}`, { author: 1 })), [403, 'rest_forbidden'])
    assert.equal((await make({ author: own.author }, editor)).author, own.author)
    assert.equal((await editor.patch(`${path}/${own.id}`, { author: 1 })).body.author, '1')
    const unknown = await editor.patch(`${path}/${own.id}`, { author: 987_654 })
    assert.deepEqual([unknown.status, Object.keys(unknown.body.data.params)], [400, ['author']])
  })

  test(`a deleted ${kind} goes to the trash and answers 404 and 410 from there`, async () => {
    const { id, slug } = await make({ [kind]: `Goes ${kind}` })
    const trashed = await admin.delete(`${path}/${id}`)
    assert.equal(trashed.status, 200)
    assert.deepEqual([trashed.body.status, trashed.body.slug], ['trash', `${slug}__trashed`])
    assert.match(trashed.body.url, /\?post_type=/)
    assert.equal('json_ld' in trashed.body, false)

    const addresses = [`${path}/${id}`, `${path}/by-slug/${slug}`, `${path}/by-slug/${slug}__trashed`]
    for (const address of addresses) {
      for (const client of [visitor, admin]) {
        assert.deepEqual(codeOf(await client.get(address)), [404, `${kind}-no-longer-available`])
      }
      assert.deepEqual(codeOf(await admin.delete(address)), [410, `${kind}-is-in-trash`])
      assert.deepEqual(codeOf(await admin.patch(address, { phone: '1' })), [404, `${kind}-no-longer-available`])
    }
    assert.equal((await admin.get(`${path}?include=${id}`)).body.total, 0)
  })

  test(`a state brings ${one} back, with its slug or with a suffix if that was taken`, async () => {
    const first = await make({ [kind]: 'Phoenix' })
    await admin.delete(`${path}/${first.id}`)
    const back = await admin.post(`${path}/by-slug/${first.slug}__trashed`, { status: 'publish' })
    assert.deepEqual([back.status, back.body.id, back.body.slug], [200, first.id, first.slug])
    assert.equal(back.body.date, first.date)

    await admin.patch(`${path}/${first.id}`, { status: 'trash' })
    const second = await make({ [kind]: 'Phoenix' })
    assert.equal(second.slug, first.slug)
    assert.equal((await visitor.get(`${path}/by-slug/${first.slug}`)).body.id, second.id)
    const returned = await admin.patch(`${path}/${first.id}`, { status: 'draft', slug: `${first.slug}__trashed` })
    assert.deepEqual([returned.body.status, returned.body.slug], ['draft', `${first.slug}-2`])
  })

  test(`force removes ${one} for good, from the trash too, by whoever may edit it`, async () => {
    const published = await make({}, author)
    for (const stranger of [contributor, otherAuthor]) {
      assert.equal((await stranger.delete(`${path}/${published.id}?force=true`)).status, 403)
    }
    const own = await make({}, contributor)
    const draft = await make({}, contributor)
    assert.equal((await contributor.delete(`${path}/${draft.id}?force=true`)).status, 200)

    assert.equal((await author.delete(`${path}/${published.id}?force=true`)).status, 200)
    assert.equal((await contributor.delete(`${path}/${own.id}?force=false`)).body.status, 'trash')
    assert.equal((await editor.delete(`${path}/by-slug/${own.slug}__trashed?force=1`)).body.id, own.id)
    for (const { id } of [published, own]) {
      assert.deepEqual(codeOf(await admin.get(`${path}/${id}`)), [404, `rest-${kind}-not-found`])
      assert.deepEqual(codeOf(await admin.delete(`${path}/${id}`)), [404, `rest-${kind}-not-found`])
    }
  })

  test(`an unknown ${kind} is 404 by number and by slug, whatever the slug`, async () => {
    const unknown = [
      '987654',
      '0',
      '99999999999999999999',
      'by-slug/no-such',
      'by-slug/%E6%97%A5',
      'by-slug/%00',
      'by-slug/NO%20such',
      `by-slug/${'x'.repeat(5000)}`
    ]
    for (const key of unknown) {
      const address = `${path}/${key}`
      assert.deepEqual(codeOf(await visitor.get(address)), [404, `rest-${kind}-not-found`], key.slice(0, 50))
      assert.deepEqual(codeOf(await admin.delete(address)), [404, `rest-${kind}-not-found`])
      assert.deepEqual(codeOf(await admin.patch(address, { phone: '1' })), [404, `rest-${kind}-not-found`])
    }
    const other = kind === 'venue' ? 'organizer' : 'venue'
    const { id } = await make()
    assert.deepEqual(codeOf(await visitor.get(`${calendar}/${other}s/${id}`)), [404, `rest-${other}-not-found`])
  })

  test(`${one} has a version: If-Match of an older one is refused`, async () => {
    const { id } = await make()
    const read = await visitor.get(`${path}/${id}`)
    assert.match(read.headers.etag ?? '', /^"1-/)
    assert.equal((await visitor.get(`${path}/${id}`, { 'if-none-match': read.headers.etag ?? '' })).status, 304)
    const changed = await admin.patch(`${path}/${id}`, { phone: '2' }, { 'if-match': read.headers.etag ?? '' })
    assert.deepEqual([changed.status, changed.headers.etag?.slice(0, 3)], [200, '"2-'])
    for (const method of ['PATCH', 'DELETE'] as const) {
      const stale = await admin.send({ method, url: `${path}/${id}`, headers: { 'if-match': read.headers.etag ?? '' } })
      assert.equal(stale.status, 412)
    }
    const deleted = await admin.delete(`${path}/${id}`, { 'if-match': changed.headers.etag ?? '' })
    assert.deepEqual([deleted.status, deleted.headers.etag?.slice(0, 3)], [200, '"3-'])
  })

  test(`everything that happens to ${one} is recorded`, async () => {
    const { id } = await make()
    await admin.patch(`${path}/${id}`, { phone: '2' })
    await admin.delete(`${path}/${id}`)
    await admin.patch(`${path}/${id}`, { status: 'draft' })
    await admin.delete(`${path}/${id}?force=true`)
    const { body } = await admin.get('/activity?limit=5')
    assert.deepEqual(
      body.map(({ action }: { action: string }) => action).toReversed(),
      ['created', 'updated', 'trashed', 'restored', 'deleted'].map(happened => `${kind}.${happened}`)
    )
  })
}
