import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarEmails } from '#calendar/suggestions/emails.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import { sendForm } from '#test/support/admin-client.ts'
import { openEventStream } from '#test/support/event-stream-client.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { type Client, calendar, startSite, type TestResponse } from '#test/support/services.ts'

const { visitor, admin, server } = await startSite({ env: { RATE_LIMIT: '0' } })
const en = '/en/calendar/suggest'
const de = '/de/kalender/vorschlagen'

/** The hidden fields of the form as a browser without JavaScript sends them, shown a minute ago. */
function readHiddenFields({ text }: TestResponse): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(
    /<input type="(?:hidden|text)" name="([^"]*)" value="([^"]*)"/g
  )) {
    fields[name] = value
  }
  assert.ok(fields.key !== undefined, text)
  return { ...fields, homepage: '', started: String(Date.now() - 60_000) }
}

const input = {
  ...{
    title: 'Straßenfest',
    description: 'Mit <Musik> & Tanz.\n\nFür alle.',
    startDate: '2031-06-01',
    startTime: '14:00'
  },
  ...{ endDate: '', endTime: '18:00', venue: '', venueName: 'Markt', venueAddress: 'Am Markt 1', organizer: 'Verein' },
  ...{ website: 'https://example.org', cost: 'frei', category: '', senderName: 'Ada', message: 'Danke!' }
}

let sentCount = 0
async function send(
  path: string,
  fields: Record<string, string> = {},
  client: Client = visitor
): Promise<TestResponse> {
  sentCount += 1
  const hidden = readHiddenFields(await client.get(path))
  return await sendForm(client, path, { ...hidden, ...input, senderEmail: `ada-${sentCount}@example.org`, ...fields })
}

const listSuggestions = async () =>
  (await admin.get(`${calendar}/suggestions?per_page=50&language=de`)).body.suggestions

test('a visitor suggests an event without JavaScript, and the thank-you page says what happens next', async () => {
  for (const [path, thanks, nextSteps] of [
    [de, `${de}/danke`, /Die Redaktion prüft ihn/],
    [en, `${en}/thanks`, /The editors review it/]
  ] as const) {
    const done = await send(path)
    assert.deepEqual([done.status, done.headers.location], [303, `${thanks}?state=open`], done.text)
    assert.match((await visitor.get(done.headers.location ?? '')).text, nextSteps)
    const { event, message, language } = (await listSuggestions()).at(-1)
    assert.deepEqual(
      [
        event.title,
        event.start_date,
        event.end_date,
        event.venue.venue,
        event.venue.address,
        event.organizer[0].organizer
      ],
      ['Straßenfest', '2031-06-01 14:00:00', '2031-06-01 18:00:00', 'Markt', 'Am Markt 1', 'Verein']
    )
    assert.match(event.description, /<p>Mit &lt;Musik&gt; &amp; Tanz\.<\/p>\s*<p>Für alle\.<\/p>/)
    assert.deepEqual([message, language, event.cost], ['Danke!', path === de ? 'de' : 'en', 'frei'])
  }
})

test('each invalid field has an error at the field, the input is kept, and nothing is stored', async () => {
  const before = (await listSuggestions()).length
  const wrong: [Record<string, string>, string][] = [
    [{ title: '' }, 'title'],
    [{ startDate: '2031-02-30' }, 'startDate'],
    [{ startDate: '2020-01-01' }, 'endDate'],
    [{ startTime: '' }, 'startTime'],
    [{ endDate: '2031-05-01' }, 'endDate'],
    [{ endTime: '13:00' }, 'endTime'],
    [{ endDate: '2031-06-02', endTime: '' }, 'endTime'],
    [{ senderEmail: '' }, 'senderEmail'],
    [{ senderEmail: 'nobody' }, 'senderEmail'],
    [{ website: 'example.org' }, 'website'],
    [{ venueName: '', venueAddress: 'Main street 1' }, 'venueName'],
    [{ venue: '99999999' }, 'venue'],
    [{ category: '99999999' }, 'category'],
    [{ description: 'https://a.example '.repeat(6) }, 'description'],
    [{ message: 'https://a.example '.repeat(6) }, 'message'],
    [{ title: 'Buy www.example.org' }, 'title']
  ]
  for (const [fields, name] of wrong) {
    const { status, text, headers } = await send(en, fields)
    assert.equal(status, 422, JSON.stringify(fields))
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(text, new RegExp(`<a href="#field-${name}">`), JSON.stringify(fields))
    assert.match(text, new RegExp(`id="field-${name}-error"`))
    assert.match(text, /Am Markt 1|Main street 1/)
    assert.match(text, /value="Verein"/)
  }
  assert.equal((await listSuggestions()).length, before)
})

