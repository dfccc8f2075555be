// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, calendar, event, startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'

const { admin, store, visitor, withKey, withRole } = await startCampaignsAndCalendar()

let count = 0
/** The fields of a new user. */
function newUser(fields: object = {}) {
  count += 1
  return { name: `Anna ${count}`, email: `anna${count}@example.org`, role: 'viewer', password, ...fields }
}
const password = 'correct horse battery'

async function aUser(fields: object = {}) {
  const { status, body, text } = await admin.post('/users', newUser(fields))
  assert.equal(status, 201, text)
  return body
}

async function signedIn(email: string, secret = password): Promise<Client> {
  const { status, body, text } = await visitor.post('/sessions', { email, password: secret })
  assert.equal(status, 201, text)
  return withKey(body.token)
}

const readOwnStatus = async (client: Client) => (await client.get('/users/me')).status

test('a user is created, listed, read and changed, and no response contains the password or its hash', async () => {
  const created = await admin.post('/users', newUser({ email: 'Kim@Example.ORG', role: 'editor', language: 'de' }))
  assert.equal(created.status, 201)
  const { id, createdAt, ...rest } = created.body
  assert.deepEqual(rest, {
    name: `Anna ${count}`,
    email: 'kim@example.org',
    role: 'editor',
    language: 'de',
    lastSeenAt: null
  })
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  assert.match(created.headers.location ?? '', new RegExp(`/users/${id}$`))
  assert.deepEqual((await admin.get(`/users/${id}`)).body, created.body)
  const list = await admin.get('/users')
  assert.deepEqual(
    list.body.find((user: { id: number }) => user.id === id),
    created.body
  )
  const changed = await admin.patch(`/users/${id}`, { name: 'Kim', role: 'treasurer' })
  assert.deepEqual(changed.body, { ...created.body, name: 'Kim', role: 'treasurer' })
  for (const { text } of [created, list, changed]) assert.doesNotMatch(text, /scrypt|correct horse|password/)
})

test('a user without a language gets the language of the site', async () => {
  assert.equal((await aUser()).language, 'en')
})

test('users and keys share one sequence of ids, and none has the id 1 of the owner', async () => {
  const user = (await aUser()).id
  const key = (await admin.post('/keys', { name: 'between', role: 'viewer' })).body.id
  const other = (await aUser()).id
  assert.deepEqual([key, other], [user + 1, user + 2])
  assert.ok(user > 1)
})

test('a password is stored as a salted hash with its cost parameters', async () => {
  const ids = [(await aUser()).id, (await aUser()).id]
  const rows = await store.all<{ hash: string }>(
    sql`select password_hash as hash from platform.users where id = any (${ids})`
  )
  for (const { hash } of rows) assert.match(hash, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  assert.notEqual(rows[0]?.hash, rows[1]?.hash)
})

test('an email address belongs to one account, in any spelling, until the account is deleted', async () => {
  const { id, email } = await aUser()
  const other = await aUser()
  for (const taken of [email, email.toUpperCase()]) {
    const refused = await admin.post('/users', newUser({ email: taken }))
    assert.deepEqual([refused.status, refused.body.code], [409, 'email-taken'])
    assert.equal(refused.body.errors[0].pointer, '/email')
    assert.equal((await admin.patch(`/users/${other.id}`, { email: taken })).body.code, 'email-taken')
  }
  assert.equal((await admin.delete(`/users/${id}`)).status, 204)
  assert.equal((await admin.get(`/users/${id}`)).status, 404)
  assert.equal((await admin.delete(`/users/${id}`)).status, 404)
  assert.notEqual((await aUser({ email })).id, id)
})

test('of two concurrent requests for the same email address only one succeeds', async () => {
  const email = 'both@example.org'
  const responses = await Promise.all([1, 2].map(async () => await admin.post('/users', newUser({ email }))))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409])
  const others = [await aUser(), await aUser()]
  const changed = await Promise.all(
    others.map(async ({ id }) => await admin.patch(`/users/${id}`, { email: 'third@example.org' }))
  )
  assert.deepEqual(changed.map(({ status }) => status).sort(), [200, 409])
})

const refused: [fields: object, status: number, pointer: string][] = [
  [{ name: '' }, 400, '/name'],
  [{ name: 'x'.repeat(101) }, 400, '/name'],
  [{ email: 'nobody' }, 400, '/email'],
  [{ role: 'author' }, 400, '/role'],
  [{ language: 'fr' }, 400, '/language'],
  [{ password: 'ninechars' }, 400, '/password'],
  [{ password: 'x'.repeat(201) }, 400, '/password'],
  [{ name: 'Anna Karenina', password: 'anna karenina' }, 422, '/password'],
  [{ email: 'anna.k@example.org', password: 'Anna.K@example.org' }, 422, '/password'],
  // Common passwords, in any spelling.
  [{ password: 'Password123' }, 422, '/password'],
  [{ password: ' 1q2w3e4r5t' }, 422, '/password']
]

