// test: own process
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newAdminClient, password } from '#test/support/admin-client.ts'
import { createDatabase } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startSite } from '#test/support/services.ts'

const database = await createDatabase()
const proxy = await startProxy(database.url)
const { admin, visitor } = await startSite({
  withTimeouts: true,
  database: {
    url: proxy.url,
    remove: async () => {
      await proxy.close()
      await database.remove()
    }
  }
})
await admin.patch('/site', { name: 'Verein der Stille' })
const email = 'anna@example.org'
await admin.post('/users', { name: 'Anna', email, role: 'admin', language: 'de', password })
const session = (await visitor.post('/sessions', { email, password })).body.token
const anna = newAdminClient(visitor, email, session)
const html = { accept: 'text/html', 'accept-language': 'de' }

test('without its database, pages say in their own layout and language what to do, and work again afterwards', async () => {
  assert.equal((await visitor.get('/de/kalender/liste?search=vorher', html)).status, 200)
  assert.equal((await anna.get('/admin/events', html)).status, 200)
  await proxy.refuse()
  const shown = {
    site: await visitor.get('/de/kalender/liste?search=a&tag=b', html),
    console: await anna.get('/admin/events?search=a&page=2', html)
  }
  for (const [side, { status, text, headers }] of Object.entries(shown)) {
    assert.equal(status, 503, side)
    assert.ok(Number(headers['retry-after']) > 0, side)
    assert.match(text, /<html lang="de"/)
    assert.match(text, /<h1[^>]*>Gleich wieder da/)
    assert.match(text, /Verein der Stille/)
    assert.match(text, /in ein paar Sekunden noch einmal/)
    const styles = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href ?? '')
    assert.ok(styles.length > 0, side)
    for (const href of styles) assert.equal((await visitor.get(href)).status, 200, href)
  }
  assert.match(shown.site.text, /href="\/de\/kalender\/liste\?search=a&amp;tag=b">Noch einmal versuchen/)
  assert.match(shown.console.text, /href="\/admin\/events\?search=a&amp;page=2">Noch einmal versuchen/)
  assert.match(shown.console.text, /wenden Sie sich an die Person, die den Server betreibt/)
  assert.doesNotMatch(shown.site.text, /den Server betreibt/)
  // A form is not sent again by a link.
  const sent = await anna.send('/admin/checklist', {}, html)
  assert.equal(sent.status, 503)
  assert.doesNotMatch(sent.text, /Noch einmal versuchen/)
  await proxy.pass()
  await waitUntil(async () => (await anna.get('/admin/events', html)).status === 200)
})
