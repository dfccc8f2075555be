// test: own process, long
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertStartsDespiteLocks,
  assertSupervised,
  assertSurvivesKill,
  copyPrograms,
  countLockHolders,
  findServerPid,
  getReadableCheckout,
  isAnswering,
  isRoot,
  killServer,
  listUnfinished,
  log,
  newPath,
  newScenario,
  nobody,
  onLinux,
  query,
  readMode,
  readServerSettings,
  readStatusField,
  startNode,
  trackStore,
  waitUntil
} from '#test/support/embedded-store.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { getNativeFolder } from './bundled-binaries.ts'
import { serveEmbedded, serveFrom, useEmbedded } from './store.ts'

test('the first start creates the store and a restart finds its rows again', async t => {
  const { dataDir } = await newScenario(t)
  const first = await trackStore(serveEmbedded({ dataDir, log }))
  await query(first, 'create table note (text text)')
  await query(first, "insert into note values ('Grüße')")
  assert.deepEqual(await readServerSettings(first), {
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
  assert.equal(await readMode(dataDir), 0o700)
  assert.equal(await readMode(join(dataDir, 'socket')), 0o700)
  assert.equal(await readMode(join(dataDir, 'postgres.log')), 0o600)
  await first.stop()
  await first.stop()
  assert.equal(await findServerPid(dataDir), undefined)

  const second = await trackStore(serveEmbedded({ dataDir, log }))
  assert.deepEqual(second.connection, first.connection)
  assert.deepEqual(await query(second, 'select text from note'), [{ text: 'Grüße' }])
  await second.stop()
})

test('onLaunch is called when PostgreSQL is started, and not if it is already running', async t => {
  const { dataDir } = await newScenario(t, { made: true })
  let launches = 0
  const onLaunch = () => {
    launches += 1
  }
  const store = await trackStore(serveEmbedded({ dataDir, log, onLaunch }))
  assert.equal(launches, 1)
  const command = await trackStore(useEmbedded({ dataDir, log, onLaunch }))
  assert.equal(launches, 1)
  await command.stop()
  await store.stop()
})

test('the server has the rights of its user, a session of its own and, for root, a user namespace', {
  skip: skipUnlessFull || onLinux
}, async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const store = await trackStore(serveEmbedded({ dataDir, log }))
  const pid = await findServerPid(dataDir)
  const uidMap = (await readFile(`/proc/${pid}/uid_map`, 'utf8')).trim().split(/\s+/)
  if (isRoot) assert.deepEqual(uidMap, ['65534', '0', '1'])
  assert.equal((await stat(`/proc/${pid}`)).uid, process.getuid?.())
  assert.equal((await stat(join(dataDir, 'postgres'))).uid, process.getuid?.())
  assert.equal(await readStatusField(pid, 3), pid, 'the session is the server’s own')
  await store.stop()
})

test('an ordinary user can serve, and the Node process ends by itself after stopping', {
  skip: skipUnlessFull
}, async t => {
  const scenario = await newScenario(t, { ordinary: true })
  const node = await startNode(scenario, { ordinary: true })
  const store = await node.started
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  assert.equal((await stat(join(scenario.dataDir, 'postgres'))).uid, isRoot ? nobody.uid : process.getuid?.())
  assert.equal(await node.stop(), 0)
  assert.equal(await findServerPid(scenario.dataDir), undefined)
})

test('root serves the folder of an ordinary user as that user; an ordinary user gets an error for a read-only folder', {
  skip: skipUnlessFull
}, async t => {
  const scenario = await newScenario(t, { ordinary: true })
  if (isRoot) {
    const root = await startNode(scenario, { checkout: await getReadableCheckout() })
    await root.started
    await root.stop()
    assert.equal((await stat(join(scenario.dataDir, 'postgres'))).uid, nobody.uid)
    const node = await startNode(scenario, { ordinary: true })
    await node.started
    await node.stop()
  } else {
    await mkdir(scenario.dataDir, { mode: 0o500 })
    await assert.rejects(serveEmbedded({ dataDir: scenario.dataDir, log }), /may not write.*DATA_DIR/)
  }
})

test('an ordinary user gets an error if the data folder belongs to another user', {
  skip: isRoot ? skipUnlessFull : 'only root can create a folder of another user'
}, async t => {
  const scenario = await newScenario(t, { ordinary: true })
  await mkdir(scenario.dataDir, { mode: 0o700 })
  const node = await startNode(scenario, { ordinary: true })
  await assert.rejects(node.started, /The data folder .* belongs to another user \(id 0; this is 65534\).*chown/)
})

test('without user namespaces root gives the folder to the postgres user, and an ordinary user keeps it', {
  skip: skipUnlessFull
}, async t => {
  const scenario = await newScenario(t)
  await chmod(scenario.base, 0o755)
  const path = await newPath(scenario, 'setpriv', 'true')
  const node = await startNode(scenario, { path, checkout: await getReadableCheckout() })
  const postgres = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' })
  if (isRoot && postgres.status !== 0) {
    await assert.rejects(node.started, /DATABASE_URL/)
    return
  }
  assert.deepEqual(await query(await node.started, 'select 1 as one'), [{ one: 1 }])
  const owner = (await stat(join(scenario.dataDir, 'postgres'))).uid
  assert.equal(owner, isRoot ? Number(postgres.stdout) : process.getuid?.())
  await node.stop()
})

test('root gets an error if PostgreSQL cannot access the folder without root’s rights', {
  skip: isRoot ? false : 'an ordinary user has no more rights than the server'
}, async t => {
  const { dataDir } = await newScenario(t, { ordinary: true })
  await mkdir(dataDir, { mode: 0o700 })
  await assert.rejects(serveEmbedded({ dataDir, log }), /cannot reach .*DATABASE_URL/)
})

test('without user namespaces root gets an error that names DATABASE_URL if the postgres user cannot access the folder', {
  skip: skipUnlessFull || (isRoot ? false : 'only root needs another user; the previous test covers an ordinary one')
}, async t => {
  const scenario = await newScenario(t)
  const node = await startNode(scenario, { path: await newPath(scenario, 'setpriv', 'true') })
  await assert.rejects(node.started, /DATABASE_URL/)
})

test('a folder below one that only its owner may enter, with blanks and quotes in its path, works', {
  skip: skipUnlessFull
}, async t => {
  const { base } = await newScenario(t)
  const dataDir = join(base, `a "folder", that's mine`)
  const store = await trackStore(serveEmbedded({ dataDir, log }))
  assert.equal(await readMode(base), 0o700)
  assert.equal(store.connection.host, join(dataDir, 'socket'))
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  await store.stop()
})

test('a path too long for a socket puts the socket into a private folder elsewhere', {
  skip: skipUnlessFull
}, async t => {
  const { base } = await newScenario(t)
  const dataDir = join(base, 'long'.repeat(40)).slice(0, 150)
  const store = await trackStore(serveEmbedded({ dataDir, log }))
  const socketDir = store.connection.host
  t.after(() => rm(socketDir, { recursive: true, force: true }))
  assert.ok(!socketDir.startsWith(dataDir))
  assert.equal(await readMode(socketDir), 0o700)
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])

  const command = await trackStore(useEmbedded({ dataDir, log }))
  assert.equal(command.connection.host, socketDir)
  await command.stop()
  await store.stop()

  // Another user could have created the path first.
  await rm(socketDir, { recursive: true })
  await symlink(base, socketDir)
  await assert.rejects(serveEmbedded({ dataDir, log }), /is not a folder of this user/)
})

