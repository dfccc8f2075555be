import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { campaign, newClient, startSite } from '#test/support/services.ts'

const { admin, databaseUrl, server, visitor } = await startSite()
const browser = { accept: 'text/html,application/xhtml+xml' }

test('a page allows no script and no style but ours, and no frame around it', async () => {
  const { headers } = await visitor.get('/en')
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(policy, /frame-ancestors 'none'/)
})

test('pages lead clients of The Events Calendar to its API', async () => {
  const { headers, text } = await visitor.get('/de', { host: 'calendar.example' })
  assert.equal(headers['x-tec-api-version'], 'v1')
  assert.equal(headers['x-tec-api-origin'], 'http://calendar.example')
  assert.equal(headers['x-tec-api-root'], 'http://calendar.example/wp-json/tribe/events/v1/')
  assert.match(text, /<meta name="tec-api-version" content="v1"\/>/)
  assert.match(text, /<link rel="alternate" href="http:\/\/calendar\.example\/wp-json\/tribe\/events\/v1\/"\/>/)
})

test('somebody with a browser gets a page where nothing is, and a program a problem', async () => {
  for (const path of ['/en/nothing', '/de/nichts', '/nothing', '/admin/nothing']) {
    const page = await visitor.get(path, browser)
    assert.equal(page.status, 404, path)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.match(page.text, /<h1>/)
  }
  const problem = await visitor.get('/nothing')
  assert.match(problem.headers['content-type'] ?? '', /^application\/problem\+json/)
  const ofCampaigns = await visitor.get('/campaigns/99999', browser)
  assert.match(ofCampaigns.headers['content-type'] ?? '', /^application\/problem\+json/)
})

test('a page that says what went wrong speaks the language of its address, else the reader’s', async () => {
  assert.match((await visitor.get('/de/nichts', browser)).text, /<html lang="de">.*Seite nicht gefunden/)
  assert.match((await visitor.get('/nothing', { ...browser, 'accept-language': 'de' })).text, /Seite nicht gefunden/)
  assert.match((await visitor.get('/nothing', { ...browser, 'accept-language': 'fr' })).text, /Page not found/)
})

test('an address that is too long or not readable is a page too, never a fault of ours', async () => {
  for (const path of ['/en/event/%E0%A4%A', `/en/event/${'x'.repeat(9000)}`, '/en/calendar/%00']) {
    const { status } = await visitor.get(path, browser)
    assert.ok(status >= 400 && status < 500, `${path.slice(0, 40)}: ${status}`)
  }
})

test('nobody outside can claim to be a page of ours', async () => {
  for (const value of ['', 'undefined', 'true', '0'.repeat(32), `${'0'.repeat(32)} visitor`]) {
    const { status } = await visitor.post('/campaigns', {}, { 'x-kalends-internal': value })
    assert.equal(status, 401, value)
  }
})

test('a public page shows the one at the machine what everybody sees, also while they are admin', async () => {
  const fresh = await startSite({ env: { ADMIN_KEY: '' } })
  const local = newClient(fresh.server)
  const draft = {
    name: 'A secret draft',
    donationMinimum: 5,
    targetAmount: 800,
    status: 'draft',
    account: { iban: 'DE89370400440532013000', name: 'School' }
  }
  const made = await local.post('/campaigns', draft)
  assert.equal(made.status, 201)
  assert.equal((await local.get(`/campaigns/${made.body.id}`)).status, 200)
  assert.doesNotMatch((await local.get('/en/donate')).text, /A secret draft/)
  assert.equal((await local.get(`/en/donate/${made.body.id}`)).status, 404)
})

test('every page tells apart what it answers to whom, and can be asked for again cheaply', async () => {
  const first = await visitor.get('/en')
  assert.ok(first.headers.etag)
  const again = await server.app.inject({ url: '/en', headers: { 'if-none-match': first.headers.etag ?? '' } })
  assert.equal(again.statusCode, 304)
})

test('whoever has written something sees it on the page they open next, however many are reading', async () => {
  const made = await admin.post('/campaigns', campaign)
  let done = false
  const readers = Array.from({ length: 8 }, async () => {
    let reads = 0
    while (!done) {
      assert.equal((await visitor.get('/en/donate')).status, 200)
      reads += 1
      // As between two requests over a socket.
      await nextTurn()
    }
    return reads
  })
  for (let round = 1; round <= 40; round += 1) {
    const name = `The roof, round ${round}.`
    await admin.put(`/campaigns/${made.body.id}`, { ...campaign, name })
    assert.ok((await visitor.get('/en/donate')).text.includes(name), name)
  }
  done = true
  assert.ok((await Promise.all(readers)).every(reads => reads > 0))
})

test('what another process has written is on the page a second later at most', { skip: skipUnlessFull }, async () => {
  const other = await startSite({ database: { url: databaseUrl, remove: async () => {} } })
  const name = 'Written elsewhere'
  assert.equal((await visitor.get('/de/spenden')).status, 200)
  await other.admin.post('/campaigns', { ...campaign, name })
  await sleep(1100)
  assert.ok((await visitor.get('/de/spenden')).text.includes(name))
})

test('a language that the site does not offer leads to the one that it does', async () => {
  const { status } = await admin.patch('/site', { languages: ['de'], defaultLanguage: 'de' })
  assert.equal(status, 200)
  const { status: moved, headers } = await visitor.get('/en/calendar')
  assert.equal(moved, 302)
  assert.equal(headers.location, '/de')
  assert.doesNotMatch((await visitor.get('/de')).text, /hreflang="en"/)
  await admin.patch('/site', { languages: ['en', 'de'], defaultLanguage: 'en' })
})
