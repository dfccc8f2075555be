import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedStore, serveEmbedded, serveFrom, servingLock, useEmbedded } from './database-embedded.ts'
import { isServerOn, nativeFolder, readPidFile } from './database-embedded-process.ts'
import { newLog } from './log.ts'

/** Generous: it only decides how long a broken launcher is waited for. */
const deadlineMs = 20_000
const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const onLinux = process.platform === 'linux' ? false : 'needs /proc'
const log = newLog('silent')

/** Folders that several tests use. */
const shared: string[] = []
after(async () => {
  for (const folder of shared) await rm(folder, { recursive: true, force: true })
})

test('the first start creates the store and a restart finds its rows again', async t => {
  const { dataDir } = await newScene(t)
  const first = await opened(serveEmbedded({ dataDir, log }))
  await query(first, 'create table note (text text)')
  await query(first, "insert into note values ('Grüße')")
  assert.deepEqual(await settingsOf(first), {
    data_checksums: 'on',
    fsync: 'on',
    jit: 'off',
    listen_addresses: '',
    log_timezone: 'UTC',
    max_connections: '60',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    TimeZone: 'UTC'
  })
  assert.equal(await modeOf(dataDir), 0o700)
  assert.equal(await modeOf(join(dataDir, 'socket')), 0o700)
  assert.equal(await modeOf(join(dataDir, 'postgres.log')), 0o600)
  await first.stop()
  await first.stop()
  assert.equal(await serverPid(dataDir), undefined)

  const second = await opened(serveEmbedded({ dataDir, log }))
  assert.deepEqual(second.connection, first.connection)
  assert.deepEqual(await query(second, 'select text from note'), [{ text: 'Grüße' }])
  await second.stop()
})

test('the server has the rights of its user, a session of its own and, for root, a user namespace', {
  skip: onLinux
}, async t => {
  const { dataDir } = await newScene(t, { made: true })
  const store = await opened(serveEmbedded({ dataDir, log }))
  const pid = await serverPid(dataDir)
  const uidMap = (await readFile(`/proc/${pid}/uid_map`, 'utf8')).trim().split(/\s+/)
  if (isRoot) assert.deepEqual(uidMap, ['65534', '0', '1'])
  assert.equal((await stat(`/proc/${pid}`)).uid, process.getuid?.())
  assert.equal((await stat(join(dataDir, 'postgres'))).uid, process.getuid?.())
  assert.equal(await statusField(pid, 3), pid, 'the session is the server’s own')
  await store.stop()
})

test('an ordinary user can serve, and the Node process ends by itself after stopping', async t => {
  const scene = await newScene(t, { ordinary: true })
  const node = await startNode(scene, { ordinary: true })
  const store = await node.started
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  assert.equal((await stat(join(scene.dataDir, 'postgres'))).uid, isRoot ? nobody.uid : process.getuid?.())
  assert.equal(await node.stop(), 0)
  assert.equal(await serverPid(scene.dataDir), undefined)
})

test('root serves the folder of an ordinary user as that user; others are told when they may not', async t => {
  const scene = await newScene(t, { ordinary: true })
  if (isRoot) {
    const root = await startNode(scene, { checkout: await readableCheckout() })
    await root.started
    await root.stop()
    assert.equal((await stat(join(scene.dataDir, 'postgres'))).uid, nobody.uid)
    const node = await startNode(scene, { ordinary: true })
    await node.started
    await node.stop()
  } else {
    await mkdir(scene.dataDir, { mode: 0o500 })
    await assert.rejects(serveEmbedded({ dataDir: scene.dataDir, log }), /may not write.*DATA_DIR/)
  }
})

test('without user namespaces root hands the folder to the postgres user, and an ordinary user needs none', async t => {
  const scene = await newScene(t)
  await chmod(scene.base, 0o755)
  const path = await newPath(scene, 'setpriv', 'true')
  const node = await startNode(scene, { path, checkout: await readableCheckout() })
  const postgres = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' })
  if (isRoot && postgres.status !== 0) {
    await assert.rejects(node.started, /DATABASE_URL/)
    return
  }
  assert.deepEqual(await query(await node.started, 'select 1 as one'), [{ one: 1 }])
  const owner = (await stat(join(scene.dataDir, 'postgres'))).uid
  assert.equal(owner, isRoot ? Number(postgres.stdout) : process.getuid?.())
  await node.stop()
})

