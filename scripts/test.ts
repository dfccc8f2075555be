// Runs the tests on the embedded store, and what depends on a store also on a PostgreSQL server that it starts for the purpose.
//   npm test                              everything
//   npm test -- --on server keys mail     only on the server, only files whose path contains "keys" or "mail"
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installBrowser } from '#test/support/browser.ts'
import { createDataFolder, createTemplate } from '#test/support/database.ts'
import { startEmbeddedServer, startPostgresServer } from '#test/support/postgres-server.ts'
import { preparable, statementsIn } from './statements.ts'
import { compileTests, inGroups, testFiles } from './test-files.ts'

const { values, positionals } = parseArgs({ options: { on: { type: 'string' } }, allowPositionals: true })
const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
if (build.status !== 0) process.exit(1)

installBrowser()

// What tests wait for most is a disk that makes sure: in memory there is none. Everything that they leave goes with the folder.
const folder = mkdtempSync(join(memoryWithRoom() ?? tmpdir(), 'kalends-'))
chmodSync(folder, 0o755)
process.env.TMPDIR = folder
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const files = testFiles().filter(file => positionals.length === 0 || positionals.some(word => file.includes(word)))
if (files.length === 0) {
  console.log(`No test file has ${positionals.map(word => `"${word}"`).join(' or ')} in its path.`)
  process.exit(1)
}
const compiled = await compileTests()
const place = mkdtempSync(join(folder, 'place-'))
const failed: string[] = []
/** What the tests have sent to the embedded store, and can be prepared there. */
let statements: string[] = []
for (const [name, start] of Object.entries({ embedded: startEmbeddedServer, server: startPostgresServer })) {
  if (values.on !== undefined && values.on !== name) continue
  // What does not ask a database, and the launcher's own tests, do not depend on where the others run.
  const own = files.filter(file => name === 'embedded' || asksDatabase(file))
  if (own.length === 0) continue
  const server = await start()
  try {
    await createTemplate(server.url)
    if (name === 'embedded') await createDataFolder(place)
    console.log(`\nTests on the ${name === 'embedded' ? 'embedded store' : 'PostgreSQL server'}`)
    const told = mkdtempSync(join(folder, 'statements-'))
    if (!(await run(own, name, server.url, told))) failed.push(name)
    if (name === 'embedded') statements = await preparable(server.url, statementsIn(told))
    else if (values.on === undefined && !(await areUnderstood(server.url))) failed.push(name)
  } finally {
    await server.stop()
  }
}
if (failed.length > 0) {
  console.log(`\nTests failed on: ${failed.join(', ')}`)
  process.exit(1)
}

/** Two versions of PostgreSQL: what the one takes, the other has to take. */
async function areUnderstood(url: string): Promise<boolean> {
  const understood = new Set(await preparable(url, statements))
  const refused = statements.filter(text => !understood.has(text))
  console.log(`\n${understood.size} statements of the tests on the embedded store can be prepared on the server`)
  for (const text of refused) console.log(`\nIt refuses:\n${text}`)
  return refused.length === 0 && understood.size > 0
}

/** Every test that needs a database gets it from test/; those there are about the whole. */
function asksDatabase(file: string): boolean {
  // Pages ask the services, and what is refused is refused before a database is asked.
  const whole = /^test.*(architecture|build|citus|deploy|hostile|journeys|openapi|pages|roles|security)/
  // The drill of backups is about both stores itself; how commands are spelled and said does not depend on one, and
  // several processes and crashes are tested on both.
  const commands = /^src.(main|cli.(backup|serve|serve-stop))\.test/
  // Every route is walked through for what has nothing to do with a store.
  const walks = /^src.platform.http.(etag|security-headers|openapi)\.test/
  if (/^src.web/.test(file) || [whole, commands, walks].some(some => some.test(file))) return false
  if (file.startsWith('test')) return true
  const source = readFileSync(file, 'utf8')
  if (file.includes('database/embedded/') || !source.includes("from '#test/")) return false
  // Statements are prepared on the server all the same: what is left is what several do at once, and what becomes of a
  // program whose database is slow, away or another one.
  return source.includes('Promise.all') || /archive|database|event-stream|jobs|migrat|outage|webhooks.sender/.test(file)
}

async function run(tests: string[], store: string, url: string, told: string): Promise<boolean> {
  const env = { ...process.env, TEST_STORE: store, TEST_DATABASE_URL: url, TEST_STATEMENTS: told, TEST_PLACE: place }
  const words = ['--enable-source-maps', 'scripts/run-tests.mjs', ...inGroups(tests, compiled)]
  const child = spawn(process.execPath, words, { stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  return code === 0
}

/** Linux's own folder in memory, where it is not a token one as in most containers. */
function memoryWithRoom(): string | undefined {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return undefined
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 1024 ** 3 ? memory : undefined
}
