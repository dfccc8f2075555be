import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { computeTotpCode, getTotpStep } from '#platform/auth/second-factor/totp.ts'
import { password, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { type ProviderPerson, startOpenIdProvider } from '#test/support/openid-provider.ts'
import type { TestResponse } from '#test/support/services.ts'

const publicUrl = 'http://localhost'
const provider = await startOpenIdProvider(publicUrl)
const site = await startAdmin({ env: { PUBLIC_URL: publicUrl, ...provider.env } })

afterEach(() => {
  provider.trouble = undefined
})

const cookieIn = (answer: TestResponse) =>
  /kalends_openid=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[0] ?? ''

async function begin(next = '/admin/donations', headers: Record<string, string> = {}) {
  const page = await sendForm(site.visitor, '/admin/sign-in/openid', { next }, headers)
  const [, location = ''] = /^0;url=(.*)$/.exec(page.headers.refresh ?? '') ?? []
  return { page, location, cookie: cookieIn(page) }
}

async function comeBack(who: ProviderPerson | 'cancel', given: { location: string; cookie: string }) {
  const callback = await provider.authorize(given.location, who)
  return await site.visitor.get(`/admin/sign-in/openid/return?${callback}`, { cookie: given.cookie })
}

const atProvider = (email: string): ProviderPerson => ({ sub: `of ${email}`, email, email_verified: true })

test('the sign-in page offers the provider where there is one, in both languages', async () => {
  await site.signIn('viewer')
  assert.match((await site.visitor.get('/admin/sign-in')).text, /<button[^>]*>Sign in with Lindenhof ID<\/button>/)
  const german = await site.visitor.get('/admin/sign-in', { 'accept-language': 'de' })
  assert.match(german.text, /Mit Lindenhof ID anmelden/)
  const without = await startAdmin()
  await without.signIn('viewer')
  assert.doesNotMatch((await without.visitor.get('/admin/sign-in')).text, /sign-in\/openid/)
})

test('what was typed before a session ended cannot come along, so the provider is not offered beside it', async () => {
  const carried = JSON.stringify({ path: '/admin/tags', fields: [['name', 'Music']], passwords: [], files: [] })
  const page = await sendForm(site.visitor, '/admin/sign-in', {
    email: 'x@example.org',
    password: 'x',
    _pendingForm: carried
  })
  assert.equal(page.status, 422)
  assert.match(page.text, /name="_pendingForm"/)
  assert.doesNotMatch(page.text, /sign-in\/openid/)
})

test('a page leads to the provider, which leads back to where somebody wanted to go', async () => {
  const { email } = await site.signIn('treasurer')
  const begun = await begin()
  assert.equal(begun.page.status, 200, begun.page.text)
  assert.equal(begun.page.headers['cache-control'], 'private, no-store')
  assert.match(begun.page.text, /Continue to Lindenhof ID/)
  assert.match(String(begun.page.headers['set-cookie']), /Path=\/admin; HttpOnly; SameSite=Lax; Max-Age=900/)
  const answer = await comeBack(atProvider(email), begun)
  assert.equal(answer.status, 303, answer.text)
  assert.equal(answer.headers.location, '/admin/donations')
  assert.equal(answer.headers['cache-control'], 'private, no-store')
  assert.equal(answer.headers['referrer-policy'], 'same-origin')
  const cookies = String(answer.headers['set-cookie'])
  assert.match(cookies, /kalends_session=kls_/)
  assert.match(cookies, /kalends_openid=;/, 'the attempt is forgotten')
})

test('nobody is led elsewhere, and a form of another site begins nothing', async () => {
  const { email } = await site.signIn('viewer')
  const begun = await begin('https://evil.example/')
  assert.equal((await comeBack(atProvider(email), begun)).headers.location, '/admin')
  const elsewhere = await begin('/admin', { origin: 'https://evil.example' })
  assert.deepEqual([elsewhere.page.status, elsewhere.cookie], [403, ''])
})

test('an answer in another browser than the one that asked lets nobody in', async () => {
  const { email } = await site.signIn('viewer')
  const begun = await begin()
  for (const cookie of ['', (await begin()).cookie]) {
    const answer = await comeBack(atProvider(email), { location: begun.location, cookie })
    assert.equal(answer.status, 422)
    assert.doesNotMatch(String(answer.headers['set-cookie']), /kalends_session=kls_/)
    assert.match(answer.text, /href="\/admin\/sign-in"/)
  }
})

test('with an authenticator app its code is asked for next', async () => {
  const carla = await site.signIn('editor')
  const client = site.withKey((await site.visitor.post('/sessions', { email: carla.email, password })).body.token)
  const { secret } = (await client.post('/users/me/totp', { currentPassword: password })).body
  const code = computeTotpCode(secret, getTotpStep(new Date()))
  assert.equal((await client.post('/users/me/totp/confirm', { code })).status, 200)
  const answer = await comeBack(atProvider(carla.email), await begin())
  assert.equal(answer.status, 303, answer.text)
  assert.match(answer.headers.location ?? '', /^\/admin\/sign-in\/code\?next=%2Fadmin%2Fdonations/)
  assert.doesNotMatch(String(answer.headers['set-cookie']), /kalends_session=kls_/)
})

test('whatever goes wrong is a page with a way back, in plain words', async () => {
  const cancelled = await comeBack('cancel', await begin())
  assert.equal(cancelled.status, 422)
  assert.match(cancelled.text, /was cancelled/)
  assert.doesNotMatch(cancelled.text, /alert\(/)
  const unknown = await comeBack(atProvider('nobody@example.org'), await begin())
  assert.equal(unknown.status, 422)
  assert.match(unknown.text, /Ask an admin to invite you/)
  assert.match(unknown.text, /Sign in with Lindenhof ID/)

  const begun = await begin()
  const callback = await provider.authorize(begun.location, 'cancel')
  provider.trouble = response => void response.writeHead(502).end()
  const away = await site.visitor.get(`/admin/sign-in/openid/return?code=x&${callback.replace(/&error.*/, '')}`, {
    cookie: begun.cookie
  })
  assert.equal(away.status, 503)
  assert.match(away.text, /Sign in with your password instead/)
  provider.trouble = undefined
  const without = await startAdmin()
  const none = await sendForm(without.visitor, '/admin/sign-in/openid', { next: '/admin' })
  assert.equal(none.status, 422)
  assert.equal((await site.visitor.get('/admin/sign-in/openid')).headers.location, '/admin/sign-in')
})

test('people see and unlink their account at the provider, and admins that of others', async () => {
  const dora = await site.signIn('editor', 'de')
  assert.match((await dora.get('/admin/account/security')).text, /Sie können sich auch mit Lindenhof ID anmelden/)
  await comeBack(atProvider(dora.email), await begin())
  assert.match((await dora.get('/admin/account/security')).text, /localhost:\d+<\/strong> Verknüpft seit/)
  const path = '/admin/account/security/identities/remove'
  assert.match((await dora.get(path)).text, /Single Sign-on lösen\?/)
  assert.equal((await dora.send(path, { currentPassword: 'wrong' })).status, 422)
  assert.match((await dora.sendAndFollow(path, { currentPassword: password })).text, /wurde gelöst/)

  const anna = await site.signIn('admin')
  const users = (await site.admin.get('/users')).body
  const { id } = users.find(({ email }: { email: string }) => email === dora.email)
  assert.doesNotMatch((await anna.get(`/admin/users/${id}`)).text, /Unlink single sign-on/)
  await comeBack(atProvider(dora.email), await begin())
  assert.match((await anna.get(`/admin/users/${id}`)).text, /Unlink single sign-on/)
  assert.match((await anna.get(`/admin/users/${id}/identities`)).text, /The password is not changed/)
  assert.match((await anna.sendAndFollow(`/admin/users/${id}/identities`, {})).text, /has been unlinked/)
  assert.deepEqual((await site.admin.get(`/users/${id}/identities`)).body, [])
})
