import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, aCategory, aTag, anEvent } = await startCalendar()
const categories = `${calendar}/categories`
const tags = `${calendar}/tags`
const german = { 'accept-language': 'de' }

test('a term has a text per language under one id', async () => {
  const created = await aCategory({ name: 'Street music', description: 'Outside' })
  const at = `${categories}/${created.id}`
  const changed = await admin.patch(at, { language: 'de', name: 'Straßenmusik' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(
    [changed.body.name, changed.body.slug, changed.body.description, changed.body.language],
    ['Straßenmusik', 'strassenmusik', '', 'de']
  )
  assert.equal(changed.headers['content-language'], 'de')
  assert.deepEqual(changed.body.translations, ['de', 'en'])

  const english = await visitor.get(at)
  assert.deepEqual(
    [english.body.name, english.body.slug, english.body.language],
    ['Street music', 'street-music', 'en']
  )
  assert.equal((await visitor.get(at, german)).body.name, 'Straßenmusik')
  assert.equal((await visitor.get(`${at}?language=de`)).body.name, 'Straßenmusik')
  assert.equal((await visitor.get(`${at}?language=en`, german)).body.name, 'Street music')
  assert.match((await visitor.get(at, german)).headers.vary ?? '', /Accept-Language/)
})

test('a term without a text in the requested language is returned in the default language, or else in its only one', async () => {
  const onlyEnglish = await aTag({ name: 'Only English' })
  const read = await visitor.get(`${tags}/${onlyEnglish.id}?language=de`)
  assert.deepEqual([read.body.name, read.body.language, read.body.translations], ['Only English', 'en', ['en']])
  const onlyGerman = await aTag({ name: 'Nur Deutsch', language: 'de' })
  assert.deepEqual(onlyGerman.translations, ['de'])
  assert.equal((await visitor.get(`${tags}/${onlyGerman.id}?language=en`)).body.language, 'de')
})

test('a change applies to the language of the request, else to the default one, else to the only one of the term', async () => {
  const onlyGerman = await aTag({ name: 'Zuerst', language: 'de' })
  const at = `${tags}/${onlyGerman.id}`
  const changed = await admin.patch(at, { name: 'Danach' })
  assert.deepEqual([changed.body.name, changed.body.translations], ['Danach', ['de']])
  await admin.patch(at, { name: 'Afterwards', language: 'en' })
  // Accept-Language does not select the language of a write.
  const second = await admin.patch(at, { description: 'English' }, german)
  assert.deepEqual([second.body.language, second.body.name], ['en', 'Afterwards'])
  assert.equal((await visitor.get(`${at}?language=de`)).body.description, '')
})

test('a change without texts does not create a translation', async () => {
  const [top, below] = [await aCategory({ name: 'Over' }), await aCategory({ name: 'Under' })]
  const moved = await admin.patch(`${categories}/${below.id}?language=de`, { parent: top.id })
  assert.deepEqual([moved.body.parent, moved.body.translations], [top.id, ['en']])
})

test('a new translation without a name gets the existing name', async () => {
  const created = await aTag({ name: 'Jazz für alle' })
  const changed = await admin.patch(`${tags}/${created.id}`, { language: 'de', description: 'Auf Deutsch' })
  assert.deepEqual([changed.body.name, changed.body.slug], ['Jazz für alle', 'jazz-fuer-alle'])
  assert.equal(created.slug, 'jazz-fur-alle')
})

test('slugs of terms are unique per language, and found in any language', async () => {
  const english = await aTag({ name: 'Gift' })
  const germanTag = await aTag({ name: 'Toxin', slug: 'gift', language: 'de' })
  assert.deepEqual([english.slug, germanTag.slug], ['gift', 'gift'])
  const found = await visitor.get(`${tags}?hide_empty=0&slug=gift`)
  assert.deepEqual(
    found.body.tags.map((tag: { id: number }) => tag.id),
    [english.id, germanTag.id]
  )
  const taken = await admin.patch(`${tags}/${english.id}`, { language: 'de', slug: 'gift' })
  assert.equal(taken.body.code, 'duplicate_term_slug')
})

test('a name that exists in another language is refused as an existing term', async () => {
  const created = await aTag({ name: 'Winter', language: 'de' })
  const again = await admin.post(tags, { name: 'winter' })
  assert.equal(again.body.code, 'term_exists')
  assert.equal(again.body.data.term_id, created.id)
})

test('a list is searched and sorted in the requested language', async () => {
  const apple = await aTag({ name: 'List apple' })
  const zebra = await aTag({ name: 'List zebra' })
  await admin.patch(`${tags}/${apple.id}`, { language: 'de', name: 'Liste Zitrone' })
  await admin.patch(`${tags}/${zebra.id}`, { language: 'de', name: 'Liste Äpfel' })
  const listNames = async (query: string, headers = {}) =>
    (await visitor.get(`${tags}?hide_empty=0&${query}`, headers)).body.tags.map((tag: { name: string }) => tag.name)
  assert.deepEqual(await listNames('search=list'), ['List apple', 'List zebra'])
  assert.deepEqual(await listNames('search=liste&language=de'), ['Liste Äpfel', 'Liste Zitrone'])
  assert.deepEqual(await listNames('search=apfel', german), ['Liste Äpfel'])
  assert.deepEqual(await listNames('search=liste'), [])
})

test('the URL of a term page has slugs of one language', async () => {
  const top = await aCategory({ name: 'Arts' })
  await admin.patch(`${categories}/${top.id}`, { language: 'de', name: 'Künste' })
  const below = await aCategory({ name: 'Painting', parent: top.id })
  await admin.patch(`${categories}/${below.id}`, { language: 'de', name: 'Malerei' })
  const { url } = (await visitor.get(`${categories}/${below.id}?language=de`)).body
  assert.equal(url, 'http://localhost:80/events/category/kuenste/malerei/')
})

test('terms inside an event are in the language of the event', async () => {
  const created = await aCategory({ name: 'Dance' })
  await admin.patch(`${categories}/${created.id}`, { language: 'de', name: 'Tanz' })
  const event = await anEvent({ categories: [created.id] })
  assert.equal((await visitor.get(`${calendar}/events/${event.id}?language=de`)).body.categories[0].name, 'Tanz')
  assert.equal((await visitor.get(`${calendar}/events/${event.id}`)).body.categories[0].name, 'Dance')
})

for (const [method, path] of [
  ['get', ''],
  ['get', '/1'],
  ['post', ''],
  ['patch', '/1'],
  ['delete', '/1']
] as const) {
  test(`an unsupported language is refused: ${method} ${path}`, async () => {
    const answer = await admin[method](`${tags}${path}?language=fr`, { name: 'Non' } as never)
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.code, 'rest_invalid_param')
    assert.deepEqual(Object.keys(answer.body.data.params), ['language'])
  })
}
