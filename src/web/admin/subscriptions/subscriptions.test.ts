import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSubscriptions } from '#calendar/subscriptions/runner/run.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { startFeed } from '#test/support/calendar/feed-server.ts'
import { buildFeedEvents } from '#test/support/calendar/subscriptions.ts'
import { calendar } from '#test/support/services.ts'

const { admin, store, settings, signIn } = await startAdmin({
  env: { TIMEZONE: 'Europe/Berlin', ALLOW_PRIVATE_ADDRESSES: 'true' }
})
const [edith, emil] = [await signIn('editor'), await signIn('editor', 'de')]
const menu = '/admin/subscriptions'

/** Fetches the calendars that are due, as the worker does. */
async function runDueSubscriptions(): Promise<void> {
  await runSubscriptions(store, { settings, signal: new AbortController().signal })
}

const listEvents = async (title: string) =>
  (await admin.get(`${calendar}/events?start_date=2031-01-01&end_date=2031-12-31&search=${title}`)).body.events

test('a calendar is subscribed with a form, and its page shows runs, conflicts and removed events, without scripts', async () => {
  const feed = await startFeed(buildFeedEvents('Recital', 4), ['X-WR-CALNAME:<b>Organ</b> society'])
  const created = await edith.send(`${menu}/new`, { url: feed.url, every: '60', status: 'publish', gone: 'cancel' })
  assert.equal(created.status, 303, created.text)
  const page = created.headers.location ?? ''
  assert.match((await edith.get(page)).text, /The calendar is being fetched/)
  await runDueSubscriptions()
  const first = await edith.get(page)
  assert.match(first.text, /4 new/)
  assert.match(first.text, /<h1>&lt;b>Organ&lt;\/b> society<\/h1>/)
  assert.match(first.text, /Every hour/)
  assert.match((await edith.get(menu)).text, /127\.0\.0\.1:\d+\/calendar\.ics/)

  const [one, two] = await listEvents('Recital')
  assert.match(
    (await edith.get(`/admin/events/${one.id}`)).text,
    /From the calendar <a href="\/admin\/subscriptions\/\d+">/
  )
  await admin.patch(`${calendar}/events/${two.id}`, { title: 'Recital by candlelight' })
  feed.events = feed.events
    .slice(0, 3)
    .map((event, index) => (index === 1 ? { ...event, title: 'Recital in the dark' } : event))
  assert.match((await edith.sendAndFollow(`${page}/refresh`, {})).text, /The calendar is being fetched/)
  await runDueSubscriptions()
  const after = await emil.get(page)
  assert.match(after.text, /Recital by candlelight[\s\S]*Recital in the dark/)
  assert.match(after.text, /als abgesagt gekennzeichnet/)
  const report = /href="(\/admin\/subscriptions\/\d+\/runs\/\d+)"/.exec(after.text)?.[1] ?? ''
  assert.match((await edith.get(report)).text, /edited here: title \(en\)/)
  for (const run of ['x', '.']) assert.equal((await edith.get(`${page}/runs/${run}`)).status, 404, run)

  const resolved = await edith.sendAndFollow(`${page}/resolve`, { event: String(two.id), take: 'theirs' })
  assert.match(resolved.text, /The values of the source are now used/)
  assert.doesNotMatch(resolved.text, /Use the source/)
  assert.equal((await listEvents('Recital'))[1].title, 'Recital in the dark')
})

test('changes that were not applied are shown on the dashboard, and are applied with a button', async () => {
  const feed = await startFeed(buildFeedEvents('Matinee', 3), ['X-WR-CALNAME:Theatre'])
  const page =
    (await edith.send(`${menu}/new`, { url: feed.url, gone: 'keep', status: 'publish' })).headers.location ?? ''
  await runDueSubscriptions()
  feed.events = feed.events.map((event, index) => ({ ...event, uid: `other-${index}@feed.example` }))
  await edith.send(`${page}/refresh`, {})
  await runDueSubscriptions()
  assert.match((await edith.get('/admin')).text, /The subscribed calendar “Theatre” was not applied/)
  assert.match((await edith.get(page)).text, /new identifiers[\s\S]*Match by title and start/)
  await edith.send(`${page}/apply`, { how: 'match' })
  await runDueSubscriptions()
  assert.doesNotMatch((await edith.get('/admin')).text, /Theatre/)
  assert.equal((await listEvents('Matinee')).length, 3)

  assert.match((await edith.sendAndFollow(`${page}/pause`, {})).text, /is not fetched until you resume it/)
  assert.match((await edith.get(menu)).text, /paused/)
  assert.match((await edith.sendAndFollow(`${page}/resume`, {})).text, /Resumed/)
  await edith.send(`${page}/delete`, { events: 'trash' })
  await runDueSubscriptions()
  assert.equal((await listEvents('Matinee')).length, 0)
  assert.equal((await edith.get(page)).status, 404)
})

test('an invalid field has an error at the field, and the input is kept; a subscription can be changed', async () => {
  const wrong = await edith.send(`${menu}/new`, {
    url: 'nowhere"<img>',
    name: 'Choir',
    gone: 'trash',
    status: 'pending'
  })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /<a href="#field-url">URL of the calendar must be/)
  assert.match(wrong.text, /value="nowhere&quot;&lt;img>"/)
  assert.match(wrong.text, /<option value="trash" selected>/)
  const page =
    (await edith.send(`${menu}/new`, { url: 'https://feed.example/a.ics', gone: 'trash', status: 'pending' })).headers
      .location ?? ''
  const duplicate = await emil.send(`${menu}/new`, {
    url: 'http://www.feed.example/a.ics',
    gone: 'keep',
    status: 'publish'
  })
  assert.match(duplicate.text, /Diese URL ist schon abonniert/)
  assert.match((await edith.get(`${page}/edit`)).text, /value="https:\/\/feed\.example\/a\.ics"/)
  const saved = await edith.sendAndFollow(`${page}/edit`, {
    ...{ url: 'https://feed.example/a.ics', name: 'The choir', every: '1440', gone: 'keep', status: 'publish' }
  })
  assert.match(saved.text, /<h1>The choir<\/h1>/)
  assert.match(saved.text, /Every day/)
})

test('only editors and admins can use subscriptions', async () => {
  assert.equal((await (await signIn('admin')).get(menu)).status, 200)
  for (const role of ['treasurer', 'viewer'] as const) {
    const client = await signIn(role)
    assert.equal((await client.get(menu)).status, 403)
    assert.equal((await client.send(`${menu}/new`, { url: 'https://example.org/a.ics' })).status, 403)
    assert.doesNotMatch((await client.get('/admin')).text, /href="\/admin\/subscriptions"/)
  }
})
