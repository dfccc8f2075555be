import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newAdminClient, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { startMailbox } from '#test/support/mailbox.ts'

const mailbox = await startMailbox()
const site = await startAdmin()
const { admin, visitor, signIn } = site
const anna = await signIn('admin')
const chosen = 'chosen by myself alone'

const linkIn = (text: string) => /<code id="link">([^<]+)</.exec(text)?.[1] ?? ''
const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '')
const sessionIn = (cookies: unknown) => /kalends_session=([^;]+)/.exec(String(cookies))?.[1] ?? ''

test('an admin invites somebody without mail: the link is shown once, and behind it they choose a password and are in', async () => {
  assert.match((await anna.get('/admin/users')).text, /href="\/admin\/invitations\/new"/)
  const fields = {
    name: 'Grace',
    email: 'grace@example.org',
    role: 'treasurer',
    language: 'de',
    idempotencyKey: 'one-1'
  }
  const made = await anna.send('/admin/invitations', fields)
  assert.equal(made.status, 200)
  const link = linkIn(made.text)
  assert.match(link, /\/admin\/invitation\?token=kil_/)
  const again = await anna.send('/admin/invitations', fields)
  assert.equal(linkIn(again.text), link, 'who reloads the page gets the same link')
  const list = (await anna.get('/admin/users')).text
  assert.match(list, /Open invitations[\s\S]*Grace[\s\S]*Create new link/)
  assert.ok(!list.includes('kil_'))

  const page = await visitor.get(pathOf(link), { 'accept-language': 'de' })
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
  const accepted = await sendForm(visitor, '/admin/invitation', { token, password: chosen })
  assert.deepEqual([accepted.status, accepted.headers.location], [303, '/admin?welcome=yes'])
  const grace = newAdminClient(visitor, fields.email, sessionIn(accepted.headers['set-cookie']))
  assert.match((await grace.get('/admin')).text, /Grace/)
  for (const answer of [
    await visitor.get(pathOf(link)),
    await sendForm(visitor, '/admin/invitation', { token, password: chosen })
  ]) {
    assert.equal(answer.status, 410)
    assert.match(answer.text, /This link is no longer valid/)
  }
})

test('what is wrong with an invitation is tied to its field, and what was typed is kept', async () => {
  const fields = { name: 'Hedy', email: anna.email, role: 'viewer', language: 'en' }
  const { status, text } = await anna.send('/admin/invitations', fields)
  assert.equal(status, 422)
  assert.match(/id="field-email-error">([^<]*)/.exec(text)?.[1] ?? '', /with this email address already exists/)
  assert.match(text, /value="Hedy"/)
  assert.match((await anna.send('/admin/invitations', { ...fields, email: 'nobody' })).text, /Please enter an email/)
})

test('an invitation gets a new link, and is withdrawn after a question', async () => {
  const { id, link } = (await admin.post('/invitations', { name: 'Ida', email: 'ida@example.org', role: 'viewer' }))
    .body
  const renewed = linkIn((await anna.send(`/admin/invitations/${id}/link`, { idempotencyKey: 'again-1' })).text)
  assert.equal((await visitor.get(pathOf(link))).status, 410)
  assert.equal((await visitor.get(pathOf(renewed))).status, 200)
  assert.match((await anna.get(`/admin/invitations/${id}/withdraw`)).text, /Withdraw the invitation of Ida\?/)
  const list = await anna.sendAndFollow(`/admin/invitations/${id}/withdraw`, {})
  assert.match(list.text, /Invitation of Ida withdrawn\./)
  assert.equal((await visitor.get(pathOf(renewed))).status, 410)
  assert.equal((await anna.get(`/admin/invitations/${id}/withdraw`)).status, 404)
})

test('an admin makes a reset link for somebody, who chooses a new password behind it and signs in with it', async () => {
  const { body } = await admin.post('/users', {
    ...{ name: 'Karl', email: 'karl@example.org', role: 'editor', password: 'forgotten long ago' }
  })
  assert.match((await anna.get(`/admin/users/${body.id}`)).text, /Create a password reset link/)
  const link = linkIn((await anna.send(`/admin/users/${body.id}/reset-link`, { idempotencyKey: 'karl-1' })).text)
  assert.match((await visitor.get(pathOf(link))).text, /Hello Karl, choose a new password/)
  const token = new URL(link).searchParams.get('token') ?? ''
  const done = await sendForm(visitor, '/admin/reset', { token, password: chosen })
  assert.deepEqual([done.status, done.headers.location], [303, '/admin/sign-in?reset=yes'])
  assert.equal(done.headers['set-cookie'], undefined, 'whoever has the link still signs in')
  assert.match((await visitor.get('/admin/sign-in?reset=yes')).text, /Your new password has been saved/)
  const signedIn = await sendForm(visitor, '/admin/sign-in', { email: 'karl@example.org', password: chosen })
  assert.equal(signedIn.status, 303)
})

test('a forgotten password: without mail the page says whom to ask', async () => {
  assert.match((await visitor.get('/admin/sign-in')).text, /href="\/admin\/forgotten"/)
  const page = await visitor.get('/admin/forgotten')
  assert.match(page.text, /Ask an admin for a password reset link/)
  assert.doesNotMatch(page.text, /name="email"/)
  assert.match(
    (await visitor.get('/admin/forgotten', { 'accept-language': 'de' })).text,
    /Bitten Sie die Administration/
  )
})

test('a forgotten password: with mail the page says the same for everybody', async () => {
  const mailing = await startAdmin({
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
  })
  const known = await mailing.signIn('editor')
  const headers = { origin: 'https://give.example.org', host: 'give.example.org' }
  assert.match((await mailing.visitor.get('/admin/forgotten')).text, /name="email"/)
  const answers = await Promise.all(
    [known.email, 'nobody@example.org'].map(
      async email => await sendForm(mailing.visitor, '/admin/forgotten', { email }, headers)
    )
  )
  assert.deepEqual([answers[0]?.status, answers[0]?.text], [200, answers[1]?.text])
  assert.match(answers[0]?.text ?? '', /If there is a user account with this email address/)
  const wrong = await sendForm(mailing.visitor, '/admin/forgotten', { email: 'nobody' }, headers)
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Please enter an email address/)
})
