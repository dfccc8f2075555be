// test: full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite()
const sampleContent = await admin.post('/sample-content')
assert.equal(sampleContent.status, 200, sampleContent.text)

// The examples need a series.
const day = new Date(Date.now() + 500 * 86_400_000).toISOString().slice(0, 10)
const repeated = { title: 'Rehearsal', start_date: `${day} 19:00`, end_date: `${day} 21:00` }
const series = await admin.post(`${calendar}/events`, { ...repeated, recurrence: 'FREQ=WEEKLY;COUNT=3' })
assert.equal(series.status, 201, series.text)
// The examples need a page and an update.
await admin.post('/pages', { status: 'published', texts: { en: { title: 'Our team', content: '<p>Ada</p>' } } })
for (const { id } of (await admin.get('/campaigns')).body) {
  await admin.post(`/campaigns/${id}/updates`, { status: 'published', texts: { en: { title: 'Thanks', text: '' } } })
}
// /mandate needs a creditor identifier.
await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })

const start = await visitor.get('/en/api')
const groups = [...new Set([...start.text.matchAll(/\/en\/api\?group=([\w-]+)/g)].map(([, key]) => String(key)))]
const pages = await Promise.all(groups.map(async key => (await visitor.get(`/en/api?group=${key}`)).text))

interface Operation {
  operationId: string
}

const operations = Object.values<Record<string, Operation>>((await visitor.get('/openapi.json')).body.paths)
  .flatMap(methods => Object.values(methods))
  .map(({ operationId }) => operationId)

test('every operation of the OpenAPI document is in the reference once', () => {
  const anchors = pages.flatMap(text =>
    [...text.matchAll(/<(?:span|section class="operation") id="(\w+)"/g)].map(([, id]) => String(id))
  )
  assert.deepEqual(anchors.toSorted(), operations.toSorted())
})

test('every curl line with GET and without a key responds 200 on this site', async () => {
  let tried = 0
  for (const { method, url, needsKey } of pages.flatMap(parseCurlLines)) {
    if (method !== 'GET' || needsKey || url.includes('$')) continue
    const { status, text } = await visitor.get(url)
    assert.equal(status, 200, `${url}: ${text.slice(0, 200)}`)
    tried += 1
  }
  assert.ok(tried > 25, `${tried} lines`)
  const unknown = pages.flatMap(parseCurlLines).filter(({ method, url, needsKey }) => {
    return method === 'GET' && !needsKey && url.includes('$')
  })
  const donorPath = '/donations/by-token/$TOKEN'
  assert.deepEqual(
    unknown.map(({ url }) => url),
    [
      ...['', '/receipts/$RECEIPT_ID.pdf', '/simplified-proof.pdf'].map(end => donorPath + end),
      '/news/$TOKEN',
      ...['/qr.svg', '/qr.png'].map(end => donorPath + end),
      '/ibans/$IBAN',
      '/files/$ID/$TOKEN/$NAME'
    ],
    'only secrets are placeholders'
  )
})

test('the services accept the bodies of the curl lines that create an item', async () => {
  const creating = /\/(?:campaigns|donations|events|venues|organizers|categories|tags|keys|users)$/
  const lines = pages.flatMap(parseCurlLines).filter(({ method, url }) => method === 'POST' && creating.test(url))
  assert.equal(lines.length, 9)
  for (const { url, body } of lines) {
    const { status, text } = await admin.post(url, JSON.parse(body))
    assert.equal(status, 201, `${url} ${body}: ${text}`)
  }
})

test('no body of a curl line is refused with 400 or 415', { skip: skipUnlessFull }, async () => {
  const site = await startSite()
  const lines = pages
    .flatMap(parseCurlLines)
    .filter(({ method, body }) => method !== 'GET' && method !== 'DELETE' && body !== '')
  assert.ok(lines.length > 60, `${lines.length} lines`)
  const refused: string[] = []
  for (const { method, url, body } of lines) {
    const headers = { 'content-type': 'application/json' }
    const { status, text } = await site.admin.send({ method: method as 'POST', url, headers, payload: body })
    if (status === 400 || status === 415) refused.push(`${method} ${url} ${body}: ${text}`)
  }
  assert.deepEqual(refused, [])
})

test('curl lines with PUT, PATCH or DELETE contain no existing ids', () => {
  const lines = pages.flatMap(parseCurlLines).filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method))
  assert.ok(lines.length > 20)
  for (const { url } of lines) assert.doesNotMatch(url, /\/\d+(?:\/|$)/)
})