test('root is told if PostgreSQL cannot reach the folder without root’s rights', {
  skip: isRoot ? false : 'an ordinary user has no more rights than the server'
}, async t => {
  const { dataDir } = await newScene(t, { ordinary: true })
  await mkdir(dataDir, { mode: 0o700 })
  await assert.rejects(serveEmbedded({ dataDir, log }), /cannot reach .*DATABASE_URL/)
})

test('without user namespaces root is told of DATABASE_URL if the postgres user cannot reach the folder', {
  skip: isRoot ? false : 'only root needs another user; the test before covers an ordinary one'
}, async t => {
  const scene = await newScene(t)
  const node = await startNode(scene, { path: await newPath(scene, 'setpriv', 'true') })
  await assert.rejects(node.started, /DATABASE_URL/)
})

test('a folder below one that only its owner may enter, with blanks and quotes in its path, works', async t => {
  const { base } = await newScene(t)
  const dataDir = join(base, `a "folder", that's mine`)
  const store = await opened(serveEmbedded({ dataDir, log }))
  assert.equal(await modeOf(base), 0o700)
  assert.equal(store.connection.host, join(dataDir, 'socket'))
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  await store.stop()
})

test('a path too long for a socket puts the socket into a private folder elsewhere', async t => {
  const { base } = await newScene(t)
  const dataDir = join(base, 'long'.repeat(40)).slice(0, 150)
  const store = await opened(serveEmbedded({ dataDir, log }))
  const socketDir = store.connection.host
  t.after(() => rm(socketDir, { recursive: true, force: true }))
  assert.ok(!socketDir.startsWith(dataDir))
  assert.equal(await modeOf(socketDir), 0o700)
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])

  const command = await opened(useEmbedded({ dataDir, log }))
  assert.equal(command.connection.host, socketDir)
  await command.stop()
  await store.stop()

  // Somebody else could have been there first.
  await rm(socketDir, { recursive: true })
  await symlink(base, socketDir)
  await assert.rejects(serveEmbedded({ dataDir, log }), /is not a folder of this user/)
})

test('programs installed without install scripts are completed', async t => {
  const { base, dataDir } = await newScene(t, { made: true })
  const nativeDir = await copyOfPrograms(base)
  const store = await opened(serveFrom(nativeDir, { dataDir, log }))
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  await store.stop()
  const lib = join('lib', 'libpq.so.5')
  assert.equal(await readlink(join(nativeDir, lib)), await readlink(join(nativeFolder(), lib)))
})

test('programs that are incomplete and cannot be completed are a clear error', async t => {
  const scene = await newScene(t, { ordinary: true })
  const nativeDir = await copyOfPrograms(scene.base)
  await chmod(join(nativeDir, 'lib'), 0o555)
  const node = await startNode(scene, { ordinary: true, nativeDir })
  await assert.rejects(node.started, /ran no install scripts.*npm rebuild.*DATABASE_URL/)
  await chmod(join(nativeDir, 'lib'), 0o755)
})

test('kill -9 of the serving process ends the server, and a restart at once has every acknowledged row', async t => {
  const scene = await newScene(t, { made: true })
  await survivesKill(scene, await startNode(scene, {}), () => startNode(scene, {}))
})

test('the same holds for an ordinary user without setpriv', async t => {
  const scene = await newScene(t, { ordinary: true })
  const path = await newPath(scene)
  const start = () => startNode(scene, { ordinary: true, path })
  const node = await start()
  await node.started
  await assertSupervised(scene)
  await survivesKill(scene, node, start)
})

test('the same holds for root, or with user namespaces allowed, without setpriv', async t => {
  const scene = await newScene(t, { made: true })
  const path = await newPath(scene, 'unshare', 'true')
  const start = () => startNode(scene, { path })
  const node = await start()
  await node.started
  await assertSupervised(scene)
  await survivesKill(scene, node, start)
})

test('the lock files of a server that is gone do not matter', async t => {
  const gone = spawn('true')
  await once(gone, 'exit')
  await startsDespiteLocksOf(t, gone.pid)
})

