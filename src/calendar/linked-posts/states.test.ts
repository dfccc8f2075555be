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
  const create = async (fields: object = {}, by: Client = admin) => {
    const created = await by.post(path, { [kind]: 'Statesman', ...fields })
    assert.equal(created.status, 201, created.text)
    return created.body
  }
  const getStatusAndCode = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  test(`only roles that may write can create ${one}; for a contributor it is a draft or pending`, async () => {
    const body = { [kind]: 'Hall' }
    assert.deepEqual(getStatusAndCode(await visitor.post(path, body)), [401, 'rest_forbidden'])
    assert.deepEqual(getStatusAndCode(await visitor.post(path, {})), [401, 'rest_forbidden'])
    assert.deepEqual(getStatusAndCode(await viewer.post(path, body)), [403, 'rest_forbidden'])
    assert.equal((await contributor.post(path, body)).body.status, 'draft')
    assert.equal((await contributor.post(path, { ...body, status: 'publish' })).body.status, 'pending')
    assert.equal((await author.post(path, body)).body.status, 'publish')
    assert.equal((await author.post(path, { ...body, status: 'private' })).body.status, 'private')
  })

  test(`each POST creates a new ${kind}, repeated requests with the same Idempotency-Key only one`, async () => {
    const body = { [kind]: 'Twice' }
    const [one, two] = [await create(body), await create(body)]
    assert.notEqual(one.id, two.id)
    assert.deepEqual([one.slug, two.slug], ['twice', 'twice-2'])
    const first = await admin.post(path, body, { 'idempotency-key': `twice-${kind}` })
    const again = await admin.post(path, body, { 'idempotency-key': `twice-${kind}` })
    assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 201, 'true'])
    assert.deepEqual([again.body, again.headers.etag], [first.body, first.headers.etag])
  })

  test(`contributors can change and delete ${one} of their own until it is published, authors their own, editors all`, async () => {
    const draft = await create({}, contributor)
    const published = await create({}, author)
    const tryPatchAndDelete = async (id: number, by: Client) => [
      (await by.patch(`${path}/${id}`, { phone: '1' })).status,
      (await by.delete(`${path}/${id}`)).status
    ]
    for (const other of [visitor]) assert.deepEqual(await tryPatchAndDelete(draft.id, other), [401, 401])
    for (const other of [viewer, author]) assert.deepEqual(await tryPatchAndDelete(draft.id, other), [403, 403])
    for (const other of [viewer, contributor, otherAuthor]) {
      assert.deepEqual(await tryPatchAndDelete(published.id, other), [403, 403])
      const bySlug = await other.patch(`${path}/by-slug/${published.slug}`, { phone: '1' })
      assert.deepEqual(getStatusAndCode(bySlug), [403, 'rest_forbidden'])
    }
    assert.equal((await editor.patch(`${path}/${draft.id}`, { status: 'publish' })).status, 200)
    assert.deepEqual(await tryPatchAndDelete(draft.id, contributor), [403, 403])
    assert.deepEqual(await tryPatchAndDelete(published.id, author), [200, 200])
    assert.deepEqual(await tryPatchAndDelete(draft.id, editor), [200, 200])
  })

  test(`${one} that is not published is visible only to its author and to editors`, async () => {
    for (const status of ['draft', 'pending', 'private', 'future']) {
      const date = status === 'future' ? { date: '2099-01-01 00:00:00' } : {}
      const { id, slug, url, ...created } = await create({ status, ...date }, author)
      assert.equal(created.status, status)
      assert.match(url, new RegExp(`/\\?post_type=tribe_${kind}&p=${id}$`))
      assert.notEqual(slug, '')
      for (const address of [`${path}/${id}`, `${path}/by-slug/${slug}`]) {
        for (const other of [visitor, viewer, contributor, otherAuthor]) {
          const expected = address.includes('by-slug')
            ? [404, `rest-${kind}-not-found`]
            : [403, `${kind}-not-accessible`]
          assert.deepEqual(getStatusAndCode(await other.get(address)), expected)
        }
        for (const reader of [author, editor, admin]) assert.equal((await reader.get(address)).status, 200)
      }
    }
    const soon = await create({ status: 'future', date: new Date(Date.now() + 30_000).toISOString() }, author)
    assert.equal(soon.status, 'publish')
    assert.equal((await create({ status: 'draft' }, author)).date_utc, '0000-00-00 00:00:00')
  })

  test(`only editors can set another author of ${one}`, async () => {
    const own = await create({}, author)
    assert.equal((await create({ author: own.author }, author)).author, own.author)
    assert.deepEqual(getStatusAndCode(await author.post(path, { [kind]: 'Gift', author: 1 })), [403, 'rest_forbidden'])
    assert.deepEqual(getStatusAndCode(await author.patch(`${path}/${own.id}`, { author: 1 })), [403, 'rest_forbidden'])
    assert.equal((await create({ author: own.author }, editor)).author, own.author)
    assert.equal((await editor.patch(`${path}/${own.id}`, { author: 1 })).body.author, '1')
    const unknown = await editor.patch(`${path}/${own.id}`, { author: 987_654 })
    assert.deepEqual([unknown.status, Object.keys(unknown.body.data.params)], [400, ['author']])
  })

  test(`a deleted ${kind} is in the trash: 404 for reads and edits, 410 for another DELETE`, async () => {
    const { id, slug } = await create({ [kind]: `Goes ${kind}` })
    const trashed = await admin.delete(`${path}/${id}`)
    assert.equal(trashed.status, 200)
    assert.deepEqual([trashed.body.status, trashed.body.slug], ['trash', `${slug}__trashed`])
    assert.match(trashed.body.url, /\?post_type=/)
    assert.equal('json_ld' in trashed.body, false)

    const addresses = [`${path}/${id}`, `${path}/by-slug/${slug}`, `${path}/by-slug/${slug}__trashed`]
    for (const address of addresses) {
      for (const client of [visitor, admin]) {
        assert.deepEqual(getStatusAndCode(await client.get(address)), [404, `${kind}-no-longer-available`])
      }
      assert.deepEqual(getStatusAndCode(await admin.delete(address)), [410, `${kind}-is-in-trash`])
      assert.deepEqual(getStatusAndCode(await admin.patch(address, { phone: '1' })), [
        404,
        `${kind}-no-longer-available`
      ])
    }
    assert.equal((await admin.get(`${path}?include=${id}`)).body.total, 0)
  })

  test(`setting a status restores ${one} from the trash, with its slug or with a number if that is taken`, async () => {
    const first = await create({ [kind]: 'Phoenix' })
    await admin.delete(`${path}/${first.id}`)
    const back = await admin.post(`${path}/by-slug/${first.slug}__trashed`, { status: 'publish' })
    assert.deepEqual([back.status, back.body.id, back.body.slug], [200, first.id, first.slug])
    assert.equal(back.body.date, first.date)

    await admin.patch(`${path}/${first.id}`, { status: 'trash' })
    const second = await create({ [kind]: 'Phoenix' })
    assert.equal(second.slug, first.slug)
    assert.equal((await visitor.get(`${path}/by-slug/${first.slug}`)).body.id, second.id)
    const returned = await admin.patch(`${path}/${first.id}`, { status: 'draft', slug: `${first.slug}__trashed` })
    assert.deepEqual([returned.body.status, returned.body.slug], ['draft', `${first.slug}-2`])
  })

  test(`force=true deletes ${one} permanently, also from the trash, for callers who may edit it`, async () => {
    const published = await create({}, author)
    for (const other of [contributor, otherAuthor]) {
      assert.equal((await other.delete(`${path}/${published.id}?force=true`)).status, 403)
    }
    const own = await create({}, contributor)
    const draft = await create({}, contributor)
    assert.equal((await contributor.delete(`${path}/${draft.id}?force=true`)).status, 200)

    assert.equal((await author.delete(`${path}/${published.id}?force=true`)).status, 200)
    assert.equal((await contributor.delete(`${path}/${own.id}?force=false`)).body.status, 'trash')
    assert.equal((await editor.delete(`${path}/by-slug/${own.slug}__trashed?force=1`)).body.id, own.id)
    for (const { id } of [published, own]) {
      assert.deepEqual(getStatusAndCode(await admin.get(`${path}/${id}`)), [404, `rest-${kind}-not-found`])
      assert.deepEqual(getStatusAndCode(await admin.delete(`${path}/${id}`)), [404, `rest-${kind}-not-found`])
    }
  })

  test(`an unknown ${kind} is 404 by id and by slug`, async () => {
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
      assert.deepEqual(getStatusAndCode(await visitor.get(address)), [404, `rest-${kind}-not-found`], key.slice(0, 50))
      assert.deepEqual(getStatusAndCode(await admin.delete(address)), [404, `rest-${kind}-not-found`])
      assert.deepEqual(getStatusAndCode(await admin.patch(address, { phone: '1' })), [404, `rest-${kind}-not-found`])
    }
    const other = kind === 'venue' ? 'organizer' : 'venue'
    const { id } = await create()
    assert.deepEqual(getStatusAndCode(await visitor.get(`${calendar}/${other}s/${id}`)), [
      404,
      `rest-${other}-not-found`
    ])
  })

  test(`${one} has an ETag; If-Match with an older one is 412`, async () => {
    const { id } = await create()
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

  test(`each change of ${one} adds a record to the activity log`, async () => {
    const { id } = await create()
    await admin.patch(`${path}/${id}`, { phone: '2' })
    await admin.delete(`${path}/${id}`)
    await admin.patch(`${path}/${id}`, { status: 'draft' })
    await admin.delete(`${path}/${id}?force=true`)
    const { body } = await admin.get('/activity?limit=5')
    assert.deepEqual(
      body.map(({ action }: { action: string }) => action).toReversed(),
      ['created', 'updated', 'trashed', 'restored', 'deleted'].map(action => `${kind}.${action}`)
    )
  })
}