test('no page of the reference is larger than 64 KB, in either language', async () => {
  for (const path of ['', ...groups.map(key => `?group=${key}`)]) {
    for (const language of ['en', 'de']) {
      const { status, text } = await visitor.get(`/${language}/api${path}`)
      assert.equal(status, 200)
      assert.ok(Buffer.byteLength(text) <= 64_000, `${language} ${path}: ${Buffer.byteLength(text)}`)
    }
  }
})

test('every group has a name, and a German one', async () => {
  const { body } = await visitor.get('/openapi.json')
  const german = (await visitor.get('/de/api')).text
  const names = body.tags.map(({ name }: { name: string }) => name)
  assert.ok(names.length > 20)
  for (const name of names) {
    const key = name.toLowerCase().replaceAll(' ', '-')
    assert.ok(groups.includes(key), name)
    assert.ok(start.text.includes(`>${name}</a>`), name)
    assert.match(german, new RegExp(`group=${key}">[^<]+</a>`), name)
    assert.ok(
      ['Organisation', 'Discovery'].includes(name) || !german.includes(`group=${key}">${name}</a>`),
      `${name} is not German.`
    )
  }
})

test('on a German page, texts of the OpenAPI documents have lang=en', async () => {
  const { text } = await visitor.get('/de/api?group=campaigns')
  assert.match(text, /<span lang="en">List campaigns, oldest first<\/span>/)
  assert.match(text, /<span lang="en">Minimum donation\.<\/span>/)
  assert.match(text, /Braucht einen Schlüssel mit einer dieser Rollen:/)
  assert.doesNotMatch(pages[0] ?? '', /lang="en">[^<]+<\/span>/)
})

test('each operation shows the required roles, its fields with their rules, and its response', () => {
  const text = pages[groups.indexOf('campaigns')] ?? ''
  const create = text.split('<section').find(part => part.includes('id="postCampaigns"')) ?? ''
  assert.match(create, /Requires a key[^<]*<code>editor<\/code><code>treasurer<\/code><code>admin<\/code>/)
  assert.match(create, /<code>account\.iban<\/code> <i>string<\/i><b>required<\/b>/)
  assert.match(create, /One of draft, open, closed/)
  assert.match(create, /1 to 200 characters/)
  assert.match(create, /-H &quot;Authorization: Bearer \$KEY&quot;/)
  assert.match(create, /Response <code>201<\/code>/)
})

test('the overview has curl lines with the URL of the site and errors of both services, and loads only the script for copying', () => {
  assert.match(start.text, /curl http:\/\/localhost(?::\d+)?\/campaigns/)
  assert.match(start.text, /application\/problem\+json/)
  assert.match(start.text, /rest_invalid_param/)
  assert.match(start.text, /href="\/openapi\/calendar\.json"/)
  const scripts = [...start.text.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, src]) => src)
  assert.equal(scripts.length, 1)
  assert.match(String(scripts[0]), /\/assets\/copy-/)
})

test('an unknown group is 404', async () => {
  for (const key of ['nothing', '__proto__', 'constructor', '%3Cscript%3E']) {
    const { status, text } = await visitor.get(`/en/api?group=${key}`)
    assert.equal(status, 404, key)
    assert.doesNotMatch(text, /<script>/)
  }
})

test('without content the curl lines have variables instead of ids', { skip: skipUnlessFull }, async () => {
  const empty = await startSite()
  const { status, text } = await empty.visitor.get('/en/api?group=campaigns')
  assert.equal(status, 200)
  assert.match(text, /\/campaigns\/\$CAMPAIGN_ID/)
  for (const key of groups) assert.equal((await empty.visitor.get(`/de/api?group=${key}`)).status, 200, key)
})

/** The curl lines of a page, parsed. */
function parseCurlLines(html: string): { method: string; url: string; needsKey: boolean; body: string }[] {
  return [...html.matchAll(/<code id="\w+-curl\d*">([\s\S]*?)<\/code>/g)].map(([, escaped = '']) => {
    const line = escaped
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    const [, method = 'GET', url = ''] = /^curl (?:-X (\w+) )?"?https?:\/\/[^/]+(\/[^"\s]*)"?/.exec(line) ?? []
    const [, body = ''] = /-d '([\s\S]*)'$/.exec(line) ?? []
    return { method, url, needsKey: line.includes('$KEY'), body: body.replaceAll("'\\''", "'") }
  })
}
