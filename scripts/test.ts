// Runs the tests on the embedded store, and those that declare it also on a PostgreSQL server that this program starts.
//   npm test                              what `npm run check` runs
//   npm test -- --full                    what `npm run check:all` runs
//   npm test -- --on server keys mail     only on the server, only files whose path contains "keys" or "mail"
// A test file declares in its first line how it runs: scripts/test-declaration.ts.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installBrowser } from '#test/support/browser.ts'
import { createDataFolder, createTemplate } from '#test/support/database.ts'
import { startEmbeddedServer, startPostgresServer } from '#test/support/postgres-server.ts'
import { readChildCpuSeconds } from './cpu-time.mjs'
import { listPreparable, readRecordedStatements } from './statements.ts'
import { selectTestFiles, type TestFile } from './test-declaration.ts'
import { compileTests, groupFiles, listTestFiles } from './test-files.ts'

const { values, positionals } = parseArgs({
  options: { on: { type: 'string' }, full: { type: 'boolean', default: false } },
  allowPositionals: true
})
const all = listTestFiles()
if (positionals.length > 0 && !all.some(({ path }) => positionals.some(word => path.includes(word)))) {
  console.log(`No test file has ${positionals.map(word => `"${word}"`).join(' or ')} in its path.`)
  process.exit(1)
}
const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
if (build.status !== 0) process.exit(1)

installBrowser()

// In memory, commits do not wait for a disk. Whatever the tests leave behind is deleted with the folder.
const folder = mkdtempSync(join(findLargeMemoryFolder() ?? tmpdir(), 'kalends-'))
chmodSync(folder, 0o755)
process.env.TMPDIR = folder
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const compiled = await compileTests()
console.log(`Build and compilation: ${readChildCpuSeconds()} s of processor time`)
const failures = join(folder, 'failures.txt')
const dataFolder = mkdtempSync(join(folder, 'data-'))
const failed: string[] = []
/** The statements that the tests sent to the embedded store and that it can prepare. */
let statements: string[] = []
for (const store of ['embedded', 'server'] as const) {
  if (values.on !== undefined && values.on !== store) continue
  const files = selectTestFiles(all, { store, isFull: values.full, named: positionals })
  if (files.length === 0) continue
  const before = readChildCpuSeconds()
  const server = await (store === 'embedded' ? startEmbeddedServer() : startPostgresServer())
  try {
    await createTemplate(server.url)
    if (store === 'embedded') await createDataFolder(dataFolder)
    console.log(`\nTests on the ${store === 'embedded' ? 'embedded store' : 'PostgreSQL server'}`)
    const recorded = mkdtempSync(join(folder, 'statements-'))
    if (!(await run(files, store, server.url, recorded))) failed.push(store)
    if (store === 'embedded') statements = await listPreparable(server.url, readRecordedStatements(recorded))
    else if (values.on === undefined && !(await canPrepareAll(server.url))) failed.push(store)
  } finally {
    await server.stop()
  }
  console.log(`${files.length} files on this store: ${readChildCpuSeconds() - before} s of processor time`)
}
if (failed.length > 0) {
  console.log(`\nTests failed on: ${failed.join(', ')}`)
  if (existsSync(failures)) console.log(readFileSync(failures, 'utf8'))
  process.exit(1)
}

/** Embedded store and server are two versions of PostgreSQL: a statement that one accepts, the other has to accept. */
async function canPrepareAll(url: string): Promise<boolean> {
  const prepared = new Set(await listPreparable(url, statements))
  const refused = statements.filter(text => !prepared.has(text))
  console.log(`\n${prepared.size} statements of the tests on the embedded store can be prepared on the server`)
  for (const text of refused) console.log(`\nThe server refuses:\n${text}`)
  return refused.length === 0 && prepared.size > 0
}

async function run(files: TestFile[], store: string, url: string, recorded: string): Promise<boolean> {
  const env = {
    ...process.env,
    ...(values.full ? { TEST_FULL: 'yes' } : {}),
    ...{ TEST_STORE: store, TEST_DATABASE_URL: url, TEST_STATEMENTS: recorded, TEST_DATA_FOLDER: dataFolder },
    TEST_FAILURES: failures
  }
  const words = ['--enable-source-maps', 'scripts/run-tests.mjs', ...groupFiles(files, compiled)]
  const child = spawn(process.execPath, words, { stdio: 'inherit', env })
  const stopChild = () => child.kill()
  process.once('exit', stopChild)
  const [code] = await once(child, 'exit')
  process.off('exit', stopChild)
  return code === 0
}

/** Linux's folder in memory, unless it is as small as in most containers. */
function findLargeMemoryFolder(): string | undefined {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return undefined
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 1024 ** 3 ? memory : undefined
}
