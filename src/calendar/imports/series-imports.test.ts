import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { none, startImports } from '#test/support/calendar/imports.ts'
import { buildIcal } from '#test/support/calendar/read-ical.ts'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { extendSeries } from '../series/extend.ts'

// Recurring entries of iCalendar files become series.

const here = await startImports()
const { editor, imported, rowsOf, state, store, undone } = here
const { listOccurrences } = newSeriesClient(editor)

let served = ''
const server = createServer((_request, response) => response.end(served))
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const port = (server.address() as AddressInfo).port

/** Imports a calendar; each name is a calendar of its own. */
async function importIcal(name: string, events: string[][] | string, fields: object = {}) {
  served = typeof events === 'string' ? events : buildIcal(events)
  return await imported({ url: `http://127.0.0.1:${port}/${name}.ics` }, { source: 'ical', ...fields })
}

const choir = (uid: string, ...lines: string[]) => [
  `UID:${uid}@example.org`,
  `SUMMARY:${uid}`,
  'DTSTART;TZID=Europe/Berlin:20310107T190000',
  'DTEND;TZID=Europe/Berlin:20310107T210000',
  ...lines
]

const change = (uid: string, day: string, ...lines: string[]) => [
  `UID:${uid}@example.org`,
  `RECURRENCE-ID;TZID=Europe/Berlin:${day}T190000`,
  `SUMMARY:${uid}, changed`,
  ...lines
]

async function findSeriesId(importId: number): Promise<number> {
  const rows = await rowsOf(importId)
  return rows.find(({ kind }) => kind === 'series')?.item_id
}

const weekly = 'RRULE:FREQ=WEEKLY;COUNT=5'
const garden = (uid: string) =>
  change(uid, '20310121', 'DTSTART;TZID=Europe/Berlin:20310122T180000', 'DTEND;TZID=Europe/Berlin:20310122T200000')

test('a recurring entry becomes one series with its rule, its exceptions and its UID', async () => {
  const before = await state()
  const excluded = 'EXDATE;TZID=Europe/Berlin:20310114T190000'
  const entries = [choir('first-choir', weekly, excluded, 'CATEGORIES:Singing'), garden('first-choir')]
  const tried = await importIcal('choir', entries, { dry_run: true })
  assert.deepEqual(tried.counts, { ...none, new: 2 })
  assert.deepEqual(await state(), before)

  const first = await importIcal('choir', entries)
  assert.deepEqual(first.counts, { ...none, new: 2 })
  const [, row] = await rowsOf(first.id)
  assert.deepEqual(
    [row.kind, row.title, row.reasons],
    ['series', 'first-choir', ['Series with 4 dates from today on.']]
  )
  const all = await listOccurrences(row.item_id)
  assert.deepEqual(
    all.map(({ start_date, title, series }) => [start_date, title, series?.isException]),
    [
      ['2031-01-07 19:00:00', 'first-choir', false],
      ['2031-01-22 18:00:00', 'first-choir, changed', true],
      ['2031-01-28 19:00:00', 'first-choir', false],
      ['2031-02-04 19:00:00', 'first-choir', false]
    ]
  )
  const { body } = await editor.get(`${calendar}/series/${row.item_id}`)
  assert.deepEqual([body.rule, body.except], ['FREQ=WEEKLY;BYDAY=TU;COUNT=5', ['2031-01-14']])
  const feed = await here.visitor.get(
    `${calendar}/events.ics?series=${row.item_id}&start_date=2031-01-01&end_date=2031-12-31`
  )
  assert.match(feed.text, /UID:first-choir@example\.org\r\n/)

  const between = await state()
  assert.deepEqual((await importIcal('choir', entries)).counts, { ...none, same: 2 })
  assert.deepEqual(await state(), between)
  assert.deepEqual((await undone(first.id)).counts, { ...first.counts, kept: 0 })
  assert.deepEqual(await state(), before)
})

