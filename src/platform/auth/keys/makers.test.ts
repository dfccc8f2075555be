// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, startCampaignsAndCalendar } from '#test/support/services.ts'

const { admin, visitor, withKey } = await startCampaignsAndCalendar()
const password = 'correct horse battery'

/** A new admin with a session. */
async function anAdmin(name: string): Promise<{ id: number; client: Client }> {
  const email = `${name}@example.org`
  const created = await admin.post('/users', { name, email, role: 'admin', password })
  assert.equal(created.status, 201, created.text)
  const { body } = await visitor.post('/sessions', { email, password })
  return { id: created.body.id, client: withKey(body.token) }
}

async function aKey(client: Client, role = 'viewer'): Promise<{ id: number; key: string; madeBy: unknown }> {
  const { status, body, text } = await client.post('/keys', { name: `for ${role}`, role })
  assert.equal(status, 201, text)
  return body
}

const works = async ({ key }: { key: string }) => (await withKey(key).get('/campaigns')).status === 200
const creatorOf = async (id: number) =>
  (await admin.get('/keys')).body.find((key: { id: number }) => key.id === id)?.madeBy

test('a key shows the user who created it, directly or with a key; a key created with ADMIN_KEY shows no user', async () => {
  const bo = await anAdmin('bo')
  const first = await aKey(bo.client, 'admin')
  const second = await aKey(withKey(first.key))
  for (const { madeBy } of [first, second]) assert.deepEqual(madeBy, { id: bo.id, name: 'bo' })
  assert.deepEqual(await creatorOf(second.id), { id: bo.id, name: 'bo' })
  assert.equal((await aKey(admin)).madeBy, null)
})

test('deleting a user revokes the keys that the user or the user’s keys created, and no others', async () => {
  const [cleo, dora] = [await anAdmin('cleo'), await anAdmin('dora')]
  const first = await aKey(cleo.client, 'admin')
  const second = await aKey(withKey(first.key), 'admin')
  const others = [await aKey(dora.client), await aKey(admin)]
  assert.equal((await dora.client.delete(`/users/${cleo.id}`)).status, 204)
  assert.deepEqual([await works(first), await works(second)], [false, false])
  for (const key of others) assert.equal(await works(key), true)
  const revoked = (await admin.get('/activity?limit=10')).body.filter(
    ({ action }: { action: string }) => action === 'key.revoked'
  )
  assert.deepEqual(revoked.map(({ subjectId }: { subjectId: string }) => Number(subjectId)).sort(), [
    first.id,
    second.id
  ])
})

test('the keys of a deleted user can be handed over to the admin who deletes the user', async () => {
  const [emil, fay] = [await anAdmin('emil'), await anAdmin('fay')]
  const [one, other] = [await aKey(emil.client, 'treasurer'), await aKey(emil.client, 'admin')]
  const own = await emil.client.delete(`/users/${emil.id}?keys=handover`, { 'accept-language': 'de' })
  assert.deepEqual([own.status, own.body.code, own.body.errors[0].pointer], [422, 'handover-to-self', '/keys'])
  assert.match(own.body.errors[0].message, /Schlüssel können nicht/)
  assert.equal((await withKey(other.key).delete(`/users/${emil.id}?keys=handover`)).status, 422)
  assert.equal((await fay.client.delete(`/users/${emil.id}?keys=keep`)).status, 400)
  assert.equal((await admin.get(`/users/${emil.id}`)).status, 200, 'A refused request changes nothing.')

  assert.equal((await fay.client.delete(`/users/${emil.id}?keys=handover`)).status, 204)
  assert.deepEqual([await works(one), await works(other)], [true, true])
  assert.deepEqual(await creatorOf(one.id), { id: fay.id, name: 'fay' })
  const [last] = (await admin.get('/activity?limit=3')).body.filter(
    ({ action }: { action: string }) => action === 'key.handed_over'
  )
  assert.deepEqual(last.details, { name: 'for admin', role: 'admin' })

  assert.equal((await admin.delete(`/users/${fay.id}?keys=handover`)).status, 204)
  assert.deepEqual([await works(one), await creatorOf(one.id)], [true, null])
})

test('a lower role revokes the user’s keys with more permissions, or hands them over', async () => {
  const gil = await anAdmin('gil')
  const keys = {
    admin: await aKey(gil.client, 'admin'),
    treasurer: await aKey(gil.client, 'treasurer'),
    editor: await aKey(gil.client, 'editor'),
    author: await aKey(gil.client, 'author'),
    contributor: await aKey(gil.client, 'contributor'),
    viewer: await aKey(gil.client, 'viewer')
  }
  const working = async () => {
    const all = await Promise.all(Object.entries(keys).map(async ([role, key]) => ((await works(key)) ? [role] : [])))
    return all.flat()
  }
  assert.equal((await admin.patch(`/users/${gil.id}`, { name: 'Gil' })).status, 200)
  assert.equal((await working()).length, 6)
  assert.equal((await admin.patch(`/users/${gil.id}`, { role: 'editor' })).status, 200)
  assert.deepEqual(await working(), ['editor', 'author', 'contributor', 'viewer'])
  assert.equal((await admin.patch(`/users/${gil.id}`, { role: 'admin' })).status, 200)
  assert.equal((await admin.patch(`/users/${gil.id}?keys=handover`, { role: 'treasurer' })).status, 200)
  assert.deepEqual(await working(), ['editor', 'author', 'contributor', 'viewer'])
  assert.deepEqual(
    [await creatorOf(keys.author.id), await creatorOf(keys.viewer.id)],
    [null, { id: gil.id, name: 'Gil' }]
  )
  assert.equal((await admin.patch(`/users/${gil.id}`, { role: 'viewer' })).status, 200)
  assert.deepEqual(await working(), ['editor', 'author', 'contributor', 'viewer'])
})
