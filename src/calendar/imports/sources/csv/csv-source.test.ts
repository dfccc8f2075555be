import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { languages } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { readFile } from '#test/support/calendar/read-source.ts'
import { countRuns } from '#test/support/full-run.ts'
import type { ImportRequest, Incoming } from '../source.ts'
import { openCsv } from './csv-source.ts'
import { buildCsvTemplate } from './template.ts'

const read = async (content: string | Uint8Array, request: Partial<ImportRequest> = {}) =>
  await readFile(openCsv, content, request)
const filterEvents = (all: Incoming[]) => all.filter(({ kind }) => kind === 'event')
const readEvents = async (text: string, request: Partial<ImportRequest> = {}) => filterEvents(await read(text, request))

async function readOne(text: string, request: Partial<ImportRequest> = {}): Promise<Incoming> {
  const found = await readEvents(text, request)
  assert.equal(found.length, 1)
  return found[0] as Incoming
}

const getReasons = ({ problems }: Incoming) => problems.map(({ en }) => en).join('\n')

test('a table with the columns of The Events Calendar is read without a mapping', async () => {
  const all = await read(
    [
      'EVENT NAME,EVENT EXCERPT,EVENT VENUE NAME,EVENT ORGANIZER NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT,TIMEZONE,HIDE FROM EVENT LISTINGS,STICKY IN MONTH VIEW,EVENT COST,EVENT CURRENCY SYMBOL,EVENT CURRENCY POSITION,EVENT CATEGORY,EVENT TAGS,EVENT WEBSITE,SHOW MAP LINK,SHOW MAP,ALLOW COMMENTS,ALLOW TRACKBACKS AND PINGBACKS,EVENT FEATURED IMAGE,EVENT DESCRIPTION',
      'Concert,Short,Town Hall,Music Society,2027-06-19,19:30:00,2027-06-19,22:00:00,false,America/New_York,false,true,12.50,$,prefix,"Music, Outdoors",family,example.org/concert,true,true,false,false,https://example.org/a.png,<b>Loud</b>'
    ].join('\r\n')
  )
  assert.deepEqual(
    all.map(({ kind, texts }) => `${kind} ${texts.en?.title}`),
    ['venue Town Hall', 'organizer Music Society', 'category Music', 'category Outdoors', 'tag family', 'event Concert']
  )
  const event = all.at(-1)
  assert.deepEqual(event, {
    kind: 'event',
    sourceId: 'concert 2027-06-19 19:30:00',
    texts: { en: { title: 'Concert', description: '<b>Loud</b>', excerpt: '<p>Short</p>' } },
    fields: {
      start_date: '2027-06-19 19:30:00',
      end_date: '2027-06-19 22:00:00',
      timezone: 'America/New_York',
      all_day: false,
      venue: ['town hall'],
      organizer: ['music society'],
      categories: ['music', 'outdoors'],
      tags: ['family'],
      sticky: true,
      hide_from_listings: false,
      show_map: true,
      show_map_link: true,
      cost: '12.50 $',
      website: 'https://example.org/concert'
    },
    image: { url: 'https://example.org/a.png' },
    problems: []
  })
})

test('a German table of Outlook is read, and private events are skipped', async () => {
  const [concert, secret] = await readEvents(
    [
      '"Betreff";"Beginnt am";"Beginnt um";"Endet am";"Endet um";"Ganztägiges Ereignis";"Beschreibung";"Ort";"Kategorien";"Privat"',
      '"Konzert";"19.6.2027";"19:30:00";"19.6.2027";"22:00:00";"Aus";"Laut";"Bürgerhaus, Hauptstraße 1, 12345 Musterstadt";"Musik;Draußen";"Aus"',
      '"Geheim";"20.6.2027";"19:30:00";"20.6.2027";"22:00:00";"Aus";"";"";"";"Ein"'
    ].join('\r\n'),
    { language: 'de' }
  )
  assert.equal(concert?.texts.de?.title, 'Konzert')
  assert.equal(getReasons(concert as Incoming), '')
  assert.deepEqual([concert?.fields.start_date, concert?.fields.all_day], ['2027-06-19 19:30:00', false])
  assert.deepEqual(concert?.fields.categories, ['musik', 'draußen'])
  assert.notEqual(secret?.skipped, undefined)
})