test('all-day events and German dates are accepted', async () => {
  assert.equal((await send(de, { startDate: '1.7.2031', startTime: '', endTime: '', allDay: 'yes' })).status, 303)
  const { event } = (await listSuggestions()).at(-1)
  assert.deepEqual(
    [event.all_day, event.start_date, event.end_date],
    [true, '2031-07-01 00:00:00', '2031-07-01 23:59:59']
  )
})

test('a filled honeypot field, a form without a key or timestamp, a form sent too fast, and one from another site are refused', async () => {
  const before = (await listSuggestions()).length
  for (const fields of [{ homepage: 'x' }, { started: String(Date.now()) }, { started: 'x' }, { key: '' }]) {
    assert.equal((await send(en, fields)).status, 422, JSON.stringify(fields))
  }
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  assert.equal((await sendForm(visitor, en, input, foreign)).status, 403)
  assert.equal((await listSuggestions()).length, before)
})

test('sending the same form twice creates one suggestion', async () => {
  const hidden = readHiddenFields(await visitor.get(en))
  const fields = { ...hidden, ...input, title: 'Clicked twice', senderEmail: 'twice@example.org' }
  const answers = await Promise.all([sendForm(visitor, en, fields), sendForm(visitor, en, fields)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303]
  )
  const found = await admin.get(`${calendar}/suggestions?email=twice@example.org`)
  assert.equal(found.body.total, 1)
  const other = await sendForm(visitor, en, { ...fields, title: 'Something else' })
  assert.equal(other.status, 422)
  assert.doesNotMatch(other.text, new RegExp(`value="${hidden.key}"`))
})

test('calendar pages and their empty states link to the form, with the date of the page', async () => {
  for (const path of ['/en/calendar', '/en/calendar/list', '/en/calendar/2031-06', '/en/calendar/list?past=yes']) {
    const { text } = await visitor.get(path)
    assert.equal(text.match(/href="\/en\/calendar\/suggest"/g)?.length, 1, path)
  }
  const day = await visitor.get('/de/kalender/2031-09-09')
  assert.match(day.text, /<div class="empty">.*?href="\/de\/kalender\/vorschlagen\?date=2031-09-09"/s)
  assert.match((await visitor.get(`${de}?date=2031-09-09`)).text, /value="2031-09-09"/)
  assert.doesNotMatch((await visitor.get(`${de}?date="><script>`)).text, /<script>/)
})

test('without suggestions enabled there is neither form nor link', async () => {
  await admin.patch('/site', { suggestions: false })
  for (const path of [en, de]) {
    const { status, text } = await visitor.get(path)
    assert.equal(status, 404)
    assert.match(text, /does not accept suggestions|nimmt keine Vorschläge/)
    assert.equal((await sendForm(visitor, path, input)).status, 404)
  }
  for (const path of ['/en/calendar', '/en/calendar/list', '/en/calendar/2031-09-09', '/en']) {
    assert.doesNotMatch((await visitor.get(path)).text, /calendar\/suggest/, path)
  }
  await admin.patch('/site', { suggestions: true })
  assert.equal((await visitor.get(en)).status, 200)
})

