// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminKey, campaign, donation, startCampaigns } from '#test/support/services.ts'
import { roles } from '../caller.ts'
import { sql } from '../database/sql.ts'

const { admin, visitor, store, withRole, aCampaign } = await startCampaigns()
const treasurerKey: string = (await admin.post('/keys', { name: 'treasurer', role: 'treasurer' })).body.key
const spacedKey = 'correct horse battery staple'

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const spaced = (key: string) => key.match(/.{1,4}/g)?.join(' ') ?? ''

const goodCredentials: Record<string, string> = {
  'as Bearer': `Bearer ${treasurerKey}`,
  'as bearer in small letters': `bearer ${treasurerKey}`,
  'as BEARER with blanks around': `BEARER   ${treasurerKey}  `,
  'as Basic': basic('anybody', treasurerKey),
  'as basic in small letters': basic('anybody', treasurerKey).replace('Basic', 'basic'),
  'as Basic without a user name': basic('', treasurerKey),
  'as Basic with any user name': basic('Bärbel Öztürk', treasurerKey),
  'as Basic with blanks in the password': basic('anybody', spaced(treasurerKey)),
  'as Basic with blanks around the password': basic('anybody', ` ${treasurerKey}\n`)
}

test('a key is accepted as a Bearer token, and as the password of Basic with any user name', async () => {
  for (const [how, authorization] of Object.entries(goodCredentials)) {
    const response = await visitor.post('/campaigns', campaign, { authorization })
    assert.equal(response.status, 201, how)
  }
})

test('ADMIN_KEY is accepted like any other key', async () => {
  for (const authorization of [`Bearer ${adminKey}`, basic('admin', adminKey), basic('admin', spaced(adminKey))]) {
    assert.equal((await visitor.get('/keys', { authorization })).status, 200, authorization)
  }
})

test('ADMIN_KEY may be any text, blanks included', async () => {
  const { visitor: stranger } = await startCampaigns({ env: { ADMIN_KEY: spacedKey } })
  const unspaced = spacedKey.replaceAll(' ', '')
  for (const authorization of [
    `Bearer ${spacedKey}`,
    `Bearer ${unspaced}`,
    basic('admin', spacedKey),
    basic('admin', unspaced),
    basic('admin', spaced(spacedKey))
  ]) {
    assert.equal((await stranger.get('/keys', { authorization })).status, 200, authorization)
  }
  for (const authorization of [`Bearer ${spacedKey}x`, 'Bearer correct', basic('admin', 'correct horse')]) {
    assert.equal((await stranger.get('/keys', { authorization })).status, 401, authorization)
  }
})

const finder = treasurerKey.slice(0, 'kal_'.length + 10)
const badCredentials: Record<string, string> = {
  'a wrong key': `Bearer kal_${'a'.repeat(10)}_${'b'.repeat(32)}`,
  'the right finder with a wrong secret': `Bearer ${finder}_${'b'.repeat(32)}`,
  'the finder alone': `Bearer ${finder}`,
  'a key with something behind it': `Bearer ${treasurerKey}x`,
  'a key in small letters': `Bearer ${treasurerKey.toLowerCase()}`,
  'something that is no key': 'Bearer nonsense',
  'no key at all': 'Bearer',
  'an empty key': 'Bearer ',
  'no scheme': treasurerKey,
  'another scheme': `Digest ${treasurerKey}`,
  'Basic without a colon': `Basic ${Buffer.from(treasurerKey).toString('base64')}`,
  'Basic with the key as user name': basic(treasurerKey, ''),
  'Basic with a wrong password': basic('anybody', 'wrong'),
  'Basic that is not Base64': `Basic ${treasurerKey}`,
  'an empty header': ''
}

test('bad credentials fail every request to an existing route with 401, public reads included', async () => {
  const { id } = await aCampaign()
  for (const [what, authorization] of Object.entries(badCredentials)) {
    for (const path of ['/campaigns', `/campaigns/${id}`, '/keys', '/health']) {
      const response = await visitor.get(path, { authorization })
      assert.equal(response.status, 401, `${what}, ${path}`)
      assert.equal(response.body.code, 'bad-credentials', what)
      assert.match(response.headers['www-authenticate'] ?? '', /Bearer.*Basic/, what)
    }
    const donated = await visitor.post(`/campaigns/${id}/donations`, donation, { authorization })
    assert.equal(donated.status, 401, `${what}, donating`)
  }
})

