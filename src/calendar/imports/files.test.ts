import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { none } from '#test/support/calendar/imports.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'
import { createCalendarJobs } from '../jobs.ts'

const here = await startCalendar({ env: { ALLOW_PRIVATE_ADDRESSES: 'true', TIMEZONE: 'Europe/Berlin' } })
const editor = await here.withRole('editor')

async function work(): Promise<void> {
  const job = createCalendarJobs(here.settings).find(({ name }) => name === 'run-imports')
  await job?.run(here.store, {}, new AbortController().signal)
}

/** A form with a file, as browsers send it. */
async function sent(fields: Record<string, string>, file: { name: string; text: string }): Promise<TestResponse> {
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

async function imported(
  fields: Record<string, string>,
  file: { name: string; text: string }
): Promise<TestResponse['body']> {
  const made = await sent({ dry_run: 'false', ...fields }, file)
  assert.equal(made.status, 201, made.text)
  await work()
  return await read(made.body.id)
}

const read = async (id: number): Promise<TestResponse['body']> => (await editor.get(`${calendar}/imports/${id}`)).body

async function rowsOf(id: number): Promise<TestResponse['body'][]> {
  return (await editor.get(`${calendar}/imports/${id}/rows?per_page=50`)).body.rows
}

async function undone(id: number): Promise<void> {
  assert.equal((await editor.post(`${calendar}/imports/${id}/undo`)).status, 202)
  await work()
  assert.equal((await read(id)).status, 'undone')
}

async function state(): Promise<object> {
  const { activity: _recorded, ...rest } = await readCalendarState(here.store)
  return rest
}

async function eventsTitled(title: string, language = 'en'): Promise<TestResponse['body'][]> {
  const query = `start_date=2000-01-01&end_date=2100-01-01&per_page=50&language=${language}&search="${encodeURIComponent(title)}"`
  return (await here.visitor.get(`${calendar}/events?${query}`)).body.events
}

/** A file is named after its first event, so that the calendars of the tests are different ones. */
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

test('a calendar is tried, run, run again without doubles, changed, and undone', async () => {
  const before = await state()
  const tried = await imported({ source: 'ical', dry_run: 'true' }, ics(regatta))
  assert.deepEqual([tried.status, tried.counts], ['done', { ...none, new: 3 }])
  assert.deepEqual(await state(), before)

  const run = await editor.post(`${calendar}/imports/${tried.id}/run`)
  assert.equal(run.status, 201, run.text)
  await work()
  const first = await read(run.body.id)
  assert.deepEqual([first.counts, first.progress.done], [{ ...none, new: 3 }, 3])
  const [event] = await eventsTitled('Regatta')
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
  assert.deepEqual((await imported({ source: 'ical' }, ics(regatta))).counts, { ...none, same: 3 })

  const moved = regatta.map(line => line.replace('0614T1', '0615T1'))
  const second = await imported({ source: 'ical' }, ics([...moved, 'STATUS:CANCELLED']))
  assert.deepEqual(second.counts, { ...none, same: 2, changed: 1 })
  const [after, ...others] = await eventsTitled('Regatta')
  assert.deepEqual([after.id, after.start_date, others], [event.id, '2031-06-15 10:00:00', []])

  await undone(second.id)
  await undone(first.id)
  assert.deepEqual(await state(), before)
})

test('what is private is skipped, what is wrong is a problem with its line, and the rest is imported', async () => {
  const { id, counts } = await imported(
    { source: 'ical' },
    ics(
      ['UID:secret-meeting@example.org', 'SUMMARY:Secret', 'DTSTART:20310614T100000Z', 'CLASS:PRIVATE'],
      ['UID:when-is-it-ever@example.org', 'SUMMARY:Sometime', 'DTSTART:later'],
      ['UID:fine-and-open@example.org', 'SUMMARY:Fine', 'DTSTART;VALUE=DATE:20310614']
    )
  )
  assert.deepEqual(counts, { ...none, new: 1, skipped: 1, problem: 1 })
  const rows = await rowsOf(id)
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

test('upcoming events that are gone at the source are counted and listed, and stay', async () => {
  const party = ['UID:street-party-2031@example.org', 'SUMMARY:Street party', 'DTSTART:20310701T150000Z']
  const past = ['UID:winter-party-2020@example.org', 'SUMMARY:Winter party', 'DTSTART:20200101T150000Z']
  const pottery = ['UID:pottery-class@example.org', 'SUMMARY:Pottery', 'DTSTART:20310701T150000Z']
  const street = (...events: string[][]) => ({ ...ics(...events), name: 'street.ics' })
  assert.deepEqual((await imported({ source: 'ical' }, street(party, past, pottery))).counts, { ...none, new: 3 })
  // Another calendar does not have to have them.
  assert.equal((await imported({ source: 'ical' }, { ...ics(pottery), name: 'other.ics' })).counts.gone, 0)
  assert.deepEqual((await imported({ source: 'ical' }, street(pottery))).counts, { ...none, same: 1, gone: 1 })

  const again = await imported({ source: 'ical', dry_run: 'true' }, { ...street(pottery), name: 'street (1).ics' })
  assert.deepEqual([again.counts, again.progress.done], [{ ...none, same: 1, gone: 1 }, 1])
  const { body } = await editor.get(`${calendar}/imports/${again.id}/rows?outcome=gone`)
  const [event] = await eventsTitled('Street party')
  assert.deepEqual(
    body.rows.map(({ title, item_id, reasons }: TestResponse['body']) => [title, item_id, reasons]),
    [['Street party', event.id, ['Imported before, and no longer at the source; kept here.']]]
  )
  assert.deepEqual((await imported({ source: 'ical' }, street(pottery, party))).counts, { ...none, same: 2 })
})

test('a series that cannot be read any more, and a table that is cut off, make nothing gone', async () => {
  const series = ['UID:weekly-run-2031@example.org', 'SUMMARY:Run', 'DTSTART:20260101T150000Z']
  const runs = (rule: string) => ({ ...ics([...series, `RRULE:${rule}`]), name: 'runs.ics' })
  // In UTC, so that it comes as single events.
  assert.ok((await imported({ source: 'ical' }, runs('FREQ=WEEKLY'))).counts.new > 50)
  assert.deepEqual((await imported({ source: 'ical' }, runs('FREQ=SOMETIMES'))).counts, { ...none, problem: 1 })

  const table = (...rows: string[]) => ({ name: 'plan.csv', text: ['Title,Date', ...rows].join('\n') })
  await imported({ source: 'csv' }, table('Spring,2031-03-01', 'Autumn,2031-09-01'))
  assert.equal((await imported({ source: 'csv' }, table('Spring,2031-03-01'))).counts.gone, 1)
  assert.equal((await imported({ source: 'csv' }, table('Spring,2031-03-01', '"Autumn,2031-09-01'))).counts.gone, 0)
})

test('a file that is none fails with words in the language of whoever reads', async () => {
  const { id, status } = await imported({ source: 'ical' }, { name: 'a.ics', text: '<!doctype html>' })
  assert.equal(status, 'failed')
  const german = await editor.get(`${calendar}/imports/${id}`, { 'accept-language': 'de' })
  assert.match(german.body.error, /Das ist keine iCalendar-Datei/)
  assert.match((await imported({ source: 'csv' }, { name: 'a.csv', text: 'nothing' })).error, /This is not a table/)
})

test('what a calendar brings is cleaned like what anybody writes', async () => {
  const lines = [
    'UID:hostile-event@example.org',
    'SUMMARY:Hostile <script>alert(1)</script>event',
    'DTSTART:20310614T100000Z'
  ]
  await imported(
    { source: 'ical' },
    ics([...lines, 'DESCRIPTION:<p onclick="x()">Fine</p><script>alert(1)</script>', 'URL:javascript:alert(1)'])
  )
  const [event] = await eventsTitled('Hostile')
  assert.doesNotMatch(JSON.stringify(event), /<script|onclick|javascript:/)
  assert.match(event.description, /Fine/)
})

const table = (...rows: string[]) => ({
  name: 'programme.csv',
  text: ['Titel;Title;Datum;Beginn;Ende;Ort;Kategorie;Eintritt', ...rows].join('\r\n')
})

test('a table is tried, run, run again without doubles, changed, and undone', async () => {
  const before = await state()
  const rows = [
    'Lesung;Reading;14.06.2031;19.30 Uhr;21:00;Bücherei;Literatur;8 €',
    'Abschied;;15.06.2031;;;;;',
    'Kaputt;;31.06.2031;;;;;'
  ]
  const tried = await imported({ source: 'csv', dry_run: 'true', language: 'de' }, table(...rows))
  assert.deepEqual([tried.status, tried.counts], ['done', { ...none, new: 4, problem: 1 }], tried.error)
  assert.deepEqual(tried.columns, ['Titel', 'Title', 'Datum', 'Beginn', 'Ende', 'Ort', 'Kategorie', 'Eintritt'])
  assert.deepEqual([tried.mapping.Titel, tried.mapping.Title, tried.mapping.Eintritt], ['title_de', 'title_en', 'cost'])
  assert.deepEqual(await state(), before)
  const problem = (await rowsOf(tried.id)).find(({ outcome }) => outcome === 'problem')
  assert.match(problem.reasons[0], /Line 4, Datum: “31.06.2031” must be a date/)

  const first = await imported({ source: 'csv', language: 'de' }, table(...rows))
  assert.deepEqual(first.counts, tried.counts)
  const [reading] = await eventsTitled('Lesung', 'de')
  assert.deepEqual(
    [reading.start_date, reading.end_date, reading.cost, reading.translations, reading.venue.venue],
    ['2031-06-14 19:30:00', '2031-06-14 21:00:00', '8€', ['de', 'en'], 'Bücherei']
  )
  const [farewell] = await eventsTitled('Abschied', 'de')
  assert.deepEqual([farewell.all_day, farewell.translations], [true, ['de']])

  assert.deepEqual((await imported({ source: 'csv', language: 'de' }, table(...rows))).counts, {
    ...none,
    same: 4,
    problem: 1
  })
  const dearer = rows.map(row => row.replace('8 €', '9 €'))
  const second = await imported({ source: 'csv', language: 'de' }, table(...dearer))
  assert.deepEqual(second.counts, { ...none, same: 3, changed: 1, problem: 1 })
  assert.equal((await eventsTitled('Lesung', 'de'))[0].cost, '9€')

  await undone(second.id)
  assert.equal((await eventsTitled('Lesung', 'de'))[0].cost, '8€')
  await undone(first.id)
  assert.deepEqual(await state(), before)
})

test('the template is a file that can be imported as it is', async () => {
  const template = await editor.get(`${calendar}/imports/template.csv?language=de`)
  assert.equal(template.headers['content-type'], 'text/csv; charset=utf-8')
  const { counts, error } = await imported(
    { source: 'csv', language: 'de', dry_run: 'true' },
    { name: 'template.csv', text: template.text }
  )
  assert.deepEqual(counts, { ...none, new: 7 }, error)
})

test('what one instance exports as iCalendar is the same in another', { skip: skipUnlessFull }, async () => {
  const there = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin', PUBLIC_URL: 'https://events.example.org' } })
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
  await there.anEvent({
    title: 'Gala; with, “all”\\signs',
    ...dates('06-01 19:00', '06-01 22:30'),
    venue: hall,
    categories: ['Music', 'Jazz & more'],
    organizer: { organizer: 'Ann' },
    description: '<p>First</p><p>Second &amp; last</p>'
  })
  await there.anEvent({ title: 'Far away', ...dates('06-02 19:00', '06-02 20:00'), timezone: 'Asia/Tokyo' })
  await there.anEvent({ title: 'Whole days', ...dates('06-03', '06-05'), all_day: true, venue: hall })
  await there.anEvent({
    title: 'Some other day',
    ...dates('06-07 19:00', '06-07 20:00'),
    description: '<p>Bring cake</p>',
    event_status: 'postponed'
  })
  await there.anEvent({ title: 'Called off', ...dates('06-06 19:00', '06-06 19:00'), event_status: 'canceled' })
  const query = 'start_date=2032-01-01&end_date=2032-12-31'
  const exported = await there.visitor.get(`${calendar}/events.ics?${query}`)
  assert.equal((await imported({ source: 'ical' }, { name: 'events.ics', text: exported.text })).status, 'done')

  const known = async (client: typeof here.visitor) =>
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
  const [ours, theirs] = [await known(here.visitor), await known(there.visitor)]
  assert.equal(theirs.length, 5)
  assert.deepEqual(ours, theirs)
  const uidsIn = ({ text }: TestResponse) => text.replaceAll('\r\n ', '').match(/^UID:.*$/gm)
  assert.deepEqual(uidsIn(await here.visitor.get(`${calendar}/events.ics?${query}`)), uidsIn(exported))

  // The same calendar at its address is recognised.
  const url = `${await there.server.app.listen({ port: 0 })}${calendar}/events.ics?${query}`
  const { id } = (await editor.post(`${calendar}/imports`, { source: 'ical', url, dry_run: false })).body
  await work()
  const again = await read(id)
  assert.deepEqual([again.counts.new, again.counts.changed, again.error], [0, 0, null])
})

test('an address that answers with something else fails with words', async () => {
  const url = `${await here.server.app.listen({ port: 0 })}${calendar}/nothing`
  const { id } = (await editor.post(`${calendar}/imports`, { source: 'ical', url, dry_run: false })).body
  await work()
  assert.match((await read(id)).error, /could not be fetched \(HTTP 404\)/)
})

test('an event with more markup than can be cleaned in time is reported, and the others are imported', async () => {
  const heavy = [...regatta.slice(2, 4), 'UID:heavy@example.org', 'SUMMARY:Too heavy']
  const alright = [...regatta.slice(2, 4), 'UID:alright@example.org', 'SUMMARY:Light enough']
  const html = `X-ALT-DESC;FMTTYPE=text/html:${'<a href=x>y</a>'.repeat(2000)}`
  const done = await imported({ source: 'ical' }, ics([...heavy, html], alright))
  assert.deepEqual([done.status, done.counts], ['done', { ...none, new: 1, problem: 1 }])
  const row = (await rowsOf(done.id)).find(({ outcome }) => outcome === 'problem')
  assert.match(JSON.stringify(row), /too much markup/)
  await undone(done.id)
})
