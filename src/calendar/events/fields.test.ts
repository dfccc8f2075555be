import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, store, anEvent, withRole } = await startCalendar()
const author = await withRole('author')
const events = `${calendar}/events`
const { id: imageId, url: imageUrl } = await anImage()
const parent = await anEvent({ title: 'Festival' })
const editorsId = Number((await anEvent({}, await withRole('editor'))).author)

/** Uploads a picture of one pixel. */
async function anImage(): Promise<{ id: number; url: string }> {
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const created = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    headers: { 'content-type': 'image/png' },
    payload: Buffer.from(bytes, 'base64')
  })
  assert.equal(created.status, 201, created.text)
  return created.body
}

interface Field {
  /** Values of requests, and the value in the response. */
  sent: [unknown, unknown][]
  /** Values that clear the field, and the value in the response. */
  cleared: [unknown[], unknown]
  wrong: unknown[]
}

const texts = { cleared: [[null, ''], ''] as [unknown[], unknown], wrong: [{}, [], ['a'], true] }
const booleans: Field = {
  sent: [
    [true, true],
    ['1', true],
    [1, true],
    ['TRUE', true],
    ['0', false],
    [false, false]
  ],
  cleared: [[null, '', false], false],
  wrong: ['yes', 'on', 2, {}, [true], 'maybe']
}

const fields: Record<string, Field> = {
  title: {
    sent: [
      ['Blues & <b>more</b>', 'Blues & more'],
      ['  two   blanks ', 'two blanks'],
      ['Straße “x” 日本 🎉', 'Straße “x” 日本 🎉'],
      ['2027', '2027']
    ],
    cleared: [[], ''],
    wrong: ['', '0', '  ', null, {}, [], true, '<b></b>', '&nbsp;', 'x'.repeat(501)]
  },
  description: {
    ...texts,
    sent: [['Two\n\nparagraphs', '<p>Two</p>\n<p>paragraphs</p>']],
    wrong: [...texts.wrong, 'x'.repeat(400_001)]
  },
  excerpt: {
    ...texts,
    sent: [['<em>Short</em>', '<p><em>Short</em></p>']],
    wrong: [...texts.wrong, 'x'.repeat(20_001)]
  },
  slug: {
    sent: [
      ['My Own Slug', 'my-own-slug'],
      ['Über_uns.html', 'uber_uns-html']
    ],
    cleared: [[], ''],
    wrong: [{}, ['a'], true, 'x'.repeat(401)]
  },
  status: {
    sent: ['private', 'pending', 'draft', 'publish'].map(status => [status, status]),
    cleared: [[], ''],
    wrong: ['', 'any', 'published', 'Publish', 1, {}, ['draft']]
  },
  author: {
    sent: [[editorsId, String(editorsId)]],
    cleared: [[], ''],
    wrong: ['', 0, -1, 2.5, 'ann', {}, 987_654]
  },
  timezone: {
    sent: [
      ['Europe/Berlin', 'Europe/Berlin'],
      ['europe/berlin', 'Europe/Berlin'],
      ['UTC+3', 'UTC+3'],
      ['UTC-5.5', 'UTC-5.5']
    ],
    cleared: [[null, ''], 'UTC'],
    wrong: ['Foo/Bar', 'utc+2', 2, {}, true]
  },
  image: {
    sent: [],
    cleared: [[null, '', 0, '0', false], false],
    wrong: ['poster.png', 'ftp://example.org/a.png', 987_654, '987654', -1, 2.5, {}, true, [imageId]]
  },
  cost: {
    sent: [
      [20, '€20'],
      ['20 $', '20$'],
      [['10', '5', '20'], '€5 – €20'],
      ['0', 'Free'],
      [0, 'Free'],
      ['Donation', 'Donation'],
      ['1,000.50', '€1,000.50'],
      ['10, 20', '€10 – €20']
    ],
    cleared: [[null, '', []], ''],
    wrong: [-5, '-5', {}, [[1]], [{}], 'x'.repeat(300)]
  },
  website: {
    sent: [
      ['https://example.org/a?b=c&d=e', 'https://example.org/a?b=c&d=e'],
      ['https://example.org/%22?q="a|b"', 'https://example.org/%22?q=%22a%7Cb%22'],
      ['mailto:ann@example.org', 'mailto:ann@example.org']
    ],
    cleared: [[null, ''], ''],
    wrong: ['example.org', '//example.org', 'javascript:alert(1)', 'https://bücher.example', 'https://', 5, {}, true]
  },
  all_day: booleans,
  show_map: booleans,
  show_map_link: booleans,
  hide_from_listings: booleans,
  sticky: booleans,
  featured: booleans,
  ticketed: booleans,
  event_status: {
    sent: ['canceled', 'postponed', 'scheduled'].map(status => [status, status]),
    cleared: [[], ''],
    wrong: ['cancelled', null, '', 1]
  },
  post_parent: {
    sent: [[parent.id, parent.id]],
    cleared: [[null, '', 0, '0'], 0],
    wrong: [987_654, -1, 'x', {}, 2.5]
  }
}

