import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startFeed } from '#test/support/calendar/feed-server.ts'
import { buildFeedEvents, noCounts, startSubscriptions } from '#test/support/calendar/subscriptions.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, type TestResponse } from '#test/support/services.ts'
import { runImports } from '../imports/runner/run.ts'

const here = await startSubscriptions()
const { editor, findEvents, listEvents, listRows, read, refresh, subscribe, fetchDueSubscriptions } = here

type Json = TestResponse['body']
const getTitles = (events: Json[]) => events.map(({ title }) => title)
const readLastCounts = async (id: number) => (await read(id)).last_counts

test('fields that changed at the source are written, fields that were edited here are kept, and both is a conflict', async () => {
  const feed = await startFeed(buildFeedEvents('Regatta', 4))
  const { id } = await subscribe(feed.url)
  const [first, second, third, fourth] = await findEvents('Regatta')
  // One changed at the source, one edited here, one changed on both sides in different fields, one in the same field.
  await editor.patch(`${calendar}/events/${second.id}`, { title: 'Regatta 2, on Sunday' })
  await editor.patch(`${calendar}/events/${third.id}`, { title: 'Regatta 3, bring cake' })
  await editor.patch(`${calendar}/events/${fourth.id}`, { title: 'Regatta 4, with music', cost: '5' })
  feed.events[0] = { ...feed.events[0], title: 'Regatta 1, moved' } as never
  feed.events[2] = { ...feed.events[2], description: 'Cancelled in rain.' } as never
  feed.events[3] = { ...feed.events[3], title: 'Regatta 4, without music', start: '20310701T100000' } as never
  const after = await refresh(id)
  assert.deepEqual(after.last_counts, { ...noCounts, changed: 2, conflict: 1, same: 1 })
  const byId = new Map((await findEvents('Regatta')).map(event => [event.id, event]))
  assert.equal(byId.get(first.id).title, 'Regatta 1, moved')
  assert.equal(byId.get(second.id).title, 'Regatta 2, on Sunday')
  assert.equal(byId.get(third.id).title, 'Regatta 3, bring cake')
  assert.match(byId.get(third.id).description, /Cancelled in rain/)
  const mixed = byId.get(fourth.id)
  assert.equal(mixed.title, 'Regatta 4, with music')
  assert.equal(mixed.start_date, '2031-07-01 12:00:00')
  assert.equal(mixed.cost, '€5')

  const [conflict, ...others] = await listEvents(id, '&state=conflict')
  assert.deepEqual(others, [])
  assert.equal(conflict.id, fourth.id)
  assert.deepEqual(conflict.conflicts, [
    { field: 'title.en', name: 'title (en)', here: 'Regatta 4, with music', theirs: 'Regatta 4, without music' }
  ])
  const row = (await listRows(id)).find(({ outcome }) => outcome === 'conflict')
  assert.match(row.reasons[0], /edited here: title \(en\)/)
  // After another fetch of the same events the conflict stays open and is not counted again.
  feed.lines = ['X-COMMENT:again']
  assert.equal((await refresh(id)).last_result, 'unchanged')
  assert.equal((await read(id)).counts.conflicts, 1)
})

test('an editor resolves a conflict with the values of the source or those here, until the source changes again', async () => {
  const feed = await startFeed(buildFeedEvents('Fair', 2))
  const { id } = await subscribe(feed.url)
  const [one, two] = await findEvents('Fair')
  for (const event of [one, two]) {
    await editor.patch(`${calendar}/events/${event.id}`, {
      title: `${event.title} (ours)`,
      website: 'https://our.example'
    })
  }
  const renameAtSource = (word: string) => {
    feed.events = feed.events.map(event => ({ ...event, title: `${event.title.slice(0, 6)} ${word}` }))
  }
  renameAtSource('theirs')
  assert.equal((await refresh(id)).counts.conflicts, 2)
  const resolve = async (event: number, take: string) =>
    await editor.post(`${calendar}/subscriptions/${id}/resolve`, { event, take })
  assert.equal((await resolve(one.id, 'theirs')).status, 200)
  assert.equal((await resolve(two.id, 'here')).body.counts.conflicts, 0)
  assert.deepEqual(getTitles(await findEvents('Fair')), ['Fair 1 theirs', 'Fair 2 (ours)'])
  assert.equal((await findEvents('Fair'))[0].website, 'https://our.example')
  assert.equal((await resolve(one.id, 'theirs')).status, 409)

  feed.lines = ['X-COMMENT:again']
  assert.equal((await refresh(id)).counts.conflicts, 0)
  renameAtSource('newer')
  assert.deepEqual(await readLastCounts((await refresh(id)).id), { ...noCounts, changed: 1, conflict: 1 })
  assert.deepEqual(getTitles(await findEvents('Fair')), ['Fair 1 newer', 'Fair 2 (ours)'])
})

