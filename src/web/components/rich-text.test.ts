import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repairTags } from './rich-text.tsx'

test('images and links of texts are valid HTML, also where sanitizing removed their addresses', () => {
  for (const [written, shown] of [
    ['<p><img src="/a.png" width="9" /></p>', '<p><img alt="" src="/a.png" width="9" /></p>'],
    ['<img src="/a.png" alt="A cat" />', '<img src="/a.png" alt="A cat" />'],
    ['<p>a<img alt="x" />b<img /></p>', '<p>ab</p>'],
    ['<a rel="noopener nofollow ugc" target="_blank">x</a>', '<a>x</a>'],
    [
      '<a href="/x" rel="noopener">x</a><abbr title="a">b</abbr>',
      '<a href="/x" rel="noopener">x</a><abbr title="a">b</abbr>'
    ]
  ] as const) {
    assert.equal(repairTags(written), shown)
  }
})

test('characters that a URL must not contain are encoded in links and images, and nothing else is', () => {
  assert.equal(
    repairTags('<a title="a b" href=" https://example.org/a b&quot;c?x={1}&amp;y=%20#é">a b "c"</a>'),
    '<a title="a b" href="https://example.org/a%20b%22c?x=%7B1%7D&amp;y=%20#é">a b "c"</a>'
  )
  assert.equal(repairTags('<img src="/a b.png" alt="a b">'), '<img src="/a%20b.png" alt="a b">')
})
