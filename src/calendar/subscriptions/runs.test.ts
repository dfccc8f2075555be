import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startFeed } from '#test/support/calendar/feed-server.ts'
import { buildFeedEvents, noCounts, startSubscriptions } from '#test/support/calendar/subscriptions.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, type TestResponse } from '#test/support/services.ts'

const here = await startSubscriptions()
const { editor, findEvents, listRuns, read, refresh, subscribe, fetchDueSubscriptions } = here
const hourMs = 3_600_000

type Json = TestResponse['body']
const getTitles = (events: Json[]) => events.map(({ title }) => title)

test('a new subscription is fetched at once; later runs get 304 and change nothing', async () => {
  const feed = await startFeed(buildFeedEvents('Choir', 3), ['X-WR-CALNAME:The choir'])
  const created = await subscribe(feed.url)
  assert.equal(created.source, 'ical')
  assert.equal(created.name, 'The choir')
  assert.deepEqual(created.last_counts, { ...noCounts, new: 3 })
  assert.equal(created.counts.events, 3)
  const found = await findEvents('Choir')
  assert.deepEqual(getTitles(found), ['Choir 1', 'Choir 2', 'Choir 3'])
  assert.equal(found[0].venue.venue, 'Town Hall')

  for (let time = 0; time < 3; time += 1) assert.equal((await refresh(created.id)).last_result, 'unchanged')
  assert.deepEqual(feed.answered, [200, 304, 304, 304])
  const runs = await listRuns(created.id)
  assert.deepEqual(
    runs.map(({ result, times }) => [result, times]),
    [
      ['unchanged', 3],
      ['changed', 1]
    ]
  )
  assert.deepEqual(await findEvents('Choir'), found)
})

test('after failures the pauses grow to at most a day, and after a week the subscription is paused', async () => {
  const feed = await startFeed(buildFeedEvents('Flaky', 1))
  const { id } = await subscribe(feed.url, { every: 360 })
  feed.status = 500
  const hours: number[] = []
  let failed = await refresh(id)
  assert.match(failed.error, /HTTP 500/)
  for (let time = 0; time < 4; time += 1) {
    const pauseMs = Date.parse(failed.next_run_at) - Date.parse(failed.last_run_at)
    hours.push(Math.round(pauseMs / hourMs))
    here.wait(pauseMs + 1000)
    await fetchDueSubscriptions()
    failed = await read(id)
  }
  assert.deepEqual(hours, [6, 12, 24, 24])
  assert.equal(failed.failures, 5)
  assert.deepEqual([failed.is_paused, failed.problem], [false, null])
  const [run] = await listRuns(id)
  assert.deepEqual([run.result, run.times], ['failed', 5])

  // A success resets the pauses.
  feed.status = undefined
  here.wait(24 * hourMs)
  await fetchDueSubscriptions()
  assert.deepEqual([(await read(id)).failures, (await read(id)).error], [0, null])
  feed.status = 503
  failed = await refresh(id)
  assert.equal(Math.round((Date.parse(failed.next_run_at) - Date.parse(failed.last_run_at)) / hourMs), 6)
  for (let day = 0; day < 8; day += 1) {
    here.wait(24 * hourMs + 1000)
    await fetchDueSubscriptions()
  }
  const paused = await read(id)
  assert.deepEqual([paused.is_paused, paused.problem, paused.next_run_at], [true, 'failing', null])
  const { body } = await here.admin.get(`/activity?subject=subscription&subjectId=${id}`)
  assert.equal(body[0].action, 'subscription.paused')
  assert.equal((await editor.post(`${calendar}/subscriptions/${id}/refresh`)).status, 409)

  feed.status = undefined
  const resumed = await editor.patch(`${calendar}/subscriptions/${id}`, { is_paused: false })
  assert.deepEqual([resumed.body.problem, resumed.body.failures], [null, 0])
  await fetchDueSubscriptions()
  assert.equal((await read(id)).last_result, 'unchanged')
})

test('a run fails with a timeout if the calendar does not respond', async () => {
  const feed = await startFeed(buildFeedEvents('Silent', 1))
  feed.hangs = true
  const created = await editor.post(`${calendar}/subscriptions`, { url: feed.url })
  await fetchDueSubscriptions({ fetchMs: 50 })
  const found = await read(created.body.id)
  assert.match(found.error, /timeout/)
  assert.deepEqual([found.failures, found.source], [1, null])
  feed.hangs = false
  assert.deepEqual((await refresh(created.body.id)).last_counts, { ...noCounts, new: 1 })
})

test('the interval is the requested one, but not shorter than the calendar announces', async () => {
  const getInterval = (subscription: Json) =>
    Math.round((Date.parse(subscription.next_run_at) - Date.parse(subscription.last_run_at)) / 60_000)
  const plain = await startFeed(buildFeedEvents('Plain interval', 1))
  assert.equal(getInterval(await subscribe(plain.url)), 360)
  const requested = await startFeed(buildFeedEvents('Asked interval', 1))
  assert.equal(getInterval(await subscribe(requested.url, { every: 15 })), 15)
  const daily = await startFeed(buildFeedEvents('Daily interval', 1), ['REFRESH-INTERVAL;VALUE=DURATION:P1D'])
  const created = await subscribe(daily.url, { every: 15 })
  assert.deepEqual([getInterval(created), created.interval, created.every], [1440, 1440, 15])
  const older = await startFeed(buildFeedEvents('Older interval', 1), ['X-PUBLISHED-TTL:PT30M'])
  assert.equal(getInterval(await subscribe(older.url)), 30)
  // Calendars are not fetched before they are due.
  here.wait(14 * 60_000)
  await fetchDueSubscriptions()
  assert.equal(requested.answered.length, 1)
  here.wait(2 * 60_000)
  await fetchDueSubscriptions()
  assert.equal(requested.answered.length, 2)
  assert.equal(daily.answered.length, 1)
})

