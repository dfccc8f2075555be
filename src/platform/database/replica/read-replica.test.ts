// test: both stores
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTemplate, runAsOwner, silent, template, toDatabaseUrl } from '#test/support/database.ts'
import { onServer, waitUntil } from '#test/support/kalends-process.ts'
import { findDebianServer, startPostgresServer } from '#test/support/postgres-server.ts'
import { startReplica } from '#test/support/replica.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { checkReplica } from './read-replica.ts'

/** The embedded store has no replica, and starting one needs the PostgreSQL programs of Debian. */
const skip = !onServer || findDebianServer() === undefined

const scenario = skip ? undefined : await open()
const { original, replica, started, id } = scenario ?? ({} as Awaited<ReturnType<typeof open>>)

async function open() {
  const original = await startPostgresServer()
  await createTemplate(original.url)
  const replica = await startReplica(original)
  const url = toDatabaseUrl(original.url, template)
  const env = { DATABASE_REPLICA_URL: toDatabaseUrl(replica.url, template), RATE_LIMIT: '0', RESPONSE_CACHE: '0' }
  const started = await startCampaigns({ env, database: { url, remove: async () => {} } })
  after(replica.stop)
  return { original, replica, started, id: (await started.aCampaign()).id }
}

/** The number of visitors' requests that were read from each. */
async function countReads(): Promise<{ replica: number; database: number }> {
  const text = await started.server.metrics.render()
  const of = (from: string) => Number(new RegExp(`reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return { replica: of('replica'), database: of('database') }
}

/** Reads once and returns which of the two was read. */
async function findReadSource(path = `/campaigns/${id}`): Promise<string> {
  const before = await countReads()
  const { status } = await started.visitor.get(path)
  assert.equal(status, 200)
  return (await countReads()).replica > before.replica ? 'replica' : 'database'
}

const waitUntilReadFrom = async (from: string) => await waitUntil(async () => (await findReadSource()) === from, 5000)
const name = async () => (await started.visitor.get(`/campaigns/${id}`)).body.name
const rename = async (to: string) =>
  assert.equal((await started.admin.put(`/campaigns/${id}`, { ...campaign, name: to })).status, 200)

test('doctor reports the state of a replica', { skip }, async () => {
  const check = async (url: string) => await checkReplica(started.store, url, silent)
  assert.equal(await check(toDatabaseUrl(replica.url, template)), 'in step')
  assert.equal(await check(toDatabaseUrl(replica.url, 'postgres')), 'no replica of it')
  assert.equal(await check(started.databaseUrl), 'no replica of it')
  assert.equal(await check('postgres://kalends@127.0.0.1:1/nowhere'), 'away')
})

test('requests of visitors read from the replica, requests with credentials or tokens from the database', {
  skip
}, async () => {
  await waitUntilReadFrom('replica')
  const before = await countReads()
  assert.equal((await started.admin.get(`/campaigns/${id}`)).status, 200)
  assert.equal((await started.visitor.get('/donations/by-token/nonsense')).status, 404)
  assert.deepEqual(await countReads(), before)
})

test('a read after a write always sees the write', { skip }, async () => {
  for (let count = 1; count <= 50; count += 1) {
    const url = `/campaigns/${id}/donations`
    const created = await started.visitor.post(url, donation)
    assert.equal(created.status, 201)
    assert.equal((await started.visitor.get(`/campaigns/${id}`)).body.donationCount, count)
    assert.equal((await started.visitor.get(`${url}/${created.body.id}`)).status, 200)
  }
  await waitUntilReadFrom('replica')
})

test('a change by another process is visible after a second, and a new record at once', { skip }, async () => {
  const env = { DATABASE_REPLICA_URL: toDatabaseUrl(replica.url, template) }
  const other = await startCampaigns({ env, database: { url: started.databaseUrl, remove: async () => {} } })
  await waitUntilReadFrom('replica')
  await runAsOwner(replica.url, 'select pg_wal_replay_pause()')
  const created = (await other.aCampaign()).id
  assert.equal((await started.visitor.get(`/campaigns/${created}`)).status, 200)
  assert.equal((await other.admin.put(`/campaigns/${id}`, { ...campaign, name: 'Changed elsewhere' })).status, 200)
  await sleep(1000)
  assert.equal(await name(), 'Changed elsewhere')
  await runAsOwner(replica.url, 'select pg_wal_replay_resume()')
})

test('cached responses from a replica are not older than the last write, in the same process or in another', {
  skip
}, async () => {
  const env = { DATABASE_REPLICA_URL: toDatabaseUrl(replica.url, template) }
  const database = { url: started.databaseUrl, remove: async () => {} }
  const caching = await startCampaigns({ env, database })
  const readName = async () => (await caching.visitor.get(`/campaigns/${id}`)).body.name
  await readName()
  await runAsOwner(replica.url, 'select pg_wal_replay_pause()')
  await rename('Kept nowhere yet')
  await waitUntil(async () => (await readName()) === 'Kept nowhere yet', 5000)
  for (let count = 0; count < 20; count += 1) {
    const name = `Renamed ${count} times`
    await caching.admin.put(`/campaigns/${id}`, { ...campaign, name })
    assert.equal(await readName(), name)
  }
  await runAsOwner(replica.url, 'select pg_wal_replay_resume()')
  assert.equal(await readName(), 'Renamed 19 times')
})

test('a replica that lags behind is not read until it has caught up', { skip }, async () => {
  await waitUntilReadFrom('replica')
  await runAsOwner(replica.url, 'select pg_wal_replay_pause()')
  await rename('Behind')
  for (let count = 0; count < 20; count += 1) assert.equal(await name(), 'Behind')
  await waitUntilReadFrom('database')
  await runAsOwner(replica.url, 'select pg_wal_replay_resume()')
  await waitUntilReadFrom('replica')
  assert.equal(await name(), 'Behind')
})

test('visitors get no error when a replica is killed, frozen or started again', { skip }, async () => {
  const faults: [() => unknown, () => unknown][] = [
    [replica.kill, replica.start],
    [replica.freeze, replica.thaw]
  ]
  for (const [happens, isOver] of faults) {
    await waitUntilReadFrom('replica')
    await happens()
    const responses = await Promise.all(Array.from({ length: 20 }, async () => await started.visitor.get('/campaigns')))
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    await waitUntilReadFrom('database')
    await isOver()
    await waitUntilReadFrom('replica')
  }
})

test('while the database is unavailable visitors can read from the replica, writes get 503, and readyz is 200', {
  skip
}, async () => {
  await rename('Still here')
  await waitUntilReadFrom('replica')
  await waitUntil(async () => (await name()) === 'Still here')
  await original.stop()
  for (let count = 0; count < 10; count += 1) assert.equal(await name(), 'Still here')
  assert.equal((await started.admin.put(`/campaigns/${id}`, campaign)).status, 503)
  const ready = await started.visitor.get('/readyz')
  assert.deepEqual([ready.status, ready.body.status], [200, 'reading only'])
})

test('a replica that was promoted is not read any more', { skip }, async () => {
  await runAsOwner(replica.url, 'select pg_promote()')
  await waitUntil(async () => (await started.visitor.get('/readyz')).status === 503)
  assert.equal((await started.visitor.get(`/campaigns/${id}`)).status, 503)
})
