import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { isFullRun, skipUnlessFull } from '#test/support/full-run.ts'
import { campaign, newClient, startSite } from '#test/support/services.ts'

const { admin, databaseUrl, server, visitor } = await startSite()
const browser = { accept: 'text/html,application/xhtml+xml' }

test('the Content-Security-Policy allows scripts and styles of the site only, and no frame around a page', async () => {
  const { headers } = await visitor.get('/en')
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(policy, /frame-ancestors 'none'/)
})

test('headers and links of a page announce the API to clients of The Events Calendar', async () => {
  const { headers, text } = await visitor.get('/de', { host: 'calendar.example' })
  assert.equal(headers['x-tec-api-version'], 'v1')
  assert.equal(headers['x-tec-api-origin'], 'http://calendar.example')
  assert.equal(headers['x-tec-api-root'], 'http://calendar.example/wp-json/tribe/events/v1/')
  assert.match(text, /<meta name="tec-api-version" content="v1"\/>/)
  assert.match(text, /<link rel="alternate" href="http:\/\/calendar\.example\/wp-json\/tribe\/events\/v1\/"\/>/)
})

test('an unknown path responds 404 with a page to browsers, and with problem+json to other clients', async () => {
  for (const path of ['/en/nothing', '/de/nichts', '/nothing', '/admin/nothing']) {
    const page = await visitor.get(path, browser)
    assert.equal(page.status, 404, path)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.match(page.text, /<h1>/)
  }
  const problem = await visitor.get('/nothing')
  assert.match(problem.headers['content-type'] ?? '', /^application\/problem\+json/)
  const apiResponse = await visitor.get('/campaigns/99999', browser)
  assert.match(apiResponse.headers['content-type'] ?? '', /^application\/problem\+json/)
})

test('an error page is in the language of its path, or else in that of the Accept-Language header', async () => {
  assert.match((await visitor.get('/de/nichts', browser)).text, /<html lang="de">.*Seite nicht gefunden/)
  assert.match((await visitor.get('/nothing', { ...browser, 'accept-language': 'de' })).text, /Seite nicht gefunden/)
  assert.match((await visitor.get('/nothing', { ...browser, 'accept-language': 'fr' })).text, /Page not found/)
})

test('a path that is too long or malformed is a client error, never a 5xx', async () => {
  for (const path of ['/en/event/%E0%A4%A', `/en/event/${'x'.repeat(9000)}`, '/en/calendar/%00']) {
    const { status } = await visitor.get(path, browser)
    assert.ok(status >= 400 && status < 500, `${path.slice(0, 40)}: ${status}`)
  }
})

test('a request from outside cannot pass as an internal request with a guessed x-kalends-internal header', async () => {
  for (const value of ['', 'undefined', 'true', '0'.repeat(32), `${'0'.repeat(32)} visitor`]) {
    const { status } = await visitor.post('/campaigns', {}, { 'x-kalends-internal': value })
    assert.equal(status, 401, value)
  }
})

test('public pages show a local caller, who is an admin in protected mode, only what visitors see', async () => {
  const fresh = await startSite({ env: { ADMIN_KEY: '' } })
  const local = newClient(fresh.server)
  const draft = {
    name: 'A secret draft',
    donationMinimum: 5,
    targetAmount: 800,
    status: 'draft',
    account: { iban: 'DE89370400440532013000', name: 'School' }
  }
  const created = await local.post('/campaigns', draft)
  assert.equal(created.status, 201)
  assert.equal((await local.get(`/campaigns/${created.body.id}`)).status, 200)
  assert.doesNotMatch((await local.get('/en/donate')).text, /A secret draft/)
  assert.equal((await local.get(`/en/donate/${created.body.id}`)).status, 404)
})

test('a page has an ETag and responds 304 to If-None-Match', async () => {
  const first = await visitor.get('/en')
  assert.ok(first.headers.etag)
  const again = await server.app.inject({ url: '/en', headers: { 'if-none-match': first.headers.etag ?? '' } })
  assert.equal(again.statusCode, 304)
})

test('a page that is opened after a write contains it, although other clients read the page concurrently', async () => {
  const created = await admin.post('/campaigns', campaign)
  let done = false
  const readers = Array.from({ length: 8 }, async () => {
    let reads = 0
    while (!done) {
      assert.equal((await visitor.get('/en/donate')).status, 200)
      reads += 1
      // As between two requests on a socket.
      await nextTurn()
    }
    return reads
  })
  for (let round = 1; round <= (isFullRun ? 40 : 10); round += 1) {
    const name = `The roof, round ${round}.`
    await admin.put(`/campaigns/${created.body.id}`, { ...campaign, name })
    assert.ok((await visitor.get('/en/donate')).text.includes(name), name)
  }
  done = true
  assert.ok((await Promise.all(readers)).every(reads => reads > 0))
})

test('a write of another process is on the page after one second', { skip: skipUnlessFull }, async () => {
  const other = await startSite({ database: { url: databaseUrl, remove: async () => {} } })
  const name = 'Written elsewhere'
  assert.equal((await visitor.get('/de/spenden')).status, 200)
  await other.admin.post('/campaigns', { ...campaign, name })
  await sleep(1100)
  assert.ok((await visitor.get('/de/spenden')).text.includes(name))
})

test('a path in a language that the site does not offer redirects to the default language', async () => {
  const { status } = await admin.patch('/site', { languages: ['de'], defaultLanguage: 'de' })
  assert.equal(status, 200)
  const { status: moved, headers } = await visitor.get('/en/calendar')
  assert.equal(moved, 302)
  assert.equal(headers.location, '/de')
  assert.doesNotMatch((await visitor.get('/de')).text, /hreflang="en"/)
  await admin.patch('/site', { languages: ['en', 'de'], defaultLanguage: 'en' })
})