test('programs installed without install scripts are completed', { skip: skipUnlessFull }, async t => {
  const { base, dataDir } = await newScenario(t, { made: true })
  const nativeDir = await copyPrograms(base)
  const store = await trackStore(serveFrom(nativeDir, { dataDir, log }))
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  await store.stop()
  const lib = join('lib', 'libpq.so.5')
  assert.equal(await readlink(join(nativeDir, lib)), await readlink(join(getNativeFolder(), lib)))
})

test('programs that are incomplete and cannot be completed give a clear error', { skip: skipUnlessFull }, async t => {
  const scenario = await newScenario(t, { ordinary: true })
  const nativeDir = await copyPrograms(scenario.base)
  await chmod(join(nativeDir, 'lib'), 0o555)
  const node = await startNode(scenario, { ordinary: true, nativeDir })
  await assert.rejects(node.started, /ran no install scripts.*npm rebuild.*DATABASE_URL/)
  await chmod(join(nativeDir, 'lib'), 0o755)
})

test('kill -9 of the serving process ends the server, and an immediate restart has every acknowledged row', async t => {
  const scenario = await newScenario(t, { made: true })
  await assertSurvivesKill(scenario, await startNode(scenario, {}), () => startNode(scenario, {}))
})

test('kill -9 loses no acknowledged row for an ordinary user without setpriv', { skip: skipUnlessFull }, async t => {
  const scenario = await newScenario(t, { ordinary: true })
  const path = await newPath(scenario)
  const start = () => startNode(scenario, { ordinary: true, path })
  const node = await start()
  await node.started
  await assertSupervised(scenario)
  await assertSurvivesKill(scenario, node, start)
})

