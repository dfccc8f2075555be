import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import '#test/support/fast-passwords.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { type ProviderLies, type ProviderPerson, startOpenIdProvider } from '#test/support/openid-provider.ts'
import { startCampaigns } from '#test/support/services.ts'
import { Sql, sql } from '../../database/sql.ts'
import { sendDueEmails } from '../../email/send.ts'
import type { Log } from '../../log.ts'
import { accountEmails } from '../emails/account-emails.ts'
import { computeTotpCode, getTotpStep } from '../second-factor/totp.ts'
import { findProviderFault } from './provider.ts'

const publicUrl = 'http://localhost'
const provider = await startOpenIdProvider(publicUrl)
const mailbox = await startMailbox()
const lines: string[] = []
const write = (...values: unknown[]) => void lines.push(JSON.stringify(values))
const log: Log = { debug: write, info: write, warn: write, error: write } as Log
const env = { PUBLIC_URL: publicUrl, SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', ...provider.env }
const { admin, visitor, withKey, store, settings } = await startCampaigns({ env, log })
const password = 'correct horse battery'

afterEach(() => {
  provider.lies = {}
  provider.trouble = undefined
  provider.tellsEmailIn = 'idToken'
})

let count = 0
async function aPerson(language = 'en') {
  count += 1
  const email = `dora${count}@example.org`
  const user = { name: 'Dora', email, role: 'treasurer', language, password }
  const { body } = await admin.post('/users', user)
  const atProvider: ProviderPerson = { sub: `subject-${count}`, email, email_verified: true }
  return { id: body.id as number, email, atProvider }
}

async function startSignIn() {
  const { status, body, text } = await visitor.post('/sessions/openid-requests')
  assert.equal(status, 200, text)
  return body as { location: string; attempt: string }
}

async function signIn(who: ProviderPerson | 'cancel', headers: Record<string, string> = {}) {
  const { location, attempt } = await startSignIn()
  const callback = await provider.authorize(location, who)
  const answer = await visitor.post('/sessions/openid', { attempt, callback }, headers)
  return { ...answer, attempt, callback }
}

const activityOf = async (id: number) =>
  (await admin.get(`/activity?subject=user&subjectId=${id}`)).body.map(({ action }: { action: string }) => action)

async function addTotp(id: number, email: string): Promise<string> {
  const { body } = await visitor.post('/sessions', { email, password })
  const client = withKey(body.token)
  const { body: totp } = await client.post('/users/me/totp', { currentPassword: password })
  const code = computeTotpCode(totp.secret, getTotpStep(new Date()))
  assert.equal((await client.post('/users/me/totp/confirm', { code })).status, 200)
  await store.run(sql`update platform.totp_factors set last_step = null where user_id = ${id}`)
  return totp.secret
}

test('the sign-in methods include the name of the provider', async () => {
  assert.deepEqual((await visitor.get('/sessions/methods')).body.openid, { name: 'Lindenhof ID' })
})

test('the first sign-in links the account with the same verified email address, and its owner gets an email', async () => {
  const { id, email, atProvider } = await aPerson('de')
  const { status, body, headers, text } = await signIn({ ...atProvider, email: email.toUpperCase() })
  assert.equal(status, 201, text)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(body.user.id, id)
  const client = withKey(body.token)
  assert.equal((await client.get('/users/me')).body.id, id)
  const [identity] = (await client.get('/users/me/identities')).body
  assert.deepEqual(Object.keys(identity), ['issuer', 'createdAt', 'lastUsedAt'])
  assert.equal(identity.issuer, provider.issuer)
  assert.ok((await activityOf(id)).includes('user.identity_linked'))
  while ((await sendDueEmails(store, settings, accountEmails)) > 0);
  const letter = mailbox.received.at(-1)
  assert.equal(letter?.to[0], email)
  assert.match(letter?.text ?? '', /mit Lindenhof ID angemeldet/)
})

test('later sign-ins find the account by subject although the email address changed, and are not recorded as links again', async () => {
  const { id, atProvider } = await aPerson()
  assert.equal((await signIn(atProvider)).status, 201)
  const other = await aPerson()
  for (const email of ['elsewhere@example.org', other.email]) {
    const { status, body } = await signIn({ ...atProvider, email, email_verified: false })
    assert.deepEqual([status, body.user.id], [201, id])
  }
  const linked = (await activityOf(id)).filter((action: string) => action === 'user.identity_linked')
  assert.equal(linked.length, 1)
})

test('an email address that the provider has not verified finds no account', async () => {
  const { id, atProvider } = await aPerson()
  for (const email_verified of [false, undefined, 'true']) {
    const { email_verified: _, ...person } = atProvider
    const { status, body } = await signIn(email_verified === undefined ? person : { ...person, email_verified })
    assert.deepEqual([status, body.code], [403, 'email-not-verified'])
    assert.match(body.detail, /Lindenhof ID has not verified your email address/)
  }
  const { status, body } = await signIn({ sub: 'no address at all', email_verified: true })
  assert.deepEqual([status, body.code], [403, 'email-not-verified'])
  assert.deepEqual((await admin.get(`/users/${id}/identities`)).body, [])
})

test('a person without an account is refused, and no account is created', async () => {
  const before = (await admin.get('/users')).body.length
  const stranger = { sub: 'stranger', email: 'stranger@example.org', email_verified: true }
  const { status, body } = await signIn(stranger, { 'accept-language': 'de' })
  assert.deepEqual([status, body.code], [403, 'no-account'])
  assert.match(body.detail, /gibt es keinen Zugang/)
  assert.equal((await admin.get('/users')).body.length, before)
  const [refused] = (await admin.get('/activity?action=session.refused')).body
  assert.deepEqual([refused.subjectId, refused.details], ['unknown', { network: 'local' }])
})

test('a linked account cannot be used by another identity with the same email address', async () => {
  const { id, atProvider } = await aPerson()
  assert.equal((await signIn(atProvider)).status, 201)
  const { status, body } = await signIn({ ...atProvider, sub: 'somebody else' })
  assert.deepEqual([status, body.code], [409, 'other-identity'])
  assert.equal((await admin.get(`/users/${id}/identities`)).body.length, 1)
  const refused = (await admin.get('/activity?action=session.refused')).body
  assert.ok(refused.some((one: { subjectId: string }) => one.subjectId === String(id)))
})

test('the email address can come from the userinfo endpoint, and a provider may accept the client secret only in the body', async () => {
  const { id, atProvider } = await aPerson()
  provider.tellsEmailIn = 'userInfo'
  const { status, body, text } = await signIn(atProvider)
  assert.equal(status, 201, text)
  assert.equal(body.user.id, id)
  assert.match(provider.tokenRequests.at(-1) ?? '', /^Basic /)

  const post = await startOpenIdProvider(publicUrl)
  post.authMethods = ['client_secret_post']
  const site = await startCampaigns({ env: { ...env, ...post.env } })
  const ada = { name: 'Ada', email: 'ada@example.org', role: 'admin', password }
  await site.admin.post('/users', ada)
  const { body: request } = await site.visitor.post('/sessions/openid-requests')
  const callback = await post.authorize(request.location, { sub: 'a', email: ada.email, email_verified: true })
  const answer = await site.visitor.post('/sessions/openid', { attempt: request.attempt, callback })
  assert.equal(answer.status, 201, answer.text)
  assert.match(post.tokenRequests.at(-1) ?? '', /^ .*client_secret=/)
})

test('an account with a second factor needs it, as after a password', async () => {
  const { id, email, atProvider } = await aPerson()
  const secret = await addTotp(id, email)
  const { status, body } = await signIn(atProvider)
  assert.deepEqual([status, body.code, body.factors], [401, 'second-factor-required', ['totp', 'recoveryCode']])
  assert.equal(body.token, undefined)
  const { attempt } = body
  const wrong = await visitor.post('/sessions/second-factor', { attempt, code: '000000' })
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'wrong-second-factor'])
  const right = await visitor.post('/sessions/second-factor', {
    attempt,
    code: computeTotpCode(secret, getTotpStep(new Date()))
  })
  assert.equal(right.status, 201, right.text)
  assert.equal(right.body.user.id, id)
})

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const now = Math.floor(Date.now() / 1000)
const lies: [what: string, lies: ProviderLies][] = [
  ['the nonce of another request', { claims: { nonce: 'another' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['the state of another request', { state: 'another' }],
  ['the name of another provider', { iss: 'https://evil.example' }],
  ['a signature of another key', { signedBy: stranger }],
  ['no signature', { algorithm: 'none' }],
  ['a token of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['a token for another client', { claims: { aud: 'another client' } }],
  ['a token for several clients', { claims: { aud: ['kalends of the tests', 'another client'] } }],
  ['a token that has expired', { claims: { iat: now - 900, exp: now - 600 } }],
  ['no subject', { claims: { sub: undefined } }],
  ['no ID token', { hasNoIdToken: true }]
]

for (const [what, lie] of lies) {
  test(`a response with ${what} is refused, and links nothing`, async () => {
    const { id, atProvider } = await aPerson()
    provider.lies = lie
    const { status, body, text } = await signIn(atProvider)
    assert.deepEqual([status, body.code], [401, 'openid-refused'], text)
    assert.deepEqual((await admin.get(`/users/${id}/identities`)).body, [])
  })
}

test('an attempt works once, successful or not, within its time, and only with the response to its own request', async () => {
  const { atProvider } = await aPerson()
  const { status, attempt, callback } = await signIn(atProvider)
  assert.equal(status, 201)
  const again = await visitor.post('/sessions/openid', { attempt, callback })
  assert.deepEqual([again.status, again.body.code], [401, 'sign-in-expired'])

  const [mine, theirs] = [await startSignIn(), await startSignIn()]
  const theirCallback = await provider.authorize(theirs.location, atProvider)
  const crossed = await visitor.post('/sessions/openid', { attempt: mine.attempt, callback: theirCallback })
  assert.deepEqual([crossed.status, crossed.body.code], [401, 'openid-refused'])
  const myCallback = await provider.authorize(mine.location, atProvider)
  const late = await visitor.post('/sessions/openid', { attempt: mine.attempt, callback: myCallback })
  assert.deepEqual([late.status, late.body.code], [401, 'sign-in-expired'])

  const old = await startSignIn()
  const oldCallback = await provider.authorize(old.location, atProvider)
  await store.run(
    sql`update platform.sign_in_steps set expires_at = now() - interval '1 second' where kind = 'openid-sign-in'`
  )
  const tooLate = await visitor.post('/sessions/openid', { attempt: old.attempt, callback: oldCallback })
  assert.deepEqual([tooLate.status, tooLate.body.code], [401, 'sign-in-expired'])
})

test('a sign-in repeated with the same Idempotency-Key gets the same response, and creates one session', async () => {
  const { id, atProvider } = await aPerson()
  const headers = { 'idempotency-key': 'an openid sign-in'.replaceAll(' ', '-') }
  const first = await signIn(atProvider, headers)
  assert.equal(first.status, 201, first.text)
  const { attempt, callback } = first
  const again = await visitor.post('/sessions/openid', { attempt, callback }, headers)
  assert.deepEqual([again.status, again.body.token], [201, first.body.token])
  const { sessions } = await store.one<{ sessions: number }>(
    sql`select count(*)::integer as sessions from platform.sessions where user_id = ${id}`
  )
  assert.equal(sessions, 1)
})

test('a used code and an invalid callback are refused', async () => {
  const { atProvider } = await aPerson()
  const { callback } = await signIn(atProvider)
  for (const bad of [callback, '', 'code=', 'code=a&code=b', '?&&==%zz', 'error=server_error']) {
    const { attempt, location } = await startSignIn()
    const state = new URL(location).searchParams.get('state')
    const iss = encodeURIComponent(provider.issuer)
    const sent = bad.startsWith('code') || bad.startsWith('error') ? `${bad}&state=${state}&iss=${iss}` : bad
    const answer = await visitor.post('/sessions/openid', { attempt, callback: sent })
    assert.deepEqual([answer.status, answer.body.code], [401, 'openid-refused'], bad)
  }
})

test('a code that was issued for another request is refused (PKCE)', async () => {
  const [mine, theirs] = [await startSignIn(), await startSignIn()]
  const stolen = new URLSearchParams(await provider.authorize(theirs.location, (await aPerson()).atProvider))
  stolen.set('state', new URL(mine.location).searchParams.get('state') ?? '')
  const answer = await visitor.post('/sessions/openid', { attempt: mine.attempt, callback: String(stolen) })
  assert.deepEqual([answer.status, answer.body.code], [401, 'openid-refused'])
  assert.ok(
    lines.some(line => line.includes('invalid_grant')),
    'the provider refuses the verifier'
  )
})

test('cancelling at the provider gives an error without the provider’s text', async () => {
  const { status, body, text } = await signIn('cancel')
  assert.deepEqual([status, body.code], [422, 'openid-cancelled'])
  assert.doesNotMatch(text, /script|provider's text/)
})

test('a deleted user cannot sign in any more, and the identity is deleted', async () => {
  const { id, atProvider } = await aPerson()
  assert.equal((await signIn(atProvider)).status, 201)
  assert.equal((await admin.delete(`/users/${id}`)).status, 204)
  const { status, body } = await signIn(atProvider)
  assert.deepEqual([status, body.code], [403, 'no-account'])
  assert.deepEqual(await store.all(sql`select user_id from platform.openid_identities where user_id = ${id}`), [])
})

test('users unlink their identity with their password, admins unlink others, and both are recorded', async () => {
  const { id, atProvider } = await aPerson()
  const client = withKey((await signIn(atProvider)).body.token)
  const unproved = await client.post('/users/me/identities/remove', {})
  assert.deepEqual([unproved.status, unproved.body.errors[0].code], [422, 'proof-missing'])
  assert.equal((await client.post('/users/me/identities/remove', { currentPassword: 'wrong' })).status, 422)
  assert.equal((await client.get('/users/me/identities')).body.length, 1)
  assert.equal((await client.post('/users/me/identities/remove', { currentPassword: password })).status, 204)
  assert.deepEqual((await client.get('/users/me/identities')).body, [])

  assert.equal((await signIn({ ...atProvider, sub: 'a new account there' })).status, 201, 'linked again')
  assert.equal((await admin.delete(`/users/${id}/identities`)).status, 204)
  assert.deepEqual((await admin.get(`/users/${id}/identities`)).body, [])
  assert.equal((await admin.delete(`/users/${id}/identities`)).status, 204, 'nothing is left to do')
  const unlinked = (await activityOf(id)).filter((action: string) => action === 'user.identity_unlinked')
  assert.equal(unlinked.length, 2)
  assert.equal((await admin.delete('/users/999999/identities')).status, 404)
})

test('a provider that is unavailable or fails gives 503, and is asked again at the next sign-in', {
  skip: skipUnlessFull
}, async () => {
  const { atProvider } = await aPerson()
  const { location, attempt } = await startSignIn()
  const callback = await provider.authorize(location, atProvider)
  provider.trouble = response => void response.writeHead(502).end('<h1>Bad gateway</h1>')
  const failed = await visitor.post('/sessions/openid', { attempt, callback })
  assert.deepEqual([failed.status, failed.body.code], [503, 'openid-provider-away'])
  assert.doesNotMatch(failed.text, /Bad gateway/)

  const site = await startCampaigns({ env: { ...env, ...provider.env } })
  const troubles: (typeof provider.trouble)[] = [
    response => void response.writeHead(500).end(),
    response => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":"http://evil"}'),
    response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
    response => void response.destroy(),
    // Never responds: the request times out.
    () => {}
  ]
  for (const trouble of troubles) {
    provider.trouble = trouble
    const { status, body, headers } = await site.visitor.post('/sessions/openid-requests')
    assert.deepEqual([status, body.code], [503, 'openid-provider-away'])
    assert.equal(headers['retry-after'], '30')
  }
  assert.ok(settings.openid !== undefined)
  provider.trouble = response => void response.writeHead(500).end()
  assert.match((await findProviderFault(settings.openid)) ?? '', /unexpected HTTP response status code/)
  provider.trouble = undefined
  assert.equal(await findProviderFault(settings.openid), undefined)
  const before = provider.discoveries
  assert.equal((await site.visitor.post('/sessions/openid-requests')).status, 200)
  assert.equal((await site.visitor.post('/sessions/openid-requests')).status, 200)
  assert.equal(provider.discoveries, before + 1, 'the discovery document is cached')
})

test('a wrong client secret gives 503, and the log names the reason', async () => {
  const { atProvider } = await aPerson()
  const logged: string[] = []
  const keep = (...values: unknown[]) => void logged.push(JSON.stringify(values))
  const site = await startCampaigns({
    env: { ...env, OIDC_CLIENT_SECRET: 'not the secret' },
    log: { debug: keep, info: keep, warn: keep, error: keep } as Log
  })
  const { body } = await site.visitor.post('/sessions/openid-requests')
  const callback = await provider.authorize(body.location, atProvider)
  const answer = await site.visitor.post('/sessions/openid', { attempt: body.attempt, callback })
  assert.deepEqual([answer.status, answer.body.code], [503, 'openid-provider-away'])
  assert.match(logged.join('\n'), /invalid_client/)
  assert.doesNotMatch(logged.join('\n'), /not the secret/)
})

test('without the OpenID settings this sign-in method is not offered', async () => {
  const site = await startCampaigns()
  assert.equal((await site.visitor.get('/sessions/methods')).body.openid, null)
  for (const answer of [
    await site.visitor.post('/sessions/openid-requests'),
    await site.visitor.post('/sessions/openid', { attempt: 'x', callback: 'code=y' })
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [409, 'openid-not-offered'])
  }
})

test('neither the log nor any table contains a code, a token, a verifier or the client secret', async () => {
  const { atProvider } = await aPerson()
  const waiting = await startSignIn()
  assert.equal((await signIn(atProvider)).status, 201)
  provider.lies = { claims: { nonce: 'another' } }
  await signIn(atProvider)
  const verifiers = provider.tokenRequests.map(body => new URLSearchParams(body).get('code_verifier') ?? '')
  const secrets = [...provider.issued, ...verifiers, waiting.attempt, settings.openid?.clientSecret ?? '']
  assert.ok(secrets.length > 20 && secrets.every(secret => secret.length > 20))
  const tables = await store.all<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_catalog.pg_tables where schemaname = 'platform'`)
  const places = [lines.join('\n')]
  assert.match(places[0] ?? '', /OAUTH_JWT_CLAIM_COMPARISON_FAILED/, 'the log names the reason')
  for (const { name } of tables) {
    const { rows } = await store.one<{ rows: string | null }>(
      new Sql(`select string_agg(to_jsonb(one)::text, ' ') as rows from ${name} as one`, [])
    )
    places.push(rows ?? '')
  }
  for (const secret of secrets) assert.ok(!places.some(place => place.includes(secret)))
})
