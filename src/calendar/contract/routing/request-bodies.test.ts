import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { calendar, event, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, anEvent, visitor, withRole } = await startCalendar()
const events = `${calendar}/events`
const required = ['title', 'start_date', 'end_date']

async function send(payload: string, type?: string, query = ''): Promise<TestResponse> {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  return await admin.send({ method: 'POST', url: events + query, headers, payload })
}

function assertMissing({ status, body, text }: TestResponse, names: string[], about: string): void {
  assert.equal(status, 400, `${about}: ${text}`)
  assert.deepEqual(
    body,
    {
      code: 'rest_missing_callback_param',
      message: `Missing parameter(s): ${names.join(', ')}`,
      data: { status: 400, params: names }
    },
    about
  )
}

test('a JSON body with another content type, or none, is treated as no parameters', async () => {
  const body = JSON.stringify(event)
  for (const type of [undefined, 'text/plain', 'application/xml', 'image/png', 'application/octet-stream']) {
    assertMissing(await send(body, type), required, String(type))
  }
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal((await send(body, type)).status, 201, type)
  }
})

test('a scalar, a list, null and an empty body are treated as no parameters', async () => {
  for (const body of ['null', '7', '"title"', 'true', '[]', '[{"title":"No"}]', '{}', '']) {
    assertMissing(await send(body, 'application/json'), required, body)
  }
  assertMissing(await admin.send({ method: 'POST', url: events }), required, 'no body')
  const query = new URLSearchParams(event)
  assert.equal((await send('[]', 'application/json', `?${query}`)).status, 201, 'the query still counts')
})

test('on every write malformed JSON is 400 rest_invalid_json, and 401 for a visitor', async () => {
  const { id } = await anEvent()
  const broken = { headers: { 'content-type': 'application/json' }, payload: '{"title": "x"' }
  for (const [method, url] of [
    ['POST', events],
    ['POST', `${events}/${id}`],
    ['PUT', `${events}/${id}`],
    ['PATCH', `${calendar}/venues/1`],
    ['POST', `${calendar}/tags`]
  ] as const) {
    const refused = await admin.send({ method, url, ...broken })
    assert.deepEqual(
      [refused.status, refused.body],
      [
        400,
        {
          code: 'rest_invalid_json',
          message: 'Invalid JSON body passed.',
          data: { status: 400, json_error_code: 4, json_error_message: 'Syntax error' }
        }
      ]
    )
    const stranger = await visitor.send({ method, url, ...broken })
    assert.deepEqual([stranger.status, stranger.body.code], [401, 'rest_forbidden'], `${method} ${url}`)
  }
})

test('creating an event is 401 for a visitor and 403 for a viewer, with a valid or an invalid body', async () => {
  const viewer = await withRole('viewer')
  for (const body of [{}, { title: '' }, event]) {
    const stranger = await visitor.post(events, body)
    assert.deepEqual(stranger.body.data, { status: 401 })
    assert.equal(stranger.body.code, 'rest_forbidden')
    const reader = await viewer.post(events, body)
    assert.deepEqual([reader.status, reader.body.code, reader.body.data], [403, 'rest_forbidden', { status: 403 }])
  }
})

test('missing parameters are reported first, without the invalid ones; null counts as missing', async () => {
  assertMissing(await admin.post(events, { title: 'x', all_day: 'perhaps', status: 'bogus' }), required.slice(1), 'two')
  assertMissing(await admin.post(events, { ...event, title: null }), ['title'], 'null')
  assertMissing(await admin.post(`${calendar}/venues`, { city: 'Kiel', website: 7 }), ['venue'], 'venue')
})

test('all invalid parameters are reported in one response, in the order of the definition', async () => {
  const { status, body } = await admin.post(events, {
    ...event,
    sticky: 'perhaps',
    start_date: 'blub',
    status: 'bogus',
    timezone: 'Foo/Bar'
  })
  assert.deepEqual([status, body.code, body.data.status], [400, 'rest_invalid_param', 400])
  assert.equal(body.message, 'Invalid parameter(s): start_date, timezone, status, sticky')
  assert.deepEqual(Object.keys(body.data.params), ['start_date', 'timezone', 'status', 'sticky'])
  for (const [name, text] of Object.entries(body.data.params)) {
    assert.match(String(text), /\S/)
    assert.deepEqual(body.data.details[name].data, { param: name })
    assert.equal(body.data.details[name].message, text)
  }
})