test('invalid fields are refused and named in the error when a user is created or changed, and nothing is changed', async () => {
  const before = (await admin.get('/users')).text
  for (const [fields, status, pointer] of refused) {
    const response = await admin.post('/users', newUser(fields))
    assert.equal(response.status, status, JSON.stringify(fields))
    assert.deepEqual(
      response.body.errors.map((error: { pointer: string }) => error.pointer),
      [pointer]
    )
  }
  assert.equal((await admin.get('/users')).text, before)
  const user = await aUser()
  for (const [fields, status] of refused) {
    assert.equal((await admin.patch(`/users/${user.id}`, fields)).status, status, JSON.stringify(fields))
  }
  assert.deepEqual((await admin.get(`/users/${user.id}`)).body, user)
})

test('changing or deleting a user with an outdated ETag is refused with 412', async () => {
  const { id } = await aUser()
  const { etag = '' } = (await admin.get(`/users/${id}`)).headers
  assert.equal((await admin.patch(`/users/${id}`, { name: 'First' }, { 'if-match': etag })).status, 200)
  assert.equal((await admin.patch(`/users/${id}`, { name: 'Second' }, { 'if-match': etag })).status, 412)
  assert.equal((await admin.delete(`/users/${id}`, { 'if-match': etag })).status, 412)
  assert.equal((await admin.get(`/users/${id}`)).body.name, 'First')
})

test('requests with the same Idempotency-Key create one user, another body is refused, and the stored hash of the body, which contains a password, is salted', async () => {
  const body = newUser()
  const headers = { 'idempotency-key': 'make-anna-once' }
  const first = await admin.post('/users', body, headers)
  const again = await admin.post('/users', body, headers)
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal((await admin.post('/users', newUser(), headers)).status, 422)
  // The same body with another key, when the email address can be used again.
  await admin.delete(`/users/${first.body.id}`)
  assert.equal((await admin.post('/users', body, { 'idempotency-key': 'make-anna-again' })).status, 201)
  const hashes = await store.all<{ hash: string }>(
    sql`select encode(body_hash, 'hex') as hash from platform.idempotency order by created_at desc limit 2`
  )
  assert.equal(hashes.length, 2)
  assert.notEqual(hashes[0]?.hash, hashes[1]?.hash)
})

test('users can read their own account, and change only its name and language', async () => {
  for (const role of ['viewer', 'editor', 'treasurer', 'admin']) {
    const user = await aUser({ role })
    const client = await signedIn(user.email)
    assert.equal((await client.get('/users/me')).body.id, user.id)
    const { etag = '' } = (await client.get('/users/me')).headers
    const changes = { name: 'Own', language: 'de', role: 'admin', email: 'x@example.org', password: 'another secret' }
    const { body } = await client.patch('/users/me', changes, { 'if-match': etag })
    assert.deepEqual({ ...body, lastSeenAt: null }, { ...user, name: 'Own', language: 'de' })
    assert.equal((await client.patch('/users/me', { name: 'Later' }, { 'if-match': etag })).status, 412)
    await signedIn(user.email)
  }
})

test('only admins can read and change other users', async () => {
  const user = await aUser({ role: 'treasurer' })
  const client = await signedIn(user.email)
  for (const path of ['/users', `/users/${user.id}`]) assert.equal((await client.get(path)).status, 403)
  assert.equal((await client.patch(`/users/${user.id}`, { role: 'admin' })).status, 403)
  assert.equal((await visitor.get('/users/me')).status, 401)
})

test('a key has no user account', async () => {
  for (const client of [admin, await withRole('editor')]) {
    const response = await client.get('/users/me')
    assert.deepEqual([response.status, response.body.code], [403, 'forbidden'])
  }
})

