import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, anEvent, withRole } = await startCalendar()
const author = await withRole('author')
const contributor = await withRole('contributor')
const events = `${calendar}/events`

test('titles are plain text: tags are removed, entities decoded, other characters kept', async () => {
  const titles: [string, string][] = [
    ['Rock &amp; Roll', 'Rock & Roll'],
    ['Rock & Roll', 'Rock & Roll'],
    ['<b>Bold</b> <script>alert(1)</script>move', 'Bold move'],
    ['“Quotes” -- and ... it’s', '“Quotes” -- and ... it’s'],
    ['3 < 4 > 2', '3 < 4 > 2'],
    ['C:\\new\\table', 'C:\\new\\table'],
    ['line\none', 'line one'],
    ['&#8220;x&#8221;', '“x”'],
    ['O\'Neil "x"', 'O\'Neil "x"']
  ]
  for (const [sent, expected] of titles) {
    const created = await anEvent({ title: sent })
    assert.equal(created.title, expected, sent)
    assert.equal((await visitor.get(`${events}/${created.id}`)).body.title, expected)
    assert.equal((await admin.put(`${events}/${created.id}`, { title: expected })).body.title, expected)
  }
})

test('description and excerpt are sanitized HTML in paragraphs, for every role', async () => {
  const cases: [string, RegExp, RegExp][] = [
    ['<p onclick="x()">Hi</p>', /^<p>Hi<\/p>$/, /onclick/],
    ['a<script>alert(1)</script>b', /a.*b/s, /<script|alert/],
    ['<a href="javascript:alert(1)">x</a>', /x/, /javascript/],
    ['<img src=x onerror=alert(1)>', /^/, /onerror/],
    ['<iframe src="https://evil.example"></iframe>ok', /ok/, /iframe/],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>ok', /ok/, /onerror|<svg|<style/],
    ['<strong>kept</strong> <em>too</em>', /<strong>kept<\/strong> <em>too<\/em>/, /script/],
    ['one\n\ntwo\nthree', /^<p>one<\/p>\n<p>two<br \/>\nthree<\/p>$/, /script/],
    ['C:\\new\\table \\\\ \\0', /C:\\new\\table \\\\ \\0/, /script/]
  ]
  for (const by of [admin, author, contributor]) {
    for (const [sent, has, hasNot] of cases) {
      const created = await anEvent({ description: sent, excerpt: sent }, by)
      for (const member of ['description', 'excerpt']) {
        assert.match(created[member], has, sent)
        assert.doesNotMatch(created[member], hasNot, sent)
      }
    }
  }
})

test('description and excerpt can be cleared separately, and in one language only', async () => {
  const { id } = await anEvent({ description: 'Long', excerpt: 'Short' })
  const path = `${events}/${id}`
  for (const emptyValue of ['', null]) {
    await admin.put(path, { description: 'Long', excerpt: 'Short' })
    const emptied = await admin.put(path, { description: emptyValue })
    assert.deepEqual([emptied.body.description, emptied.body.excerpt], ['', '<p>Short</p>'])
    assert.equal((await admin.put(path, { excerpt: emptyValue })).body.excerpt, '')
  }
  await admin.put(path, { description: 'English' })
  await admin.put(`${path}?language=de`, { description: 'Deutsch' })
  await admin.put(`${path}?language=de`, { description: '' })
  assert.equal((await visitor.get(`${path}?language=de`)).body.description, '')
  assert.equal((await visitor.get(`${path}?language=en`)).body.description, '<p>English</p>')
  assert.equal((await anEvent({ description: '<script></script>' })).description, '')
})

test('json_ld has no markup', async () => {
  const { id } = await anEvent({ title: 'A & B', description: '<p>One &amp; <b>two</b></p>' })
  const { json_ld } = (await visitor.get(`${events}/${id}`)).body
  assert.deepEqual([json_ld.name, json_ld.description], ['A & B', 'One & two'])
})

test('a description that a client sends back as it was returned stays the same', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '\n',
      '\n\n',
      '<br>',
      '&amp;',
      '&lt;',
      '<ul><li>',
      '</li></ul>',
      '\\',
      '<pre>',
      '</pre>',
      '<script>',
      '"'
    ),
    fc.string({ maxLength: 5 })
  )
  const { id } = await anEvent()
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async pieces => {
      const first = await admin.put(`${events}/${id}`, { description: pieces.join('') })
      assert.equal(first.status, 200, first.text)
      const other = await anEvent({ description: first.body.description })
      assert.equal(other.description, first.body.description)
    }),
    { numRuns: countRuns(40) }
  )
})

test('long texts of markup fragments are sanitized or refused, without a server error', async () => {
  const { id } = await anEvent()
  for (const unit of ['<', '<p>', '&', '<b ', '<!--', ' \n', '</', '"<a href=']) {
    const { status } = await admin.put(`${events}/${id}`, {
      title: unit.repeat(Math.floor(500 / unit.length)),
      description: unit.repeat(Math.floor(399_000 / unit.length))
    })
    assert.ok(status === 200 || status === 400, `${unit}: ${status}`)
  }
})
