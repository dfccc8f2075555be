// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { computeTotpCode, getTotpStep } from './totp.ts'

const { admin, store, visitor, withKey } = await startCampaignsAndCalendar()
const password = 'correct horse battery'

let count = 0
async function aPerson(fields: object = {}) {
  count += 1
  const email = `berta${count}@example.org`
  const { body: user } = await admin.post('/users', { name: 'Berta', email, role: 'treasurer', password, ...fields })
  const { body } = await visitor.post('/sessions', { email, password })
  return { id: user.id as number, email, client: withKey(body.token) }
}

/** An unused code: tests do not wait for the next 30 seconds. */
async function freshCode(userId: number, secret: string): Promise<string> {
  await store.run(sql`update platform.totp_factors set last_step = null where user_id = ${userId}`)
  return computeTotpCode(secret, getTotpStep(new Date()))
}

/** A user with an authenticator app. */
async function aPersonWithTotp(fields: object = {}) {
  const person = await aPerson(fields)
  const { body } = await person.client.post('/users/me/totp', { currentPassword: password })
  const secret: string = body.secret
  const code = computeTotpCode(secret, getTotpStep(new Date()))
  const confirmed = await person.client.post('/users/me/totp/confirm', { code })
  assert.equal(confirmed.status, 200, confirmed.text)
  const recoveryCodes: string[] = confirmed.body.recoveryCodes
  return { ...person, secret, recoveryCodes, firstCode: code, code: async () => await freshCode(person.id, secret) }
}

