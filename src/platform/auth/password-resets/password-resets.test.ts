import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/fast-passwords.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { startCampaigns } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { sendDueEmails } from '../../email/send.ts'
import { accountEmails } from '../emails/account-emails.ts'

const mailbox = await startMailbox()
const { admin, visitor, withKey, store, settings } = await startCampaigns({
  env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
})
const password = 'correct horse battery'
const next = 'another horse entirely'
let count = 0

async function aUser() {
  count += 1
  const user = { name: 'Anna', email: `anna${count}@example.org`, role: 'editor', language: 'en', password }
  const { status, body, text } = await admin.post('/users', user)
  assert.equal(status, 201, text)
  return body
}

const tokenIn = (text: string) => /\/admin\/reset\?token=(krl_[A-Za-z0-9_]+)/.exec(text)?.[1] ?? ''
const reset = async (token: string, chosen = next) =>
  await visitor.post('/password-resets/use', { token, password: chosen })
const sendAndListEmails = async () => {
  const before = mailbox.received.length
  while ((await sendDueEmails(store, settings, accountEmails)) > 0);
  return mailbox.received.slice(before)
}

test('an emailed link works once: it sets a new password, ends all sessions, and the user gets an email', async () => {
  const { email, id } = await aUser()
  const sessions = [
    (await visitor.post('/sessions', { email, password })).body,
    (await visitor.post('/sessions', { email, password })).body
  ]
  const requested = await visitor.post('/password-resets', { email: email.toUpperCase() })
  assert.deepEqual([requested.status, requested.body], [202, { byMail: true }])
  const [letter] = await sendAndListEmails()
  assert.deepEqual(letter?.to, [email])
  const token = tokenIn(letter?.text ?? '')
  assert.equal((await visitor.post('/account-links/check', { token })).body.kind, 'reset')
  assert.equal((await visitor.post('/sessions', { email, password })).status, 201, 'the old password works until then')
  assert.equal((await reset(token)).status, 204)
  for (const session of sessions) assert.equal((await withKey(session.token).get('/users/me')).status, 401)
  assert.equal((await visitor.post('/sessions', { email, password })).status, 401)
  assert.equal((await visitor.post('/sessions', { email, password: next })).status, 201)
  assert.deepEqual([(await reset(token)).status, (await reset(token)).body.code], [410, 'link-ended'])
  assert.match((await sendAndListEmails())[0]?.headers.subject ?? '', /password was changed/)
  const record = (await admin.get(`/activity?subject=user&subjectId=${id}`)).body[0]
  assert.deepEqual([record.action, record.actor], ['user.password_reset', `user ${id} (Anna)`])
})

test('the response for an address without an account is the same, and no email is sent', async () => {
  const { email } = await aUser()
  const [known, unknown] = [
    await visitor.post('/password-resets', { email }),
    await visitor.post('/password-resets', { email: 'nobody@example.org' })
  ]
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
  assert.equal((await sendAndListEmails()).length, 1)
})

test('a user gets at most three emails an hour, and the response does not show it', async () => {
  const { email } = await aUser()
  for (let times = 0; times < 6; times += 1)
    assert.equal((await visitor.post('/password-resets', { email })).status, 202)
  assert.equal((await sendAndListEmails()).length, 3)
})

test('one network can request ten resets, further requests are refused', async () => {
  const from = async (remoteAddress: string, email: string) =>
    await visitor.send({
      method: 'POST',
      url: '/password-resets',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ email })
    })
  for (let times = 0; times < 10; times += 1) {
    assert.equal((await from('198.51.100.7', `nobody${times}@example.org`)).status, 202)
  }
  const refused = await from('198.51.100.7', 'nobody@example.org')
  assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-resets'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await from('198.51.100.8', 'nobody@example.org')).status, 202)
})

test('an emailed link expires after an hour, a link of an admin after a day', async () => {
  const { email, id } = await aUser()
  await visitor.post('/password-resets', { email })
  const byMail = tokenIn((await sendAndListEmails())[0]?.text ?? '')
  const readRemainingMs = async (token: string) =>
    Date.parse((await visitor.post('/account-links/check', { token })).body.expiresAt) - Date.now()
  assert.ok(Math.abs((await readRemainingMs(byMail)) - 3_600_000) < 60_000)
  const { body } = await admin.post(`/users/${id}/reset-link`)
  const byAdmin = tokenIn(body.link)
  assert.ok(Math.abs((await readRemainingMs(byAdmin)) - 86_400_000) < 60_000)
  assert.equal((await reset(byMail)).status, 410, 'a new link replaces the previous one')
  await store.run(sql`update platform.account_links set expires_at = now() - interval '1 second' where user_id = ${id}`)
  assert.equal((await reset(byAdmin)).status, 410)
})

test('a link created by an admin is only in the response; the user gets an email without the link', async () => {
  const { id, email } = await aUser()
  const { status, body } = await admin.post(`/users/${id}/reset-link`)
  assert.equal(status, 201)
  assert.match(body.link, /^https:\/\/give\.example\.org\/admin\/reset\?token=krl_/)
  const notification = (await sendAndListEmails()).find(({ to }) => to[0] === email)
  assert.match(notification?.headers.subject ?? '', /An admin created a link/)
  assert.doesNotMatch(notification?.text ?? '', /krl_/)
  const record = (await admin.get(`/activity?subject=user&subjectId=${id}`)).body[0]
  assert.equal(record.action, 'user.reset_link_made')
  assert.ok(!JSON.stringify(record).includes(tokenIn(body.link).slice(15)))
  assert.equal((await reset(tokenIn(body.link), email)).status, 422, 'a refused password does not use up the link')
  assert.equal((await reset(tokenIn(body.link))).status, 204)
})

test('a link of a deleted user does not work', async () => {
  const { id } = await aUser()
  const { body } = await admin.post(`/users/${id}/reset-link`)
  await admin.delete(`/users/${id}`)
  assert.equal((await reset(tokenIn(body.link))).status, 410)
})

test('without email settings the response says so, and no email is sent', async () => {
  const withoutEmail = await startCampaigns()
  assert.deepEqual((await withoutEmail.visitor.get('/password-resets')).body, { byMail: false })
  const requested = await withoutEmail.visitor.post('/password-resets', { email: 'anna@example.org' })
  assert.deepEqual([requested.status, requested.body], [202, { byMail: false }])
  assert.equal((await withoutEmail.store.all(sql`select id from platform.outbox`)).length, 0)
})
