import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'
import { sql } from '#platform/database/sql.ts'
import { type Client, calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, withRole, store, anEvent, aVenue, anOrganizer, aCategory } = await startCalendar()
const editor = await withRole('editor')

const past = { title: 'Past', start_date: '2001-01-01 10:00:00', end_date: '2001-01-01 11:00:00' }
const music = await aCategory({ name: 'Music' })
const hall = await aVenue({ venue: 'Hall', address: '1 Main Street', city: 'Springfield', phone: '+49 30 1' })
const choir = await anOrganizer({ organizer: 'Choir', email: 'choir@example.org' })
const ids = {
  past: (await anEvent({ ...past, venue: hall.id, organizer: choir.id, categories: [music.id], cost: '10 €' })).id,
  coming: (await anEvent({ title: '=cmd()', description: 'one; "two",\nthree', timezone: 'Europe/Berlin' })).id,
  draft: (await anEvent({ title: 'Draft', status: 'draft' })).id,
  hidden: (await anEvent({ title: 'Hidden', hide_from_listings: true })).id,
  locked: (await anEvent({ title: 'Locked', description: 'secret words', post_password: 'open' })).id,
  trashed: (await anEvent({ title: 'Trashed' })).id
}
await admin.delete(`${calendar}/events/${ids.trashed}`)

