import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, aVenue, anOrganizer, aCategory, aTag } = await startCalendar()
const events = `${calendar}/events`
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

/** Creates an event with texts in both languages. */
async function createInBothLanguages(title = 'Bread day') {
  const created = await anEvent({ title, description: 'Flour', excerpt: 'Short' })
  const path = `${events}/${created.id}`
  const translated = await admin.patch(path, {
    language: 'de',
    title: `Tag: ${title}`,
    description: 'Mehl',
    excerpt: 'Kurz'
  })
  assert.equal(translated.status, 200, translated.text)
  return { path, created, translated: translated.body }
}
const getTexts = (body: Record<string, unknown>) => [
  body.title,
  body.description,
  body.excerpt,
  body.slug,
  body.language
]

test('an event has a text per language, and its other fields are the same in all languages', async () => {
  const { path, created, translated } = await createInBothLanguages()
  assert.deepEqual(getTexts(created), ['Bread day', '<p>Flour</p>', '<p>Short</p>', 'bread-day', 'en'])
  assert.deepEqual(getTexts(translated), ['Tag: Bread day', '<p>Mehl</p>', '<p>Kurz</p>', 'tag-bread-day', 'de'])
  assert.deepEqual([created.translations, translated.translations], [['en'], ['de', 'en']])
  assert.deepEqual(
    [created.id, created.start_date, created.author],
    [translated.id, translated.start_date, translated.author]
  )
  await admin.patch(`${path}?language=de`, { cost: 5, title: 'Brottag' })
  const english = await visitor.get(`${path}?language=en`)
  assert.deepEqual([english.body.cost, english.body.title], ['€5', 'Bread day'])
  assert.equal((await visitor.get(`${path}?language=de`)).body.title, 'Brottag')
})

test('language is accepted in query and body; the query has priority, because clients send back the body they read', async () => {
  const { id } = await anEvent({ title: 'Only English' })
  const path = `${events}/${id}`
  for (const send of [admin.post, admin.put, admin.patch]) {
    assert.equal((await send(`${path}?language=de`, { title: 'Frage' })).body.title, 'Frage')
    assert.equal((await send(path, { title: 'Body', language: 'en' })).body.language, 'en')
    assert.equal((await send(`${path}?language=de`, { title: 'Frage', language: 'en' })).body.language, 'de')
    const read = async (language: string) => (await visitor.get(`${path}?language=${language}`)).body.title
    assert.deepEqual([await read('en'), await read('de')], ['Body', 'Frage'])
  }
  const created = await admin.post(`${events}?language=de`, { ...event, title: 'Straße' })
  assert.deepEqual(
    [created.body.language, created.body.translations, created.body.slug, created.headers['content-language']],
    ['de', ['de'], 'strasse', 'de']
  )
})

test('a read uses Accept-Language unless the language parameter is set', async () => {
  const { path, created } = await createInBothLanguages('Reading')
  const bySlug = `${events}/by-slug/${created.slug}`
  const list = `${events}?include=${created.id}`
  const cases: [string, Record<string, string>, string][] = [
    ['', {}, 'en'],
    ['', german, 'de'],
    ['', { 'accept-language': 'fr, de;q=0.5' }, 'de'],
    ['', { 'accept-language': 'fr' }, 'en'],
    ['', { 'accept-language': 'en;q=0.5, de' }, 'de'],
    ['language=en', german, 'en'],
    ['language=de', {}, 'de']
  ]
  for (const [query, headers, language] of cases) {
    for (const address of [path, bySlug]) {
      const { body, headers: answered } = await visitor.get(query === '' ? address : `${address}?${query}`, headers)
      assert.deepEqual(
        [body.language, answered['content-language']],
        [language, language],
        `${query} ${JSON.stringify(headers)}`
      )
      assert.equal(/accept-language/i.test(answered.vary ?? ''), query === '', query)
    }
    const listed = await visitor.get(query === '' ? list : `${list}&${query}`, headers)
    assert.equal(listed.body.events[0].language, language)
    assert.equal(/accept-language/i.test(listed.headers.vary ?? ''), query === '')
  }
})

test('a write ignores Accept-Language: it changes the default language, or the only language of the event', async () => {
  const created = await admin.post(events, { ...event, title: 'Default' }, german)
  assert.deepEqual([created.body.language, created.headers['content-language']], ['en', 'en'])
  const changed = await admin.patch(`${events}/${created.body.id}`, { title: 'Still English' }, german)
  assert.deepEqual(
    [changed.body.language, changed.body.translations, changed.headers['content-language']],
    ['en', ['en'], 'en']
  )
  const only = await anEvent({ title: 'Nur deutsch', language: 'de' })
  const kept = await admin.patch(`${events}/${only.id}`, { title: 'Immer noch deutsch' })
  assert.deepEqual([kept.body.language, kept.body.translations, kept.body.title], ['de', ['de'], 'Immer noch deutsch'])
  await admin.patch(`${events}/${only.id}`, { title: 'English too', language: 'en' })
  const both = await admin.patch(`${events}/${only.id}`, { title: 'Now English' })
  assert.deepEqual([both.body.language, both.body.translations], ['en', ['de', 'en']])
  assert.equal((await visitor.get(`${events}/${only.id}?language=de`)).body.title, 'Immer noch deutsch')
})