test('a field that was changed to the same value on both sides is not a conflict', async () => {
  const feed = await startFeed(buildFeedEvents('Bazaar', 1))
  const { id } = await subscribe(feed.url)
  const [event] = await findEvents('Bazaar')
  await editor.patch(`${calendar}/events/${event.id}`, { title: 'Bazaar with tea' })
  feed.events = feed.events.map(one => ({ ...one, title: 'Bazaar with tea' }))
  assert.equal((await refresh(id)).counts.conflicts, 0)
  feed.events = feed.events.map(one => ({ ...one, title: 'Bazaar with coffee' }))
  await refresh(id)
  assert.deepEqual(getTitles(await findEvents('Bazaar')), ['Bazaar with coffee'])
})

for (const gone of ['keep', 'cancel', 'trash'] as const) {
  test(`with gone=${gone} an upcoming event that is gone at the source is handled so, and restored when it reappears`, async () => {
    const name = `Gone ${gone}`
    const past = { uid: `past-${gone}@feed.example`, title: `${name} past`, start: '20200101T100000' }
    const feed = await startFeed([...buildFeedEvents(name, 3), past])
    const { id } = await subscribe(feed.url, { gone })
    const [, leaving] = feed.events
    const event = (await findEvents(name)).find(({ title }) => title === leaving?.title)
    feed.events = feed.events.filter(({ uid }) => uid !== leaving?.uid && uid !== past.uid)
    const after = await refresh(id)
    assert.deepEqual(after.last_counts, { ...noCounts, same: 2, gone: 1 }, 'past events do not count as gone')
    assert.deepEqual(after.counts, { events: 3, conflicts: 0, gone: 1 })
    const answer = await editor.get(`${calendar}/events/${event.id}`)
    if (gone === 'trash') assert.equal(answer.status, 404)
    else assert.equal(answer.body.event_status, gone === 'cancel' ? 'canceled' : 'scheduled')
    const [listed] = await listEvents(id, '&state=gone')
    assert.deepEqual([listed.id, listed.gone_action], [event.id, gone])
    // The next run does not count it again.
    feed.lines = ['X-COMMENT:again']
    assert.equal((await refresh(id)).last_result, 'unchanged')

    feed.events = [...feed.events, leaving as never]
    assert.equal((await refresh(id)).last_counts.restored, 1)
    const restored = (await editor.get(`${calendar}/events/${event.id}`)).body
    assert.deepEqual([restored.status, restored.event_status, restored.title], ['publish', 'scheduled', leaving?.title])
    assert.equal((await read(id)).counts.gone, 0)
  })
}

test('an event that an editor deleted or moved to the trash here is not created again', async () => {
  const feed = await startFeed(buildFeedEvents('Removed', 3))
  const { id } = await subscribe(feed.url)
  const [one, two] = await findEvents('Removed')
  await editor.delete(`${calendar}/events/${one.id}`)
  await editor.delete(`${calendar}/events/${two.id}?force=true`)
  feed.events = feed.events.map(event => ({ ...event, description: 'Changed.' }))
  assert.deepEqual((await refresh(id)).last_counts, { ...noCounts, changed: 1, skipped: 2 })
  assert.deepEqual(getTitles(await findEvents('Removed')), ['Removed 3'])
})

