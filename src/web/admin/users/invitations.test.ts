import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newAdminClient, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { startMailbox } from '#test/support/mailbox.ts'

const mailbox = await startMailbox()
const site = await startAdmin()
const { admin, visitor, signIn } = site
const anna = await signIn('admin')
const newPassword = 'chosen by myself alone'

const readLink = (text: string) => /<code id="link">([^<]+)</.exec(text)?.[1] ?? ''
const toPath = (link: string) => link.replace(/^https?:\/\/[^/]+/, '')
const readSession = (cookies: unknown) => /kalends_session=([^;]+)/.exec(String(cookies))?.[1] ?? ''

test('without email the link of an invitation is shown once; the invited user chooses a password there and is signed in', async () => {
  assert.match((await anna.get('/admin/users')).text, /href="\/admin\/invitations\/new"/)
  const fields = {
    name: 'Grace',
    email: 'grace@example.org',
    role: 'treasurer',
    language: 'de',
    idempotencyKey: 'one-1'
  }
  const created = await anna.send('/admin/invitations', fields)
  assert.equal(created.status, 200)
  const link = readLink(created.text)
  assert.match(link, /\/admin\/invitation\?token=kil_/)
  const again = await anna.send('/admin/invitations', fields)
  assert.equal(readLink(again.text), link, 'reloading the page shows the same link')
  const list = (await anna.get('/admin/users')).text
  assert.match(list, /Open invitations[\s\S]*Grace[\s\S]*Create new link/)
  assert.ok(!list.includes('kil_'))

  const page = await visitor.get(toPath(link), { 'accept-language': 'de' })
  assert.equal(page.status, 200)
  assert.equal(page.headers['referrer-policy'], 'same-origin')
  assert.match(page.headers['cache-control'] ?? '', /no-store/)
  assert.match(page.text, /Guten Tag Grace/)
  assert.match(page.text, /grace@example\.org/)
  assert.doesNotMatch(page.text, /side-menu/)

  const token = new URL(link).searchParams.get('token') ?? ''
  const short = await sendForm(visitor, '/admin/invitation', { token, password: 'short' })
  assert.equal(short.status, 422)
  assert.match(short.text, /Choose a password needs at least 10 characters/)
  const accepted = await sendForm(visitor, '/admin/invitation', { token, password: newPassword })
  assert.deepEqual([accepted.status, accepted.headers.location], [303, '/admin?welcome=yes'])
  const grace = newAdminClient(visitor, fields.email, readSession(accepted.headers['set-cookie']))
  assert.match((await grace.get('/admin')).text, /Grace/)
  for (const answer of [
    await visitor.get(toPath(link)),
    await sendForm(visitor, '/admin/invitation', { token, password: newPassword })
  ]) {
    assert.equal(answer.status, 410)
    assert.match(answer.text, /This link is no longer valid/)
  }
})

test('each invalid field of an invitation has an error at the field, and the input is kept', async () => {
  const fields = { name: 'Hedy', email: anna.email, role: 'viewer', language: 'en' }
  const { status, text } = await anna.send('/admin/invitations', fields)
  assert.equal(status, 422)
  assert.match(/id="field-email-error">([^<]*)/.exec(text)?.[1] ?? '', /with this email address already exists/)
  assert.match(text, /value="Hedy"/)
  assert.match((await anna.send('/admin/invitations', { ...fields, email: 'nobody' })).text, /Please enter an email/)
})

test('a new link replaces the old one; a withdrawn invitation cannot be used', async () => {
  const { id, link } = (await admin.post('/invitations', { name: 'Ida', email: 'ida@example.org', role: 'viewer' }))
    .body
  const renewed = readLink((await anna.send(`/admin/invitations/${id}/link`, { idempotencyKey: 'again-1' })).text)
  assert.equal((await visitor.get(toPath(link))).status, 410)
  assert.equal((await visitor.get(toPath(renewed))).status, 200)
  assert.match((await anna.get(`/admin/invitations/${id}/withdraw`)).text, /Withdraw the invitation of Ida\?/)
  const list = await anna.sendAndFollow(`/admin/invitations/${id}/withdraw`, {})
  assert.match(list.text, /Invitation of Ida withdrawn\./)
  assert.equal((await visitor.get(toPath(renewed))).status, 410)
  assert.equal((await anna.get(`/admin/invitations/${id}/withdraw`)).status, 404)
})

test('an admin creates a password reset link; the user sets a new password with it and signs in', async () => {
  const { body } = await admin.post('/users', {
    ...{ name: 'Karl', email: 'karl@example.org', role: 'editor', password: 'forgotten long ago' }
  })
  assert.match((await anna.get(`/admin/users/${body.id}`)).text, /Create a password reset link/)
  const link = readLink((await anna.send(`/admin/users/${body.id}/reset-link`, { idempotencyKey: 'karl-1' })).text)
  assert.match((await visitor.get(toPath(link))).text, /Hello Karl, choose a new password/)
  const token = new URL(link).searchParams.get('token') ?? ''
  const done = await sendForm(visitor, '/admin/reset', { token, password: newPassword })
  assert.deepEqual([done.status, done.headers.location], [303, '/admin/sign-in?reset=yes'])
  assert.equal(done.headers['set-cookie'], undefined, 'the link alone does not sign in')
  assert.match((await visitor.get('/admin/sign-in?reset=yes')).text, /Your new password has been saved/)
  const signedIn = await sendForm(visitor, '/admin/sign-in', { email: 'karl@example.org', password: newPassword })
  assert.equal(signedIn.status, 303)
})

test('forgotten password: without email the page says to ask an admin', async () => {
  assert.match((await visitor.get('/admin/sign-in')).text, /href="\/admin\/forgotten"/)
  const page = await visitor.get('/admin/forgotten')
  assert.match(page.text, /Ask an admin for a password reset link/)
  assert.doesNotMatch(page.text, /name="email"/)
  assert.match(
    (await visitor.get('/admin/forgotten', { 'accept-language': 'de' })).text,
    /Bitten Sie die Administration/
  )
})

test('forgotten password: with email the response is the same for known and unknown addresses', async () => {
  const siteWithMail = await startAdmin({
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
  })
  const known = await siteWithMail.signIn('editor')
  const headers = { origin: 'https://give.example.org', host: 'give.example.org' }
  assert.match((await siteWithMail.visitor.get('/admin/forgotten')).text, /name="email"/)
  const answers = await Promise.all(
    [known.email, 'nobody@example.org'].map(
      async email => await sendForm(siteWithMail.visitor, '/admin/forgotten', { email }, headers)
    )
  )
  assert.deepEqual([answers[0]?.status, answers[0]?.text], [200, answers[1]?.text])
  assert.match(answers[0]?.text ?? '', /If there is a user account with this email address/)
  const wrong = await sendForm(siteWithMail.visitor, '/admin/forgotten', { email: 'nobody' }, headers)
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Please enter an email address/)
})
