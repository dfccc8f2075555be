import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, aVenue, withRole } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const venues = `${calendar}/venues`

test('a venue needs only a name, and responses leave out empty fields', async () => {
  const created = await admin.post(venues, { venue: 'Town Hall' })
  assert.equal(created.status, 201)
  const { id, date, date_utc, modified, modified_utc, ...rest } = created.body
  assert.equal(created.headers.location, `http://localhost:80${venues}/${id}`)
  assert.match(date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.equal(Date.parse(`${date}Z`) - Date.parse(`${date_utc}Z`) >= 3_600_000, true)
  assert.equal(modified, date)
  assert.equal(modified_utc, date_utc)
  assert.deepEqual(rest, {
    author: '1',
    status: 'publish',
    url: 'http://localhost:80/venue/town-hall/',
    venue: 'Town Hall',
    slug: 'town-hall',
    show_map: true,
    show_map_link: true,
    global_id: `localhost?id=${id}`,
    global_id_lineage: [`localhost?id=${id}`],
    language: 'en',
    translations: ['en']
  })

  const read = await visitor.get(`${venues}/${id}`)
  assert.equal(read.status, 200)
  const { json_ld, ...item } = read.body
  assert.deepEqual(item, created.body)
  assert.deepEqual(json_ld, {
    '@type': 'Place',
    name: 'Town Hall',
    description: '',
    url: '',
    address: { '@type': 'PostalAddress' },
    telephone: '',
    sameAs: ''
  })
})

const everything = {
  venue: 'Rathaus & Café',
  description: 'First line\n\nSecond <strong>line</strong>',
  address: 'Platz 1',
  city: 'Bonn',
  country: 'Germany',
  province: 'NRW',
  state: 'Rhein',
  zip: '53111',
  phone: '+49 228 1',
  stateprovince: 'Rheinland',
  website: 'https://bonn.example/?a=1&b=2',
  show_map: false,
  show_map_link: 'no',
  geo_lat: '50.7353',
  geo_lng: 7.1,
  status: 'publish',
  date: '2026-01-02 03:04:05'
}

test('every field of the specification is stored and returned, from JSON and from a form', async () => {
  const created = await admin.post(venues, everything)
  const form = await admin.send({
    method: 'POST',
    url: venues,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(everything as unknown as Record<string, string>).toString()
  })
  for (const answer of [created, form]) {
    assert.equal(answer.status, 201, answer.text)
    const { description, show_map, show_map_link, geo_lat, geo_lng, date, date_utc, ...rest } = answer.body
    assert.equal(description, '<p>First line</p>\n<p>Second <strong>line</strong></p>')
    assert.deepEqual([show_map, show_map_link], [false, false])
    assert.deepEqual([geo_lat, geo_lng], [50.7353, 7.1])
    assert.deepEqual([date, date_utc], ['2026-01-02 03:04:05', '2026-01-02 02:04:05'])
    for (const name of [
      'venue',
      'address',
      'city',
      'country',
      'province',
      'state',
      'zip',
      'phone',
      'stateprovince',
      'website'
    ] as const) {
      assert.equal(rest[name], everything[name], name)
    }
  }
  assert.deepEqual([created.body.slug, form.body.slug], ['rathaus-cafe', 'rathaus-cafe-2'])

  const { json_ld } = (await visitor.get(`${venues}/${created.body.id}`)).body
  assert.deepEqual(json_ld.address, {
    '@type': 'PostalAddress',
    streetAddress: 'Platz 1',
    addressLocality: 'Bonn',
    addressRegion: 'Rheinland',
    postalCode: '53111',
    addressCountry: 'Germany'
  })
  assert.equal(json_ld.description, 'First line\n\nSecond line')
  assert.deepEqual(json_ld.geo, { '@type': 'GeoCoordinates', latitude: 50.7353, longitude: 7.1 })
})

test('POST, PUT and PATCH change only the fields of the request', async () => {
  const { id } = await aVenue(everything)
  const before = (await visitor.get(`${venues}/${id}`)).body
  for (const [method, phone] of [
    ['POST', '1'],
    ['PUT', '2'],
    ['PATCH', '3']
  ] as const) {
    const path = `${venues}/${id}`
    const answer = await admin.send({
      method,
      url: path,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ phone })
    })
    assert.equal(answer.status, 200)
    const { modified, modified_utc, json_ld, ...rest } = (await visitor.get(path)).body
    const { modified: _, modified_utc: __, json_ld: ___, ...kept } = before
    assert.deepEqual(rest, { ...kept, phone })
    assert.ok(modified_utc >= before.modified_utc)
    assert.equal(json_ld.telephone, phone)
    assert.equal(modified.length, 19)
  }
})

test('null and an empty text clear a field; the name and the author cannot be cleared', async () => {
  const { id, slug } = await aVenue({ ...everything, venue: 'To be emptied' })
  const names = ['description', 'address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website']
  const cleared = await admin.patch(`${venues}/${id}`, {
    ...Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? null : ''])),
    stateprovince: '',
    image: null,
    geo_lat: null,
    geo_lng: '',
    show_map: null,
    show_map_link: null
  })
  assert.equal(cleared.status, 200, cleared.text)
  for (const name of [...names, 'stateprovince', 'geo_lat', 'geo_lng', 'image']) {
    assert.equal(name in cleared.body, false, name)
  }
  assert.deepEqual([cleared.body.show_map, cleared.body.show_map_link], [true, true])
  assert.equal(cleared.body.slug, slug)

  for (const body of [{ venue: '' }, { venue: null }, { venue: '<b></b>' }, { author: '' }]) {
    const refused = await admin.patch(`${venues}/${id}`, body)
    assert.equal(refused.status, 400)
    assert.deepEqual(Object.keys(refused.body.data.params), Object.keys(body))
  }
})

