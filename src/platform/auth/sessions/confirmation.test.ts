import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import '#test/support/fast-passwords.ts'
import { isUserOperation, type Operation, startRouteCrawler } from '#test/support/crawl/route-crawler.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { campaign } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'

const { admin, store, withKey, operations, document, validRequest, aPerson, aCampaign } = await startRouteCrawler()
const password = 'correct horse battery'

async function anAdmin(confirmed: 'just now' | 'long ago' | 'never') {
  const person = await aPerson('admin')
  const at =
    confirmed === 'never' ? sql`null` : confirmed === 'long ago' ? sql`now() - interval '16 minutes'` : sql`now()`
  await store.run(sql`update platform.sessions set confirmed_at = ${at} where user_id = ${person.id}`)
  return person
}

/** Whether the OpenAPI document marks the operation with an extension that the test support does not read. */
const isFlagged = ({ path, method }: Operation) =>
  Object.hasOwn(document.paths[path]?.[method.toLowerCase()] ?? {}, 'x-needs-confirmation')
const flagged = operations.filter(isFlagged)

/** Only some changes of these need a confirmation; the tests below say which. */
const onlySomeChanges = [
  'PATCH /users/{id}',
  'PATCH /site',
  'POST /campaigns',
  'PUT /campaigns/{campaignId}',
  'PATCH /campaigns/{campaignId}'
]

test('operations that grant access or change bank accounts need a recent confirmation of the password', () => {
  const names = flagged.map(({ name }) => name)
  for (const name of [
    'POST /users',
    'DELETE /users/{id}',
    'POST /invitations',
    'POST /invitations/{id}/link',
    'POST /users/{id}/reset-link',
    'POST /keys',
    'POST /webhooks',
    'POST /webhooks/{id}/secret',
    'PUT /sign-in-policy',
    'DELETE /users/{id}/factors',
    'POST /account-requests',
    'POST /account-requests/{requestId}/confirm',
    ...onlySomeChanges
  ]) {
    assert.ok(names.includes(name), name)
  }
})

for (const operation of flagged.filter(({ name }) => !onlySomeChanges.includes(name))) {
  test(`${operation.name} is refused and changes nothing without a recent confirmation, and succeeds after one`, async () => {
    for (const confirmed of ['long ago', 'never'] as const) {
      const { client } = await anAdmin(confirmed)
      const request = await validRequest(operation)
      const before = await store.one(sql`select max(id) as id from platform.activity`)
      const refused = await client.send(request)
      assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation-needed'], refused.text)
      assert.deepEqual(await store.one(sql`select max(id) as id from platform.activity`), before)
    }
    const { client } = await anAdmin('just now')
    const done = await client.send(await validRequest(operation))
    assert.ok(done.status >= 200 && done.status < 300, done.text)
    let byKey = await admin.send(await validRequest(operation))
    // The backup of the request before is still being written.
    while (byKey.body.code === 'backup-running') {
      await sleep(20)
      byKey = await admin.send(await validRequest(operation))
    }
    if (isUserOperation(operation)) assert.deepEqual([byKey.status, byKey.body.code], [403, 'person-needed'])
    else assert.ok(byKey.status < 300, 'a key needs no confirmation')
    // Backups are recorded later, which the next test would take for a change.
    if (operation.name === 'POST /backups') {
      await waitUntil(async () => (await admin.get('/activity?action=backup.taken')).body.length === 2)
    }
  })
}

