import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, store, settings, anEvent, aVenue, aCategory, aTag, withRole } = await startCalendar({
  env: { TIMEZONE: 'Europe/Berlin' }
})
const author = await withRole('author')
const contributor = await withRole('contributor')
const editor = await withRole('editor')
const events = `${calendar}/events`
const bulk = `${events}/bulk`

const read = async (id: number) => (await admin.get(`${events}/${id}?context=edit`)).body

async function run(fields: object, by: Client = admin) {
  const answer = await by.post(bulk, fields)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function undo(id: number, by: Client = admin) {
  const answer = await by.post(`${bulk}/${id}/undo`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const createEvents = async (count: number, fields: object = {}, by: Client = admin): Promise<number[]> => {
  const ids: number[] = []
  while (ids.length < count) ids.push((await anEvent({ title: `Event ${ids.length}`, ...fields }, by)).id)
  return ids
}

test('twenty events move by a week and back', { skip: skipUnlessFull }, async () => {
  const ids = await createEvents(20)
  const done = await run({ ids, action: 'shift', days: 7 })
  assert.deepEqual([done.changed, done.unchanged], [ids, []])
  for (const id of ids) {
    const { start_date, end_date } = await read(id)
    assert.deepEqual([start_date, end_date], ['2027-06-08 19:00:00', '2027-06-08 21:00:00'])
  }
  const undone = await undo(done.id)
  assert.deepEqual([undone.changed, undone.unchanged], [ids, []])
  for (const id of ids) assert.equal((await read(id)).start_date, '2027-06-01 19:00:00')
})

test('moving keeps the local time when clocks change', async () => {
  // Clocks go forward on 28 March 2027.
  const [id = 0] = await createEvents(1, { start_date: '2027-03-24 19:00:00', end_date: '2027-03-24 21:30:00' })
  await run({ ids: [id], action: 'shift', days: 7 })
  const moved = await read(id)
  assert.deepEqual([moved.start_date, moved.utc_start_date], ['2027-03-31 19:00:00', '2027-03-31 17:00:00'])
  assert.equal(moved.end_date, '2027-03-31 21:30:00')
  await run({ ids: [id], action: 'shift', days: -1, minutes: 90 })
  assert.equal((await read(id)).start_date, '2027-03-30 20:30:00')
})

test('all-day events move by whole days only', async () => {
  const [id = 0] = await createEvents(1, { all_day: true, start_date: '2027-06-01', end_date: '2027-06-02' })
  const same = await run({ ids: [id], action: 'shift', minutes: 30 })
  assert.deepEqual([same.changed, same.unchanged[0].code], [[], 'event-unchanged'])
  await run({ ids: [id], action: 'shift', days: 1, minutes: 30 })
  const { start_date, end_date, all_day } = await read(id)
  assert.deepEqual([start_date, end_date, all_day], ['2027-06-02 00:00:00', '2027-06-03 23:59:59', true])
})

test('trash and restore: each event gets back the status it had', async () => {
  const [published = 0] = await createEvents(1)
  const [draft = 0] = await createEvents(1, { status: 'draft' })
  const ids = [published, draft]
  const trashed = await run({ ids, action: 'trash' })
  assert.deepEqual(trashed.changed, ids)
  assert.equal((await run({ ids, action: 'trash' })).unchanged[0].code, 'event-is-in-trash')
  // Nothing else is done to events in the trash.
  assert.equal((await run({ ids, action: 'publish' })).unchanged[0].code, 'event-no-longer-available')
  const restored = await run({ ids, action: 'restore' })
  assert.deepEqual(restored.changed, ids)
  assert.deepEqual([(await read(published)).status, (await read(draft)).status], ['publish', 'draft'])
  assert.equal((await run({ ids, action: 'restore' })).unchanged[0].code, 'event-unchanged')
  await undo(restored.id)
  assert.equal((await admin.get(`${events}/${published}`)).body.code, 'event-no-longer-available')
})

test('drafts are published, and undo makes them drafts again', async () => {
  const ids = await createEvents(2, { status: 'draft' })
  const done = await run({ ids, action: 'publish' })
  assert.deepEqual((await read(ids[0] ?? 0)).status, 'publish')
  assert.equal((await run({ ids, action: 'publish' })).changed.length, 0)
  await undo(done.id)
  const { status, date_utc } = await read(ids[0] ?? 0)
  assert.deepEqual([status, date_utc], ['draft', '0000-00-00 00:00:00'])
  assert.equal((await run({ ids, action: 'draft' })).unchanged[0].code, 'event-unchanged')
})

for (const [collection, member, make] of [
  ['categories', 'category', aCategory],
  ['tags', 'tag', aTag]
] as const) {
  test(`a ${member} is added to events and removed from them; others stay`, async () => {
    const [first, second] = [await make({ name: `First ${member}` }), await make({ name: `Second ${member}` })]
    const ids = await createEvents(2, { [collection]: [first.id] })
    const readTermIds = async (id: number) => (await read(id))[collection].map((term: { id: number }) => term.id)
    const added = await run({ ids, action: `add_${member}`, term: second.id })
    assert.deepEqual(added.changed, ids)
    for (const id of ids) assert.deepEqual(await readTermIds(id), [first.id, second.id])
    assert.equal((await run({ ids, action: `add_${member}`, term: second.id })).changed.length, 0)
    await run({ ids, action: `remove_${member}`, term: first.id })
    for (const id of ids) assert.deepEqual(await readTermIds(id), [second.id])
    assert.equal((await admin.get(`${calendar}/${collection}/${second.id}`)).body.count, 2)
    assert.equal((await admin.get(`${calendar}/${collection}/${first.id}`)).body.count, 0)
    const wrong = await admin.post(bulk, { ids, action: `add_${member}`, term: 999_999 })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.data.params)], [400, ['term']])
  })
}

