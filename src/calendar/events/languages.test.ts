import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, aVenue, anOrganizer, aCategory, aTag } = await startCalendar()
const events = `${calendar}/events`
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

/** An event with a text in both. */
async function bothTexts(title = 'Bread day') {
  const made = await anEvent({ title, description: 'Flour', excerpt: 'Short' })
  const path = `${events}/${made.id}`
  const translated = await admin.patch(path, {
    language: 'de',
    title: `Tag: ${title}`,
    description: 'Mehl',
    excerpt: 'Kurz'
  })
  assert.equal(translated.status, 200, translated.text)
  return { path, made, translated: translated.body }
}
const textOf = (body: Record<string, unknown>) => [body.title, body.description, body.excerpt, body.slug, body.language]

test('one event has several texts, and everything else once', async () => {
  const { path, made, translated } = await bothTexts()
  assert.deepEqual(textOf(made), ['Bread day', '<p>Flour</p>', '<p>Short</p>', 'bread-day', 'en'])
  assert.deepEqual(textOf(translated), ['Tag: Bread day', '<p>Mehl</p>', '<p>Kurz</p>', 'tag-bread-day', 'de'])
  assert.deepEqual([made.translations, translated.translations], [['en'], ['de', 'en']])
  assert.deepEqual([made.id, made.start_date, made.author], [translated.id, translated.start_date, translated.author])
  await admin.patch(`${path}?language=de`, { cost: 5, title: 'Brottag' })
  const english = await visitor.get(`${path}?language=en`)
  assert.deepEqual([english.body.cost, english.body.title], ['€5', 'Bread day'])
  assert.equal((await visitor.get(`${path}?language=de`)).body.title, 'Brottag')
})

test('language is taken from query and body, and that of the address wins, because clients send back what they read', async () => {
  const { id } = await anEvent({ title: 'Only English' })
  const path = `${events}/${id}`
  for (const send of [admin.post, admin.put, admin.patch]) {
    assert.equal((await send(`${path}?language=de`, { title: 'Frage' })).body.title, 'Frage')
    assert.equal((await send(path, { title: 'Body', language: 'en' })).body.language, 'en')
    assert.equal((await send(`${path}?language=de`, { title: 'Frage', language: 'en' })).body.language, 'de')
    const read = async (language: string) => (await visitor.get(`${path}?language=${language}`)).body.title
    assert.deepEqual([await read('en'), await read('de')], ['Body', 'Frage'])
  }
  const made = await admin.post(`${events}?language=de`, { ...event, title: 'Straße' })
  assert.deepEqual(
    [made.body.language, made.body.translations, made.body.slug, made.headers['content-language']],
    ['de', ['de'], 'strasse', 'de']
  )
})

test('a read follows Accept-Language, a language that is named goes first', async () => {
  const { path, made } = await bothTexts('Reading')
  const bySlug = `${events}/by-slug/${made.slug}`
  const list = `${events}?include=${made.id}`
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

test('a write does not follow Accept-Language: it goes to the default language, or to the only text there is', async () => {
  const made = await admin.post(events, { ...event, title: 'Default' }, german)
  assert.deepEqual([made.body.language, made.headers['content-language']], ['en', 'en'])
  const changed = await admin.patch(`${events}/${made.body.id}`, { title: 'Still English' }, german)
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

test('a language that is missing is answered in the default one, else in the one there is', async () => {
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

test('a new text without a title takes the one there is, and nothing else of it', async () => {
  const { id } = await anEvent({ title: 'Ballet', description: 'English', excerpt: 'Short' })
  const { body } = await admin.patch(`${events}/${id}`, { language: 'de', description: 'Deutsch' })
  assert.deepEqual(textOf(body), ['Ballet', '<p>Deutsch</p>', '', 'ballet', 'de'])
})

test('venues, organizers and terms inside an event follow the same choice', async () => {
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
  const made = await anEvent(linked)
  const names = (body: Record<string, unknown>) =>
    ['venue', 'organizer', 'categories', 'tags']
      .flatMap(member => body[member] as Record<string, string>[])
      .map(one => one.venue ?? one.organizer ?? one.name)
  const english = ['Town Hall', 'Choir', 'Music', 'Outdoors']
  const translated = ['Rathaus', 'Chor', 'Musik', 'Draußen']
  assert.deepEqual(names(made), english)
  assert.deepEqual(names((await visitor.get(`${events}/${made.id}?language=de`)).body), translated)
  assert.deepEqual(names((await visitor.get(`${events}/${made.id}`, german)).body), translated)
  assert.deepEqual(names((await visitor.get(`${events}?include=${made.id}&language=de`)).body.events[0]), translated)
  assert.deepEqual(names(await anEvent({ ...linked, language: 'de' })), translated)

  const inline = await anEvent({ language: 'de', title: 'Neu', venue: { venue: 'Neue Halle' }, tags: ['Neues'] })
  assert.deepEqual([inline.venue.language, inline.venue.translations], ['de', ['de']])
  assert.equal((await visitor.get(`${calendar}/tags/${inline.tags[0].id}`)).body.language, 'de')
})

test('another language is refused by its name wherever it stands, and nothing changes', async () => {
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

test('what an answer depends on is named whole, for caches', async () => {
  const { id } = await anEvent()
  const { headers } = await visitor.get(`${events}/${id}`)
  for (const name of ['accept-language', 'authorization']) {
    assert.match((headers.vary ?? '').toLowerCase(), new RegExp(`\\b${name}\\b`))
  }
})

test('refusals speak the language that was asked for', async () => {
  const inGerman = await visitor.get(`${events}/999999`, german)
  assert.match(inGerman.body.message, /Es gibt/)
  assert.match((await visitor.get(`${events}/999999`)).body.message, /does not exist/)
})

test('the default language is a setting', async () => {
  const other = await startCalendar({ env: { DEFAULT_LANGUAGE: 'de' } })
  const made = await other.anEvent({ title: 'Straße' })
  assert.deepEqual([made.language, made.slug], ['de', 'strasse'])
  await other.admin.patch(`${events}/${made.id}?language=en`, { title: 'Street' })
  const read = await other.visitor.get(`${events}/${made.id}`, { 'accept-language': 'fr' })
  assert.equal(read.body.language, 'de')
})
