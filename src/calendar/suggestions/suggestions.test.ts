import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const started = await startCalendar({
  env: { RATE_LIMIT: '0', RATE_LIMIT_SUGGESTIONS: '0', TIMEZONE: 'Europe/Berlin' }
})
const { admin, visitor, store, aVenue, aCategory, anEvent, withRole } = started
const editor = await withRole('editor')

const path = `${calendar}/suggestions`
let suggestionCount = 0
/** A valid suggestion; each has another sender. */
function newSuggestion(fields: object = {}) {
  suggestionCount += 1
  return {
    title: `Street party ${suggestionCount}`,
    start_date: '2031-06-01 14:00:00',
    end_date: '2031-06-01 18:00:00',
    sender_email: `sender-${suggestionCount}@example.org`,
    ...fields
  }
}

async function suggest(fields: object = {}): Promise<number> {
  const created = await visitor.post(path, newSuggestion(fields))
  assert.equal(created.status, 201, created.text)
  return Number(/\/suggestions\/(\d+)$/.exec(created.headers.location ?? '')?.[1])
}

const read = async (id: number) => (await editor.get(`${path}/${id}`)).body
const getRefusedFields = ({ status, body, text }: TestResponse) => {
  assert.equal(status, 400, text)
  return Array.isArray(body.data.params) ? body.data.params : Object.keys(body.data.params)
}

test('a suggestion is in the queue as a pending event with all fields of the request', async () => {
  const { id: venue } = await aVenue({ venue: 'Old Mill' })
  const { id: category } = await aCategory({ name: 'Parties' })
  const created = await visitor.post(
    `${path}?language=de`,
    newSuggestion({
      title: 'Straßenfest',
      description: '<p>Mit <b>Musik</b> und <a href="https://example.org">mehr</a></p>',
      ...{ venue, category, organizer: 'Nachbarschaft', website: 'https://example.org/fest', cost: '5 €' },
      sender_name: 'Ada Lovelace',
      sender_email: 'Ada@Example.org',
      message: 'Bitte bald!\r\nDanke'
    })
  )
  assert.deepEqual([created.status, created.body], [201, { state: 'open' }])
  const { body } = await editor.get(`${path}?language=de`)
  const found = body.suggestions.at(-1)
  assert.deepEqual(found.sender, { name: 'Ada Lovelace', email: 'ada@example.org', is_confirmed: false })
  assert.deepEqual(
    [found.state, found.message, found.language, found.decided_at, found.decided_by],
    ['open', 'Bitte bald!\nDanke', 'de', null, '']
  )
  const { event } = found
  assert.deepEqual(
    [event.title, event.status, event.start_date, event.timezone, event.venue.venue, event.categories[0].name],
    ['Straßenfest', 'pending', '2031-06-01 14:00:00', 'Europe/Berlin', 'Old Mill', 'Parties']
  )
  assert.deepEqual(
    [event.organizer[0].organizer, event.organizer[0].status, event.website, event.cost, event.language],
    ['Nachbarschaft', 'pending', 'https://example.org/fest', '5€', 'de']
  )
  assert.equal(
    event.description.trim(),
    '<p>Mit <b>Musik</b> und <a href="https://example.org" rel="noopener nofollow ugc">mehr</a></p>'
  )
})

