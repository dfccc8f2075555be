// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Client, calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole } = await startCalendar()
const author = await withRole('author')
const contributor = await withRole('contributor')
const events = `${calendar}/events`

const image = await uploadImage()

async function uploadImage(): Promise<{ id: number }> {
  const background = { width: 20, height: 10, channels: 3, background: '#248' } as const
  const payload = await sharp({ create: background }).png().toBuffer()
  const headers = { 'content-type': 'image/png' }
  const { status, body, text } = await admin.send({ method: 'POST', url: `${calendar}/media`, headers, payload })
  assert.equal(status, 201, text)
  return body
}

const ownFields = {
  venue: { city: 'Bonn', show_map: false, geo_lat: 50.7, geo_lng: 7.1 },
  organizer: { email: 'a@b.example', phone: '5' }
}

for (const kind of ['venue', 'organizer'] as const) {
  const path = `${calendar}/${kind}s`
  const one = kind === 'venue' ? 'a venue' : 'an organizer'
  const create = async (fields: object = {}, by: Client = admin) =>
    (await by.post(path, { [kind]: 'Linked', ...fields })).body
  /** Creates an event with these links and returns the ids of its linked items. */
  const createWithLinks = async (links: unknown, by: Client = admin, more: object = {}): Promise<number[]> => {
    const created = await by.post(events, { ...event, [kind]: links, ...more })
    assert.equal(created.status, 201, created.text)
    return [created.body[kind]].flat().map(({ id }: { id: number }) => id)
  }
  const countByName = async (name: string) => (await admin.get(`${path}?search=${encodeURIComponent(name)}`)).body.total

  test(`an event accepts ${kind}s by id, keeps their order, and has each once`, async () => {
    const [one, two] = [(await create()).id, (await create()).id]
    assert.deepEqual(await createWithLinks(two), [two])
    assert.deepEqual(await createWithLinks({ id: one }), [one])
    assert.deepEqual(await createWithLinks([two, { id: one }, String(two)]), [two, one])
    assert.deepEqual(await createWithLinks(`${two}, ${one}`), [two, one])
    for (const emptyValue of [0, '', '0', [], null]) assert.deepEqual(await createWithLinks(emptyValue), [])
  })

  test(`${one} that is unknown, in the trash or not visible to the caller is refused`, async () => {
    const trashed = await create()
    await admin.delete(`${path}/${trashed.id}`)
    const draft = await create({ status: 'draft' })
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
    assert.deepEqual(await createWithLinks(draft.id), [draft.id])
  })

  test(`an event with new fields creates a ${kind}, and reuses it for the same fields`, async () => {
    const name = `Inline ${kind}`
    const description = '<p>Words</p>'
    const fields = { [kind]: name, description, ...ownFields[kind] }
    const [first = 0] = await createWithLinks(fields)
    const { body } = await visitor.get(`${path}/${first}`)
    for (const [name, value] of Object.entries(fields)) assert.equal(body[name], value, name)
    assert.deepEqual(await createWithLinks([fields, fields]), [first])
    assert.deepEqual(await createWithLinks({ [kind]: name }), [first])
    assert.deepEqual(await createWithLinks({ [kind]: name, description, slug: `Inline ${kind}` }), [first])
    assert.equal(await countByName(`inline ${kind}`), 1)
  })

  test(`${one} that differs in any field is created, and the existing one is not changed`, async () => {
    const fields = { [kind]: `Differing ${kind}`, ...ownFields[kind] }
    const [first = 0] = await createWithLinks(fields)
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
      const [id = 0] = await createWithLinks({ ...fields, ...other })
      assert.equal(seen.has(id), false, JSON.stringify(other))
      seen.add(id)
    }
    assert.deepEqual((await visitor.get(`${path}/${first}`)).body, before)
  })

  test(`a ${kind} that the caller may not fully see is not reused`, async () => {
    const fields = { [kind]: `Guessed ${kind}`, phone: '77' }
    const draft = await create({ ...fields, status: 'draft' })
    const locked = await create({ ...fields, post_password: 'sesame' })
    const [created = 0] = await createWithLinks(fields, author)
    assert.equal([draft.id, locked.id].includes(created), false)
    assert.deepEqual(await createWithLinks(fields), [draft.id])
  })

  test(`a ${kind} that a contributor creates inside an event is a draft or pending, and is reused`, async () => {
    const fields = { [kind]: `Contributed ${kind}` }
    const [id = 0] = await createWithLinks(fields, contributor)
    assert.equal((await contributor.get(`${path}/${id}`)).body.status, 'draft')
    assert.deepEqual(await createWithLinks(fields, contributor), [id])
    const [pending = 0] = await createWithLinks({ ...fields, status: 'publish' }, contributor)
    assert.equal((await contributor.get(`${path}/${pending}`)).body.status, 'pending')
  })

  test(`an event with an invalid ${kind} is refused, and nothing is created`, async () => {
    const good = { [kind]: `Left behind ${kind}` }
    for (const bad of [{}, { [kind]: '' }, { [kind]: 'X', website: 'nowhere' }, { id: 'x' }, 'words', true]) {
      const refused = await admin.post(events, { ...event, [kind]: [good, bad] })
      assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, [kind]], JSON.stringify(bad))
    }
    const late = await admin.post(events, { ...event, [kind]: [good], post_parent: 987_654 })
    assert.equal(late.status, 400)
    assert.equal(await countByName(`left behind ${kind}`), 0)
  })

  test(`concurrent events with the same new ${kind} share one`, async () => {
    const fields = { [kind]: `Shared ${kind}`, ...ownFields[kind] }
    const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    const all = await Promise.all(titles.map(title => createWithLinks(fields, admin, { title: `${title} ${kind}` })))
    assert.equal(new Set(all.flat()).size, 1)
  })

  test(`a new ${kind} has the language of its event`, async () => {
    const [id] = await createWithLinks({ [kind]: `Straße der ${kind}s` }, admin, { language: 'de' })
    const { body } = await visitor.get(`${path}/${id}`)
    assert.deepEqual([body.language, body.slug], ['de', `strasse-der-${kind}s`])
  })

  test(`${one} can have an image, also if it is created with its event, and the image can be removed`, async () => {
    const { id } = await create({ image: image.id })
    const [inline] = await createWithLinks({ [kind]: `Pictured ${kind}`, image: String(image.id) })
    for (const one of [id, inline]) {
      const { body } = await visitor.get(`${path}/${one}`)
      assert.deepEqual([body.image.id, body.image.width, body.image.height], [image.id, 20, 10])
    }
    assert.equal((await admin.patch(`${path}/${id}`, { phone: '1' })).body.image.id, image.id)
    assert.equal('image' in (await admin.patch(`${path}/${id}`, { image: '' })).body, false)
  })

  test(`${one} that is deleted or private is no longer shown in its events`, async () => {
    const { id } = await create()
    const created = await admin.post(events, { ...event, [kind]: id })
    const countShown = async (by: Client = visitor) =>
      [(await by.get(`${events}/${created.body.id}`)).body[kind]].flat().length
    assert.equal(await countShown(), 1)
    await admin.patch(`${path}/${id}`, { status: 'private' })
    assert.deepEqual([await countShown(), await countShown(admin)], [0, 1])
    await admin.delete(`${path}/${id}`)
    assert.deepEqual([await countShown(), await countShown(admin)], [0, 0])
    await admin.patch(`${path}/${id}`, { status: 'publish' })
    assert.equal(await countShown(), 1)
    await admin.delete(`${path}/${id}?force=true`)
    assert.deepEqual([await countShown(), await countShown(admin)], [0, 0])
  })
}
