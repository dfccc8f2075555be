import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, aCategory, aTag, anEvent } = await startCalendar()
const categories = `${calendar}/categories`
const tags = `${calendar}/tags`
const german = { 'accept-language': 'de' }

test('a term has a text in each language, and one address', async () => {
  const made = await aCategory({ name: 'Street music', description: 'Outside' })
  const at = `${categories}/${made.id}`
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

test('a language that is missing is answered by the default one, else by the one there is', async () => {
  const onlyEnglish = await aTag({ name: 'Only English' })
  const read = await visitor.get(`${tags}/${onlyEnglish.id}?language=de`)
  assert.deepEqual([read.body.name, read.body.language, read.body.translations], ['Only English', 'en', ['en']])
  const onlyGerman = await aTag({ name: 'Nur Deutsch', language: 'de' })
  assert.deepEqual(onlyGerman.translations, ['de'])
  assert.equal((await visitor.get(`${tags}/${onlyGerman.id}?language=en`)).body.language, 'de')
})

test('a change goes to the named language, else to the default one, else to the only one there is', async () => {
  const onlyGerman = await aTag({ name: 'Zuerst', language: 'de' })
  const at = `${tags}/${onlyGerman.id}`
  const changed = await admin.patch(at, { name: 'Danach' })
  assert.deepEqual([changed.body.name, changed.body.translations], ['Danach', ['de']])
  await admin.patch(at, { name: 'Afterwards', language: 'en' })
  // What a reader prefers is not what a writer means.
  const second = await admin.patch(at, { description: 'English' }, german)
  assert.deepEqual([second.body.language, second.body.name], ['en', 'Afterwards'])
  assert.equal((await visitor.get(`${at}?language=de`)).body.description, '')
})

test('a change that has nothing to do with texts makes none', async () => {
  const [top, below] = [await aCategory({ name: 'Over' }), await aCategory({ name: 'Under' })]
  const moved = await admin.patch(`${categories}/${below.id}?language=de`, { parent: top.id })
  assert.deepEqual([moved.body.parent, moved.body.translations], [top.id, ['en']])
})

test('a new language without a name begins with the one there is', async () => {
  const made = await aTag({ name: 'Jazz für alle' })
  const changed = await admin.patch(`${tags}/${made.id}`, { language: 'de', description: 'Auf Deutsch' })
  assert.deepEqual([changed.body.name, changed.body.slug], ['Jazz für alle', 'jazz-fuer-alle'])
  assert.equal(made.slug, 'jazz-fur-alle')
})

test('slugs are unique in their language, and found in any', async () => {
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

test('a term that exists in another language is the same term', async () => {
  const made = await aTag({ name: 'Winter', language: 'de' })
  const again = await admin.post(tags, { name: 'winter' })
  assert.equal(again.body.code, 'term_exists')
  assert.equal(again.body.data.term_id, made.id)
})

test('a list is searched and sorted in the language that is asked for', async () => {
  const apple = await aTag({ name: 'List apple' })
  const zebra = await aTag({ name: 'List zebra' })
  await admin.patch(`${tags}/${apple.id}`, { language: 'de', name: 'Liste Zitrone' })
  await admin.patch(`${tags}/${zebra.id}`, { language: 'de', name: 'Liste Äpfel' })
  const namesOf = async (query: string, headers = {}) =>
    (await visitor.get(`${tags}?hide_empty=0&${query}`, headers)).body.tags.map((tag: { name: string }) => tag.name)
  assert.deepEqual(await namesOf('search=list'), ['List apple', 'List zebra'])
  assert.deepEqual(await namesOf('search=liste&language=de'), ['Liste Äpfel', 'Liste Zitrone'])
  assert.deepEqual(await namesOf('search=apfel', german), ['Liste Äpfel'])
  assert.deepEqual(await namesOf('search=liste'), [])
})

test('the address of a page is made of slugs of one language', async () => {
  const top = await aCategory({ name: 'Arts' })
  await admin.patch(`${categories}/${top.id}`, { language: 'de', name: 'Künste' })
  const below = await aCategory({ name: 'Painting', parent: top.id })
  await admin.patch(`${categories}/${below.id}`, { language: 'de', name: 'Malerei' })
  const { url } = (await visitor.get(`${categories}/${below.id}?language=de`)).body
  assert.equal(url, 'http://localhost:80/events/category/kuenste/malerei/')
})

test('terms inside an event follow the same choice', async () => {
  const made = await aCategory({ name: 'Dance' })
  await admin.patch(`${categories}/${made.id}`, { language: 'de', name: 'Tanz' })
  const event = await anEvent({ categories: [made.id] })
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
  test(`a language that is not ours is refused: ${method} ${path}`, async () => {
    const answer = await admin[method](`${tags}${path}?language=fr`, { name: 'Non' } as never)
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.code, 'rest_invalid_param')
    assert.deepEqual(Object.keys(answer.body.data.params), ['language'])
  })
}
