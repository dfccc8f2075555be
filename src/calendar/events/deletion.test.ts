// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, aCategory, aTag, withRole } = await startCalendar()
const contributor = await withRole('contributor')
const author = await withRole('author')
const editor = await withRole('editor')
const events = `${calendar}/events`

test('DELETE moves an event to the trash: 200 with the event, 410 when repeated, 404 for reads and edits', async () => {
  const created = await anEvent({ title: 'Over', venue: { venue: 'Hall' } })
  for (const path of [`${events}/${created.id}`, `${events}/by-slug/over`]) {
    if (path.endsWith('over')) await admin.patch(`${events}/${created.id}`, { status: 'publish' })
    const deleted = await admin.delete(path)
    assert.equal(deleted.status, 200, deleted.text)
    assert.deepEqual([deleted.body.id, deleted.body.status, deleted.body.slug], [created.id, 'trash', 'over__trashed'])
    assert.match(deleted.body.url, /\?post_type=tribe_events&p=\d+$/)
    assert.equal(deleted.body.venue.venue, 'Hall')
    const before = await readCalendarState(store)
    for (const by of [admin, editor, author, contributor, visitor]) {
      const read = await by.get(path)
      assert.deepEqual([read.status, read.body.code], [404, 'event-no-longer-available'])
    }
    const again = await admin.delete(path)
    assert.deepEqual([again.status, again.body.code], [410, 'event-is-in-trash'])
    const change = await admin.patch(path, { title: 'Not without a status' })
    assert.deepEqual([change.status, change.body.code], [404, 'event-no-longer-available'])
    assert.deepEqual(await readCalendarState(store), before)
  }
  assert.equal((await visitor.get(`${events}?include=${created.id}`)).body.total, 0)
  assert.equal((await admin.get(`${events}?include=${created.id}`)).body.total, 0)
  assert.equal((await admin.get(`${events}?include=${created.id}&status=trash`)).body.total, 1)
})

test('setting a status restores an event from the trash with all its fields', async () => {
  const created = await anEvent({
    title: 'Back',
    cost: 5,
    tags: ['kept'],
    venue: { venue: 'Kept' },
    organizer: { organizer: 'Kept' }
  })
  const path = `${events}/${created.id}`
  for (const status of ['publish', 'draft', 'private', 'pending']) {
    await admin.delete(path)
    const back = await admin.patch(path, { status })
    assert.equal(back.status, 200, back.text)
    const { id, cost, title, slug } = back.body
    assert.deepEqual([back.body.status, id, cost, title, slug], [status, created.id, '€5', 'Back', 'back'])
    assert.deepEqual(
      [back.body.tags[0].name, back.body.venue.venue, back.body.organizer[0].organizer],
      ['kept', 'Kept', 'Kept']
    )
    assert.equal(back.body.date_utc, created.date_utc)
  }
})

test('setting the status trash has the same effect as DELETE', async () => {
  const created = await anEvent({ title: 'Thrown', date: '2026-01-02 03:04:05' })
  const trashed = await admin.patch(`${events}/${created.id}`, { status: 'trash' })
  assert.deepEqual(
    [trashed.body.status, trashed.body.slug, trashed.body.date],
    ['trash', 'thrown__trashed', created.date]
  )
  assert.equal((await visitor.get(`${events}/${created.id}`)).status, 404)
  assert.equal((await admin.delete(`${events}/${created.id}`)).status, 410)
  assert.equal((await anEvent({ title: 'Thrown' })).slug, 'thrown')
})

test('force=true deletes an event permanently, also from the trash, and keeps its venue and tags', async () => {
  const child = await anEvent({ title: 'Child' })
  for (const prepare of [async () => {}, async (path: string) => void (await admin.delete(path))]) {
    const created = await anEvent({ title: 'Gone', tags: ['stays'], venue: { venue: 'Stays' } })
    await admin.patch(`${events}/${child.id}`, { post_parent: created.id })
    const path = `${events}/${created.id}`
    await prepare(path)
    const removed = await admin.delete(`${path}?force=true`)
    assert.equal(removed.status, 200, removed.text)
    assert.deepEqual([removed.body.id, removed.body.title], [created.id, 'Gone'])
    for (const answer of [
      await admin.get(path),
      await admin.delete(path),
      await admin.patch(path, { status: 'publish' })
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [404, 'rest-event-not-found'])
    }
    assert.equal((await visitor.get(`${calendar}/venues/${created.venue.id}`)).status, 200)
    assert.equal((await visitor.get(`${calendar}/tags/${created.tags[0].id}`)).status, 200)
    assert.equal((await visitor.get(`${events}/${child.id}`)).body.post_parent, 0)
    const left = await store.one<{ rows: number }>(sql`
      select (select count(*) from calendar.event_texts where event_id = ${created.id})
        + (select count(*) from calendar.event_venues where event_id = ${created.id})
        + (select count(*) from calendar.event_terms where event_id = ${created.id}) as rows`)
    assert.equal(Number(left.rows), 0)
  }
  const wrong = await admin.delete(`${events}/${child.id}?force=perhaps`)
  assert.deepEqual([wrong.status, Object.keys(wrong.body.data.params)], [400, ['force']])
  assert.equal((await admin.delete(`${events}/${child.id}?force=false`)).body.status, 'trash')
})

