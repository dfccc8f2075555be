// test: full
// A treasurer publishes and sends an update of a campaign, the donor unsubscribes with one click, and a
// visitor sees the update, the thanks page and the benefit concert.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fundraisingEmails } from '#fundraising/emails/templates.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { calendar, event } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const password = 'a treasurer’s long password'

test('a treasurer sends an update, the donor unsubscribes with one click, and a visitor sees update, contact, names and event of the campaign', {
  skip
}, async () => {
  const mailbox = await startMailbox()
  const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'http://give.example.org' }
  const { admin, store, settings, open, origin } = await startSiteAndBrowser({ env })
  // Links in emails have the port of this server.
  settings.publicUrl = origin
  await admin.patch('/site', { name: 'Music School' })
  await admin.patch('/organisation', { confirmationMails: false })
  await admin.post('/users', { name: 'Tina', email: 'tina@example.org', role: 'treasurer', language: 'en', password })
  const account = { iban: 'DE89370400440532013000', name: 'Music School' }
  const { body: campaign } = await admin.post('/campaigns', {
    ...{ name: 'New roof', donationMinimum: 5, targetAmount: 1000, account, language: 'en' }
  })
  const { body: concert } = await admin.post(`${calendar}/events`, {
    ...{ ...event, title: 'Benefit concert', start_date: '2099-05-01 19:00', end_date: '2099-05-01 21:00' }
  })
  const path = `/en/donate/${campaign.id}-new-roof`

  // The donor subscribes to news, without scripts, and the donation is received.
  const donor = await (await open({ width: 390, withoutScripts: true })).newPage()
  await donor.goto(path)
  await donor.getByLabel('Other amount').fill('50')
  await donor.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await donor.getByLabel('Email').fill('ada@example.org')
  assert.equal(await donor.getByLabel('Send me news about this campaign').isChecked(), false)
  await donor.getByLabel('Send me news about this campaign').check()
  await donor.getByLabel('Show my name').check()
  // A form that is sent too fast is refused as spam.
  await donor.waitForTimeout(2500)
  await donor.locator('.donate-button').click()
  await donor.waitForURL(/thanks/)
  const [stored] = (await admin.get(`/campaigns/${campaign.id}/donations`)).body
  await admin.patch(`/campaigns/${campaign.id}/donations/${stored.id}`, { status: 'TRANSFERRED' })

  // The treasurer links the concert, writes an update and sends it.
  const treasurer = await (await open()).newPage()
  await signIn(treasurer)
  await treasurer.goto(`/admin/campaigns/${campaign.id}`)
  await treasurer.getByRole('link', { name: 'Contact and events' }).click()
  await treasurer.getByLabel('Name', { exact: true }).fill('Tina Treasurer')
  await treasurer.getByLabel('Benefit concert').check()
  await treasurer.getByRole('button', { name: 'Save' }).click()
  await treasurer.getByText('Saved.').waitFor()
  await treasurer.getByRole('link', { name: 'Back to the campaign' }).click()
  await treasurer.getByRole('link', { name: 'Updates' }).click()
  await treasurer.getByRole('link', { name: 'New update' }).click()
  await treasurer.getByLabel('Title (English)').fill('The roof is on')
  await treasurer.getByLabel('Published').check()
  await treasurer.getByRole('button', { name: 'Create' }).click()
  await treasurer.getByText('Update created.').waitFor()
  await treasurer.getByText('One donor asked for news').waitFor()
  await treasurer.getByRole('link', { name: 'Send …' }).click()
  await treasurer.getByText('Send “The roof is on” to one donor?').waitFor()
  await treasurer.getByRole('button', { name: 'Send emails' }).click()
  await treasurer.getByText('is being sent to one donor').waitFor()
  await sendDueEmails(store, settings, fundraisingEmails)

  const [email, ...others] = mailbox.received
  assert.deepEqual([email?.to, others.length], [['ada@example.org'], 0])
  const [, link = ''] = /<(.*)>/.exec(email?.headers['list-unsubscribe'] ?? '') ?? []
  await donor.goto(link)
  await donor.getByRole('button', { name: 'Unsubscribe' }).click()
  await donor.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  const { news } = (await admin.get(`/campaigns/${campaign.id}/donations/${stored.id}`)).body
  assert.equal(news.endedBy, 'donor')

  // The visitor, on a phone with a dark colour scheme.
  const phone = await open({ width: 390, dark: true })
  await injectAxe(phone)
  const visitor = await phone.newPage()
  await visitor.goto(path)
  await visitor.getByText('Tina Treasurer').waitFor()
  await visitor.getByRole('link', { name: 'Benefit concert' }).waitFor()
  assert.deepEqual(await findAxeViolations(visitor), [])
  await visitor.getByRole('link', { name: 'The roof is on' }).click()
  await visitor.getByRole('heading', { level: 1, name: 'The roof is on' }).waitFor()
  await visitor.goto(path)
  await visitor.getByRole('link', { name: /All names/ }).click()
  await visitor.getByText('Ada Lovelace').waitFor()
  await visitor.goto(`/en/event/${concert.slug}`)
  await visitor.getByRole('link', { name: 'Donate now: New roof' }).click()
  await visitor.waitForURL(new RegExp(`${path}#donate`))
})

async function signIn(page: Page): Promise<void> {
  await page.goto('/admin')
  await page.getByLabel('Email').fill('tina@example.org')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin$/)
}