for (const language of languages) {
  test(`the template in ${language} is read without problems, with both languages`, async () => {
    const text = buildCsvTemplate(language)
    assert.ok(text.startsWith('\ufeff'))
    const all = await read(text, { language })
    const [concert, openDay] = filterEvents(all)
    assert.deepEqual([concert?.texts.en?.title, concert?.texts.de?.title], ['Summer concert', 'Sommerkonzert'])
    assert.deepEqual([openDay?.texts.en?.title, openDay?.texts.de?.title], ['Open day', 'Tag der offenen Tür'])
    assert.deepEqual(
      [concert?.problems, concert?.notes, openDay?.problems, openDay?.notes],
      [[], undefined, [], undefined]
    )
    assert.deepEqual([concert?.fields.start_date, concert?.fields.timezone], ['2027-06-19 19:30:00', 'Europe/Berlin'])
    assert.deepEqual([openDay?.fields.end_date, openDay?.fields.all_day], ['2027-09-26 23:59:59', true])
    assert.equal(all.filter(({ kind }) => kind === 'venue').length, 1)
    assert.equal(all.filter(({ kind }) => kind === 'category').length, 2)
  })
}

for (const [columns, titles] of [
  ['Title,Title (de)', { en: 'one', de: 'two' }],
  ['Title,Titel', { en: 'one', de: 'two' }],
  ['title_en,title_de', { en: 'one', de: 'two' }],
  ['Titel deutsch,Titel englisch', { de: 'one', en: 'two' }],
  ['Title (en),Title', { en: 'one', de: 'two' }]
] as const) {
  test(`the columns ${columns} are read as titles in two languages`, async () => {
    const { texts } = await readOne(`${columns},Date\none,two,2027-06-19`)
    assert.deepEqual(
      Object.fromEntries(Object.entries(texts).map(([language, { title }]) => [language, title])),
      titles
    )
  })
}

const times: [description: string, head: string, row: string, start: string, end: string, allDay: boolean][] = [
  ['a day alone', 'Date', '2027-06-19', '2027-06-19 00:00:00', '2027-06-19 23:59:59', true],
  ['days', 'Start,End', '19.06.2027,20.06.2027', '2027-06-19 00:00:00', '2027-06-20 23:59:59', true],
  ['a time without an end', 'Date,Time', '2027-06-19,7:30 pm', '2027-06-19 19:30:00', '2027-06-19 19:30:00', false],
  [
    'a time range',
    'Datum,Uhrzeit',
    '19.06.2027,19:30 - 21:00 Uhr',
    '2027-06-19 19:30:00',
    '2027-06-19 21:00:00',
    false
  ],
  [
    'an end after midnight',
    'Date,Start time,End time',
    '2027-06-19,22:00,02:00',
    '2027-06-19 22:00:00',
    '2027-06-20 02:00:00',
    false
  ],
  [
    'date and time in one cell',
    'Start,End',
    '2027-06-19 10:00,2027-06-21 12:00',
    '2027-06-19 10:00:00',
    '2027-06-21 12:00:00',
    false
  ],
  [
    'a day, a start time and an end time',
    'Datum,Beginn,Ende',
    '19.06.2027,19:30,21:00',
    '2027-06-19 19:30:00',
    '2027-06-19 21:00:00',
    false
  ],
  ['an end that is a time', 'Start,End', '2027-06-19 10:00,12:00', '2027-06-19 10:00:00', '2027-06-19 12:00:00', false],
  [
    'an instant',
    'Start,End',
    '2027-06-19T10:00:00Z,2027-06-19T11:00:00Z',
    '2027-06-19 12:00:00',
    '2027-06-19 13:00:00',
    false
  ],
  ['a last day', 'Start,End', '2027-06-19 10:00,2027-06-21', '2027-06-19 10:00:00', '2027-06-21 23:59:59', false]
]

for (const [description, head, row, start, end, allDay] of times) {
  test(`a row with ${description} has the expected start and end`, async () => {
    const event = await readOne(`Title,${head}\nConcert,${row}`)
    assert.equal(getReasons(event), '')
    assert.deepEqual([event.fields.start_date, event.fields.end_date, event.fields.all_day], [start, end, allDay])
  })
}

test('one date that shows the order of day and month decides it for all rows', async () => {
  const [first, second] = await readEvents('Title,Date\nA,3/1/2027\nB,3/13/2027')
  assert.deepEqual(
    [first?.fields.start_date, second?.fields.start_date],
    ['2027-03-01 00:00:00', '2027-03-13 00:00:00']
  )
  const [british] = await readEvents('Title,Date\nA,3/1/2027\nB,13/3/2027')
  assert.equal(british?.fields.start_date, '2027-01-03 00:00:00')
  assert.match(
    getReasons(await readOne('Title,Date\nA,3/1/2027')),
    /Line 2, Date: “3\/1\/2027” can be two different days/
  )
})

