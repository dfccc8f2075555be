import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findCrowdedParts,
  findFolderCycles,
  findFunctionsWithoutVerb,
  findLongFiles,
  findPrivateInternals,
  findRetiredWords,
  findSharedTypeNames,
  findUpwardImports,
  findUrlCanParse
} from '../support/architecture-rules.ts'
import { findInlineTexts } from '../support/inline-texts.ts'
import { findLongParameterLists } from '../support/long-parameter-lists.ts'
import type { File } from '../support/source-files.ts'

const newFile = (path: string, text = ''): File => ({ path, text })

test('a cycle of folders is found with its imports; imports in one direction are no cycle', () => {
  const lower = newFile('src/platform/http/errors.ts', "import { a } from '../problem.ts'")
  const upper = newFile('src/platform/server.ts', "import { b } from './http/errors.ts'")
  assert.deepEqual(findFolderCycles([lower, upper]), [])
  const back = newFile('src/platform/http/deep/one.ts', "import type { Server } from '../../server.ts'")
  const down = newFile('src/platform/http/two.ts', "import { c } from './deep/one.ts'")
  const [cycle, ...others] = findFolderCycles([lower, upper, back, down])
  assert.deepEqual(others, [])
  assert.match(cycle ?? '', /src\/platform\/http\/deep.*one\.ts imports \.\.\/\.\.\/server\.ts/)
})

test('an exported function without a verb is found in every kind of declaration; components and types are allowed', () => {
  const text = `
export function headOf(x: string): string {}
export async function* listRows() {}
export const wordsIn = (text: string) => text
export const isFine = async (a: number): Promise<boolean> => true
export const limit = 5
export const cors = fastifyPlugin(async app => {})
function privateOf() {}
export interface Thing {}`
  assert.deepEqual(findFunctionsWithoutVerb([newFile('src/web/a.ts', text)]), [
    'src/web/a.ts: headOf',
    'src/web/a.ts: wordsIn'
  ])
  assert.deepEqual(findFunctionsWithoutVerb([newFile('src/web/b.tsx', 'export function Badge() {}')]), [])
  assert.equal(findFunctionsWithoutVerb([newFile('src/web/b.ts', 'export function Badge() {}')]).length, 1)
})

test('two exported types of one name are found within a part, and not across parts', () => {
  const [one, two] = [
    newFile('src/web/a.ts', 'export interface Row {}'),
    newFile('src/web/b.ts', 'export type Row = string')
  ]
  assert.equal(findSharedTypeNames([one, two]).length, 1)
  assert.deepEqual(findSharedTypeNames([one, newFile('src/platform/b.ts', 'export type Row = string')]), [])
})

test('uses of internals of Node and packages are found; parameters of the calendar and comments are allowed', () => {
  const internals = [
    'connection._send = message => true',
    'const header = response._header',
    'Object.assign(this._result, shape)',
    "const { [Symbol.for('skip-override')]: skips } = plugin",
    'const stream = log[pino.symbols.streamSym]',
    'Server.prototype.close = () => {}',
    'socket.setTimeout = ms => socket',
    'pool.connect = async function () {}',
    "app.server.removeListener('request', app.routing)"
  ]
  for (const line of internals) assert.equal(findPrivateInternals([newFile('src/platform/a.ts', line)]).length, 1, line)
  const fine = [
    'if (rawParams._envelope === undefined) reply.code(200)',
    '// as response._header in older versions',
    'Server.prototype.close.call(app.server)',
    'route.handler = withResponseCache(route.handler)',
    'request.caller = anonymousCaller'
  ]
  assert.deepEqual(findPrivateInternals([newFile('src/platform/a.ts', fine.join('\n'))]), [])
})

test('a part with more than 16 files directly in it is found', () => {
  const files = Array.from({ length: 16 }, (_, index) => newFile(`src/platform/file-${index}.ts`))
  assert.deepEqual(findCrowdedParts([...files, newFile('src/platform/http/one.ts')]), [])
  assert.equal(findCrowdedParts([...files, newFile('src/platform/one-more.ts')]).length, 1)
})

test('queries that import routes, and schemas that import queries, are found', () => {
  const queries = newFile('src/platform/keys/queries.ts', "import { x } from './routes.ts'")
  const schema = newFile('src/platform/keys/user-schema.ts', "import { x } from './user-queries.ts'")
  const fine = newFile(
    'src/platform/keys/routes.ts',
    "import { x } from './queries.ts'\nimport { y } from './schema.ts'"
  )
  assert.equal(findUpwardImports([queries, schema, fine]).length, 2)
})

