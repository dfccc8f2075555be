// test: own process, long, both stores, full
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import {
  createDataLocation,
  onServer,
  type RunningKalends,
  runKalends,
  sendRequest,
  startKalends,
  waitUntil
} from '#test/support/kalends-process.ts'
import { campaign, donation } from '#test/support/services.ts'

/** Tested on the embedded store only: it belongs to the primary process, and all workers share it. */
const skip = onServer
const adminKey = 'the-key-of-the-tests-admin'
const headers = { authorization: `Bearer ${adminKey}` }

async function startTwoWorkers(t: TestContext, env: Record<string, string> = {}) {
  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  const started = await startKalends({ ...dataLocation.env, ADMIN_KEY: adminKey, WORKERS: '2', ...env })
  t.after(started.kill)
  await waitUntilAllServe(started)
  return { started, dataLocation }
}

/** Longer than any worker takes to start. */
const startMs = 60_000
const waitUntilAllServe = async ({ stderr }: RunningKalends, times = 1) =>
  await waitUntil(() => stderr().split('2 of 2 processes ready').length > times, startMs)

/** The ids of the worker processes that the primary process has started. */
function servingPids({ pid }: RunningKalends): number[] {
  const read = (file: string) => readFileSync(`/proc/${file}`, 'utf8')
  const children = read(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
  return children.filter(child => /main\.js\0serve\0/.test(read(`${child}/cmdline`)))
}

test('with WORKERS=2, two processes share a port and a store, one that is killed is replaced, and all stop together', {
  skip
}, async t => {
  const empty = await mkdtemp(join(tmpdir(), 'kalends-empty-'))
  after(async () => await rm(empty, { recursive: true, force: true, maxRetries: 10 }))
  const { started } = await startTwoWorkers(t, { DRAIN_SECONDS: '3', DATA_DIR: empty })
  const { url } = started
  assert.equal(started.stdout().match(/listening at/g)?.length, 1)
  assert.equal(started.stderr().match(/001_activity\.sql/g)?.length, 1, 'Migrations run once.')
  const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })
  const path = `${url}/campaigns/${created.body.id}`
  const donate = async () => (await sendRequest(`${path}/donations`, { method: 'POST', body: donation })).status
  const all = async (count: number) => await Promise.all(Array.from({ length: count }, donate))
  assert.deepEqual(new Set(await all(10)), new Set([201]))

  // Each process responds with the metrics of all processes.
  for (let count = 1; count <= 10; count += 1) {
    await sendRequest(`${url}/livez`)
    const { text } = await sendRequest(`${url}/metrics`)
    assert.match(text, new RegExp(`^kalends_http_request_duration_seconds_count\\{.*"/livez".*\\} ${count}$`, 'm'))
    assert.equal(text.match(/^kalends_database_bytes \d/gm)?.length, 1)
  }

  const [victim, survivor] = servingPids(started)
  // Never with a default of 0, which would kill the process group of the tests.
  assert.ok(victim !== undefined && survivor !== undefined)
  process.kill(victim, 'SIGKILL')
  await waitUntilAllServe(started, 2)
  assert.ok(servingPids(started).includes(survivor))
  assert.deepEqual(new Set(await all(10)), new Set([201]))
  assert.equal((await sendRequest(path)).body.donationCount, 20)

  const stopped = started.stop()
  await waitUntil(() => started.stderr().includes('"stopping"'))
  started.child.kill('SIGTERM')
  assert.deepEqual(new Set(await all(10)), new Set([201]), 'Requests are served as long as the processes listen.')
  assert.equal(await stopped, 0, started.stderr())
  assert.match(started.stderr(), /"stopped"\}\n$/)
})

test('a restore stops all processes, shows a maintenance page, and starts all of them with the restored data', {
  skip
}, async t => {
  const { started } = await startTwoWorkers(t)
  const { url } = started
  const call = async (method: string, path: string, body?: object) =>
    await sendRequest(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const kept = (await call('POST', '/campaigns', campaign)).body
  const { name } = (await call('POST', '/backups')).body
  const isListed = async () =>
    (await call('GET', '/backups')).body.backups.some((backup: { name: string }) => backup.name === name)
  await waitUntil(isListed, startMs)
  const later = (await call('POST', '/campaigns', campaign)).body
  const before = servingPids(started)

  // Of two requests, which different processes may receive, one starts a restore.
  const requested = await Promise.all([1, 2].map(async () => await call('POST', `/backups/${name}/restore`)))
  assert.deepEqual(requested.map(({ status }) => status).sort(), [202, 409])
  assert.equal(requested.find(({ status }) => status === 409)?.body.code, 'restore-running')

  let isMaintained = false
  await waitUntil(async () => {
    // Between two servers on the port a connection may be refused or reset.
    const shown = await call('GET', `/campaigns/${later.id}`).catch(() => undefined)
    isMaintained ||= shown?.status === 503 && shown.body?.code === 'restoring'
    return shown?.status === 404
  }, startMs)
  assert.ok(isMaintained)
  await waitUntilAllServe(started, 2)
  const after = servingPids(started)
  assert.equal(after.length, 2)
  assert.deepEqual(
    after.filter(pid => before.includes(pid)),
    []
  )
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await call('GET', `/campaigns/${later.id}`)).status, 404)
    assert.equal((await call('GET', `/campaigns/${kept.id}`)).status, 200)
  }
  assert.equal((await call('GET', '/activity?action=backup.restored')).body.length, 1)
  assert.equal(await started.stop(), 0, started.stderr())
})

test('when no worker can start, the primary process logs the reason and exits; a port in use is reported once', {
  skip: skip || skipUnlessFull
}, async t => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const address = other.address()
  const PORT = String(typeof address === 'object' && address !== null ? address.port : 0)
  const { started, dataLocation } = await startTwoWorkers(t, { ENCRYPTION_KEY: '' })

  const keyFile = join(dataLocation.env.DATA_DIR ?? '', 'encryption.key')
  const key = readFileSync(keyFile)
  writeFileSync(keyFile, 'no key')
  const pids = servingPids(started)
  assert.equal(pids.length, 2)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await waitUntil(() => started.stderr().includes('giving up'), startMs)
  assert.equal(await started.end(), 1)
  assert.match(started.stderr(), /encryption\.key contains no key/)
  assert.match(started.stderr(), /3 consecutive process start failures; giving up/)

  writeFileSync(keyFile, key)
  const refused = await runKalends(['serve'], {
    ...dataLocation.env,
    ENCRYPTION_KEY: '',
    ADMIN_KEY: adminKey,
    WORKERS: '2',
    PORT
  })
  assert.equal(refused.code, 1)
  assert.equal(refused.stderr.match(/Port \d+ is already in use/g)?.length, 1)
})
