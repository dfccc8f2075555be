// test: both stores
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/fast-passwords.ts'
import { sql } from '#platform/database/sql.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { type Client, campaign, startCampaigns } from '#test/support/services.ts'
import { fundraisingEmails } from '../emails/templates.ts'
import { endExpiredRequests } from './account-request.ts'

const mailbox = await startMailbox()
const { admin, visitor, store, settings, withKey, withRole, aCampaign } = await startCampaigns({
  env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
})

const password = 'correct horse battery staple'
const currentIban = campaign.account.iban
const newIban = 'GB82WEST12345698765432'

let count = 0
async function createUser(name: string, role: string, fields: object = {}) {
  count += 1
  const email = `${name.toLowerCase()}${count}@example.org`
  const created = await admin.post('/users', { name, email, role, password, language: 'en', ...fields })
  assert.equal(created.status, 201, created.text)
  const { body } = await visitor.post('/sessions', { email, password })
  return { id: created.body.id as number, email, client: withKey(body.token) }
}
const [anna, berta, tom, ed] = [
  await createUser('Anna', 'admin'),
  await createUser('Berta', 'admin', { language: 'de' }),
  await createUser('Tom', 'treasurer'),
  await createUser('Ed', 'editor')
]

// From now on the account of this campaign is in use.
await aCampaign()

const setSecondPersonRule = async (isOn: boolean) =>
  await store.run(sql`update platform.site set second_person_for_accounts = ${isOn}, account = null`)
const request = async (by: Client, campaignId: number, iban = newIban, fields: object = {}) =>
  await by.post('/account-requests', { change: 'campaign_account', campaignId, account: { iban, ...fields } })
const readIban = async (id: number) => (await visitor.get(`/campaigns/${id}`)).body.account.iban
const toStatusAndCode = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const readLastActivity = async () => (await admin.get('/activity?limit=1')).body[0]

beforeEach(async () => {
  await store.script('delete from fundraising.account_requests')
  await setSecondPersonRule(true)
})

test('while account changes need a second person, one person can change neither an IBAN nor the rule, but everything else', async () => {
  const { id } = await aCampaign({ name: 'New roof' })
  await setSecondPersonRule(false)
  await admin.patch('/site', { account: campaign.account })
  await store.run(sql`update platform.site set second_person_for_accounts = true`)
  const before = await readLastActivity()
  for (const client of [anna.client, admin]) {
    for (const refused of [
      await client.patch(`/campaigns/${id}`, { targetAmount: 7, account: { iban: newIban } }),
      await client.put(`/campaigns/${id}`, { ...campaign, account: { ...campaign.account, iban: newIban } }),
      await client.patch('/site', { name: 'Other', account: { ...campaign.account, iban: newIban } })
    ]) {
      assert.deepEqual(toStatusAndCode(refused), [409, 'second-person-needed'])
      assert.match(refused.body.detail, /POST \/account-requests/)
      assert.equal(refused.body.errors[0].pointer, '/account/iban')
    }
    const off = await client.patch('/site', { secondPersonForAccounts: false })
    assert.deepEqual(toStatusAndCode(off), [409, 'second-person-needed'])
    assert.equal(off.body.errors[0].pointer, '/secondPersonForAccounts')
  }
  const german = await tom.client.patch(`/campaigns/${id}`, { account: { iban: newIban } }, { 'accept-language': 'de' })
  assert.match(german.body.detail, /zweite Person/)
  assert.deepEqual(await readLastActivity(), before)
  assert.equal(await readIban(id), currentIban)

  const same = { ...campaign.account, iban: currentIban.replace(/(.{4})/g, '$1 ').toLowerCase(), name: 'Choir' }
  assert.equal((await ed.client.patch(`/campaigns/${id}`, { targetAmount: 7, account: same })).status, 200)
  assert.equal((await admin.patch('/site', { account: { ...campaign.account, name: 'Choir' } })).status, 200)
  assert.equal(
    (await admin.patch('/site', { account: null })).status,
    200,
    'removing the account needs no second person'
  )
  assert.equal(
    (await admin.patch('/site', { account: campaign.account })).status,
    409,
    'setting it again needs a second person'
  )
})

