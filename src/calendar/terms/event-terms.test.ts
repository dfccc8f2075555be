// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { calendar, event as required, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, store, aCategory, aTag, anEvent } = await startCalendar()
const events = `${calendar}/events`
const categories = `${calendar}/categories`
const tags = `${calendar}/tags`

interface Named {
  id: number
  name: string
}
const getSortedIds = (terms: Named[]) => terms.map(({ id }) => id).toSorted((one, other) => one - other)
const readCount = async (path: string, id: number, by = visitor) => (await by.get(`${path}/${id}`)).body.count

for (const [field, path] of [
  ['categories', categories],
  ['tags', tags]
] as const) {
  test(`a term inside an event has the members of the contract: ${field}`, async () => {
    const created = (await admin.post(path, { name: 'Inside', description: 'Short' })).body
    const event = await anEvent({ [field]: [created.id] })
    assert.deepEqual(event[field], [
      {
        name: 'Inside',
        slug: 'inside',
        term_group: 0,
        term_taxonomy_id: created.id,
        taxonomy: created.taxonomy,
        description: 'Short',
        parent: 0,
        count: 1,
        filter: 'raw',
        id: created.id,
        urls: created.urls
      }
    ])
  })

  test(`a term is attached by id, slug or name in any language, and created for a new name: ${field}`, async () => {
    const one = (await admin.post(path, { name: 'Chamber Music', slug: 'chamber' })).body
    await admin.patch(`${path}/${one.id}`, { language: 'de', name: 'Kammermusik', slug: 'kammer' })
    for (const key of [one.id, String(one.id), 'chamber', 'CHAMBER', 'chamber  MUSIC', 'Kammermusik', 'kammer']) {
      const event = await anEvent({ [field]: [key] })
      assert.deepEqual(getSortedIds(event[field]), [one.id], String(key))
    }
    const mixed = await anEvent({ [field]: `${one.id}, chamber, <b>New &amp; Fresh</b>, new & fresh` })
    assert.equal(mixed[field].length, 2)
    const created = mixed[field].find((term: Named) => term.id !== one.id)
    assert.deepEqual([created.name, created.slug], ['New & Fresh', 'new-fresh'])
    assert.equal((await visitor.get(`${path}/${created.id}`)).body.name, 'New & Fresh')
    assert.deepEqual(getSortedIds((await anEvent({ [field]: ['New & Fresh'] }))[field]), [created.id])
  })

  test(`a new term has the language of the event: ${field}`, async () => {
    const event = await anEvent({ [field]: ['Größe'], language: 'de' })
    const term = (await visitor.get(`${path}/${event[field][0].id}?language=de`)).body
    assert.deepEqual([term.slug, term.translations], ['groesse', ['de']])
  })

  test(`an unknown id or an empty name is refused, and nothing is created: ${field}`, async () => {
    const other = field === 'tags' ? await aCategory({ name: 'Of the other kind' }) : await aTag({ name: 'Other kind' })
    for (const [index, wrong] of [999_999, other.id].entries()) {
      const answer = await admin.post(events, { ...required, [field]: [`Never made ${index}`, wrong] })
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(Object.keys(answer.body.data.params), [field])
      const list = await visitor.get(`${path}?hide_empty=0&search=never`)
      assert.equal(list.body.total, 0)
    }
    const nameless = await admin.post(events, { ...required, [field]: ['<b></b>'] })
    assert.equal(nameless.status, 400, nameless.text)
    assert.deepEqual(Object.keys(nameless.body.data.params), [field])
  })

  test(`a list of events can be filtered by several terms with OR: ${field}`, async () => {
    const [one, other] = [
      (await admin.post(path, { name: 'Either' })).body,
      (await admin.post(path, { name: 'Or', slug: 'or-else' })).body
    ]
    const first = await anEvent({ [field]: [one.id] })
    const second = await anEvent({ [field]: [other.id] })
    const findIds = async (query: string) => getSortedIds((await visitor.get(`${events}?${query}`)).body.events)
    assert.deepEqual(await findIds(`${field}=${one.id},${other.id}`), [first.id, second.id])
    assert.deepEqual(await findIds(`${field}=either,Or`), [first.id, second.id])
    assert.deepEqual(await findIds(`${field}[]=or-else`), [second.id])
    for (const unknown of [`${one.id},999999`, 'nothing-such']) {
      const answer = await visitor.get(`${events}?${field}=${unknown}`)
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(Object.keys(answer.body.data.params), [field])
    }
  })

  test(`the count of a term is the number of its published events after every change: ${field}`, async () => {
    const { id } = (await admin.post(path, { name: 'Counted' })).body
    const event = await anEvent({ [field]: [id] })
    const at = `${events}/${event.id}`
    assert.equal(await readCount(path, id), 1)
    await admin.patch(at, { status: 'draft' })
    assert.equal(await readCount(path, id), 0)
    await admin.patch(at, { status: 'publish' })
    assert.equal(await readCount(path, id), 1)
    await admin.patch(at, { [field]: [] })
    assert.equal(await readCount(path, id), 0)
    await admin.patch(at, { [field]: [id] })
    await admin.delete(at)
    assert.equal(await readCount(path, id), 0)
    await anEvent({ [field]: [id], status: 'draft' })
    assert.equal(await readCount(path, id), 0)
  })

  test(`a scheduled event is counted after its publication time: ${field}`, async () => {
    const { id } = (await admin.post(path, { name: 'Ahead' })).body
    await anEvent({ [field]: [id] })
    const event = await anEvent({ [field]: [id], date: '2100-01-01 10:00:00' })
    assert.equal(event.status, 'future')
    assert.equal(await readCount(path, id), 1)
    assert.equal(event[field][0].count, 1)
    const list = await visitor.get(`${path}?include=${id}`)
    assert.equal(list.body[field][0].count, 1)

    await store.run(sql`update calendar.events set published_at = now() - interval '1 second' where id = ${event.id}`)
    // Not as a visitor, whose response is cached for a second.
    assert.equal(await readCount(path, id, admin), 2)
  })

  test(`concurrent events with the same new name create one term: ${field}`, async () => {
    for (const language of [['en'], ['en', 'de']]) {
      const name = `Größter Andrang ${language.length}`
      const created = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const order = index % 2 === 0 ? [name, 'Ändere'] : ['Ändere', name]
          return await anEvent({ title: `Crowd ${index}`, [field]: order, language: language[index % language.length] })
        })
      )
      const ids = new Set(created.flatMap(event => getSortedIds(event[field])))
      assert.equal(ids.size, 2)
      const counts = await Promise.all([...ids].map(async id => await readCount(path, id)))
      assert.ok(counts.includes(10), `one term has all ten events: ${counts}`)
    }
  })
}

