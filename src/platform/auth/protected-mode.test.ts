import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '#test/support/database.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { type Client, campaign, donation, startCampaigns, type TestResponse } from '#test/support/services.ts'
import { newSystemCaller } from '../caller.ts'
import { newSetupToken } from '../setup/setup.ts'
import { issueKey } from './keys/key.ts'

const withoutKey = { ADMIN_KEY: '' }
const commandLine = newSystemCaller('command line')
const fromOneAccount = { RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
const {
  visitor: local,
  aCampaign,
  withKey,
  store
} = await startCampaigns({ env: { ...withoutKey, ...fromOneAccount } })

interface From {
  headers?: Record<string, string>
  remoteAddress?: string
}

const draft = await aDraft(local)

test('while no key exists, a direct local request may do everything in the specification', async () => {
  const created = await local.post('/campaigns', campaign)
  assert.equal(created.status, 201)
  const path = `/campaigns/${created.body.id}`
  assert.equal((await local.put(path, { ...campaign, name: 'Old roof' })).status, 200)
  const donated = await local.post(`${path}/donations`, donation)
  assert.equal(donated.status, 201)
  assert.equal(donated.body.account.iban, donation.account.iban)
  const one = `${path}/donations/${donated.body.id}`
  assert.equal((await local.patch(one, { status: 'TRANSFERRED' })).status, 200)
  assert.equal((await local.delete(path)).status, 204)
})

const needsToken: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string][] = [
  ['POST', '/setup'],
  ['GET', '/users'],
  ['POST', '/users'],
  ['GET', '/keys'],
  ['POST', '/keys'],
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['PATCH', '/site'],
  ['GET', '/activity'],
  ['GET', '/samples'],
  ['POST', '/sample-content'],
  ['DELETE', '/samples'],
  ['GET', '/campaigns/1/donations.csv'],
  ['GET', '/donations'],
  ['GET', '/donations.csv'],
  ['GET', '/donations.jsonl'],
  ['GET', '/bank-statements'],
  ['POST', '/bank-statements'],
  ['GET', '/receipts'],
  ['GET', '/collections'],
  ['GET', '/organisation'],
  ['PATCH', '/organisation'],
  ['GET', '/journal.csv']
]

test('everything else needs the setup token, also for a local caller, and the error says so', async () => {
  for (const [method, url] of needsToken) {
    const { status, body } = await local.send({ method, url })
    assert.deepEqual([status, body.code], [401, 'credentials-missing'], `${method} ${url}`)
    assert.match(body.detail, /setup token from the server log/, url)
  }
  const german = await local.get('/keys', { 'accept-language': 'de' })
  assert.match(german.body.detail, /Einrichtungs-Token/)
  // A local caller gets the public form of exports, without drafts.
  assert.ok((await local.get('/campaigns')).text.includes(draft.name))
  for (const url of ['/campaigns.csv', '/campaigns.jsonl']) {
    const { status, text } = await local.get(url)
    assert.equal(status, 200)
    assert.ok(!text.includes(draft.name), url)
  }
})

test('the setup token is sent like a key and grants all permissions until there is an account', async () => {
  const { visitor, withKey, store } = await startCampaigns({ env: withoutKey })
  const holder = withKey((await newSetupToken(store)) ?? '')
  const stranger: From = { remoteAddress: '192.0.2.7' }
  assert.equal((await holder.send({ url: '/keys', ...stranger })).status, 200)
  assert.equal((await write(holder, stranger)).status, 201)
  const { body } = await holder.get('/activity')
  assert.deepEqual([body[0].action, body[0].actor], ['campaign.created', 'setup token'])
  const user = { name: 'Anna', email: 'anna@example.org', password: 'correct horse battery', role: 'admin' }
  assert.equal((await holder.post('/users', user)).status, 201)
  for (const client of [holder, withKey(`kst_${'a'.repeat(10)}_${'b'.repeat(32)}`)]) {
    const refused = await client.get('/campaigns')
    assert.deepEqual([refused.status, refused.body.code], [401, 'bad-credentials'])
    assert.match(refused.body.detail, /setup token is not valid/)
  }
  assert.equal((await write(visitor)).status, 401)
})

test('a setup token expires after a month', async () => {
  const { withKey, store } = await startCampaigns({ env: withoutKey })
  const dayMs = 86_400_000
  const [old, older] = [new Date(Date.now() - 29 * dayMs), new Date(Date.now() - 31 * dayMs)]
  assert.equal((await withKey((await newSetupToken(store, old)) ?? '').get('/keys')).status, 200)
  assert.equal((await withKey((await newSetupToken(store, older)) ?? '').get('/keys')).status, 401)
})

