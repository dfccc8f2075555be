// Scenarios for the tests of the embedded store: folders, users and processes that are removed when a test ends.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { getNativeFolder } from '#platform/database/embedded/bundled-binaries.ts'
import { isServerOn, readPidFile } from '#platform/database/embedded/pid-file.ts'
import { type EmbeddedStore, serveEmbedded, servingLock, useEmbedded } from '#platform/database/embedded/store.ts'
import { newLog } from '#platform/log.ts'
import { root } from './project-root.ts'

/** A long timeout: it is reached only if the launcher is broken. */
export const deadlineMs = 20_000
export const nobody = { uid: 65534, gid: 65534 }
export const isRoot = process.getuid?.() === 0
export const onLinux = process.platform === 'linux' ? false : 'needs /proc'
export const log = newLog('silent')

/** Folders that several tests use. */
export const sharedFolders: string[] = []
after(async () => {
  for (const folder of sharedFolders) await rm(folder, { recursive: true, force: true })
})

export interface Scenario {
  base: string
  dataDir: string
  nodes: ChildProcess[]
}

/** A temporary folder for one test. Its processes are stopped, and the folder is deleted, when the test ends. */
export async function newScenario(t: TestContext, { ordinary = false, made = false } = {}): Promise<Scenario> {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'kalends-'))
  if (ordinary && isRoot) await chown(base, nobody.uid, nobody.gid)
  const scenario = { base, dataDir: join(base, 'data'), nodes: [] as ChildProcess[] }
  t.after(async () => {
    for (const store of stores.splice(0)) await store.stop()
    for (const node of scenario.nodes) node.kill('SIGKILL')
    // A server still runs only if the launcher is broken.
    const pid = await findServerPid(scenario.dataDir)
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
    await waitUntil(async () => (await findServerPid(scenario.dataDir)) === undefined)
    await rm(base, { recursive: true, force: true, maxRetries: 10 })
  })
  if (made) {
    template ??= createDataFolderTemplate()
    const copied = spawnSync('cp', ['-a', await template, scenario.dataDir])
    assert.equal(copied.status, 0, String(copied.stderr))
  }
  return scenario
}

export const stores: EmbeddedStore[] = []

/** Registers a store of this process to be stopped when the test ends, also if the test fails. */
export async function trackStore(opening: Promise<EmbeddedStore>): Promise<EmbeddedStore> {
  const store = await opening
  stores.push(store)
  return store
}

export let template: Promise<string> | undefined

/** A data folder to copy, for the tests that are not about the first start. */
export async function createDataFolderTemplate(): Promise<string> {
  const dataDir = await mkdtemp(join(await realpath(tmpdir()), 'kalends-template-'))
  sharedFolders.push(dataDir)
  const store = await trackStore(useEmbedded({ dataDir, log }))
  await store.stop()
  return dataDir
}

export interface StartedNode {
  started: Promise<Pick<EmbeddedStore, 'connection'>>
  /** Asks the process to stop its store; resolves with the exit code once it has ended by itself. */
  stop(): Promise<number | null>
  /** Asks the process to end without stopping its store; resolves with the exit code. */
  leave(): Promise<number | null>
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
}

export interface NodeOptions {
  how?: 'serve' | 'use'
  ordinary?: boolean
  path?: string
  nativeDir?: string
  checkout?: string
}

