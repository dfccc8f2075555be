import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { startCampaignsAndCalendar } from '#test/support/services.ts'
import { type Device, type DeviceOverrides, newDevice } from '#test/support/webauthn-device.ts'
import { sql } from '../../database/sql.ts'

const { admin, server, store, visitor, withKey } = await startCampaignsAndCalendar()
const password = 'correct horse battery'

let count = 0
async function aPerson() {
  count += 1
  const email = `carla${count}@example.org`
  const { body: user } = await admin.post('/users', { name: 'Carla', email, role: 'treasurer', password })
  const { body } = await visitor.post('/sessions', { email, password })
  return { id: user.id as number, email, client: withKey(body.token) }
}
type Person = Awaited<ReturnType<typeof aPerson>>

async function register({ client }: Pick<Person, 'client'>, device: Device, overrides?: DeviceOverrides) {
  const options = await client.post('/users/me/passkeys/options', { currentPassword: password })
  assert.equal(options.status, 200, options.text)
  return await client.post('/users/me/passkeys', {
    name: 'My phone',
    credential: device.create(options.body, overrides)
  })
}

async function aPersonWithPasskey() {
  const person = await aPerson()
  const device = newDevice()
  const { status, body, text } = await register(person, device)
  assert.equal(status, 201, text)
  return { ...person, device, recoveryCodes: body.recoveryCodes as string[] }
}

async function signIn(device: Device, overrides?: DeviceOverrides, attempt?: string) {
  const step = attempt === undefined ? {} : { attempt }
  const options = await visitor.post('/sessions/passkey-options', step)
  assert.equal(options.status, 200, options.text)
  return await visitor.post('/sessions/passkey', { ...step, credential: device.get(options.body, overrides) })
}

test('a passkey signs in without a password, and its last use is shown', async () => {
  const { id, device, client, recoveryCodes } = await aPersonWithPasskey()
  assert.equal(recoveryCodes.length, 10)
  device.counter += 1
  const { status, body, text } = await signIn(device)
  assert.equal(status, 201, text)
  assert.equal(body.user.id, id)
  assert.equal((await withKey(body.token).get('/users/me')).body.id, id)
  const [passkey] = (await client.get('/users/me/passkeys')).body
  assert.deepEqual([passkey.id, passkey.name, passkey.cloneWarningAt], [1, 'My phone', null])
  assert.notEqual(passkey.lastUsedAt, null)
})

test('the options require a discoverable passkey and user verification', async () => {
  const { client, email } = await aPerson()
  const { body } = await client.post('/users/me/passkeys/options', { currentPassword: password })
  assert.deepEqual(body.authenticatorSelection, {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required'
  })
  assert.deepEqual([body.rp.id, body.user.name], ['localhost', email])
  assert.equal((await client.post('/users/me/passkeys/options', { currentPassword: 'wrong' })).status, 422)
})

test('after the password a passkey of the same account completes the sign-in, and a passkey of another account does not', async () => {
  const { email, device, id } = await aPersonWithPasskey()
  const other = await aPersonWithPasskey()
  const refused = await visitor.post('/sessions', { email, password })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.factors],
    [401, 'second-factor-required', ['passkey', 'recoveryCode']]
  )
  const { attempt } = refused.body
  other.device.counter += 1
  assert.equal((await signIn(other.device, {}, attempt)).status, 401)
  device.counter += 1
  const { status, body, text } = await signIn(device, {}, attempt)
  assert.equal(status, 201, text)
  assert.equal(body.user.id, id)
  assert.equal((await visitor.post('/sessions/passkey-options', { attempt })).status, 401, 'an attempt works once')
})

test('a credential for another site or purpose, by another key or without user verification is refused', async () => {
  const { device } = await aPersonWithPasskey()
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const lies: DeviceOverrides[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
    { isVerified: false },
    { signedBy: stranger },
    { userHandle: Buffer.from('kalends-user-1').toString('base64url') }
  ]
  for (const overrides of lies) {
    device.counter += 1
    const { status, body } = await signIn(device, overrides)
    assert.deepEqual([status, body.code], [401, 'wrong-passkey'], JSON.stringify(Object.keys(overrides)))
  }
  const person = await aPerson()
  for (const overrides of lies.slice(0, 4)) {
    const created = await register(
      person,
      newDevice(),
      overrides.type === undefined ? overrides : { type: 'webauthn.get' }
    )
    assert.deepEqual([created.status, created.body.code], [422, 'passkey-refused'])
  }
  assert.deepEqual((await person.client.get('/users/me/passkeys')).body, [])
})

