import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { campaign } from '#test/support/services.ts'

const { admin, signIn, store } = await startAdmin()
const [anna, berta, tess, greta, ed, vera] = [
  await signIn('admin'),
  await signIn('admin', 'de'),
  await signIn('treasurer'),
  await signIn('treasurer', 'de'),
  await signIn('editor'),
  await signIn('viewer')
]
await admin.post('/campaigns', campaign)

const iban = 'GB82 WEST 1234 5698 7654 32'
const setSecondPersonRule = async (isOn: boolean) => {
  await store.script('delete from fundraising.account_requests')
  await store.run(sql`update platform.site set second_person_for_accounts = ${isOn}, account = null`)
}
const form = {
  ...{ name: 'New roof', story: '', target: '8000', minimum: '5', presets: '', holder: 'Music School' },
  ...{ iban, bank: '', startDate: '', startTime: '', endDate: '', endTime: '', status: 'open' },
  ...{ image: '', imageUrl: '', imageAlt: '', etag: '' }
}
const toText = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/&nbsp;|\s+/g, ' ')
const findRequest = async () => (await admin.get('/account-requests')).body[0]

test('saving a campaign with another IBAN creates a request for the account and saves all other fields', async () => {
  await setSecondPersonRule(true)
  const { id } = (await admin.post('/campaigns', campaign)).body
  const path = `/admin/campaigns/${id}`
  assert.match(toText((await ed.get(path)).text), /A second person has to confirm another IBAN/)
  const saved = await ed.sendAndFollow(`${path}?lang=en`, { ...form, target: '9000' })
  assert.match(toText(saved.text), /Saved, except for the account/)
  assert.match(toText(saved.text), /The new account GB82 WEST 1234 5698 7654 32 is waiting for a second person/)
  assert.match(toText(saved.text), /Withdraw the request/)
  const { body } = await admin.get(`/campaigns/${id}`)
  assert.deepEqual([body.targetAmount, body.account.iban], [9000, campaign.account.iban])

  const again = await ed.send(`${path}?lang=en`, { ...form, target: '9500' })
  assert.equal(again.status, 422, 'there is already an open request')
  assert.match(toText(again.text), /There is already an open request/)
  assert.equal((await admin.get(`/campaigns/${id}`)).body.targetAmount, 9000, 'nothing was saved')

  const { id: requestId } = await findRequest()
  const page = await ed.get(`/admin/account-requests/${requestId}`)
  assert.match(toText(page.text), /You requested this yourself/)
  assert.doesNotMatch(page.text, /\/confirm"/)
  assert.equal((await ed.send(`/admin/account-requests/${requestId}/confirm`, {})).status, 403)
  const withdrawn = await ed.sendAndFollow(`/admin/account-requests/${requestId}/end`, {})
  assert.match(toText(withdrawn.text), /Request withdrawn/)
  assert.equal(await findRequest(), undefined)
})

test('the dashboard of the second person shows the request; its page has both full IBANs and the requester, and can be confirmed', async () => {
  await setSecondPersonRule(true)
  const { id } = (await admin.post('/campaigns', { ...campaign, name: 'Neues Dach' })).body
  await tess.send(`/admin/campaigns/${id}?lang=en`, { ...form, name: 'Neues Dach' })
  const { id: requestId } = await findRequest()
  const path = `/admin/account-requests/${requestId}`
  assert.match(toText((await greta.get('/admin')).text), /Eine Kontoänderung wartet auf Ihre Bestätigung/)
  for (const other of [tess, ed, vera]) assert.doesNotMatch((await other.get('/admin')).text, /as the second person/)
  assert.equal((await vera.get(path)).status, 403)
  assert.match(toText((await ed.get(path)).text), /A treasurer or an admin has to confirm it/)
  assert.match(toText((await anna.get('/admin/account-requests')).text), /Another account for “Neues Dach”/)

  const requestPage = toText((await greta.get(path)).text)
  assert.match(requestPage, /DE89 3704 0044 0532 0130 00 .*GB82 WEST 1234 5698 7654 32/)
  assert.match(requestPage, /Beantragt von The treasurer of the tests/)
  assert.match(requestPage, /Zeichen für Zeichen/)
  await store.run(sql`update platform.sessions set confirmed_at = now() - interval '20 minutes'`)
  const proof = await greta.send(`${path}/confirm`, {})
  assert.match(proof.text, /Bitte bestätigen Sie Ihr Passwort/)
  assert.equal((await admin.get(`/campaigns/${id}`)).body.account.iban, campaign.account.iban)
  await store.run(sql`update platform.sessions set confirmed_at = now()`)
  const done = await greta.sendAndFollow(`${path}/confirm`, {})
  assert.match(toText(done.text), /Bestätigt: Ab jetzt gilt das neue Konto/)
  assert.equal((await admin.get(`/campaigns/${id}`)).body.account.iban, 'GB82WEST12345698765432')
  assert.equal((await greta.get(path)).status, 404)
  const activity = toText((await anna.get('/admin/activity')).text)
  assert.match(activity, /confirmed a change of the account of Neues Dach/)
  assert.match(activity, /Requested by: The treasurer of the tests/)
})

test('confirming a request is refused if the account was changed since; rejecting it changes nothing', async () => {
  await setSecondPersonRule(true)
  const { id } = (await admin.post('/campaigns', campaign)).body
  await tess.send(`/admin/campaigns/${id}?lang=en`, form)
  const { id: requestId } = await findRequest()
  await store.run(sql`update fundraising.campaigns set account_iban = 'DE75512108001245126199' where id = ${id}`)
  const late = await anna.send(`/admin/account-requests/${requestId}/confirm`, {})
  assert.equal(late.status, 409)
  assert.match(toText(late.text), /its account was changed after the request/)
  const rejected = await anna.sendAndFollow(`/admin/account-requests/${requestId}/end`, {})
  assert.match(toText(rejected.text), /Rejected\. Nothing was changed/)
  assert.match(toText((await berta.get('/admin/activity')).text), /hat eine Änderung des Kontos von .* abgelehnt/)
})

test('a new campaign with an unused IBAN is refused, and the error of the field says what to do', async () => {
  await setSecondPersonRule(true)
  assert.match(toText((await ed.get('/admin/campaigns/new')).text), /begin with an account that is in use already/)
  const other = 'FR14 2004 1010 0505 0001 3M02 606'
  const refused = await ed.send('/admin/campaigns/new?lang=en', { ...form, iban: other })
  assert.equal(refused.status, 422)
  assert.match(toText(refused.text), /Please use an account that is in use already, and change it after saving/)
  const { account } = campaign
  assert.equal((await ed.send('/admin/campaigns/new?lang=en', { ...form, iban: account.iban })).status, 303)
})

test('an admin turns on the second-person rule; another account of the site and turning the rule off need a second person', async () => {
  await setSecondPersonRule(false)
  const settings = {
    ...{ name: 'Lindenhof', contactEmail: '', 'languages[]': ['en', 'de'], defaultLanguage: 'en', timezone: 'UTC' },
    ...{ currency: 'EUR', weekStart: 'monday', logoUrl: '', accent: '' },
    ...{ 'account/name': '', 'account/iban': '', 'account/nameOfBank': '' }
  }
  const on = await anna.sendAndFollow('/admin/settings', { ...settings, secondPersonForAccounts: 'yes' })
  assert.match(on.text, /name="secondPersonForAccounts"[^>]*checked|checked[^>]*name="secondPersonForAccounts"/)
  assert.equal((await admin.get('/site')).body.secondPersonForAccounts, true)

  const account = { 'account/name': 'Music School', 'account/iban': iban, 'account/nameOfBank': '' }
  const requestPage = await anna.sendAndFollow('/admin/settings', { ...settings, ...account, name: 'Lindenhof e. V.' })
  assert.match(toText(requestPage.text), /Saved, except for the change that a second person has to confirm/)
  const { body: site } = await admin.get('/site')
  assert.deepEqual([site.name, site.account, site.secondPersonForAccounts], ['Lindenhof e. V.', null, true])
  const requests = (await admin.get('/account-requests')).body
  assert.deepEqual(
    requests.map(({ change }: { change: string }) => change),
    ['site_account', 'turn_off']
  )
  assert.match(toText((await berta.get('/admin/settings')).text), /wartet auf eine zweite Person/)
  for (const { id } of requests) {
    assert.equal((await tess.send(`/admin/account-requests/${id}/confirm`, {})).headers.location, '/admin')
  }
  const { body: after } = await admin.get('/site')
  assert.deepEqual([after.account.iban, after.secondPersonForAccounts], ['GB82WEST12345698765432', false])
})