test('error messages are in the language of the request, error codes are the same in every language', async () => {
  const german = { 'accept-language': 'de' }
  const missing = await admin.post(events, {}, german)
  assert.equal(missing.body.message, 'Fehlende Parameter: title, start_date, end_date')
  assert.equal(missing.body.code, 'rest_missing_callback_param')
  const invalid = await visitor.get(`${events}?page=0&per_page=x`, german)
  assert.equal(invalid.body.message, 'Ungültige Parameter: page, per_page')
  assert.equal(invalid.headers['content-language'], 'de')
})

test('unknown parameters are ignored, and a response sent back as a request changes nothing else', async () => {
  const created = await anEvent({ title: 'Round trip' })
  const { venue: _none, ...read } = (await admin.get(`${events}/${created.id}`)).body
  const again = await admin.put(`${events}/${created.id}`, { ...read, title: 'Round trip 2', bogus: { deep: [1] } })
  assert.equal(again.status, 200, again.text)
  assert.equal(again.body.title, 'Round trip 2')
  for (const name of ['start_date', 'utc_end_date', 'url', 'rest_url', 'global_id', 'slug', 'date', 'timezone']) {
    assert.equal(again.body[name], read[name], name)
  }
})

test('parameters in a JSON, form or multipart body override those in the query', async () => {
  const query = `?${new URLSearchParams({ ...event, title: 'Of the query', excerpt: 'Of the query' })}`
  const json = await send(JSON.stringify({ title: 'Of the body' }), 'application/json', query)
  assert.deepEqual([json.status, json.body.title], [201, 'Of the body'])
  assert.match(json.body.excerpt, /Of the query/)

  const form = await send('title=Of+the+form', 'application/x-www-form-urlencoded', query)
  assert.deepEqual([form.status, form.body.title], [201, 'Of the form'])
  const boundary = '----fence'
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nOf the part\r\n--${boundary}--\r\n`
  const multipart = await send(part, `multipart/form-data; boundary=${boundary}`, query)
  assert.deepEqual([multipart.status, multipart.body.title], [201, 'Of the part'])
})

test('the path selects the event: id and slug in the body or query never select another one', async () => {
  const [one, other] = [await anEvent({ title: 'One' }), await anEvent({ title: 'Other' })]
  const at = `${events}/${one.id}`
  assert.equal((await visitor.get(`${at}?id=${other.id}`)).body.id, one.id)
  assert.equal((await visitor.get(`${events}/by-slug/${one.slug}?slug=${other.slug}`)).body.id, one.id)
  assert.equal((await admin.post(`${at}?id=${other.id}`, { id: other.id, excerpt: 'Mine' })).body.id, one.id)
  assert.equal((await admin.get(`${events}/${other.id}`)).body.excerpt, '')

  const renamed = await admin.post(`${events}/by-slug/${one.slug}`, { slug: 'renamed-one' })
  assert.deepEqual([renamed.body.id, renamed.body.slug], [one.id, 'renamed-one'])
  const gone = await admin.send({
    method: 'DELETE',
    url: `${at}?id=${other.id}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ id: other.id })
  })
  assert.equal(gone.body.id, one.id)
  assert.equal((await visitor.get(`${events}/${other.id}`)).status, 200)
})

test('lists and maps in bracket notation mean the same in a form and in a query as in JSON', async () => {
  const inJson = { ...event, organizer: [{ organizer: 'Ann' }, { organizer: 'Bob' }], categories: ['Fair'] }
  const brackets = {
    ...event,
    'organizer[0][organizer]': 'Ann',
    'organizer[1][organizer]': 'Bob',
    'categories[]': 'Fair'
  }
  const text = new URLSearchParams(brackets).toString()
  const answers = [
    await send(JSON.stringify(inJson), 'application/json'),
    await send(text, 'application/x-www-form-urlencoded'),
    await admin.send({ method: 'POST', url: `${events}?${text}` })
  ]
  for (const { status, body, text: answer } of answers) {
    assert.equal(status, 201, answer)
    assert.deepEqual(
      body.organizer.map((one: { organizer: string }) => one.organizer),
      ['Ann', 'Bob']
    )
    assert.equal(body.categories[0].name, 'Fair')
  }
})

test('an unsupported language is refused in the query and in the body', async () => {
  for (const answer of [
    await visitor.get(`${events}?language=fr`),
    await visitor.get(`${calendar}/doc?language=fr`),
    await admin.post(`${events}?language=fr`, event),
    await admin.post(events, { ...event, language: 'fr' })
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_param'])
    assert.deepEqual(Object.keys(answer.body.data.params), ['language'])
  }
})

test('no request body causes a server error', async () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/x']
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...types), fc.oneof(fc.json(), fc.string()), async (type, payload) => {
      const { status, body } = await send(payload, type)
      assert.equal(status, 400, payload)
      assert.match(body.code, /^(rest_\w+|malformed-form)$/)
    }),
    { numRuns: countRuns(60) }
  )
})