test('a new campaign needs an IBAN that the site or a campaign that is not deleted already uses', async () => {
  const first = await aCampaign()
  const other = { ...campaign, account: { ...campaign.account, iban: 'FR1420041010050500013M02606' } }
  assert.equal((await ed.client.post('/campaigns', campaign)).status, 201)
  const refused = await ed.client.post('/campaigns', other)
  assert.deepEqual(toStatusAndCode(refused), [409, 'second-person-needed'])
  assert.match(refused.body.detail, /in use already/)
  await setSecondPersonRule(false)
  const { id } = (await admin.post('/campaigns', other)).body
  await setSecondPersonRule(true)
  assert.equal((await ed.client.post('/campaigns', other)).status, 201)
  await store.run(sql`update fundraising.campaigns set deleted_at = now() where account_iban = ${other.account.iban}`)
  assert.equal((await ed.client.post('/campaigns', other)).status, 409)
  assert.equal((await admin.post(`/campaigns/${id}/restore`)).status, 200, 'a restored campaign keeps its account')
  await admin.delete(`/campaigns/${id}`)
  await store.run(sql`
    update platform.site set account = ${JSON.stringify({ ...other.account, nameOfBank: '' })}::jsonb`)
  assert.equal((await ed.client.post('/campaigns', other)).status, 201)
  assert.ok(first.id > 0)
})

test('a change that one user requests and another confirms is made once, and the activity log names both', async () => {
  const { id } = await aCampaign({ name: 'New roof' })
  const created = await request(ed.client, id, 'gb82 west 1234 5698 7654 32', { name: 'Parents', nameOfBank: 'West' })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.headers.location?.endsWith(`/account-requests/${created.body.id}`), true)
  const { askedAt, expiresAt, id: requestId, ...shown } = created.body
  assert.deepEqual(shown, {
    ...{ change: 'campaign_account', campaignId: id, campaignName: 'New roof', ibanBefore: currentIban },
    account: { iban: newIban, name: 'Parents', nameOfBank: 'West', ibanValid: true },
    ...{ askedBy: `user ${ed.id} (Ed)`, isOwn: true, canConfirm: false }
  })
  assert.equal(Date.parse(expiresAt) - Date.parse(askedAt), 14 * 86_400_000)
  const requestActivity = await readLastActivity()
  assert.deepEqual([requestActivity.action, requestActivity.subjectId], ['account_request.created', String(requestId)])
  assert.deepEqual(
    [requestActivity.details.accountBefore, requestActivity.details.accountAfter],
    ['DE89…3000', 'GB82…5432']
  )
  assert.equal(await readIban(id), currentIban)

  const [listed] = (await tom.client.get('/account-requests')).body
  assert.deepEqual([listed.id, listed.isOwn, listed.canConfirm], [requestId, false, true])
  assert.deepEqual((await tom.client.get(`/account-requests/${requestId}`)).body, listed)
  assert.equal((await admin.get(`/account-requests/${requestId}`)).body.canConfirm, false, 'an API key cannot confirm')

  const responses = await Promise.all(
    [tom, berta].map(async ({ client }) => await client.post(`/account-requests/${requestId}/confirm`))
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 404])
  const { account } = (await visitor.get(`/campaigns/${id}`)).body
  assert.deepEqual(account, { iban: newIban, name: 'Parents', nameOfBank: 'West', ibanValid: true })
  const changes = (await admin.get(`/activity?action=campaign.account_changed&subjectId=${id}`)).body
  assert.equal(changes.length, 1)
  assert.match(changes[0].actor, /\((?:Tom|Berta)\)/)
  assert.equal(changes[0].details.askedBy, `user ${ed.id} (Ed)`)
  const [change] = (await ed.client.get(`/account-changes?campaignId=${id}`)).body
  assert.deepEqual([change.actor, change.askedBy], [changes[0].actor, `user ${ed.id} (Ed)`])
  assert.equal((await admin.get(`/activity?action=account_request.confirmed&subjectId=${requestId}`)).body.length, 1)
  assert.deepEqual((await ed.client.get('/account-requests')).body, [])
  const rows = await store.all<{ text: string }>(sql`select details::text as text from platform.activity`)
  for (const { text } of rows) assert.doesNotMatch(text, /WEST1234|37040044/)
})

