import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns, pickSample } from '#test/support/full-run.ts'
import { sanitize, toMultilineText, toSingleLineText } from './html.ts'
import { addParagraphs } from './paragraphs.ts'

const rel = 'rel="noopener nofollow ugc"'

for (const [given, kept] of [
  ['<p onclick="x()" style="color:red" class="c" id="i" lang="de">a</p>', '<p lang="de">a</p>'],
  ['<script>alert(1)</script><style>b{}</style><iframe src="x">c</iframe><noscript>d</noscript>e', 'e'],
  ['<center>kept <blink>text</blink></center><svg onload="x()">t</svg>', 'kept textt'],
  ['<a href="https://e.org/?a=1&b=2" rel="me">x</a>', `<a href="https://e.org/?a=1&amp;b=2" ${rel}>x</a>`],
  ['<a href="/x" target="_blank">x</a>', '<a href="/x" target="_blank" rel="noopener">x</a>'],
  ['<a href="#x" target="_top">x</a>', '<a href="#x" rel="noopener">x</a>'],
  ['<a href="tel:+49301">x</a>', `<a href="tel:+49301" ${rel}>x</a>`],
  ['<a href="mailto:a@e.org">x</a>', `<a href="mailto:a@e.org" ${rel}>x</a>`],
  ['<a href="ftp://e.org">x</a>', `<a ${rel}>x</a>`],
  ['<a href="javascript:alert(1)">x</a>', `<a ${rel}>x</a>`],
  ['<a href=" JaVa\tScRiPt&colon;alert(1)">x</a>', `<a ${rel}>x</a>`],
  ['<a href="java&#x81;script:alert(1)">x</a>', `<a ${rel}>x</a>`],
  ['<a href="java&#1;script:alert(1)">x</a>', `<a ${rel}>x</a>`],
  ['<a href="java\u0000script:alert(1)">x</a>', `<a ${rel}>x</a>`],
  [
    '<img src="/a.png" alt="" width="9" loading="lazy" onerror="x()" srcset="b 2x">',
    '<img src="/a.png" alt="" width="9" loading="lazy" />'
  ],
  ['<img src="data:image/svg+xml,x" alt="a" loading="x">', '<img alt="a" />'],
  ['<img src="mailto:a@e.org">', '<img />'],
  ['a<br>b<hr>', 'a<br />b<hr />'],
  ['C:\\dir\\new \\0', 'C:\\dir\\new \\0'],
  ['Rock&Reggae &amp; &copy; &nbsp; R&D', 'Rock&amp;Reggae &amp; © \u00a0 R&amp;D'],
  ['5 < 6, I <3 you, &lt;b&gt;', '5 &lt; 6, I &lt;3 you, &lt;b&gt;'],
  ['a\u0000b\u0007c', 'abc'],
  ['<b><i>open', '<b><i>open</i></b>'],
  ['<table><tr><td colspan="2">x', '<table><tr><td colspan="2">x</td></tr></table>'],
  ['<dd><svg><dt>', '<dl><dd></dd><dt></dt></dl>'],
  ['<textarea><img src=x onerror=alert(1)></textarea><xmp><b></xmp>t', 't'],
  ['', '']
] as const) {
  test(`${JSON.stringify(given)} is sanitised to ${JSON.stringify(kept)}`, () => {
    assert.equal(sanitize(given), kept)
    assert.equal(sanitize(kept), kept)
  })
}

test('links to the site itself are followed by search engines', () => {
  const own = new Set(['verein.example', 'old.example:8081'])
  const link = (href: string, words: string) => `<a href="${href}" rel="${words}">x</a>`
  const followed = [
    'https://verein.example/a',
    'http://www.verein.example/',
    'http://old.example:8081/b',
    '/a',
    '?b',
    '#c'
  ]
  for (const href of followed) assert.equal(sanitize(link(href, 'ugc'), own), link(href, 'noopener'))
  const others = [
    'https://verein.example.evil.example/',
    'https://verein.example@evil.example/',
    'https://old.example/b',
    '//evil.example/',
    '/\\evil.example/',
    'mailto:a@verein.example'
  ]
  for (const href of others) assert.equal(sanitize(link(href, ''), own), link(href, 'noopener nofollow ugc'))
})

test('a text with excessive nesting is reduced to its words', () => {
  const nested = (depth: number) => `${'<div>'.repeat(depth)}a &lt; b${'</div>'.repeat(depth)}<b>c</b>`
  assert.equal(sanitize(nested(150)), nested(150))
  assert.equal(sanitize(nested(5000)), 'a &lt; b\nc')
})

