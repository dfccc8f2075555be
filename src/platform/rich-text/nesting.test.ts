import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getBrowserSkip, launchBrowser } from '#test/support/browser.ts'
import { countRuns, isFullRun } from '#test/support/full-run.ts'
import { findHtmlFaults } from '#test/support/html-rules.ts'
import { allowedTags, sanitize, toMultilineText } from './html.ts'
import { addParagraphs } from './paragraphs.ts'

for (const [given, kept] of [
  ['<p>a <b>b</p><p>c</b> d</p>', '<p>a <b>b</b></p><p><b>c</b> d</p>'],
  ['<p>a <b>b</p>\n<p>c</p>', '<p>a <b>b</b></p>\n<p><b>c</b></p>'],
  ['<p>a <span lang="de">b</p><p>c</span></p>', '<p>a <span lang="de">b</span></p><p>c</p>'],
  ['<b><i>a</b>b</i>c', '<b><i>a</i></b><i>b</i>c'],
  ['<b>a<p>b</p>c</b>d', '<b>a</b><p><b>b</b></p><b>c</b>d'],
  ['<b><p>a</p>\n</b>', '<p><b>a</b></p>\n'],
  ['<p>a<p>b', '<p>a</p><p>b</p>'],
  ['<p>a<div>b</div>c</p>d', '<p>a</p><div>b</div>cd'],
  ['<p>a<ul><li>b</ul>', '<p>a</p><ul><li>b</li></ul>'],
  ['a</p>b</div></b>c</li>', 'abc'],
  ['<b></b>a<i></i>', '<b></b>a<i></i>'],
  ['<a href="/x"><h3>a</h3><p>b</p></a>', '<a href="/x" rel="noopener"><h3>a</h3><p>b</p></a>'],
  ['<p><a href="/x"><div>a</div></a></p>', '<p></p><div><a href="/x" rel="noopener">a</a></div>'],
  ['<a href="/x">a<a href="/y">b', '<a href="/x" rel="noopener">a</a><a href="/y" rel="noopener">b</a>'],
  ['<li>a<li>b</li>c', '<ul><li>a</li><li>b</li></ul>c'],
  ['<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['<ul>a<li><div>b<li>c', '<ul><li>a</li><li><div>b</div></li><li>c</li></ul>'],
  ['<ul><br><b><li>a</li></b></ul>', '<ul><li><b>a</b></li></ul>'],
  ['<dl><div><dt>a<dd>b</div><dt>c', '<dl><div><dt>a</dt><dd>b</dd></div><dt>c</dt></dl>'],
  ['<h2>a<h3>b</h2>c', '<h2>a</h2><h3>b</h3>c'],
  ['<td>a</td><tr>b', 'ab'],
  ['<table><td>a<th>b<tr>c', '<table><tr><td>a</td><th>b</th></tr><tr><td>c</td></tr></table>'],
  ['<table><tr><td><b>a<td>b</table>c', '<table><tr><td><b>a</b></td><td>b</td></tr></table>c'],
  [
    '<table><tr><td>a</td></tr><div>b</div></table>',
    '<table><tr><td>a</td></tr><tr><td><div>b</div></td></tr></table>'
  ],
  ['<div><table><tr><td>a</div>b', '<div><table><tr><td>ab</td></tr></table></div>'],
  [
    '<figure>a<figcaption>b</figure><figcaption>c</figcaption>d',
    '<figure>a<figcaption>b</figcaption></figure><div>c</div>d'
  ]
] as const) {
  test(`the elements of ${JSON.stringify(given)} are nested as ${JSON.stringify(kept)}`, () => {
    assert.equal(sanitize(given), kept)
    assert.equal(sanitize(kept), kept)
  })
}

test('few open tags before many blocks do not make a text much longer', () => {
  const tags = '<b><i><u><s><em>'.repeat(4)
  const text = sanitize(`<p>${tags}a</p>${'<p>b</p>'.repeat(3000)}`)
  assert.equal(text.split('<p>').length, 3002)
  assert.ok(text.length < 40_000, `${text.length} characters`)
})

const voidTags = new Set(['br', 'hr', 'img'])
const attributes: Record<string, string> = { a: ' href="/x"', img: ' src="/x.png" alt=""', span: ' lang="de"' }
const soup = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...allowedTags).map(name => `<${name}${attributes[name] ?? ''}>`) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(...[...allowedTags].filter(name => !voidTags.has(name))).map(name => `</${name}>`)
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom('a', 'b', ' ', '\n', '\n\n', '<svg>', '</svg>', '<section>', '</section>')
      }
    ),
    { maxLength: 25 }
  )
  .map(parts => parts.join(''))

test('no element of random tags is where HTML does not allow it, and no word is lost', () => {
  fc.assert(
    fc.property(soup, html => {
      const once = sanitize(html)
      assert.equal(sanitize(once), once)
      for (const text of [once, addParagraphs(once)]) {
        // What a heading or a preformatted text contains is left to the author.
        assert.deepEqual(
          findHtmlFaults(text).filter(line => !/ is in <(?:h[1-6]|pre|dt)>$/.test(line)),
          [],
          text
        )
        assert.equal(toMultilineText(text).replace(/\s/g, ''), toMultilineText(html).replace(/\s/g, ''))
      }
    }),
    { numRuns: countRuns(5000) }
  )
})

const { skip } = getBrowserSkip()
const browser = skip === false ? await launchBrowser() : undefined

test('a browser finds nothing to repair in a text of random tags', { skip }, async () => {
  const page = await browser?.newPage()
  await fc.assert(
    fc.asyncProperty(soup, async html => {
      const text = addParagraphs(sanitize(html))
      const parsed = await page?.evaluate(`(${parseInBrowser})(${JSON.stringify(text)})`)
      assert.equal(parsed, toComparable(text))
    }),
    // The test above tries many more, without the price of a browser.
    { numRuns: isFullRun ? 2500 : 100 }
  )
})

/** Browsers add a <tbody> that HTML does not require, and leave out the first line break of a preformatted text. */
function toComparable(html: string): string {
  return html.replace(/<\/?tbody>/g, '').replace(/(<pre>)\n/g, '$1')
}

/** Parses a text in the browser, and writes it as the sanitizer does. */
const parseInBrowser = `text => {
  const container = document.implementation.createHTMLDocument('').createElement('div')
  container.innerHTML = text
  const escape = value => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  const write = node => {
    if (node.nodeType === 3) return escape(node.data)
    const name = node.localName
    const attributes = [...node.attributes].map(({ name, value }) => ' ' + name + '="' + escape(value) + '"').join('')
    if (/^(?:br|hr|img)$/.test(name)) return '<' + name + attributes + ' />'
    const content = [...node.childNodes].map(write).join('')
    return name === 'tbody' ? content : '<' + name + attributes + '>' + content + '</' + name + '>'
  }
  return [...container.childNodes].map(write).join('')
}`