/** Starts another Node process that opens the store in the folder of the scenario. */
export async function startNode(scenario: Scenario, options: NodeOptions): Promise<StartedNode> {
  const { how = 'serve', ordinary = false, path = process.env.PATH, nativeDir = '' } = options
  const from = options.checkout ?? (ordinary ? await getReadableCheckout() : root)
  const program = `
    import { createInterface } from 'node:readline'
    import { serveFrom, useFrom } from '${from}src/platform/database/embedded/store.ts'
    import { getNativeFolder } from '${from}src/platform/database/embedded/bundled-binaries.ts'
    import { newLog } from '${from}src/platform/log.ts'
    const [dataDir, nativeDir, how] = process.argv.slice(1)
    try {
      const open = how === 'serve' ? serveFrom : useFrom
      const store = await open(nativeDir || getNativeFolder(), { dataDir, log: newLog('silent') })
      console.log(JSON.stringify({ connection: store.connection }))
      for await (const line of createInterface({ input: process.stdin })) {
        if (line === 'stop') await store.stop()
        break
      }
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }))
    }`
  const child = spawn(
    process.execPath,
    ['--import=tsx', '--input-type=module', '--eval', program, '--', scenario.dataDir, nativeDir, how],
    {
      ...(ordinary && isRoot ? nobody : {}),
      cwd: from,
      env: { PATH: path, HOME: scenario.base, TMPDIR: ordinary ? scenario.base : tmpdir() },
      stdio: ['pipe', 'pipe', 'inherit']
    }
  )
  scenario.nodes.push(child)
  child.stdin.on('error', () => child.stdin.destroy())
  const exited = once(child, 'exit')
  const answer = Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => JSON.parse(line)),
    exited.then(([code, signal]) => ({ error: `ended early: ${code ?? signal}` }))
  ])
  const started = answer.then(({ connection, error }) => {
    if (error !== undefined) throw new Error(error)
    return { connection }
  })
  const sendCommand = async (command: string): Promise<number | null> => {
    child.stdin.end(`${command}\n`)
    const [code] = await exited
    return code
  }
  return {
    started,
    stop: () => sendCommand('stop'),
    leave: () => sendCommand('leave'),
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    }
  }
}

export let readableCheckoutFolder: Promise<string> | undefined

/** A checkout that ordinary users can read: this one, or else a copy. */
export function getReadableCheckout(): Promise<string> {
  readableCheckoutFolder ??= findReadableCheckout()
  return readableCheckoutFolder
}

export async function findReadableCheckout(): Promise<string> {
  const probe = ['-c', 'test -r "$1"', 'sh', join(root, 'package.json')]
  if (!isRoot || spawnSync('/bin/sh', probe, { ...nobody, cwd: '/' }).status === 0) return root
  const copy = await mkdtemp(join(tmpdir(), 'kalends-checkout-'))
  sharedFolders.push(copy)
  await chmod(copy, 0o755)
  for (const name of ['package.json', 'tsconfig.json', 'node_modules', 'src/platform']) {
    await cp(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
  return `${copy}/`
}

/** A value for PATH with these programs only. */
export async function newPath(scenario: Scenario, ...programs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(scenario.base, 'path-'))
  await chmod(folder, 0o755)
  for (const program of programs) {
    const found = spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).stdout.trim()
    await symlink(found.startsWith('/') ? found : join('/bin', program), join(folder, program))
  }
  return folder
}

/** Copies the programs of PostgreSQL as npm installs them with --ignore-scripts: without links, initdb not executable. */
export async function copyPrograms(base: string): Promise<string> {
  const copy = join(base, 'native')
  const filter = async (path: string) => !(await lstat(path)).isSymbolicLink()
  await cp(getNativeFolder(), copy, { recursive: true, filter })
  await chmod(join(copy, 'bin', 'initdb'), 0o644)
  return copy
}

export async function assertSurvivesKill(
  scenario: Scenario,
  node: StartedNode,
  restart: () => Promise<StartedNode>
): Promise<void> {
  const client = await connectClient(await node.started)
  await client.query('create table note (number integer)')
  let acknowledged = 0
  let failure: unknown
  const write = async () => {
    while (failure === undefined) {
      await client.query('insert into note values ($1)', [acknowledged])
      acknowledged += 1
    }
  }
  write().catch(error => {
    failure = error
  })
  await waitUntil(async () => acknowledged >= 50)
  await node.kill()
  const restarting = restart()
  await waitUntil(async () => failure !== undefined)

  const again = await restarting
  const rows = await query(await again.started, 'select count(*)::int as count from note')
  // The last insert may have been committed without an acknowledgement.
  assert.ok([acknowledged, acknowledged + 1].includes(Number(rows[0]?.count)), `${rows[0]?.count} of ${acknowledged}`)
  await again.kill()
  await waitUntil(async () => (await findServerPid(scenario.dataDir)) === undefined)
}

