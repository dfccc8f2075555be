// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor } = await startCalendar()

for (const kind of ['venue', 'organizer'] as const) {
  const path = `${calendar}/${kind}s`
  const make = async (fields: object) => {
    const made = await admin.post(path, fields)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  test(`one ${kind} has a text in each language, and is read in the one that is asked for`, async () => {
    const { id } = await make({ [kind]: 'Main Street', description: 'English', phone: '1' })
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

  test(`a missing language is answered in another; a write goes to the text there is`, async () => {
    const { id, language } = await make({ [kind]: 'Nur deutsch', language: 'de' })
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

  test(`slugs of ${kind}s are unique within a language, and spelled as in it`, async () => {
    const words = { [kind]: 'Größe' }
    const [english, second, german] = [await make(words), await make(words), await make({ ...words, language: 'de' })]
    assert.deepEqual([english.slug, second.slug, german.slug], ['grose', 'grose-2', 'groesse'])
    const same = await make({ [kind]: 'Grose', language: 'de' })
    assert.equal(same.slug, 'grose')
    assert.equal((await visitor.get(`${path}/by-slug/grose?language=en`)).body.id, english.id)
    assert.equal((await visitor.get(`${path}/by-slug/grose?language=de`)).body.id, same.id)
  })

  test(`a search of ${kind}s looks in the language that is asked for, or in what is shown instead`, async () => {
    const { id } = await make({ [kind]: 'Castle' })
    await admin.patch(`${path}/${id}?language=de`, { [kind]: 'Schloss' })
    const { id: only } = await make({ [kind]: 'Schlosserei', language: 'de' })
    const found = async (query: string) =>
      (await visitor.get(`${path}?${query}`)).body[`${kind}s`].map((one: { id: number }) => one.id)
    assert.deepEqual(await found('search=schloss&language=de'), [only, id])
    assert.deepEqual(await found('search=schloss&language=en'), [only])
    assert.deepEqual(await found('search=castle&language=en'), [id])
    assert.deepEqual(await found('search=castle&language=de'), [])
  })

  test(`a language that there is not is refused`, async () => {
    for (const answer of [
      await visitor.get(`${path}?language=fr`),
      await visitor.get(`${path}/1?language=fr`),
      await admin.post(path, { [kind]: 'X', language: 'fr' })
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_param'])
      assert.deepEqual(Object.keys(answer.body.data.params), ['language'])
    }
  })

  test(`the trash keeps every language of ${kind === 'venue' ? 'a venue' : 'an organizer'}, and gives each slug back`, async () => {
    const { id } = await make({ [kind]: 'Kept one' })
    await admin.patch(`${path}/${id}?language=de`, { [kind]: 'Behalten' })
    await admin.delete(`${path}/${id}`)
    const taker = await make({ [kind]: 'Behalten', language: 'de' })
    assert.equal(taker.slug, 'behalten')
    await admin.patch(`${path}/${id}`, { status: 'publish' })
    assert.equal((await visitor.get(`${path}/${id}?language=en`)).body.slug, 'kept-one')
    assert.equal((await visitor.get(`${path}/${id}?language=de`)).body.slug, 'behalten-2')
  })

  test(`the slug of ${kind === 'venue' ? 'a venue' : 'an organizer'} stays when the name changes, can be set, and is made anew when it is emptied`, async () => {
    const { id, slug } = await make({ [kind]: 'Slug of its own' })
    const after = async (fields: object) => (await admin.patch(`${path}/${id}`, fields)).body.slug
    assert.equal(await after({ [kind]: 'Another name' }), slug)
    assert.equal(await after({ slug: 'Set By Hand!' }), 'set-by-hand')
    assert.equal(await after({ slug: 'set-by-hand' }), 'set-by-hand')
    assert.equal(await after({ slug: '' }), 'another-name')
    assert.equal(await after({ slug: '!!!' }), 'another-name')
    const taken = await make({ [kind]: 'Second', slug: 'another-name' })
    assert.equal(taken.slug, 'another-name-2')
    assert.equal((await make({ [kind]: '!!!' })).slug.replace(/\d+/, 'id'), 'id')

    const renamed = await admin.patch(`${path}/by-slug/another-name`, { slug: 'renamed', id: taken.id })
    assert.deepEqual([renamed.body.id, renamed.body.slug], [id, 'renamed'])
    assert.equal((await visitor.get(`${path}/by-slug/another-name`)).status, 404)
    assert.equal((await visitor.get(`${path}/${id}?id=${taken.id}&slug=another-name-2`)).body.id, id)

    const japanese = await make({ [kind]: '日本' })
    assert.equal(japanese.slug, '%e6%97%a5%e6%9c%ac')
    for (const spelled of ['日本', japanese.slug]) {
      assert.equal((await visitor.get(`${path}/by-slug/${encodeURIComponent(spelled)}`)).body.id, japanese.id)
    }
  })

  test(`many ${kind}s of one name made at once all get a slug of their own`, async () => {
    // They wait for each other, and nobody waits for more than 1.5 s: fewer than a busy machine writes in that time.
    const made = await Promise.all(Array.from({ length: 6 }, () => admin.post(path, { [kind]: 'Crowd' })))
    assert.deepEqual(
      made.map(({ status }) => status),
      made.map(() => 201)
    )
    assert.equal(new Set(made.map(({ body }) => body.slug)).size, 6)
  })
}
