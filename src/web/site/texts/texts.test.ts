import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSite } from '#test/support/services.ts'

const { visitor } = await startSite()

test('before anything is written, the imprint says so kindly and stays out of search engines', async () => {
  const { status, text } = await visitor.get('/de/impressum')
  assert.equal(status, 200)
  assert.match(text, /noch nicht ausgefüllt/)
  assert.match(text, /name="robots" content="noindex"/)
})

test('the privacy page has a text of its own in both languages', async () => {
  const english = await visitor.get('/en/privacy')
  assert.match(english.text, /set no cookies/)
  assert.match((await visitor.get('/de/datenschutz')).text, /setzen keine Cookies/)
  assert.doesNotMatch(english.text, /noindex/)
  assert.equal(english.headers['set-cookie'], undefined)
})

test('what the organisation writes is shown in paragraphs, with links, and never as markup', async () => {
  const imprint =
    'First <b>line</b>\nsecond line\n\nSee (https://example.org/a?b=1&c=2), or write to info@example.org.\njavascript:alert(1)'
  // Of a site that has shown no page yet: pages may show what was for a moment.
  const fresh = await startSite()
  const changed = await fresh.admin.patch('/site', { imprint: { en: imprint, de: '' } })
  assert.equal(changed.status, 200, changed.text)
  const { text } = await fresh.visitor.get('/en/imprint')
  assert.match(text, /<p>First &lt;b>line&lt;\/b>|<p>First &lt;b&gt;line&lt;\/b&gt;/)
  assert.match(text, /<br\/?>second line<\/p>/)
  assert.match(
    text,
    /\(<a href="https:\/\/example\.org\/a\?b=1&amp;c=2"[^>]*>https:\/\/example\.org\/a\?b=1&amp;c=2<\/a>\),/
  )
  assert.doesNotMatch(text, /info@example\.org|href="javascript/)
  assert.match(
    text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    /mailto:info@example\.org/
  )
  const german = await fresh.visitor.get('/de/impressum')
  assert.match(german.text, /nur auf Englisch/)
  assert.match(german.text, /<div lang="en"><p>First/)
})