test('an unknown route is 404 whatever the credentials are', async () => {
  for (const [what, authorization] of Object.entries({ ...badCredentials, ...goodCredentials })) {
    assert.equal((await visitor.get('/nowhere', { authorization })).status, 404, what)
  }
})

test('a key that has expired or was revoked does not work', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const expiring = (await admin.post('/keys', { name: 'expires', role: 'admin', expiresAt: soon })).body
  const revoked = (await admin.post('/keys', { name: 'revoked', role: 'admin' })).body
  for (const { key } of [expiring, revoked]) {
    assert.equal((await visitor.get('/keys', { authorization: `Bearer ${key}` })).status, 200)
  }
  await store.run(sql`update platform.keys set expires_at = ${new Date(Date.now() - 1000)} where id = ${expiring.id}`)
  assert.equal((await admin.delete(`/keys/${revoked.id}`)).status, 204)
  for (const { key } of [expiring, revoked]) {
    assert.equal((await visitor.get('/campaigns', { authorization: `Bearer ${key}` })).status, 401)
  }
})

test('only an admin can list, create and revoke keys and read the activity log', async () => {
  const listAdminRequests = (client: typeof visitor) => [
    client.get('/keys'),
    client.post('/keys', { name: 'more', role: 'viewer' }),
    client.delete('/keys/999999'),
    client.get('/activity')
  ]
  for (const role of roles) {
    const statuses = (await Promise.all(listAdminRequests(await withRole(role)))).map(({ status }) => status)
    assert.deepEqual(statuses, role === 'admin' ? [200, 201, 404, 200] : [403, 403, 403, 403], role)
  }
  assert.deepEqual(
    (await Promise.all(listAdminRequests(visitor))).map(({ status }) => status),
    [401, 401, 401, 401]
  )
})

test('the error says what is missing: credentials or the role', async () => {
  const stranger = await visitor.post('/campaigns', campaign)
  assert.equal(stranger.status, 401)
  assert.equal(stranger.body.code, 'credentials-missing')
  assert.match(stranger.headers['www-authenticate'] ?? '', /^Bearer realm="[^"]+", Basic realm="[^"]+"$/)

  const viewer = await (await withRole('viewer')).post('/campaigns', campaign)
  assert.equal(viewer.status, 403)
  assert.equal(viewer.body.code, 'forbidden')
  assert.match(viewer.body.detail, /editor or treasurer.*viewer/)
})

test('credentials and permissions are checked before the body', async () => {
  const viewer = await withRole('viewer')
  const bodies: [what: string, payload: string, type: string, status: number][] = [
    ['malformed JSON', '{"name":', 'application/json', 400],
    ['an invalid campaign', '{}', 'application/json', 400],
    ['a body of another type', 'name=x', 'application/x-www-form-urlencoded', 415],
    ['a body that is too large', `"${'x'.repeat(1_100_000)}"`, 'application/json', 413]
  ]
  for (const [what, payload, type, status] of bodies) {
    const request = { method: 'POST', url: '/campaigns', payload, headers: { 'content-type': type } } as const
    assert.equal((await visitor.send(request)).status, 401, `${what}, stranger`)
    assert.equal((await viewer.send(request)).status, 403, `${what}, viewer`)
    assert.equal((await admin.send(request)).status, status, `${what}, admin`)
  }
})

test('permissions and the body are checked before the existence of the resource', async () => {
  const viewer = await withRole('viewer')
  const url = '/campaigns/999999999'
  assert.equal((await visitor.put(url, campaign)).status, 401)
  assert.equal((await viewer.put(url, campaign)).status, 403)
  assert.equal((await admin.put(url, { ...campaign, name: '' })).status, 400)
  assert.equal((await admin.put(url, campaign)).status, 404)
  assert.equal((await visitor.post(`${url}/donations`, {})).status, 400)
  assert.equal((await visitor.post(`${url}/donations`, donation)).status, 404)
})

test('an unknown route is 404 whatever the body is', async () => {
  const bodies: [payload: string, type: string][] = [
    ['{"name":', 'application/json'],
    ['<a/>', 'text/xml'],
    [`"${'x'.repeat(1_100_000)}"`, 'application/json']
  ]
  for (const [payload, type] of bodies) {
    for (const client of [visitor, admin]) {
      const response = await client.send({
        method: 'POST',
        url: '/nowhere',
        payload,
        headers: { 'content-type': type }
      })
      assert.equal(response.status, 404, type)
      assert.equal(response.body.code, 'no-such-route')
    }
  }
})