const localRequests: From[] = [
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

test('every direct request of the server’s own user has admin permissions', async () => {
  for (const from of localRequests) {
    const context = JSON.stringify(from)
    assert.equal((await readDraft(local, from)).status, 200, context)
    assert.equal((await write(local, from)).status, 201, context)
  }
})

const notLocal: From[] = [
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

test('requests from other machines, through a proxy or from another origin have no admin permissions', async () => {
  for (const from of notLocal) {
    const context = JSON.stringify(from)
    assert.equal((await readDraft(local, from)).status, 404, context)
    assert.equal((await write(local, from)).status, 401, context)
  }
})

const publicSettings: Record<string, string>[] = [
  { PUBLIC_URL: 'https://give.example.org' },
  { PUBLIC_URL: 'http://192.0.2.1:8080' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' }
]

test('there are no local callers if HOST or PUBLIC_URL is not a loopback address', async () => {
  for (const env of publicSettings) {
    const { visitor, withKey, store } = await startCampaigns({ env: { ...withoutKey, ...env } })
    const context = JSON.stringify(env)
    for (const from of localRequests) assert.equal((await write(visitor, from)).status, 401, context)
    const refused = await write(visitor)
    assert.match(refused.body.detail, /setup token/)
    const holder = withKey((await newSetupToken(store)) ?? '')
    const { id } = (await write(holder)).body
    assert.equal((await visitor.get('/campaigns')).body.length, 1, context)
    assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 201, context)
  }
})

test('with a loopback PUBLIC_URL the server’s own user is a local caller', async () => {
  for (const PUBLIC_URL of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080']) {
    const { visitor } = await startCampaigns({ env: { ...withoutKey, PUBLIC_URL } })
    assert.equal((await write(visitor)).status, 201, PUBLIC_URL)
  }
})

test('reading and donating is possible from everywhere', async () => {
  const { id } = await aCampaign()
  for (const from of notLocal) {
    const context = JSON.stringify(from)
    assert.equal((await local.send({ url: `/campaigns/${id}`, ...from })).status, 200, context)
    const url = `/campaigns/${id}/donations`
    assert.equal((await local.send({ method: 'POST', url, payload: donation, ...from })).status, 201, context)
  }
})

test('a wrong key is refused, also for a local caller while no key exists', async () => {
  const response = await local.get('/campaigns', { authorization: 'Bearer something' })
  assert.equal(response.status, 401)
})

test('protected mode ends with the first key', async () => {
  const { visitor, withKey, store } = await startCampaigns({ env: withoutKey })
  const { id } = await aDraft(visitor)
  const { key } = await issueKey(store, commandLine, { name: 'first', role: 'admin' })
  assert.equal((await write(visitor)).status, 401)
  await waitUntil(async () => (await visitor.get(`/campaigns/${id}`)).status === 404, 5000)
  assert.equal((await write(withKey(key))).status, 201)
})

test('a viewer key also ends protected mode', async () => {
  const { visitor, store } = await startCampaigns({ env: withoutKey })
  await issueKey(store, commandLine, { name: 'reads', role: 'viewer' })
  assert.equal((await write(visitor)).status, 401)
})

test('a key created by another process ends protected mode immediately', async () => {
  const database = await createDatabase()
  const first = await startCampaigns({ env: withoutKey, database: { ...database, remove: async () => {} } })
  const second = await startCampaigns({ env: withoutKey, database })
  const { id } = await aDraft(first.visitor)
  assert.equal((await first.visitor.get(`/campaigns/${id}`)).status, 200)

  await issueKey(second.store, commandLine, { name: 'made elsewhere', role: 'admin' })
  assert.equal((await write(first.visitor)).status, 401)
  await waitUntil(async () => (await first.visitor.get(`/campaigns/${id}`)).status === 404, 5000)
})

test('protected mode does not return when the last key is revoked or has expired', async () => {
  const database = await createDatabase()
  const { visitor, withKey, store } = await startCampaigns({
    env: withoutKey,
    database: { ...database, remove: async () => {} }
  })
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  await issueKey(store, commandLine, { name: 'expires', role: 'viewer', expiresAt: soon })
  assert.equal((await write(visitor)).status, 401)

  await store.script(`
    update platform.keys set expires_at = now() - interval '1 hour';
    insert into platform.keys (token_prefix, hash, name, role, created_at, revoked_at)
    values ('abcdefghij', sha256('x'), 'revoked', 'admin', now(), now())`)
  assert.equal((await write(visitor)).status, 401)

  const restarted = await startCampaigns({ env: withoutKey, database })
  assert.equal((await write(restarted.visitor)).status, 401)
  assert.equal((await write(withKey('kal_abcdefghij_whatever'))).status, 401)
})

test('ADMIN_KEY ends protected mode from the start', async () => {
  const { visitor, admin } = await startCampaigns()
  assert.equal((await write(visitor)).status, 401)
  assert.equal((await write(admin)).status, 201)
})

test('changes in protected mode are recorded with the actor “local”', async () => {
  const { id } = await aCampaign()
  const holder = withKey((await newSetupToken(store)) ?? '')
  const { body } = await holder.get(`/activity?subject=campaign&subjectId=${id}`)
  assert.deepEqual(
    body.map(({ action, actor }: { action: string; actor: string }) => [action, actor]),
    [['campaign.created', 'local']]
  )
})

async function aDraft(client: Client): Promise<{ id: number; name: string }> {
  return (await client.post('/campaigns', { ...campaign, name: 'A secret draft', status: 'draft' })).body
}

async function readDraft(client: Client, from: From = {}): Promise<TestResponse> {
  return await client.send({ url: `/campaigns/${draft.id}`, ...from })
}

async function write(client: Client, from: From = {}): Promise<TestResponse> {
  return await client.send({ method: 'POST', url: '/campaigns', payload: campaign, ...from })
}
