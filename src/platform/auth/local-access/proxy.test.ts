import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { type HttpProxyOptions, otherUid, otherUserSkip, startHttpProxy } from '#test/support/http-proxy.ts'
import { sendRequest } from '#test/support/kalends-process.ts'
import { adminKey, campaign, donation, startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { newSetupToken } from '../../setup/setup.ts'

const publicUrl = 'https://give.example.org'
const visitorHeaders = { host: 'give.example.org' }

async function listening(env: Record<string, string>) {
  const service = await startCampaignsAndCalendar({ env: { ADMIN_KEY: '', ...env } })
  return { ...service, url: await service.server.app.listen({ host: '127.0.0.1', port: 0 }) }
}

const nginx: HttpProxyOptions = { host: 'upstream', version: '1.0' }
const http11: HttpProxyOptions = { host: 'upstream', version: '1.1' }
const keepingHost: HttpProxyOptions = { host: 'passed on', version: '1.1' }
const keepingHostHttp10: HttpProxyOptions = { host: 'passed on', version: '1.0' }

const proxies: { env: Record<string, string>; proxy: HttpProxyOptions; host?: string; skip?: string | false }[] = [
  { env: {}, proxy: nginx },
  { env: {}, proxy: keepingHost },
  { env: {}, proxy: keepingHostHttp10, host: 'localhost' },
  { env: {}, proxy: { ...http11, uid: otherUid }, skip: otherUserSkip },
  { env: {}, proxy: { ...keepingHost, uid: otherUid }, host: 'localhost', skip: otherUserSkip },
  { env: { PUBLIC_URL: publicUrl }, proxy: nginx },
  { env: { PUBLIC_URL: publicUrl }, proxy: http11 },
  { env: { PUBLIC_URL: publicUrl }, proxy: keepingHost },
  { env: { PUBLIC_URL: publicUrl }, proxy: keepingHost, host: 'localhost' },
  { env: { PUBLIC_URL: publicUrl }, proxy: { ...http11, uid: otherUid }, skip: otherUserSkip }
]

for (const [index, { env, proxy, host = visitorHeaders.host, skip = false }] of proxies.entries()) {
  const { PUBLIC_URL: address = 'no PUBLIC_URL' } = env
  const who = proxy.uid === undefined ? '' : ' of another user'
  const setup = `${address}, a plain proxy${who} with HTTP/${proxy.version} and Host ${proxy.host} (${host})`

  test(`${setup}: a visitor can read and donate, and has no other permissions before and after setup`, {
    skip: skip || (index % 4 > 0 && skipUnlessFull)
  }, async () => {
    const { url, store, withKey } = await listening(env)
    const proxyUrl = await startHttpProxy(url, proxy)
    const token = (await newSetupToken(store)) ?? ''
    const { id } = (await withKey(token).post('/campaigns', campaign)).body
    const send = async (method: string, path: string, body?: unknown, key?: string) =>
      (
        await sendRequest(proxyUrl + path, {
          method,
          body,
          headers: { host, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
        })
      ).status

    const assertHasNoPermissions = async () => {
      assert.equal(await send('GET', '/campaigns'), 200)
      assert.equal(await send('POST', `/campaigns/${id}/donations`, donation), 201)
      for (const path of ['/keys', '/users', '/activity', '/webhooks', '/donations.csv']) {
        assert.equal(await send('GET', path), 401, path)
      }
      assert.equal(await send('POST', '/campaigns', campaign), 401)
      assert.equal(await send('DELETE', `/campaigns/${id}`), 401)
      assert.equal(await send('POST', '/keys', { name: 'mine', role: 'admin' }), 401)
      assert.equal(await send('POST', '/calendar/events/v1/events', { title: 'Mine', start_date: 'tomorrow' }), 401)
      assert.equal(await send('PATCH', '/site', { name: 'Mine' }), 401)
      assert.equal(await send('POST', '/setup', { user }), 401)
      assert.equal(await send('POST', '/campaigns', campaign, 'wrong'), 401)
    }
    await assertHasNoPermissions()
    assert.equal(await send('POST', '/campaigns', campaign, token), 201)
    assert.equal(await send('POST', '/setup', { user }, token), 201)
    await assertHasNoPermissions()
  })
}

const user = { name: 'Anna', email: 'anna@example.org', password: 'correct horse battery' }

test('without a proxy the server’s own user is a local caller, in both services, at 127.0.0.1 and at localhost', async () => {
  const { url } = await listening({})
  for (const origin of [url, url.replace('127.0.0.1', 'localhost')]) {
    assert.equal((await sendRequest(`${origin}/campaigns`, { method: 'POST', body: campaign })).status, 201)
    const event = { title: 'Concert', start_date: '2027-06-01 19:00:00', end_date: '2027-06-01 21:00:00' }
    assert.equal(
      (await sendRequest(`${origin}/calendar/events/v1/events`, { method: 'POST', body: event })).status,
      201
    )
    assert.equal((await sendRequest(`${origin}/keys`)).status, 401)
  }
})

test('with a PUBLIC_URL of another host the server’s own user is not a local caller, and the setup token works', async () => {
  const { url, store } = await listening({ PUBLIC_URL: publicUrl })
  const post = async (headers = {}) =>
    await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })
  const refused = await post()
  assert.equal(refused.status, 401)
  assert.match(refused.body.detail, /setup token from the server log/)
  assert.equal((await post({ authorization: `Bearer ${await newSetupToken(store)}` })).status, 201)
})

/** The limits of one address apply although the connection of the proxy comes from a loopback address. */
for (const proxy of [nginx, http11, keepingHost]) {
  test(`rate limits apply with PUBLIC_URL behind a plain proxy with HTTP/${proxy.version} and Host ${proxy.host}`, {
    skip: proxy !== nginx && skipUnlessFull
  }, async () => {
    const { url, store } = await listening({ ADMIN_KEY: adminKey, PUBLIC_URL: publicUrl, RATE_LIMIT: '20' })
    const proxyUrl = await startHttpProxy(url, proxy)
    const send = async (path: string, body?: unknown, headers = {}) =>
      (
        await sendRequest(proxyUrl + path, {
          method: body === undefined ? 'GET' : 'POST',
          body,
          headers: { ...visitorHeaders, ...headers }
        })
      ).status
    assert.equal(await send('/metrics'), 401)
    assert.equal(await send('/metrics', undefined, { authorization: `Bearer ${adminKey}` }), 200)
    assert.equal(await send('/keys', undefined, { authorization: 'Bearer wrong' }), 401)
    const { count: counted } = await store.one<{ count: number }>(sql`select count(*) from platform.counters`)
    assert.equal(counted, 1)
    const signIns: number[] = []
    for (let count = 0; count < 11; count += 1) {
      signIns.push(await send('/sessions', { email: `eve${count}@example.org`, password: 'whatever it is' }))
    }
    assert.deepEqual(signIns, [...Array(10).fill(401), 429])
    const reads: number[] = []
    for (let count = 0; count < 8; count += 1) reads.push(await send('/campaigns'))
    // Twenty a minute, of which fourteen are used; cached responses count too.
    assert.deepEqual(reads, [...Array(6).fill(200), 429, 429])
  })
}