for (const [description, head, row, reason] of [
  ['no title', 'Title,Date', ' ,2027-06-19', /Line 2, Title: the title is empty/],
  ['no date', 'Title,Date', 'Concert,', /Line 2, Date: there is no date/],
  ['an invalid date', 'Title,Date', 'Concert,30.02.2027', /Line 2, Date: “30.02.2027” must be a date/],
  ['an invalid time', 'Title,Date,Time', 'Concert,2027-06-19,late', /Line 2, Time: “late” must be a time/],
  ['an end before its start', 'Title,Start,End', 'Concert,2027-06-19,2027-06-18', /Line 2, End: the end is before/],
  ['an invalid time zone', 'Title,Date,Time zone', 'Concert,2027-06-19,Nowhere', /Line 2, Time zone: “Nowhere”/],
  [
    'an invalid yes or no',
    'Title,Date,All day',
    'Concert,2027-06-19,maybe',
    /Line 2, All day: “maybe” must be yes or no/
  ],
  ['too many cells', 'Title,Date', 'Concert,2027-06-19,and more', /Line 2 has 3 cells/]
] as const) {
  test(`a row with ${description} is reported with its line, and the other rows are read`, async () => {
    const [wrong, right] = await readEvents(`${head}\n${row}\nOther,2027-06-19\n`)
    assert.match(getReasons(wrong as Incoming), reason)
    assert.equal(getReasons(right as Incoming), '')
  })
}

test('a mapping assigns columns to fields, leaves columns out, and is refused if it is invalid', async () => {
  const text = 'Was,Wann,Title\nKonzert,2027-06-19,Nummer 5\n'
  const event = await readOne(text, { mapping: { Was: 'title_de', Wann: 'start_date', Title: '' } })
  assert.deepEqual([event.texts, event.notes], [{ de: { title: 'Konzert' } }, undefined])
  await assert.rejects(read(text, { mapping: { Was: 'Titel' } }), {
    code: 'import-mapping',
    message: /“Titel” must be one of id, title/
  })
  await assert.rejects(read(text, { mapping: { Wo: 'venue' } }), {
    code: 'import-mapping',
    message: /unknown column “Wo”/
  })
})

test('a table without title and date columns is reported in one row', async () => {
  const table = await readOne('Spalte,Noch eine\nKonzert,2027-06-19\n')
  assert.match(getReasons(table), /title column was not recognised.*\n.*date column was not recognised/)
})

test('a second column for the same field is ignored and reported in a note', async () => {
  const event = await readOne('Title,Event,Date\nA,,2027-06-19')
  assert.deepEqual([event.texts.en?.title, event.texts.de], ['A', undefined])
  assert.match((await readOne('Cost,Price,Title,Date\n5,6,A,2027-06-19')).notes?.[0]?.en ?? '', /: Price\./)
})

test('unknown columns are reported in a note of the first event', async () => {
  const [first, second] = await readEvents('Title,Date,Mood,Dress code\nA,2027-06-19,x,y\nB,2027-06-19,x,y\n')
  assert.match(first?.notes?.[0]?.en ?? '', /Mood, Dress code/)
  assert.equal(second?.notes, undefined)
})

test('venues have their address; the German column Ort is the city if there is a venue column, else the venue', async () => {
  const [venue] = await read(
    'Titel;Datum;Veranstaltungsort;Straße;PLZ;Ort\nFest;19.06.2027;Bürgerhaus;Hauptstr. 1;12345;Musterstadt'
  )
  assert.deepEqual(
    [venue?.texts.en?.title, venue?.fields],
    ['Bürgerhaus', { address: 'Hauptstr. 1', zip: '12345', city: 'Musterstadt' }]
  )
  const [other] = await read('Titel;Datum;Ort\nFest;19.06.2027;Bürgerhaus')
  assert.deepEqual([other?.kind, other?.texts.en?.title], ['venue', 'Bürgerhaus'])
})

test('a column says which events take place online', async () => {
  for (const column of ['is_virtual', 'Online', 'Virtual event', 'Virtuell']) {
    const events = await readEvents(`Title;Date;${column}\nA;2027-06-19;true\nB;2027-06-20;nein\nC;2027-06-21;`)
    assert.deepEqual(
      events.map(({ fields }) => fields.is_virtual),
      [true, false, null],
      column
    )
  }
})

test('two equal rows are two events; a row with an id is the same event after a change of title and date', async () => {
  const twins = await readEvents('Title,Date\nA,2027-06-19\nA,2027-06-19\n')
  assert.equal(new Set(twins.map(({ sourceId }) => sourceId)).size, 2)
  const before = await readOne('ID,Title,Date\n17,A,2027-06-19', { fileName: 'Program (1).csv' })
  const after = await readOne('ID,Title,Date\n17,B,2027-07-20', { fileName: 'program 2027-06.csv' })
  assert.equal(before.sourceId, after.sourceId)
})

test('a cell that begins like a formula is read as text', async () => {
  assert.equal((await readOne('Title,Date\n"=1+1",2027-06-19')).texts.en?.title, '=1+1')
})

