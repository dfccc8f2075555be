import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createDatabase } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { startCampaigns } from '#test/support/services.ts'
import { roles } from '../../caller.ts'
import { sql } from '../../database/sql.ts'

const { admin, store, withKey } = await startCampaigns()

test('the response to a new key contains the key and its URL, and the key works', async () => {
  for (const role of roles) {
    const { status, headers, body } = await admin.post('/keys', { name: `for ${role}`, role })
    assert.equal(status, 201, role)
    assert.match(headers.location ?? '', new RegExp(`/keys/${body.id}$`))
    const { key, createdAt, ...rest } = body
    assert.deepEqual(rest, { id: body.id, name: `for ${role}`, role, expiresAt: null, lastUsedAt: null, madeBy: null })
    assert.match(key, /^kal_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.equal((await withKey(key).get('/campaigns')).status, 200)
  }
})

test('the response with a key is not cached, and no two keys are equal', async () => {
  const one = await admin.post('/keys', { name: 'alike', role: 'viewer' })
  const other = await admin.post('/keys', { name: 'alike', role: 'viewer' })
  assert.notEqual(one.body.key, other.body.key)
  assert.doesNotMatch(one.headers['cache-control'] ?? '', /public|max-age=[1-9]/)
})

test('the list shows everything about a key except the key itself', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { key, ...shown } = (await admin.post('/keys', { name: '  listed  ', role: 'editor', expiresAt })).body
  const list = await admin.get('/keys')
  assert.equal(list.status, 200)
  const listed = list.body.find(({ id }: { id: number }) => id === shown.id)
  assert.deepEqual(listed, { ...shown, name: 'listed', role: 'editor', expiresAt })
  assert.ok(!list.text.includes(key))
  assert.ok(!list.text.includes(key.split('_')[2]))
  const ids = list.body.map(({ id }: { id: number }) => id)
  assert.deepEqual(
    ids,
    [...ids].sort((a: number, b: number) => a - b)
  )
})

test('only the hash of a key is stored', async () => {
  const { id, key } = (await admin.post('/keys', { name: 'stored', role: 'viewer' })).body
  const { row, hash } = await store.one<{ row: string; hash: Buffer }>(sql`
    select to_jsonb(keys)::text as row, hash from platform.keys where id = ${id}`)
  assert.ok(!row.includes(key.split('_')[2]))
  assert.ok(hash.equals(createHash('sha256').update(key).digest()))
})

test('a revoked key is not listed any more, and cannot be revoked again', async () => {
  const { id, key } = (await admin.post('/keys', { name: 'revoked', role: 'viewer' })).body
  assert.equal((await admin.delete(`/keys/${id}`)).status, 204)
  assert.equal((await withKey(key).get('/campaigns')).status, 401)
  assert.ok(!(await admin.get('/keys')).body.some((one: { id: number }) => one.id === id))
  const again = await admin.delete(`/keys/${id}`)
  assert.equal(again.status, 404)
  assert.equal(again.body.code, 'key-not-found')
})

test('a key can revoke itself', async () => {
  const { id, key } = (await admin.post('/keys', { name: 'itself', role: 'admin' })).body
  assert.equal((await withKey(key).delete(`/keys/${id}`)).status, 204)
  assert.equal((await withKey(key).get('/keys')).status, 401)
})

test('a key that does not exist or cannot exist is 404', async () => {
  for (const id of ['999999999', '0', '-1', 'abc', '1.5', '99999999999999999999', '1e3', '%20']) {
    assert.equal((await admin.delete(`/keys/${id}`)).status, 404, id)
  }
})

const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
const refusedInputs: [body: object, pointer: string][] = [
  [{ role: 'viewer' }, '/name'],
  [{ name: '', role: 'viewer' }, '/name'],
  [{ name: ' \u00a0 ', role: 'viewer' }, '/name'],
  [{ name: 'x'.repeat(101), role: 'viewer' }, '/name'],
  [{ name: 'two\nlines', role: 'viewer' }, '/name'],
  [{ name: 7, role: 'viewer' }, '/name'],
  [{ name: 'no role' }, '/role'],
  [{ name: 'bad role', role: 'root' }, '/role'],
  [{ name: 'bad role', role: 'Admin' }, '/role'],
  [{ name: 'past', role: 'viewer', expiresAt: new Date(Date.now() - 1000).toISOString() }, '/expiresAt'],
  [{ name: 'no zone', role: 'viewer', expiresAt: inAnHour.slice(0, -1) }, '/expiresAt'],
  [{ name: 'no day', role: 'viewer', expiresAt: '2199-02-30T00:00:00Z' }, '/expiresAt'],
  [{ name: 'a number', role: 'viewer', expiresAt: 4102444800 }, '/expiresAt']
]

test('a key with an invalid name, role or expiry is refused and not created', async () => {
  const before = (await admin.get('/keys')).body.length
  for (const [body, pointer] of refusedInputs) {
    const response = await admin.post('/keys', body)
    assert.equal(response.status, 400, JSON.stringify(body))
    assert.deepEqual(
      response.body.errors.map((error: { pointer: string }) => error.pointer),
      [pointer]
    )
  }
  assert.equal((await admin.get('/keys')).body.length, before)
})

test('the last use of a key is stored without a write for each request', async () => {
  const service = await startCampaigns()
  const { id, key } = (await service.admin.post('/keys', { name: 'used', role: 'viewer' })).body
  const unused = (await service.admin.post('/keys', { name: 'unused', role: 'viewer' })).body.id
  const lastUse = async (of: number) =>
    (
      await service.store.one<{ at: string | null }>(sql`
      select last_used_at as at from platform.keys where id = ${of}`)
    ).at

  const start = Date.now()
  for (let count = 0; count < 5; count += 1) await service.withKey(key).get('/campaigns')
  await service.withKey(`${key.slice(0, -1)}!`).get('/campaigns')
  assert.equal(await lastUse(id), null)

  await service.server.drain()
  const at = await lastUse(id)
  assert.ok(at !== null && Date.parse(at) >= start - 1 && Date.parse(at) <= Date.now())
  assert.equal(await lastUse(unused), null)
})

test('a process can stop while the database is unavailable, although the last uses of keys are not stored', async () => {
  const database = await createDatabase()
  const proxy = await startProxy(database.url)
  const remove = async () => {
    await proxy.close()
    await database.remove()
  }
  const service = await startCampaigns({ database: { url: proxy.url, remove }, withTimeouts: true })
  const viewer = await service.withRole('viewer')
  assert.equal((await viewer.get('/campaigns')).status, 200)
  await proxy.refuse()
  await service.server.drain()
})

test('creating and revoking a key is recorded with the actor, without the key', async () => {
  const { id, key } = (await admin.post('/keys', { name: 'recorded', role: 'editor' })).body
  await admin.delete(`/keys/${id}`)
  const { body, text } = await admin.get(`/activity?subject=key&subjectId=${id}`)
  assert.deepEqual(
    body.map(({ action, actor, details }: { action: string; actor: string; details: object }) => [
      action,
      actor,
      details
    ]),
    [
      ['key.revoked', 'ADMIN_KEY', { name: 'recorded', role: 'editor' }],
      ['key.created', 'ADMIN_KEY', { name: 'recorded', role: 'editor' }]
    ]
  )
  for (const part of key.split('_').slice(1)) assert.ok(!text.includes(part))
})
