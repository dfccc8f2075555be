import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { languages } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { dereference, listOperations } from '#test/support/crawl/route-crawler.ts'
import { root } from '#test/support/project-root.ts'
import { calendar, startSite } from '#test/support/services.ts'
import { catalogue } from './catalogue.ts'
import { listTexts } from './problems.tsx'

const { visitor, admin } = await startSite()
const codes = catalogue.map(({ code }) => code)

test('the catalogue has every problem that the source declares', async () => {
  const script = pathToFileURL(join(root, 'scripts/problems.mjs')).href
  const { buildCatalogue, formatCatalogue } = await import(script)
  const file = readFileSync(join(root, 'src/web/site/problems/catalogue.ts'), 'utf8')
  assert.ok(file === formatCatalogue(buildCatalogue()), 'Problems have changed. Write them down: npm run api')
  assert.ok(codes.length > 250, `${codes.length} codes`)
})

test('every code has a message in both languages and a remedy for each status', () => {
  for (const entry of catalogue) {
    const texts = listTexts(entry)
    assert.ok(texts.length > 0, `${entry.code} has no text`)
    for (const text of texts) assert.ok(/\p{L}/u.test(text.en) && /\p{L}/u.test(text.de), entry.code)
    for (const language of languages) {
      const { remedies, services } = getMessages('problem', language)
      for (const status of entry.statuses) {
        assert.match(findText(remedies, String(status)) ?? '', /\w/, `${entry.code} ${status}`)
      }
      for (const service of entry.services) {
        assert.match(findText(services, service) ?? '', /\w/, `${entry.code} ${service}`)
      }
    }
  }
})

test('every code in the OpenAPI documents is in the catalogue, with the status', async () => {
  const document = dereference((await visitor.get('/openapi.json')).body)
  const missing = new Set<string>()
  for (const { responses } of listOperations(document)) {
    for (const [status, { 'x-problem-codes': listed = [] }] of Object.entries(responses)) {
      for (const code of listed) {
        const entry = catalogue.find(one => one.code === code)
        if (entry?.statuses.includes(Number(status)) !== true) missing.add(`${status} ${code}`)
      }
    }
  }
  assert.deepEqual([...missing], [])
})

test('the type of a problem is the URL of a page about it', async () => {
  const { body } = await visitor.get('/campaigns/999999')
  assert.equal(body.type, '/problems/campaign-not-found')
  const { status, headers } = await visitor.get(body.type, { 'accept-language': 'de' })
  assert.equal(status, 302)
  assert.equal(headers.location, '/de/probleme/campaign-not-found')
  const page = await visitor.get(String(headers.location))
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1><code>campaign-not-found<\/code><\/h1>/)
  assert.match(page.text, /Die Spendenaktion … gibt es nicht\./)
  assert.match(page.text, /Prüfen Sie die URL/)
})

test('every code has a page in both languages, and the index links to all of them', async () => {
  for (const [language, path] of [
    ['en', '/en/problems'],
    ['de', '/de/probleme']
  ]) {
    const index = await visitor.get(String(path))
    assert.equal(index.status, 200)
    for (const code of codes) assert.ok(index.text.includes(`href="${path}/${code}"`), `${language} ${code}`)
  }
  for (const code of codes) assert.equal((await visitor.get(`/en/problems/${code}`)).status, 200, code)
})

test('the error codes of the calendar are in the catalogue', async () => {
  const answers = await Promise.all([
    visitor.get(`${calendar}/events/999999`),
    visitor.get(`${calendar}/nothing`),
    visitor.post(`${calendar}/events`, {}),
    admin.post(`${calendar}/events`, {}),
    visitor.get(`${calendar}/events?per_page=x`)
  ])
  for (const { body, text } of answers) assert.ok(codes.includes(body.code), text)
})

test('a code that does not exist has no page', async () => {
  for (const code of ['nothing', '__proto__', '%3Cscript%3E']) {
    assert.equal((await visitor.get(`/en/problems/${code}`)).status, 404, code)
  }
})
