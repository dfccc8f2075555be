// test: server
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { waitUntil } from '#test/support/kalends-process.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'
import { deleteExpiredResponses } from './idempotency.ts'

const { admin, visitor, settings, store, withRole, aCampaign } = await startCampaigns({
  env: { TRUST_PROXY: '1', RATE_LIMIT_DONATIONS: '0', RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' }
})

/** A key that no other test uses. */
let keyCount = 0
const newKey = () => {
  keyCount += 1
  return { 'idempotency-key': `key-${keyCount}-of-the-idempotency-tests` }
}
const named = (name: string) => ({ ...campaign, name })
const countNamed = async (name: string) =>
  (await store.one<{ n: number }>(sql`select count(*) as n from fundraising.campaigns where name = ${name}`)).n
const countStored = async () => (await store.one<{ n: number }>(sql`select count(*) as n from platform.idempotency`)).n

test('a repeated request gets the first response, and has one effect', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('once'), key)
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  for (let count = 0; count < 3; count += 1) {
    const again = await admin.post('/campaigns', named('once'), key)
    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.location, first.headers.location)
    assert.equal(again.headers.etag, first.headers.etag)
    assert.equal(again.headers['content-type'], first.headers['content-type'])
    assert.equal(again.headers['idempotent-replayed'], 'true')
  }
  assert.equal(await countNamed('once'), 1)
})

test('a repeated response is sent after a write transaction, which waits for a standby', async () => {
  const key = newKey()
  const { body } = await admin.post('/campaigns', named('on two disks'), key)
  const transaction = async () =>
    (await store.one<{ tx: string }>(sql`select max(xmin::text::bigint) as tx from platform.idempotency`)).tx
  const before = await transaction()
  assert.equal((await admin.post('/campaigns', named('on two disks'), key)).body.id, body.id)
  assert.ok((await transaction()) > before, 'Only a write transaction waits for a standby.')
})

test('every POST that creates a resource accepts an Idempotency-Key', async () => {
  const { id } = await aCampaign()
  const creating: [path: string, body: object][] = [
    ['/campaigns', campaign],
    [`/campaigns/${id}/donations`, donation],
    ['/keys', { name: 'twice', role: 'viewer' }]
  ]
  for (const [path, body] of creating) {
    const key = newKey()
    const first = await admin.post(path, body, key)
    const again = await admin.post(path, body, key)
    assert.deepEqual([first.status, again.status], [201, 201], path)
    assert.deepEqual(again.body, first.body, path)
    assert.equal(again.headers.location, first.headers.location, path)
    assert.equal(again.headers['idempotent-replayed'], 'true', path)
  }
})

test('the first response is repeated also after the resource was changed or deleted', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('changed later'), key)
  await admin.put(`/campaigns/${first.body.id}`, named('changed'))
  await admin.delete(`/campaigns/${first.body.id}`)
  assert.deepEqual((await admin.post('/campaigns', named('changed later'), key)).body, first.body)
})

test('white space in the JSON, a query or a trailing slash do not make it another request', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('the same'), key)
  const headers = { ...key, 'content-type': 'application/json' }
  const payload = JSON.stringify(named('the same'), undefined, 4)
  for (const url of ['/campaigns', '/campaigns/', '/campaigns?from=form']) {
    const again = await admin.send({ method: 'POST', url, headers, payload })
    assert.equal(again.body.id, first.body.id, url)
  }
})

test('the same key is independent for each caller and each path', async () => {
  const key = newKey()
  const callers = [admin, await withRole('editor'), await withRole('editor'), await withRole('treasurer')]
  const ids = new Set<number>()
  for (const caller of callers) ids.add((await caller.post('/campaigns', named('of many'), key)).body.id)
  assert.equal(ids.size, callers.length)

  const [one, other] = [await aCampaign(), await aCampaign()]
  const paths = [one, other].map(({ id }) => `/campaigns/${id}/donations`)
  const donations = new Set<string>()
  for (const path of paths) donations.add((await visitor.post(path, donation, key)).body.id)
  assert.equal(donations.size, 2)
})

const from = (address: string) => ({ 'x-forwarded-for': address })

test('a visitor of another network with the same key and body gets 409, neither the response nor a second donation', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  const first = await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })
  assert.equal(first.status, 201)
  for (const address of ['192.0.2.2', '2001:db8::1']) {
    const other = await visitor.post(path, donation, { ...key, ...from(address), 'accept-language': 'de' })
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency-key-of-another-network'])
    assert.match(other.body.detail, /aus einem anderen Netz eingegangen/)
    assert.ok(!other.text.includes(first.body.donorToken) && !other.text.includes(first.body.id))
  }
  const again = await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })
  assert.deepEqual([again.status, again.body.donorToken], [201, first.body.donorToken])
  assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 1)
  // A caller with credentials is not a visitor.
  assert.equal(
    (await admin.post(path, donation, { ...key, ...from('192.0.2.1') })).headers['idempotent-replayed'],
    undefined
  )
})