test('a challenge works once, successful or not, only for its user, and until it expires', async () => {
  const { device } = await aPersonWithPasskey()
  const options = (await visitor.post('/sessions/passkey-options', {})).body
  device.counter += 1
  const credential = device.get(options)
  assert.equal((await visitor.post('/sessions/passkey', { credential })).status, 201)
  const again = await visitor.post('/sessions/passkey', { credential })
  assert.deepEqual([again.status, again.body.code], [409, 'passkey-expired'])

  const wrong = (await visitor.post('/sessions/passkey-options', {})).body
  await visitor.post('/sessions/passkey', { credential: device.get(wrong, { origin: 'https://evil.example' }) })
  assert.equal((await visitor.post('/sessions/passkey', { credential: device.get(wrong) })).status, 409)

  const late = (await visitor.post('/sessions/passkey-options', {})).body
  await store.run(sql`update platform.sign_in_steps set expires_at = now() - interval '1 second'`)
  assert.equal((await visitor.post('/sessions/passkey', { credential: device.get(late) })).status, 409)

  const [one, other] = [await aPerson(), await aPerson()]
  const theirs = (await one.client.post('/users/me/passkeys/options', { currentPassword: password })).body
  const stolen = await other.client.post('/users/me/passkeys', { name: 'x', credential: newDevice().create(theirs) })
  assert.deepEqual([stolen.status, stolen.body.code], [409, 'passkey-expired'])
})

test('a counter that goes back means a cloned device: it is refused, shown, recorded, and refused from then on', async () => {
  const { id, client, device } = await aPersonWithPasskey()
  device.counter = 7
  assert.equal((await signIn(device)).status, 201)
  device.counter = 5
  const copy = await signIn(device)
  assert.deepEqual([copy.status, copy.body.code], [401, 'passkey-cloned'])
  device.counter = 20
  assert.equal((await signIn(device)).status, 401)
  assert.notEqual((await client.get('/users/me/passkeys')).body[0].cloneWarningAt, null)
  const { body } = await admin.get(`/activity?subject=user&subjectId=${id}`)
  assert.ok(body.some(({ action }: { action: string }) => action === 'user.passkey_cloned'))
})

test('devices without a counter, such as password managers, can sign in repeatedly', async () => {
  const person = await aPerson()
  const device = newDevice()
  device.counter = 0
  await register(person, device)
  for (let times = 0; times < 3; times += 1) assert.equal((await signIn(device)).status, 201)
})

test('only their owner can rename and remove passkeys, and removing needs the password', async () => {
  const { client, device, email } = await aPersonWithPasskey()
  const other = await aPerson()
  const renamed = await client.patch('/users/me/passkeys/1', { name: 'Old phone' })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Old phone'])
  assert.equal((await client.patch('/users/me/passkeys/1', { name: '' })).status, 400)
  assert.equal((await other.client.patch('/users/me/passkeys/1', { name: 'Mine' })).status, 404)
  const none = await client.post('/users/me/passkeys/1/remove', {})
  assert.deepEqual([none.status, none.body.errors[0].pointer], [422, '/currentPassword'])
  assert.equal((await client.post('/users/me/passkeys/2/remove', { currentPassword: password })).status, 404)
  assert.equal((await client.post('/users/me/passkeys/1/remove', { currentPassword: password })).status, 204)
  device.counter += 1
  assert.equal((await signIn(device)).status, 401)
  assert.equal((await visitor.post('/sessions', { email, password })).status, 201)
})

test('the same device is not added twice', async () => {
  const { client, device } = await aPersonWithPasskey()
  const { body } = await client.post('/users/me/passkeys/options', { currentPassword: password })
  assert.equal(body.excludeCredentials.length, 1)
  const again = await client.post('/users/me/passkeys', { name: 'Again', credential: device.create(body) })
  assert.deepEqual([again.status, again.body.code], [409, 'passkey-known'])
})

test('passkeys are not offered at an IP address or at an unknown host name', async () => {
  for (const host of ['127.0.0.1:8080', '[::1]:8080', 'evil.example']) {
    const headers = { host, 'content-type': 'application/json' }
    const { statusCode, body } = await server.app.inject({
      ...{ method: 'POST', url: '/sessions/passkey-options', headers, payload: '{}' }
    })
    assert.deepEqual([statusCode, JSON.parse(body).code], [409, 'passkeys-not-offered'], host)
  }
})

test('a passkey of a deleted account cannot sign in', async () => {
  const { id, device } = await aPersonWithPasskey()
  await admin.delete(`/users/${id}`)
  device.counter += 1
  assert.equal((await signIn(device)).status, 401)
})