test('an accepted suggestion is published with its venue, and accepting it again changes nothing', async () => {
  const id = await suggest({ title: 'Night market', venue_name: 'Harbour shed', venue_address: 'Quay 1' })
  const { event } = await read(id)
  assert.deepEqual([event.venue.venue, event.venue.address, event.venue.status], ['Harbour shed', 'Quay 1', 'pending'])
  assert.equal((await visitor.get(`${calendar}/venues/${event.venue.id}`)).status, 403)
  const accepted = await editor.post(`${path}/${id}/accept`)
  assert.deepEqual([accepted.status, accepted.body.state, accepted.body.event.status], [200, 'accepted', 'publish'])
  assert.match(accepted.body.decided_by, /the tests' editor/)
  const shown = await visitor.get(`${calendar}/events/${event.id}`)
  assert.deepEqual([shown.status, shown.body.title, shown.body.venue.venue], [200, 'Night market', 'Harbour shed'])
  const again = await editor.post(`${path}/${id}/accept`, { title: 'Other' })
  assert.deepEqual([again.status, again.body.event.title], [200, 'Night market'])
  assert.equal(again.body.decided_at, accepted.body.decided_at)
  const declined = await editor.post(`${path}/${id}/decline`)
  assert.deepEqual([declined.status, declined.body.code], [409, 'suggestion-is-accepted'])
})

test('accepting can change fields of the event; with invalid fields nothing is accepted', async () => {
  const id = await suggest({ title: 'TYPO' })
  const wrong = await editor.post(`${path}/${id}/accept`, { end_date: '2031-05-01' })
  assert.deepEqual(getRefusedFields(wrong), ['end_date'])
  assert.equal((await read(id)).state, 'open')
  const { body } = await editor.post(`${path}/${id}/accept`, { title: 'Typo', featured: true })
  assert.deepEqual([body.state, body.event.title, body.event.featured], ['accepted', 'Typo', true])
})

test('a declined suggestion and its venue are in the trash with reason and message, and it cannot be accepted later', async () => {
  const id = await suggest({ venue_name: 'Nowhere hall' })
  const { event } = await read(id)
  const { body, status } = await editor.post(`${path}/${id}/decline`, { reason: 'advertising', message: 'Sorry' })
  assert.deepEqual(
    [status, body.state, body.reason, body.answer, body.event.status],
    [200, 'declined', 'advertising', 'Sorry', 'trash']
  )
  assert.equal((await editor.get(`${calendar}/venues/${event.venue.id}`)).status, 404)
  const again = await editor.post(`${path}/${id}/decline`, { message: 'Other' })
  assert.deepEqual([again.status, again.body.answer], [200, 'Sorry'])
  const late = await editor.post(`${path}/${id}/accept`)
  assert.deepEqual([late.status, late.body.code], [409, 'suggestion-is-declined'])
  assert.equal((await visitor.get(`${calendar}/events/${event.id}`)).status, 404)
})

test('publishing or trashing the event itself decides the suggestion, and restoring the event reopens it', async () => {
  const [published, trashed, deleted, scheduled] = await Promise.all([suggest(), suggest(), suggest(), suggest()])
  const events = await Promise.all([published, trashed, deleted, scheduled].map(async id => (await read(id)).event.id))
  assert.equal((await editor.patch(`${calendar}/events/${events[0]}`, { title: 'Draft', status: 'draft' })).status, 200)
  assert.equal((await read(published)).state, 'open')
  await editor.patch(`${calendar}/events/${events[0]}`, { status: 'publish' })
  await editor.delete(`${calendar}/events/${events[1]}`)
  await editor.delete(`${calendar}/events/${events[2]}?force=true`)
  await editor.patch(`${calendar}/events/${events[3]}`, { status: 'publish', date: '2030-01-01' })
  const states = await Promise.all([published, trashed, deleted, scheduled].map(async id => (await read(id)).state))
  assert.deepEqual(states, ['accepted', 'declined', 'declined', 'accepted'])
  assert.equal((await read(deleted)).event, null)
  await editor.patch(`${calendar}/events/${events[1]}`, { status: 'pending' })
  const reopened = await read(trashed)
  assert.deepEqual([reopened.state, reopened.decided_at, reopened.decided_by], ['open', null, ''])
  await editor.patch(`${calendar}/events/${events[0]}`, { status: 'trash' })
  assert.equal((await read(published)).state, 'accepted')
})

test('the queue is listed oldest first, decided suggestions newest first, and both can be filtered by sender', async () => {
  const email = 'lister@example.org'
  const [first, second, third] = [
    await suggest({ sender_email: email }),
    await suggest({ sender_email: email }),
    await suggest({ sender_email: email })
  ]
  await editor.post(`${path}/${third}/accept`)
  const listIds = async (query: string) =>
    (await editor.get(`${path}?per_page=50${query}`)).body.suggestions.map((one: { id: number }) => one.id)
  const open = await listIds('')
  assert.ok(open.indexOf(first) >= 0 && open.indexOf(first) < open.indexOf(second) && !open.includes(third))
  assert.equal((await listIds('&state=accepted'))[0], third)
  assert.deepEqual(await listIds('&email=Lister@example.org'), [third, second, first])
  assert.deepEqual(await listIds('&email=lister@example.org&state=open'), [first, second])
  const { body } = await editor.get(`${path}?per_page=1&email=${email}`)
  assert.deepEqual([body.total, body.total_pages, /email=lister/.test(body.next_rest_url)], [3, 3, true])
  for (const query of ['?state=unconfirmed', '?state=', '?with_duplicates=maybe', '?page=0']) {
    assert.equal((await editor.get(path + query)).status, 400, query)
  }
  assert.equal((await editor.get(`${path}?page=99`)).status, 404)
})

test('probable duplicates are listed: a similar title on the same day, or the same venue at the same time', async () => {
  const { id: venue } = await aVenue({ venue: 'Twin hall' })
  const times = { start_date: '2032-03-03 19:00:00', end_date: '2032-03-03 21:00:00' }
  const similar = await anEvent({ title: 'Spring concert of the choir', ...times, start_date: '2032-03-03 11:00' })
  const samePlace = await anEvent({ title: 'Board meeting', ...times, venue })
  await anEvent({ title: 'Chess club', ...times })
  await anEvent({ title: 'Spring concert of the choir', start_date: '2032-03-05', end_date: '2032-03-05' })
  const id = await suggest({ title: 'Spring Concert - Choir', ...times, venue })
  const getReasons = (list: { id: number; because: string }[]) =>
    Object.fromEntries(list.map(one => [one.id, one.because]))
  const expected = { [similar.id]: 'title', [samePlace.id]: 'venue' }
  assert.deepEqual(getReasons((await read(id)).duplicates), expected)
  const listed = (await editor.get(`${path}?per_page=50&with_duplicates=true`)).body.suggestions
  assert.deepEqual(getReasons(listed.find((one: { id: number }) => one.id === id).duplicates), expected)
  assert.ok(!('duplicates' in (await editor.get(path)).body.suggestions[0]))
})

test('invalid values are refused with the name of the field, and nothing is stored', async () => {
  const hidden = await aVenue({ venue: 'Secret', status: 'draft' })
  const { count } = await store.one<{ count: number }>(sql`select count(*)::int as count from calendar.suggestions`)
  const links = Array.from({ length: 6 }, (_, place) => `https://example.org/${place}`)
  const wrong: [object, string][] = [
    [{ title: '' }, 'title'],
    [{ title: '<b></b>' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ title: 'Buy at https://example.org' }, 'title'],
    [{ title: null }, 'title'],
    [{ title: { a: 1 } }, 'title'],
    [{ start_date: 'someday' }, 'start_date'],
    [{ end_date: '2031-05-01' }, 'end_date'],
    [{ start_date: '2020-01-01', end_date: '2020-01-02' }, 'end_date'],
    [{ start_date: '2020-01-01', end_date: undefined }, 'start_date'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ all_day: 'perhaps' }, 'all_day'],
    [{ description: 'x'.repeat(10_001) }, 'description'],
    [{ description: links.join(' ') }, 'description'],
    [{ description: links.map(link => `<a href="${link}">x</a>`).join('') }, 'description'],
    [{ message: links.join('\n') }, 'message'],
    [{ message: 'x'.repeat(2001) }, 'message'],
    [{ venue: 99_999_999 }, 'venue'],
    [{ venue: hidden.id }, 'venue'],
    [{ venue: 'Town Hall' }, 'venue'],
    [{ venue_name: 'x'.repeat(201) }, 'venue_name'],
    [{ venue_address: 'Main street' }, 'venue_name'],
    [{ organizer: ['a'] }, 'organizer'],
    [{ category: 99_999_999 }, 'category'],
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ website: 'ftp://example.org' }, 'website'],
    [{ cost: { a: 1 } }, 'cost'],
    [{ sender_email: '' }, 'sender_email'],
    [{ sender_email: undefined }, 'sender_email'],
    [{ sender_email: 'a@b, c@d' }, 'sender_email'],
    [{ sender_email: 'a@b\r\nBcc: c@d' }, 'sender_email'],
    [{ sender_email: `${'x'.repeat(250)}@example.org` }, 'sender_email']
  ]
  for (const [fields, field] of wrong) {
    const refused = await visitor.post(path, newSuggestion(fields))
    assert.deepEqual(getRefusedFields(refused), [field], JSON.stringify(fields))
  }
  const after = await store.one<{ count: number }>(sql`select count(*)::int as count from calendar.suggestions`)
  assert.equal(after.count, count)
})