test('kill -9 loses no row for root, or with user namespaces, without setpriv', { skip: skipUnlessFull }, async t => {
  const scenario = await newScenario(t, { made: true })
  const path = await newPath(scenario, 'unshare', 'true')
  const start = () => startNode(scenario, { path })
  const node = await start()
  await node.started
  await assertSupervised(scenario)
  await assertSurvivesKill(scenario, node, start)
})

test('lock files that name a process that has ended do not prevent a start', { skip: skipUnlessFull }, async t => {
  const ended = spawn('true')
  await once(ended, 'exit')
  await assertStartsDespiteLocks(t, ended.pid)
})

test('lock files that name another running program do not prevent a start', { skip: skipUnlessFull }, async t => {
  const other = spawn('sleep', ['60'])
  t.after(() => other.kill('SIGKILL'))
  await assertStartsDespiteLocks(t, other.pid)
})

test('lock files that name a zombie process do not prevent a start', { skip: skipUnlessFull || onLinux }, async t => {
  // Before its child ends, the shell is replaced by a program that never waits for it.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  await waitUntil(async () => (await readStatusField(pid, 0)) === 'Z')
  await assertStartsDespiteLocks(t, pid)
})

test('a server whose Kalends was killed is adopted, restarted and stopped', { skip: skipUnlessFull }, async t => {
  const scenario = await newScenario(t, { made: true })
  const path = await newPath(scenario, 'unshare', 'true')
  // Replaces setpriv, so that the server does not end with its parent.
  await writeFile(join(path, 'setpriv'), '#!/bin/sh\nshift 2\nexec "$@"\n', { mode: 0o755 })
  const node = await startNode(scenario, { path })
  await node.started
  const orphan = await findServerPid(scenario.dataDir)
  await node.kill()

  const store = await trackStore(serveEmbedded({ dataDir: scenario.dataDir, log }))
  assert.equal(await findServerPid(scenario.dataDir), orphan)
  await killServer(scenario.dataDir)
  await waitUntil(() => isAnswering(store))
  assert.notEqual(await findServerPid(scenario.dataDir), orphan)
  await store.stop()
  assert.equal(await findServerPid(scenario.dataDir), undefined)
})

test('a second Kalends on the same folder refuses to start and does not disturb the first', async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const first = await trackStore(serveEmbedded({ dataDir, log }))
  const pid = await findServerPid(dataDir)
  await assert.rejects(serveEmbedded({ dataDir, log }), (error: Error) => {
    assert.match(error.message, /Another Kalends is already running.*DATA_DIR.*PORT/)
    assert.ok(error.message.includes(dataDir))
    return true
  })
  assert.equal(await findServerPid(dataDir), pid)
  assert.deepEqual(await query(first, 'select 1 as one'), [{ one: 1 }])
  await first.stop()
})