test('umlauts in UTF-8, Latin 1 and UTF-16 are read', async () => {
  const text = 'Titel;Datum\nKäsefest;19.06.2027\n'
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(text, 'latin1'),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  ]) {
    assert.equal(filterEvents(await read(bytes))[0]?.texts.en?.title, 'Käsefest')
  }
})

test('an unclosed quote is reported with its line', async () => {
  const [good, broken] = await readEvents('Title,Date\nA,2027-06-19\n"B,2027-06-19\nC,2027-06-19\n')
  assert.equal(getReasons(good as Incoming), '')
  assert.match(getReasons(broken as Incoming), /Line 3 opens a quote/)
})

for (const [description, content] of [
  ['an empty file', ' '],
  ['a table with one column', 'Title\nConcert'],
  ['a web page', '<!doctype html>\n<p>a,b'],
  ['a binary file', 'Title,Date\0,'],
  ['a calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n']
] as const) {
  test(`${description} is refused`, async () => {
    await assert.rejects(read(content), { code: 'not-a-table' })
  })
}

test('cells, rows and lines of any length are read', async () => {
  const fills = [',', '\n', '"', ' ', "'", '\r', '-'].map(fill => fill.repeat(300_000))
  for (const fill of [...fills, 'a.'.repeat(4_800_000)]) {
    const all = await readEvents(`Title,Date,Website\nA,2027-06-19,${fill}`)
    assert.equal(all.length, 1, fill.slice(0, 2))
  }
})

test('any text and any bytes are read or refused with a problem, never with another error', async () => {
  const pieces = [
    'Title',
    'Date',
    'Venue',
    'Cost',
    'Status',
    ',',
    ';',
    '\t',
    '"',
    '\r\n',
    '\n',
    "'",
    '=',
    '2027-06-19',
    '3/1/2027',
    '19:30',
    'ä',
    ' '
  ]
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map(parts => `Title,Date\n${parts.join('')}`)
  await fc.assert(
    fc.asyncProperty(fc.oneof(text.map(Buffer.from), fc.uint8Array()), async bytes => {
      await read(bytes).catch(error => assert.ok(error instanceof Problem))
    }),
    { numRuns: countRuns(300) }
  )
})

for (const [status, expected] of [
  ['live', { event_status: 'scheduled' }],
  ['ACTIVE', { event_status: 'scheduled' }],
  ['sold_out', { event_status: 'scheduled' }],
  ['Storniert', { event_status: 'canceled' }],
  ['verschoben', { event_status: 'postponed' }],
  ['Tentative', { status: 'draft' }]
] as const) {
  test(`the status ${status} is recognised`, async () => {
    const { fields, notes } = await readOne(`Title,Date,Time,End time,Status\nA,2027-06-19,19:00,20:00,${status}\n`)
    const { event_status, status: state } = fields
    assert.deepEqual({ event_status, status: state }, { event_status: undefined, status: undefined, ...expected })
    assert.equal(notes, undefined)
  })
}

test('an event with an unknown status is imported as a draft, with a note', async () => {
  const { fields, problems, notes } = await readOne('Title,Date,Status\nA,2027-06-19,gone\n')
  assert.deepEqual([fields.status, problems], ['draft', []])
  assert.match(notes?.[0]?.en ?? '', /Unknown status “gone”: imported as a draft/)
})

test('titles above the column names are skipped, and lines count from the top of the file', async () => {
  const [good, wrong] = await readEvents(
    'Veranstaltungen 2027;;\n;;\nDatum;Uhrzeit;Veranstaltung\n01.03.2027;19:00;Konzert\n30.02.2027;19:00;Fest\n'
  )
  assert.deepEqual([good?.texts.en?.title, good?.fields.start_date], ['Konzert', '2027-03-01 19:00:00'])
  assert.match(getReasons(wrong as Incoming), /^Line 5, Datum: “30.02.2027”/)
  const mapped = await readOne('Liste\n\nA;B\nKonzert;01.03.2027\n', { mapping: { A: 'title', B: 'start_date' } })
  assert.equal(mapped.texts.en?.title, 'Konzert')
})

test('a range of dates is an event of several days, with times if there are any', async () => {
  const text =
    'Datum;Uhrzeit;Titel\n3.–5. Mai 2027;;Fest\n31.12.2026 - 01.01.2027;20:00;Ball\n46388;0,8125;Abend\n3.5.2027 19:00 – 5.5.2027 22:00;;Reise\n'
  assert.deepEqual(
    (await readEvents(text)).map(({ fields, problems }) => [fields.start_date, fields.end_date, problems]),
    [
      ['2027-05-03 00:00:00', '2027-05-05 23:59:59', []],
      ['2026-12-31 20:00:00', '2027-01-01 23:59:59', []],
      ['2027-01-01 19:30:00', '2027-01-01 19:30:00', []],
      ['2027-05-03 19:00:00', '2027-05-05 22:00:00', []]
    ]
  )
})