test('a text matches a whole slug or name, slugs before names, and its own language before others', async () => {
  const club = await aTag({ name: 'Jazz Club' })
  const jazz = await aTag({ name: 'Jazz' })
  const named = await aTag({ name: 'Rock', slug: 'stones' })
  const slugged = await aTag({ name: 'Granite', slug: 'rock' })
  const english = await aTag({ name: 'Gift' })
  const german = await aTag({ name: 'Toxin', slug: 'gift', language: 'de' })
  for (const [key, language, expected] of [
    ['Jazz', 'en', jazz],
    ['jazz club', 'en', club],
    ['Rock', 'en', slugged],
    ['stones', 'en', named],
    ['gift', 'en', english],
    ['gift', 'de', german]
  ] as const) {
    const event = await anEvent({ tags: [key], language })
    assert.deepEqual(getSortedIds(event.tags), [expected.id], `${key} in ${language}`)
  }

  const findIds = async (key: string) =>
    (await visitor.get(`${events}?tags=${key}`)).body.events.flatMap((event: { tags: Named[] }) =>
      getSortedIds(event.tags)
    )
  assert.deepEqual(await findIds('jazz'), [jazz.id])
  assert.deepEqual(await findIds('rock'), [slugged.id], 'a term that matches only by name is not used')
  assert.deepEqual(
    (await findIds('gift')).toSorted(),
    [english.id, german.id],
    'a filter matches the slug in any language'
  )
})

test('a filter by category finds the events of its subcategories', async () => {
  const top = await aCategory({ name: 'Sports' })
  const middle = await aCategory({ name: 'Ball games', parent: top.id })
  const bottom = await aCategory({ name: 'Handball', parent: middle.id })
  const event = await anEvent({ categories: [bottom.id] })
  for (const key of [top.id, 'sports', 'Ball%20games', bottom.id]) {
    const list = await visitor.get(`${events}?categories=${key}`)
    assert.deepEqual(getSortedIds(list.body.events), [event.id], String(key))
  }
})

test('an editor creates terms by naming them in an event, with a record in the activity log', async () => {
  const editor = await withRole('editor')
  const event = await anEvent({ tags: ['By an editor'], categories: ['Also by one'] }, editor)
  assert.deepEqual([event.tags[0].name, event.categories[0].name], ['By an editor', 'Also by one'])
  const activity = await admin.get(`/activity?subject=tag&subjectId=${event.tags[0].id}`)
  assert.deepEqual(
    activity.body.map((one: { action: string }) => one.action),
    ['tag.created']
  )
})

test('a term that is deleted while events get it is on none of them', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id } = await aTag({ name: `Vanishing ${round}` })
    const [removed, ...answers] = await Promise.all([
      admin.delete(`${tags}/${id}`),
      ...Array.from({ length: 4 }, async (_, index) => {
        return await admin.post(events, { ...required, title: `Vanishing ${round} ${index}`, tags: [id] })
      })
    ])
    assert.equal(removed.status, 200, removed.text)
    for (const answer of answers) {
      assert.ok([201, 400].includes(answer.status), answer.text)
      if (answer.status === 201) assert.deepEqual((await visitor.get(`${events}/${answer.body.id}`)).body.tags, [])
    }
  }
})

test('the counts of terms are right after concurrent writes', async () => {
  const [one, other] = [await aTag({ name: 'Busy one' }), await aTag({ name: 'Busy other' })]
  await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const event = await anEvent({
        title: `Busy ${index}`,
        tags: index % 2 === 0 ? [one.id, other.id] : [other.id, one.id]
      })
      if (index % 4 === 0) await admin.patch(`${events}/${event.id}`, { tags: [other.id] })
      if (index % 4 === 1) await admin.delete(`${events}/${event.id}`)
    })
  )
  assert.deepEqual([await readCount(tags, one.id), await readCount(tags, other.id)], [8, 12])
})