test('a new password ends all other sessions, and the old password does not work any more', async () => {
  const { email } = await aUser()
  const [session, otherSession] = [await signedIn(email), await signedIn(email)]
  const wrong = await session.put('/users/me/password', { currentPassword: 'wrong', newPassword: 'a new password' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/currentPassword'])
  const easy = await session.put('/users/me/password', { currentPassword: password, newPassword: email })
  assert.deepEqual([easy.status, easy.body.errors[0].pointer], [422, '/newPassword'])
  const short = await session.put('/users/me/password', { currentPassword: password, newPassword: 'short' })
  assert.deepEqual([short.status, short.body.errors[0].pointer], [400, '/newPassword'])
  assert.deepEqual([await readOwnStatus(session), await readOwnStatus(otherSession)], [200, 200])

  const change = { currentPassword: password, newPassword: 'a new password' }
  assert.equal((await session.put('/users/me/password', change)).status, 204)
  assert.deepEqual([await readOwnStatus(session), await readOwnStatus(otherSession)], [200, 401])
  assert.equal((await visitor.post('/sessions', { email, password })).status, 401)
  await signedIn(email, 'a new password')
})

test('composed and decomposed Unicode characters in a password are equal', async () => {
  const { email } = await aUser({ password: 'Schl\u00fcsselloch' })
  await signedIn(email, 'Schlu\u0308sselloch')
})

const endings: [what: string, change: (id: number) => Promise<unknown>][] = [
  ['new password', async id => await admin.patch(`/users/${id}`, { password: 'chosen by an admin' })],
  ['new role', async id => await admin.patch(`/users/${id}`, { role: 'editor' })],
  ['deletion', async id => await admin.delete(`/users/${id}`)]
]

for (const [what, change] of endings) {
  test(`a ${what} by an admin ends the sessions of that user`, async () => {
    const [{ id, email }, other] = [await aUser(), await aUser()]
    const [client, untouched] = [await signedIn(email), await signedIn(other.email)]
    await admin.patch(`/users/${id}`, { name: 'Renamed', role: 'viewer', language: 'de' })
    assert.equal(await readOwnStatus(client), 200)
    await change(id)
    assert.deepEqual([await readOwnStatus(client), await readOwnStatus(untouched)], [401, 200])
  })
}

test('the last admin can neither be deleted nor get another role, also if two admins demote and delete each other at once', async () => {
  await store.run(sql`update platform.users set role = 'viewer' where role = 'admin'`)
  const [one, other] = [await aUser({ role: 'admin' }), await aUser({ role: 'admin' })]
  const [byOne, byOther] = [await signedIn(one.email), await signedIn(other.email)]
  for (let round = 0; round < 5; round += 1) {
    const responses = await Promise.all([
      byOne.patch(`/users/${other.id}`, { role: 'viewer' }),
      byOther.delete(`/users/${one.id}`)
    ])
    const left = await store.all(sql`select id from platform.users where role = 'admin' and removed_at is null`)
    assert.equal(left.length, 1, responses.map(({ text }) => text).join())
    if (responses[1]?.status === 204) break
    await admin.patch(`/users/${other.id}`, { role: 'admin' })
  }
  await store.run(sql`update platform.users set role = 'viewer' where role = 'admin'`)
  const { id } = await aUser({ role: 'admin' })
  for (const response of [await admin.patch(`/users/${id}`, { role: 'editor' }), await admin.delete(`/users/${id}`)]) {
    assert.deepEqual([response.status, response.body.code], [409, 'last-admin'])
  }
  assert.equal((await admin.patch(`/users/${id}`, { role: 'admin', name: 'Still admin' })).status, 200)
  await aUser({ role: 'admin' })
  assert.equal((await admin.delete(`/users/${id}`)).status, 204)
})

test('of the last two admins deleted at once, one remains', async () => {
  for (let round = 0; round < 5; round += 1) {
    await store.run(sql`update platform.users set role = 'viewer' where role = 'admin'`)
    const [one, other] = [await aUser({ role: 'admin' }), await aUser({ role: 'admin' })]
    const responses = await Promise.all([admin.delete(`/users/${one.id}`), admin.delete(`/users/${other.id}`)])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 409])
  }
})

test('an event keeps the id of its author after the user is deleted', async () => {
  const { id, email } = await aUser({ role: 'editor' })
  const client = await signedIn(email)
  const created = await client.post(`${calendar}/events`, event)
  assert.equal(created.body.author, String(id))
  assert.equal((await admin.delete(`/users/${id}`)).status, 204)
  assert.equal((await admin.get(`${calendar}/events/${created.body.id}`)).body.author, String(id))
  const given = await admin.post(`${calendar}/events`, { ...event, author: id })
  assert.deepEqual([given.status, given.body.author], [201, String(id)])
})

test('changes of users are recorded with the actor, without email addresses and passwords', async () => {
  const by = await aUser({ name: 'Recorder', role: 'admin' })
  const client = await signedIn(by.email)
  const { id } = (await client.post('/users', newUser({ name: 'Recorded', email: 'recorded@example.org' }))).body
  await client.patch(`/users/${id}`, { email: 'moved@example.org', password: 'hush hush hush' })
  await client.delete(`/users/${id}`)
  const { body, text } = await admin.get(`/activity?subject=user&subjectId=${id}`)
  const actor = `user ${by.id} (Recorder)`
  assert.deepEqual(
    body.map((one: { action: string; actor: string; details: object }) => [one.action, one.actor, one.details]),
    [
      ['user.removed', actor, { name: 'Recorded', role: 'viewer' }],
      ['user.updated', actor, { name: 'Recorded', fields: ['email', 'password'] }],
      ['user.created', actor, { name: 'Recorded', role: 'viewer' }]
    ]
  )
  assert.doesNotMatch(text, /example\.org|hush|correct horse|scrypt/)
  const everything = await store.one<{ text: string }>(
    sql`select string_agg(details::text || actor, ' ') as text from platform.activity`
  )
  assert.doesNotMatch(everything.text, /example\.org|hush hush|correct horse|scrypt|kls_/)
})