test('a calendar that is suddenly empty or lost most events is applied only after an editor confirms', async () => {
  const feed = await startFeed(buildFeedEvents('Season', 8))
  const { id } = await subscribe(feed.url, { gone: 'trash' })
  const all = feed.events
  feed.events = []
  const empty = await refresh(id)
  assert.deepEqual([empty.problem, empty.last_result, empty.next_run_at], ['empty', 'stopped', null])
  assert.match(empty.error, /no longer has events/)
  assert.equal((await findEvents('Season')).length, 8)

  feed.events = all.slice(0, 3)
  const lost = await refresh(id)
  assert.equal(lost.problem, 'many-gone')
  assert.equal((await findEvents('Season')).length, 8)
  const german = await editor.get(`${calendar}/subscriptions/${id}?language=de`)
  assert.match(german.body.error, /Mehr als die Hälfte/)

  assert.equal((await editor.post(`${calendar}/subscriptions/${id}/apply`, { how: 'anyway' })).status, 202)
  await fetchDueSubscriptions()
  const applied = await read(id)
  assert.deepEqual([applied.problem, applied.last_counts.gone], [null, 5])
  assert.notEqual(applied.next_run_at, null)
  assert.deepEqual(getTitles(await findEvents('Season')), ['Season 1', 'Season 2', 'Season 3'])
  assert.equal((await editor.post(`${calendar}/subscriptions/${id}/apply`, { how: 'anyway' })).status, 409)
})

test('a calendar that has its events again continues without an editor', async () => {
  const feed = await startFeed(buildFeedEvents('Hiccup', 2))
  const { id } = await subscribe(feed.url, { gone: 'trash' })
  const all = feed.events
  feed.events = []
  assert.equal((await refresh(id)).problem, 'empty')
  feed.events = all
  assert.deepEqual([(await refresh(id)).problem, (await findEvents('Hiccup')).length], [null, 2])
})

test('a calendar with changed ids is not applied until an editor chooses to match by title and start, without duplicates', {
  skip: skipUnlessFull
}, async () => {
  const feed = await startFeed([
    ...buildFeedEvents('Lecture', 4),
    { uid: 'old-lecture@feed.example', title: 'Lecture long ago', start: '20200101T100000' }
  ])
  const { id } = await subscribe(feed.url, { gone: 'trash' })
  const before = await findEvents('Lecture')
  await editor.patch(`${calendar}/events/${before[1].id}`, { description: 'Ours.' })
  const changeIds = (to: string) => {
    feed.events = feed.events.map((event, index) => ({ ...event, uid: `${to}-${index}@new.example` }))
  }
  changeIds('second')
  assert.equal((await refresh(id)).problem, 'ids-changed')
  assert.equal((await editor.post(`${calendar}/subscriptions/${id}/apply`, { how: 'match' })).status, 202)
  await fetchDueSubscriptions()
  const applied = await read(id)
  assert.deepEqual([applied.problem, applied.last_result, applied.matches_titles], [null, 'unchanged', true])
  const getIds = (events: Json[]) => events.map(event => event.id)
  assert.deepEqual(getIds(await findEvents('Lecture')), getIds(before))

  // A second change of ids is matched without an editor, and edited fields are still recognised.
  changeIds('third')
  feed.events = feed.events.map(event => ({ ...event, description: 'Theirs.' }))
  const again = await refresh(id)
  assert.deepEqual(again.last_counts, { ...noCounts, changed: 4, conflict: 1 })
  assert.deepEqual(getIds(await findEvents('Lecture')), getIds(before))
})

test('only new events get the category and the status of the subscription', async () => {
  const category = await here.aCategory({ name: 'Neighbours' })
  const feed = await startFeed(buildFeedEvents('Neighbour', 1))
  const { id } = await subscribe(feed.url, { category: category.id, status: 'pending' })
  const [event] = await findEvents('Neighbour', '&status=pending')
  assert.deepEqual(
    event.categories.map(({ name }: Json) => name),
    ['Neighbours']
  )
  await editor.patch(`${calendar}/events/${event.id}`, { status: 'publish' })
  feed.events = feed.events.map(one => ({ ...one, title: 'Neighbour renamed', lines: ['CATEGORIES:Their own'] }))
  await refresh(id)
  const [after] = await findEvents('Neighbour')
  assert.deepEqual([after.status, after.title], ['publish', 'Neighbour renamed'])
  assert.deepEqual(after.categories.map(({ name }: Json) => name).sort(), ['Neighbours', 'Their own'])
})

