// test: both stores
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/fast-passwords.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { campaign, startCampaigns } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { sendDueEmails } from '../../email/send.ts'
import type { Log } from '../../log.ts'
import { accountEmails } from '../emails/account-emails.ts'

const lines: string[] = []
const write = (...words: unknown[]) => void lines.push(JSON.stringify(words))
const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
const { admin, visitor, withKey, withRole, store } = await startCampaigns({ log })

const password = 'correct horse battery'
let count = 0

async function anInvitation(fields: object = {}) {
  count += 1
  const input = { name: 'Grace', email: `grace${count}@example.org`, role: 'editor', language: 'de', ...fields }
  const { status, body, text } = await admin.post('/invitations', input)
  assert.equal(status, 201, text)
  return { ...body, token: tokenIn(body.link) }
}

const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? ''
const accept = async (token: string, chosen = password) =>
  await visitor.post('/invitations/accept', { token, password: chosen })

test('without email the response contains the link; it accepts a password once, and signs the new user in', async () => {
  const { token, link, mailed, ...invitation } = await anInvitation({ email: 'Grace@Example.org' })
  assert.equal(mailed, false)
  assert.match(link, /^http:\/\/[^/]+\/admin\/invitation\?token=kil_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/)
  assert.ok(Math.abs(Date.parse(invitation.expiresAt) - Date.now() - 7 * 86_400_000) < 60_000)
  assert.deepEqual((await admin.get('/invitations')).body, [invitation])
  const checked = (await visitor.post('/account-links/check', { token })).body
  const { name, email, language, expiresAt } = invitation
  assert.deepEqual(checked, { kind: 'invitation', name, email: 'grace@example.org', language, expiresAt })
  assert.equal(email, 'grace@example.org')

  const { status, body, headers } = await accept(token)
  assert.deepEqual([status, headers['cache-control']], [201, 'no-store'])
  assert.deepEqual([body.user.email, body.user.role, body.user.language], ['grace@example.org', 'editor', 'de'])
  assert.equal((await withKey(body.token).post('/campaigns', campaign)).status, 201)
  assert.equal((await visitor.post('/sessions', { email, password })).status, 201)
  for (const response of [await accept(token), await visitor.post('/account-links/check', { token })]) {
    assert.deepEqual([response.status, response.body.code], [410, 'link-ended'])
  }
  assert.deepEqual((await admin.get('/invitations')).body, [])
  const actions = (await admin.get('/activity?limit=5')).body.map(({ action }: { action: string }) => action)
  assert.ok(
    ['user.created', 'invitation.created'].every(action => actions.includes(action)),
    String(actions)
  )
})

test('of several concurrent requests with one link, only one gets the account', async () => {
  const { token } = await anInvitation()
  const responses = await Promise.all(Array.from({ length: 5 }, async () => await accept(token)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 410, 410, 410, 410])
})

test('a new link invalidates the previous one, and withdrawing the invitation invalidates all links', async () => {
  const first = await anInvitation()
  const again = await admin.post(`/invitations/${first.id}/link`)
  assert.equal(again.status, 201)
  assert.equal((await accept(first.token)).status, 410)
  const second = tokenIn(again.body.link)
  assert.equal((await visitor.post('/account-links/check', { token: second })).status, 200)
  assert.equal((await admin.delete(`/invitations/${first.id}`)).status, 204)
  assert.equal((await accept(second)).status, 410)
  for (const response of [
    await admin.delete(`/invitations/${first.id}`),
    await admin.post(`/invitations/${first.id}/link`)
  ])
    assert.deepEqual([response.status, response.body.code], [404, 'invitation-not-found'])
})

test('a link expires after 7 days, and a new one can be created afterwards', async () => {
  const { id, token } = await anInvitation()
  await store.run(
    sql`update platform.account_links set expires_at = now() - interval '1 second' where invitation_id = ${id}`
  )
  assert.equal((await accept(token)).status, 410)
  const { body } = await admin.post(`/invitations/${id}/link`)
  assert.equal((await accept(tokenIn(body.link))).status, 201)
})