const regions: [title: string, fields: object, expected: string | undefined][] = [
  ['the state without a country', { state: 'Ohio', province: 'P' }, 'Ohio'],
  ['the state in the US', { country: 'US', state: 'Ohio', province: 'P' }, 'Ohio'],
  ['the state in the United States', { country: 'United States', state: 'Ohio' }, 'Ohio'],
  ['the province in other countries', { country: 'Canada', state: 'S', province: 'Quebec' }, 'Quebec'],
  ['empty in other countries without a province', { country: 'Germany', state: 'Bayern' }, undefined],
  ['the value of the request', { state: 'Ohio', stateprovince: 'Mine' }, 'Mine'],
  ['empty if the request has an empty one', { state: 'Ohio', stateprovince: '' }, undefined]
]
for (const [title, fields, expected] of regions) {
  test(`stateprovince is ${title}`, async () => {
    assert.equal((await aVenue(fields)).stateprovince, expected)
  })
}

test('stateprovince changes with state and province, and other updates keep it', async () => {
  const { id } = await aVenue({ state: 'Ohio' })
  const patchAndGetRegion = async (fields: object) => (await admin.patch(`${venues}/${id}`, fields)).body.stateprovince
  assert.equal(await patchAndGetRegion({ city: 'Dayton' }), 'Ohio')
  assert.equal(await patchAndGetRegion({ state: 'Iowa' }), 'Iowa')
  assert.equal(await patchAndGetRegion({ state: '' }), undefined)
  assert.equal(await patchAndGetRegion({ stateprovince: 'Written' }), 'Written')
  assert.equal(await patchAndGetRegion({ country: 'Germany' }), 'Written')
  assert.equal(await patchAndGetRegion({ province: 'NRW' }), 'NRW')
})

const maps: [input: unknown, shown: boolean][] = [
  [true, true],
  ['true', true],
  ['1', true],
  [1, true],
  ['yes', true],
  ['Enabled', true],
  [false, false],
  ['false', false],
  ['0', false],
  ['no', false],
  [null, true]
]
test('show_map and show_map_link accept words and JSON booleans', async () => {
  for (const [input, shown] of maps) {
    const { show_map, show_map_link } = await aVenue({ show_map: input, show_map_link: input })
    assert.deepEqual([show_map, show_map_link], [shown, shown], JSON.stringify(input))
  }
})

test('coordinates must be in pairs and within bounds', async () => {
  for (const [fields, parameter] of [
    [{ geo_lat: 50 }, 'geo_lng'],
    [{ geo_lng: 7 }, 'geo_lat'],
    [{ geo_lat: 50, geo_lng: null }, 'geo_lng'],
    [{ geo_lat: 90.1, geo_lng: 0 }, 'geo_lat'],
    [{ geo_lat: 0, geo_lng: -180.5 }, 'geo_lng'],
    [{ geo_lat: 'north', geo_lng: 0 }, 'geo_lat'],
    [{ geo_lat: true, geo_lng: 0 }, 'geo_lat']
  ] as const) {
    const refused = await admin.post(venues, { venue: 'Nowhere', ...fields })
    assert.equal(refused.status, 400, JSON.stringify(fields))
    assert.deepEqual(Object.keys(refused.body.data.params), [parameter])
  }

  const { id, geo_lat, geo_lng } = await aVenue({ geo_lat: 0, geo_lng: -180 })
  assert.deepEqual([geo_lat, geo_lng], [0, -180])
  assert.equal((await admin.patch(`${venues}/${id}`, { geo_lng: 5 })).body.geo_lng, 5)
  assert.equal((await admin.patch(`${venues}/${id}`, { geo_lat: null })).status, 400)
  assert.equal((await visitor.get(`${venues}/${id}`)).body.geo_lat, 0)
})

test('names and addresses are plain text, the description is sanitized HTML, and backslashes are kept', async () => {
  const created = await aVenue({
    venue: '  <b>Bar</b> &amp; "Grill" \\o/ ',
    address: '<script>alert(1)</script>Street <i>5</i>',
    description: '<p onclick="x()">Hi<script>alert(1)</script> \\n</p>'
  })
  assert.equal(created.venue, 'Bar & "Grill" \\o/')
  assert.equal(created.address, 'Street 5')
  assert.equal(created.description, '<p>Hi \\n</p>')
})

test('all invalid fields are reported at once, and missing ones first', async () => {
  const wrong = { venue: 'X', website: 'bonn.example', status: 'open', date: 'never', image: 'picture', geo_lat: 91 }
  const refused = await admin.post(venues, wrong)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.code, 'rest_invalid_param')
  assert.deepEqual(Object.keys(refused.body.data.params).sort(), ['date', 'geo_lat', 'image', 'status', 'website'])

  const missing = await admin.post(venues, { ...wrong, venue: undefined })
  assert.equal(missing.body.code, 'rest_missing_callback_param')
  assert.deepEqual(missing.body.data.params, ['venue'])
  const empty = await admin.post(venues, { venue: '' })
  assert.deepEqual([empty.status, empty.body.code], [400, 'rest_invalid_param'])
})

test('an unknown image and an unknown author are refused, and a contributor cannot set an image by URL', async () => {
  const refused = await admin.post(venues, { venue: 'With image', image: 999_999 })
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['image']])
  const unknownAuthor = await admin.post(venues, { venue: 'With author', author: 999_999 })
  assert.deepEqual([unknownAuthor.status, Object.keys(unknownAuthor.body.data.params)], [400, ['author']])

  const contributor = await withRole('contributor')
  const fetched = await contributor.post(venues, { venue: 'With image', image: 'https://example.org/a.png' })
  assert.equal(fetched.status, 403)
})