test('a fifth positional parameter is found in every kind of declaration; arguments of calls are not counted', () => {
  const longLists = `
export async function declare<Row>(tx: Database, by: Caller, now = new Date(), action: string, what: object) {}
const shorten = (a: Map<string, number>, b: [string, string], { c, d }: Pair, ...rest: string[]) => rest
const arrow = async (one, two, three, four, five) => await call(one, two, three, four, five)
interface Shape {
  method(a: string, b: string, c: string, d: string, e?: string): void
  property: (a: string, b: string, c: string, d: string, e: string) => void
}
class Thing {
  constructor(
    readonly a: string,
    // One, two, three
    b: (x: number, y: number) => void,
    c = 'a, b',
    d: string,
    e: string
  ) {}
}
const strings = { changed(a, b, c, d, e) { return a } }
const choice = isFine ? call(one, two, three, four, five) : five
if (isOne(a, b, c, d, e)) {
  sql\`insert into platform.things (a, b, c, d, e) values (1, 2, 3, 4, \${five}::text)\`
}`
  assert.deepEqual(findLongParameterLists([newFile('src/web/a.ts', longLists)]), [
    'src/web/a.ts: declare has 5 parameters',
    'src/web/a.ts: arrow has 5 parameters',
    'src/web/a.ts: method has 5 parameters',
    'src/web/a.ts: property has 5 parameters',
    'src/web/a.ts: constructor has 5 parameters',
    'src/web/a.ts: changed has 5 parameters'
  ])
})

test('a file of more than 300 lines is found', () => {
  const longest = newFile('src/web/a.ts', 'export {}\n'.repeat(300))
  assert.deepEqual(findLongFiles([longest]), [])
  assert.deepEqual(findLongFiles([{ ...longest, text: `${longest.text}\n` }]), ['src/web/a.ts has 301 lines'])
})

test('a retired word is found in names of files, exports, settings, metrics, jobs and commands, and not in texts', () => {
  const names = { settings: ['RATE_LIMIT'], commands: ['rotate-key'] }
  const text = `
const sealed = 'a sealed letter at the door'
export const doorstep = 1
export function newCache() {}
const job = { name: 'send-emails', run }`
  assert.deepEqual(findRetiredWords([newFile('src/platform/cache/store.ts', text)], names), [])
  const planted: [where: string, text: string, found: string][] = [
    ['src/platform/turnstile.ts', '', 'turnstile.ts'],
    ['src/platform/courier/sender.ts', '', 'courier'],
    ['src/web/a.ts', 'export async function newShelf() {}', 'newShelf'],
    ['src/web/a.ts', 'export const SEALED_COLUMNS = 1', 'SEALED_COLUMNS'],
    ['src/web/a.ts', 'export { one, two as Desk }', 'Desk'],
    ['src/web/a.ts', "const job = { name: 'forget-letters', run }", 'forget-letters'],
    ['src/web/a.ts', "gauge('kalends_letters_waiting')", 'kalends_letters_waiting']
  ]
  for (const [where, content, found] of planted) {
    assert.deepEqual(findRetiredWords([newFile(where, content)], names), [`${where}: ${found}`])
  }
  assert.deepEqual(findRetiredWords([], { settings: ['VAULT_KEY'], commands: ['seal'] }), [
    'setting: VAULT_KEY',
    'command: seal'
  ])
})

test('URL.canParse is found on the server, and not in a browser', () => {
  const text = 'if (!URL.canParse(website)) return null'
  assert.deepEqual(findUrlCanParse([newFile('src/calendar/a.ts', text)]), ['src/calendar/a.ts'])
  assert.deepEqual(
    findUrlCanParse([newFile('src/web/client/a.ts', text), newFile('src/web/b.ts', 'canParseUrl(text)')]),
    []
  )
})

test('texts in two languages and comparisons with German are found; codes, types and places in the list are allowed', () => {
  const planted = [
    "const text = { en: 'Not found.', de: 'Nicht gefunden.' }",
    '  de: `Es gibt Termine.`',
    '  \'de\': "Spende"',
    '  de: (name: string) => `Guten Tag`',
    "  de: name => 'Guten Tag'",
    "  de: ['Tag', 'Betrag']",
    '  de: {',
    'throw newProblem(400, { en, de })',
    'const newProblem = (en: string, de: string) => new Problem(400, code, { en, de })',
    "const word = language === 'de' ? 'Spende' : 'Donation'",
    "if ('de' !== language) return"
  ]
  for (const line of planted) {
    assert.deepEqual(findInlineTexts([newFile('src/web/a.ts', `\n${line}`)]), [`src/web/a.ts:2: ${line.trim()}`])
    assert.deepEqual(findInlineTexts([newFile('src/calendar/seed/a.ts', line)]), [])
  }
  const fine = [
    "examples: [['de', 'en']]",
    'interface Row { en: string; de: string }',
    'alternates: { en: one, de: other }',
    "const mode: 'a' | 'b' = 'a'",
    "if (language === 'den') return"
  ]
  assert.deepEqual(findInlineTexts([newFile('src/web/a.ts', fine.join('\n'))]), [])
})