test('keys of visitors are separate for each network, and an IPv6 /64 is one network', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  const other = { ...donation, amount: 77 }
  const [one, two] = [
    await visitor.post(path, donation, { ...key, ...from('192.0.2.1') }),
    await visitor.post(path, other, { ...key, ...from('192.0.2.2') })
  ]
  assert.deepEqual([one.status, two.status], [201, 201])
  assert.notEqual(one.body.id, two.body.id)
  assert.equal((await visitor.post(path, other, { ...key, ...from('192.0.2.1') })).status, 422)

  // Donors whose clients use counters as keys: only the network distinguishes them.
  const short = { 'idempotency-key': '1' }
  const tokens = new Set<string>()
  for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1']) {
    const created = await visitor.post(path, donation, { ...short, ...from(address) })
    assert.equal(created.status, 201, created.text)
    tokens.add(created.body.donorToken)
  }
  assert.equal(tokens.size, 4)
})

test('a repeated request whose key was stored in the old form, without the network, gets 409', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  assert.equal((await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })).status, 201)
  const before = createHash('sha256')
    .update(JSON.stringify(['visitor', 'POST', path, key['idempotency-key']]))
    .digest()
  await store.run(sql`
    update platform.idempotency set key_hash = ${before}, request_hash = null
    where created_at = (select max(created_at) from platform.idempotency)`)
  assert.equal((await visitor.post(path, donation, { ...key, ...from('192.0.2.1') })).status, 409)
})

test('the same request from many networks at once creates one donation', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  const responses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      visitor.post(`/campaigns/${id}/donations`, donation, { ...key, ...from(`192.0.2.${index + 1}`) })
    )
  )
  assert.equal(responses.filter(({ status }) => status === 201).length, 1)
  assert.ok(responses.every(({ status }) => status === 201 || status === 409))
  assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 1)
})

test('different bodies sent at once with one key create one donation', async () => {
  const { id } = await aCampaign()
  const key = newKey()
  const responses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 50 + index }, { ...key, ...from('192.0.2.1') })
    )
  )
  assert.equal(responses.filter(({ status }) => status === 201).length, 1)
  assert.ok(responses.every(({ status }) => [201, 409, 422].includes(status)))
  assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 1)
})

test('stored responses are encrypted; after the encryption key is lost a repeated request gets 409', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('encrypted'), key)
  const { encryptionKey } = settings
  settings.encryptionKey = 'another key that nothing was encrypted with'
  try {
    const lost = await admin.post('/campaigns', named('encrypted'), key)
    assert.deepEqual([lost.status, lost.body.code], [409, 'idempotency-answer-lost'])
    settings.encryptionKeysOld = [encryptionKey ?? '']
    assert.deepEqual((await admin.post('/campaigns', named('encrypted'), key)).body, first.body)
  } finally {
    settings.encryptionKey = encryptionKey
    settings.encryptionKeysOld = []
  }
  assert.equal(await countNamed('encrypted'), 1)
})

test('the same key with another body is refused with 422, and changes nothing', async () => {
  const key = newKey()
  const first = await admin.post('/campaigns', named('first body'), key)
  const other = await admin.post('/campaigns', named('other body'), key)
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency-key-reused')
  assert.equal(await countNamed('other body'), 0)
  assert.deepEqual((await admin.post('/campaigns', named('first body'), key)).body, first.body)
})

test('a repeated request gets 409 while the first is running, and its response afterwards', async () => {
  const key = newKey()
  const send = async () => await admin.post('/campaigns', named('in flight'), key)
  const [first, second] = await whileActivityIsLocked(async isWaiting => {
    const sent = send()
    await waitUntil(isWaiting)
    return [sent, await send()] as const
  })
  assert.equal(second.status, 409)
  assert.equal(second.body.code, 'idempotency-key-in-flight')
  assert.ok(Number(second.headers['retry-after']) > 0)
  assert.equal((await first).status, 201)
  assert.deepEqual((await send()).body, (await first).body)
  assert.equal(await countNamed('in flight'), 1)
})

test('many requests at once with one key create one campaign', async () => {
  const key = newKey()
  const responses = await Promise.all(
    Array.from({ length: 100 }, async () => await admin.post('/campaigns', named('at once'), key))
  )
  const done = responses.filter(({ status }) => status === 201)
  assert.ok(done.length >= 1)
  assert.ok(responses.every(({ status }) => status === 201 || status === 409))
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  assert.equal(await countNamed('at once'), 1)
})

test('a refused request does not use up the key', async () => {
  const { id } = await aCampaign({ status: 'closed' })
  const path = `/campaigns/${id}/donations`
  const key = newKey()
  const statuses = [
    (await visitor.post(path, { ...donation, amount: 'much' }, key)).status,
    (await visitor.post(path, donation, key)).status
  ]
  await admin.patch(`/campaigns/${id}`, { status: 'open' })
  statuses.push((await visitor.post(path, { ...donation, amount: 1 }, key)).status)
  assert.deepEqual(statuses, [400, 409, 422])
  const done = await visitor.post(path, donation, key)
  assert.equal(done.status, 201)
  assert.equal(done.headers['idempotent-replayed'], undefined)
})