test('a password that is refused does not use up the link', async () => {
  const { token, email } = await anInvitation()
  const cases: [password: string, status: number, code: string][] = [
    ['short', 400, 'minLength'],
    [email, 422, 'password-guessable']
  ]
  for (const [chosen, status, code] of cases) {
    const response = await accept(token, chosen)
    assert.deepEqual([response.status, response.body.errors[0].pointer], [status, '/password'], response.text)
    assert.ok(response.text.includes(code) || status === 400, response.text)
  }
  assert.equal((await accept(token)).status, 201)
})

test('an invitation for an email address with an account or an open invitation is refused, and the error names the field', async () => {
  const { email, token } = await anInvitation()
  const again = await admin.post('/invitations', { name: 'G', email: email.toUpperCase(), role: 'viewer' })
  assert.deepEqual([again.status, again.body.code, again.body.errors[0].pointer], [409, 'already-invited', '/email'])
  await accept(token)
  const known = await admin.post('/invitations', { name: 'G', email, role: 'viewer' })
  assert.deepEqual([known.status, known.body.code], [409, 'email-taken'])
})

test('the link is refused if the email address got an account in another way', async () => {
  const { email, token } = await anInvitation()
  await admin.post('/users', { name: 'G', email, role: 'viewer', password })
  const response = await accept(token)
  assert.deepEqual([response.status, response.body.code], [409, 'email-taken'])
})

test('only the hash of a token is stored, and no token, password or address is in the log or the activity', async () => {
  const { token, link, email } = await anInvitation()
  await visitor.get(`/${token}?token=${token}`)
  await accept(token, 'wrong')
  const { rows } = await store.one<{ rows: string }>(sql`
    select string_agg(to_jsonb(account_links)::text, ' ') as rows from platform.account_links`)
  assert.ok(!rows.includes(token.slice(15)))
  const [{ hash } = {}] = await store.all<{ hash: Buffer }>(sql`
    select hash from platform.account_links where hash = ${createHash('sha256').update(token).digest()}`)
  assert.ok(hash)
  await accept(token)
  const { text } = await store.one<{ text: string }>(
    sql`select string_agg(to_jsonb(activity)::text, ' ') as text from platform.activity`
  )
  assert.ok(lines.length > 10)
  for (const secret of [token.slice(15), link, password, email]) {
    assert.ok(!lines.join('\n').includes(secret) && !text.includes(secret), secret)
  }
})

test('only admins can invite, and an invitation token cannot reset a password', async () => {
  for (const role of ['viewer', 'editor', 'treasurer'] as const) {
    const response = await (await withRole(role)).post('/invitations', {
      name: 'X',
      email: 'x@example.org',
      role: 'admin'
    })
    assert.equal(response.status, 403)
  }
  const { token } = await anInvitation()
  assert.equal((await visitor.post('/password-resets/use', { token, password })).status, 410)
  assert.equal((await accept(token)).status, 201)
})

test('with email set up, the email contains a different link than the response, and accepting one invalidates the other', async () => {
  const mailbox = await startMailbox()
  const site = await startCampaigns({
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
  })
  const { body } = await site.admin.post('/invitations', {
    ...{ name: 'Grace', email: 'grace@example.org', role: 'viewer', language: 'de' }
  })
  assert.equal(body.mailed, true)
  const { rows } = await site.store.one<{ rows: string }>(
    sql`select string_agg(to_jsonb(outbox)::text, ' ') as rows from platform.outbox`
  )
  assert.doesNotMatch(rows, /kil_|@/)
  assert.equal(await sendDueEmails(site.store, site.settings, accountEmails), 1)
  const [letter] = mailbox.received
  assert.deepEqual(letter?.to, ['grace@example.org'])
  const mailed = /https:\/\/give\.example\.org\/admin\/invitation\?token=(\S+)/.exec(letter?.text ?? '')?.[1] ?? ''
  assert.notEqual(mailed, tokenIn(body.link))
  const response = await site.visitor.post('/invitations/accept', { token: mailed, password })
  assert.equal(response.status, 201, response.text)
  const other = await site.visitor.post('/invitations/accept', { token: tokenIn(body.link), password })
  assert.equal(other.status, 410)

  const withdrawn = (await site.admin.post('/invitations', { name: 'A', email: 'a@example.org', role: 'viewer' })).body
  await site.admin.delete(`/invitations/${withdrawn.id}`)
  assert.equal(await sendDueEmails(site.store, site.settings, accountEmails), 0)
})