test('a text with too many tags and entities is reduced to its words', () => {
  const words = (count: number) => '<b>a</b> &lt; '.repeat(count)
  assert.equal(sanitize(words(6000)), words(6000))
  assert.equal(sanitize(words(7000)), 'a '.repeat(7000).trim())
  assert.equal(sanitize('<script>x</script>a<b>&amp;<3 '.repeat(7000)), 'a 3 '.repeat(7000).trim())
})

for (const [given, expected] of [
  ['', ''],
  [' \n ', ''],
  ['one', '<p>one</p>'],
  ['\none\n\ntwo\n', '<p>one</p>\n<p>two</p>'],
  ['one\r\n \r\ntwo', '<p>one</p>\n<p>two</p>'],
  ['one\ntwo', '<p>one<br />\ntwo</p>'],
  ['one<br />\ntwo<br />three', '<p>one<br />\ntwo<br />three</p>'],
  ['one<br /> <br />two', '<p>one</p>\n<p>two</p>'],
  ['<b>one</b> two', '<p><b>one</b> two</p>'],
  ['<b>one\n\ntwo</b>', '<p><b>one<br />\n<br />\ntwo</b></p>'],
  ['<p>one</p><p>two</p>', '<p>one</p>\n<p>two</p>'],
  ['<p>one\ntwo\n\nthree</p>', '<p>one<br />\ntwo</p>\n<p>three</p>'],
  ['<p>one<br /></p><p></p><p>\n</p>', '<p>one</p>'],
  ['<p>\u00a0</p>', '<p>\u00a0</p>'],
  ['<h2>head</h2>text', '<h2>head</h2>\n<p>text</p>'],
  ['text<hr />text', '<p>text</p>\n<hr />\n<p>text</p>'],
  ['hi\n<ul><li>a</li><li>b</li></ul>\nbye', '<p>hi</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>bye</p>'],
  ['<ul><li>a<ul><li>b</li></ul></li></ul>', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>'],
  ['<div>a</div>', '<div>a</div>'],
  ['<div>a\n\nb</div>', '<div>\n<p>a</p>\n<p>b</p>\n</div>'],
  ['<div><p>a</p>b</div>', '<div>\n<p>a</p>\n<p>b</p>\n</div>'],
  ['<blockquote>a</blockquote>', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['a\n<pre>b\n\n<i>c</i>\n d</pre>\ne', '<p>a</p>\n<pre>b\n\n<i>c</i>\n d</pre>\n<p>e</p>'],
  ['<table><tr><td>a</td></tr></table>', '<table>\n<tr>\n<td>a</td>\n</tr>\n</table>'],
  [
    '<figure>\n<img src="x" />\n<figcaption>a</figcaption>\n</figure>',
    '<figure>\n<img src="x" /><figcaption>a</figcaption></figure>'
  ],
  ['<img src="x" alt="a\n\nb" />', '<p><img src="x" alt="a\n\nb" /></p>'],
  ['<a href="x"><div>a</div></a>', '<a href="x">\n<div>a</div>\n</a>'],
  ['5 &lt; 6 "quoted" -- it\'s', '<p>5 &lt; 6 "quoted" -- it\'s</p>']
] as const) {
  test(`${JSON.stringify(given)} is split into paragraphs as ${JSON.stringify(expected)}, and a second run changes nothing`, () => {
    assert.equal(addParagraphs(given), expected)
    assert.equal(addParagraphs(expected), expected)
  })
}

for (const [given, text] of [
  ['<b>Bold</b> <i>move', 'Bold move'],
  ['5 < 6 > 4', '5 < 6 > 4'],
  ['I <3 you', 'I <3 you'],
  ['a <b', 'a <b'],
  ['&lt;b&gt; is bold', '<b> is bold'],
  ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  ['Tom &amp; Jerry &#8211; &#x201c;live&#X201D; &eacute;&Eacute;&szlig;&yuml;', 'Tom & Jerry – “live” éÉßÿ'],
  ['Rock&Reggae, R&D; AT&T', 'Rock&Reggae, R&D; AT&T'],
  ['&#150;&#128;&#0;&#x110000;', '–€'],
  ['one<br>two<p>three</p>four', 'one two three four'],
  ['  a \n\t b\u00a0&nbsp;c ', 'a b c'],
  ['a\u0000b\u001b\u0085c', 'abc'],
  ['<script>alert(1)</script>Show', 'Show'],
  ['<!-- a > b -->Show', 'Show'],
  ['<a title="1 > 0" href=\'>\'>Show</a>', 'Show'],
  ["<b it's>Show</b> it's", "Show it's"],
  ['<<b>script>alert(1)<</b>/script>', '< script>alert(1)< /script>'],
  ['C:\\dir', 'C:\\dir'],
  ['\ud800', '\ufffd'],
  ['', '']
] as const) {
  test(`the title ${JSON.stringify(given)} is the text ${JSON.stringify(text)}`, () => {
    assert.equal(toSingleLineText(given), text)
  })
}

for (const [given, text] of [
  ['<p>one</p><p>two</p>', 'one\n\ntwo'],
  ['<p>one</p>\n\n\n<p>two<br />\nthree</p>\n', 'one\n\ntwo\nthree'],
  ['one\ntwo\n\n\n\nthree', 'one\ntwo\n\nthree'],
  ['one<br><br><br>two', 'one\n\ntwo'],
  ['<ul>\n<li>a</li>\n<li>b</li>\n</ul>', 'a\nb'],
  ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>', '1 2\n3'],
  ['<div>a</div><div>b</div>', 'a\nb'],
  ['<b>a</b> <i>b</i>c', 'a bc'],
  ['a &amp; b &lt;c&gt; 5 < 6', 'a & b <c> 5 < 6'],
  ['a<script>b</script><style>c</style>d', 'ad'],
  ['a&#0;\u0000b', 'ab'],
  ['', '']
] as const) {
  test(`the text of ${JSON.stringify(given)} is ${JSON.stringify(text)}`, () => {
    assert.equal(toMultilineText(given), text)
  })
}

const soup = fc
  .array(
    fc.constantFrom(
      ...'<p> </p> <div> </div> <b> </b> <ul> <li> </li> </ul> <br> a b &amp; &lt; &#1; < > & " = \\ <table> <tr> <td>'.split(
        ' '
      ),
      ...'</td> </table> <blockquote> </blockquote> <pre> </pre> <hr> <h2> </h2> <script> </script> <svg> </svg>'.split(
        ' '
      ),
      ...'<!-- --> <title> </title> <dl> <dt> <dd> </dd> <option> <math> <![CDATA[ ]]> <figure> </figure> </a>'.split(
        ' '
      ),
      ...[
        '\n',
        '\n\n',
        ' ',
        '<a href="x y">',
        '<a href="javascript:1" target=x>',
        '<img src=x alt="\n">',
        '<span lang=de>'
      ]
    ),
    { maxLength: 25 }
  )
  .map(parts => parts.join(''))

test('sanitising random tags a second time changes nothing, and nothing dangerous is left', () => {
  fc.assert(
    fc.property(soup, html => {
      const once = sanitize(html)
      assert.equal(sanitize(once), once)
      assert.doesNotMatch(once, /<(?:script|svg|math|title|option|!)|javascript:|target="?x/)
    }),
    { numRuns: countRuns(500) }
  )
})

test('adding paragraphs a second time changes nothing, and no word is lost', () => {
  fc.assert(
    fc.property(soup.map(sanitize), html => {
      const once = addParagraphs(html)
      assert.equal(addParagraphs(once), once)
      assert.equal(toMultilineText(once).replace(/\s/g, ''), toMultilineText(html).replace(/\s/g, ''))
    }),
    { numRuns: countRuns(500) }
  )
})

test('a text without tags and entities is not changed', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'ß', '日', '<3', '>', '"', "'", '&', '\\', '-', '%', '5') })
  fc.assert(
    fc.property(fc.array(word), words => {
      const text = words.join(' ').replace(/ +/g, ' ').trim()
      assert.equal(toSingleLineText(text), text)
    })
  )
})

for (const hostile of pickSample(
  [
    '<div>',
    '<b></i>',
    '<',
    '<a',
    '<a b="',
    '<a b=\'">',
    '<!--',
    '<script>',
    '<script></script ',
    '&',
    '&#',
    '<br>',
    '</p>',
    '<p>',
    '<ul><li>',
    '<<b>',
    '\n \n',
    '<b>x\n\n',
    '<figcaption> ',
    '<pre>'
  ],
  0
)) {
  test(`a long text of ${JSON.stringify(hostile)} is sanitised in linear time, and a second run changes nothing`, () => {
    const html = `${hostile.repeat(300_000 / hostile.length)}>`
    // A quadratic algorithm would exceed the timeout of the test runner.
    const clean = addParagraphs(sanitize(html))
    assert.ok(addParagraphs(sanitize(clean)) === clean)
    assert.equal(toSingleLineText(toSingleLineText(html)), toSingleLineText(html))
    assert.ok(toMultilineText(html).length <= html.length)
  })
}
