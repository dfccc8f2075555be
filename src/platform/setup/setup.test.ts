// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { type Client, campaign, type Start, startCampaigns, startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'
import { newSetupToken } from './setup.ts'

const user = { name: 'Anna', email: 'anna@example.org', password: 'correct horse battery' }
const input = { site: { name: 'Lindenhof', timezone: 'Europe/Berlin', defaultLanguage: 'de' }, user }

async function startWithToken(start: Start = {}) {
  const service = await startCampaigns({ env: { ADMIN_KEY: '' }, ...start })
  const token = (await newSetupToken(service.store)) ?? ''
  return { ...service, token, holder: service.withKey(token) }
}

/** Posts to /setup from a remote address. */
const postRemotely = async (client: Client, body: object) =>
  await client.send({
    method: 'POST',
    url: '/setup',
    remoteAddress: '192.0.2.7',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body)
  })

test('setup creates an admin with a session and the site settings, and cannot be repeated', async () => {
  const { visitor, holder, withKey, settings, store } = await startWithToken()
  assert.deepEqual((await visitor.get('/setup')).body, { needed: true })
  const { status, body, headers } = await holder.post('/setup', input)
  assert.equal(status, 201)
  assert.equal(headers['cache-control'], 'no-store')
  const { id, createdAt, ...rest } = body.user
  assert.deepEqual(rest, { name: 'Anna', email: 'anna@example.org', role: 'admin', language: 'de', lastSeenAt: null })
  assert.ok(Number.isSafeInteger(id) && Date.parse(createdAt) <= Date.now())
  const admin = withKey(body.token)
  assert.equal((await admin.get('/users')).body.length, 1)
  const site = (await visitor.get('/site')).body
  assert.deepEqual([site.name, site.timezone, site.defaultLanguage], ['Lindenhof', 'Europe/Berlin', 'de'])
  assert.equal(settings.timezone, 'Europe/Berlin')

  assert.deepEqual((await visitor.get('/setup')).body, { needed: false })
  const again = async (client: Client) => {
    const response = await client.post('/setup', { user: { ...user, email: 'eve@example.org' } })
    return [response.status, response.body.code]
  }
  assert.deepEqual(await again(admin), [409, 'already-set-up'])
  assert.deepEqual(await again(visitor), [401, 'credentials-missing'])
  assert.deepEqual(await again(holder), [401, 'bad-credentials'])
  assert.equal((await store.all(sql`select hash from platform.setup`)).length, 0)
  const actions = (await admin.get('/activity')).body.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['site.changed', 'session.started', 'user.created'])
})

test('the first account ends protected mode, also after the account is deleted', async () => {
  const { visitor, admin, holder, server, withKey, store } = await startWithToken()
  assert.equal(await server.authenticator.isProtectedMode(), true)
  assert.equal((await visitor.post('/campaigns', campaign)).status, 201)
  const { token } = (await holder.post('/setup', { user })).body
  assert.equal((await visitor.post('/campaigns', campaign)).status, 401)
  assert.equal((await admin.get('/keys')).status, 401)
  assert.equal((await withKey(token).post('/campaigns', campaign)).status, 201)
  await store.run(sql`delete from platform.sessions`)
  await store.run(sql`update platform.users set removed_at = now(), email = null, password_hash = null`)
  assert.equal((await visitor.post('/campaigns', campaign)).status, 401)
  assert.deepEqual((await visitor.get('/setup')).body, { needed: false })
})

test('an account created by another process ends protected mode', async () => {
  const { visitor, store } = await startWithToken()
  assert.equal((await visitor.post('/campaigns', campaign)).status, 201)
  await store.run(sql`
    insert into platform.users (name, email, role, language, password_hash, created_at)
    values ('Anna', 'anna@example.org', 'admin', 'en', 'x', now())`)
  assert.equal((await visitor.post('/campaigns', campaign)).status, 401)
})

test('setup needs the token, also for local callers, and the token works once', async () => {
  const { visitor, holder, withKey, token } = await startWithToken()
  assert.match(token, /^kst_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/)
  for (const without of [await visitor.post('/setup', input), await postRemotely(visitor, { ...input, token })]) {
    assert.deepEqual([without.status, without.body.code], [401, 'credentials-missing'])
  }
  const wrong = await postRemotely(withKey(`kst_${'a'.repeat(10)}_${'b'.repeat(32)}`), input)
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'bad-credentials'])
  assert.deepEqual((await visitor.get('/setup')).body, { needed: true })
  assert.equal((await postRemotely(holder, input)).status, 201)
  assert.equal((await postRemotely(holder, input)).status, 401)
})

