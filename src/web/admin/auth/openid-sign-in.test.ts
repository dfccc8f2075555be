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

const readCookie = (answer: TestResponse) =>
  /kalends_openid=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[0] ?? ''

async function startSignIn(next = '/admin/donations', headers: Record<string, string> = {}) {
  const page = await sendForm(site.visitor, '/admin/sign-in/openid', { next }, headers)
  const [, location = ''] = /^0;url=(.*)$/.exec(page.headers.refresh ?? '') ?? []
  return { page, location, cookie: readCookie(page) }
}

async function returnFromProvider(who: ProviderPerson | 'cancel', attempt: { location: string; cookie: string }) {
  const callback = await provider.authorize(attempt.location, who)
  return await site.visitor.get(`/admin/sign-in/openid/return?${callback}`, { cookie: attempt.cookie })
}

const newProviderPerson = (email: string): ProviderPerson => ({ sub: `of ${email}`, email, email_verified: true })

test('the sign-in page offers the provider, in both languages, only if one is configured', async () => {
  await site.signIn('viewer')
  assert.match((await site.visitor.get('/admin/sign-in')).text, /<button[^>]*>Sign in with Lindenhof ID<\/button>/)
  const german = await site.visitor.get('/admin/sign-in', { 'accept-language': 'de' })
  assert.match(german.text, /Mit Lindenhof ID anmelden/)
  const without = await startAdmin()
  await without.signIn('viewer')
  assert.doesNotMatch((await without.visitor.get('/admin/sign-in')).text, /sign-in\/openid/)
})

test('the provider is not offered when the sign-in page carries a pending form, which would be lost', async () => {
  const pendingForm = JSON.stringify({ path: '/admin/tags', fields: [['name', 'Music']], passwords: [], files: [] })
  const page = await sendForm(site.visitor, '/admin/sign-in', {
    email: 'x@example.org',
    password: 'x',
    _pendingForm: pendingForm
  })
  assert.equal(page.status, 422)
  assert.match(page.text, /name="_pendingForm"/)
  assert.doesNotMatch(page.text, /sign-in\/openid/)
})

test('signing in redirects to the provider, and back to the page that was requested first', async () => {
  const { email } = await site.signIn('treasurer')
  const started = await startSignIn()
  assert.equal(started.page.status, 200, started.page.text)
  assert.equal(started.page.headers['cache-control'], 'private, no-store')
  assert.match(started.page.text, /Continue to Lindenhof ID/)
  assert.match(String(started.page.headers['set-cookie']), /Path=\/admin; HttpOnly; SameSite=Lax; Max-Age=900/)
  const answer = await returnFromProvider(newProviderPerson(email), started)
  assert.equal(answer.status, 303, answer.text)
  assert.equal(answer.headers.location, '/admin/donations')
  assert.equal(answer.headers['cache-control'], 'private, no-store')
  assert.equal(answer.headers['referrer-policy'], 'same-origin')
  const cookies = String(answer.headers['set-cookie'])
  assert.match(cookies, /kalends_session=kls_/)
  assert.match(cookies, /kalends_openid=;/, 'the cookie of the attempt is deleted')
})

test('the sign-in never redirects to another site, and a form of another site does not start it', async () => {
  const { email } = await site.signIn('viewer')
  const started = await startSignIn('https://evil.example/')
  assert.equal((await returnFromProvider(newProviderPerson(email), started)).headers.location, '/admin')
  const fromOtherSite = await startSignIn('/admin', { origin: 'https://evil.example' })
  assert.deepEqual([fromOtherSite.page.status, fromOtherSite.cookie], [403, ''])
})

test('a response of the provider in another browser than the one that started does not sign in', async () => {
  const { email } = await site.signIn('viewer')
  const started = await startSignIn()
  for (const cookie of ['', (await startSignIn()).cookie]) {
    const answer = await returnFromProvider(newProviderPerson(email), { location: started.location, cookie })
    assert.equal(answer.status, 422)
    assert.doesNotMatch(String(answer.headers['set-cookie']), /kalends_session=kls_/)
    assert.match(answer.text, /href="\/admin\/sign-in"/)
  }
})