test('with proof of work enabled the form has a challenge and needs JavaScript, and a wrong proof is refused', async () => {
  await admin.patch('/site', { suggestionsProofOfWork: true })
  const { text } = await visitor.get(en)
  assert.match(text, /data-proof="[^"]*suggestions\/challenge/)
  assert.match(text, /<noscript>.*?needs JavaScript/s)
  assert.match(text, /proof-of-work[^"]*\.js/)
  const refused = await send(en, { proofOfWork: 'x' })
  assert.deepEqual([refused.status, /security check has expired/.test(refused.text)], [422, true])
  await admin.patch('/site', { suggestionsProofOfWork: false })
})

test('a suggestion is not in any public list, page, feed or stream before it is accepted, and is afterwards', async () => {
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await openEventStream(`${origin}/stream`)
  const category = (await admin.post(`${calendar}/categories`, { name: 'Quiet category' })).body
  const word = 'Zwiebelmarkttag'
  // Within the range of the feeds.
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const fields = {
    startDate: day,
    title: word,
    venueName: `${word}halle`,
    organizer: `${word}verein`,
    category: String(category.id)
  }
  assert.equal((await send(de, fields)).status, 303)
  const suggestion = (await listSuggestions()).at(-1)
  const pages = [
    `${calendar}/events?per_page=50`,
    `${calendar}/events?search=${word}`,
    `${calendar}/events?categories=${category.id}`,
    `${calendar}/venues?per_page=50`,
    `${calendar}/organizers?per_page=50`,
    `${calendar}/venues?search=${word}`,
    `${calendar}/days?from=${day}&to=${day}`,
    '/de/events.ics',
    '/en/events.ics',
    '/de/events.rss',
    '/de/events.atom',
    `/de/kalender/${day.slice(0, 7)}`,
    `/de/kalender/${day}`,
    '/de/kalender/liste',
    `/de/kalender/liste?search=${word}`,
    '/de',
    '/sitemap.xml?part=events-1',
    '/sitemap.xml?part=venues-1',
    '/wp-json/wp/v2/tribe_events?per_page=50',
    '/wp-json/wp/v2/tribe_venue',
    '/wp-json/tribe/events/v1/events',
    '/wp-json/tec/v1/events',
    `${calendar}/events.csv`,
    `${calendar}/events.jsonl`,
    `${calendar}/redirects?kind=event&slug=${word.toLowerCase()}`,
    '/de/embed/events'
  ]
  for (const path of pages) {
    const { text, status } = await visitor.get(path)
    assert.ok(status < 500, path)
    // The page of a search contains the search term.
    const shown = path.startsWith('/de/kalender/liste?search')
      ? new RegExp(`${word}(halle|verein)|/termin/`)
      : new RegExp(word, 'i')
    assert.doesNotMatch(text.replaceAll(`search=${word}`, ''), shown, path)
  }
  for (const path of [
    `${calendar}/events/${suggestion.event.id}`,
    `/wp-json/wp/v2/tribe_events/${suggestion.event.id}`
  ]) {
    const hidden = await visitor.get(path)
    assert.ok([401, 403, 404].includes(hidden.status), path)
    assert.doesNotMatch(hidden.text, new RegExp(word))
  }
  assert.equal((await visitor.get(`${calendar}/categories/${category.id}`)).body.count, 0)
  // Messages sent before this marker have arrived when it arrives.
  await admin.post(`${calendar}/tags`, { name: 'Marker' })
  await stream.waitUntil(() => stream.messages.some(({ event }) => event === 'tag.created'))
  const early = JSON.stringify(stream.messages)
  assert.doesNotMatch(early, new RegExp(`${word}|suggestion|"id":${suggestion.event.id}\\b`))
  await admin.post(`${calendar}/suggestions/${suggestion.id}/accept`)
  await stream.waitUntil(() => stream.messages.some(({ event }) => event === 'event.published'))
  stream.close()
  assert.ok(!stream.messages.some(({ event }) => event.startsWith('suggestion.')))
  for (const path of [
    `${calendar}/events?search=${word}`,
    '/de/events.ics',
    `/de/kalender/liste?search=${word}`,
    `/de/kalender/${day.slice(0, 7)}`
  ]) {
    assert.match((await visitor.get(path)).text, new RegExp(word), path)
  }
  assert.equal((await visitor.get(`${calendar}/categories/${category.id}`)).body.count, 1)
})

test('with email enabled, only the button on the page of the link confirms a suggestion', async () => {
  const mailbox = await startMailbox()
  const site = await startSite({
    env: {
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'calendar@example.org',
      PUBLIC_URL: 'http://localhost:8080',
      RATE_LIMIT: '0'
    }
  })
  const done = await send(de, { senderEmail: 'confirm@example.org' }, site.visitor)
  assert.equal(done.headers.location, `${de}/danke?state=unconfirmed`, done.text)
  assert.match((await site.visitor.get(done.headers.location ?? '')).text, /E-Mail mit einem Link/)
  while ((await sendDueEmails(site.store, site.settings, calendarEmails)) > 0);
  const link = /http:\/\/localhost:8080(\/de\/kalender\/vorschlagen\/bestaetigen\/\S+)/.exec(
    mailbox.received[0]?.text ?? ''
  )
  const path = link?.[1] ?? ''
  const count = async () => (await site.admin.get(`${calendar}/suggestions`)).body.total
  const page = await site.visitor.get(path)
  assert.deepEqual([page.status, page.headers['referrer-policy'], await count()], [200, 'no-referrer', 0])
  const confirmed = await sendForm(site.visitor, path, {})
  assert.deepEqual([confirmed.status, confirmed.headers.location, await count()], [303, `${de}/danke?state=open`, 1])
  const wrong = await sendForm(site.visitor, `${path}x`, {})
  assert.equal(wrong.status, 410)
  assert.match(wrong.text, /gilt nicht mehr/)
})