test('lock files that name a living process which is no server do not matter', async t => {
  const other = spawn('sleep', ['60'])
  t.after(() => other.kill('SIGKILL'))
  await startsDespiteLocksOf(t, other.pid)
})

test('lock files that name a zombie do not matter', { skip: onLinux }, async t => {
  // The shell becomes, before its child ends, a program that never asks how it ended.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  await until(async () => (await statusField(pid, 0)) === 'Z')
  await startsDespiteLocksOf(t, pid)
})

test('a server whose Kalends is gone is adopted, watched and stopped', async t => {
  const scene = await newScene(t, { made: true })
  const path = await newPath(scene, 'unshare', 'true')
  // Does not ask the kernel to end the server with its parent.
  await writeFile(join(path, 'setpriv'), '#!/bin/sh\nshift 2\nexec "$@"\n', { mode: 0o755 })
  const node = await startNode(scene, { path })
  await node.started
  const orphan = await serverPid(scene.dataDir)
  await node.kill()

  const store = await opened(serveEmbedded({ dataDir: scene.dataDir, log }))
  assert.equal(await serverPid(scene.dataDir), orphan)
  await killServer(scene.dataDir)
  await until(() => answers(store))
  assert.notEqual(await serverPid(scene.dataDir), orphan)
  await store.stop()
  assert.equal(await serverPid(scene.dataDir), undefined)
})

test('a second Kalends on the same folder refuses and does not disturb the first', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const first = await opened(serveEmbedded({ dataDir, log }))
  const pid = await serverPid(dataDir)
  await assert.rejects(serveEmbedded({ dataDir, log }), (error: Error) => {
    assert.match(error.message, /Another Kalends is already running.*DATA_DIR.*PORT/)
    assert.ok(error.message.includes(dataDir))
    return true
  })
  assert.equal(await serverPid(dataDir), pid)
  assert.deepEqual(await query(first, 'select 1 as one'), [{ one: 1 }])
  await first.stop()
})

test('of two first starts at the same instant one wins and the other refuses', async t => {
  const scene = await newScene(t)
  const nodes = await Promise.all([startNode(scene, {}), startNode(scene, {})])
  const outcomes = await Promise.allSettled(nodes.map(node => node.started))
  const winners = outcomes.filter(outcome => outcome.status === 'fulfilled')
  const losers = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.equal(winners.length, 1, losers.map(loser => String(loser.reason)).join('\n'))
  assert.match(String(losers[0]?.reason), /Another Kalends is already running/)
  const winner = nodes[outcomes.findIndex(outcome => outcome.status === 'fulfilled')]
  assert.ok(winner)
  await until(async () => answers(await winner.started))
  assert.deepEqual((await readdir(scene.dataDir)).sort(), ['postgres', 'postgres.log', 'socket'])
  assert.equal(await winner.stop(), 0)
})

test('a server that is killed is started again under the same address, with the lock', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const store = await opened(serveEmbedded({ dataDir, log }))
  await query(store, 'create table note (text text)')
  for (let round = 0; round < 2; round += 1) {
    await killServer(dataDir)
    await until(() => answers(store))
  }
  await until(async () => (await lockHolders(store)) === 1)
  assert.deepEqual(await query(store, 'select text from note'), [])
  await store.stop()
  assert.equal(await serverPid(dataDir), undefined)
})

test('stopping right after the server was killed leaves nothing running', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const store = await opened(serveEmbedded({ dataDir, log }))
  await killServer(dataDir)
  await store.stop()
  assert.equal(await serverPid(dataDir), undefined)
  await delay(300)
  assert.equal(await serverPid(dataDir), undefined)
})

test('the lock is taken again if only its session is ended', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const store = await opened(serveEmbedded({ dataDir, log }))
  const pid = await serverPid(dataDir)
  await query(store, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
  await until(async () => (await lockHolders(store)) === 1)
  assert.equal(await serverPid(dataDir), pid)
  await store.stop()
  assert.equal(await serverPid(dataDir), undefined)
})

test('a folder of another major version is refused with a way to go on', async t => {
  const { dataDir } = await newScene(t)
  await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  const refusal = /made by PostgreSQL 17, .*brings PostgreSQL 18.*backup.*DATABASE_URL/
  await assert.rejects(serveEmbedded({ dataDir, log }), refusal)
  await assert.rejects(useEmbedded({ dataDir, log }), refusal)
})

