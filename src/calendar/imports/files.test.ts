import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { noCounts } from '#test/support/calendar/imports.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'
import { createCalendarJobs } from '../jobs.ts'

const target = await startCalendar({ env: { ALLOW_PRIVATE_ADDRESSES: 'true', TIMEZONE: 'Europe/Berlin' } })
const editor = await target.withRole('editor')

async function runJob(): Promise<void> {
  const job = createCalendarJobs(target.settings).find(({ name }) => name === 'run-imports')
  await job?.run(target.store, {}, new AbortController().signal)
}

/** Sends a form with a file, as browsers do. */
async function sendFile(fields: Record<string, string>, file: { name: string; text: string }): Promise<TestResponse> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`
  )
  parts.push(
    `content-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: text/plain\r\n\r\n${file.text}`
  )
  return await editor.send({
    method: 'POST',
    url: `${calendar}/imports`,
    headers: { 'content-type': 'multipart/form-data; boundary=the-border' },
    payload: `${parts.map(part => `--the-border\r\n${part}\r\n`).join('')}--the-border--\r\n`
  })
}

async function runImport(
  fields: Record<string, string>,
  file: { name: string; text: string }
): Promise<TestResponse['body']> {
  const created = await sendFile({ dry_run: 'false', ...fields }, file)
  assert.equal(created.status, 201, created.text)
  await runJob()
  return await read(created.body.id)
}

const read = async (id: number): Promise<TestResponse['body']> => (await editor.get(`${calendar}/imports/${id}`)).body

async function listRows(id: number): Promise<TestResponse['body'][]> {
  return (await editor.get(`${calendar}/imports/${id}/rows?per_page=50`)).body.rows
}

async function undoImport(id: number): Promise<void> {
  assert.equal((await editor.post(`${calendar}/imports/${id}/undo`)).status, 202)
  await runJob()
  assert.equal((await read(id)).status, 'undone')
}

async function readState(): Promise<object> {
  const { activity: _recorded, ...rest } = await readCalendarState(target.store)
  return rest
}

async function findEvents(title: string, language = 'en'): Promise<TestResponse['body'][]> {
  const query = `start_date=2000-01-01&end_date=2100-01-01&per_page=50&language=${language}&search="${encodeURIComponent(title)}"`
  return (await target.visitor.get(`${calendar}/events?${query}`)).body.events
}

/** The file is named after its first event, so that each test has its own calendar. */
const ics = (...events: string[][]) => ({
  name: `${events[0]?.[0]?.replaceAll(/\W+/g, ' ')}.ics`,
  text: [
    'BEGIN:VCALENDAR',
    ...events.flatMap(lines => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    ''
  ].join('\r\n')
})

const regatta = [
  'UID:regatta-2031@example.org',
  'SUMMARY:Regatta',
  'DTSTART;TZID=America/New_York:20310614T100000',
  'DTEND;TZID=America/New_York:20310614T160000',
  'LOCATION:Boathouse\\, Lake Road 7\\, 12345 Springfield',
  'CATEGORIES:Sailing'
]

test('an iCalendar file passes a dry run, is imported, imported again without duplicates, updated and undone', async () => {
  const before = await readState()
  const dryRun = await runImport({ source: 'ical', dry_run: 'true' }, ics(regatta))
  assert.deepEqual([dryRun.status, dryRun.counts], ['done', { ...noCounts, new: 3 }])
  assert.deepEqual(await readState(), before)

  const run = await editor.post(`${calendar}/imports/${dryRun.id}/run`)
  assert.equal(run.status, 201, run.text)
  await runJob()
  const first = await read(run.body.id)
  assert.deepEqual([first.counts, first.progress.done], [{ ...noCounts, new: 3 }, 3])
  const [event] = await findEvents('Regatta')
  assert.deepEqual(
    [
      event.start_date,
      event.timezone,
      event.utc_start_date,
      event.venue.venue,
      event.venue.city,
      event.categories[0].name
    ],
    ['2031-06-14 10:00:00', 'America/New_York', '2031-06-14 14:00:00', 'Boathouse', 'Springfield', 'Sailing']
  )
  assert.deepEqual((await runImport({ source: 'ical' }, ics(regatta))).counts, { ...noCounts, same: 3 })

  const moved = regatta.map(line => line.replace('0614T1', '0615T1'))
  const second = await runImport({ source: 'ical' }, ics([...moved, 'STATUS:CANCELLED']))
  assert.deepEqual(second.counts, { ...noCounts, same: 2, changed: 1 })
  const [after, ...others] = await findEvents('Regatta')
  assert.deepEqual([after.id, after.start_date, others], [event.id, '2031-06-15 10:00:00', []])

  await undoImport(second.id)
  await undoImport(first.id)
  assert.deepEqual(await readState(), before)
})

test('private events are skipped, invalid ones reported with their line, and the others imported', async () => {
  const { id, counts } = await runImport(
    { source: 'ical' },
    ics(
      ['UID:secret-meeting@example.org', 'SUMMARY:Secret', 'DTSTART:20310614T100000Z', 'CLASS:PRIVATE'],
      ['UID:when-is-it-ever@example.org', 'SUMMARY:Sometime', 'DTSTART:later'],
      ['UID:fine-and-open@example.org', 'SUMMARY:Fine', 'DTSTART;VALUE=DATE:20310614']
    )
  )
  assert.deepEqual(counts, { ...noCounts, new: 1, skipped: 1, problem: 1 })
  const rows = await listRows(id)
  assert.deepEqual(
    rows.map(({ title, outcome }) => [title, outcome]),
    [
      ['Secret', 'skipped'],
      ['Sometime', 'problem'],
      ['Fine', 'new']
    ]
  )
  assert.match(rows[0].reasons[0], /private/)
  assert.match(rows[1].reasons[0], /^Line 11: DTSTART must be a date or time/)
})

test('upcoming events that are gone at the source are counted and listed, but kept', async () => {
  const party = ['UID:street-party-2031@example.org', 'SUMMARY:Street party', 'DTSTART:20310701T150000Z']
  const past = ['UID:winter-party-2020@example.org', 'SUMMARY:Winter party', 'DTSTART:20200101T150000Z']
  const pottery = ['UID:pottery-class@example.org', 'SUMMARY:Pottery', 'DTSTART:20310701T150000Z']
  const street = (...events: string[][]) => ({ ...ics(...events), name: 'street.ics' })
  assert.deepEqual((await runImport({ source: 'ical' }, street(party, past, pottery))).counts, { ...noCounts, new: 3 })
  // The events are not expected in another calendar.
  assert.equal((await runImport({ source: 'ical' }, { ...ics(pottery), name: 'other.ics' })).counts.gone, 0)
  assert.deepEqual((await runImport({ source: 'ical' }, street(pottery))).counts, { ...noCounts, same: 1, gone: 1 })

  const again = await runImport({ source: 'ical', dry_run: 'true' }, { ...street(pottery), name: 'street (1).ics' })
  assert.deepEqual([again.counts, again.progress.done], [{ ...noCounts, same: 1, gone: 1 }, 1])
  const { body } = await editor.get(`${calendar}/imports/${again.id}/rows?outcome=gone`)
  const [event] = await findEvents('Street party')
  assert.deepEqual(
    body.rows.map(({ title, item_id, reasons }: TestResponse['body']) => [title, item_id, reasons]),
    [['Street party', event.id, ['Imported before, and no longer at the source; kept here.']]]
  )
  assert.deepEqual((await runImport({ source: 'ical' }, street(pottery, party))).counts, { ...noCounts, same: 2 })
})

test('events of an invalid series or of a truncated table do not count as gone', async () => {
  const series = ['UID:weekly-run-2031@example.org', 'SUMMARY:Run', 'DTSTART:20260101T150000Z']
  const runs = (rule: string) => ({ ...ics([...series, `RRULE:${rule}`]), name: 'runs.ics' })
  // In UTC, so that the series is imported as single events.
  assert.ok((await runImport({ source: 'ical' }, runs('FREQ=WEEKLY'))).counts.new > 50)
  assert.deepEqual((await runImport({ source: 'ical' }, runs('FREQ=SOMETIMES'))).counts, { ...noCounts, problem: 1 })

  const table = (...rows: string[]) => ({ name: 'plan.csv', text: ['Title,Date', ...rows].join('\n') })
  await runImport({ source: 'csv' }, table('Spring,2031-03-01', 'Autumn,2031-09-01'))
  assert.equal((await runImport({ source: 'csv' }, table('Spring,2031-03-01'))).counts.gone, 1)
  assert.equal((await runImport({ source: 'csv' }, table('Spring,2031-03-01', '"Autumn,2031-09-01'))).counts.gone, 0)
})

test('an import of an invalid file fails with an error in the language of the request', async () => {
  const { id, status } = await runImport({ source: 'ical' }, { name: 'a.ics', text: '<!doctype html>' })
  assert.equal(status, 'failed')
  const german = await editor.get(`${calendar}/imports/${id}`, { 'accept-language': 'de' })
  assert.match(german.body.error, /Das ist keine iCalendar-Datei/)
  assert.match((await runImport({ source: 'csv' }, { name: 'a.csv', text: 'nothing' })).error, /This is not a table/)
})

test('texts and URLs of an imported calendar are sanitized', async () => {
  const lines = [
    'UID:hostile-event@example.org',
    'SUMMARY:Hostile <script>alert(1)</script>event',
    'DTSTART:20310614T100000Z'
  ]
  await runImport(
    { source: 'ical' },
    ics([...lines, 'DESCRIPTION:<p onclick="x()">Fine</p><script>alert(1)</script>', 'URL:javascript:alert(1)'])
  )
  const [event] = await findEvents('Hostile')
  assert.doesNotMatch(JSON.stringify(event), /<script|onclick|javascript:/)
  assert.match(event.description, /Fine/)
})

const table = (...rows: string[]) => ({
  name: 'programme.csv',
  text: ['Titel;Title;Datum;Beginn;Ende;Ort;Kategorie;Eintritt', ...rows].join('\r\n')
})

test('a CSV file passes a dry run, is imported, imported again without duplicates, updated and undone', async () => {
  const before = await readState()
  const rows = [
    'Lesung;Reading;14.06.2031;19.30 Uhr;21:00;Bücherei;Literatur;8 €',
    'Abschied;;15.06.2031;;;;;',
    'Kaputt;;31.06.2031;;;;;'
  ]
  const dryRun = await runImport({ source: 'csv', dry_run: 'true', language: 'de' }, table(...rows))
  assert.deepEqual([dryRun.status, dryRun.counts], ['done', { ...noCounts, new: 4, problem: 1 }], dryRun.error)
  assert.deepEqual(dryRun.columns, ['Titel', 'Title', 'Datum', 'Beginn', 'Ende', 'Ort', 'Kategorie', 'Eintritt'])
  assert.deepEqual(
    [dryRun.mapping.Titel, dryRun.mapping.Title, dryRun.mapping.Eintritt],
    ['title_de', 'title_en', 'cost']
  )
  assert.deepEqual(await readState(), before)
  const problem = (await listRows(dryRun.id)).find(({ outcome }) => outcome === 'problem')
  assert.match(problem.reasons[0], /Line 4, Datum: “31.06.2031” must be a date/)

  const first = await runImport({ source: 'csv', language: 'de' }, table(...rows))
  assert.deepEqual(first.counts, dryRun.counts)
  const [reading] = await findEvents('Lesung', 'de')
  assert.deepEqual(
    [reading.start_date, reading.end_date, reading.cost, reading.translations, reading.venue.venue],
    ['2031-06-14 19:30:00', '2031-06-14 21:00:00', '8€', ['de', 'en'], 'Bücherei']
  )
  const [farewell] = await findEvents('Abschied', 'de')
  assert.deepEqual([farewell.all_day, farewell.translations], [true, ['de']])

  assert.deepEqual((await runImport({ source: 'csv', language: 'de' }, table(...rows))).counts, {
    ...noCounts,
    same: 4,
    problem: 1
  })
  const dearer = rows.map(row => row.replace('8 €', '9 €'))
  const second = await runImport({ source: 'csv', language: 'de' }, table(...dearer))
  assert.deepEqual(second.counts, { ...noCounts, same: 3, changed: 1, problem: 1 })
  assert.equal((await findEvents('Lesung', 'de'))[0].cost, '9€')

  await undoImport(second.id)
  assert.equal((await findEvents('Lesung', 'de'))[0].cost, '8€')
  await undoImport(first.id)
  assert.deepEqual(await readState(), before)
})

test('the CSV template can be imported without changes', async () => {
  const template = await editor.get(`${calendar}/imports/template.csv?language=de`)
  assert.equal(template.headers['content-type'], 'text/csv; charset=utf-8')
  const { counts, error } = await runImport(
    { source: 'csv', language: 'de', dry_run: 'true' },
    { name: 'template.csv', text: template.text }
  )
  assert.deepEqual(counts, { ...noCounts, new: 7 }, error)
})

test('events exported as iCalendar are the same after an import in another instance', {
  skip: skipUnlessFull
}, async () => {
  const other = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin', PUBLIC_URL: 'https://events.example.org' } })
  const hall = {
    venue: 'Concert Hall',
    address: 'Ring 1',
    zip: '12345',
    city: 'Springfield',
    country: 'Germany',
    geo_lat: 52.5,
    geo_lng: 13.4
  }
  const dates = (start: string, end: string) => ({ start_date: `2032-${start}`, end_date: `2032-${end}` })
  await other.anEvent({
    title: 'Gala; with, “all”\\signs',
    ...dates('06-01 19:00', '06-01 22:30'),
    venue: hall,
    categories: ['Music', 'Jazz & more'],
    organizer: { organizer: 'Ann' },
    description: '<p>First</p><p>Second &amp; last</p>'
  })
  await other.anEvent({ title: 'Far away', ...dates('06-02 19:00', '06-02 20:00'), timezone: 'Asia/Tokyo' })
  await other.anEvent({ title: 'Whole days', ...dates('06-03', '06-05'), all_day: true, venue: hall })
  await other.anEvent({
    title: 'Some other day',
    ...dates('06-07 19:00', '06-07 20:00'),
    description: '<p>Bring cake</p>',
    event_status: 'postponed'
  })
  await other.anEvent({ title: 'Called off', ...dates('06-06 19:00', '06-06 19:00'), event_status: 'canceled' })
  const query = 'start_date=2032-01-01&end_date=2032-12-31'
  const exported = await other.visitor.get(`${calendar}/events.ics?${query}`)
  assert.equal((await runImport({ source: 'ical' }, { name: 'events.ics', text: exported.text })).status, 'done')

  const listComparable = async (client: typeof target.visitor) =>
    (await client.get(`${calendar}/events?${query}&per_page=50`)).body.events.map((event: TestResponse['body']) => ({
      title: event.title,
      description: event.description,
      dates: [event.start_date, event.end_date, event.timezone, event.all_day],
      status: event.event_status,
      venue: [
        event.venue.venue,
        event.venue.address,
        event.venue.zip,
        event.venue.city,
        event.venue.country,
        event.venue.geo_lat
      ],
      categories: event.categories.map(({ name }: { name: string }) => name).sort(),
      organizers: event.organizer.map(({ organizer }: { organizer: string }) => organizer)
    }))
  const [ours, theirs] = [await listComparable(target.visitor), await listComparable(other.visitor)]
  assert.equal(theirs.length, 5)
  assert.deepEqual(ours, theirs)
  const getUids = ({ text }: TestResponse) => text.replaceAll('\r\n ', '').match(/^UID:.*$/gm)
  assert.deepEqual(getUids(await target.visitor.get(`${calendar}/events.ics?${query}`)), getUids(exported))

  // The same calendar fetched from its URL is recognised.
  const url = `${await other.server.app.listen({ port: 0 })}${calendar}/events.ics?${query}`
  const { id } = (await editor.post(`${calendar}/imports`, { source: 'ical', url, dry_run: false })).body
  await runJob()
  const again = await read(id)
  assert.deepEqual([again.counts.new, again.counts.changed, again.error], [0, 0, null])
})

test('an import from a URL that answers 404 fails with an error message', async () => {
  const url = `${await target.server.app.listen({ port: 0 })}${calendar}/nothing`
  const { id } = (await editor.post(`${calendar}/imports`, { source: 'ical', url, dry_run: false })).body
  await runJob()
  assert.match((await read(id)).error, /could not be fetched \(HTTP 404\)/)
})

test('an event with too much markup is reported, and the others are imported', async () => {
  const heavy = [...regatta.slice(2, 4), 'UID:heavy@example.org', 'SUMMARY:Too heavy']
  const light = [...regatta.slice(2, 4), 'UID:alright@example.org', 'SUMMARY:Light enough']
  const html = `X-ALT-DESC;FMTTYPE=text/html:${'<a href=x>y</a>'.repeat(2000)}`
  const done = await runImport({ source: 'ical' }, ics([...heavy, html], light))
  assert.deepEqual([done.status, done.counts], ['done', { ...noCounts, new: 1, problem: 1 }])
  const row = (await listRows(done.id)).find(({ outcome }) => outcome === 'problem')
  assert.match(JSON.stringify(row), /too much markup/)
  await undoImport(done.id)
})
