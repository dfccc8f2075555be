import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildIcal } from '#test/support/calendar/read-ical.ts'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { extendSeries } from '../series/extend.ts'

// Recurring entries of iCalendar files become series.

const here = await startImports()
const { editor, runImport, listRows, readState, store, undoImport } = here
const { listOccurrences } = newSeriesClient(editor)

let served = ''
const server = createServer((_request, response) => response.end(served))
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const port = (server.address() as AddressInfo).port

/** Imports a calendar; each name is a calendar of its own. */
async function importIcal(name: string, events: string[][] | string, fields: object = {}) {
  served = typeof events === 'string' ? events : buildIcal(events)
  return await runImport({ url: `http://127.0.0.1:${port}/${name}.ics` }, { source: 'ical', ...fields })
}

const buildEntry = (uid: string, ...lines: string[]) => [
  `UID:${uid}@example.org`,
  `SUMMARY:${uid}`,
  'DTSTART;TZID=Europe/Berlin:20310107T190000',
  'DTEND;TZID=Europe/Berlin:20310107T210000',
  ...lines
]

const buildChange = (uid: string, day: string, ...lines: string[]) => [
  `UID:${uid}@example.org`,
  `RECURRENCE-ID;TZID=Europe/Berlin:${day}T190000`,
  `SUMMARY:${uid}, changed`,
  ...lines
]

async function findSeriesId(importId: number): Promise<number> {
  const rows = await listRows(importId)
  return rows.find(({ kind }) => kind === 'series')?.item_id
}

const weekly = 'RRULE:FREQ=WEEKLY;COUNT=5'
const buildMovedChange = (uid: string) =>
  buildChange(uid, '20310121', 'DTSTART;TZID=Europe/Berlin:20310122T180000', 'DTEND;TZID=Europe/Berlin:20310122T200000')

test('a recurring entry becomes one series with its rule, its exceptions and its UID', async () => {
  const before = await readState()
  const excluded = 'EXDATE;TZID=Europe/Berlin:20310114T190000'
  const entries = [buildEntry('first-choir', weekly, excluded, 'CATEGORIES:Singing'), buildMovedChange('first-choir')]
  const dryRun = await importIcal('choir', entries, { dry_run: true })
  assert.deepEqual(dryRun.counts, { ...noCounts, new: 2 })
  assert.deepEqual(await readState(), before)

  const first = await importIcal('choir', entries)
  assert.deepEqual(first.counts, { ...noCounts, new: 2 })
  const [, row] = await listRows(first.id)
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

  const between = await readState()
  assert.deepEqual((await importIcal('choir', entries)).counts, { ...noCounts, same: 2 })
  assert.deepEqual(await readState(), between)
  assert.deepEqual((await undoImport(first.id)).counts, { ...first.counts, kept: 0 })
  assert.deepEqual(await readState(), before)
})