test('markup is sanitized, images are removed, and fields that visitors may not set are ignored', async () => {
  const id = await suggest({
    title: '<script>alert(1)</script>Fair <b>day</b>',
    description:
      '<p onclick="x()">Hello<img src="https://evil.example/pixel.gif"><script>alert(1)</script> <a href="javascript:x()">click</a></p>',
    venue_name: '<i>Barn</i>',
    organizer: 'A\u0007B',
    message: '<b>bold</b>\u0007',
    ...{ status: 'publish', featured: true, image: 1, author: 5, tags: ['spam'], post_password: 'x', sticky: true }
  })
  const { event, message } = await read(id)
  assert.deepEqual([event.title, event.venue.venue, event.organizer[0].organizer], ['Fair day', 'Barn', 'AB'])
  assert.doesNotMatch(event.description, /img|script|onclick|evil/)
  assert.match(event.description, /Hello/)
  assert.equal(message, '<b>bold</b>')
  assert.deepEqual(
    [event.status, event.featured, event.sticky, event.image, event.tags],
    ['pending', false, false, false, []]
  )
  assert.equal((await visitor.get(`${calendar}/tags?search=spam`)).body.total, 0)
})

test('dates in words are read at the time of the request, and a missing end is the start', async () => {
  const id = await suggest({ start_date: 'tomorrow 9am', end_date: undefined })
  const { event } = await read(id)
  assert.match(event.start_date, / 09:00:00$/)
  assert.equal(event.end_date, event.start_date)
  const allDay = await read(await suggest({ start_date: '2031-07-01', end_date: undefined, all_day: true }))
  assert.deepEqual(
    [allDay.event.all_day, allDay.event.start_date, allDay.event.end_date],
    [true, '2031-07-01 00:00:00', '2031-07-01 23:59:59']
  )
})

