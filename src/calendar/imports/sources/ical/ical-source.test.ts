import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildConcertAt,
  buildIcal,
  concert,
  listEvents,
  listStarts,
  readIcal,
  readOneEvent
} from '#test/support/calendar/read-ical.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'

test('an event is read with all its properties, after its venue, organizer and categories', async () => {
  const all = await readIcal(
    buildIcal([
      [
        ...concert,
        'DESCRIPTION:Bring friends\\; and cake\\,\\nplease.\\n\\nAda & <Grace>',
        'LOCATION:Town Hall\\, Main Street 1\\, 12345 Springfield\\, Germany',
        'GEO:52.52;13.405',
        'ORGANIZER;CN="Music Society":mailto:music@example.org',
        'CATEGORIES:Music,Rock\\, Pop',
        'CATEGORIES:Outdoors',
        'URL:https://example.org/konzert/ä',
        'ATTACH;FMTTYPE=image/png:https://example.org/a.png',
        'STATUS:CANCELLED'
      ]
    ])
  )
  assert.deepEqual(
    all.map(({ kind, texts }) => [kind, texts.en?.title]),
    [
      ['venue', 'Town Hall'],
      ['organizer', 'Music Society'],
      ['category', 'Music'],
      ['category', 'Rock, Pop'],
      ['category', 'Outdoors'],
      ['event', 'Concert']
    ]
  )
  const [venue, organizer, first, second, third, event] = all
  assert.deepEqual(venue?.fields, {
    address: 'Main Street 1',
    zip: '12345',
    city: 'Springfield',
    country: 'Germany',
    geo_lat: 52.52,
    geo_lng: 13.405
  })
  assert.deepEqual(organizer?.fields, { email: 'music@example.org' })
  assert.deepEqual(event, {
    kind: 'event',
    sourceId: 'concert-2027@example.org',
    uid: 'concert-2027@example.org',
    texts: {
      en: {
        title: 'Concert',
        description: '<p>Bring friends; and cake,<br>please.</p>\n<p>Ada &amp; &lt;Grace&gt;</p>'
      }
    },
    fields: {
      start_date: '2027-04-01 19:00:00',
      end_date: '2027-04-01 21:00:00',
      timezone: 'Europe/Berlin',
      all_day: false,
      venue: [venue?.sourceId],
      organizer: [organizer?.sourceId],
      categories: [first, second, third].map(category => category?.sourceId),
      website: 'https://example.org/konzert/%C3%A4',
      event_status: 'canceled'
    },
    image: { url: 'https://example.org/a.png' },
    problems: []
  })
})

test('texts have the language of their LANGUAGE parameter, or else that of the import', async () => {
  const { texts } = await readOneEvent([
    ...concert.slice(2),
    'UID:a-long-enough-uid',
    'SUMMARY;LANGUAGE=de-AT:Konzert',
    'SUMMARY;LANGUAGE=en:Concert'
  ])
  assert.deepEqual([texts.de?.title, texts.en?.title], ['Konzert', 'Concert'])
  const [event] = listEvents(await readIcal(buildIcal([concert]), { language: 'de' }))
  assert.deepEqual(Object.keys(event?.texts ?? {}), ['de'])
})

test('HTML in a description is kept, and X-ALT-DESC is preferred', async () => {
  const google = await readOneEvent([...concert, 'DESCRIPTION:<b>Free</b><br>for all'])
  assert.equal(google.texts.en?.description, '<b>Free</b><br>for all')
  const outlook = await readOneEvent([
    ...concert,
    'DESCRIPTION:Free',
    'X-ALT-DESC;FMTTYPE=text/html:<html><head><title>x</title></head><body lang=EN><p>Free</p></body></html>'
  ])
  assert.equal(outlook.texts.en?.description, '<p>Free</p>')
})

const places: [location: string, name: string, fields: object][] = [
  ['Town Hall', 'Town Hall', {}],
  [
    'Town Hall\\nMain Street 1\\n12345 Springfield',
    'Town Hall',
    { address: 'Main Street 1', zip: '12345', city: 'Springfield' }
  ],
  [
    'Café\\, Gasse 14\\, 1010 Wien\\, Österreich',
    'Café',
    { address: 'Gasse 14', zip: '1010', city: 'Wien', country: 'Österreich' }
  ],
  [
    'Hall\\, Main St 1\\, Springfield\\, IL 62701\\, USA',
    'Hall',
    { address: 'Main St 1', city: 'Springfield', state: 'IL', zip: '62701', country: 'USA' }
  ],
  [
    'Hall\\, Main St 1\\, Springfield\\, Illinois\\, 62701\\, United States',
    'Hall',
    { address: 'Main St 1', city: 'Springfield', state: 'Illinois', zip: '62701', country: 'United States' }
  ],
  ['Hall\\, second floor', 'Hall', { address: 'second floor' }]
]

for (const [location, name, fields] of places) {
  test(`the location ${location} is read as a venue with its address`, async () => {
    const [venue] = await readIcal(buildIcal([[...concert, `LOCATION:${location}`]]))
    assert.deepEqual([venue?.texts.en?.title, venue?.fields], [name, fields])
  })
}

test('the URL of a video call is read as website, not as venue', async () => {
  const { fields } = await readOneEvent([...concert, 'LOCATION:https://meet.example.org/abc'])
  assert.deepEqual([fields.venue, fields.website], [[], 'https://meet.example.org/abc'])
})

test('a private event is skipped with a reason', async () => {
  const { skipped } = await readOneEvent([...concert, 'CLASS:PRIVATE'])
  assert.match(skipped?.[0]?.en ?? '', /private/)
})

test('only the newest version of an event is read; two different events with the same UID are both read', async () => {
  const versions = listEvents(
    await readIcal(
      buildIcal([
        [...concert, 'SEQUENCE:1'],
        [...concert.map(line => line.replace(':Concert', ':Moved')), 'SEQUENCE:2']
      ])
    )
  )
  assert.deepEqual(
    versions.map(({ texts, skipped }) => [texts.en?.title, skipped === undefined]),
    [
      ['Moved', true],
      ['Concert', false]
    ]
  )
  const two = await readIcal(buildIcal([concert, buildConcertAt('DTSTART:20270402T170000Z')]))
  assert.deepEqual(listStarts(two), ['2027-04-01 19:00:00', '2027-04-02 19:00:00'])
})

test('a short UID identifies an event only within its calendar', async () => {
  const short = buildIcal([['UID:17', ...concert.slice(1)]])
  const [fromFirst] = listEvents(await readIcal(short, { url: null, fileName: 'a.ics' }))
  const [fromFirstAgain] = listEvents(await readIcal(short, { fileName: 'a.ics' }))
  const [fromOther] = listEvents(await readIcal(short, { fileName: 'b.ics' }))
  assert.equal(fromFirst?.sourceId, fromFirstAgain?.sourceId)
  assert.notEqual(fromFirst?.sourceId, fromOther?.sourceId)
})

test('a file of 20,000 events is read', { skip: skipUnlessFull }, async () => {
  const many = Array.from({ length: 20_000 }, (_, number) => [
    `UID:event-number-${number}@example.org`,
    `SUMMARY:Event ${number}`,
    'DTSTART:20270401T170000Z',
    `LOCATION:Hall ${number % 100}`,
    'CATEGORIES:Music'
  ])
  const all = await readIcal(buildIcal(many))
  assert.equal(listEvents(all).length, 20_000)
  assert.equal(all.length, 20_000 + 100 + 1)
})
