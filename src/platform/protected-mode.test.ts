import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '#test/database.ts'
import { until } from '#test/process.ts'
import { type Answer, type Client, campaign, donation, startCampaigns } from '#test/support.ts'

const withoutKey = { ADMIN_KEY: '' }
const fromOneAccount = { RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
const { visitor: local, aCampaign } = await startCampaigns({ env: { ...withoutKey, ...fromOneAccount } })

interface From {
  headers?: Record<string, string>
  remoteAddress?: string
}

test('B3 while no key exists a plain request from this machine is an admin’s', async () => {
  assert.equal((await local.post('/campaigns', campaign)).status, 201)
  assert.equal((await local.get('/keys')).status, 200)
  assert.equal((await local.get('/activity')).status, 200)
})

const ownUser: From[] = [
  {},
  { remoteAddress: '127.8.8.8' },
  { remoteAddress: '::1' },
  { remoteAddress: '::ffff:127.0.0.1' },
  { headers: { host: '127.0.0.1:8080' } },
  { headers: { host: '[::1]:8080' } },
  { headers: { host: 'localhost' } },
  { headers: { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' } },
  { headers: { 'sec-fetch-site': 'none' } },
  { headers: { 'user-agent': 'curl/8', accept: '*/*' } }
]

test('B3 however the machine’s own user asks, it is an admin’s request', async () => {
  for (const from of ownUser) {
    const said = JSON.stringify(from)
    assert.equal((await readKeys(local, from)).status, 200, said)
    assert.equal((await write(local, from)).status, 201, said)
  }
})

const strangers: From[] = [
  { remoteAddress: '192.0.2.7' },
  { remoteAddress: '10.0.0.1' },
  { remoteAddress: '2001:db8::1' },
  { remoteAddress: '::ffff:192.0.2.7' },
  { headers: { forwarded: 'for=192.0.2.7' } },
  { headers: { 'x-forwarded-for': '127.0.0.1' } },
  { headers: { 'x-forwarded-for': '' } },
  { headers: { 'x-forwarded-proto': 'https' } },
  { headers: { 'x-forwarded-host': 'localhost' } },
  { headers: { 'x-forwarded-port': '443' } },
  { headers: { 'x-real-ip': '127.0.0.1' } },
  { headers: { 'x-client-ip': '127.0.0.1' } },
  { headers: { 'cf-connecting-ip': '127.0.0.1' } },
  { headers: { 'true-client-ip': '127.0.0.1' } },
  { headers: { via: '1.1 proxy' } },
  { headers: { host: 'example.org' } },
  { headers: { host: 'example.org:8080' } },
  { headers: { host: '127.0.0.1.example.org' } },
  { headers: { host: 'localhost.example.org' } },
  { headers: { host: 'localhost:8080', origin: 'https://example.org' } },
  { headers: { host: 'localhost:8080', origin: 'http://localhost:3000' } },
  { headers: { host: 'localhost:8080', origin: 'http://127.0.0.1:8080' } },
  { headers: { origin: 'null' } },
  { headers: { 'sec-fetch-site': 'cross-site' } },
  { headers: { 'sec-fetch-site': 'same-site' } }
]

test('B3 whoever comes from elsewhere, by a proxy or from another page is no admin', async () => {
  for (const from of strangers) {
    const said = JSON.stringify(from)
    assert.equal((await readKeys(local, from)).status, 401, said)
    assert.equal((await write(local, from)).status, 401, said)
  }
})

test('B3 everybody reads and donates, wherever they come from', async () => {
  const { id } = await aCampaign()
  for (const from of strangers) {
    const said = JSON.stringify(from)
    assert.equal((await local.send({ url: `/campaigns/${id}`, ...from })).status, 200, said)
    const url = `/campaigns/${id}/donations`
    assert.equal((await local.send({ method: 'POST', url, payload: donation, ...from })).status, 201, said)
  }
})

test('B3 a wrong key is wrong, also from this machine while no key exists', async () => {
  const answer = await local.get('/campaigns', { authorization: 'Bearer something' })
  assert.equal(answer.status, 401)
})

test('B3 protected mode ends with the first key', async () => {
  const { visitor, withKey } = await startCampaigns({ env: withoutKey })
  const { key } = (await visitor.post('/keys', { name: 'first', role: 'admin' })).body
  assert.equal((await write(visitor)).status, 401)
  await until(async () => (await readKeys(visitor)).status === 401, 5000)
  assert.equal((await write(withKey(key))).status, 201)
})

test('B3 a key that can only read ends protected mode too', async () => {
  const { visitor } = await startCampaigns({ env: withoutKey })
  await visitor.post('/keys', { name: 'reads', role: 'viewer' })
  assert.equal((await write(visitor)).status, 401)
})

test('B3 a key that another process made ends protected mode here at once', async () => {
  const database = await freshDatabase()
  const here = await startCampaigns({ env: withoutKey, database: { ...database, remove: async () => {} } })
  const there = await startCampaigns({ env: withoutKey, database })
  assert.equal((await write(here.visitor)).status, 201)
  assert.equal((await readKeys(here.visitor)).status, 200)

  await there.visitor.post('/keys', { name: 'made elsewhere', role: 'admin' })
  assert.equal((await write(here.visitor)).status, 401)
  await until(async () => (await readKeys(here.visitor)).status === 401, 5000)
})

test('B3 protected mode does not come back when the last key is revoked or has expired', async () => {
  const database = await freshDatabase()
  const { visitor, withKey, store } = await startCampaigns({
    env: withoutKey,
    database: { ...database, remove: async () => {} }
  })
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  await visitor.post('/keys', { name: 'expires', role: 'viewer', expiresAt: soon })
  assert.equal((await write(visitor)).status, 401)

  await store.script(`
    update platform.keys set expires_at = now() - interval '1 hour';
    insert into platform.keys (finder, hash, name, role, created_at, revoked_at)
    values ('abcdefghij', sha256('x'), 'revoked', 'admin', now(), now())`)
  assert.equal((await write(visitor)).status, 401)

  const restarted = await startCampaigns({ env: withoutKey, database })
  assert.equal((await write(restarted.visitor)).status, 401)
  assert.equal((await readKeys(restarted.visitor)).status, 401)
  assert.equal((await write(withKey('kal_abcdefghij_whatever'))).status, 401)
})

test('B3 ADMIN_KEY ends protected mode from the start', async () => {
  const { visitor, admin } = await startCampaigns()
  assert.equal((await write(visitor)).status, 401)
  assert.equal((await readKeys(visitor)).status, 401)
  assert.equal((await write(admin)).status, 201)
})

test('B3 what happens in protected mode is recorded as done by the machine’s own user', async () => {
  const { id } = await aCampaign()
  const { body } = await local.get(`/activity?subject=campaign&subjectId=${id}`)
  assert.deepEqual(
    body.map(({ action, actor }: { action: string; actor: string }) => [action, actor]),
    [['campaign.created', 'local']]
  )
})

async function readKeys(client: Client, from: From = {}): Promise<Answer> {
  return await client.send({ url: '/keys', ...from })
}

async function write(client: Client, from: From = {}): Promise<Answer> {
  return await client.send({ method: 'POST', url: '/campaigns', payload: campaign, ...from })
}