export async function assertSupervised(scenario: Scenario): Promise<void> {
  if (process.platform !== 'linux') return
  const parent = await readStatusField(await findServerPid(scenario.dataDir), 1)
  assert.match(await readFile(`/proc/${parent}/cmdline`, 'utf8'), /^\/bin\/sh/)
}

/** Asserts that a server starts in a folder with lock files of a killed server, although they contain a running process id. */
export async function assertStartsDespiteLocks(t: TestContext, pid: number | undefined): Promise<void> {
  const { dataDir } = await newScenario(t, { made: true })
  const first = await trackStore(serveEmbedded({ dataDir, log }))
  const paths = [join(dataDir, 'postgres', 'postmaster.pid'), join(dataDir, 'socket', '.s.PGSQL.5432.lock')]
  const texts = await Promise.all(paths.map(path => readFile(path, 'utf8')))
  await first.stop()
  for (const [index, path] of paths.entries()) {
    await writeFile(path, String(texts[index]).replace(/^\d+/, String(pid)), { mode: 0o600 })
  }
  const second = await trackStore(serveEmbedded({ dataDir, log }))
  assert.deepEqual(await query(second, 'select 1 as one'), [{ one: 1 }])
  await second.stop()
  assert.deepEqual(await readdir(join(dataDir, 'socket')), [])
}

export async function killServer(dataDir: string): Promise<void> {
  const pid = await findServerPid(dataDir)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await waitUntil(async () => (await findServerPid(dataDir)) !== pid)
}

export async function findServerPid(dataDir: string): Promise<number | undefined> {
  const folder = join(dataDir, 'postgres')
  const file = await readPidFile(folder)
  return file !== undefined && (await isServerOn(file.pid, folder)) ? file.pid : undefined
}

/** A field of /proc/PID/stat: 0 is the state, 1 the parent, 2 the process group, 3 the session. */
export async function readStatusField(pid: number | undefined, index: number): Promise<string | number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const field = text.slice(text.lastIndexOf(')') + 2).split(' ')[index]
  return index === 0 ? field : Number(field)
}

export async function listUnfinished(dataDir: string): Promise<string[]> {
  const exists = (await readdir(join(dataDir, '..'))).includes('data')
  const names = exists ? await readdir(dataDir) : []
  return names.filter(name => name.startsWith('postgres.new-'))
}

export async function countLockHolders(store: Pick<EmbeddedStore, 'connection'>): Promise<number> {
  const text = `select count(*)::int as count from pg_locks where locktype = 'advisory' and granted
    and (classid::bigint << 32 | objid::bigint) = ${servingLock}`
  return Number((await query(store, text))[0]?.count)
}

export async function readServerSettings(store: EmbeddedStore): Promise<Record<string, unknown>> {
  const names = `'data_checksums', 'fsync', 'jit', 'listen_addresses', 'log_timezone', 'max_connections',
    'server_encoding', 'synchronous_commit', 'TimeZone'`
  const rows = await query(store, `select name, setting from pg_settings where name in (${names})`)
  return Object.fromEntries(rows.map(row => [String(row.name), row.setting]))
}

export async function isAnswering(store: Pick<EmbeddedStore, 'connection'>): Promise<boolean> {
  try {
    await query(store, 'select 1')
    return true
  } catch (error) {
    assert.ok(error instanceof Error)
    return false
  }
}

export async function query(
  store: Pick<EmbeddedStore, 'connection'>,
  text: string
): Promise<Record<string, unknown>[]> {
  const client = await connectClient(store)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function connectClient(store: Pick<EmbeddedStore, 'connection'>): Promise<pg.Client> {
  const client = new pg.Client(store.connection)
  // In tests that kill the server, the query fails too.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + deadlineMs
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${deadlineMs} ms: ${condition}`)
    await delay(20)
  }
}

export async function readMode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}