test('a key that is empty, too long or not printable is refused, and the error names the header', async () => {
  const before = await countStored()
  for (const key of ['', ' ', 'x'.repeat(256), 'two words', 'tab\tbed', 'schl\u00fcssel', 'one, other']) {
    const { status, body } = await admin.post('/campaigns', named('bad key'), { 'idempotency-key': key })
    assert.equal(status, 400, key)
    const [error, ...more] = body.errors
    assert.deepEqual([error.in, error.pointer, more], ['header', '/idempotency-key', []], key)
    assert.match(error.message, /Idempotency-Key/)
  }
  assert.equal(await countNamed('bad key'), 0)
  assert.equal(await countStored(), before)
  const longest = { 'idempotency-key': 'x'.repeat(255) }
  assert.equal((await admin.post('/campaigns', named('long key'), longest)).status, 201)
})

test('a response is stored for 24 hours', async () => {
  const key = newKey()
  const send = async () => await admin.post('/campaigns', named('kept'), key)
  const first = await send()
  const response = await findNewestStored()
  await makeOlder(response, '23 hours 59 minutes')
  assert.equal((await send()).body.id, first.body.id)
  await makeOlder(response, '2 minutes')
  const second = await send()
  assert.equal(second.status, 201)
  assert.notEqual(second.body.id, first.body.id)
  assert.equal(second.headers['idempotent-replayed'], undefined)
  assert.equal((await send()).body.id, second.body.id)
})

test('expired responses are deleted, others are not', async () => {
  const [old, young] = [newKey(), newKey()]
  await admin.post('/campaigns', named('old'), old)
  const oldStored = await findNewestStored()
  const youngResponse = await admin.post('/campaigns', named('young'), young)
  const before = await countStored()
  await deleteExpiredResponses(store, new Date())
  assert.equal(await countStored(), before)
  await makeOlder(oldStored, '24 hours 1 minute')
  await deleteExpiredResponses(store, new Date())
  assert.equal(await countStored(), before - 1)
  assert.equal((await admin.post('/campaigns', named('young'), young)).body.id, youngResponse.body.id)
  await deleteExpiredResponses(store, new Date(Date.now() + 25 * 3_600_000))
  assert.equal(await countStored(), 0)
})

test('the stored row contains neither the Idempotency-Key nor the API key of the response', async () => {
  const key = newKey()
  const issued = await admin.post('/keys', { name: 'a-name-to-look-for', role: 'viewer' }, key)
  const rows = await store.all<Record<string, unknown>>(sql`
    select key_hash, body_hash, response, created_at from platform.idempotency`)
  const secrets = [key['idempotency-key'], issued.body.key, ...issued.body.key.split('_').slice(1), 'a-name-to-look']
  for (const value of rows.flatMap(Object.values)) {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value))
    for (const secret of secrets) assert.ok(!bytes.includes(secret))
  }
  assert.ok(rows.length > 0)
})

const failures: [what: string, table: string][] = [
  ['the campaign', 'fundraising.campaigns'],
  ['the activity record', 'platform.activity'],
  ['the stored response', 'platform.idempotency']
]

test('the campaign, its activity record and the stored response are written in one transaction', async () => {
  for (const [what, table] of failures) {
    const key = newKey()
    const name = `fails with ${what}`
    const before = await countStored()
    await store.script(`alter table ${table} add constraint never check (false) not valid`)
    const failed = await admin.post('/campaigns', named(name), key)
    await store.script(`alter table ${table} drop constraint never`)
    assert.equal(failed.status, 500, what)
    assert.equal(await countNamed(name), 0, what)
    assert.equal(await countStored(), before, what)

    const done = await admin.post('/campaigns', named(name), key)
    assert.equal(done.status, 201, what)
    assert.equal(done.headers['idempotent-replayed'], undefined, what)
    assert.equal(await countNamed(name), 1, what)
  }
})

/** Every creation waits for the lock on the activity table until the work is done. */
async function whileActivityIsLocked<Result>(work: (isWaiting: () => Promise<boolean>) => Promise<Result>) {
  return await store.transaction(async tx => {
    await tx.script('lock table platform.activity in share mode')
    return await work(async () => {
      const { n } = await store.one<{ n: number }>(sql`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return n > 0
    })
  })
}

async function findNewestStored(): Promise<Buffer> {
  const { hash } = await store.one<{ hash: Buffer }>(sql`
    select key_hash as hash from platform.idempotency order by created_at desc limit 1`)
  return hash
}

async function makeOlder(response: Buffer, by: string): Promise<void> {
  await store.run(sql`
    update platform.idempotency set created_at = created_at - ${by}::interval where key_hash = ${response}`)
}