test('files that are not PostgreSQL’s are left alone', async t => {
  const { dataDir } = await newScene(t)
  await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'postgres', 'precious.txt'), 'mine')
  await assert.rejects(serveEmbedded({ dataDir, log }), /files that are not PostgreSQL's/)
  assert.deepEqual(await readdir(dataDir), ['postgres'])
})

test('a first start that is killed leaves a folder that starts', async t => {
  const scene = await newScene(t)
  const node = await startNode(scene, {})
  node.started.catch(() => undefined)
  await until(async () => (await unfinished(scene.dataDir)).length === 1)
  await node.kill()
  const store = await opened(serveEmbedded({ dataDir: scene.dataDir, log }))
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(await unfinished(scene.dataDir), [])
  await store.stop()
})

test('a server that does not start says why', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const command = await opened(useEmbedded({ dataDir, log }))
  await command.stop()
  await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense = 1\n')
  await assert.rejects(serveEmbedded({ dataDir, log }), /postgres\.log:\n.*unrecognized configuration parameter/s)
})

test('a large log is put aside at the next start', async t => {
  const { dataDir } = await newScene(t, { made: true })
  await writeFile(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024))
  const command = await opened(useEmbedded({ dataDir, log }))
  await command.stop()
  assert.equal((await stat(join(dataDir, 'postgres.log.1'))).size, 11 * 1024 * 1024)
  assert.ok((await stat(join(dataDir, 'postgres.log'))).size < 1024 * 1024)
})

test('a command uses the server of the serving process and leaves it running', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const serving = await opened(serveEmbedded({ dataDir, log }))
  const pid = await serverPid(dataDir)
  const command = await opened(useEmbedded({ dataDir, log }))
  assert.deepEqual(await query(command, 'select 1 as one'), [{ one: 1 }])
  await command.stop()
  assert.equal(await serverPid(dataDir), pid)
  assert.ok(await answers(serving))
  await serving.stop()
})

test('a command alone starts a server and stops it, and one that forgets to still leaves none', async t => {
  const scene = await newScene(t, { made: true })
  const command = await opened(useEmbedded({ dataDir: scene.dataDir, log }))
  assert.deepEqual(await query(command, 'select 1 as one'), [{ one: 1 }])
  await command.stop()
  assert.equal(await serverPid(scene.dataDir), undefined)

  const node = await startNode(scene, { how: 'use' })
  await node.started
  assert.equal(await node.leave(), 0)
  await until(async () => (await serverPid(scene.dataDir)) === undefined)
})

test('a serving process outlives the command whose server it adopted', async t => {
  const { dataDir } = await newScene(t, { made: true })
  const command = await opened(useEmbedded({ dataDir, log }))
  const serving = await opened(serveEmbedded({ dataDir, log }))
  await command.stop()
  await until(() => answers(serving))
  await serving.stop()
  assert.equal(await serverPid(dataDir), undefined)
})

interface Scene {
  base: string
  dataDir: string
  nodes: ChildProcess[]
}

/** A temporary folder for one test; what runs in it is ended with the test. */
async function newScene(t: TestContext, { ordinary = false, made = false } = {}): Promise<Scene> {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'kalends-'))
  if (ordinary && isRoot) await chown(base, nobody.uid, nobody.gid)
  const scene = { base, dataDir: join(base, 'data'), nodes: [] as ChildProcess[] }
  t.after(async () => {
    for (const store of stores.splice(0)) await store.stop()
    for (const node of scene.nodes) node.kill('SIGKILL')
    // Only a launcher that is broken leaves one.
    const pid = await serverPid(scene.dataDir)
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
    await until(async () => (await serverPid(scene.dataDir)) === undefined)
    await rm(base, { recursive: true, force: true, maxRetries: 10 })
  })
  if (made) {
    template ??= makeTemplate()
    const copied = spawnSync('cp', ['-a', await template, scene.dataDir])
    assert.equal(copied.status, 0, String(copied.stderr))
  }
  return scene
}

const stores: EmbeddedStore[] = []

/** Remembers a store of this process, so that a test that fails does not leave it open. */
async function opened(opening: Promise<EmbeddedStore>): Promise<EmbeddedStore> {
  const store = await opening
  stores.push(store)
  return store
}

