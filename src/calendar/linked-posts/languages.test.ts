// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor } = await startCalendar()

for (const kind of ['venue', 'organizer'] as const) {
  const path = `${calendar}/${kind}s`
  const create = async (fields: object) => {
    const created = await admin.post(path, fields)
    assert.equal(created.status, 201, created.text)
    return created.body
  }

  test(`each ${kind} has a text per language and is returned in the requested one`, async () => {
    const { id } = await create({ [kind]: 'Main Street', description: 'English', phone: '1' })
    const german = await admin.patch(`${path}/${id}?language=de`, { [kind]: 'Hauptstraße', description: 'Deutsch' })
    assert.deepEqual(
      [german.body[kind], german.body.slug, german.body.language, german.body.translations],
      ['Hauptstraße', 'hauptstrasse', 'de', ['de', 'en']]
    )
    assert.equal(german.headers['content-language'], 'de')

    for (const [address, headers, name, description] of [
      [`${path}/${id}`, {}, 'Main Street', '<p>English</p>'],
      [`${path}/${id}?language=de`, {}, 'Hauptstraße', '<p>Deutsch</p>'],
      [`${path}/${id}`, { 'accept-language': 'de-AT, en;q=0.5' }, 'Hauptstraße', '<p>Deutsch</p>'],
      [`${path}/${id}?language=en`, { 'accept-language': 'de' }, 'Main Street', '<p>English</p>'],
      [`${path}/by-slug/hauptstrasse?language=en`, {}, 'Main Street', '<p>English</p>'],
      [`${path}/by-slug/main-street?language=de`, {}, 'Hauptstraße', '<p>Deutsch</p>']
    ] as const) {
      const { body, status } = await visitor.get(address, headers)
      assert.deepEqual([status, body[kind], body.description], [200, name, description], address)
      assert.deepEqual([body.phone, body.translations], ['1', ['de', 'en']])
    }
    assert.match((await visitor.get(`${path}/${id}`)).headers.vary ?? '', /Accept-Language/)
    const listed = await visitor.get(`${path}?include=${id}&language=de`)
    assert.equal(listed.body[`${kind}s`][0][kind], 'Hauptstraße')
    assert.match(listed.body.rest_url, /[?&]language=de/)
  })

  test(`a ${kind} without a text in the requested language is returned in another; a write changes the existing text`, async () => {
    const { id, language } = await create({ [kind]: 'Nur deutsch', language: 'de' })
    assert.equal(language, 'de')
    const english = await visitor.get(`${path}/${id}?language=en`)
    assert.deepEqual([english.body[kind], english.body.language], ['Nur deutsch', 'de'])
    assert.equal(english.headers['content-language'], 'de')

    const renamed = await admin.patch(`${path}/${id}`, { [kind]: 'Immer noch deutsch' })
    assert.deepEqual([renamed.body.language, renamed.body.translations], ['de', ['de']])
    const untouched = await admin.patch(`${path}/${id}?language=en`, { phone: '2' })
    assert.deepEqual([untouched.body.phone, untouched.body.translations], ['2', ['de']])
    const described = await admin.patch(`${path}/${id}`, { description: 'In English', language: 'en' })
    assert.deepEqual(
      [described.body[kind], described.body.description, described.body.translations],
      ['Immer noch deutsch', '<p>In English</p>', ['de', 'en']]
    )
    assert.equal((await visitor.get(`${path}/${id}?language=de`)).body.description, undefined)
  })

  test(`slugs of ${kind}s are unique per language, and transliterated by its rules`, async () => {
    const words = { [kind]: 'Größe' }
    const [english, second, german] = [
      await create(words),
      await create(words),
      await create({ ...words, language: 'de' })
    ]
    assert.deepEqual([english.slug, second.slug, german.slug], ['grose', 'grose-2', 'groesse'])
    const same = await create({ [kind]: 'Grose', language: 'de' })
    assert.equal(same.slug, 'grose')
    assert.equal((await visitor.get(`${path}/by-slug/grose?language=en`)).body.id, english.id)
    assert.equal((await visitor.get(`${path}/by-slug/grose?language=de`)).body.id, same.id)
  })

  test(`a search of ${kind}s looks at the requested language, or at the text that is shown instead`, async () => {
    const { id } = await create({ [kind]: 'Castle' })
    await admin.patch(`${path}/${id}?language=de`, { [kind]: 'Schloss' })
    const { id: germanOnly } = await create({ [kind]: 'Schlosserei', language: 'de' })
    const findIds = async (query: string) =>
      (await visitor.get(`${path}?${query}`)).body[`${kind}s`].map((item: { id: number }) => item.id)
    assert.deepEqual(await findIds('search=schloss&language=de'), [germanOnly, id])
    assert.deepEqual(await findIds('search=schloss&language=en'), [germanOnly])
    assert.deepEqual(await findIds('search=castle&language=en'), [id])
    assert.deepEqual(await findIds('search=castle&language=de'), [])
  })

  test(`an unsupported language is refused for ${kind}s`, async () => {
    for (const answer of [
      await visitor.get(`${path}?language=fr`),
      await visitor.get(`${path}/1?language=fr`),
      await admin.post(path, { [kind]: 'X', language: 'fr' })
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_param'])
      assert.deepEqual(Object.keys(answer.body.data.params), ['language'])
    }
  })

  test(`the trash keeps all languages of ${kind === 'venue' ? 'a venue' : 'an organizer'}; a restored slug gets a number if it is taken`, async () => {
    const { id } = await create({ [kind]: 'Kept one' })
    await admin.patch(`${path}/${id}?language=de`, { [kind]: 'Behalten' })
    await admin.delete(`${path}/${id}`)
    const later = await create({ [kind]: 'Behalten', language: 'de' })
    assert.equal(later.slug, 'behalten')
    await admin.patch(`${path}/${id}`, { status: 'publish' })
    assert.equal((await visitor.get(`${path}/${id}?language=en`)).body.slug, 'kept-one')
    assert.equal((await visitor.get(`${path}/${id}?language=de`)).body.slug, 'behalten-2')
  })

  test(`the slug of ${kind === 'venue' ? 'a venue' : 'an organizer'} stays when the name changes, can be set, and is built again when it is cleared`, async () => {
    const { id, slug } = await create({ [kind]: 'Slug of its own' })
    const patchAndGetSlug = async (fields: object) => (await admin.patch(`${path}/${id}`, fields)).body.slug
    assert.equal(await patchAndGetSlug({ [kind]: 'Another name' }), slug)
    assert.equal(await patchAndGetSlug({ slug: 'Set By Hand!' }), 'set-by-hand')
    assert.equal(await patchAndGetSlug({ slug: 'set-by-hand' }), 'set-by-hand')
    assert.equal(await patchAndGetSlug({ slug: '' }), 'another-name')
    assert.equal(await patchAndGetSlug({ slug: '!!!' }), 'another-name')
    const taken = await create({ [kind]: 'Second', slug: 'another-name' })
    assert.equal(taken.slug, 'another-name-2')
    assert.equal((await create({ [kind]: '!!!' })).slug.replace(/\d+/, 'id'), 'id')

    const renamed = await admin.patch(`${path}/by-slug/another-name`, { slug: 'renamed', id: taken.id })
    assert.deepEqual([renamed.body.id, renamed.body.slug], [id, 'renamed'])
    assert.equal((await visitor.get(`${path}/by-slug/another-name`)).status, 404)
    assert.equal((await visitor.get(`${path}/${id}?id=${taken.id}&slug=another-name-2`)).body.id, id)

    const japanese = await create({ [kind]: '日本' })
    assert.equal(japanese.slug, '%e6%97%a5%e6%9c%ac')
    for (const spelled of ['日本', japanese.slug]) {
      assert.equal((await visitor.get(`${path}/by-slug/${encodeURIComponent(spelled)}`)).body.id, japanese.id)
    }
  })

  test(`concurrent ${kind}s with the same name get different slugs`, async () => {
    // Each waits for the others, at most 1.5 s: six are few enough for a busy machine.
    const created = await Promise.all(Array.from({ length: 6 }, () => admin.post(path, { [kind]: 'Crowd' })))
    assert.deepEqual(
      created.map(({ status }) => status),
      created.map(() => 201)
    )
    assert.equal(new Set(created.map(({ body }) => body.slug)).size, 6)
  })
}
