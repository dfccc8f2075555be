// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, aVenue, withRole } = await startCalendar()
const author = await withRole('author')
const events = `${calendar}/events`
const tagOf = (answer: { headers: Record<string, string | undefined> }) => answer.headers.etag ?? ''

test('an event has a tag, and who has it already gets 304 without a body', async () => {
  const made = await anEvent({ title: 'Tagged' })
  for (const path of [`${events}/${made.id}`, `${events}/by-slug/tagged`, events]) {
    const read = await visitor.get(path)
    assert.match(tagOf(read), /^"[\w-]+"$/)
    for (const tag of [tagOf(read), `W/${tagOf(read)}`, `"other", ${tagOf(read)}`, '*']) {
      const again = await visitor.get(path, { 'if-none-match': tag })
      assert.deepEqual([again.status, again.text], [304, ''], `${path} ${tag}`)
      assert.equal(tagOf(again), tagOf(read))
    }
    assert.equal((await visitor.get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('the tag changes with what is answered: the text, the language, what is embedded', async () => {
  const venue = await aVenue()
  const { id } = await anEvent({ venue: venue.id })
  const path = `${events}/${id}`
  await admin.patch(`${path}?language=de`, { title: 'Auf Deutsch' })
  const tags = [tagOf(await visitor.get(path)), tagOf(await visitor.get(`${path}?language=de`))]
  await admin.patch(path, { title: 'Other' })
  tags.push(tagOf(await visitor.get(path)))
  await admin.patch(`${calendar}/venues/${venue.id}`, { city: 'Ulm' })
  tags.push(tagOf(await visitor.get(path)))
  assert.equal(new Set(tags).size, 4)
})

test('If-Match lets an edit through that rests on the present version, and refuses others with 412', async () => {
  const venue = await aVenue()
  const made = await admin.post(events, { ...event, title: 'Matched', venue: venue.id })
  const path = `${events}/${made.body.id}`
  const first = tagOf(made)
  // What is embedded changes the tag of readers; it does not make an edit stale.
  await admin.patch(`${calendar}/venues/${venue.id}`, { city: 'Ulm' })
  const second = await admin.patch(path, { sticky: true }, { 'if-match': first })
  assert.equal(second.status, 200, second.text)
  const third = await admin.put(path, { sticky: false }, { 'if-match': tagOf(second) })
  assert.equal(third.status, 200)
  const read = tagOf(await admin.get(path))

  const before = await readCalendarState(store)
  const change = { title: 'Lost', venue: { venue: 'Left behind' }, tags: ['left behind'] }
  for (const stale of [first, tagOf(second), `W/${first}`, '"x"', '""', 'nonsense', `${first}, "x"`]) {
    for (const address of [path, `${events}/by-slug/matched`]) {
      const headers = { 'if-match': stale }
      const refused = [
        await admin.patch(address, change, headers),
        await admin.delete(address, headers),
        await admin.delete(`${address}?force=true`, headers)
      ]
      for (const { status, body } of refused) assert.deepEqual([status, body.data.status], [412, 412], stale)
    }
  }
  assert.deepEqual(await readCalendarState(store), before)
  for (const good of [read, `"x", ${read}`, '*']) {
    const { status } = await admin.patch(
      path,
      {},
      { 'if-match': good === '*' ? good : good.replace(read, tagOf(await admin.get(path))) }
    )
    assert.equal(status, 200, good)
  }
  assert.equal((await admin.delete(path, { 'if-match': tagOf(await admin.get(path)) })).status, 200)
})

test('permission and existence come before If-Match', async () => {
  const foreign = await anEvent()
  const stale = { 'if-match': '"0"' }
  assert.equal((await visitor.patch(`${events}/${foreign.id}`, {}, stale)).status, 401)
  assert.equal((await author.patch(`${events}/${foreign.id}`, {}, stale)).status, 403)
  assert.equal((await admin.patch(`${events}/99999999`, {}, stale)).status, 404)
  assert.equal((await admin.patch(`${events}/${foreign.id}`, { featured: 'x' }, stale)).status, 400)
})

test('of many who edit the same version one succeeds', async () => {
  const { id } = await anEvent()
  const tag = tagOf(await admin.get(`${events}/${id}`))
  const answers = await Promise.all(
    Array.from(
      { length: 6 },
      async (_, at) => await admin.patch(`${events}/${id}`, { title: `Edit ${at}` }, { 'if-match': tag })
    )
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412])
  const winner = answers.find(({ status }) => status === 200)
  assert.equal((await visitor.get(`${events}/${id}`)).body.title, winner?.body.title)
})

test('the same request with an Idempotency-Key makes one event, and its answer is given again', async () => {
  const body = { ...event, title: 'Once', venue: { venue: 'Once hall' }, tags: ['once'] }
  const headers = { 'idempotency-key': 'once-1' }
  const first = await admin.post(events, body, headers)
  assert.equal(first.status, 201, first.text)
  const before = await readCalendarState(store)
  const again = await admin.post(events, body, headers)
  assert.deepEqual(
    [
      again.status,
      again.body,
      again.headers['idempotent-replayed'],
      again.headers.location,
      again.headers['content-language']
    ],
    [201, first.body, 'true', first.headers.location, 'en']
  )
  assert.equal(tagOf(again), tagOf(first))
  const other = await admin.post(events, { ...body, title: 'Twice' }, headers)
  assert.equal(other.status, 422)
  assert.deepEqual(await readCalendarState(store), before)

  const byAnother = await author.post(events, body, headers)
  assert.equal(byAnother.status, 201)
  assert.notEqual(byAnother.body.id, first.body.id)
  assert.equal(
    (await admin.patch(`${events}/${first.body.id}`, { sticky: true }, { 'if-match': tagOf(again) })).status,
    200
  )
})

test('a refused request does not use its key up', async () => {
  const headers = { 'idempotency-key': 'once-2' }
  const before = await readCalendarState(store)
  for (const wrong of [
    { title: 'x' },
    { ...event, venue: 987_654 },
    { ...event, tags: ['left behind'], categories: [987_654] }
  ]) {
    assert.equal((await admin.post(events, wrong, headers)).status, 400)
  }
  assert.deepEqual(await readCalendarState(store), before)
  assert.equal((await admin.post(events, event, headers)).status, 201)
})

test('many who send the same key at once make one event', async () => {
  const body = { ...event, title: 'At once' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => await admin.post(events, body, { 'idempotency-key': 'once-3' }))
  )
  for (const { status, text } of answers) assert.ok(status === 201 || status === 409, text)
  const ids = answers.filter(({ status }) => status === 201).map(answer => answer.body.id)
  assert.equal(new Set(ids).size, 1)
  assert.equal((await visitor.get(`${events}?search=%22at%20once%22`)).body.total, 1)
})
