import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseTestDeclaration, selectTestFiles, type TestRun } from '../../scripts/test-declaration.ts'
import { root } from '../support/project-root.ts'
import { listSourceFiles } from '../support/source-files.ts'

const parse = (text: string, path = 'src/one.test.ts') => parseTestDeclaration(path, text)

test('a file without a declaration shares a process, and runs on the embedded store in every check', () => {
  assert.deepEqual(parse("import assert from 'node:assert/strict'\n"), {
    path: 'src/one.test.ts',
    needsOwnProcess: false,
    isLong: false,
    runsOnServer: 'never',
    isFullOnly: false
  })
})

test('the first line declares how a file runs', () => {
  const { path: _, ...declared } = parse('// test: own process, long, server, full\n// What it is about.\n')
  assert.deepEqual(declared, { needsOwnProcess: true, isLong: true, runsOnServer: 'always', isFullOnly: true })
  assert.equal(parse('// test: both stores\n').runsOnServer, 'full check')
})

for (const [description, text, message] of [
  ['an unknown word', '// test: own proces\n', /declares "own proces". Known are: own process, long, server/],
  ['a word of every object', '// test: constructor\n', /declares "constructor"/],
  ['no word', '// test: \n', /declares ""/],
  ['a word twice', '// test: long, long\n', /declares "long" twice/],
  ['two words that exclude each other', '// test: server, both stores\n', /both "server" and "both stores"/],
  ['a declaration below the first line', '// A comment.\n// test: server\n', /below the first line/]
] as const) {
  test(`${description} is refused`, () => {
    assert.throws(() => parse(text), message)
  })
}

test('a run selects the files that are declared for its store and depth, or that are named', () => {
  const files = [
    parse('', 'src/plain.test.ts'),
    parse('// test: server\n', 'src/server.test.ts'),
    parse('// test: both stores\n', 'src/both.test.ts'),
    parse('// test: full\n', 'src/full.test.ts')
  ]
  const select = (run: TestRun) => selectTestFiles(files, run).map(({ path }) => path.slice(4, -8))
  assert.deepEqual(select({ store: 'embedded', isFull: false, named: [] }), ['plain', 'server', 'both'])
  assert.deepEqual(select({ store: 'embedded', isFull: true, named: [] }), ['plain', 'server', 'both', 'full'])
  assert.deepEqual(select({ store: 'server', isFull: false, named: [] }), ['server'])
  assert.deepEqual(select({ store: 'server', isFull: true, named: [] }), ['server', 'both'])
  assert.deepEqual(select({ store: 'embedded', isFull: false, named: ['full'] }), ['full'])
  assert.deepEqual(select({ store: 'server', isFull: false, named: ['both', 'plain'] }), ['both'])
})

test('every declaration is valid, and CONTRIBUTING.md explains every word', () => {
  const manual = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const files = ['src', 'test'].flatMap(listSourceFiles).filter(({ path }) => path.endsWith('.test.ts'))
  const declared = files.filter(({ path, text }) => {
    const file = parseTestDeclaration(path, text)
    return file.needsOwnProcess || file.runsOnServer !== 'never' || file.isFullOnly
  })
  assert.ok(declared.length > 50, `only ${declared.length} files declare anything`)
  for (const word of ['own process', 'long', 'server', 'both stores', 'full']) {
    assert.ok(manual.includes(`| \`${word}\` |`), word)
  }
})

test('every file in test/ outside of test/support is a test or a scenario', () => {
  // Scenarios are the files that the programs of `npm run test:faults`, `test:security` and `test:ha` list.
  const scenarios = /^test\/(?:faults|security|ha)\/[a-z-]+\.ts$/
  const strays = listSourceFiles('test')
    .map(({ path }) => path)
    .filter(path => !path.startsWith('test/support/') && !path.endsWith('.test.ts') && !scenarios.test(path))
  assert.deepEqual(strays, [])
})
