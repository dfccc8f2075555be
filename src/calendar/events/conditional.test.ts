// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, aVenue, withRole } = await startCalendar()
const author = await withRole('author')
const events = `${calendar}/events`
const getEtag = (answer: { headers: Record<string, string | undefined> }) => answer.headers.etag ?? ''

test('events and lists have an ETag; a request with a matching If-None-Match gets 304 without a body', async () => {
  const created = await anEvent({ title: 'Tagged' })
  for (const path of [`${events}/${created.id}`, `${events}/by-slug/tagged`, events]) {
    const read = await visitor.get(path)
    assert.match(getEtag(read), /^"[\w-]+"$/)
    for (const tag of [getEtag(read), `W/${getEtag(read)}`, `"other", ${getEtag(read)}`, '*']) {
      const again = await visitor.get(path, { 'if-none-match': tag })
      assert.deepEqual([again.status, again.text], [304, ''], `${path} ${tag}`)
      assert.equal(getEtag(again), getEtag(read))
    }
    assert.equal((await visitor.get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('the ETag changes with the text, the language and the embedded venue', async () => {
  const venue = await aVenue()
  const { id } = await anEvent({ venue: venue.id })
  const path = `${events}/${id}`
  await admin.patch(`${path}?language=de`, { title: 'Auf Deutsch' })
  const tags = [getEtag(await visitor.get(path)), getEtag(await visitor.get(`${path}?language=de`))]
  await admin.patch(path, { title: 'Other' })
  tags.push(getEtag(await visitor.get(path)))
  await admin.patch(`${calendar}/venues/${venue.id}`, { city: 'Ulm' })
  tags.push(getEtag(await visitor.get(path)))
  assert.equal(new Set(tags).size, 4)
})

test('If-Match accepts an edit of the current version and refuses others with 412', async () => {
  const venue = await aVenue()
  const created = await admin.post(events, { ...event, title: 'Matched', venue: venue.id })
  const path = `${events}/${created.body.id}`
  const first = getEtag(created)
  // A change of the venue changes the ETag of the event, but an edit with the earlier ETag is still accepted.
  await admin.patch(`${calendar}/venues/${venue.id}`, { city: 'Ulm' })
  const second = await admin.patch(path, { sticky: true }, { 'if-match': first })
  assert.equal(second.status, 200, second.text)
  const third = await admin.put(path, { sticky: false }, { 'if-match': getEtag(second) })
  assert.equal(third.status, 200)
  const read = getEtag(await admin.get(path))

  const before = await readCalendarState(store)
  const change = { title: 'Lost', venue: { venue: 'Left behind' }, tags: ['left behind'] }
  for (const stale of [first, getEtag(second), `W/${first}`, '"x"', '""', 'nonsense', `${first}, "x"`]) {
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
      { 'if-match': good === '*' ? good : good.replace(read, getEtag(await admin.get(path))) }
    )
    assert.equal(status, 200, good)
  }
  assert.equal((await admin.delete(path, { 'if-match': getEtag(await admin.get(path)) })).status, 200)
})

test('permission, existence and validity are checked before If-Match', async () => {
  const foreign = await anEvent()
  const stale = { 'if-match': '"0"' }
  assert.equal((await visitor.patch(`${events}/${foreign.id}`, {}, stale)).status, 401)
  assert.equal((await author.patch(`${events}/${foreign.id}`, {}, stale)).status, 403)
  assert.equal((await admin.patch(`${events}/99999999`, {}, stale)).status, 404)
  assert.equal((await admin.patch(`${events}/${foreign.id}`, { featured: 'x' }, stale)).status, 400)
})

test('of six concurrent edits of the same version one succeeds, the others get 412', async () => {
  const { id } = await anEvent()
  const tag = getEtag(await admin.get(`${events}/${id}`))
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

test('a repeated request with the same Idempotency-Key creates one event and gets the first response again', async () => {
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
  assert.equal(getEtag(again), getEtag(first))
  const other = await admin.post(events, { ...body, title: 'Twice' }, headers)
  assert.equal(other.status, 422)
  assert.deepEqual(await readCalendarState(store), before)

  const byAuthor = await author.post(events, body, headers)
  assert.equal(byAuthor.status, 201)
  assert.notEqual(byAuthor.body.id, first.body.id)
  assert.equal(
    (await admin.patch(`${events}/${first.body.id}`, { sticky: true }, { 'if-match': getEtag(again) })).status,
    200
  )
})

test('a refused request does not use up its Idempotency-Key', async () => {
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

test('concurrent requests with the same Idempotency-Key create one event', async () => {
  const body = { ...event, title: 'At once' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => await admin.post(events, body, { 'idempotency-key': 'once-3' }))
  )
  for (const { status, text } of answers) assert.ok(status === 201 || status === 409, text)
  const ids = answers.filter(({ status }) => status === 201).map(answer => answer.body.id)
  assert.equal(new Set(ids).size, 1)
  assert.equal((await visitor.get(`${events}?search=%22at%20once%22`)).body.total, 1)
})
