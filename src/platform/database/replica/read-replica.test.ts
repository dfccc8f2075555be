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

/** The embedded store has no replica, and none is made without Debian's programs. */
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

/** How many requests of visitors were read from each. */
async function counted(): Promise<{ replica: number; database: number }> {
  const text = await started.server.metrics.render()
  const of = (from: string) => Number(new RegExp(`reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return { replica: of('replica'), database: of('database') }
}

/** Reads once and tells from where. */
async function readsFrom(path = `/campaigns/${id}`): Promise<string> {
  const before = await counted()
  const { status } = await started.visitor.get(path)
  assert.equal(status, 200)
  return (await counted()).replica > before.replica ? 'replica' : 'database'
}

const untilReadFrom = async (from: string) => await waitUntil(async () => (await readsFrom()) === from, 5000)
const name = async () => (await started.visitor.get(`/campaigns/${id}`)).body.name
const rename = async (to: string) =>
  assert.equal((await started.admin.put(`/campaigns/${id}`, { ...campaign, name: to })).status, 200)

test('doctor says how a replica is', { skip }, async () => {
  const look = async (url: string) => await checkReplica(started.store, url, silent)
  assert.equal(await look(toDatabaseUrl(replica.url, template)), 'in step')
  assert.equal(await look(toDatabaseUrl(replica.url, 'postgres')), 'no replica of it')
  assert.equal(await look(started.databaseUrl), 'no replica of it')
  assert.equal(await look('postgres://kalends@127.0.0.1:1/nowhere'), 'away')
})

test('visitors read from the replica, everybody else from the database', { skip }, async () => {
  await untilReadFrom('replica')
  const before = await counted()
  assert.equal((await started.admin.get(`/campaigns/${id}`)).status, 200)
  assert.equal((await started.visitor.get('/donations/by-token/nonsense')).status, 404)
  assert.deepEqual(await counted(), before)
})

test('whoever writes reads what was written, at once and every time', { skip }, async () => {
  for (let count = 1; count <= 50; count += 1) {
    const url = `/campaigns/${id}/donations`
    const made = await started.visitor.post(url, donation)
    assert.equal(made.status, 201)
    assert.equal((await started.visitor.get(`/campaigns/${id}`)).body.donationCount, count)
    assert.equal((await started.visitor.get(`${url}/${made.body.id}`)).status, 200)
  }
  await untilReadFrom('replica')
})

test('what another process wrote is there a second later at most, and what it made at once', { skip }, async () => {
  const env = { DATABASE_REPLICA_URL: toDatabaseUrl(replica.url, template) }
  const other = await startCampaigns({ env, database: { url: started.databaseUrl, remove: async () => {} } })
  await untilReadFrom('replica')
  await runAsOwner(replica.url, 'select pg_wal_replay_pause()')
  const made = (await other.aCampaign()).id
  assert.equal((await started.visitor.get(`/campaigns/${made}`)).status, 200)
  assert.equal((await other.admin.put(`/campaigns/${id}`, { ...campaign, name: 'Changed elsewhere' })).status, 200)
  await sleep(1000)
  assert.equal(await name(), 'Changed elsewhere')
  await runAsOwner(replica.url, 'select pg_wal_replay_resume()')
})

test('what is kept of answers from a replica is as new as it was when somebody wrote, here or elsewhere', {
  skip
}, async () => {
  const env = { DATABASE_REPLICA_URL: toDatabaseUrl(replica.url, template) }
  const database = { url: started.databaseUrl, remove: async () => {} }
  const keeping = await startCampaigns({ env, database })
  const shown = async () => (await keeping.visitor.get(`/campaigns/${id}`)).body.name
  await shown()
  await runAsOwner(replica.url, 'select pg_wal_replay_pause()')
  await rename('Kept nowhere yet')
  await waitUntil(async () => (await shown()) === 'Kept nowhere yet', 5000)
  for (let count = 0; count < 20; count += 1) {
    const name = `Renamed ${count} times`
    await keeping.admin.put(`/campaigns/${id}`, { ...campaign, name })
    assert.equal(await shown(), name)
  }
  await runAsOwner(replica.url, 'select pg_wal_replay_resume()')
  assert.equal(await shown(), 'Renamed 19 times')
})

test('a replica that falls behind is not read from until it has caught up', { skip }, async () => {
  await untilReadFrom('replica')
  await runAsOwner(replica.url, 'select pg_wal_replay_pause()')
  await rename('Behind')
  for (let count = 0; count < 20; count += 1) assert.equal(await name(), 'Behind')
  await untilReadFrom('database')
  await runAsOwner(replica.url, 'select pg_wal_replay_resume()')
  await untilReadFrom('replica')
  assert.equal(await name(), 'Behind')
})

test('a replica that dies, freezes or comes back is nothing that visitors notice', { skip }, async () => {
  const faults: [() => unknown, () => unknown][] = [
    [replica.kill, replica.start],
    [replica.freeze, replica.thaw]
  ]
  for (const [happens, isOver] of faults) {
    await untilReadFrom('replica')
    await happens()
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await started.visitor.get('/campaigns')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await untilReadFrom('database')
    await isOver()
    await untilReadFrom('replica')
  }
})

test('while the database is away visitors go on reading, writers are told, and proxies go on sending', {
  skip
}, async () => {
  await rename('Still here')
  await untilReadFrom('replica')
  await waitUntil(async () => (await name()) === 'Still here')
  await original.stop()
  for (let count = 0; count < 10; count += 1) assert.equal(await name(), 'Still here')
  assert.equal((await started.admin.put(`/campaigns/${id}`, campaign)).status, 503)
  const ready = await started.visitor.get('/readyz')
  assert.deepEqual([ready.status, ready.body.status], [200, 'reading only'])
})

test('a replica that has become a database of its own is not read from', { skip }, async () => {
  await runAsOwner(replica.url, 'select pg_promote()')
  await waitUntil(async () => (await started.visitor.get('/readyz')).status === 503)
  assert.equal((await started.visitor.get(`/campaigns/${id}`)).status, 503)
})
