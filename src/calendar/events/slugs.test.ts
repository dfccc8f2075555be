// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent } = await startCalendar()
const events = `${calendar}/events`

test('slugs are made of titles, and the second of a name has a number', async () => {
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

test('a long slug is cut to 200 bytes, with its number and between letters', async () => {
  const [one, two] = [await anEvent({ title: 'x'.repeat(300) }), await anEvent({ title: 'x'.repeat(300) })]
  assert.equal(one.slug, 'x'.repeat(200))
  assert.equal(two.slug, `${'x'.repeat(198)}-2`)
  const other = await anEvent({ title: '日'.repeat(100) })
  assert.ok(other.slug.length <= 200)
  assert.match(decodeURIComponent(other.slug), /^日+$/)
  assert.equal((await visitor.get(`${events}/by-slug/${other.slug}`)).body.id, other.id)
})

test('drafts and pending events have no slug until they are published, unless they are given one', async () => {
  for (const status of ['draft', 'pending']) {
    const title = `Waiting ${status}`
    const made = await anEvent({ title, status })
    assert.equal(made.slug, '')
    assert.equal(made.url, `${made.rest_url.split('/calendar')[0]}/?post_type=tribe_events&p=${made.id}`)
    const path = `${events}/${made.id}`
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

test('a new title keeps the slug, a slug that is emptied is made anew from the title', async () => {
  const made = await anEvent({ title: 'First title' })
  const path = `${events}/${made.id}`
  assert.equal((await admin.patch(path, { title: 'Second title' })).body.slug, 'first-title')
  for (const nothing of ['', null, ' ', '!!!']) {
    assert.equal((await admin.patch(path, { slug: 'changed' })).body.slug, 'changed')
    assert.equal((await admin.patch(path, { slug: nothing })).body.slug, 'second-title', JSON.stringify(nothing))
  }
  assert.equal((await admin.patch(path, { slug: 'second-title' })).body.slug, 'second-title')
  assert.equal((await anEvent({ title: 'Other', slug: 'Second Title' })).slug, 'second-title-2')
  assert.equal((await admin.patch(path, { slug: 'other' })).body.slug, 'other')
  assert.equal((await anEvent({ title: 'Other' })).slug, 'other-2')
  assert.equal((await admin.patch(path, { slug: 'a/b c' })).body.slug, 'a-b-c')
})

test('slugs are made and unique per language, and found in any', async () => {
  const made = await anEvent({ title: 'Street party' })
  const german = await admin.patch(`${events}/${made.id}?language=de`, { title: 'Straßenfest' })
  assert.equal(german.body.slug, 'strassenfest')
  assert.equal((await anEvent({ title: 'Strassenfest' })).slug, 'strassenfest')
  assert.equal((await anEvent({ title: 'Straßenfest', language: 'de' })).slug, 'strassenfest-2')
  for (const language of ['en', 'de']) {
    const found = await visitor.get(`${events}/by-slug/street-party?language=${language}`)
    assert.deepEqual([found.body.id, found.body.language], [made.id, language])
  }
  assert.equal((await visitor.get(`${events}/by-slug/strassenfest?language=de`)).body.id, made.id)
  assert.notEqual((await visitor.get(`${events}/by-slug/strassenfest?language=en`)).body.id, made.id)
})

test('by slug the same is read, changed and deleted as by id', async () => {
  const made = await anEvent({ title: 'By slug 日本' })
  const path = `${events}/by-slug/${made.slug}`
  assert.match(made.slug, /^by-slug-%e6/)
  assert.deepEqual((await visitor.get(path)).body, (await visitor.get(`${events}/${made.id}`)).body)
  assert.equal((await visitor.get(`${events}/by-slug/${encodeURIComponent('by-slug-日本')}`)).body.id, made.id)
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

test('a slug is free once its event is in the trash, and who comes back moves aside', async () => {
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

test('who comes back moves aside in the language in which the slug is taken, and in no other', async () => {
  const first = await anEvent({ title: 'Shared' })
  await admin.patch(`${events}/${first.id}?language=de`, { title: 'Geteilt' })
  await admin.delete(`${events}/${first.id}`)
  await anEvent({ title: 'Geteilt', language: 'de' })
  assert.equal((await admin.patch(`${events}/${first.id}`, { status: 'publish' })).body.slug, 'shared')
  assert.equal((await visitor.get(`${events}/${first.id}?language=de`)).body.slug, 'geteilt-2')
  assert.equal((await visitor.get(`${events}/by-slug/geteilt-2`)).body.id, first.id)
})

test('Ten who publish the same title at once all succeed, each with a slug of its own', async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, async () => await admin.post(events, { ...event, title: 'Rush hour' }))
  )
  assert.deepEqual(
    made.map(({ status }) => status),
    made.map(() => 201)
  )
  const slugs = made.map(({ body }) => body.slug)
  const expected = ['rush-hour', ...Array.from({ length: 9 }, (_, at) => `rush-hour-${at + 2}`)]
  assert.deepEqual(slugs.toSorted(), expected.toSorted())
  const renamed = await Promise.all(
    made.map(async ({ body }) => await admin.patch(`${events}/${body.id}`, { slug: 'calm' }))
  )
  assert.equal(new Set(renamed.map(({ body }) => body.slug)).size, 10)
})
