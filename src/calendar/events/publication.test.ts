import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '#platform/database/sql.ts'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { type Client, calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, withRole, aTag } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const contributor = await withRole('contributor')
const author = await withRole('author')
const editor = await withRole('editor')
const events = `${calendar}/events`

const formatUtc = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ')
const formatSecondsAhead = (seconds: number) => formatUtc(new Date(Date.now() + seconds * 1000))

test('an event that a contributor publishes becomes pending; other roles publish', async () => {
  const requested = [undefined, 'publish', 'future', 'draft', 'pending', 'private', 'trash']
  const expected: [Client, string[]][] = [
    [contributor, ['draft', 'pending', 'pending', 'draft', 'pending', 'private', 'trash']],
    [author, ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'trash']],
    [editor, ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'trash']],
    [admin, ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'trash']]
  ]
  for (const [by, granted] of expected) {
    const statuses = []
    for (const status of requested) statuses.push((await anEvent(status === undefined ? {} : { status }, by)).status)
    assert.deepEqual(statuses, granted)
  }
})

test('any status can be set from any other, and an omitted one stays', async () => {
  const statuses = ['publish', 'draft', 'pending', 'private', 'trash']
  for (const from of statuses) {
    for (const to of statuses) {
      const { id } = await anEvent({ status: from })
      const changed = await admin.patch(`${events}/${id}`, { status: to })
      assert.deepEqual([changed.status, changed.body.status], [200, to], `${from} to ${to}`)
      if (to !== 'trash') assert.equal((await admin.put(`${events}/${id}`, { sticky: true })).body.status, to)
    }
  }
  const { id } = await anEvent({}, contributor)
  assert.equal((await contributor.patch(`${events}/${id}`, { title: 'Own' })).body.status, 'draft')
  assert.equal((await contributor.patch(`${events}/${id}`, { status: 'publish' })).body.status, 'pending')
  assert.equal(
    (await contributor.patch(`${events}/${id}`, { status: 'future', date: '+1 day' })).body.status,
    'pending'
  )
})

test('date is in the time zone of the site, date_utc in UTC, and each is computed from the other', async () => {
  const winter = { date: '2026-01-02 03:04:05', date_utc: '2026-01-02 02:04:05' }
  const ways: object[] = [
    { date: winter.date },
    { date: winter.date, timezone: 'Asia/Tokyo' },
    { date: '2026-01-02T02:04:05Z' },
    { date_utc: winter.date_utc },
    { date_utc: '2026-01-02T03:04:05+01:00' },
    winter
  ]
  for (const fields of ways) {
    const created = await anEvent(fields)
    assert.deepEqual({ date: created.date, date_utc: created.date_utc }, winter, JSON.stringify(fields))
    const changed = await admin.patch(`${events}/${(await anEvent()).id}`, fields)
    assert.deepEqual({ date: changed.body.date, date_utc: changed.body.date_utc }, winter, JSON.stringify(fields))
    const kept = await admin.patch(`${events}/${created.id}`, { title: 'Kept', status: 'publish' })
    assert.deepEqual({ date: kept.body.date, date_utc: kept.body.date_utc }, winter)
  }
})

test('a client that sends both dates back and changes one of them changes both', async () => {
  for (const status of ['publish', 'draft']) {
    const created = await anEvent({ status })
    const path = `${events}/${created.id}`
    const byDate = await admin.put(path, { ...created, date: '2026-03-04 12:00:00' })
    assert.deepEqual([byDate.body.date, byDate.body.date_utc], ['2026-03-04 12:00:00', '2026-03-04 11:00:00'])
    const byUtc = await admin.put(path, { ...byDate.body, date_utc: '2026-03-05 12:00:00' })
    assert.deepEqual([byUtc.body.date, byUtc.body.date_utc], ['2026-03-05 13:00:00', '2026-03-05 12:00:00'])
  }
})

test('drafts and pending events without a publication date have an empty date_utc', async () => {
  for (const status of ['draft', 'pending']) {
    const created = await anEvent({ status })
    assert.equal(created.date_utc, '0000-00-00 00:00:00')
    assert.match(created.date, /^20\d\d-/)
    const path = `${events}/${created.id}`
    assert.equal((await admin.patch(path, { title: 'Still' })).body.date_utc, '0000-00-00 00:00:00')
    const published = await admin.patch(path, { status: 'publish' })
    assert.ok(Math.abs(Date.parse(`${published.body.date_utc}Z`) - Date.now()) < 30_000, published.body.date_utc)
    const again = await admin.patch(path, { status })
    assert.equal(again.body.date_utc, published.body.date_utc)
    assert.equal((await admin.patch(path, { date: null })).body.date_utc, '0000-00-00 00:00:00')
    const dated = await anEvent({ status, date: '2026-01-02 03:04:05' })
    assert.equal(dated.date_utc, '2026-01-02 02:04:05')
  }
  assert.notEqual((await anEvent({ status: 'private' })).date_utc, '0000-00-00 00:00:00')
})

