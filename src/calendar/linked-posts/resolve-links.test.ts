// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Client, calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole } = await startCalendar()
const author = await withRole('author')
const contributor = await withRole('contributor')
const events = `${calendar}/events`

const image = await uploaded()

async function uploaded(): Promise<{ id: number }> {
  const background = { width: 20, height: 10, channels: 3, background: '#248' } as const
  const payload = await sharp({ create: background }).png().toBuffer()
  const headers = { 'content-type': 'image/png' }
  const { status, body, text } = await admin.send({ method: 'POST', url: `${calendar}/media`, headers, payload })
  assert.equal(status, 201, text)
  return body
}

const own = {
  venue: { city: 'Bonn', show_map: false, geo_lat: 50.7, geo_lng: 7.1 },
  organizer: { email: 'a@b.example', phone: '5' }
}

for (const kind of ['venue', 'organizer'] as const) {
  const path = `${calendar}/${kind}s`
  const one = kind === 'venue' ? 'a venue' : 'an organizer'
  const make = async (fields: object = {}, by: Client = admin) =>
    (await by.post(path, { [kind]: 'Linked', ...fields })).body
  /** The ids an event has after it was made with these. */
  const linkedWith = async (links: unknown, by: Client = admin, more: object = {}): Promise<number[]> => {
    const made = await by.post(events, { ...event, [kind]: links, ...more })
    assert.equal(made.status, 201, made.text)
    return [made.body[kind]].flat().map(({ id }: { id: number }) => id)
  }
  const countOf = async (name: string) => (await admin.get(`${path}?search=${encodeURIComponent(name)}`)).body.total

  test(`an event takes ${kind}s by id, in order, each once`, async () => {
    const [one, two] = [(await make()).id, (await make()).id]
    assert.deepEqual(await linkedWith(two), [two])
    assert.deepEqual(await linkedWith({ id: one }), [one])
    assert.deepEqual(await linkedWith([two, { id: one }, String(two)]), [two, one])
    assert.deepEqual(await linkedWith(`${two}, ${one}`), [two, one])
    for (const none of [0, '', '0', [], null]) assert.deepEqual(await linkedWith(none), [])
  })

  test(`${one} that there is not, that is in the trash or that the caller may not see is refused`, async () => {
    const trashed = await make()
    await admin.delete(`${path}/${trashed.id}`)
    const draft = await make({ status: 'draft' })
    for (const [by, id] of [
      [admin, 987_654],
      [admin, trashed.id],
      [author, draft.id],
      [contributor, draft.id]
    ] as const) {
      const refused = await by.post(events, { ...event, title: 'Refused', [kind]: [id] })
      assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'])
      assert.deepEqual(Object.keys(refused.body.data.params), [kind])
    }
    assert.deepEqual(await linkedWith(draft.id), [draft.id])
  })

  test(`fields make a new ${kind}, and the same fields find it again`, async () => {
    const name = `Inline ${kind}`
    const description = '<p>Words</p>'
    const fields = { [kind]: name, description, ...own[kind] }
    const [first = 0] = await linkedWith(fields)
    const { body } = await visitor.get(`${path}/${first}`)
    for (const [name, value] of Object.entries(fields)) assert.equal(body[name], value, name)
    assert.deepEqual(await linkedWith([fields, fields]), [first])
    assert.deepEqual(await linkedWith({ [kind]: name }), [first])
    assert.deepEqual(await linkedWith({ [kind]: name, description, slug: `Inline ${kind}` }), [first])
    assert.equal(await countOf(`inline ${kind}`), 1)
  })

  test(`${one} that differs in anything is a new one, and none is ever overwritten`, async () => {
    const fields = { [kind]: `Differing ${kind}`, ...own[kind] }
    const [first = 0] = await linkedWith(fields)
    const before = (await visitor.get(`${path}/${first}`)).body
    const seen = new Set([first])
    for (const other of [
      { phone: '999' },
      { description: 'Other' },
      { [kind]: `differing ${kind}` },
      { slug: 'other' },
      { status: 'draft' },
      { post_password: 'x' }
    ]) {
      const [id = 0] = await linkedWith({ ...fields, ...other })
      assert.equal(seen.has(id), false, JSON.stringify(other))
      seen.add(id)
    }
    assert.deepEqual((await visitor.get(`${path}/${first}`)).body, before)
  })

  test(`what a writer may not see whole is not reused by them`, async () => {
    const fields = { [kind]: `Guessed ${kind}`, phone: '77' }
    const draft = await make({ ...fields, status: 'draft' })
    const locked = await make({ ...fields, post_password: 'sesame' })
    const [made = 0] = await linkedWith(fields, author)
    assert.equal([draft.id, locked.id].includes(made), false)
    assert.deepEqual(await linkedWith(fields), [draft.id])
  })

  test(`a contributor's new ${kind} is a draft until somebody publishes it`, async () => {
    const fields = { [kind]: `Contributed ${kind}` }
    const [id = 0] = await linkedWith(fields, contributor)
    assert.equal((await contributor.get(`${path}/${id}`)).body.status, 'draft')
    assert.deepEqual(await linkedWith(fields, contributor), [id])
    const [pending = 0] = await linkedWith({ ...fields, status: 'publish' }, contributor)
    assert.equal((await contributor.get(`${path}/${pending}`)).body.status, 'pending')
  })

  test(`${one} that is not valid refuses the whole event, and leaves nothing behind`, async () => {
    const good = { [kind]: `Left behind ${kind}` }
    for (const bad of [{}, { [kind]: '' }, { [kind]: 'X', website: 'nowhere' }, { id: 'x' }, 'words', true]) {
      const refused = await admin.post(events, { ...event, [kind]: [good, bad] })
      assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, [kind]], JSON.stringify(bad))
    }
    const late = await admin.post(events, { ...event, [kind]: [good], post_parent: 987_654 })
    assert.equal(late.status, 400)
    assert.equal(await countOf(`left behind ${kind}`), 0)
  })

  test(`events made at once with the same new ${kind} share it`, async () => {
    const fields = { [kind]: `Shared ${kind}`, ...own[kind] }
    const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    const all = await Promise.all(titles.map(title => linkedWith(fields, admin, { title: `${title} ${kind}` })))
    assert.equal(new Set(all.flat()).size, 1)
  })

  test(`a new ${kind} is written in the language of its event`, async () => {
    const [id] = await linkedWith({ [kind]: `Straße der ${kind}s` }, admin, { language: 'de' })
    const { body } = await visitor.get(`${path}/${id}`)
    assert.deepEqual([body.language, body.slug], ['de', `strasse-der-${kind}s`])
  })

  test(`${one} has an image, also one that is made with its event, until it is taken away`, async () => {
    const { id } = await make({ image: image.id })
    const [inline] = await linkedWith({ [kind]: `Pictured ${kind}`, image: String(image.id) })
    for (const one of [id, inline]) {
      const { body } = await visitor.get(`${path}/${one}`)
      assert.deepEqual([body.image.id, body.image.width, body.image.height], [image.id, 20, 10])
    }
    assert.equal((await admin.patch(`${path}/${id}`, { phone: '1' })).body.image.id, image.id)
    assert.equal('image' in (await admin.patch(`${path}/${id}`, { image: '' })).body, false)
  })

  test(`${one} that is deleted or hidden is gone from its events at once`, async () => {
    const { id } = await make()
    const made = await admin.post(events, { ...event, [kind]: id })
    const shown = async (by: Client = visitor) => [(await by.get(`${events}/${made.body.id}`)).body[kind]].flat().length
    assert.equal(await shown(), 1)
    await admin.patch(`${path}/${id}`, { status: 'private' })
    assert.deepEqual([await shown(), await shown(admin)], [0, 1])
    await admin.delete(`${path}/${id}`)
    assert.deepEqual([await shown(), await shown(admin)], [0, 0])
    await admin.patch(`${path}/${id}`, { status: 'publish' })
    assert.equal(await shown(), 1)
    await admin.delete(`${path}/${id}?force=true`)
    assert.deepEqual([await shown(), await shown(admin)], [0, 0])
  })
}
