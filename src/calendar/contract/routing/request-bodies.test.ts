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

function isMissing({ status, body, text }: TestResponse, names: string[], about: string): void {
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

test('JSON under another type, or none, counts as no parameters', async () => {
  const body = JSON.stringify(event)
  for (const type of [undefined, 'text/plain', 'application/xml', 'image/png', 'application/octet-stream']) {
    isMissing(await send(body, type), required, String(type))
  }
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal((await send(body, type)).status, 201, type)
  }
})

test('a scalar, a list, null and nothing at all are no parameters either', async () => {
  for (const body of ['null', '7', '"title"', 'true', '[]', '[{"title":"No"}]', '{}', '']) {
    isMissing(await send(body, 'application/json'), required, body)
  }
  isMissing(await admin.send({ method: 'POST', url: events }), required, 'no body')
  const query = new URLSearchParams(event)
  assert.equal((await send('[]', 'application/json', `?${query}`)).status, 201, 'the query still counts')
})

test('malformed JSON is 400 rest_invalid_json, and 401 for a stranger, on every write', async () => {
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

test('a stranger hears 401 and a reader 403, whatever the body lacks', async () => {
  const viewer = await withRole('viewer')
  for (const body of [{}, { title: '' }, event]) {
    const stranger = await visitor.post(events, body)
    assert.deepEqual(stranger.body.data, { status: 401 })
    assert.equal(stranger.body.code, 'rest_forbidden')
    const reader = await viewer.post(events, body)
    assert.deepEqual([reader.status, reader.body.code, reader.body.data], [403, 'rest_forbidden', { status: 403 }])
  }
})

test('what is missing is told before what is wrong, and alone; null is missing', async () => {
  isMissing(await admin.post(events, { title: 'x', all_day: 'perhaps', status: 'bogus' }), required.slice(1), 'two')
  isMissing(await admin.post(events, { ...event, title: null }), ['title'], 'null')
  isMissing(await admin.post(`${calendar}/venues`, { city: 'Kiel', website: 7 }), ['venue'], 'venue')
})

test('all that is wrong is told together, in the order of the parameters', async () => {
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

test('refusals speak the language of the request, codes do not', async () => {
  const german = { 'accept-language': 'de' }
  const missing = await admin.post(events, {}, german)
  assert.equal(missing.body.message, 'Fehlende Parameter: title, start_date, end_date')
  assert.equal(missing.body.code, 'rest_missing_callback_param')
  const invalid = await visitor.get(`${events}?page=0&per_page=x`, german)
  assert.equal(invalid.body.message, 'Ungültige Parameter: page, per_page')
  assert.equal(invalid.headers['content-language'], 'de')
})

test('unknown parameters and what a client read and sends back are ignored', async () => {
  const made = await anEvent({ title: 'Round trip' })
  const { venue: _none, ...read } = (await admin.get(`${events}/${made.id}`)).body
  const again = await admin.put(`${events}/${made.id}`, { ...read, title: 'Round trip 2', bogus: { deep: [1] } })
  assert.equal(again.status, 200, again.text)
  assert.equal(again.body.title, 'Round trip 2')
  for (const name of ['start_date', 'utc_end_date', 'url', 'rest_url', 'global_id', 'slug', 'date', 'timezone']) {
    assert.equal(again.body[name], read[name], name)
  }
})

test('the body wins over the query, whatever kind of body it is', async () => {
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

test('the path names the thing: id and slug in body or query never lead elsewhere', async () => {
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

test('lists and maps in brackets mean the same in a form, in a query and in JSON', async () => {
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

test('a language that we do not speak is refused, wherever it stands', async () => {
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

test('no body whatsoever makes the service fail', async () => {
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
