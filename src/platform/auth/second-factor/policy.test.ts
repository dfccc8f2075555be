import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailbox } from '#test/support/mailbox.ts'
import { campaign, startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../../database/sql.ts'
import { sendDueEmails } from '../../email/send.ts'
import { secondFactorEmails } from '../emails/second-factor-emails.ts'
import { computeTotpCode, getTotpStep } from './totp.ts'

const mailbox = await startMailbox()
const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org' }
const { admin, settings, store, visitor, withKey, withRole } = await startCampaignsAndCalendar({ env })
const password = 'correct horse battery'

let count = 0
async function aPerson(role: string, fields: object = {}) {
  count += 1
  const email = `dora${count}@example.org`
  const { body: user } = await admin.post('/users', { name: 'Dora', email, role, password, ...fields })
  const { body } = await visitor.post('/sessions', { email, password })
  return { id: user.id as number, email, client: withKey(body.token) }
}
type Person = Awaited<ReturnType<typeof aPerson>>

async function enrol({ client }: Person): Promise<void> {
  const { body } = await client.post('/users/me/totp', { currentPassword: password })
  const confirmed = await client.post('/users/me/totp/confirm', {
    code: computeTotpCode(body.secret, getTotpStep(new Date()))
  })
  assert.equal(confirmed.status, 200, confirmed.text)
}

const require = async (roles: string[], by = admin) => await by.put('/sign-in-policy', { requireSecondFactor: roles })

test('an admin can require second factors only after setting up an own one', async () => {
  const anna = await aPerson('admin')
  const early = await require(['admin'], anna.client)
  assert.deepEqual([early.status, early.body.code], [409, 'own-factor-missing'])
  const byKey = await require(['admin'])
  assert.deepEqual([byKey.status, byKey.body.code], [409, 'own-factor-missing'])
  assert.deepEqual((await admin.get('/sign-in-policy')).body, { requireSecondFactor: [] })
  await enrol(anna)
  const now = await require(['treasurer', 'admin'], anna.client)
  assert.deepEqual(now.body, { requireSecondFactor: ['treasurer', 'admin'] }, now.text)
  assert.equal((await anna.client.get('/users')).status, 200)
  assert.equal((await require([], anna.client)).status, 200)
})

test('users with a role that requires a second factor can only set it up until they have one', async () => {
  const anna = await aPerson('admin')
  await enrol(anna)
  const [treasurer, editor] = [await aPerson('treasurer'), await aPerson('editor')]
  assert.equal((await treasurer.client.get('/donations')).status, 200)
  await require(['admin', 'treasurer'])
  for (const path of ['/donations', '/campaigns', '/site', '/openapi.json']) {
    const { status, body } = await treasurer.client.get(path)
    assert.deepEqual([status, body.code], [403, 'second-factor-enrolment-required'], path)
  }
  assert.equal((await treasurer.client.post('/campaigns', campaign)).status, 403)
  const german = await treasurer.client.get('/donations', { 'accept-language': 'de' })
  assert.match(german.body.detail, /zweiter Faktor vorgeschrieben/)
  assert.equal((await editor.client.get('/campaigns')).status, 200, 'a role that does not need one')
  assert.equal((await visitor.get('/campaigns')).status, 200)

  const current = await treasurer.client.get('/sessions/current')
  assert.deepEqual([current.status, current.body.secondFactorMissing], [200, true])
  assert.equal((await treasurer.client.get('/users/me')).status, 200)
  assert.equal((await treasurer.client.get('/users/me/factors')).body.required, true)
  await enrol(treasurer)
  assert.equal((await treasurer.client.get('/donations')).status, 200)
  assert.equal((await treasurer.client.get('/sessions/current')).body.secondFactorMissing, false)

  await treasurer.client.post('/users/me/totp/remove', { currentPassword: password })
  assert.equal((await treasurer.client.get('/donations')).status, 403, 'removed again')
  await require([])
  assert.equal((await treasurer.client.get('/donations')).status, 200)
})

test('the second-factor policy does not affect API keys', async () => {
  const anna = await aPerson('admin')
  await enrol(anna)
  const key = await withRole('treasurer')
  await require(['admin', 'treasurer'])
  assert.equal((await key.get('/donations')).status, 200)
  assert.equal((await admin.get('/users')).status, 200)
  await require([])
})

test('an admin removes the second factors of a user, who gets an email; it is recorded', async () => {
  const berta = await aPerson('treasurer', { language: 'de', name: 'Berta' })
  await enrol(berta)
  assert.equal((await admin.get(`/users/${berta.id}/factors`)).body.recoveryCodesLeft, 10)
  assert.equal((await visitor.post('/sessions', { email: berta.email, password })).status, 401)
  assert.equal((await admin.delete(`/users/${berta.id}/factors`)).status, 204)
  assert.equal((await admin.delete(`/users/${berta.id}/factors`)).status, 204, 'nothing is left to remove')
  assert.equal((await visitor.post('/sessions', { email: berta.email, password })).status, 201)
  const { rows } = await store.one<{ rows: number }>(sql`
    select count(*) as rows from platform.recovery_codes where user_id = ${berta.id}`)
  assert.equal(rows, 0)
  const { body } = await admin.get(`/activity?subject=user&subjectId=${berta.id}`)
  assert.equal(body.filter(({ action }: { action: string }) => action === 'user.factors_removed').length, 1)
  await sendDueEmails(store, settings, secondFactorEmails)
  const letter = mailbox.received.find(({ text }) => text.includes('zweiten Faktor Ihres Zugangs entfernt'))
  assert.ok(letter !== undefined)
  assert.equal((await admin.delete('/users/999999/factors')).status, 404)
})

test('an unknown role is refused with its position, and a stale change with 412', async () => {
  const wrong = await require(['boss'])
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/requireSecondFactor/0'])
  const stale = await admin.put('/sign-in-policy', { requireSecondFactor: [] }, { 'if-match': '"0"' })
  assert.equal(stale.status, 412)
})
