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
  const getFirst = (withOwnStatus: unknown) => (Array.isArray(withOwnStatus) ? withOwnStatus[0] : withOwnStatus)
  const inline = (name: string, fields: object = {}) => ({ [member]: { [member]: name, ...fields } })
  const readStatus = async (id: number) => (await admin.get(`${calendar}/${table}/${id}`)).body.status
  const isPublic = async (id: number) => (await visitor.get(`${calendar}/${table}/${id}`)).status === 200

  test(`a ${member} created inside an event follows the status of the event until it is published`, async () => {
    for (const status of ['draft', 'pending', 'private']) {
      const created = await anEvent({ status, ...inline(`In a ${status}`) })
      const { id } = getFirst(created[member])
      assert.deepEqual([await readStatus(id), await isPublic(id)], [status, false])
      assert.equal((await visitor.get(`${calendar}/${table}?per_page=50`)).text.includes(`In a ${status}`), false)
      await admin.patch(`${events}/${created.id}`, { status: 'pending' })
      assert.equal(await readStatus(id), 'pending')
      await admin.patch(`${events}/${created.id}`, { status: 'publish' })
      assert.deepEqual([await readStatus(id), await isPublic(id)], ['publish', true])
      await admin.patch(`${events}/${created.id}`, { status: 'draft' })
      assert.equal(await isPublic(id), true, 'a published item stays public, because other events may use it')
    }
    const published = await anEvent(inline('In the open'))
    assert.equal(await isPublic(getFirst(published[member]).id), true)
  })

  test(`a ${member} created inside a scheduled event is published with the event`, async () => {
    const created = await anEvent({ date: '+1 day', ...inline('Tomorrow') })
    const { id } = getFirst(created[member])
    assert.deepEqual([created.status, await readStatus(id), await isPublic(id)], ['future', 'future', false])
    await admin.patch(`${events}/${created.id}`, { status: 'draft' })
    assert.equal(await readStatus(id), 'draft')
    await admin.patch(`${events}/${created.id}`, { status: 'publish', date: '-1 hour' })
    assert.equal(await isPublic(id), true)
  })

  test(`a ${member} with its own status does not follow the status of the event`, async () => {
    const withOwnStatus = await anEvent({ status: 'draft', ...inline('Given', { status: 'private' }) })
    await admin.patch(`${events}/${withOwnStatus.id}`, { status: 'publish' })
    assert.equal(await readStatus(getFirst(withOwnStatus[member]).id), 'private')

    const changed = await anEvent({ status: 'draft', ...inline('Changed') })
    const path = `${calendar}/${table}/${getFirst(changed[member]).id}`
    const { status, ...read } = (await admin.get(path)).body
    assert.equal(
      (await admin.put(path, { ...read, status })).status,
      200,
      'sending back the same status does not count as an own status'
    )
    await admin.patch(path, { status: 'pending' })
    await admin.patch(`${events}/${changed.id}`, { status: 'publish' })
    assert.equal(await readStatus(getFirst(changed[member]).id), 'pending')
  })

  test(`a ${member} of a draft is published with another event that uses it`, async () => {
    const draft = await anEvent({ status: 'draft', ...inline('Shared') })
    const published = await anEvent(inline('Shared'))
    assert.equal(getFirst(published[member]).id, getFirst(draft[member]).id)
    assert.equal(getFirst((await visitor.get(`${events}/${published.id}`)).body[member]).id, getFirst(draft[member]).id)
  })

  test(`a ${member} that a contributor creates inside an event is published when an editor publishes the event`, async () => {
    const created = await contributor.post(events, { ...event, status: 'publish', ...inline('Handed in') })
    const { id } = getFirst(created.body[member])
    assert.deepEqual([created.body.status, await readStatus(id)], ['pending', 'pending'])
    assert.equal((await editor.patch(`${events}/${created.body.id}`, { status: 'publish' })).status, 200)
    assert.equal(await isPublic(id), true)
  })
}

test('an event creates new tags and categories only for callers who may create them; others get 403 with the field', async () => {
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
  const created = await contributor.post(events, { ...event, ...known })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.body.tags[0].id, created.body.categories[0].id], [tag.id, category.id])
  assert.equal((await author.post(events, { ...event, categories: ['By an author'] })).status, 201)
  assert.equal((await editor.post(events, { ...event, tags: ['By an editor'] })).status, 201)
})
