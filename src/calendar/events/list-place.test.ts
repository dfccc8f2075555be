import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, anEvent, aVenue } = await startCalendar()
const path = `${calendar}/events`

async function listTitles(query: string, by: Client = visitor): Promise<string[]> {
  const { status, body, text } = await by.get(`${path}?per_page=50&${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.events.length)
  return body.events.map((one: { title: string }) => one.title)
}

const buildQuery = ([latitude, longitude]: readonly [number, number], kilometres?: number) =>
  `geoloc_lat=${latitude}&geoloc_lng=${longitude}${kilometres === undefined ? '' : `&geoloc_radius=${kilometres}`}`

const berlin = [52.52, 13.405] as const
const places = {
  Berlin: berlin,
  // 27 km, 255 km, 878 km from Berlin.
  Potsdam: [52.3906, 13.0645],
  Hamburg: [53.5511, 9.9937],
  Paris: [48.8566, 2.3522],
  Suva: [-18.1248, 178.4501],
  Taveuni: [-16.85, -179.97],
  Alert: [82.5018, -62.3481]
} as const

for (const [place, [title, [geo_lat, geo_lng]]] of Object.entries(places).entries()) {
  const { id } = await aVenue({ venue: title, geo_lat, geo_lng })
  // The event nearest to Berlin starts last.
  await anEvent({ title, venue: id, start_date: `2027-06-${29 - place}`, end_date: '2027-06-30' })
}
const somewhere = await aVenue({ venue: 'Somewhere' })
await anEvent({ title: 'nowhere' })
await anEvent({ title: 'somewhere', venue: somewhere.id })

test('events near a place are listed nearest first, within 40 km by default', async () => {
  assert.deepEqual(await listTitles(buildQuery(berlin)), ['Berlin', 'Potsdam'])
  assert.deepEqual(await listTitles(buildQuery(berlin, 20)), ['Berlin'])
  assert.deepEqual(await listTitles(buildQuery(berlin, 300)), ['Berlin', 'Potsdam', 'Hamburg'])
  assert.deepEqual(await listTitles(buildQuery(places.Paris, 1000)), ['Paris', 'Hamburg', 'Potsdam', 'Berlin'])
  assert.deepEqual(await listTitles(buildQuery(berlin, 0)), ['Berlin'])
  assert.deepEqual(await listTitles(buildQuery([0, 0], 100)), [])
  assert.equal((await listTitles(buildQuery(berlin, 20_100))).length, Object.keys(places).length)
})

test('distances are exact: Hamburg is not within 254 km of Berlin, but within 256 km', async () => {
  assert.deepEqual((await listTitles(buildQuery(berlin, 254))).includes('Hamburg'), false)
  assert.deepEqual((await listTitles(buildQuery(berlin, 256))).includes('Hamburg'), true)
  assert.deepEqual((await listTitles(buildQuery(berlin, 876))).includes('Paris'), false)
  assert.deepEqual((await listTitles(buildQuery(berlin, 880))).includes('Paris'), true)
})

test('a search across the date line or a pole finds events on the other side', async () => {
  assert.deepEqual(await listTitles(buildQuery([-16.8, 179.9], 30)), ['Taveuni'])
  assert.deepEqual(await listTitles(buildQuery([-17, 179.9], 300)), ['Taveuni', 'Suva'])
  assert.deepEqual(await listTitles(buildQuery([89.9, 117.6], 900)), ['Alert'])
  assert.deepEqual(await listTitles(buildQuery([90, 0], 900)), ['Alert'])
})

test('an event with several venues is listed once, by the nearest', async () => {
  const [one, two] = [await aVenue({ geo_lat: 10, geo_lng: 10 }), await aVenue({ geo_lat: 10, geo_lng: 10.2 })]
  await anEvent({ title: 'tour', venue: [one.id, two.id] })
  await anEvent({ title: 'between', venue: { venue: 'Between', geo_lat: 10, geo_lng: 10.1 } })
  assert.deepEqual(await listTitles(buildQuery([10, 10.2])), ['tour', 'between'])
  assert.deepEqual(await listTitles(buildQuery([10, 10.1])), ['between', 'tour'])
})

test('orderby and order change the order of events near a place', async () => {
  assert.deepEqual(await listTitles(`${buildQuery(berlin, 300)}&orderby=start_date`), ['Hamburg', 'Potsdam', 'Berlin'])
  assert.deepEqual(await listTitles(`${buildQuery(berlin, 300)}&orderby=title&order=desc`), [
    'Potsdam',
    'Hamburg',
    'Berlin'
  ])
  assert.deepEqual(await listTitles(`${buildQuery(berlin, 300)}&order=desc`), ['Hamburg', 'Potsdam', 'Berlin'])
})

test('a place can be combined with other filters, and links to pages keep it', async () => {
  assert.deepEqual(await listTitles(`${buildQuery(berlin, 300)}&search=hamburg`), ['Hamburg'])
  const { body } = await visitor.get(`${path}?${buildQuery(berlin, 300)}&per_page=1`)
  assert.equal(body.total, 3)
  const second = await visitor.get(body.next_rest_url.replace(/^http:\/\/[^/]+/, ''))
  assert.equal(second.body.events[0].title, 'Potsdam')
  const link = new URL(second.body.next_rest_url).searchParams
  assert.deepEqual(
    [link.get('geoloc_lat'), link.get('geoloc_lng'), link.get('geoloc_radius')],
    ['52.52', '13.405', '300']
  )
})

test('geoloc=true keeps events whose venue has coordinates, false those without', async () => {
  const located = await listTitles('geoloc=true')
  assert.ok(located.includes('Berlin') && located.includes('tour'))
  assert.ok(!located.includes('nowhere') && !located.includes('somewhere'))
  assert.deepEqual(await listTitles('geoloc=false'), ['nowhere', 'somewhere'])
})

test('the coordinates of a venue that the caller may not see do not affect filters by place', async () => {
  const draft = await aVenue({ venue: 'Bunker', status: 'draft', geo_lat: -45, geo_lng: -45 })
  const { id } = await anEvent({ title: 'secret place', venue: draft.id })
  assert.deepEqual(await listTitles(buildQuery([-45, -45])), [])
  assert.deepEqual(await listTitles(`geoloc=true&include=${id}`), [])
  assert.deepEqual(await listTitles(`geoloc=false&include=${id}`), ['secret place'])
  assert.deepEqual(await listTitles(buildQuery([-45, -45]), admin), ['secret place'])
  assert.deepEqual(await listTitles(`geoloc=true&include=${id}`, admin), ['secret place'])
})

test('incomplete and invalid coordinates are refused with the name of the parameter', async () => {
  for (const [query, name] of [
    ['geoloc_lat=52', 'geoloc_lng'],
    ['geoloc_lng=13', 'geoloc_lat'],
    ['geoloc_lat=52&geoloc_lng=', 'geoloc_lng'],
    ['geoloc_lat=', 'geoloc_lat'],
    ['geoloc_lat=91&geoloc_lng=0', 'geoloc_lat'],
    ['geoloc_lat=-90.1&geoloc_lng=0', 'geoloc_lat'],
    ['geoloc_lat=0&geoloc_lng=180.5', 'geoloc_lng'],
    ['geoloc_lat=x&geoloc_lng=0', 'geoloc_lat'],
    ['geoloc_lat=NaN&geoloc_lng=0', 'geoloc_lat'],
    ['geoloc_lat=0&geoloc_lng=0&geoloc_radius=-1', 'geoloc_radius'],
    ['geoloc_lat=0&geoloc_lng=0&geoloc_radius=x', 'geoloc_radius']
  ] as const) {
    const { status, body } = await visitor.get(`${path}?${query}`)
    assert.deepEqual([status, Object.keys(body.data?.params ?? {})], [400, [name]], query)
  }
})

test('a wider radius finds the same events first, and possibly more', async () => {
  const place = fc.tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 0, max: 10_000 }), async ([latitude, longitude], kilometres) => {
      const point = [Number(latitude.toFixed(4)), Number(longitude.toFixed(4))] as const
      const inner = await listTitles(buildQuery(point, kilometres))
      const outer = await listTitles(buildQuery(point, kilometres * 2))
      assert.deepEqual(outer.slice(0, inner.length), inner)
    }),
    { numRuns: countRuns(20) }
  )
})