test('a contributor and a visitor cannot delete an event of another user, with force or without', async () => {
  const foreign = await anEvent({ title: 'Not yours' }, author)
  const before = await readCalendarState(store)
  for (const path of [`${events}/${foreign.id}`, `${events}/by-slug/not-yours`]) {
    for (const query of ['', '?force=true']) {
      const refused = await contributor.delete(path + query)
      assert.deepEqual([refused.status, refused.body.code], [403, 'rest_forbidden'], path + query)
      assert.equal((await visitor.delete(path + query)).status, 401)
    }
  }
  assert.deepEqual(await readCalendarState(store), before)
})

test('the event counts of terms are exact after every change of status and of terms', async () => {
  const [category, tag, other] = [
    await aCategory({ name: 'Counted' }),
    await aTag({ name: 'Counted' }),
    await aTag({ name: 'Other' })
  ]
  const readCounts = async () => [
    (await visitor.get(`${calendar}/categories/${category.id}`)).body.count,
    (await visitor.get(`${calendar}/tags/${tag.id}`)).body.count,
    (await visitor.get(`${calendar}/tags/${other.id}`)).body.count
  ]
  const { id } = await anEvent({ status: 'draft', categories: [category.id], tags: [tag.id] })
  await anEvent({ categories: [category.id] })
  const path = `${events}/${id}`
  const steps: [string, () => Promise<{ status: number; text: string }>, number[]][] = [
    ['a draft', () => admin.get(path), [1, 0, 0]],
    ['published', () => admin.patch(path, { status: 'publish' }), [2, 1, 0]],
    ['changed', () => admin.patch(path, { title: 'Same terms' }), [2, 1, 0]],
    ['the same terms again', () => admin.patch(path, { categories: [category.id], tags: ['Counted'] }), [2, 1, 0]],
    ['another tag', () => admin.patch(path, { tags: [other.id] }), [2, 0, 1]],
    ['both', () => admin.patch(path, { tags: [other.id, tag.id] }), [2, 1, 1]],
    ['private', () => admin.patch(path, { status: 'private' }), [1, 0, 0]],
    ['terms of a private one', () => admin.patch(path, { tags: [tag.id] }), [1, 0, 0]],
    ['published again', () => admin.patch(path, { status: 'publish' }), [2, 1, 0]],
    ['scheduled', () => admin.patch(path, { date: '+2 days' }), [1, 0, 0]],
    ['published now', () => admin.patch(path, { date: 'now' }), [2, 1, 0]],
    ['pending with other terms', () => admin.patch(path, { status: 'pending', tags: [] }), [1, 0, 0]],
    ['published with other terms', () => admin.patch(path, { status: 'publish', tags: [other.id] }), [2, 0, 1]],
    ['in the trash', () => admin.delete(path), [1, 0, 0]],
    ['restored as a draft', () => admin.patch(path, { status: 'draft' }), [1, 0, 0]],
    ['published once more', () => admin.patch(path, { status: 'publish' }), [2, 0, 1]],
    ['moved to the trash by its status', () => admin.patch(path, { status: 'trash' }), [1, 0, 0]],
    ['restored', () => admin.patch(path, { status: 'publish' }), [2, 0, 1]],
    ['scheduled again', () => admin.patch(path, { date: '+2 days' }), [1, 0, 0]],
    ['deleted while it is scheduled', () => admin.delete(`${path}?force=true`), [1, 0, 0]]
  ]
  for (const [state, step, expected] of steps) {
    const answer = await step()
    assert.equal(answer.status, 200, `${state}: ${answer.text}`)
    assert.deepEqual(await readCounts(), expected, state)
  }
  const stored = await store.all<{ stored: number; counted: number }>(sql`
    select term.event_count as stored, count(event.id) as counted
    from calendar.terms as term
    left join calendar.event_terms as link on link.term_id = term.id
    left join calendar.events as event on event.id = link.event_id and event.status = 'publish'
    group by term.id`)
  for (const term of stored) assert.equal(Number(term.stored), Number(term.counted))
})

test('concurrent changes of events with the same term leave an exact count', { skip: skipUnlessFull }, async () => {
  const tag = await aTag({ name: 'Rush' })
  const created = await Promise.all(Array.from({ length: 8 }, async () => await anEvent({ tags: [tag.id] })))
  await Promise.all(
    created.map(async ({ id }, at) =>
      at % 2 === 0
        ? await admin.delete(`${events}/${id}`)
        : await admin.patch(`${events}/${id}`, { tags: [tag.id, 'More'] })
    )
  )
  assert.equal((await visitor.get(`${calendar}/tags/${tag.id}`)).body.count, 4)
})

test('of five concurrent DELETE requests one succeeds, the others get 410', async () => {
  const { id } = await anEvent()
  const answers = await Promise.all(Array.from({ length: 5 }, async () => await admin.delete(`${events}/${id}`)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410, 410, 410])
})