test('a user cannot confirm a request of their own or of their API key, and no API key can confirm a request', async () => {
  const { id } = await aCampaign()
  const key = withKey((await anna.client.post('/keys', { name: 'of Anna', role: 'editor' })).body.key)
  const { body } = await request(key, id)
  const path = `/account-requests/${body.id}`
  assert.deepEqual(toStatusAndCode(await anna.client.post(`${path}/confirm`)), [403, 'own-account-request'])
  assert.equal(
    (await anna.client.get(path)).body.isOwn,
    true,
    'a request of an API key belongs to the user who created the key'
  )
  for (const client of [admin, await withRole('treasurer'), await withRole('admin')]) {
    const refused = await client.post(`${path}/confirm`)
    assert.deepEqual(toStatusAndCode(refused), [403, 'person-needed'])
    assert.equal((await client.post('/account-requests/999999/confirm')).status, 403, 'an unknown request')
  }
  assert.deepEqual(toStatusAndCode(await ed.client.post(`${path}/confirm`)), [403, 'forbidden'])
  assert.equal((await visitor.post(`${path}/confirm`)).status, 401)
  assert.equal(await readIban(id), currentIban)
  assert.equal((await tom.client.post(`${path}/confirm`)).status, 204)
  assert.equal(await readIban(id), newIban)

  const byServer = await request(admin, (await aCampaign()).id)
  assert.equal((await anna.client.post(`/account-requests/${byServer.body.id}/confirm`)).status, 204)
})

test('requesting and confirming a change need a recent confirmation of the password', async () => {
  const { id } = await aCampaign()
  const { body } = await request(anna.client, id)
  const dora = await createUser('Dora', 'treasurer')
  await store.run(sql`
    update platform.sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${dora.id}`)
  const path = `/account-requests/${body.id}/confirm`
  assert.deepEqual(toStatusAndCode(await dora.client.post(path)), [403, 'confirmation-needed'])
  const other = await aCampaign()
  assert.deepEqual(toStatusAndCode(await request(dora.client, other.id)), [403, 'confirmation-needed'])
  assert.equal(await readIban(id), currentIban)
  assert.equal((await dora.client.post('/sessions/current/confirm', { password })).status, 200)
  assert.equal((await dora.client.post(path)).status, 204)
})

test('the requester can withdraw a request, treasurers can reject it, and editors cannot reject requests of other users', async () => {
  const { id } = await aCampaign()
  const first = (await request(anna.client, id)).body.id
  assert.deepEqual(toStatusAndCode(await ed.client.delete(`/account-requests/${first}`)), [403, 'forbidden'])
  assert.equal((await tom.client.delete(`/account-requests/${first}`)).status, 204)
  assert.deepEqual(
    [(await readLastActivity()).action, (await readLastActivity()).actor],
    ['account_request.rejected', `user ${tom.id} (Tom)`]
  )
  const second = (await request(ed.client, id)).body.id
  assert.equal((await ed.client.delete(`/account-requests/${second}`, { 'if-match': '"7"' })).status, 412)
  assert.equal((await ed.client.delete(`/account-requests/${second}`)).status, 204)
  assert.equal((await readLastActivity()).action, 'account_request.withdrawn')
  assert.equal((await ed.client.delete(`/account-requests/${second}`)).status, 404)
  assert.equal((await tom.client.post(`/account-requests/${second}/confirm`)).status, 404)
  assert.equal(await readIban(id), currentIban)
})

