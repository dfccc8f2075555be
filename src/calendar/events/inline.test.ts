import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, withRole, anEvent, aTag, aCategory } = await startCalendar()
const author = await withRole('author')
const contributor = await withRole('contributor')
const editor = await withRole('editor')
const events = `${calendar}/events`

for (const { member, table } of [
  { member: 'venue', table: 'venues' },
  { member: 'organizer', table: 'organizers' }
]) {
  const first = (given: unknown) => (Array.isArray(given) ? given[0] : given)
  const inline = (name: string, fields: object = {}) => ({ [member]: { [member]: name, ...fields } })
  const statusOf = async (id: number) => (await admin.get(`${calendar}/${table}/${id}`)).body.status
  const isPublic = async (id: number) => (await visitor.get(`${calendar}/${table}/${id}`)).status === 200

  test(`a ${member} that is made in an event has the state of the event, until it is public`, async () => {
    for (const status of ['draft', 'pending', 'private']) {
      const made = await anEvent({ status, ...inline(`In a ${status}`) })
      const { id } = first(made[member])
      assert.deepEqual([await statusOf(id), await isPublic(id)], [status, false])
      assert.equal((await visitor.get(`${calendar}/${table}?per_page=50`)).text.includes(`In a ${status}`), false)
      await admin.patch(`${events}/${made.id}`, { status: 'pending' })
      assert.equal(await statusOf(id), 'pending')
      await admin.patch(`${events}/${made.id}`, { status: 'publish' })
      assert.deepEqual([await statusOf(id), await isPublic(id)], ['publish', true])
      await admin.patch(`${events}/${made.id}`, { status: 'draft' })
      assert.equal(await isPublic(id), true, 'Others may rely on it.')
    }
    const open = await anEvent(inline('In the open'))
    assert.equal(await isPublic(first(open[member]).id), true)
  })

  test(`a ${member} that is made in a scheduled event becomes visible with it`, async () => {
    const made = await anEvent({ date: '+1 day', ...inline('Tomorrow') })
    const { id } = first(made[member])
    assert.deepEqual([made.status, await statusOf(id), await isPublic(id)], ['future', 'future', false])
    await admin.patch(`${events}/${made.id}`, { status: 'draft' })
    assert.equal(await statusOf(id), 'draft')
    await admin.patch(`${events}/${made.id}`, { status: 'publish', date: '-1 hour' })
    assert.equal(await isPublic(id), true)
  })

  test(`a ${member} with a state of its own does not follow the event`, async () => {
    const given = await anEvent({ status: 'draft', ...inline('Given', { status: 'private' }) })
    await admin.patch(`${events}/${given.id}`, { status: 'publish' })
    assert.equal(await statusOf(first(given[member]).id), 'private')

    const changed = await anEvent({ status: 'draft', ...inline('Changed') })
    const path = `${calendar}/${table}/${first(changed[member]).id}`
    const { status, ...read } = (await admin.get(path)).body
    assert.equal(
      (await admin.put(path, { ...read, status })).status,
      200,
      'What is sent back as it was read is no decision.'
    )
    await admin.patch(path, { status: 'pending' })
    await admin.patch(`${events}/${changed.id}`, { status: 'publish' })
    assert.equal(await statusOf(first(changed[member]).id), 'pending')
  })

  test(`a ${member} of a draft that another event names as well is published with that one`, async () => {
    const draft = await anEvent({ status: 'draft', ...inline('Shared') })
    const open = await anEvent(inline('Shared'))
    assert.equal(first(open[member]).id, first(draft[member]).id)
    assert.equal(first((await visitor.get(`${events}/${open.id}`)).body[member]).id, first(draft[member]).id)
  })

  test(`what a contributor makes inline of ${member} is published by the editor who publishes the event`, async () => {
    const made = await contributor.post(events, { ...event, status: 'publish', ...inline('Handed in') })
    const { id } = first(made.body[member])
    assert.deepEqual([made.body.status, await statusOf(id)], ['pending', 'pending'])
    assert.equal((await editor.patch(`${events}/${made.body.id}`, { status: 'publish' })).status, 200)
    assert.equal(await isPublic(id), true)
  })
}

test('an event makes new tags and categories only for those who may make them elsewhere, and says which field', async () => {
  const [tag, category] = [await aTag({ name: 'Known tag' }), await aCategory({ name: 'Known category' })]
  const own = (await contributor.post(events, event)).body.id
  const before = await readCalendarState(store)
  const refused: [typeof admin, object, string][] = [
    [contributor, { tags: ['Known tag', 'New tag'] }, 'tags'],
    [contributor, { categories: 'New category' }, 'categories'],
    [author, { tags: 'New tag' }, 'tags']
  ]
  for (const [client, fields, field] of refused) {
    const answers = [
      await client.post(events, { ...event, ...fields }, { 'accept-language': 'de' }),
      ...(client === contributor ? [await client.patch(`${events}/${own}`, fields, { 'accept-language': 'de' })] : [])
    ]
    for (const { status, body, text } of answers) {
      assert.deepEqual([status, body.code, Object.keys(body.data.params)], [403, 'rest_forbidden', [field]], text)
      assert.match(body.message, /Neue dürfen Sie nicht anlegen \(New /)
    }
  }
  assert.deepEqual(await readCalendarState(store), before)

  const known = { tags: ['Known tag'], categories: [category.id, 'known-category'] }
  const made = await contributor.post(events, { ...event, ...known })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.body.tags[0].id, made.body.categories[0].id], [tag.id, category.id])
  assert.equal((await author.post(events, { ...event, categories: ['By an author'] })).status, 201)
  assert.equal((await editor.post(events, { ...event, tags: ['By an editor'] })).status, 201)
})