test('a subscription continues with the events of an earlier import, and keeps edited fields', async () => {
  const feed = await startFeed(buildFeedEvents('Imported', 2))
  const started = await editor.post(`${calendar}/imports`, { source: 'ical', url: feed.url, dry_run: false })
  assert.equal(started.status, 201)
  const { createCalendarJobs } = await import('../jobs.ts')
  await createCalendarJobs(here.settings)
    .find(({ name }) => name === 'run-imports')
    ?.run(here.store, {}, new AbortController().signal)
  const before = await findEvents('Imported')
  assert.equal(before.length, 2)
  await editor.patch(`${calendar}/events/${before[0].id}`, { title: 'Imported and edited' })
  feed.events = feed.events.map(event => ({ ...event, description: 'New words.' }))
  const created = await subscribe(feed.url)
  assert.deepEqual(created.last_counts, { ...noCounts, changed: 1, conflict: 1 })
  const after = await findEvents('Imported')
  assert.deepEqual(getTitles(after), ['Imported and edited', 'Imported 2'])
  assert.deepEqual(
    after.map(({ id }) => id),
    before.map(({ id }) => id)
  )
})

test('URLs of this site, subscribed URLs and invalid parameters are refused with a reason', async () => {
  const feed = await startFeed(buildFeedEvents('Refused', 1))
  const { id } = await subscribe(feed.url)
  const path = `${calendar}/subscriptions`
  const again = await editor.post(path, { url: `${feed.url.replace('http:', 'webcal:')}#today` })
  assert.deepEqual([again.status, again.body.code], [409, 'subscription-exists'])
  for (const [fields, wrong] of [
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'ftp://x.example' }, 'url'],
    [{ url: 'https://user:secret@x.example/a.ics' }, 'url'],
    [{ url: 'http://localhost/en/events.ics' }, 'url'],
    [{ url: 'https://x.example', every: 14 }, 'every'],
    [{ url: 'https://x.example', every: 'often' }, 'every'],
    [{ url: 'https://x.example', gone: 'delete' }, 'gone'],
    [{ url: 'https://x.example', status: 'private' }, 'status'],
    [{ url: 'https://x.example', category: 999_999 }, 'category'],
    [{ url: 'https://x.example', name: 'x'.repeat(201) }, 'name']
  ] as const) {
    const refused = await editor.post(path, fields, { host: 'localhost' })
    assert.equal(refused.status, 400, refused.text)
    assert.ok(JSON.stringify(refused.body.data.params).includes(wrong), refused.text)
  }
  assert.equal((await editor.patch(`${path}/${id}`, { url: null })).status, 400)
  assert.equal((await editor.get(`${path}/999999`)).status, 404)
  assert.equal((await here.visitor.get(path)).status, 401)
  const author = await here.withRole('author')
  assert.equal((await author.post(path, { url: 'https://x.example' })).status, 403)
})

test('events of this calendar that another calendar republishes are skipped', { skip: skipUnlessFull }, async () => {
  const own = await here.anEvent({
    title: 'Our own concert',
    start_date: '2031-06-01 10:00',
    end_date: '2031-06-01 12:00'
  })
  const { uid } = await here.store.one<{ uid: string }>(sql`select uid from calendar.events where id = ${own.id}`)
  const feed = await startFeed([
    { uid, title: 'Our own concert', start: '20310601T080000' },
    ...buildFeedEvents('Partner', 2)
  ])
  const created = await subscribe(feed.url)
  assert.deepEqual(created.last_counts, { ...noCounts, new: 2, skipped: 1 })
  const mirror = await startFeed([{ uid, title: 'Our own concert', start: '20310601T080000' }])
  assert.equal((await subscribe(mirror.url)).problem, 'own-calendar')
  assert.equal((await findEvents('Our own concert')).length, 1)
  const series = await here.anEvent({
    ...{ title: 'Our own rehearsal', start_date: '2031-06-03 19:00', end_date: '2031-06-03 21:00' },
    recurrence: 'FREQ=WEEKLY;COUNT=5'
  })
  const republished = await startFeed()
  republished.body = (
    await here.visitor.get(`${calendar}/events.ics?series=${series.series.id}&start_date=2031-06-01`)
  ).text
  assert.match(String(republished.body), /RRULE:FREQ=WEEKLY/)
  assert.equal((await subscribe(republished.url)).problem, 'own-calendar')
  assert.equal((await findEvents('Our own rehearsal')).length, 5)
  // An event that belongs to another subscription is skipped.
  const copy = await startFeed(buildFeedEvents('Partner', 2))
  assert.deepEqual((await subscribe(copy.url)).last_counts, { ...noCounts, skipped: 2 })
})