test('a repeated request with the same Idempotency-Key creates one suggestion', async () => {
  const body = newSuggestion()
  const key = { 'idempotency-key': 'suggested-once-1234567890' }
  const [one, other] = [await visitor.post(path, body, key), await visitor.post(path, body, key)]
  assert.deepEqual([one.status, other.status, other.headers['idempotent-replayed']], [201, 201, 'true'])
  assert.equal(one.headers.location, other.headers.location)
})

test('while suggestions are switched off, new ones are refused and waiting ones can still be accepted', async () => {
  const id = await suggest()
  assert.equal((await admin.get('/site')).body.suggestions, true)
  await admin.patch('/site', { suggestions: false })
  const refused = await visitor.post(path, newSuggestion())
  assert.deepEqual([refused.status, refused.body.code], [403, 'suggestions-are-off'])
  assert.equal((await editor.post(`${path}/${id}/accept`)).status, 200)
  await admin.patch('/site', { suggestions: true })
  assert.equal((await visitor.post(path, newSuggestion())).status, 201)
})

test('only editors can read the queue and decide; other callers get 401 or 403 without its content', async () => {
  const id = await suggest({ sender_email: 'private@example.org' })
  const routes: ['get' | 'post' | 'delete', string][] = [
    ['get', path],
    ['get', `${path}/${id}`],
    ['get', `${path}.atom`],
    ['post', `${path}/${id}/accept`],
    ['post', `${path}/${id}/decline`],
    ['delete', `${path}/${id}/sender`]
  ]
  const clients = [visitor]
  for (const role of ['viewer', 'contributor', 'author', 'treasurer'] as const) clients.push(await withRole(role))
  for (const [method, url] of routes) {
    for (const [place, client] of clients.entries()) {
      const refused = await client[method](url)
      assert.equal(refused.status, place === 0 ? 401 : 403, `${method} ${url}`)
      assert.doesNotMatch(refused.text, /private@example/)
    }
  }
  assert.equal((await read(id)).state, 'open')
  assert.equal((await editor.get(`${path}/${id + 100_000}`)).status, 404)
  assert.equal((await editor.post(`${path}/${id + 100_000}/accept`)).status, 404)
})

test('the Atom feed lists the queue for a key with Basic authentication, without the data of senders', async () => {
  await suggest({ title: 'In the feed & more', sender_name: 'Hidden Person', sender_email: 'hidden@example.org' })
  const { key } = (await admin.post('/keys', { name: 'feed reader', role: 'editor' })).body
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`feed:${password}`).toString('base64')}` })
  const feed = await visitor.get(`${path}.atom`, basic(key))
  assert.deepEqual([feed.status, feed.headers['content-type']], [200, 'application/atom+xml; charset=utf-8'])
  assert.match(feed.text, /<title>In the feed &amp; more<\/title>/)
  assert.match(feed.text, /href="[^"]*\/admin\/suggestions\/\d+"/)
  assert.doesNotMatch(feed.text, /Hidden Person|hidden@example/)
  assert.equal((await visitor.get(`${path}.atom`, basic('wrong'))).status, 401)
})

test('a decision with an outdated If-Match is 412', async () => {
  const id = await suggest()
  const stale = { 'if-match': '"99999"' }
  for (const verb of ['accept', 'decline']) {
    assert.equal((await editor.post(`${path}/${id}/${verb}`, {}, stale)).status, 412)
  }
  assert.equal((await editor.delete(`${path}/${id}/sender`, stale)).status, 412)
  assert.equal((await read(id)).state, 'open')
  const { headers } = await editor.get(`${path}/${id}`)
  assert.equal((await editor.post(`${path}/${id}/accept`, {}, { 'if-match': headers.etag ?? '' })).status, 200)
})

test('concurrent decisions decide a suggestion once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const id = await suggest()
    const { event } = await read(id)
    const answers = await Promise.all([
      editor.post(`${path}/${id}/accept`),
      editor.post(`${path}/${id}/decline`),
      editor.patch(`${calendar}/events/${event.id}`, { title: 'Edited' }),
      editor.post(`${path}/${id}/accept`)
    ])
    for (const { status, text } of answers) assert.ok([200, 404, 409].includes(status), text)
    const { state, event: after } = await read(id)
    assert.equal(after.status, state === 'accepted' ? 'publish' : 'trash')
  }
})
