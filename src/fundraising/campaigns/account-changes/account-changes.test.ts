// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueEmails } from '#platform/email/send.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { campaign, startCampaigns } from '#test/support/services.ts'
import { fundraisingEmails } from '../../emails/templates.ts'

const mailbox = await startMailbox()
const { admin, visitor, store, settings, withRole, aCampaign } = await startCampaigns({
  env: { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
})
const [editor, treasurer, viewer] = await Promise.all([withRole('editor'), withRole('treasurer'), withRole('viewer')])
const newAccount = { ...campaign.account, iban: 'GB82WEST12345698765432' }
const password = 'correct horse battery staple'

test('a change of the IBAN of a campaign is emailed to the contact address of the site and to every admin, in their language, with masked IBANs', async () => {
  await admin.patch('/site', { contactEmail: 'office@example.org' })
  for (const [email, role, language] of [
    ['anna@example.org', 'admin', 'de'],
    ['tom@example.org', 'admin', 'en'],
    ['kim@example.org', 'treasurer', 'en']
  ]) {
    const created = await admin.post('/users', { name: email, email, role, language, password })
    assert.equal(created.status, 201, created.text)
  }
  const { id } = await aCampaign({ name: 'Neues Dach' })
  const saved = await editor.patch(`/campaigns/${id}`, { account: { iban: newAccount.iban } })
  assert.equal(saved.status, 200)
  // A different account holder, or any other change, is not a change of the account.
  await editor.put(`/campaigns/${id}`, { ...campaign, targetAmount: 1, account: { ...newAccount, name: 'Choir' } })

  await sendDueEmails(store, settings, fundraisingEmails)
  await sendDueEmails(store, settings, fundraisingEmails)
  assert.deepEqual(mailbox.received.flatMap(({ to }) => to).sort(), [
    'anna@example.org',
    'office@example.org',
    'tom@example.org'
  ])
  const findEmailTo = (address: string) => mailbox.received.find(({ to }) => to.includes(address))
  assert.equal(findEmailTo('anna@example.org')?.headers.subject, 'Das Konto von „Neues Dach“ wurde geändert')
  assert.equal(findEmailTo('tom@example.org')?.headers.subject, 'The account of “Neues Dach” was changed')
  for (const { text } of mailbox.received) {
    assert.match(text, /DE89…3000[\s\S]*GB82…5432/)
    assert.match(text, /the tests' editor/)
    assert.match(text, new RegExp(`https://give\\.example\\.org/admin/campaigns/${id}\\b`))
    assert.doesNotMatch(text, /37040044|WEST1234/)
  }
})

test('editors and treasurers see which accounts were changed and by whom, newest first', async () => {
  const { id } = await aCampaign({ name: 'Second' })
  await treasurer.put(`/campaigns/${id}`, { ...campaign, name: 'Second', account: newAccount })
  await admin.put(`/campaigns/${id}`, { ...campaign, name: 'Second' })
  const { status, body } = await editor.get(`/account-changes?campaignId=${id}`)
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ at: _, ...change }: { at: string }) => change),
    [
      {
        ...{ actor: 'ADMIN_KEY', campaignId: id, campaignName: 'Second' },
        before: 'GB82…5432',
        after: 'DE89…3000',
        askedBy: null
      },
      {
        ...{ actor: body[1].actor, campaignId: id, campaignName: 'Second' },
        ...{ before: 'DE89…3000', after: 'GB82…5432', askedBy: null }
      }
    ]
  )
  assert.match(body[1].actor, /treasurer/)

  await admin.patch('/site', { account: campaign.account })
  await admin.patch('/site', { account: { ...campaign.account, name: 'Another holder' } })
  const all = (await treasurer.get('/account-changes?limit=1')).body
  assert.deepEqual(
    all.map(({ campaignId, before, after }: Record<string, unknown>) => [campaignId, before, after]),
    [[null, null, 'DE89…3000']]
  )
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  assert.deepEqual((await editor.get(`/account-changes?since=${tomorrow}`)).body, [])
  assert.deepEqual((await editor.get('/account-changes?campaignId=999999')).body, [])
  assert.equal((await visitor.get('/account-changes')).status, 401)
  assert.equal((await viewer.get('/account-changes')).status, 403)
  for (const bad of ['since=yesterday', 'campaignId=0', 'limit=101', 'limit=x']) {
    assert.equal((await editor.get(`/account-changes?${bad}`)).status, 400, bad)
  }
})
