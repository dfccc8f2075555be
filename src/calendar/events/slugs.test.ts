// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent } = await startCalendar()
const events = `${calendar}/events`

test('slugs are built from titles, and a slug that is taken gets a number', async () => {
  const titles: [string, string][] = [
    ['Jazz & Blues: “Live”!', 'jazz-blues-live'],
    ['Straße für Käse', 'strase-fur-kase'],
    ['Straße für Käse', 'strase-fur-kase-2'],
    ['STRASE  fur/kase', 'strase-fur-kase-3'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['a_b – c.d', 'a_b-c-d']
  ]
  for (const [title, slug] of titles) assert.equal((await anEvent({ title })).slug, slug, title)
  const signs = await anEvent({ title: '!!!' })
  assert.equal(signs.slug, String(signs.id))
})

test('a long slug is cut to 200 bytes including its number, and never inside a character', async () => {
  const [one, two] = [await anEvent({ title: 'x'.repeat(300) }), await anEvent({ title: 'x'.repeat(300) })]
  assert.equal(one.slug, 'x'.repeat(200))
  assert.equal(two.slug, `${'x'.repeat(198)}-2`)
  const other = await anEvent({ title: '日'.repeat(100) })
  assert.ok(other.slug.length <= 200)
  assert.match(decodeURIComponent(other.slug), /^日+$/)
  assert.equal((await visitor.get(`${events}/by-slug/${other.slug}`)).body.id, other.id)
})

test('drafts and pending events have no slug until they are published, unless the request sets one', async () => {
  for (const status of ['draft', 'pending']) {
    const title = `Waiting ${status}`
    const created = await anEvent({ title, status })
    assert.equal(created.slug, '')
    assert.equal(created.url, `${created.rest_url.split('/calendar')[0]}/?post_type=tribe_events&p=${created.id}`)
    const path = `${events}/${created.id}`
    assert.equal((await admin.patch(path, { excerpt: 'still' })).body.slug, '')
    const published = await admin.patch(path, { status: 'publish' })
    assert.equal(published.body.slug, `waiting-${status}`)
    assert.match(published.body.url, new RegExp(`/event/waiting-${status}/$`))
    assert.equal((await admin.patch(path, { status: 'draft' })).body.slug, `waiting-${status}`)
    const own = await anEvent({ title, status, slug: `Own ${status}` })
    assert.equal(own.slug, `own-${status}`)
    assert.equal((await admin.patch(`${events}/${own.id}`, { status: 'private' })).body.slug, `own-${status}`)
  }
  assert.equal((await anEvent({ title: 'Hidden', status: 'private' })).slug, 'hidden')
  assert.equal((await anEvent({ title: 'Later', date: '+3 days' })).slug, 'later')
})

test('a new title keeps the slug; an empty slug is built again from the title', async () => {
  const created = await anEvent({ title: 'First title' })
  const path = `${events}/${created.id}`
  assert.equal((await admin.patch(path, { title: 'Second title' })).body.slug, 'first-title')
  for (const emptyValue of ['', null, ' ', '!!!']) {
    assert.equal((await admin.patch(path, { slug: 'changed' })).body.slug, 'changed')
    assert.equal((await admin.patch(path, { slug: emptyValue })).body.slug, 'second-title', JSON.stringify(emptyValue))
  }
  assert.equal((await admin.patch(path, { slug: 'second-title' })).body.slug, 'second-title')
  assert.equal((await anEvent({ title: 'Other', slug: 'Second Title' })).slug, 'second-title-2')
  assert.equal((await admin.patch(path, { slug: 'other' })).body.slug, 'other')
  assert.equal((await anEvent({ title: 'Other' })).slug, 'other-2')
  assert.equal((await admin.patch(path, { slug: 'a/b c' })).body.slug, 'a-b-c')
})

test('slugs are unique per language, and an event is found by its slug in any language', async () => {
  const created = await anEvent({ title: 'Street party' })
  const german = await admin.patch(`${events}/${created.id}?language=de`, { title: 'Straßenfest' })
  assert.equal(german.body.slug, 'strassenfest')
  assert.equal((await anEvent({ title: 'Strassenfest' })).slug, 'strassenfest')
  assert.equal((await anEvent({ title: 'Straßenfest', language: 'de' })).slug, 'strassenfest-2')
  for (const language of ['en', 'de']) {
    const found = await visitor.get(`${events}/by-slug/street-party?language=${language}`)
    assert.deepEqual([found.body.id, found.body.language], [created.id, language])
  }
  assert.equal((await visitor.get(`${events}/by-slug/strassenfest?language=de`)).body.id, created.id)
  assert.notEqual((await visitor.get(`${events}/by-slug/strassenfest?language=en`)).body.id, created.id)
})

test('an event can be read, changed and deleted by slug as by id', async () => {
  const created = await anEvent({ title: 'By slug 日本' })
  const path = `${events}/by-slug/${created.slug}`
  assert.match(created.slug, /^by-slug-%e6/)
  assert.deepEqual((await visitor.get(path)).body, (await visitor.get(`${events}/${created.id}`)).body)
  assert.equal((await visitor.get(`${events}/by-slug/${encodeURIComponent('by-slug-日本')}`)).body.id, created.id)
  assert.equal(
    (await visitor.get(path.toUpperCase().replace(events.toUpperCase(), events).replace('BY-SLUG', 'by-slug'))).status,
    404
  )
  assert.equal((await admin.post(path, { excerpt: 'x' })).body.excerpt, '<p>x</p>')
  assert.equal((await admin.delete(path)).status, 200)
  for (const again of [path, `${path}__trashed`]) {
    assert.equal((await admin.delete(again)).status, 410, again)
    assert.deepEqual(
      [(await visitor.get(again)).status, (await visitor.get(again)).body.code],
      [404, 'event-no-longer-available']
    )
  }
  const before = await readCalendarState(store)
  for (const slug of ['nothing-here', '%00', '%01', "'", '%25', 'x'.repeat(3000)]) {
    const { status } = await visitor.get(`${events}/by-slug/${slug}`)
    assert.ok(status === 404 || status === 400 || status === 414, `${slug}: ${status}`)
  }
  assert.equal((await visitor.get(`${events}/by-slug/`)).body.code, 'rest_no_route')
  const draft = await anEvent({ status: 'draft', title: 'No slug' })
  assert.equal((await admin.get(`${events}/by-slug/%20`)).status, 404)
  await admin.delete(`${events}/${draft.id}?force=true`)
  assert.equal((await readCalendarState(store)).eventTexts, before.eventTexts)
})

test('the slug of an event in the trash is free; a restored event gets a number if its slug is taken', async () => {
  const first = await anEvent({ title: 'Taken over' })
  const trashed = await admin.delete(`${events}/${first.id}`)
  assert.equal(trashed.body.slug, 'taken-over__trashed')
  const second = await anEvent({ title: 'Taken over' })
  assert.equal(second.slug, 'taken-over')
  assert.equal((await visitor.get(`${events}/by-slug/taken-over`)).body.id, second.id)
  const back = await admin.patch(`${events}/${first.id}`, { status: 'publish' })
  assert.equal(back.body.slug, 'taken-over-2')

  await admin.delete(`${events}/${second.id}`)
  assert.equal((await admin.patch(`${events}/${second.id}`, { status: 'draft' })).body.slug, 'taken-over')
  const sentBack = (await admin.delete(`${events}/${second.id}`)).body
  assert.equal((await admin.put(`${events}/${second.id}`, { ...sentBack, status: 'publish' })).body.slug, 'taken-over')
})

test('a restored event gets a number only in the language in which its slug is taken', async () => {
  const first = await anEvent({ title: 'Shared' })
  await admin.patch(`${events}/${first.id}?language=de`, { title: 'Geteilt' })
  await admin.delete(`${events}/${first.id}`)
  await anEvent({ title: 'Geteilt', language: 'de' })
  assert.equal((await admin.patch(`${events}/${first.id}`, { status: 'publish' })).body.slug, 'shared')
  assert.equal((await visitor.get(`${events}/${first.id}?language=de`)).body.slug, 'geteilt-2')
  assert.equal((await visitor.get(`${events}/by-slug/geteilt-2`)).body.id, first.id)
})

test('ten concurrent events with the same title are created with different slugs', async () => {
  const created = await Promise.all(
    Array.from({ length: 10 }, async () => await admin.post(events, { ...event, title: 'Rush hour' }))
  )
  assert.deepEqual(
    created.map(({ status }) => status),
    created.map(() => 201)
  )
  const slugs = created.map(({ body }) => body.slug)
  const expected = ['rush-hour', ...Array.from({ length: 9 }, (_, at) => `rush-hour-${at + 2}`)]
  assert.deepEqual(slugs.toSorted(), expected.toSorted())
  const renamed = await Promise.all(
    created.map(async ({ body }) => await admin.patch(`${events}/${body.id}`, { slug: 'calm' }))
  )
  assert.equal(new Set(renamed.map(({ body }) => body.slug)).size, 10)
})