test('the venue is set or removed', async () => {
  const [old, hall] = [await aVenue({ venue: 'Old' }), await aVenue({ venue: 'Hall' })]
  const ids = await createEvents(2, { venue: old.id })
  const done = await run({ ids, action: 'set_venue', venue: hall.id })
  assert.equal((await read(ids[1] ?? 0)).venue.id, hall.id)
  await undo(done.id)
  assert.equal((await read(ids[1] ?? 0)).venue.id, old.id)
  await run({ ids, action: 'set_venue', venue: 0 })
  assert.deepEqual((await read(ids[0] ?? 0)).venue, [])
})

test('a missing event or an event of another user does not stop the action for the other events', async () => {
  const [own = 0] = await createEvents(1, {}, author)
  const [other = 0] = await createEvents(1)
  const done = await run({ ids: [999_999, other, own], action: 'shift', days: 1 }, author)
  assert.deepEqual(done.changed, [own])
  assert.deepEqual(
    done.unchanged.map(({ id, code }: { id: number; code: string }) => [id, code]),
    [
      [other, 'rest_forbidden'],
      [999_999, 'rest-event-not-found']
    ]
  )
  assert.equal(done.unchanged[1].reason, 'Event with ID 999999 does not exist.')
  const german = await author.post(bulk, { ids: [999_999], action: 'trash' }, { 'accept-language': 'de' })
  assert.equal(german.body.unchanged[0].reason, 'Es gibt keinen Termin mit der Nummer 999999.')
  assert.equal((await read(other)).start_date, '2027-06-01 19:00:00')
})

test('contributors cannot publish', async () => {
  const ids = await createEvents(1, {}, contributor)
  const done = await run({ ids, action: 'publish' }, contributor)
  assert.deepEqual([done.changed, done.unchanged[0].code], [[], 'rest_forbidden'])
  assert.equal((await read(ids[0] ?? 0)).status, 'draft')
})

test('undo skips events that were changed or deleted since, and works only once', async () => {
  const [edited = 0, untouched = 0, deleted = 0] = await createEvents(3)
  const done = await run({ ids: [edited, untouched, deleted], action: 'shift', days: 7 })
  await admin.patch(`${events}/${edited}`, { title: 'Edited' })
  await admin.delete(`${events}/${deleted}?force=true`)
  const undone = await undo(done.id)
  assert.deepEqual(undone.changed, [untouched])
  assert.deepEqual(
    undone.unchanged.map(({ id, code }: { id: number; code: string }) => [id, code]),
    [
      [edited, 'event-changed-since'],
      [deleted, 'rest-event-not-found']
    ]
  )
  assert.equal((await read(edited)).start_date, '2027-06-08 19:00:00')
  const again = await admin.post(`${bulk}/${done.id}/undo`)
  assert.deepEqual([again.status, again.body.code], [409, 'bulk-action-already-undone'])
})