test('a changed rule is applied to the series, and undone', async () => {
  const first = await importIcal('rule', [buildEntry('rule-choir', weekly), buildMovedChange('rule-choir')])
  const id = await findSeriesId(first.id)
  const before = await listOccurrences(id)
  const beforeChange = await readState()
  const second = await importIcal('rule', [
    buildEntry('rule-choir', 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4', 'LOCATION:Hall'),
    buildChange(
      'rule-choir',
      '20310204',
      'DTSTART;TZID=Europe/Berlin:20310204T190000',
      'DTEND;TZID=Europe/Berlin:20310204T210000'
    )
  ])
  assert.deepEqual(second.counts, { ...noCounts, new: 1, changed: 1 })
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
  const getIdsAndSlugs = (events: typeof before) => events.map(event => [event.id, event.slug])
  assert.deepEqual(getIdsAndSlugs(after.slice(0, 3)), getIdsAndSlugs(before.filter((_, place) => place % 2 === 0)))
  const countVersions = async () =>
    (await editor.get(`${calendar}/events/${before[0]?.id}/versions`)).body.versions.length
  assert.equal(await countVersions(), 2)
  await undoImport(second.id)
  assert.deepEqual(await readState(), beforeChange)
  assert.equal(await countVersions(), 1)
})

test('a changed time or weekday at the source moves the events of a series, which keep their ids', async () => {
  const uid = 'moving-choir'
  const first = await importIcal('moving', [buildEntry(uid, weekly)])
  const id = await findSeriesId(first.id)
  const before = await listOccurrences(id)
  const later = buildEntry(uid, weekly).map(line => line.replace('T190000', 'T193000'))
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

test('a series without an end gets events for the next 24 months, from today on', async () => {
  const entry = buildEntry('endless-choir', 'RRULE:FREQ=MONTHLY;BYDAY=2TU').map(line =>
    line.replace('20310107', '20200114')
  )
  const first = await importIcal('endless', [entry])
  const id = await findSeriesId(first.id)
  const all = await listOccurrences(id)
  assert.ok(all.length === 24 || all.length === 25, `${all.length} events`)
  const today = new Date().toISOString().slice(0, 10)
  assert.ok(all.every(({ start_date }) => start_date >= today))
  const { body } = await editor.get(`${calendar}/series/${id}`)
  assert.equal(body.start_date, all[0]?.start_date)
  const row = (await listRows(first.id))[0]
  assert.match(row.reasons[0], /^Series without an end; 2[45] dates in the next 24 months\.$/)
})

test('a rule that a series cannot express is imported as single events, with a note', {
  skip: skipUnlessFull
}, async () => {
  const hours = await importIcal('hours', [buildEntry('hours-choir', 'RRULE:FREQ=DAILY;BYHOUR=10,19;COUNT=4')])
  assert.equal(hours.counts.new, 0)
  const near = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const buildNearEntry = (uid: string, ...lines: string[]) =>
    buildEntry(uid, ...lines).map(line => line.replace('20310107', near))
  const cases: [string, string[], RegExp][] = [
    ['two-times', ['RRULE:FREQ=DAILY;BYHOUR=19,20;COUNT=4'], /repeats within a day/],
    ['two-rules', ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2'], /several rules/],
    ['too-many', ['RRULE:FREQ=DAILY;COUNT=1200'], /at most 1000 dates/]
  ]
  for (const [uid, lines, reason] of cases) {
    const { id, counts } = await importIcal(uid, [buildNearEntry(uid, ...lines)])
    assert.ok(counts.new > 2 && counts.problem === 0, JSON.stringify(counts))
    const rows = await listRows(id)
    assert.ok(rows.every(({ kind }) => kind === 'event'))
    assert.match(rows[0].reasons[0], reason)
    assert.deepEqual(rows[1].reasons, [])
  }
})

test('single events of an earlier import do not become a series', async () => {
  const near = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const entry = (rule: string) => buildEntry('old-choir', rule).map(line => line.replace('20310107', near))
  const old = await importIcal('old', [entry('RRULE:FREQ=DAILY;BYHOUR=19,20;COUNT=6')])
  assert.deepEqual(old.counts, { ...noCounts, new: 6 })
  const now = await importIcal('old', [entry('RRULE:FREQ=DAILY;COUNT=3')])
  assert.deepEqual(now.counts, { ...noCounts, same: 3, gone: 3 })
  await undoImport(old.id)
  assert.deepEqual((await importIcal('old', [entry('RRULE:FREQ=DAILY;COUNT=3')])).counts, { ...noCounts, new: 1 })
})

test('a series that was edited here is kept, or replaced with the policy overwrite', async () => {
  const first = await importIcal('edited', [buildEntry('edited-choir', weekly)])
  const id = await findSeriesId(first.id)
  const [one, two, three] = await listOccurrences(id)
  await editor.patch(`${calendar}/events/${one?.id}`, { title: 'Ours' })
  await editor.delete(`${calendar}/events/${two?.id}`)
  await editor.delete(`${calendar}/events/${three?.id}?force=true`)
  const changed = [buildEntry('edited-choir', weekly, 'URL:https://choir.example/')]
  const kept = await importIcal('edited', changed)
  assert.deepEqual(kept.counts, { ...noCounts, skipped: 1 })
  assert.equal((await listOccurrences(id)).length, 3)
  assert.deepEqual((await undoImport(first.id)).counts, { ...first.counts, kept: 1 })

  assert.deepEqual((await importIcal('edited', changed, { policy: 'overwrite' })).counts, { ...noCounts, changed: 1 })
  const all = await listOccurrences(id)
  assert.deepEqual(
    all.map(({ title, series }) => [title, series?.isException]),
    Array.from({ length: 5 }, () => ['edited-choir', false])
  )
  assert.deepEqual([all[0]?.id, all[1]?.id], [one?.id, two?.id])
})

test('events of a series that the daily job created do not count as edited here', async () => {
  const entry = buildEntry('long-choir', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=7')
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
  assert.deepEqual((await undoImport(first.id)).counts, { ...first.counts, kept: 0 })
  assert.equal((await editor.get(`${calendar}/series/${id}`)).status, 404)
})

test('a private occurrence of a series is skipped, and has no event', async () => {
  const { id, counts } = await importIcal('private', [
    buildEntry('private-choir', weekly),
    [...buildMovedChange('private-choir'), 'CLASS:PRIVATE']
  ])
  assert.deepEqual(counts, { ...noCounts, new: 1, skipped: 1 })
  assert.equal((await listOccurrences(await findSeriesId(id))).length, 4)
})

test('a series that is gone or invalid at the source is kept', async () => {
  const { id } = await importIcal('gone', [buildEntry('gone-choir', weekly)])
  const seriesId = await findSeriesId(id)
  const single = ['UID:other-event@example.org', 'SUMMARY:Other', 'DTSTART:20310701T150000Z']
  const gone = await importIcal('gone', [single])
  assert.deepEqual(gone.counts, { ...noCounts, new: 1, gone: 1 })
  assert.deepEqual(
    (await listRows(gone.id, '&outcome=gone')).map(({ kind, item_id }) => [kind, item_id]),
    [['series', seriesId]]
  )
  const invalid = await importIcal('gone', [buildEntry('gone-choir', 'RRULE:FREQ=SOMETIMES'), single])
  assert.deepEqual(invalid.counts, { ...noCounts, same: 1, problem: 1 })
  const hourly = await importIcal('gone', [buildEntry('gone-choir', 'RRULE:FREQ=HOURLY;COUNT=3'), single])
  assert.deepEqual(hourly.counts, { ...noCounts, same: 1, skipped: 1 })
  assert.equal((await listOccurrences(seriesId)).length, 5)
})

test('a series from our own feed is the same after an import in another instance', async () => {
  const source = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
  const sourceSeries = newSeriesClient(source.admin)
  const recurrence = { unit: 'week', every: 2, until: '2031-06-30', except: ['2031-02-04'], also: ['2031-01-09'] }
  const created = await sourceSeries.createSeries({ title: 'Round trip', recurrence, venue: { venue: 'Round hall' } })
  const all = await sourceSeries.listOccurrences(created.series.id)
  await source.admin.patch(`${calendar}/events/${all[3]?.id}`, {
    title: 'Elsewhere',
    start_date: '2031-02-19 20:00',
    end_date: '2031-02-19 22:00'
  })
  await source.admin.delete(`${calendar}/events/${all[4]?.id}`)
  const feed = await source.visitor.get(`${calendar}/events.ics?start_date=2031-01-01&end_date=2031-12-31`)
  const first = await importIcal('round-trip', feed.text)
  assert.deepEqual(first.counts, { ...noCounts, new: 2 })
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
    (await sourceSeries.listOccurrences(created.series.id)).map(describe)
  )
  const again = await editor.get(`${calendar}/events.ics?series=${id}&start_date=2031-01-01&end_date=2031-12-31`)
  const uid = /^UID:(.*)$/m
  assert.equal(uid.exec(again.text)?.[1], uid.exec(feed.text)?.[1])
  assert.deepEqual((await importIcal('round-trip', feed.text)).counts, { ...noCounts, same: 2 })
})