test('clearing the date of a published event sets it to now', async () => {
  const { id } = await anEvent({ date: '2026-01-02 03:04:05' })
  for (const emptyValue of [null, '', '0000-00-00 00:00:00']) {
    await admin.patch(`${events}/${id}`, { date: '2026-01-02 03:04:05' })
    const { body } = await admin.patch(`${events}/${id}`, { date: emptyValue })
    assert.ok(Math.abs(Date.parse(`${body.date_utc}Z`) - Date.now()) < 30_000, body.date_utc)
  }
})

test('modified equals date after create, and then is the time of the last change', async () => {
  const now = await anEvent()
  assert.deepEqual([now.modified, now.modified_utc], [now.date, now.date_utc])
  const dated = await anEvent({ date: '2026-01-02 03:04:05' })
  assert.deepEqual([dated.modified, dated.modified_utc], [dated.date, dated.date_utc])
  const changed = await admin.patch(`${events}/${dated.id}`, { sticky: true })
  assert.ok(Math.abs(Date.parse(`${changed.body.modified_utc}Z`) - Date.now()) < 30_000)
})

test('publish with a future date becomes future, and future without a future date becomes publish', async () => {
  const tomorrow = formatSecondsAhead(86_400)
  for (const fields of [
    { date_utc: tomorrow },
    { date_utc: tomorrow, status: 'publish' },
    { date_utc: tomorrow, status: 'future' }
  ]) {
    const created = await anEvent(fields)
    assert.deepEqual([created.status, created.date_utc], ['future', tomorrow])
    assert.match(created.url, /\?post_type=/)
    const hidden = await visitor.get(`${events}/${created.id}`)
    assert.deepEqual([hidden.status, hidden.body.code], [403, 'event-not-accessible'])
    assert.equal((await visitor.get(`${events}?include=${created.id}`)).body.total, 0)
    const back = await admin.put(`${events}/${created.id}`, (await admin.get(`${events}/${created.id}`)).body)
    assert.deepEqual([back.body.status, back.body.date_utc], ['future', tomorrow])
    const published = await admin.patch(`${events}/${created.id}`, { date: 'now' })
    assert.equal(published.body.status, 'publish')
    assert.equal((await visitor.get(`${events}/${created.id}`)).status, 200)
  }
  assert.equal((await anEvent({ status: 'future', date: '2026-01-02' })).status, 'publish')
  assert.equal((await anEvent({ status: 'draft', date_utc: tomorrow })).status, 'draft')
  const draft = await anEvent({ status: 'draft', date_utc: tomorrow })
  assert.equal((await admin.patch(`${events}/${draft.id}`, { status: 'publish' })).body.status, 'future')
})

test('a publication date less than 60 seconds ahead counts as now', async () => {
  const near = await anEvent({ date_utc: formatSecondsAhead(50) })
  assert.equal(near.status, 'publish')
  assert.ok(Date.parse(`${near.date_utc}Z`) <= Date.now())
  assert.equal((await visitor.get(`${events}/${near.id}`)).status, 200)
  assert.equal((await anEvent({ date_utc: formatSecondsAhead(75) })).status, 'future')
})

test('a scheduled event becomes visible at its time, by id, by slug, in lists and in counts of terms', async () => {
  const tag = await aTag({ name: 'Soon' })
  const { id } = await anEvent({ title: 'Soon', date_utc: formatSecondsAhead(3600), tags: [tag.id] })
  const readVisibility = async () => [
    (await visitor.get(`${events}/${id}`)).status,
    (await visitor.get(`${events}/by-slug/soon`)).status,
    (await visitor.get(`${events}?tags=soon`)).body.total,
    (await visitor.get(`${calendar}/tags/${tag.id}`)).body.count
  ]
  assert.deepEqual(await readVisibility(), [403, 404, 0, 0])
  await store.run(sql`update calendar.events set published_at = now() + interval '4 seconds' where id = ${id}`)
  assert.deepEqual(await readVisibility(), [403, 404, 0, 0])
  await sleep(4300)
  assert.deepEqual(await readVisibility(), [200, 200, 1, 1])
  assert.equal((await visitor.get(`${events}/${id}`)).body.status, 'publish')
})

test('an invalid date or date_utc is refused with the name of the field and changes nothing', async () => {
  const { id } = await anEvent()
  const before = await readCalendarState(store)
  const wrong: [string, unknown][] = [
    ...['soon', '2026-02-30', '25:00', {}, [], true, 'x'.repeat(200)].flatMap((value): [string, unknown][] => [
      ['date', value],
      ['date_utc', value]
    ])
  ]
  for (const [name, value] of wrong) {
    for (const answer of [
      await admin.patch(`${events}/${id}`, { title: 'Changed', [name]: value }),
      await admin.post(events, { ...event, [name]: value })
    ]) {
      assert.equal(answer.status, 400, `${name} ${JSON.stringify(value)}`)
      assert.deepEqual(Object.keys(answer.body.data.params), [name])
    }
  }
  assert.deepEqual(await readCalendarState(store), before)
})
