import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/fast-passwords.ts'
import { startCampaigns } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { parseUserAgent } from './user-agent.ts'

const { admin, visitor, withKey, store } = await startCampaigns()
const password = 'correct horse battery'
let count = 0

async function aUser() {
  count += 1
  const user = { name: 'Anna', email: `anna${count}@example.org`, role: 'editor', password }
  return (await admin.post('/users', user)).body
}

async function signIn(email: string, agent = 'curl/8.1') {
  const { status, body, text } = await visitor.post('/sessions', { email, password }, { 'user-agent': agent })
  assert.equal(status, 201, text)
  return withKey(body.token)
}

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

test('a user agent is reduced to browser and system, or to nothing if it is unknown', () => {
  const cases: [agent: string | undefined, browser: string | null, system: string | null][] = [
    [firefox, 'Firefox', 'Windows'],
    [phone, 'Safari', 'iPhone'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Chrome',
      'Linux'
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge',
      'Windows'
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
      'Safari',
      'macOS'
    ],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android'
    ],
    ['curl/8.1', 'curl', null],
    ['<script>alert(1)</script>', null, null],
    ['x'.repeat(100_000), null, null],
    [undefined, null, null]
  ]
  for (const [agent, browser, system] of cases) assert.deepEqual(parseUserAgent(agent), { browser, system }, agent)
})

test('users list only their own sessions, with browser and system, and the current one is marked', async () => {
  const { email } = await aUser()
  const current = await signIn(email, firefox)
  await signIn(email, phone)
  await signIn((await aUser()).email)
  const { status, body, headers } = await current.get('/sessions')
  assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
  assert.deepEqual(
    body.map(({ browser, system, isCurrent }: Record<string, unknown>) => [browser, system, isCurrent]).sort(),
    [
      ['Firefox', 'Windows', true],
      ['Safari', 'iPhone', false]
    ]
  )
  const { rows } = await store.one<{ rows: string }>(
    sql`select string_agg(to_jsonb(sessions)::text, ' ') as rows from platform.sessions`
  )
  assert.doesNotMatch(rows, /Mozilla|NT 10|17_5/)
  assert.equal((await admin.get('/sessions')).status, 403, 'a key has no sessions')
})

test('users can end a session of their own, and none of another user', async () => {
  const { email } = await aUser()
  const [current, lost] = [await signIn(email, firefox), await signIn(email, phone)]
  const other = await signIn((await aUser()).email)
  const { id } = (await current.get('/sessions')).body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
  const foreign = await other.delete(`/sessions/${id}`)
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'session-not-found'])
  assert.equal((await lost.get('/users/me')).status, 200)
  assert.equal((await current.delete(`/sessions/${id}`)).status, 204)
  assert.equal((await lost.get('/users/me')).status, 401)
  assert.equal((await current.delete(`/sessions/${id}`)).status, 404)
})

test('signing out everywhere else ends all sessions except the current one, and is recorded', async () => {
  const { email, id } = await aUser()
  const [current, one, two] = [await signIn(email), await signIn(email), await signIn(email)]
  assert.equal((await current.delete('/sessions')).status, 204)
  for (const ended of [one, two]) assert.equal((await ended.get('/users/me')).status, 401)
  assert.equal((await current.get('/sessions')).body.length, 1)
  const [{ action, details }] = (await admin.get(`/activity?actor=${encodeURIComponent(`user ${id} (Anna)`)}`)).body
  assert.deepEqual([action, details], ['session.others_ended', { count: 2 }])
})

test('an admin can end all sessions of a user; the password stays valid', async () => {
  const { email, id } = await aUser()
  const current = await signIn(email)
  assert.equal((await current.delete(`/users/${id}/sessions`)).status, 403)
  assert.equal((await admin.delete(`/users/${id}/sessions`)).status, 204)
  assert.equal((await current.get('/users/me')).status, 401)
  await signIn(email)
  assert.equal((await admin.delete('/users/999999/sessions')).status, 404)
})