test('of two concurrent first starts one succeeds and the other refuses', { skip: skipUnlessFull }, async t => {
  const scenario = await newScenario(t)
  const nodes = await Promise.all([startNode(scenario, {}), startNode(scenario, {})])
  const outcomes = await Promise.allSettled(nodes.map(node => node.started))
  const winners = outcomes.filter(outcome => outcome.status === 'fulfilled')
  const losers = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.equal(winners.length, 1, losers.map(loser => String(loser.reason)).join('\n'))
  assert.match(String(losers[0]?.reason), /Another Kalends is already running/)
  const winner = nodes[outcomes.findIndex(outcome => outcome.status === 'fulfilled')]
  assert.ok(winner)
  await waitUntil(async () => isAnswering(await winner.started))
  assert.deepEqual((await readdir(scenario.dataDir)).sort(), ['postgres', 'postgres.log', 'socket'])
  assert.equal(await winner.stop(), 0)
})

test('a server that is killed is restarted with the same connection settings and the lock', async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const store = await trackStore(serveEmbedded({ dataDir, log }))
  await query(store, 'create table note (text text)')
  for (let round = 0; round < 2; round += 1) {
    await killServer(dataDir)
    await waitUntil(() => isAnswering(store))
  }
  await waitUntil(async () => (await countLockHolders(store)) === 1)
  assert.deepEqual(await query(store, 'select text from note'), [])
  await store.stop()
  assert.equal(await findServerPid(dataDir), undefined)
})

test('stopping right after the server was killed leaves nothing running', { skip: skipUnlessFull }, async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const store = await trackStore(serveEmbedded({ dataDir, log }))
  await killServer(dataDir)
  await store.stop()
  assert.equal(await findServerPid(dataDir), undefined)
  await delay(300)
  assert.equal(await findServerPid(dataDir), undefined)
})

test('the lock is acquired again if its database session is terminated', { skip: skipUnlessFull }, async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const store = await trackStore(serveEmbedded({ dataDir, log }))
  const pid = await findServerPid(dataDir)
  await query(store, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
  await waitUntil(async () => (await countLockHolders(store)) === 1)
  assert.equal(await findServerPid(dataDir), pid)
  await store.stop()
  assert.equal(await findServerPid(dataDir), undefined)
})

test('a folder of another major version is refused with instructions', async t => {
  const { dataDir } = await newScenario(t)
  await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  const refusal = /made by PostgreSQL 17, .*runs PostgreSQL 18.*kalends backup.*kalends restore/
  await assert.rejects(serveEmbedded({ dataDir, log }), refusal)
  await assert.rejects(useEmbedded({ dataDir, log }), refusal)
})

test('a folder with other files is refused and not changed', async t => {
  const { dataDir } = await newScenario(t)
  await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'postgres', 'precious.txt'), 'mine')
  await assert.rejects(serveEmbedded({ dataDir, log }), /files that are not PostgreSQL's/)
  assert.deepEqual(await readdir(dataDir), ['postgres'])
})

test('a start after a killed first start succeeds', { skip: skipUnlessFull }, async t => {
  const scenario = await newScenario(t)
  const node = await startNode(scenario, {})
  node.started.catch(() => undefined)
  await waitUntil(async () => (await listUnfinished(scenario.dataDir)).length === 1)
  await node.kill()
  const store = await trackStore(serveEmbedded({ dataDir: scenario.dataDir, log }))
  assert.deepEqual(await query(store, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(await listUnfinished(scenario.dataDir), [])
  await store.stop()
})

test('if the server does not start, the error contains its log', async t => {
  const { dataDir } = await newScenario(t, { made: true })
  const command = await trackStore(useEmbedded({ dataDir, log }))
  await command.stop()
  await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense = 1\n')
  await assert.rejects(serveEmbedded({ dataDir, log }), /postgres\.log:\n.*unrecognized configuration parameter/s)
})

test('a large log is rotated at the next start', { skip: skipUnlessFull }, async t => {
  const { dataDir } = await newScenario(t, { made: true })
  await writeFile(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024))
  const command = await trackStore(useEmbedded({ dataDir, log }))
  await command.stop()
  assert.equal((await stat(join(dataDir, 'postgres.log.1'))).size, 11 * 1024 * 1024)
  assert.ok((await stat(join(dataDir, 'postgres.log'))).size < 1024 * 1024)
})