test('users with an authenticator app are asked for its code after the provider', async () => {
  const carla = await site.signIn('editor')
  const client = site.withKey((await site.visitor.post('/sessions', { email: carla.email, password })).body.token)
  const { secret } = (await client.post('/users/me/totp', { currentPassword: password })).body
  const code = computeTotpCode(secret, getTotpStep(new Date()))
  assert.equal((await client.post('/users/me/totp/confirm', { code })).status, 200)
  const answer = await returnFromProvider(newProviderPerson(carla.email), await startSignIn())
  assert.equal(answer.status, 303, answer.text)
  assert.match(answer.headers.location ?? '', /^\/admin\/sign-in\/code\?next=%2Fadmin%2Fdonations/)
  assert.doesNotMatch(String(answer.headers['set-cookie']), /kalends_session=kls_/)
})

test('a cancelled sign-in, an unknown account and an unavailable provider are error pages that offer to sign in again', async () => {
  const cancelled = await returnFromProvider('cancel', await startSignIn())
  assert.equal(cancelled.status, 422)
  assert.match(cancelled.text, /was cancelled/)
  assert.doesNotMatch(cancelled.text, /alert\(/)
  const unknown = await returnFromProvider(newProviderPerson('nobody@example.org'), await startSignIn())
  assert.equal(unknown.status, 422)
  assert.match(unknown.text, /Ask an admin to invite you/)
  assert.match(unknown.text, /Sign in with Lindenhof ID/)

  const started = await startSignIn()
  const callback = await provider.authorize(started.location, 'cancel')
  provider.trouble = response => void response.writeHead(502).end()
  const unavailable = await site.visitor.get(
    `/admin/sign-in/openid/return?code=x&${callback.replace(/&error.*/, '')}`,
    {
      cookie: started.cookie
    }
  )
  assert.equal(unavailable.status, 503)
  assert.match(unavailable.text, /Sign in with your password instead/)
  provider.trouble = undefined
  const without = await startAdmin()
  const withoutProvider = await sendForm(without.visitor, '/admin/sign-in/openid', { next: '/admin' })
  assert.equal(withoutProvider.status, 422)
  assert.equal((await site.visitor.get('/admin/sign-in/openid')).headers.location, '/admin/sign-in')
})

test('users see and unlink their own account at the provider, and admins those of other users', async () => {
  const dora = await site.signIn('editor', 'de')
  assert.match((await dora.get('/admin/account/security')).text, /Sie können sich auch mit Lindenhof ID anmelden/)
  await returnFromProvider(newProviderPerson(dora.email), await startSignIn())
  assert.match((await dora.get('/admin/account/security')).text, /localhost:\d+<\/strong> Verknüpft seit/)
  const path = '/admin/account/security/identities/remove'
  assert.match((await dora.get(path)).text, /Single Sign-on lösen\?/)
  assert.equal((await dora.send(path, { currentPassword: 'wrong' })).status, 422)
  assert.match((await dora.sendAndFollow(path, { currentPassword: password })).text, /wurde gelöst/)

  const anna = await site.signIn('admin')
  const users = (await site.admin.get('/users')).body
  const { id } = users.find(({ email }: { email: string }) => email === dora.email)
  assert.doesNotMatch((await anna.get(`/admin/users/${id}`)).text, /Unlink single sign-on/)
  await returnFromProvider(newProviderPerson(dora.email), await startSignIn())
  assert.match((await anna.get(`/admin/users/${id}`)).text, /Unlink single sign-on/)
  assert.match((await anna.get(`/admin/users/${id}/identities`)).text, /The password is not changed/)
  assert.match((await anna.sendAndFollow(`/admin/users/${id}/identities`, {})).text, /has been unlinked/)
  assert.deepEqual((await site.admin.get(`/users/${id}/identities`)).body, [])
})
