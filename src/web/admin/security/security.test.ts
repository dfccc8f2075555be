import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeTotpCode, getTotpStep } from '#platform/auth/second-factor/totp.ts'
import { type AdminClient, password, sendForm, startAdmin } from '#test/support/admin-client.ts'

const site = await startAdmin()

async function enrol(adminClient: AdminClient): Promise<void> {
  const scan = await adminClient.send('/admin/account/security/totp', { currentPassword: password })
  const secret = /secret=([A-Z2-7]{32})/.exec(scan.text)?.[1] ?? ''
  const code = computeTotpCode(secret, getTotpStep(new Date()))
  const done = await adminClient.send('/admin/account/security/totp/confirm', { code, uri: '' })
  assert.equal(done.status, 200, done.text)
  assert.match(done.text, /recovery-codes/)
}

test('users whose role requires a second factor are redirected to set it up, from every page except their account', async () => {
  const [anna, berta] = [await site.signIn('admin'), await site.signIn('treasurer', 'de')]
  const early = await anna.send('/admin/users/sign-in-policy', { 'roles[]': ['admin', 'treasurer'] })
  assert.equal(early.status, 409)
  assert.match(early.text, /Set up a second factor for your own user account first/)
  assert.match(early.text, /value="treasurer" checked/, 'the selection is kept')
  await enrol(anna)
  const saved = await anna.send('/admin/users/sign-in-policy', { 'roles[]': ['admin', 'treasurer'] })
  assert.equal(saved.status, 303, saved.text)

  for (const path of ['/admin', '/admin/donations', '/admin/search?q=a']) {
    assert.equal((await berta.get(path)).headers.location, '/admin/account/security', path)
  }
  assert.match((await berta.get('/admin/account/security')).text, /ist ein zweiter Faktor vorgeschrieben/)
  assert.equal((await berta.get('/admin/account')).status, 200)
  await enrol(berta)
  assert.equal((await berta.get('/admin/donations')).status, 200)
  assert.equal((await anna.send('/admin/users/sign-in-policy', {})).status, 303)
})

test('an admin removes a lost second factor after a confirmation page', async () => {
  const [anna, carl] = [await site.signIn('admin'), await site.signIn('editor')]
  await enrol(carl)
  const users = (await site.admin.get('/users')).body
  const { id } = users.find(({ email }: { email: string }) => email === carl.email)
  assert.match((await anna.get(`/admin/users/${id}/factors`)).text, /only if you are sure/)
  assert.match((await anna.sendAndFollow(`/admin/users/${id}/factors`, {})).text, /has been removed/)
  const signedIn = await sendForm(site.visitor, '/admin/sign-in', { email: carl.email, password })
  assert.match(String(signedIn.headers['set-cookie']), /kalends_session=kls_/)
})

test('the code page without a started sign-in redirects to the password, and its form is refused', async () => {
  assert.equal((await site.visitor.get('/admin/sign-in/code')).headers.location, '/admin/sign-in')
  const late = await sendForm(site.visitor, '/admin/sign-in/code', { code: '123456', next: '/admin' })
  assert.equal(late.status, 422)
  assert.match(late.text, /took too long/)
})
