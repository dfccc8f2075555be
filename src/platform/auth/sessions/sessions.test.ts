// test: both stores
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordHashing } from '#test/support/fast-passwords.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { calendar, campaign, startCampaigns, startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import type { Log } from '../../log.ts'

const { admin, server, store, visitor, withKey } = await startCampaignsAndCalendar()
const password = 'correct horse battery'

let count = 0
async function aUser(fields: object = {}) {
  count += 1
  const user = { name: 'Anna', email: `anna${count}@example.org`, role: 'editor', password, ...fields }
  const { status, body, text } = await admin.post('/users', user)
  assert.equal(status, 201, text)
  return body
}

async function signIn(email: string) {
  const { status, body, text } = await visitor.post('/sessions', { email, password })
  assert.equal(status, 201, text)
  return body
}

const dayMs = 86_400_000

test('signing in returns a token that works like a key until the user signs out', async () => {
  const user = await aUser()
  const { status, headers, body } = await visitor.post('/sessions', { email: user.email.toUpperCase(), password })
  assert.equal(status, 201)
  assert.match(headers.location ?? '', /\/sessions\/current$/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(body.token, /^kls_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/)
  assert.deepEqual(body.user, user)
  assert.ok(Math.abs(Date.parse(body.expiresAt) - Date.now() - 14 * dayMs) < 60_000)

  const client = withKey(body.token)
  assert.equal((await client.post('/campaigns', campaign)).status, 201)
  assert.equal((await client.post(`${calendar}/venues`, { venue: 'Town Hall' })).status, 201)
  assert.equal((await client.get('/keys')).status, 403)
  const current = await client.get('/sessions/current')
  assert.equal(current.body.user.id, user.id)
  assert.ok(current.body.expiresAt >= body.expiresAt)

  assert.equal((await client.delete('/sessions/current')).status, 204)
  for (const path of ['/sessions/current', '/campaigns', `${calendar}/events`]) {
    assert.equal((await client.get(path)).status, 401, path)
  }
})

test('actions of a user are recorded with the user’s id and name', async () => {
  const { id, email } = await aUser({ name: 'Berta' })
  const client = withKey((await signIn(email)).token)
  const newRecord = await client.post('/campaigns', campaign)
  await client.delete('/sessions/current')
  const { body } = await admin.get(`/activity?subject=campaign&subjectId=${newRecord.body.id}`)
  assert.equal(body[0].actor, `user ${id} (Berta)`)
  const actions = (await admin.get(`/activity?actor=${encodeURIComponent(`user ${id} (Berta)`)}`)).body
  assert.deepEqual(
    actions.map(({ action }: { action: string }) => action),
    ['session.ended', 'campaign.created', 'session.started']
  )
})

test('only the hash of a token is stored', async () => {
  const { token } = await signIn((await aUser()).email)
  const [, finder = '', secret] = token.split('_')
  const { row, hash } = await store.one<{ row: string; hash: Buffer }>(sql`
    select to_jsonb(sessions)::text as row, hash from platform.sessions where token_prefix = ${finder}`)
  assert.ok(!row.includes(secret))
  assert.ok(hash.equals(createHash('sha256').update(token).digest()))
  assert.equal((await withKey(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`).get('/site')).status, 401)
})

test('the API reads no cookies', async () => {
  const { token } = await signIn((await aUser()).email)
  const cookie = `session=${token}; kalends=${token}; token=${token}`
  assert.equal((await visitor.get('/sessions/current', { cookie })).status, 401)
})

test('a wrong password, an unknown email address and a deleted user get the same response, in both languages', async () => {
  const { email } = await aUser()
  const removed = await aUser()
  await admin.delete(`/users/${removed.id}`)
  const attempts = [
    { email, password: 'wrong' },
    { email: 'nobody@example.org', password },
    { email: removed.email, password }
  ]
  for (const language of ['en', 'de']) {
    const responses = await Promise.all(
      attempts.map(async body => await visitor.post('/sessions', body, { 'accept-language': language }))
    )
    for (const { status, headers, body } of responses) {
      assert.deepEqual([status, body.code, headers['content-language']], [401, 'bad-sign-in', language])
      assert.equal(body.detail, responses[0]?.body.detail)
    }
  }
  assert.match((await visitor.post('/sessions', attempts[0], { 'accept-language': 'de' })).body.detail, /falsch/)
})

test('a session expires 14 days after its last use, and 90 days after sign-in at the latest', async () => {
  const { email, id } = await aUser()
  const { token } = await signIn(email)
  const client = withKey(token)
  const setAge = async (last: string, created = last) =>
    await store.run(sql`
      update platform.sessions
      set last_used_at = now() - ${last}::interval, created_at = now() - ${created}::interval
      where user_id = ${id}`)
  await setAge('13 days 23 hours', '80 days')
  const { body } = await client.get('/sessions/current')
  assert.ok(Math.abs(Date.parse(body.expiresAt) - Date.now() - 10 * dayMs) < 60_000, body.expiresAt)
  await setAge('14 days 1 minute', '15 days')
  const ended = await client.get('/sessions/current')
  assert.deepEqual([ended.status, ended.body.code], [401, 'bad-credentials'])
  await setAge('1 minute', '89 days 23 hours')
  assert.equal((await client.get('/sessions/current')).status, 200)
  await setAge('1 minute', '90 days 1 minute')
  assert.equal((await client.get('/sessions/current')).status, 401)
})

test('the last use of a session and its user is stored in batches, not with each request', async () => {
  const service = await startCampaigns()
  const newRecord = await service.admin.post('/users', {
    name: 'Used',
    email: 'u@example.org',
    role: 'viewer',
    password
  })
  const { token } = (await service.visitor.post('/sessions', { email: 'u@example.org', password })).body
  await service.store.run(sql`update platform.sessions set last_used_at = now() - interval '3 days'`)
  const start = Date.now()
  for (let times = 0; times < 3; times += 1) await service.withKey(token).get('/users/me')
  const uses = async () =>
    await service.store.one<{ used: string; seen: string | null }>(sql`
      select last_used_at as used, last_seen_at as seen
      from platform.sessions join platform.users on users.id = user_id
      where users.id = ${newRecord.body.id}`)
  assert.ok(Date.parse((await uses()).used) < start - dayMs)
  assert.equal((await uses()).seen, null)
  await service.server.drain()
  const { used, seen } = await uses()
  assert.ok(Date.parse(used) >= start - 1)
  assert.equal(used, seen)
})

test('signing in deletes expired sessions, and no others', async () => {
  const [old, other] = [await aUser(), await aUser()]
  const kept = await signIn(other.email)
  await signIn(old.email)
  await store.run(sql`
    update platform.sessions set last_used_at = now() - interval '15 days' where user_id = ${old.id}`)
  await signIn((await aUser()).email)
  const left = await store.all(sql`select id from platform.sessions where user_id = ${old.id}`)
  assert.equal(left.length, 0)
  assert.equal((await withKey(kept.token).get('/users/me')).status, 200)
})

test('a correct password resets the count of wrong ones for the account', async () => {
  const { email } = await aUser()
  for (let round = 0; round < 2; round += 1) {
    const wrong = Array.from({ length: 9 }, async () => await visitor.post('/sessions', { email, password: 'wrong' }))
    for (const { status } of await Promise.all(wrong)) assert.equal(status, 401)
    await signIn(email)
  }
})

test('after ten wrong passwords in a minute an address gets 429; correct passwords are not counted', async () => {
  const { email } = await aUser()
  const from = async (remoteAddress: string, to: string, secret: string) =>
    await visitor.send({
      method: 'POST',
      url: '/sessions',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ email: to, password: secret })
    })
  for (let times = 0; times < 3; times += 1) {
    assert.equal((await from('198.51.100.7', email, password)).status, 201)
  }
  for (let times = 0; times < 10; times += 1) {
    assert.equal((await from('198.51.100.7', `nobody${times}@example.org`, 'wrong')).status, 401)
  }
  const refused = await from('198.51.100.7', email, password)
  assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-sign-ins'])
  assert.ok(Number(refused.headers['retry-after']) <= 60)
  assert.equal((await from('198.51.100.8', email, password)).status, 201)
})

test('of too many concurrent sign-ins, those that would wait too long get 503, and the others are served', async () => {
  // More users with the correct password than refusals, so that at least one is served in any order.
  const users = await Promise.all(Array.from({ length: 20 }, async () => (await aUser()).email))
  const strangers = Array.from({ length: 50 }, (_, index) => `stranger${index}@example.org`)
  const hashing = new EventEmitter()
  passwordHashing.start = once(hashing, 'start').then(() => {})
  const sent = [...users, ...strangers].map(async email => await visitor.post('/sessions', { email, password }))
  // Refusals are sent before any password is checked.
  let refused = 0
  for (const response of sent) {
    void response.then(({ status }) => {
      if (status === 503) refused += 1
    })
  }
  await waitUntil(() => refused >= sent.length - 54).finally(() => hashing.emit('start'))
  const responses = await Promise.all(sent)
  const statuses = responses.map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)].sort(), [201, 401, 503])
  const busy = responses.find(({ status }) => status === 503)
  assert.equal(busy?.body.code, 'too-busy')
  assert.ok(Number(busy?.headers['retry-after']) > 0)
  assert.equal(statuses.filter(status => status !== 503).length, 54)
  await signIn(users[0] ?? '')
})

test('signing in with the old password while it is changed gives no valid session', async () => {
  passwordHashing.isFast = false
  const { id, email } = await aUser()
  const attempts = Array.from({ length: 6 }, async () => await visitor.post('/sessions', { email, password }))
  await sleep(20)
  await admin.patch(`/users/${id}`, { password: 'quite another one' })
  for (const { status, body } of await Promise.all(attempts)) {
    if (status === 201) assert.equal((await withKey(body.token).get('/users/me')).status, 401)
    else assert.equal(body.code, 'bad-sign-in')
  }
  passwordHashing.isFast = true
})

test('the same Idempotency-Key returns the same session, and only with the correct password', async () => {
  const { email } = await aUser()
  const headers = { 'idempotency-key': 'sign-me-in-once' }
  const first = await visitor.post('/sessions', { email, password }, headers)
  const again = await visitor.post('/sessions', { email, password }, headers)
  assert.equal(again.body.token, first.body.token)
  assert.equal((await visitor.post('/sessions', { email, password: 'wrong' }, headers)).status, 401)
  // The stored hash of the body cannot be computed from the body alone.
  const plain = createHash('sha256')
    .update(
      JSON.stringify([
        '',
        [
          ['email', email],
          ['password', password]
        ]
      ])
    )
    .digest()
  const kept = await store.all<{ hash: Buffer }>(sql`select body_hash as hash from platform.idempotency`)
  assert.ok(kept.length > 0 && kept.every(({ hash }) => !hash.equals(plain)))
})

test('neither the log nor the activity log contains a password, a token or an email address, wherever a client sends them', async () => {
  const lines: string[] = []
  const write = (...words: unknown[]) => void lines.push(JSON.stringify(words))
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
  const service = await startCampaigns({ log })
  const user = { name: 'Logged', email: 'logged@example.org', role: 'admin', password }
  const { id } = (await service.admin.post('/users', user)).body
  const { token, deviceToken } = (await service.visitor.post('/sessions', user)).body
  const client = service.withKey(token)
  await service.visitor.get(`/keys/${deviceToken}`)
  await service.visitor.post('/sessions', { email: user.email, password: 'wrong secret' })
  await client.put('/users/me/password', { currentPassword: 'wrong secret', newPassword: 'next secret' })
  await client.put('/users/me/password', { currentPassword: password, newPassword: 'next secret' })
  await client.patch(`/users/${id}`, { password: 'last secret' })
  await service.visitor.get(`/keys/${token}?token=${token}`)
  await service.visitor.post(`/setup?token=${token}`, { token, user })
  await service.visitor.get(`/${token.replace('kls_', 'kst_')}`)
  assert.ok(lines.length > 8)
  const secrets = [
    password,
    'wrong secret',
    'next secret',
    'last secret',
    token.slice(4),
    deviceToken.slice(10),
    'logged@',
    'scrypt'
  ]
  for (const secret of secrets) assert.ok(!lines.join('\n').includes(secret), secret)
  const activity = await service.store.one<{ text: string }>(
    sql`select string_agg(to_jsonb(activity)::text, ' ') as text from platform.activity`
  )
  for (const secret of secrets) assert.ok(!activity.text.includes(secret), secret)
})

test('a session that has ended is refused on public routes too', async () => {
  const { token } = await signIn((await aUser()).email)
  await withKey(token).delete('/sessions/current')
  assert.equal(
    (await server.app.inject({ url: '/site', headers: { authorization: `Bearer ${token}` } })).statusCode,
    401
  )
})
