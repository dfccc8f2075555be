// Runs the tests on the embedded store, and those that declare it also on a PostgreSQL server that this program starts.
//   npm test                              what `npm run check` runs
//   npm test -- --full                    what `npm run check:all` runs
//   npm test -- --on server keys mail     only on the server, only files whose path contains "keys" or "mail"
//   npm run test:citus                    the tests of donations on the Citus cluster of CITUS_DATABASE_URL, which has to exist
// A test file declares in its first line how it runs: scripts/test-declaration.ts.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installBrowser } from '#test/support/browser.ts'
import { findCitusProblem } from '#test/support/citus.ts'
import { createDataFolder, createTemplate } from '#test/support/database.ts'
import { startEmbeddedServer, startPostgresServer } from '#test/support/postgres-server.ts'
import { readChildCpuSeconds } from './cpu-time.mjs'
import { listPreparable, readRecordedStatements } from './statements.ts'
import { type Store, selectTestFiles, type TestFile } from './test-declaration.ts'
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
const citusProblem = values.on === 'citus' ? await findCitusProblem(process.env.CITUS_DATABASE_URL) : undefined
if (citusProblem !== undefined) {
  console.error(citusProblem)
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
const isOn = (store: string) => values.on === undefined || values.on === store
const onEmbedded = isOn('embedded') ? runOnEmbeddedStore(selectFiles('embedded')) : undefined
// At the same time: the tests on the server wait most of the time, for locks and timeouts.
const onServer = isOn('server') ? runOnServer(selectFiles('server'), onEmbedded) : undefined
const results = {
  'the embedded store': await onEmbedded,
  'the PostgreSQL server': await onServer,
  Citus: values.on === 'citus' ? await runOnCitus(selectFiles('citus')) : undefined
}
const failed = Object.entries(results).flatMap(([store, result]) => (result?.hasPassed === false ? [store] : []))
console.log(`Tests: ${readChildCpuSeconds()} s of processor time`)
if (failed.length > 0) {
  console.log(`\nTests failed on ${failed.join(' and ')}`)
  if (existsSync(failures)) console.log(readFileSync(failures, 'utf8'))
  process.exit(1)
}

function selectFiles(store: Store): TestFile[] {
  return selectTestFiles(all, { store, isFull: values.full, named: positionals })
}

interface Result {
  hasPassed: boolean
  /** The statements that the tests sent to the embedded store and that it can prepare. */
  statements: string[]
}

async function runOnEmbeddedStore(files: TestFile[]): Promise<Result> {
  if (files.length === 0) return { hasPassed: true, statements: [] }
  const server = await startEmbeddedServer()
  try {
    await createTemplate(server.url)
    await createDataFolder(dataFolder)
    const recorded = mkdtempSync(join(folder, 'statements-'))
    console.log(`\n${files.length} test files on the embedded store`)
    const hasPassed = await run(files, { store: 'embedded', url: server.url, recorded })
    return { hasPassed, statements: await listPreparable(server.url, readRecordedStatements(recorded)) }
  } finally {
    await server.stop()
  }
}

/**
 * One file at a time, because the tests on the embedded store need the processors; their output comes first. A full run has as many tests on
 * the server, which therefore run afterwards.
 */
async function runOnServer(files: TestFile[], onEmbedded: Promise<Result> | undefined): Promise<Result> {
  if (files.length === 0) return { hasPassed: true, statements: [] }
  if (values.full) await onEmbedded
  const server = await startPostgresServer()
  try {
    await createTemplate(server.url)
    const recorded = mkdtempSync(join(folder, 'statements-'))
    const isAlone = values.full || onEmbedded === undefined
    let output = ''
    const hasPassed = await run(files, {
      ...{ store: 'server', url: server.url, recorded },
      ...(isAlone ? {} : { concurrency: 1, print: (text: string) => (output += text) })
    })
    const statements = (await onEmbedded)?.statements ?? []
    console.log(`\n${files.length} test files on the PostgreSQL server\n${output}`)
    return {
      hasPassed: (statements.length === 0 || (await canPrepareAll(server.url, statements))) && hasPassed,
      statements
    }
  } finally {
    await server.stop()
  }
}

/** Two files at a time: every statement keeps the coordinator and its workers busy. */
async function runOnCitus(files: TestFile[]): Promise<Result> {
  const url = process.env.CITUS_DATABASE_URL ?? ''
  await createTemplate(url)
  const recorded = mkdtempSync(join(folder, 'statements-'))
  console.log(`\n${files.length} test files on Citus`)
  return { hasPassed: await run(files, { store: 'citus', url, recorded, concurrency: 2 }), statements: [] }
}

/** Embedded store and server are two versions of PostgreSQL: a statement that one accepts, the other has to accept. */
async function canPrepareAll(url: string, statements: string[]): Promise<boolean> {
  const prepared = new Set(await listPreparable(url, statements))
  const refused = statements.filter(text => !prepared.has(text))
  console.log(`\n${prepared.size} statements of the tests on the embedded store can be prepared on the server`)
  for (const text of refused) console.log(`\nThe server refuses:\n${text}`)
  return refused.length === 0 && prepared.size > 0
}

interface RunOptions {
  store: Store
  url: string
  /** Folder for the statements that the tests send. */
  recorded: string
  concurrency?: number
  print?: (text: string) => void
}

async function run(files: TestFile[], { store, url, recorded, concurrency, print }: RunOptions): Promise<boolean> {
  const env = {
    ...process.env,
    ...(values.full ? { TEST_FULL: 'yes' } : {}),
    ...{ TEST_STORE: store, TEST_DATABASE_URL: url, TEST_STATEMENTS: recorded, TEST_DATA_FOLDER: dataFolder },
    ...(concurrency === undefined ? {} : { TEST_CONCURRENCY: String(concurrency) }),
    TEST_FAILURES: failures
  }
  // Many short-lived objects: fewer collections of garbage, from the start.
  const words = [
    '--min-semi-space-size=64',
    '--enable-source-maps',
    'scripts/run-tests.mjs',
    ...groupFiles(files, store, compiled)
  ]
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', print === undefined ? 'inherit' : 'pipe', 'inherit'],
    env
  })
  if (print !== undefined) child.stdout?.setEncoding('utf8').on('data', print)
  const stopChild = () => child.kill()
  process.once('exit', stopChild)
  const [code] = await once(child, 'close')
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