test('an event without a text in the requested language is returned in the default language, or else in its only one', async () => {
  const english = await anEvent({ title: 'English' })
  const germanOnly = await anEvent({ title: 'Deutsch', language: 'de' })
  for (const [id, wanted, answered] of [
    [english.id, 'de', 'en'],
    [germanOnly.id, 'en', 'de']
  ]) {
    const { body, headers } = await visitor.get(`${events}/${id}?language=${wanted}`)
    assert.deepEqual([body.language, body.translations, headers['content-language']], [answered, [answered], answered])
  }
  const unchanged = await admin.patch(`${events}/${english.id}?language=de`, { sticky: true })
  assert.deepEqual([unchanged.body.language, unchanged.body.translations], ['en', ['en']])
})

test('a new translation without a title gets the existing title, but not the other texts', async () => {
  const { id } = await anEvent({ title: 'Ballet', description: 'English', excerpt: 'Short' })
  const { body } = await admin.patch(`${events}/${id}`, { language: 'de', description: 'Deutsch' })
  assert.deepEqual(getTexts(body), ['Ballet', '<p>Deutsch</p>', '', 'ballet', 'de'])
})

test('venues, organizers and terms inside an event are in the language of the event', async () => {
  const [venue, organizer, category, tag] = [await aVenue(), await anOrganizer(), await aCategory(), await aTag()]
  const translate: [string, object][] = [
    [`venues/${venue.id}`, { venue: 'Rathaus' }],
    [`organizers/${organizer.id}`, { organizer: 'Chor' }],
    [`categories/${category.id}`, { name: 'Musik' }],
    [`tags/${tag.id}`, { name: 'Draußen' }]
  ]
  for (const [path, fields] of translate) {
    const answer = await admin.patch(`${calendar}/${path}?language=de`, fields)
    assert.equal(answer.status, 200, answer.text)
  }
  const linked = { venue: venue.id, organizer: organizer.id, categories: [category.id], tags: [tag.id] }
  const created = await anEvent(linked)
  const getNames = (body: Record<string, unknown>) =>
    ['venue', 'organizer', 'categories', 'tags']
      .flatMap(member => body[member] as Record<string, string>[])
      .map(item => item.venue ?? item.organizer ?? item.name)
  const english = ['Town Hall', 'Choir', 'Music', 'Outdoors']
  const translated = ['Rathaus', 'Chor', 'Musik', 'Draußen']
  assert.deepEqual(getNames(created), english)
  assert.deepEqual(getNames((await visitor.get(`${events}/${created.id}?language=de`)).body), translated)
  assert.deepEqual(getNames((await visitor.get(`${events}/${created.id}`, german)).body), translated)
  assert.deepEqual(
    getNames((await visitor.get(`${events}?include=${created.id}&language=de`)).body.events[0]),
    translated
  )
  assert.deepEqual(getNames(await anEvent({ ...linked, language: 'de' })), translated)

  const inline = await anEvent({ language: 'de', title: 'Neu', venue: { venue: 'Neue Halle' }, tags: ['Neues'] })
  assert.deepEqual([inline.venue.language, inline.venue.translations], ['de', ['de']])
  assert.equal((await visitor.get(`${calendar}/tags/${inline.tags[0].id}`)).body.language, 'de')
})

test('an unsupported language is refused on every route in query and body, and nothing changes', async () => {
  const { id } = await anEvent()
  const path = `${events}/${id}`
  const before = await readCalendarState(store)
  for (const language of ['fr', '', 'EN', 'de-DE', 'en,de']) {
    const answers = [
      await visitor.get(`${events}?language=${language}`),
      await visitor.get(`${path}?language=${language}`),
      await admin.post(`${events}?language=${language}`, event),
      await admin.post(events, { ...event, language }),
      await admin.put(path, { title: 'x', language }),
      await admin.delete(`${path}?language=${language}`)
    ]
    for (const { status, body } of answers) {
      assert.deepEqual(
        [status, body.code, Object.keys(body.data.params)],
        [400, 'rest_invalid_param', ['language']],
        language
      )
    }
  }
  for (const language of [null, 5, ['de'], {}]) assert.equal((await admin.put(path, { language })).status, 400)
  assert.equal((await visitor.post(events, { language: 'fr' })).status, 401)
  assert.deepEqual(await readCalendarState(store), before)
})

test('the Vary header names Accept-Language and Authorization', async () => {
  const { id } = await anEvent()
  const { headers } = await visitor.get(`${events}/${id}`)
  for (const name of ['accept-language', 'authorization']) {
    assert.match((headers.vary ?? '').toLowerCase(), new RegExp(`\\b${name}\\b`))
  }
})

test('error messages are in the requested language', async () => {
  const inGerman = await visitor.get(`${events}/999999`, german)
  assert.match(inGerman.body.message, /Es gibt/)
  assert.match((await visitor.get(`${events}/999999`)).body.message, /does not exist/)
})

test('the default language is a setting', async () => {
  const other = await startCalendar({ env: { DEFAULT_LANGUAGE: 'de' } })
  const created = await other.anEvent({ title: 'Straße' })
  assert.deepEqual([created.language, created.slug], ['de', 'strasse'])
  await other.admin.patch(`${events}/${created.id}?language=en`, { title: 'Street' })
  const read = await other.visitor.get(`${events}/${created.id}`, { 'accept-language': 'fr' })
  assert.equal(read.body.language, 'de')
})
