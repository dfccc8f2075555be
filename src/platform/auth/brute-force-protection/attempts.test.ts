// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordHashing } from '#test/support/fast-passwords.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startCampaigns } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'

const { admin, visitor, store, withKey } = await startCampaigns()
const password = 'correct horse battery'

let count = 0
async function aUser() {
  count += 1
  const email = `owner${count}@example.org`
  const { status, body, text } = await admin.post('/users', { name: 'Anna', email, role: 'editor', password })
  assert.equal(status, 201, text)
  return { id: Number(body.id), email }
}

const attemptAt =
  (client: typeof visitor) => async (from: string, body: { email: string; password: string; deviceToken?: string }) =>
    await client.send({
      method: 'POST',
      url: '/sessions',
      remoteAddress: from,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body)
    })
const attempt = attemptAt(visitor)

/** An address of a new network for each call. */
let networks = 0
function newAddress(): string {
  networks += 1
  return `11.${networks >> 8}.${networks & 255}.1`
}

/** Ends all waiting times. */
async function endWaits(): Promise<void> {
  await store.run(sql`update platform.counters set next_at = now() - interval '1 second' where next_at is not null`)
}

const statuses = (responses: { status: number }[]) => {
  const counted: Record<number, number> = {}
  for (const { status } of responses) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

async function guessPasswords(email: string, times: number) {
  const responses: Awaited<ReturnType<typeof attempt>>[] = []
  for (let done = 0; done < times; done += 20) {
    const some = Array.from({ length: Math.min(20, times - done) }, async () => {
      return await attempt(newAddress(), { email, password: `guess ${done}` })
    })
    responses.push(...(await Promise.all(some)))
  }
  return responses
}

test('20 or 2,000 wrong passwords from as many networks never block the owner’s known device', {
  skip: skipUnlessFull
}, async () => {
  const { email } = await aUser()
  const { deviceToken } = (await attempt('198.51.100.1', { email, password })).body
  assert.match(deviceToken, /^kld_/)
  let responses = await guessPasswords(email, 20)
  for (const times of [0, 1980]) {
    responses = [...responses, ...(await guessPasswords(email, times))]
    // From any network, also from one of the attacker.
    for (const from of ['203.0.113.77', '11.0.1.1']) {
      const owner = await attempt(from, { email, password, deviceToken })
      assert.equal(owner.status, 201, owner.text)
    }
  }
  const { 401: answered = 0, 429: refused = 0 } = statuses(responses)
  assert.equal(answered + refused, 2000)
  assert.ok(answered <= 200, `${answered} guesses were answered`)
  for (const { status, headers } of responses) {
    if (status !== 429) continue
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
  }
})

test('the owner on a new device waits a minute at most, however many other clients guess', async () => {
  const { email } = await aUser()
  await guessPasswords(email, 300)
  const first = await attempt('203.0.113.99', { email, password })
  assert.deepEqual([first.status, first.body.code], [429, 'too-many-sign-ins'])
  assert.ok(Number(first.headers['retry-after']) <= 60)
  await endWaits()
  await guessPasswords(email, 100)
  const second = await attempt('203.0.113.99', { email, password })
  assert.equal(second.status, 201, second.text)
})

test('waiting times for one account grow from 1 to 60 seconds, separately for each address', async () => {
  const { email } = await aUser()
  const from = '198.51.100.20'
  const guess = async () => {
    // Resets the limit per network and minute: this test is about the growing waiting times.
    await store.run(sql`update platform.counters set until = now() where next_at is null`)
    assert.equal((await attempt(from, { email, password: 'wrong' })).status, 401)
  }
  for (let times = 0; times < 9; times += 1) await guess()
  const waitSeconds: number[] = []
  while (waitSeconds.length < 8) {
    await guess()
    const refused = await attempt(from, { email, password })
    assert.equal(refused.status, 429)
    waitSeconds.push(Number(refused.headers['retry-after']))
    await endWaits()
  }
  assert.deepEqual(waitSeconds, [1, 2, 4, 8, 16, 32, 60, 60])
})

test('a known device that guesses has to wait too, and its token is ignored for other accounts', async () => {
  const [anna, berta] = [await aUser(), await aUser()]
  const { deviceToken } = (await attempt('198.51.100.31', { ...anna, password })).body
  const wrong = { email: anna.email, password: 'wrong', deviceToken }
  const guesses = await Promise.all(Array.from({ length: 30 }, async () => await attempt(newAddress(), wrong)))
  assert.deepEqual(statuses(guesses), { 401: 10, 429: 20 })

  // For another account, or if it was changed, the token is ignored, and the client has to wait.
  await guessPasswords(berta.email, 300)
  const forged = [
    deviceToken,
    `${deviceToken.slice(0, -1)}${deviceToken.endsWith('A') ? 'B' : 'A'}`,
    deviceToken.replace(/^kld_\d+/, 'kld_00001'),
    'kld_',
    'x'.repeat(200),
    ''
  ]
  for (const token of forged) {
    const { status } = await attempt(newAddress(), { email: berta.email, password, deviceToken: token })
    assert.equal(status, 429, token)
  }
  const long = await attempt('198.51.100.32', { email: berta.email, password, deviceToken: 'x'.repeat(201) })
  assert.equal(long.status, 400)
  // A device token is not a credential.
  assert.equal((await withKey(deviceToken).get('/users/me')).status, 401)
})

test('a new password invalidates the device tokens', async () => {
  const { id, email } = await aUser()
  const { deviceToken } = (await attempt('198.51.100.41', { email, password })).body
  await admin.patch(`/users/${id}`, { password: 'another horse battery' })
  await guessPasswords(email, 300)
  const { status } = await attempt(newAddress(), { email, password: 'another horse battery', deviceToken })
  assert.equal(status, 429)
})

test('a client that changes its address within a network is limited: IPv6 by /64, /56 and /48, IPv4 by address and /24', async () => {
  const rotate = async (address: (number: number) => string) => {
    const responses: { status: number }[] = []
    for (let number = 0; number < 60; number += 1) {
      const email = `nobody-${number}-${Math.random()}@example.org`
      responses.push(await attempt(address(number), { email, password: 'wrong' }))
    }
    return statuses(responses)[401] ?? 0
  }
  const hex = (number: number) => number.toString(16)
  assert.equal(await rotate(number => `2001:db8:1:1::${hex(number)}`), 10, '/64')
  assert.equal(await rotate(number => `2001:db8:2:12${hex(number % 16)}${hex(number >> 4)}::1`), 20, '/56')
  assert.equal(await rotate(number => `2001:db8:3:${hex(number * 257)}::1`), 40, '/48')
  assert.equal(await rotate(() => '::ffff:192.0.2.1'), 10, 'IPv4 as IPv6')
  assert.equal(await rotate(number => `198.18.7.${number}`), 40, '/24')
  assert.equal(await rotate(number => `198.19.${number}.7`), 60, 'others')
})

test('concurrent attempts are counted like sequential ones', async () => {
  const { email } = await aUser()
  const from = '198.51.101.1'
  const guesses = Array.from({ length: 40 }, async () => await attempt(from, { email, password: 'wrong' }))
  assert.deepEqual(statuses(await Promise.all(guesses)), { 401: 10, 429: 30 })
})

test('attempts at an account that does not exist are refused like attempts at one that does', async () => {
  const { email } = await aUser()
  const [known, unknown] = [await guessPasswords(email, 100), await guessPasswords('nobody-at-all@example.org', 100)]
  assert.deepEqual(statuses(known), statuses(unknown))
})

test('a known device is served during seventy concurrent sign-ins of other clients', {
  skip: skipUnlessFull
}, async () => {
  passwordHashing.isFast = false
  const { email } = await aUser()
  const { deviceToken } = (await attempt('198.51.102.1', { email, password })).body
  const guesses = Array.from({ length: 70 }, async (_, index) => {
    return await attempt(newAddress(), { email: `crowd${index}@example.org`, password })
  })
  const owner = await attempt(newAddress(), { email, password, deviceToken })
  const responses = await Promise.all(guesses)
  passwordHashing.isFast = true
  assert.equal(owner.status, 201, owner.text)
  const { 503: busy = 0 } = statuses(responses)
  assert.ok(busy >= 70 - 54, `${busy} were refused with 503`)
  assert.ok(Number(responses.find(({ status }) => status === 503)?.headers['retry-after']) > 0)
})

test('guesses of the current password are limited like sign-ins, and sign-in attempts of others do not block the right one', async () => {
  const { email } = await aUser()
  const { token } = (await attempt('198.51.103.1', { email, password })).body
  const guess = async (currentPassword: string, language = 'en') =>
    await withKey(token).put(
      '/users/me/password',
      { currentPassword, newPassword: 'a new horse battery' },
      { 'accept-language': language }
    )
  await guessPasswords(email, 100)
  for (let times = 0; times < 10; times += 1) assert.equal((await guess('wrong')).status, 422)
  const refused = await guess(password)
  assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-sign-ins'])
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.match(refused.body.detail, /Try again in 1 second\./)
  assert.match((await guess(password, 'de')).body.detail, /Bitte in 1 Sekunde noch einmal versuchen\./)
  await endWaits()
  assert.equal((await guess(password)).status, 204)
})

interface Failure {
  subjectId: string
  details: { network: string }
}

test('a failed sign-in is recorded with account and network, once a minute, without personal data', async () => {
  const service = await startCampaigns()
  const { admin, store, server } = service
  const attempt = attemptAt(service.visitor)
  const email = 'anna@example.org'
  const { id } = (await admin.post('/users', { name: 'Anna', email, role: 'editor', password })).body
  const before = Number(/^kalends_sign_ins_failed (\d+)/m.exec(await server.metrics.render())?.[1])
  for (let times = 0; times < 5; times += 1) await attempt('203.0.113.200', { email, password: 'wrong secret' })
  await attempt('2001:db8:9:8:7:6:5:4', { email: 'stranger@example.org', password: 'wrong secret' })
  const { body, text } = await admin.get(`/activity?action=session.refused&limit=200`)
  const ofAnna = body.filter(({ subjectId }: Failure) => subjectId === String(id))
  assert.equal(ofAnna.length, 1)
  assert.deepEqual(ofAnna[0].details, { network: '203.0.113.0/24' })
  assert.equal(body.filter(({ subjectId }: Failure) => subjectId === 'unknown').length, 1)
  for (const secret of [email, 'stranger@', 'wrong secret', '203.0.113.200', '7:6:5:4']) {
    assert.ok(!text.includes(secret), secret)
  }
  const after = Number(/^kalends_sign_ins_failed (\d+)/m.exec(await server.metrics.render())?.[1])
  assert.equal(after - before, 6)

  // After the minute more failures are recorded, but at most 50 a day.
  for (let times = 0; times < 60; times += 1) {
    await store.run(sql`update platform.counters set until = now() where until < now() + interval '61 seconds'`)
    await attempt(newAddress(), { email: `unknown${times}@example.org`, password: 'wrong' })
  }
  const all = await admin.get('/activity?action=session.refused&limit=200')
  assert.equal(all.body.filter(({ subjectId }: Failure) => subjectId === 'unknown').length, 50)
})