test('a changed rule is applied to the series, and undone', async () => {
  const first = await importIcal('rule', [choir('rule-choir', weekly), garden('rule-choir')])
  const id = await findSeriesId(first.id)
  const before = await listOccurrences(id)
  const whole = await state()
  const second = await importIcal('rule', [
    choir('rule-choir', 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4', 'LOCATION:Hall'),
    change(
      'rule-choir',
      '20310204',
      'DTSTART;TZID=Europe/Berlin:20310204T190000',
      'DTEND;TZID=Europe/Berlin:20310204T210000'
    )
  ])
  assert.deepEqual(second.counts, { ...none, new: 1, changed: 1 })
  const after = await listOccurrences(id)
  assert.deepEqual(
    after.map(({ start_date, title }) => [start_date, title]),
    [
      ['2031-01-07 19:00:00', 'rule-choir'],
      ['2031-01-21 19:00:00', 'rule-choir'],
      ['2031-02-04 19:00:00', 'rule-choir, changed'],
      ['2031-02-18 19:00:00', 'rule-choir']
    ]
  )
  const keep = (events: typeof before) => events.map(event => [event.id, event.slug])
  assert.deepEqual(keep(after.slice(0, 3)), keep(before.filter((_, place) => place % 2 === 0)))
  const countVersions = async () =>
    (await editor.get(`${calendar}/events/${before[0]?.id}/versions`)).body.versions.length
  assert.equal(await countVersions(), 2)
  await undone(second.id)
  assert.deepEqual(await state(), whole)
  assert.equal(await countVersions(), 1)
})

test('another time or weekday moves the events, which keep their ids', async () => {
  const uid = 'moving-choir'
  const first = await importIcal('moving', [choir(uid, weekly)])
  const id = await findSeriesId(first.id)
  const before = await listOccurrences(id)
  const later = choir(uid, weekly).map(line => line.replace('T190000', 'T193000'))
  assert.equal((await importIcal('moving', [later])).counts.changed, 1)
  const wednesdays = later.map(line => line.replace('20310107', '20310108'))
  assert.equal((await importIcal('moving', [wednesdays])).counts.changed, 1)
  const after = await listOccurrences(id)
  assert.deepEqual(
    after.map(event => event.start_date),
    ['08', '15', '22', '29'].map(day => `2031-01-${day} 19:30:00`).concat('2031-02-05 19:30:00')
  )
  assert.deepEqual(
    after.map(event => event.id),
    before.map(event => event.id)
  )
})

test('an endless rule is made for the next 24 months, from today on', async () => {
  const entry = choir('endless-choir', 'RRULE:FREQ=MONTHLY;BYDAY=2TU').map(line => line.replace('20310107', '20200114'))
  const first = await importIcal('endless', [entry])
  const id = await findSeriesId(first.id)
  const all = await listOccurrences(id)
  assert.ok(all.length === 24 || all.length === 25, `${all.length} events`)
  const today = new Date().toISOString().slice(0, 10)
  assert.ok(all.every(({ start_date }) => start_date >= today))
  const { body } = await editor.get(`${calendar}/series/${id}`)
  assert.equal(body.start_date, all[0]?.start_date)
  const row = (await rowsOf(first.id))[0]
  assert.match(row.reasons[0], /^Series without an end; 2[45] dates in the next 24 months\.$/)
})

test('what a series cannot express comes as single events, with a note', { skip: skipUnlessFull }, async () => {
  const hours = await importIcal('hours', [choir('hours-choir', 'RRULE:FREQ=DAILY;BYHOUR=10,19;COUNT=4')])
  assert.equal(hours.counts.new, 0)
  const near = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const at = (uid: string, ...lines: string[]) => choir(uid, ...lines).map(line => line.replace('20310107', near))
  const cases: [string, string[], RegExp][] = [
    ['two-times', ['RRULE:FREQ=DAILY;BYHOUR=19,20;COUNT=4'], /repeats within a day/],
    ['two-rules', ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2'], /several rules/],
    ['too-many', ['RRULE:FREQ=DAILY;COUNT=1200'], /at most 1000 dates/]
  ]
  for (const [uid, lines, reason] of cases) {
    const { id, counts } = await importIcal(uid, [at(uid, ...lines)])
    assert.ok(counts.new > 2 && counts.problem === 0, JSON.stringify(counts))
    const rows = await rowsOf(id)
    assert.ok(rows.every(({ kind }) => kind === 'event'))
    assert.match(rows[0].reasons[0], reason)
    assert.deepEqual(rows[1].reasons, [])
  }
})

test('single events of an earlier import stay single', async () => {
  const near = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const entry = (rule: string) => choir('old-choir', rule).map(line => line.replace('20310107', near))
  const old = await importIcal('old', [entry('RRULE:FREQ=DAILY;BYHOUR=19,20;COUNT=6')])
  assert.deepEqual(old.counts, { ...none, new: 6 })
  const now = await importIcal('old', [entry('RRULE:FREQ=DAILY;COUNT=3')])
  assert.deepEqual(now.counts, { ...none, same: 3, gone: 3 })
  await undone(old.id)
  assert.deepEqual((await importIcal('old', [entry('RRULE:FREQ=DAILY;COUNT=3')])).counts, { ...none, new: 1 })
})

test('a series that was edited here is kept, or becomes what it is at its source', async () => {
  const first = await importIcal('edited', [choir('edited-choir', weekly)])
  const id = await findSeriesId(first.id)
  const [one, two, three] = await listOccurrences(id)
  await editor.patch(`${calendar}/events/${one?.id}`, { title: 'Ours' })
  await editor.delete(`${calendar}/events/${two?.id}`)
  await editor.delete(`${calendar}/events/${three?.id}?force=true`)
  const changed = [choir('edited-choir', weekly, 'URL:https://choir.example/')]
  const kept = await importIcal('edited', changed)
  assert.deepEqual(kept.counts, { ...none, skipped: 1 })
  assert.equal((await listOccurrences(id)).length, 3)
  assert.deepEqual((await undone(first.id)).counts, { ...first.counts, kept: 1 })

  assert.deepEqual((await importIcal('edited', changed, { policy: 'overwrite' })).counts, { ...none, changed: 1 })
  const all = await listOccurrences(id)
  assert.deepEqual(
    all.map(({ title, series }) => [title, series?.isException]),
    Array.from({ length: 5 }, () => ['edited-choir', false])
  )
  assert.deepEqual([all[0]?.id, all[1]?.id], [one?.id, two?.id])
})

test('events that the daily job made do not count as edited', async () => {
  const entry = choir('long-choir', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=7')
  const first = await importIcal('long', [entry])
  const id = await findSeriesId(first.id)
  const all = await listOccurrences(id)
  const last = all.at(-1)
  await store.run(sql`delete from calendar.events where id = ${last?.id}`)
  await store.run(
    sql`update calendar.series set made_until = ${last?.start_date}::timestamp - interval '1 day' where id = ${id}`
  )
  await extendSeries(store, new Date(Date.UTC(2031, 0, 7)))
  const extended = await listOccurrences(id)
  assert.equal(extended.at(-1)?.start_date, last?.start_date)
  assert.notEqual(extended.at(-1)?.id, last?.id)
  assert.deepEqual((await undone(first.id)).counts, { ...first.counts, kept: 0 })
  assert.equal((await editor.get(`${calendar}/series/${id}`)).status, 404)
})

test('a private change is left out, and its date with it', async () => {
  const { id, counts } = await importIcal('private', [
    choir('private-choir', weekly),
    [...garden('private-choir'), 'CLASS:PRIVATE']
  ])
  assert.deepEqual(counts, { ...none, new: 1, skipped: 1 })
  assert.equal((await listOccurrences(await findSeriesId(id))).length, 4)
})

test('a series that is gone at the source, or cannot be read any more, stays', async () => {
  const { id } = await importIcal('gone', [choir('gone-choir', weekly)])
  const seriesId = await findSeriesId(id)
  const single = ['UID:other-event@example.org', 'SUMMARY:Other', 'DTSTART:20310701T150000Z']
  const gone = await importIcal('gone', [single])
  assert.deepEqual(gone.counts, { ...none, new: 1, gone: 1 })
  assert.deepEqual(
    (await rowsOf(gone.id, '&outcome=gone')).map(({ kind, item_id }) => [kind, item_id]),
    [['series', seriesId]]
  )
  const unread = await importIcal('gone', [choir('gone-choir', 'RRULE:FREQ=SOMETIMES'), single])
  assert.deepEqual(unread.counts, { ...none, same: 1, problem: 1 })
  const hourly = await importIcal('gone', [choir('gone-choir', 'RRULE:FREQ=HOURLY;COUNT=3'), single])
  assert.deepEqual(hourly.counts, { ...none, same: 1, skipped: 1 })
  assert.equal((await listOccurrences(seriesId)).length, 5)
})

test('our own feed gives the same series elsewhere', async () => {
  const source = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
  const there = newSeriesClient(source.admin)
  const recurrence = { unit: 'week', every: 2, until: '2031-06-30', except: ['2031-02-04'], also: ['2031-01-09'] }
  const made = await there.createSeries({ title: 'Round trip', recurrence, venue: { venue: 'Round hall' } })
  const all = await there.listOccurrences(made.series.id)
  await source.admin.patch(`${calendar}/events/${all[3]?.id}`, {
    title: 'Elsewhere',
    start_date: '2031-02-19 20:00',
    end_date: '2031-02-19 22:00'
  })
  await source.admin.delete(`${calendar}/events/${all[4]?.id}`)
  const feed = await source.visitor.get(`${calendar}/events.ics?start_date=2031-01-01&end_date=2031-12-31`)
  const first = await importIcal('round-trip', feed.text)
  assert.deepEqual(first.counts, { ...none, new: 2 })
  const id = await findSeriesId(first.id)
  const describe = ({ title, start_date, end_date, timezone, series }: (typeof all)[number]) => [
    title,
    start_date,
    end_date,
    timezone,
    series?.rule,
    series?.date,
    series?.isException
  ]
  assert.deepEqual(
    (await listOccurrences(id)).map(describe),
    (await there.listOccurrences(made.series.id)).map(describe)
  )
  const again = await editor.get(`${calendar}/events.ics?series=${id}&start_date=2031-01-01&end_date=2031-12-31`)
  const uid = /^UID:(.*)$/m
  assert.equal(uid.exec(again.text)?.[1], uid.exec(feed.text)?.[1])
  assert.deepEqual((await importIcal('round-trip', feed.text)).counts, { ...none, same: 2 })
})