for (const [name, { sent, cleared, wrong }] of Object.entries(fields)) {
  test(`${name} can be set on create and on update, and cleared with an empty value`, async () => {
    for (const [value, expected] of sent) {
      const created = await anEvent({ [name]: value })
      assert.deepEqual(created[name], expected, `created with ${JSON.stringify(value)}`)
      await admin.delete(`${events}/${created.id}?force=true`)

      const path = `${events}/${(await anEvent()).id}`
      const changed = await admin.patch(path, { [name]: value })
      assert.equal(changed.status, 200, changed.text)
      const read = await admin.get(path)
      assert.deepEqual([changed.body[name], read.body[name]], [expected, expected], JSON.stringify(value))
      await admin.delete(`${path}?force=true`)
    }
    for (const emptyValue of cleared[0]) {
      const filled = await anEvent(sent[0] === undefined ? {} : { [name]: sent[0][0] })
      const emptied = await admin.patch(`${events}/${filled.id}`, { [name]: emptyValue })
      assert.equal(emptied.status, 200, emptied.text)
      assert.deepEqual(emptied.body[name], cleared[1], `cleared with ${JSON.stringify(emptyValue)}`)
    }
  })

  test(`an invalid ${name} is refused with the name of the field and changes nothing`, async () => {
    const path = `${events}/${(await anEvent()).id}`
    const before = await readCalendarState(store)
    for (const value of wrong) {
      const shownValue = JSON.stringify(value).slice(0, 50)
      const update = await admin.patch(path, { description: 'changed', [name]: value })
      const create = await admin.post(events, { ...event, tags: ['made for nothing'], [name]: value })
      for (const { status, body, text } of [update, create]) {
        assert.equal(status, 400, `${shownValue}: ${text}`)
        const isMissing = body.code === 'rest_missing_callback_param'
        assert.deepEqual(isMissing ? body.data.params : Object.keys(body.data.params), [name], shownValue)
      }
    }
    assert.deepEqual(await readCalendarState(store), before)
  })
}

test('null as author or status of an event, venue or organizer counts as missing and changes nothing', async () => {
  const emptyValue = { author: null, status: null }
  for (const [path, fields] of [
    [events, event],
    [`${calendar}/venues`, { venue: 'A hall' }],
    [`${calendar}/organizers`, { organizer: 'A club' }]
  ] as const) {
    const created = await admin.post(path, { ...fields, ...emptyValue })
    const withoutNull = await admin.post(path, fields)
    assert.equal(created.status, 201, created.text)
    const pick = ({ body: { author, status } }: typeof created) => ({ author, status })
    assert.deepEqual(pick(created), pick(withoutNull))
    const updated = await admin.patch(`${path}/${created.body.id}`, emptyValue)
    assert.equal(updated.status, 200, updated.text)
    assert.deepEqual(pick(updated), pick(withoutNull))
  }
})

test('an image is selected by its id, by its URL, or by the object of a response', async () => {
  for (const image of [imageId, String(imageId), imageUrl, { id: imageId }]) {
    const created = await anEvent({ image })
    assert.equal(created.image.id, imageId)
    assert.equal(created.image.url, imageUrl)
    assert.deepEqual([created.image.width, created.image.height, created.image.extension], [1, 1, 'png'])
    const without = await admin.patch(`${events}/${created.id}`, { image: '' })
    assert.equal(without.body.image, false)
  }
})

test('all missing fields are reported at once, before invalid ones', async () => {
  const before = await readCalendarState(store)
  const refused = await admin.post(events, { description: {}, featured: 'perhaps' })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.code, 'rest_missing_callback_param')
  assert.deepEqual(refused.body.data, { status: 400, params: ['title', 'start_date', 'end_date'] })
  const wrong = await admin.post(events, { ...event, timezone: 'Mars', featured: 'perhaps' })
  assert.equal(wrong.body.code, 'rest_invalid_param')
  assert.deepEqual(Object.keys(wrong.body.data.params), ['timezone', 'featured'])
  assert.deepEqual(await readCalendarState(store), before)
})

test('an author cannot change the author of an event, an admin can', async () => {
  const own = await anEvent({}, author)
  const before = await readCalendarState(store)
  assert.equal((await author.patch(`${events}/${own.id}`, { author: editorsId })).status, 403)
  assert.equal((await author.post(events, { ...event, author: editorsId })).status, 403)
  assert.deepEqual(await readCalendarState(store), before)
  assert.equal((await author.patch(`${events}/${own.id}`, { author: own.author })).status, 200)
  assert.equal((await admin.patch(`${events}/${own.id}`, { author: editorsId })).body.author, String(editorsId))
})

test('a form creates an event like JSON', async () => {
  const created = await admin.send({
    method: 'POST',
    url: events,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      ...event,
      title: 'Form',
      all_day: '1',
      image: String(imageId),
      'venue[venue]': 'Form hall',
      'organizer[0][organizer]': 'Form choir',
      'categories[]': 'Forms'
    }).toString()
  })
  assert.equal(created.status, 201, created.text)
  const { all_day, image, venue, organizer, categories } = created.body
  assert.deepEqual(
    [all_day, image.id, venue.venue, organizer[0].organizer, categories[0].name],
    [true, imageId, 'Form hall', 'Form choir', 'Forms']
  )
})