let template: Promise<string> | undefined

/** A data folder to copy, for the tests that are not about the first start. */
async function makeTemplate(): Promise<string> {
  const dataDir = await mkdtemp(join(await realpath(tmpdir()), 'kalends-template-'))
  shared.push(dataDir)
  const store = await opened(useEmbedded({ dataDir, log }))
  await store.stop()
  return dataDir
}

interface StartedNode {
  started: Promise<Pick<EmbeddedStore, 'connection'>>
  /** Asks the process to stop its store; resolves with the exit code once it has ended by itself. */
  stop(): Promise<number | null>
  /** Asks it to end without stopping its store. */
  leave(): Promise<number | null>
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>
}

interface NodeOptions {
  how?: 'serve' | 'use'
  ordinary?: boolean
  path?: string
  nativeDir?: string
  checkout?: string
}

/** Another Node process that opens the store on the scene's folder. */
async function startNode(scene: Scene, options: NodeOptions): Promise<StartedNode> {
  const { how = 'serve', ordinary = false, path = process.env.PATH, nativeDir = '' } = options
  const from = options.checkout ?? (ordinary ? await readableCheckout() : checkout)
  const program = `
    import { createInterface } from 'node:readline'
    import { serveFrom, useFrom } from '${from}src/platform/database-embedded.ts'
    import { nativeFolder } from '${from}src/platform/database-embedded-process.ts'
    import { newLog } from '${from}src/platform/log.ts'
    const [dataDir, nativeDir, how] = process.argv.slice(1)
    try {
      const open = how === 'serve' ? serveFrom : useFrom
      const store = await open(nativeDir || nativeFolder(), { dataDir, log: newLog('silent') })
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
    [
      '--conditions=source',
      '--import=tsx',
      '--input-type=module',
      '--eval',
      program,
      '--',
      scene.dataDir,
      nativeDir,
      how
    ],
    {
      ...(ordinary && isRoot ? nobody : {}),
      cwd: from,
      env: { PATH: path, HOME: scene.base, TMPDIR: ordinary ? scene.base : tmpdir() },
      stdio: ['pipe', 'pipe', 'inherit']
    }
  )
  scene.nodes.push(child)
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
  const tell = async (word: string): Promise<number | null> => {
    child.stdin.end(`${word}\n`)
    const [code] = await exited
    return code
  }
  return {
    started,
    stop: () => tell('stop'),
    leave: () => tell('leave'),
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    }
  }
}

const checkout = fileURLToPath(new URL('../../', import.meta.url))
let readable: Promise<string> | undefined

/** A checkout that ordinary users can read: this one, or else a copy. */
function readableCheckout(): Promise<string> {
  readable ??= findReadableCheckout()
  return readable
}

async function findReadableCheckout(): Promise<string> {
  const probe = ['-c', 'test -r "$1"', 'sh', join(checkout, 'package.json')]
  if (!isRoot || spawnSync('/bin/sh', probe, { ...nobody, cwd: '/' }).status === 0) return checkout
  const copy = await mkdtemp(join(tmpdir(), 'kalends-checkout-'))
  shared.push(copy)
  await chmod(copy, 0o755)
  for (const name of ['package.json', 'tsconfig.json', 'node_modules', 'src/platform']) {
    await cp(join(checkout, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
  return `${copy}/`
}

/** A search path with nothing but these programs. */
async function newPath(scene: Scene, ...programs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(scene.base, 'path-'))
  await chmod(folder, 0o755)
  for (const program of programs) {
    const found = spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).stdout.trim()
    await symlink(found.startsWith('/') ? found : join('/bin', program), join(folder, program))
  }
  return folder
}

/** PostgreSQL's programs as npm leaves them with --ignore-scripts: no links, and perhaps not executable. */
async function copyOfPrograms(base: string): Promise<string> {
  const copy = join(base, 'native')
  const filter = async (path: string) => !(await lstat(path)).isSymbolicLink()
  await cp(nativeFolder(), copy, { recursive: true, filter })
  await chmod(join(copy, 'bin', 'initdb'), 0o644)
  return copy
}

async function survivesKill(scene: Scene, node: StartedNode, restart: () => Promise<StartedNode>): Promise<void> {
  const client = await connected(await node.started)
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
  await until(async () => acknowledged >= 50)
  await node.kill()
  const restarting = restart()
  await until(async () => failure !== undefined)

  const again = await restarting
  const rows = await query(await again.started, 'select count(*)::int as count from note')
  // The last insert may have been committed without the word getting through.
  assert.ok([acknowledged, acknowledged + 1].includes(Number(rows[0]?.count)), `${rows[0]?.count} of ${acknowledged}`)
  await again.kill()
  await until(async () => (await serverPid(scene.dataDir)) === undefined)
}

async function assertSupervised(scene: Scene): Promise<void> {
  if (process.platform !== 'linux') return
  const parent = await statusField(await serverPid(scene.dataDir), 1)
  assert.match(await readFile(`/proc/${parent}/cmdline`, 'utf8'), /^\/bin\/sh/)
}

/** Starts on a folder whose lock files, those of a server that was killed, name this process. */
async function startsDespiteLocksOf(t: TestContext, pid: number | undefined): Promise<void> {
  const { dataDir } = await newScene(t, { made: true })
  const first = await opened(serveEmbedded({ dataDir, log }))
  const paths = [join(dataDir, 'postgres', 'postmaster.pid'), join(dataDir, 'socket', '.s.PGSQL.5432.lock')]
  const texts = await Promise.all(paths.map(path => readFile(path, 'utf8')))
  await first.stop()
  for (const [index, path] of paths.entries()) {
    await writeFile(path, String(texts[index]).replace(/^\d+/, String(pid)), { mode: 0o600 })
  }
  const second = await opened(serveEmbedded({ dataDir, log }))
  assert.deepEqual(await query(second, 'select 1 as one'), [{ one: 1 }])
  await second.stop()
  assert.deepEqual(await readdir(join(dataDir, 'socket')), [])
}

async function killServer(dataDir: string): Promise<void> {
  const pid = await serverPid(dataDir)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await until(async () => (await serverPid(dataDir)) !== pid)
}

async function serverPid(dataDir: string): Promise<number | undefined> {
  const folder = join(dataDir, 'postgres')
  const file = await readPidFile(folder)
  return file !== undefined && (await isServerOn(file.pid, folder)) ? file.pid : undefined
}

/** A field of /proc/PID/stat, counted from the state, which is 0; then come the parent, the group and the session. */
async function statusField(pid: number | undefined, index: number): Promise<string | number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const field = text.slice(text.lastIndexOf(')') + 2).split(' ')[index]
  return index === 0 ? field : Number(field)
}

async function unfinished(dataDir: string): Promise<string[]> {
  const isMade = (await readdir(join(dataDir, '..'))).includes('data')
  const names = isMade ? await readdir(dataDir) : []
  return names.filter(name => name.startsWith('postgres.new-'))
}

async function lockHolders(store: Pick<EmbeddedStore, 'connection'>): Promise<number> {
  const text = `select count(*)::int as count from pg_locks where locktype = 'advisory' and granted
    and (classid::bigint << 32 | objid::bigint) = ${servingLock}`
  return Number((await query(store, text))[0]?.count)
}

async function settingsOf(store: EmbeddedStore): Promise<Record<string, unknown>> {
  const names = `'data_checksums', 'fsync', 'jit', 'listen_addresses', 'log_timezone', 'max_connections',
    'server_encoding', 'synchronous_commit', 'TimeZone'`
  const rows = await query(store, `select name, setting from pg_settings where name in (${names})`)
  return Object.fromEntries(rows.map(row => [String(row.name), row.setting]))
}

async function answers(store: Pick<EmbeddedStore, 'connection'>): Promise<boolean> {
  try {
    await query(store, 'select 1')
    return true
  } catch (error) {
    assert.ok(error instanceof Error)
    return false
  }
}

async function query(store: Pick<EmbeddedStore, 'connection'>, text: string): Promise<Record<string, unknown>[]> {
  const client = await connected(store)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function connected(store: Pick<EmbeddedStore, 'connection'>): Promise<pg.Client> {
  const client = new pg.Client(store.connection)
  // The tests that kill servers see the failure in the query.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + deadlineMs
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${deadlineMs} ms: ${condition}`)
    await delay(20)
  }
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}