test('an authenticator app is active after its first correct code, and every later sign-in needs a code', async () => {
  const { client, email, id } = await aPerson()
  const started = await client.post('/users/me/totp', { currentPassword: password })
  assert.equal(started.status, 200, started.text)
  assert.equal(started.headers['cache-control'], 'no-store')
  const { secret, uri } = started.body
  assert.ok(uri.includes(secret))
  assert.equal((await visitor.post('/sessions', { email, password })).status, 201, 'not yet confirmed')

  const wrong = await client.post('/users/me/totp/confirm', { code: '000000' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/code'])
  const typed = computeTotpCode(secret, getTotpStep(new Date())).replace(/^(...)/, '$1 ')
  const right = await client.post('/users/me/totp/confirm', { code: typed })
  assert.equal(right.status, 200, right.text)
  assert.equal(new Set(right.body.recoveryCodes).size, 10)
  const known = (await client.get('/users/me/factors')).body
  assert.equal(known.recoveryCodesLeft, 10)
  assert.ok(known.totp.createdAt !== null)

  const withoutCode = await visitor.post('/sessions', { email, password })
  assert.deepEqual(
    [withoutCode.status, withoutCode.body.code, withoutCode.body.factors],
    [401, 'second-factor-required', ['totp', 'recoveryCode']]
  )
  const signedIn = await visitor.post('/sessions', { email, password, code: await freshCode(id, secret) })
  assert.equal(signedIn.status, 201, signedIn.text)
  const again = await client.post('/users/me/totp', { currentPassword: password })
  assert.deepEqual([again.status, again.body.code], [409, 'totp-already-set-up'])
})

test('a wrong password of an account with a second factor is refused without showing the factor', async () => {
  const { email, code } = await aPersonWithTotp()
  const attempts = [
    { email, password: 'wrong' },
    { email, password: 'wrong', code: await code() }
  ]
  for (const attempt of attempts) {
    const { status, body } = await visitor.post('/sessions', attempt)
    assert.deepEqual([status, body.code, body.factors], [401, 'bad-sign-in', undefined])
  }
})

test('a code works once, also in two concurrent requests', async () => {
  const { email, code, firstCode } = await aPersonWithTotp()
  const used = await visitor.post('/sessions', { email, password, code: firstCode })
  assert.deepEqual([used.status, used.body.code], [401, 'wrong-second-factor'])
  const fresh = { email, password, code: await code() }
  const both = await Promise.all([visitor.post('/sessions', fresh), visitor.post('/sessions', fresh)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401])
})

test('a recovery code works once instead of a code, in any spelling, until new ones are created', async () => {
  const { email, client, recoveryCodes } = await aPersonWithTotp()
  const [first = '', second = ''] = recoveryCodes
  const typed = first.toLowerCase().replaceAll('-', ' ')
  assert.equal((await visitor.post('/sessions', { email, password, code: typed })).status, 201)
  assert.equal((await visitor.post('/sessions', { email, password, code: first })).status, 401)
  assert.equal((await client.get('/users/me/factors')).body.recoveryCodesLeft, 9)

  const renewed = await client.post('/users/me/recovery-codes', { currentPassword: password })
  assert.equal(renewed.body.recoveryCodes.length, 10)
  assert.equal((await visitor.post('/sessions', { email, password, code: second })).status, 401, 'an old recovery code')
  const code = renewed.body.recoveryCodes[3]
  assert.equal((await visitor.post('/sessions', { email, password, code })).status, 201)
})

test('the 401 response contains an attempt that a code of the same account completes once', async () => {
  const { email, code, id } = await aPersonWithTotp()
  const other = await aPersonWithTotp()
  const { attempt } = (await visitor.post('/sessions', { email, password })).body
  const theirs = await visitor.post('/sessions/second-factor', { attempt, code: await other.code() })
  assert.deepEqual([theirs.status, theirs.body.code], [401, 'wrong-second-factor'])
  const right = await visitor.post('/sessions/second-factor', { attempt, code: await code() })
  assert.equal(right.status, 201, right.text)
  assert.equal(right.body.user.id, id)
  const again = await visitor.post('/sessions/second-factor', { attempt, code: await code() })
  assert.deepEqual([again.status, again.body.code], [401, 'sign-in-expired'])
})

test('an attempt ends when it expires and when the password changes', async () => {
  const { email, code, id } = await aPersonWithTotp()
  const late = (await visitor.post('/sessions', { email, password })).body.attempt
  await store.run(sql`update platform.sign_in_steps set expires_at = now() - interval '1 second' where user_id = ${id}`)
  assert.equal((await visitor.post('/sessions/second-factor', { attempt: late, code: await code() })).status, 401)
  const { attempt } = (await visitor.post('/sessions', { email, password })).body
  await admin.patch(`/users/${id}`, { password: 'another horse battery' })
  const changed = await visitor.post('/sessions/second-factor', { attempt, code: await code() })
  assert.deepEqual([changed.status, changed.body.code], [401, 'sign-in-expired'])
})

test('after ten wrong codes the correct one is refused too', async () => {
  const { email, code } = await aPersonWithTotp()
  const { attempt } = (await visitor.post('/sessions', { email, password })).body
  for (let tries = 0; tries < 10; tries += 1) {
    const { status } = await visitor.post('/sessions/second-factor', { attempt, code: `00000${tries}` })
    assert.equal(status, 401)
  }
  const { status, body, headers } = await visitor.post('/sessions/second-factor', { attempt, code: await code() })
  assert.deepEqual([status, body.code], [429, 'too-many-codes'])
  assert.ok(Number(headers['retry-after']) > 0)
  assert.equal((await visitor.post('/sessions', { email, password, code: await code() })).status, 429)
})

test('changing second factors needs the password or a code', async () => {
  const { client, code, recoveryCodes, email } = await aPersonWithTotp()
  for (const path of ['/users/me/totp/remove', '/users/me/recovery-codes']) {
    const none = await client.post(path, {})
    assert.deepEqual([none.status, none.body.errors[0].pointer], [422, '/currentPassword'])
    const wrong = await client.post(path, { currentPassword: 'wrong' }, { 'accept-language': 'de' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'wrong-password'])
    assert.match(wrong.body.detail, /ist falsch/)
    assert.equal((await client.post(path, { code: '123456' })).status, 422)
  }
  assert.equal((await client.get('/users/me/factors')).body.recoveryCodesLeft, 10)
  assert.equal((await client.post('/users/me/totp/remove', { code: await code() })).status, 204)
  const left = (await client.get('/users/me/factors')).body
  assert.deepEqual([left.totp, left.recoveryCodesLeft], [null, 0])
  assert.equal((await visitor.post('/sessions', { email, password })).status, 201)
  const afterRemoval = await client.post('/users/me/recovery-codes', { currentPassword: password })
  assert.deepEqual([afterRemoval.status, afterRemoval.body.code], [409, 'no-second-factor'])
  assert.equal(recoveryCodes.length, 10)
  assert.equal((await (await aPerson()).client.post('/users/me/totp', { currentPassword: 'no' })).status, 422)
})

test('the secret is stored encrypted, and recovery codes as hashes', async () => {
  const { id, secret, recoveryCodes } = await aPersonWithTotp()
  const rows = await store.one<{ text: string }>(sql`
    select (select to_jsonb(totp)::text from platform.totp_factors as totp where user_id = ${id})
      || (select string_agg(to_jsonb(code)::text, ',') from platform.recovery_codes as code where user_id = ${id}) as text`)
  const spellings = [secret, ...recoveryCodes].flatMap(text => [text, Buffer.from(text).toString('hex')])
  assert.ok(spellings.every(text => !rows.text.includes(text)))
})

test('an encrypted secret that is copied to another account cannot be decrypted', async () => {
  const { id, email } = await aPersonWithTotp()
  const thief = await aPersonWithTotp()
  await store.run(sql`
    update platform.totp_factors
    set secret_encrypted = (select secret_encrypted from platform.totp_factors where user_id = ${thief.id})
    where user_id = ${id}`)
  const { status, body } = await visitor.post('/sessions', { email, password, code: await thief.code() })
  assert.deepEqual([status, body.code], [409, 'factor-unreadable'])
})

test('changes of second factors are recorded in the activity log, without any secret', async () => {
  const { id, client, secret, recoveryCodes } = await aPersonWithTotp({ name: 'Clara' })
  await client.post('/users/me/recovery-codes', { currentPassword: password })
  await client.post('/users/me/totp/remove', { currentPassword: password })
  const { body, text } = await admin.get(`/activity?subject=user&subjectId=${id}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['user.factor_removed', 'user.recovery_codes_created', 'user.factor_added', 'user.created']
  )
  assert.equal(body[0].actor, `user ${id} (Clara)`)
  assert.ok(!text.includes(secret) && !text.includes(recoveryCodes[0] ?? '-'))
})

test('deleting an account deletes its second factors', async () => {
  const { id } = await aPersonWithTotp()
  await admin.delete(`/users/${id}`)
  const { rows } = await store.one<{ rows: number }>(sql`
    select (select count(*) from platform.totp_factors where user_id = ${id})
      + (select count(*) from platform.recovery_codes where user_id = ${id}) as rows`)
  assert.equal(rows, 0)
})

test('API keys and visitors have no second factors', async () => {
  assert.equal((await admin.get('/users/me/factors')).status, 403)
  assert.equal((await visitor.get('/users/me/factors')).status, 401)
})