test('a site with The Events Calendar can be subscribed by its URL', async () => {
  const list = [1, 2, 3].map(number =>
    buildTecEvent(number, {
      title: `Site event ${number}`,
      start_date: `2031-05-0${number} 19:00:00`,
      end_date: `2031-05-0${number} 21:00:00`
    })
  )
  const site = await startTecSite(list)
  const created = await subscribe(site.url, { gone: 'trash' })
  assert.deepEqual([created.source, created.last_counts.new], ['tec', 3])
  assert.equal((await refresh(created.id)).last_result, 'unchanged')
  list.pop()
  assert.equal((await refresh(created.id)).last_counts.gone, 1)
  assert.deepEqual(getTitles(await findEvents('Site event')), ['Site event 1', 'Site event 2'])
})

test('concurrent runners fetch a subscription once, and an interrupted run is continued after its lease', {
  skip: skipUnlessFull
}, async () => {
  const feed = await startFeed(buildFeedEvents('Shared', 60))
  const created = await editor.post(`${calendar}/subscriptions`, { url: feed.url })
  await Promise.all([fetchDueSubscriptions(), fetchDueSubscriptions(), fetchDueSubscriptions()])
  assert.equal((await read(created.body.id)).last_counts.new, 60)
  assert.equal(feed.answered.length, 1)

  // A process that dies during a run leaves its lease and an unfinished run.
  const second = await startFeed(buildFeedEvents('Interrupted', 60))
  const interruptedId = (await editor.post(`${calendar}/subscriptions`, { url: second.url })).body.id
  const abortController = new AbortController()
  const stopListening = here.store.onCommit(changes => {
    if (changes.some(({ action }) => action === 'event.created')) abortController.abort()
  })
  await fetchDueSubscriptions({ signal: abortController.signal })
  stopListening()
  const eventCount = (await findEvents('Interrupted')).length
  assert.ok(eventCount > 0 && eventCount < 50, `${eventCount} events`)
  await here.store.run(sql`
    update calendar.subscriptions set leased_by = 'dead', leased_until = now() + interval '1 minute' where id = ${interruptedId}`)
  await fetchDueSubscriptions()
  assert.equal((await read(interruptedId)).last_result, 'running')
  await here.store.run(sql`
    update calendar.subscriptions set leased_until = now() - interval '1 second' where id = ${interruptedId}`)
  await fetchDueSubscriptions()
  const done = await read(interruptedId)
  assert.deepEqual([done.last_result, done.last_counts, done.counts.events], ['changed', { ...noCounts, new: 60 }, 60])
})

test('a run with an old URL does not finish after the URL was changed', async () => {
  const old = await startFeed(buildFeedEvents('Old place', 30))
  const fresh = await startFeed([...old.events, ...buildFeedEvents('New place', 2)])
  const { id } = (await editor.post(`${calendar}/subscriptions`, { url: old.url })).body
  let urlChange: Promise<unknown> | undefined
  const stopListening = here.store.onCommit(changes => {
    if (changes.some(({ action }) => action === 'event.created'))
      urlChange ??= editor.patch(`${calendar}/subscriptions/${id}`, { url: fresh.url })
  })
  await fetchDueSubscriptions()
  await urlChange
  stopListening()
  await fetchDueSubscriptions()
  const found = await read(id)
  assert.deepEqual([found.url, found.last_result], [fresh.url, 'changed'])
  assert.deepEqual(getTitles(await findEvents('New place')), ['New place 1', 'New place 2'])
})

test('a run fails with an error message if the URL is 404 or not a calendar', async () => {
  const broken = await startFeed()
  broken.status = 404
  assert.match((await subscribe(broken.url)).error, /HTTP 404/)
  const feed = await startFeed()
  feed.body = '<!doctype html><title>Hello</title>'
  const created = await subscribe(feed.url)
  assert.match(created.error, /No calendar at this URL/)
  assert.equal(created.failures, 1)
  // From a truncated file the complete events are added, and the missing ones do not count as gone.
  const truncated = await startFeed(buildFeedEvents('Cut', 4))
  const { id } = await subscribe(truncated.url, { gone: 'trash' })
  truncated.body =
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:cut-5@feed.example\r\nSUMMARY:Cut 5\r\nDTSTART:20310601T100000Z\r\nEND:VEVENT\r\n'
  assert.deepEqual((await refresh(id)).last_counts, { ...noCounts, new: 1 })
  assert.equal((await findEvents('Cut')).length, 5)
})

test('a recurring event gets new occurrences while its calendar does not change', async () => {
  const feed = await startFeed([
    { uid: 'weekly@feed.example', title: 'Weekly meeting', start: '20260105T100000', lines: ['RRULE:FREQ=WEEKLY'] }
  ])
  const { id, counts } = await subscribe(feed.url)
  here.wait(30 * 24 * hourMs)
  await fetchDueSubscriptions()
  const after = await read(id)
  assert.ok(after.counts.events > counts.events, `${after.counts.events} after ${counts.events}`)
  assert.equal(after.counts.gone, 0)
})