test('an account has one open request at a time', async () => {
  const { id } = await aCampaign()
  const both = await Promise.all([request(anna.client, id), request(ed.client, id, 'DE75512108001245126199')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  const again = await request(anna.client, id)
  assert.deepEqual(toStatusAndCode(again), [409, 'account-request-open'])
  assert.match(again.body.detail, /Anna|Ed/)
  assert.equal((await request(anna.client, (await aCampaign()).id)).status, 201, 'another campaign has its own request')
})

test('a request is not confirmed if the account was changed or the campaign deleted in the meantime', async () => {
  const [changed, deleted] = [await aCampaign(), await aCampaign()]
  const requests = [(await request(anna.client, changed.id)).body.id, (await request(anna.client, deleted.id)).body.id]
  await setSecondPersonRule(false)
  await admin.patch(`/campaigns/${changed.id}`, { account: { iban: 'DE75512108001245126199' } })
  await admin.delete(`/campaigns/${deleted.id}`)
  await setSecondPersonRule(true)
  for (const one of requests) {
    assert.deepEqual(toStatusAndCode(await tom.client.post(`/account-requests/${one}/confirm`)), [
      409,
      'account-request-outdated'
    ])
    assert.equal((await tom.client.delete(`/account-requests/${one}`)).status, 204)
  }
  assert.equal(await readIban(changed.id), 'DE75512108001245126199')
  assert.deepEqual(toStatusAndCode(await request(anna.client, deleted.id)), [404, 'campaign-not-found'])
})

test('a request ends when it expires or its requester is deleted; this is recorded, and a new request is possible', async () => {
  const deletedUser = await createUser('Lea', 'editor')
  const [one, other] = [await aCampaign(), await aCampaign()]
  const expired = (await request(ed.client, one.id)).body.id
  const ofDeletedUser = (await request(deletedUser.client, other.id)).body.id
  await store.run(
    sql`update fundraising.account_requests set expires_at = now() - interval '1 second' where id = ${expired}`
  )
  await admin.delete(`/users/${deletedUser.id}`)
  assert.deepEqual((await tom.client.get('/account-requests')).body, [])
  for (const id of [expired, ofDeletedUser]) {
    assert.equal((await tom.client.get(`/account-requests/${id}`)).status, 404)
    assert.equal((await tom.client.post(`/account-requests/${id}/confirm`)).status, 404)
    assert.equal((await tom.client.delete(`/account-requests/${id}`)).status, 404)
  }
  assert.equal((await request(ed.client, one.id)).status, 201)
  await endExpiredRequests(store)
  await endExpiredRequests(store)
  const ended = (await admin.get('/activity?action=account_request.expired')).body
  assert.deepEqual(
    ended.map(({ subjectId }: { subjectId: string }) => Number(subjectId)).sort(),
    [expired, ofDeletedUser].sort()
  )
  assert.equal((await tom.client.get('/account-requests')).body.length, 1)
  assert.equal(await readIban(other.id), currentIban)
})

test('changing the account of the site or turning the rule off is requested by an admin and confirmed by a second person', async () => {
  const account = { iban: 'DE75 5121 0800 1245 1261 99', name: 'Music School' }
  assert.deepEqual(toStatusAndCode(await tom.client.post('/account-requests', { change: 'site_account', account })), [
    403,
    'forbidden'
  ])
  assert.equal((await ed.client.post('/account-requests', { change: 'turn_off' })).status, 403)
  const first = await anna.client.post('/account-requests', { change: 'site_account', account })
  assert.equal(first.status, 201, first.text)
  assert.deepEqual([first.body.campaignId, first.body.ibanBefore], [null, null])
  assert.equal((await tom.client.post(`/account-requests/${first.body.id}/confirm`)).status, 204)
  assert.equal((await admin.get('/site')).body.account.iban, 'DE75512108001245126199')
  const [changed] = (await admin.get('/activity?action=site.account_changed')).body
  assert.deepEqual([changed.actor, changed.details.askedBy], [`user ${tom.id} (Tom)`, `user ${anna.id} (Anna)`])

  const iban = newIban
  const second = await anna.client.post('/account-requests', { change: 'site_account', account: { iban } })
  await store.run(sql`update platform.site set account = account || '{"iban": "NL91ABNA0417164300"}'`)
  assert.equal((await berta.client.post(`/account-requests/${second.body.id}/confirm`)).status, 409)

  const off = await anna.client.post('/account-requests', { change: 'turn_off' })
  assert.deepEqual([off.status, off.body.account], [201, null], off.text)
  assert.equal((await anna.client.post(`/account-requests/${off.body.id}/confirm`)).status, 403)
  assert.equal((await admin.get('/site')).body.secondPersonForAccounts, true)
  assert.equal((await tom.client.post(`/account-requests/${off.body.id}/confirm`)).status, 204)
  assert.equal((await admin.get('/site')).body.secondPersonForAccounts, false)
  assert.deepEqual(toStatusAndCode(await anna.client.post('/account-requests', { change: 'turn_off' })), [
    409,
    'second-person-is-off'
  ])
})

test('an admin can turn the rule on if at least two users can confirm requests', async () => {
  await setSecondPersonRule(false)
  assert.equal((await tom.client.patch('/site', { secondPersonForAccounts: true })).status, 403)
  const on = await anna.client.patch('/site', { secondPersonForAccounts: true })
  assert.deepEqual([on.status, on.body.secondPersonForAccounts], [200, true], on.text)
  assert.deepEqual((await readLastActivity()).details.fields, ['secondPersonForAccounts'])
  assert.equal((await ed.client.get('/site')).body.secondPersonForAccounts, true)
  assert.ok(!('secondPersonForAccounts' in (await visitor.get('/site')).body))

  const smallSite = await startCampaigns()
  const withoutUsers = await smallSite.admin.patch('/site', { secondPersonForAccounts: true })
  assert.deepEqual(toStatusAndCode(withoutUsers), [409, 'too-few-people'])
  const person = { name: 'Ida', role: 'treasurer', password }
  await smallSite.admin.post('/users', { ...person, email: 'ida@example.org' })
  await smallSite.admin.post('/users', { ...person, email: 'ed@example.org', role: 'editor' })
  assert.equal(
    (await smallSite.admin.patch('/site', { secondPersonForAccounts: true })).status,
    409,
    'editors cannot confirm'
  )
  await smallSite.admin.post('/users', { ...person, email: 'kai@example.org', role: 'admin' })
  assert.equal((await smallSite.admin.patch('/site', { secondPersonForAccounts: true })).status, 200)
})

test('an invalid request is refused with its field, and changes nothing', async () => {
  const { id } = await aCampaign()
  const account = { iban: newIban }
  const bad: [fields: object, status: number, pointer: string | undefined][] = [
    [{ change: 'campaign_account', account }, 422, '/campaignId'],
    [{ change: 'campaign_account', campaignId: id }, 422, '/account'],
    [{ change: 'site_account', campaignId: id, account }, 422, '/campaignId'],
    [{ change: 'site_account' }, 422, '/account'],
    [{ change: 'site_account', account }, 422, '/account/name'],
    [{ change: 'site_account', account: { iban: 'DE00370400440532013000', name: 'X' } }, 422, '/account/iban'],
    [{ change: 'turn_off', account }, 422, '/account'],
    [{ change: 'campaign_account', campaignId: id, account: { iban: 'no account' } }, 400, '/account/iban'],
    [{ change: 'everything' }, 400, '/change'],
    [{ change: 'campaign_account', campaignId: id, account: { iban: currentIban } }, 409, undefined],
    [{ change: 'campaign_account', campaignId: 999_999, account }, 404, undefined]
  ]
  for (const [fields, status, pointer] of bad) {
    const refused = await anna.client.post('/account-requests', fields)
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [status, pointer], refused.text)
  }
  assert.deepEqual((await anna.client.get('/account-requests')).body, [])
  const wrong = await request(anna.client, id, 'DE00370400440532013000')
  assert.equal(wrong.body.account.ibanValid, false, 'wrong check digits are accepted and reported, as in campaigns')
})

test('users who can confirm a request get an email in their language with masked IBANs and a link; the requester and editors get none', async () => {
  await store.script('delete from platform.outbox')
  mailbox.received.length = 0
  const { id } = await aCampaign({ name: 'Neues Dach' })
  const { body } = await request(anna.client, id)
  await sendDueEmails(store, settings, fundraisingEmails)
  await sendDueEmails(store, settings, fundraisingEmails)
  const recipients = mailbox.received.flatMap(({ to }) => to)
  assert.ok(recipients.includes(berta.email) && recipients.includes(tom.email))
  assert.ok(!recipients.includes(anna.email) && !recipients.includes(ed.email))
  assert.equal(new Set(recipients).size, recipients.length)
  const emailToBerta = mailbox.received.find(({ to }) => to.includes(berta.email))
  assert.equal(emailToBerta?.headers.subject, 'Bitte bestätigen: anderes Konto für „Neues Dach“')
  assert.match(emailToBerta?.text ?? '', /Beantragt am .* durch Anna/)
  for (const { text } of mailbox.received) {
    assert.match(text, /DE89…3000[\s\S]*GB82…5432/)
    assert.ok(text.includes(`https://give.example.org/admin/account-requests/${body.id}`))
    assert.doesNotMatch(text, /37040044|WEST1234/)
  }
  await tom.client.post(`/account-requests/${body.id}/confirm`)
  mailbox.received.length = 0
  await sendDueEmails(store, settings, fundraisingEmails)
  const emailToAnna = mailbox.received.find(({ to }) => to.includes(anna.email))
  assert.match(emailToAnna?.text ?? '', /Requested by Anna, confirmed on .* by Tom/)

  const withdrawn = await request(anna.client, (await aCampaign()).id)
  await anna.client.delete(`/account-requests/${withdrawn.body.id}`)
  mailbox.received.length = 0
  await sendDueEmails(store, settings, fundraisingEmails)
  assert.deepEqual(mailbox.received, [], 'no email about a withdrawn request')
})

test('a request that is sent twice with the same Idempotency-Key is created once', async () => {
  const { id } = await aCampaign()
  const fields = { change: 'campaign_account', campaignId: id, account: { iban: newIban } }
  const headers = { 'idempotency-key': 'the-same-request-of-the-tests' }
  const [one, other] = [
    await anna.client.post('/account-requests', fields, headers),
    await anna.client.post('/account-requests', fields, headers)
  ]
  assert.deepEqual([one.status, other.status, other.body.id], [201, 201, one.body.id])
})