test('a confirmation with the password is valid for 15 minutes and for one session only', async () => {
  const { email, id } = (
    await admin.post('/users', { name: 'Anna', email: 'proof@example.org', role: 'admin', password })
  ).body
  const signIn = async () => withKey((await admin.post('/sessions', { email, password })).body.token)
  const [one, other] = [await signIn(), await signIn()]
  assert.equal((await one.post('/keys', { name: 'k', role: 'viewer' })).status, 201, 'signing in is a confirmation')
  await store.run(sql`update platform.sessions set confirmed_at = now() - interval '20 minutes' where user_id = ${id}`)
  assert.equal((await one.post('/keys', { name: 'k', role: 'viewer' })).status, 403)
  const wrong = await one.post('/sessions/current/confirm', { password: 'wrong' }, { 'accept-language': 'de' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/password'])
  assert.match(wrong.body.detail, /ist falsch/)
  const { status, body } = await one.post('/sessions/current/confirm', { password })
  assert.equal(status, 200)
  assert.ok(Math.abs(Date.parse(body.confirmedUntil) - Date.now() - 15 * 60_000) < 60_000)
  assert.equal((await one.post('/keys', { name: 'k', role: 'viewer' })).status, 201)
  assert.equal((await other.post('/keys', { name: 'k', role: 'viewer' })).status, 403)
  assert.equal((await admin.get(`/activity?subject=session&action=session.confirmed`)).body.length, 1)
  assert.equal((await admin.post('/sessions/current/confirm', { password })).status, 403, 'a key has no password')
})

test('after ten wrong passwords confirmations are refused with 429; a correct one resets the count', async () => {
  const { email } = (await admin.post('/users', { name: 'Bert', email: 'guess@example.org', role: 'viewer', password }))
    .body
  const client = withKey((await admin.post('/sessions', { email, password })).body.token)
  const confirm = async (given: string) => (await client.post('/sessions/current/confirm', { password: given })).status
  for (let times = 0; times < 9; times += 1) assert.equal(await confirm('wrong'), 422)
  assert.equal(await confirm(password), 200)
  for (let times = 0; times < 10; times += 1) assert.equal(await confirm('wrong'), 422)
  assert.equal(await confirm(password), 429)
})

test('changing the email address, role or password of a user needs a confirmation, changing the name does not', async () => {
  const { client } = await anAdmin('long ago')
  const user = (await admin.post('/users', { name: 'C', email: 'c@example.org', role: 'viewer', password })).body
  const same = { name: 'Carla', email: 'C@example.org', role: 'viewer', language: 'de' }
  assert.equal((await client.patch(`/users/${user.id}`, same)).status, 200)
  for (const change of [{ email: 'd@example.org' }, { role: 'admin' }, { password: 'another one entirely' }]) {
    const { status, body } = await client.patch(`/users/${user.id}`, { ...same, ...change })
    assert.deepEqual([status, body.code], [403, 'confirmation-needed'])
  }
  assert.equal((await client.patch('/users/999999', { role: 'admin' })).status, 404)
})

test('changing the IBAN of a campaign or the site, or enabling the second-person rule, needs a confirmation, other changes do not', async () => {
  const { client } = await anAdmin('long ago')
  const { id } = await aCampaign()
  const { account } = campaign
  const respelt = { ...account, iban: account.iban.replace(/(.{4})/g, '$1 ').toLowerCase() }
  assert.equal((await client.patch(`/campaigns/${id}`, { targetAmount: 5, account: respelt })).status, 200)
  assert.equal(
    (await client.put(`/campaigns/${id}`, { ...campaign, account: { ...account, name: 'Choir' } })).status,
    200
  )
  const otherIban = { ...account, iban: 'GB82WEST12345698765432' }
  for (const response of [
    await client.patch(`/campaigns/${id}`, { account: { iban: otherIban.iban } }),
    await client.put(`/campaigns/${id}`, { ...campaign, account: otherIban }),
    await client.patch('/site', { account: otherIban })
  ]) {
    assert.deepEqual([response.status, response.body.code], [403, 'confirmation-needed'])
  }
  assert.equal((await client.patch('/site', { name: 'Lindenhof', secondPersonForAccounts: false })).status, 200)
  const enabling = await client.patch('/site', { secondPersonForAccounts: true })
  assert.deepEqual([enabling.status, enabling.body.code], [403, 'confirmation-needed'])
  assert.equal((await admin.get(`/campaigns/${id}`)).body.account.iban, account.iban)
})

test('a new campaign with an IBAN that is not in use needs a confirmation, except with a key', async () => {
  const { client } = await anAdmin('long ago')
  await aCampaign()
  const { account } = campaign
  const respelt = { ...account, iban: account.iban.replace(/(.{4})/g, '$1 ').toLowerCase() }
  assert.equal(
    (await client.post('/campaigns', { ...campaign, account: respelt })).status,
    201,
    'the IBAN of a campaign'
  )
  const otherIban = { ...campaign, account: { ...account, iban: 'FR1420041010050500013M02606' } }
  const before = await store.one(sql`select max(id) as id from platform.activity`)
  const refused = await client.post('/campaigns', otherIban)
  assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation-needed'])
  assert.deepEqual(await store.one(sql`select max(id) as id from platform.activity`), before)
  assert.equal((await client.post('/campaigns', { ...otherIban, name: 7 })).status, 400, 'validation errors come first')

  await admin.patch('/site', { account: otherIban.account })
  assert.equal((await client.post('/campaigns', otherIban)).status, 201, 'the IBAN of the site')
  const other = { ...campaign, account: { ...account, iban: 'NL91ABNA0417164300' } }
  const created = await admin.post('/campaigns', other)
  assert.equal(created.status, 201, 'a key needs no confirmation')
  await admin.delete(`/campaigns/${created.body.id}`)
  assert.equal((await client.post('/campaigns', other)).status, 403, 'a deleted campaign does not count')
})
