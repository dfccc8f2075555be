import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#platform/language.ts'
import { reservedSlugs } from '#platform/pages/reserved-slugs.ts'
import { startSite } from '#test/support/services.ts'
import { patterns } from '../../server/paths.ts'

const { visitor } = await startSite()

test('without a text, the legal notice says so and has noindex', async () => {
  const { status, text } = await visitor.get('/de/impressum')
  assert.equal(status, 200)
  assert.match(text, /noch nicht ausgefüllt/)
  assert.match(text, /name="robots" content="noindex"/)
})

test('the privacy page has a built-in text in both languages', async () => {
  const english = await visitor.get('/en/privacy')
  assert.match(english.text, /set no cookies/)
  assert.match((await visitor.get('/de/datenschutz')).text, /setzen keine Cookies/)
  assert.doesNotMatch(english.text, /noindex/)
  assert.equal(english.headers['set-cookie'], undefined)
})

test('the text of a page is sanitized, its headings start below the title, and email addresses are encoded', async () => {
  const content =
    '<h1>Who we are</h1><p>Write to <a href="mailto:info@example.org">info@example.org</a></p><script>alert(1)</script>'
  // A site without cached pages: a cached page may be outdated for a moment.
  const fresh = await startSite()
  const changed = await fresh.admin.patch('/pages/2', { texts: { en: { title: 'Imprint of us', content } } })
  assert.equal(changed.status, 200, changed.text)
  const { text } = await fresh.visitor.get('/en/imprint')
  assert.match(text, /<h1 dir="auto">Imprint of us<\/h1>/)
  assert.match(text, /<h2>Who we are<\/h2>/)
  assert.doesNotMatch(text, /info@example\.org|alert\(1\)|noindex/)
  assert.match(
    text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    /<a href="mailto:info@example\.org"[^>]*>info@example\.org<\/a>/
  )
  const german = await fresh.visitor.get('/de/impressum')
  assert.match(german.text, /nur auf Englisch/)
  assert.match(german.text, /<div class="prose " lang="en"><h2>Who/)
})

test('a published page is in its menu and in the sitemap, in each of its languages', async () => {
  const { admin, visitor: otherVisitor } = await startSite()
  const text = (title: string) => ({
    title,
    content: `<p>${title} text</p><img src="/media/team.jpg" alt="We &amp; you">`
  })
  await admin.post('/pages', {
    status: 'published',
    place: 'header',
    texts: { en: text('Our team'), de: text('Unser Team') }
  })
  await admin.post('/pages', { status: 'published', place: 'footer', order: 5, texts: { de: text('Satzung') } })
  await admin.post('/pages', { place: 'header', texts: { en: text('Hidden draft') } })
  const english = await otherVisitor.get('/en/our-team')
  assert.equal(english.status, 200)
  assert.match(english.text, /<a href="\/en\/our-team" dir="auto" aria-current="page">Our team<\/a>/)
  assert.match(english.text, /hreflang="de" href="[^"]*\/de\/unser-team"/)
  assert.match(english.text, /name="description" content="Our team text"/)
  assert.match(english.text, /property="og:image" content="[^"]*\/media\/team\.jpg"/)
  assert.match(english.text, /property="og:image:alt" content="We &amp; you"/)
  assert.doesNotMatch(english.text, /Satzung|Hidden draft/)
  const german = await otherVisitor.get('/de/unser-team')
  assert.match(
    german.text,
    /<ul class="footer-links"><li><a href="\/de\/satzung" dir="auto">Satzung<\/a><\/li><li><a href="\/de\/impressum"/
  )
  for (const path of ['/en/satzung', '/de/our-team', '/en/hidden-draft', '/en/nothing']) {
    assert.equal((await otherVisitor.get(path)).status, 404, path)
  }
  const { text: sitemap } = await otherVisitor.get('/sitemap.xml?part=pages-1')
  assert.match(sitemap, /\/en\/our-team</)
  assert.match(sitemap, /\/de\/satzung</)
  assert.match(sitemap, /\/en\/privacy</)
  assert.doesNotMatch(sitemap, /hidden-draft|\/en\/satzung|\/en\/about/)
})

test('the first path segments of all routes are reserved slugs', () => {
  for (const [name, paths] of Object.entries(patterns)) {
    for (const language of languages) {
      const [, , first = ''] = paths[language].split('/')
      const isOwn = first === '' || first.startsWith(':') || first.includes('.')
      assert.ok(isOwn || reservedSlugs.has(first), `${first} of ${name}: add it to reserved-slugs.ts`)
    }
  }
})
