import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, campaign, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite()

async function create(collection: string, fields: object) {
  const created = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(created.status, 201, created.text)
  return created.body
}

const upcoming = { start_date: '2099-06-13 14:00:00', end_date: '2099-06-13 18:00:00' }

const readLocation = async (path: string, language = 'de') => {
  const { status, headers } = await visitor.get(path, { 'accept-language': language })
  assert.equal(status, 302, path)
  assert.match(headers.vary ?? '', /Accept-Language/)
  return headers.location
}

test('paths without a language redirect to the language of Accept-Language', async () => {
  assert.equal(await readLocation('/', 'de-AT,en;q=0.5'), '/de')
  assert.equal(await readLocation('/', 'en'), '/en')
  assert.equal(await readLocation('/feeds'), '/de/feeds')
  assert.equal(await readLocation('/api', 'en'), '/en/api')
})

test('HEAD of the root links to the API, because some clients do not follow a redirect of HEAD', async () => {
  const { status, headers } = await visitor.send({ method: 'HEAD', url: '/' })
  assert.equal(status, 200)
  assert.match(headers.link ?? '', /<http[^>]*\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/)
  assert.match((await visitor.get('/en')).headers.link ?? '', /rel="https:\/\/api\.w\.org\/"/)
})

test('a site with one language redirects to that language', async () => {
  const otherSite = await startSite()
  const changed = await otherSite.admin.patch('/site', { languages: ['en'], defaultLanguage: 'en' })
  assert.equal(changed.status, 200, changed.text)
  const { headers } = await otherSite.visitor.get('/', { 'accept-language': 'de' })
  assert.equal(headers.location, '/en')
})

test('robots.txt excludes /admin and names the sitemap', async () => {
  const { text, headers } = await visitor.get('/robots.txt')
  assert.match(headers['content-type'] ?? '', /^text\/plain/)
  assert.match(text, /^Disallow: \/admin$/m)
  assert.match(text, /^Sitemap: http.*\/sitemap\.xml$/m)
})

test('the sitemap lists every page once per language, and no drafts or protected events', async () => {
  const both = await create('events', { title: 'In both', ...upcoming })
  await admin.put(`${calendar}/events/${both.id}?language=de`, { title: 'In beiden' })
  await create('events', { title: 'Drafted page', status: 'draft', ...upcoming })
  await create('events', { title: 'Locked page', post_password: 'secret', ...upcoming })
  await create('venues', { venue: 'Mapped & found' })
  await admin.post('/campaigns', campaign)
  const index = await visitor.get('/sitemap.xml')
  assert.match(index.headers['content-type'] ?? '', /^application\/xml/)
  const parts = [...index.text.matchAll(/<loc>[^<]*(\/sitemap\.xml\?part=[^<]*)<\/loc>/g)].map(found => found[1] ?? '')
  const paths: string[] = []
  for (const part of parts) {
    const { status, text } = await visitor.get(part)
    assert.equal(status, 200, part)
    paths.push(...[...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(found => new URL(found[1] ?? '').pathname))
    if (part.endsWith('events-1')) {
      assert.match(text, /hreflang="de" href="[^"]*\/de\/termin\/in-beiden"/)
      assert.match(text, /<lastmod>\d{4}-\d\d-\d\dT/)
    }
  }
  assert.equal(new Set(paths).size, paths.length)
  for (const path of ['/en', '/de/kalender', '/en/event/in-both', '/de/termin/in-beiden', '/en/venue/mapped-found']) {
    assert.ok(paths.includes(path), path)
  }
  assert.ok(paths.some(path => /^\/de\/spenden\/\d+-/.test(path)))
  assert.ok(!paths.some(path => /drafted|locked/.test(path)))
  assert.equal((await visitor.get('/sitemap.xml?part=events-99')).status, 404)
  assert.equal((await visitor.get('/sitemap.xml?part=../x')).status, 404)
})

test('the favicon is an SVG image', async () => {
  const { text, headers } = await visitor.get('/favicon.svg')
  assert.match(headers['content-type'] ?? '', /^image\/svg\+xml/)
  assert.match(text, /^<svg[^>]*>.*<\/svg>\n$/s)
})