test('setup is refused with an editor key and allowed with an admin key', async () => {
  const { admin, withRole } = await startCampaignsAndCalendar()
  const refused = await (await withRole('editor')).post('/setup', input)
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
  assert.equal((await admin.post('/setup', input)).status, 201)
})

test('only hashes of setup tokens are stored, an older token stays valid, and none is created after setup', async () => {
  const { holder, store, token } = await startWithToken()
  const other = await newSetupToken(store)
  assert.notEqual(other, token)
  const { rows } = await store.one<{ rows: string }>(
    sql`select string_agg(to_jsonb(setup)::text, ' ') as rows from platform.setup`
  )
  assert.ok(!rows.includes(token))
  assert.equal((await postRemotely(holder, input)).status, 201)
  assert.equal(await newSetupToken(store), undefined)
})

test('of several concurrent setup requests one succeeds', async () => {
  const { holder, store } = await startWithToken()
  const responses = await Promise.all(
    Array.from(
      { length: 6 },
      async (_, index) =>
        await holder.post('/setup', { ...input, user: { ...user, email: `anna${index}@example.org` } })
    )
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.equal(statuses[0], 201)
  // After the first request the token is invalid, or setup is already done.
  for (const status of statuses.slice(1)) assert.ok([401, 409].includes(status), String(status))
  assert.equal((await store.all(sql`select id from platform.users`)).length, 1)
  assert.equal((await store.all(sql`select id from platform.sessions`)).length, 1)
})

const refused: [body: object, status: number, pointer: string][] = [
  [{}, 400, '/user'],
  [{ user: { ...user, email: undefined } }, 400, '/user/email'],
  [{ user: { ...user, password: 'short' } }, 400, '/user/password'],
  [{ user: { ...user, password: user.email } }, 422, '/user/password'],
  [{ user, site: { timezone: 'Mars/Olympus' } }, 400, '/site/timezone'],
  [{ user, site: { languages: ['de'], defaultLanguage: 'en' } }, 422, '/site/defaultLanguage'],
  [{ user, site: { languages: [] } }, 400, '/site/languages']
]

test('invalid fields are refused and named in the error, and nothing is changed', async () => {
  const { visitor, holder, store } = await startWithToken()
  for (const [body, status, pointer] of refused) {
    const response = await holder.post('/setup', body)
    assert.equal(response.status, status, response.text)
    assert.equal(response.body.errors[0].pointer, pointer)
  }
  assert.deepEqual((await visitor.get('/setup')).body, { needed: true })
  const rows = await store.one<{ all: number }>(sql`
    select (select count(*) from platform.users) + (select count(*) from platform.sessions)
      + (select count(*) from platform.activity) as all`)
  assert.equal(rows.all, 0)
})

test('a repeated Idempotency-Key returns the same session with a key; with the setup token it gets 401', async () => {
  const headers = { 'idempotency-key': 'set-up-once' }
  const { admin } = await startCampaigns()
  const first = await admin.post('/setup', input, headers)
  const again = await admin.post('/setup', input, headers)
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.equal(again.body.token, first.body.token)
  assert.equal((await admin.post('/setup', { user: { ...user, name: 'Eve' } }, headers)).status, 422)

  const { holder } = await startWithToken()
  const statuses = [await holder.post('/setup', input, headers), await holder.post('/setup', input, headers)]
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [201, 401]
  )
})

test('sample content is created once, only by admins, for all services of the process', {
  skip: skipUnlessFull
}, async () => {
  const { admin, visitor, withRole } = await startCampaignsAndCalendar()
  assert.equal((await visitor.post('/sample-content')).status, 401)
  assert.equal((await (await withRole('editor')).post('/sample-content')).status, 403)
  const first = await admin.post('/sample-content')
  assert.equal(first.status, 200)
  const campaigns = (await admin.get('/campaigns')).body.length
  const events = (await admin.get('/calendar/events/v1/events?start_date=2000-01-01')).body.total
  assert.ok(campaigns > 0 && events > 0)
  assert.deepEqual(first.body, { made: campaigns + events })
  assert.deepEqual((await admin.post('/sample-content')).body, { made: 0 })

  const alone = await startCampaigns()
  assert.deepEqual((await alone.admin.post('/sample-content')).body, { made: campaigns })
})
