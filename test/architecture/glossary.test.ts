import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDeadWords, readDeadWords } from '../support/glossary.ts'
import { root } from '../support/project-root.ts'
import { type File, listSourceFiles } from '../support/source-files.ts'

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const words = readDeadWords(glossary)
const find = (path: string, text: string) => findDeadWords([{ path, text }], words)

/** Files with words of other programs' files, and generated files. */
const notOurs = new Set([
  'src/calendar/imports/sources/csv/fields.ts',
  'src/fundraising/payments/statements/parsers/table-fields.ts',
  'src/client/api.ts',
  'src/platform/messages/catalogue.ts'
])

test('the dead words of both languages are read from the glossary', () => {
  for (const word of ['Kampagne*', 'Quittung*', 'somebody', 'mend', 'taken back', 'e-mail*']) {
    assert.ok(words.includes(word), word)
  }
})

test('no text of the program, its documents and its API has a dead word', () => {
  const source = listSourceFiles('src').filter(
    ({ path }) => /\.tsx?$/.test(path) && !path.includes('.test.') && !notOurs.has(path)
  )
  // Paths are names, as identifiers are.
  const catalogues = listSourceFiles('messages').filter(({ path }) => !path.endsWith('/paths.json'))
  assert.ok(catalogues.length > 100, 'Messages are not read any more.')
  const documents = listSourceFiles('docs').filter(
    ({ path }) => /\.(?:md|json)$/.test(path) && path !== 'docs/glossary.md'
  )
  const others: File[] = ['README.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md'].map(path => ({
    path,
    text: readFileSync(join(root, path), 'utf8')
  }))
  assert.deepEqual([...new Set(findDeadWords([...source, ...catalogues, ...documents, ...others], words))], [])
})

test('a dead word is found in strings, templates, JSX, prose and OpenAPI', () => {
  const planted: [path: string, text: string, found: string][] = [
    ['src/web/a.ts', "const en = { none: 'Nothing that somebody has done.' }", 'src/web/a.ts:1: somebody'],
    ['src/web/a.ts', "\nconst de = { title: 'Kampagnen' }", 'src/web/a.ts:2: Kampagnen'],
    [
      'src/web/a.ts',
      'const text = `$' + '{name} was taken back by $' + '{`a $' + '{who}`}.`',
      'src/web/a.ts:1: taken back'
    ],
    ['src/web/a.ts', 'const text = `$' + '{sum(`$' + '{a} Quittung`)} paid`', 'src/web/a.ts:1: Quittung'],
    ['src/web/a.ts', "const form = /['`]/\nconst text = 'Please mend it.'", 'src/web/a.ts:2: mend'],
    ['src/web/a.tsx', 'return <p class="x">Sent by e-mail {at}</p>', 'src/web/a.tsx:1: e-mail'],
    ['messages/de/a.json', '{ "title": "Kampagnen" }', 'messages/de/a.json: title: Kampagnen'],
    [
      'messages/en/a.json',
      '{ "done": "{count, plural, one {Please mend it} other {}}" }',
      'messages/en/a.json: done: mend'
    ],
    ['docs/a.md', '# Title\n\nWhoever reads this.', 'docs/a.md:3: Whoever'],
    [
      'docs/api/a.json',
      '{ "paths": { "/a": { "get": { "summary": "List what is whole" } } } }',
      'docs/api/a.json: is whole'
    ]
  ]
  for (const [path, text, found] of planted) assert.deepEqual(find(path, text), [found], text)
})

test('dead words are allowed in names, SQL, comments, quotations and as part of other words', () => {
  const fine: [path: string, text: string][] = [
    ['src/web/a.ts', '// What somebody has taken back\nconst nobody = 1 /* Kampagne */'],
    ['src/web/a.ts', "const code = 'taken-back'\nimport { mend } from './mend.ts'\nspawn('nobody')"],
    ['src/web/a.ts', "await db.run(sql`select somebody from platform.meanwhile where 'is whole'`)"],
    ['src/web/a.ts', "const text = 'The old text said “Please mend it.” and `somebody`: see https://example.org/anew'"],
    ['src/web/a.ts', "const text = 'We recommend an E-Mail to the Veranstalter at the Veranstaltungsort.'"],
    ['src/web/a.ts', "const text = format('{promised} of {target}')"],
    ['docs/a.md', 'It said “somebody”. `nobody` is a user.\n\n```\nwhoever\n```\n\n> meanwhile\n\n[a page](anew.md)'],
    ['docs/api/a.json', '{ "operationId": "taken back", "description": "Of `somebody`." }']
  ]
  for (const [path, text] of fine) assert.deepEqual(find(path, text), [], text)
})