test('only the user who ran an action and editors can read and undo it', async () => {
  const ids = await createEvents(1, {}, author)
  const done = await run({ ids, action: 'shift', days: 1 }, author)
  assert.equal((await contributor.get(`${bulk}/${done.id}`)).status, 403)
  assert.equal((await contributor.post(`${bulk}/${done.id}/undo`)).status, 403)
  const { body } = await author.get(`${bulk}/${done.id}`)
  assert.deepEqual([body.action, body.changed, body.undone_at], ['shift', ids, null])
  assert.deepEqual((await undo(done.id, editor)).changed, ids)
  assert.notEqual((await author.get(`${bulk}/${done.id}`)).body.undone_at, null)
  assert.equal((await admin.get(`${bulk}/999999`)).body.code, 'rest-bulk-action-not-found')
})

test('a repeated request with the same key moves events once', async () => {
  const [id = 0] = await createEvents(1)
  const send = async () =>
    await admin.post(bulk, { ids: [id], action: 'shift', days: 7 }, { 'idempotency-key': 'move-once' })
  const [first, second] = [await send(), await send()]
  assert.deepEqual(second.body, first.body)
  assert.equal((await read(id)).start_date, '2027-06-08 19:00:00')
  assert.equal((await admin.get(first.headers.location ?? '')).body.id, first.body.id)
})

test('wrong input is refused with the name of the parameter, and changes nothing', async () => {
  const ids = await createEvents(1)
  const tag = await aTag({ name: 'A tag, and no category' })
  for (const [fields, named] of [
    [{ ids: [], action: 'trash' }, 'ids'],
    [{ ids: Array.from({ length: 101 }, (_, index) => index + 1), action: 'trash' }, 'ids'],
    [{ ids: ['x'], action: 'trash' }, 'ids'],
    [{ ids, action: 'explode' }, 'action'],
    [{ ids, action: 'shift' }, 'days'],
    [{ ids, action: 'shift', days: 0 }, 'days'],
    [{ ids, action: 'shift', days: 1.5 }, 'days'],
    [{ ids, action: 'shift', days: 4000 }, 'days'],
    [{ ids, action: 'shift', minutes: 'soon' }, 'minutes'],
    [{ ids, action: 'add_tag' }, 'term'],
    [{ ids, action: 'add_category', term: tag.id }, 'term'],
    [{ ids, action: 'set_venue' }, 'venue'],
    [{ ids, action: 'set_venue', venue: 999_999 }, 'venue']
  ] as const) {
    const { status, body } = await admin.post(bulk, fields)
    assert.equal(status, 400, JSON.stringify(fields))
    assert.deepEqual(Array.isArray(body.data.params) ? body.data.params : Object.keys(body.data.params), [named])
  }
  const missing = await admin.post(bulk, {})
  assert.deepEqual(missing.body.data.params, ['ids', 'action'])
  assert.equal((await read(ids[0] ?? 0)).start_date, '2027-06-01 19:00:00')
})

test('an event that would move beyond the latest possible date stays unchanged; the others move', async () => {
  const [far = 0, near = 0] = [
    ...(await createEvents(1, { start_date: '2199-06-01 19:00:00', end_date: '2199-06-01 21:00:00' })),
    ...(await createEvents(1))
  ]
  const done = await run({ ids: [far, near], action: 'shift', days: 3660 })
  assert.deepEqual(done.changed, [near])
  assert.deepEqual([done.unchanged[0].id, done.unchanged[0].code], [far, 'rest_invalid_param'])
})

test('actions are deleted after 30 days', async () => {
  const done = await run({ ids: await createEvents(1), action: 'trash' })
  const job = createCalendarJobs(settings).find(({ name }) => name === 'delete-old-bulk-actions')
  const runJob = async () => await job?.run(store, {}, new AbortController().signal)
  await runJob()
  assert.equal((await admin.get(`${bulk}/${done.id}`)).status, 200)
  await store.run(sql`update calendar.event_bulk_actions set at = at - interval '31 days' where id = ${done.id}`)
  await runJob()
  assert.equal((await admin.get(`${bulk}/${done.id}`)).status, 404)
})