const parseLines = ({ text }: TestResponse) =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
async function getExport(client: Client, path: string): Promise<TestResponse> {
  const answer = await client.get(`${calendar}/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const exportIds = async (client: Client, query = '') =>
  parseLines(await getExport(client, `events.jsonl${query}`)).map(({ id }) => id)

test('an export has all events that the caller may see, past and future, and none from the trash', async () => {
  assert.deepEqual(await exportIds(visitor), [ids.past, ids.coming, ids.locked])
  assert.deepEqual(await exportIds(editor), [ids.past, ids.coming, ids.draft, ids.locked, ids.hidden])
  assert.deepEqual(await exportIds(editor, '?status=trash'), [ids.trashed])
})

test('a line of an export equals the entry of the same event, venue, organizer or term in the list', async () => {
  for (const [collection, id] of [
    ['events', ids.past],
    ['venues', hall.id],
    ['organizers', choir.id],
    ['categories', music.id]
  ]) {
    const answer = await getExport(visitor, `${collection}.jsonl`)
    assert.equal(answer.headers['content-type'], 'application/jsonl; charset=utf-8')
    assert.match(String(answer.headers['content-disposition']), new RegExp(`filename="${collection}\\.jsonl"`))
    const listed = (await visitor.get(`${calendar}/${collection}?include=${id}`)).body[String(collection)]
    assert.deepEqual(
      parseLines(answer).filter(item => item.id === id),
      listed
    )
  }
})

test('exports accept the filters of lists', async () => {
  assert.deepEqual(await exportIds(visitor, '?categories=music'), [ids.past])
  assert.deepEqual(await exportIds(visitor, '?start_date=2010-01-01'), [ids.coming, ids.locked])
  assert.deepEqual(await exportIds(visitor, '?end_date=2010-01-01'), [ids.past])
  assert.deepEqual(await exportIds(visitor, `?include=${ids.coming}`), [ids.coming])
  assert.deepEqual(await exportIds(editor, '?hidden=true'), [ids.hidden])
  assert.equal(parseLines(await getExport(visitor, 'venues.jsonl?search=hall')).length, 1)
  assert.equal(parseLines(await getExport(visitor, 'venues.jsonl?search=nothing')).length, 0)
})

test('invalid parameters of an export are refused with 400 and the name of the parameter', async () => {
  for (const [path, parameter] of [
    ['events.jsonl?status=draft', 'status'],
    ['events.csv?categories=none', 'categories'],
    ['events.jsonl?start_date=never', 'start_date'],
    ['events.csv?hidden=true', 'hidden'],
    ['events.ics?all=true&venue=x', 'venue'],
    ['events.ics?all=maybe', 'all'],
    ['venues.jsonl?status=trash', 'status'],
    ['organizers.csv?event=x', 'event'],
    ['tags.csv?language=fr', 'language']
  ]) {
    const { status, body } = await visitor.get(`${calendar}/${path}`)
    assert.equal(status, 400, path)
    assert.ok(JSON.stringify(body).includes(String(parameter)), JSON.stringify(body))
  }
})

test('a CSV export says which events take place online, and an import of it keeps that', async () => {
  const { id } = await anEvent({ title: 'Webinar', is_virtual: true, website: 'https://example.org/join' })
  const { text } = await getExport(visitor, `events.csv?include=${id},${ids.coming}`)
  const rows: Record<string, string>[] = parse(text, { columns: true })
  assert.deepEqual(
    new Map(rows.map(row => [row.id, row.is_virtual])),
    new Map([
      [String(id), 'true'],
      [String(ids.coming), 'false']
    ])
  )
  assert.equal(rows.find(row => row.id === String(id))?.website, 'https://example.org/join')
  await admin.delete(`${calendar}/events/${id}`)
})

test('a CSV export has a row per item, and escapes formulas and line breaks', async () => {
  const answer = await getExport(visitor, 'events.csv')
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  const rows: Record<string, string>[] = parse(answer.text, { columns: true })
  const [first, second] = rows
  assert.equal(rows.length, 3)
  assert.deepEqual(
    [
      first?.id,
      first?.title,
      first?.start_date,
      first?.venue,
      first?.venue_address,
      first?.organizer,
      first?.categories
    ],
    [String(ids.past), 'Past', '2001-01-01 10:00:00', 'Hall', '1 Main Street', 'Choir', 'Music']
  )
  assert.deepEqual([first?.cost, first?.organizer_email], ['10€', 'choir@example.org'])
  assert.deepEqual([second?.title, second?.timezone], ["'=cmd()", 'Europe/Berlin'])
  assert.match(String(second?.description), /one; "two"/)

  const venues: Record<string, string>[] = parse((await getExport(visitor, 'venues.csv')).text, { columns: true })
  assert.deepEqual(
    [venues[0]?.id, venues[0]?.venue, venues[0]?.city, venues[0]?.phone],
    [String(hall.id), 'Hall', 'Springfield', "'+49 30 1"]
  )
  const german = await getExport(visitor, 'organizers.csv?language=de')
  assert.ok(german.text.startsWith('\ufeffid;organizer;'))
  assert.equal(german.headers['content-language'], 'de')
})

test('exports contain protected texts only with the password', async () => {
  for (const format of ['csv', 'jsonl', 'ics']) {
    const all = format === 'ics' ? 'all=true&' : ''
    const { text } = await getExport(visitor, `events.${format}?${all}`)
    assert.match(text, /Locked/)
    assert.doesNotMatch(text, /secret words/)
    assert.match((await getExport(visitor, `events.${format}?${all}password=open`)).text, /secret words/)
  }
})

test('an export of several batches has each event once, ordered by start', async () => {
  await store.script(`
    with made as (
      insert into calendar.events (
        languages, author_id, status, published_at, created_at, modified_at, all_day, starts_at, ends_at, start_local, end_local,
        timezone, timezone_abbr, show_map, show_map_link, hide_from_listings, sticky, featured, ticketed
      )
      select '{en}', 1, 'publish', now(), now(), now(), false, moment, moment, moment, moment,
        'UTC', 'UTC', true, true, false, false, false, false
      from generate_series(1, 250) as number
      cross join lateral (select timestamp '2030-01-01' + number / 7 * interval '1 hour' as moment) as times
      returning id
    )
    insert into calendar.event_texts (event_id, language, title, description, excerpt, slug, search)
    select id, 'en', 'Many', '', '', 'many-' || id, 'many' from made`)
  const expected = await store.all<{ id: number }>(sql`
    select id from calendar.events where starts_at >= '2030-01-01' order by starts_at, id`)
  const found = await exportIds(visitor, '?start_date=2030-01-01')
  assert.deepEqual(
    found,
    expected.map(({ id }) => id)
  )
  assert.equal((await getExport(visitor, 'events.csv?start_date=2030-01-01')).text.trimEnd().split('\r\n').length, 251)
})

test('an iCalendar export of all events is valid, and has each time zone once before its first use', async () => {
  await anEvent({ title: 'Elsewhere', timezone: 'America/New_York' })
  const { text, headers } = await getExport(visitor, 'events.ics?all=true')
  assert.match(String(headers['content-type']), /^text\/calendar/)
  const parsed = new ICAL.Component(ICAL.parse(text))
  const titles = parsed.getAllSubcomponents('vevent').map(one => String(one.getFirstPropertyValue('summary')))
  assert.equal(titles.length, (await exportIds(visitor)).length)
  assert.ok(titles.includes('Past') && titles.includes('Elsewhere') && !titles.includes('Hidden'))
  assert.deepEqual(
    parsed
      .getAllSubcomponents('vtimezone')
      .map(zone => zone.getFirstPropertyValue('tzid'))
      .sort(),
    ['America/New_York', 'Europe/Berlin']
  )
  assert.ok(text.indexOf('TZID:America/New_York') < text.indexOf('TZID=America/New_York'))
  assert.ok(!(await getExport(visitor, 'events.ics')).text.includes('SUMMARY;LANGUAGE=en:Past'))
})