test('events of an imported series are skipped while the series exists', async () => {
  const start = `${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T100000`
  const rehearsal = { uid: 'rehearsal@feed.example', title: 'Imported rehearsal', start }
  const feed = await startFeed([{ ...rehearsal, lines: ['RRULE:FREQ=DAILY;COUNT=3'] }])
  const fields = { source: 'ical', url: feed.url, timezone: 'UTC', dry_run: false }
  const { id } = (await editor.post(`${calendar}/imports`, fields)).body
  await runImports(here.store, here.settings, new AbortController().signal)
  const [imported] = (await editor.get(`${calendar}/imports/${id}/rows`)).body.rows
  assert.deepEqual([imported.kind, imported.outcome], ['series', 'new'])
  const created = await subscribe(feed.url)
  assert.deepEqual([created.problem, created.last_counts], [null, { ...noCounts, skipped: 3 }])
  assert.match((await listRows(created.id))[0].reasons[0], /series that was imported/)
  assert.equal((await findEvents('Imported rehearsal')).length, 3)
  // Without the series they are created by the subscription, as single events.
  await editor.delete(`${calendar}/series/${imported.item_id}?force=true`)
  feed.lines = ['X-COMMENT:again']
  assert.deepEqual((await refresh(created.id)).last_counts, { ...noCounts, new: 3 })
  const events = await findEvents('Imported rehearsal')
  assert.deepEqual(
    events.map(({ series }) => series ?? null),
    [null, null, null]
  )
})

test('deleting a subscription keeps its events, or moves them to the trash with events=trash', async () => {
  const feed = await startFeed(buildFeedEvents('Left behind', 2))
  const kept = await subscribe(feed.url)
  assert.equal((await editor.delete(`${calendar}/subscriptions/${kept.id}`)).status, 200)
  assert.equal((await editor.get(`${calendar}/subscriptions/${kept.id}`)).status, 404)
  assert.equal((await findEvents('Left behind')).length, 2)
  // A new subscription to the same URL continues with the same events.
  const again = await subscribe(feed.url)
  assert.equal(again.counts.events, 2)
  assert.equal((await findEvents('Left behind')).length, 2)
  assert.equal((await editor.delete(`${calendar}/subscriptions/${again.id}?events=trash`)).status, 200)
  assert.equal((await editor.get(`${calendar}/subscriptions/${again.id}`)).status, 404)
  await fetchDueSubscriptions()
  assert.deepEqual(await findEvents('Left behind'), [])
  assert.equal((await here.store.all(sql`select from calendar.subscriptions where id = ${again.id}`)).length, 0)
})

test('a subscription can be found by an event, changed with If-Match, and get a new URL', async () => {
  const feed = await startFeed(buildFeedEvents('Movable', 1))
  const created = await subscribe(feed.url, { name: 'Old name' })
  const [event] = await findEvents('Movable')
  const listed = (await editor.get(`${calendar}/subscriptions?event=${event.id}`)).body.subscriptions
  assert.deepEqual(
    listed.map(({ id }: Json) => id),
    [created.id]
  )
  const { headers } = await editor.get(`${calendar}/subscriptions/${created.id}`)
  const path = `${calendar}/subscriptions/${created.id}`
  const changed = await editor.patch(path, { name: 'New name', every: 60 }, { 'if-match': headers.etag ?? '' })
  assert.deepEqual([changed.body.name, changed.body.interval], ['New name', 60])
  assert.equal((await editor.patch(path, { name: 'Late' }, { 'if-match': headers.etag ?? '' })).status, 412)
  const moved = await startFeed([...feed.events, ...buildFeedEvents('Moved', 1)])
  await editor.patch(path, { url: moved.url })
  await fetchDueSubscriptions()
  assert.deepEqual((await read(created.id)).last_counts, { ...noCounts, new: 1, same: 1 })
})
