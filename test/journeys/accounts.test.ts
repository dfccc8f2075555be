// test: full
// Invitations, sessions and password resets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '#platform/database/sql.ts'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { campaign } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'
const newPassword = 'chosen by the person'

async function signIn(page: Page, name: string, role: string, language = 'en'): Promise<string> {
  const email = `${name.toLowerCase()}@example.org`
  await site?.admin.post('/users', { name, email, role, language, password })
  await page.goto('/admin')
  await enterCredentials(page, email, password)
  await page.getByRole('heading', { level: 1, name: /Dashboard|Übersicht/ }).waitFor()
  return email
}

async function enterCredentials(page: Page, email: string, secret: string): Promise<void> {
  await page.getByRole('textbox', { name: /Email|E-Mail/ }).fill(email)
  await page.getByLabel(/^(Password|Passwort)/).fill(secret)
  await page.getByRole('button', { name: /^(Sign in|Anmelden)/ }).click()
}

/** Takes screenshots if TEST_PICTURES names a folder. */
async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('an invited user opens the link, chooses a password and is signed in, without email and scripts', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const office = await (await site.open({ withoutScripts: true })).newPage()
  await signIn(office, 'Anna', 'admin')
  await office.goto('/admin/users')
  await office.getByRole('link', { name: 'Invite a user' }).click()
  await takeScreenshot(office, 'invite')
  await office.getByRole('textbox', { name: 'Name' }).fill('Friederike Oberländer')
  await office.getByLabel('Email address').fill('friederike@example.org')
  await office.getByRole('radio', { name: /Treasurer/ }).check()
  await office.getByLabel('Language of the console').selectOption('de')
  await office.getByRole('button', { name: 'Create invitation' }).click()
  const link = (await office.locator('#link').textContent()) ?? ''
  await takeScreenshot(office, 'link')
  await office.getByRole('link', { name: 'I have copied it' }).click()
  await office.getByRole('heading', { name: 'Open invitations' }).waitFor()
  await takeScreenshot(office, 'users')

  const context = await site.open({ language: 'de', width: 390, withoutScripts: true, dark: true })
  const phone = await context.newPage()
  await phone.goto(link)
  await phone.getByText('Guten Tag Friederike Oberländer').waitFor()
  await takeScreenshot(phone, 'invitation')
  await phone.getByLabel('Passwort wählen').fill(newPassword)
  await phone.getByRole('button', { name: 'Zugang anlegen' }).click()
  await phone.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
  await phone.goto(link)
  await phone.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor()
  await takeScreenshot(phone, 'ended')
  await office.context().close()
  await context.close()
})

test('an admin creates a password reset link, and the user sets a new password with it and signs in', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const userPage = await (await site.open({ width: 390 })).newPage()
  const email = await signIn(userPage, 'Karl', 'editor')
  const office = await (await site.open()).newPage()
  await signIn(office, 'Berta', 'admin')
  await office.goto('/admin/users')
  await office.getByRole('link', { name: 'Karl' }).click()
  await takeScreenshot(office, 'person')
  await office.getByRole('button', { name: 'Create a password reset link' }).click()
  const link = (await office.locator('#link').textContent()) ?? ''

  await userPage.context().clearCookies()
  await userPage.goto('/admin')
  await userPage.getByRole('link', { name: 'Forgot your password?' }).click()
  await userPage.getByText('Ask an admin for a password reset link').waitFor()
  await takeScreenshot(userPage, 'forgotten')
  await userPage.goto(link)
  await takeScreenshot(userPage, 'reset')
  await userPage.getByLabel('New password').fill(newPassword)
  await userPage.getByRole('button', { name: 'Save the new password' }).click()
  await userPage.getByText('Your new password has been saved').waitFor()
  await enterCredentials(userPage, email, newPassword)
  await userPage.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await office.context().close()
  await userPage.context().close()
})

test('a user sees all own sessions and signs out everywhere else', { skip }, async () => {
  assert.ok(site !== undefined)
  const page = await (await site.open({ width: 390, dark: true })).newPage()
  const email = await signIn(page, 'Dora', 'viewer', 'de')
  const otherBrowser = await (await site.open()).newPage()
  await otherBrowser.goto('/admin')
  await enterCredentials(otherBrowser, email, password)
  await otherBrowser.getByRole('heading', { level: 1 }).waitFor()
  await page.goto('/admin/account')
  await page.getByRole('heading', { name: 'Wo Sie angemeldet sind' }).waitFor()
  assert.equal(await page.getByText('Chrome unter Linux').first().isVisible(), true)
  await takeScreenshot(page, 'sessions')
  await page.getByRole('button', { name: 'Überall sonst abmelden' }).click()
  await page.getByText('Sie sind überall sonst abgemeldet.').waitFor()
  await otherBrowser.goto('/admin/account')
  assert.match(otherBrowser.url(), /\/admin\/sign-in/)
  await page.context().close()
  await otherBrowser.context().close()
})

test('a treasurer who changes the account of a campaign 16 minutes after signing in confirms the password, and the change is saved', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { id } = (await site.admin.post('/campaigns', { ...campaign, name: 'Neues Dach' })).body
  const page = await (await site.open()).newPage()
  await signIn(page, 'Emil', 'treasurer')
  await site.store.run(sql`update platform.sessions set confirmed_at = now() - interval '16 minutes'`)
  await page.goto(`/admin/campaigns/${id}`)
  await page.getByLabel('IBAN').fill('GB82 WEST 1234 5698 7654 32')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Please confirm your password' }).waitFor()
  await takeScreenshot(page, 'confirm')
  assert.equal((await site.admin.get(`/campaigns/${id}`)).body.account.iban, campaign.account.iban)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Confirm and continue' }).click()
  await page.waitForURL(/\/admin\/campaigns/)
  await page.getByRole('status').first().waitFor()
  assert.equal((await site.admin.get(`/campaigns/${id}`)).body.account.iban, 'GB82WEST12345698765432')
  await page.context().close()
})

test('a form that is sent after the session has expired is kept, and sent after signing in again', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const page = await (await site.open({ language: 'de', width: 390 })).newPage()
  const email = await signIn(page, 'Frida', 'editor', 'de')
  await page.goto('/admin/venues/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Gemeindehaus „Zur Linde“ & Garten')
  await site.store.run(sql`
    delete from platform.sessions where user_id in (select id from platform.users where email = ${email})`)
  await page.locator('main form button[type=submit]').first().click()
  await page.getByRole('heading', { level: 1, name: 'Bitte melden Sie sich noch einmal an' }).waitFor()
  await takeScreenshot(page, 'expired')
  await enterCredentials(page, email, password)
  await page.getByRole('heading', { level: 1, name: 'Weiter, wo Sie aufgehört haben' }).waitFor()
  await takeScreenshot(page, 'resume')
  await page.getByRole('button', { name: 'Jetzt absenden' }).click()
  await page.getByRole('status').first().waitFor()
  const { venues } = (await site.admin.get('/calendar/events/v1/venues?per_page=50')).body
  assert.ok(venues.some(({ venue }: { venue: string }) => /Zur Linde.*Garten/.test(venue)))
  await page.context().close()
})

test('an admin requests another account and cannot confirm it; a treasurer confirms password and request, without scripts', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { id } = (await site.admin.post('/campaigns', { ...campaign, name: 'Neues Klavier' })).body
  const office = await (await site.open({ withoutScripts: true })).newPage()
  await signIn(office, 'Annegret', 'admin')
  const phone = await (await site.open({ language: 'de', width: 390, withoutScripts: true })).newPage()
  await signIn(phone, 'Bertha', 'treasurer', 'de')

  await office.goto('/admin/settings')
  await office.getByLabel('A second person confirms another IBAN').check()
  await takeScreenshot(office, 'second-person-setting')
  await office.getByRole('button', { name: 'Save', exact: true }).click()
  await office.getByRole('status').first().waitFor()

  await office.goto(`/admin/campaigns/${id}`)
  await office.getByLabel('IBAN').fill('GB82 WEST 1234 5698 7654 32')
  await office.getByRole('button', { name: 'Save', exact: true }).first().click()
  await office.getByText('Saved, except for the account').waitFor()
  await office.getByText('is waiting for a second person. Requested by Annegret').waitFor()
  await takeScreenshot(office, 'second-person-waiting')
  await office.getByRole('link', { name: 'Withdraw the request' }).click()
  await office.getByText('You requested this yourself').waitFor()
  assert.equal(await office.getByRole('button', { name: 'Confirm' }).count(), 0)
  assert.equal(await office.getByRole('button', { name: 'Withdraw' }).count(), 1)
  await takeScreenshot(office, 'second-person-own')

  const visitor = await (await site.open()).newPage()
  const readShownText = async () => {
    await visitor.goto(`/en/donate/${id}`)
    return (await visitor.locator('main').innerText()).replace(/\s/g, '')
  }
  assert.ok((await readShownText()).includes(campaign.account.iban))

  await site.store.run(sql`update platform.sessions set confirmed_at = now() - interval '16 minutes'`)
  await phone.goto('/admin')
  await phone.getByText('Eine Kontoänderung wartet auf Ihre Bestätigung.').waitFor()
  await takeScreenshot(phone, 'second-person-dashboard')
  await phone.getByRole('link', { name: 'Bestätigen oder ablehnen' }).click()
  await phone.getByRole('heading', { level: 1, name: 'Anderes Konto für „Neues Klavier“' }).waitFor()
  await phone.getByText('GB82 WEST 1234 5698 7654 32').first().waitFor()
  await takeScreenshot(phone, 'second-person-question')
  const isTooWide = await phone.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(isTooWide, false)
  await phone.getByRole('button', { name: 'Dieses Konto bestätigen' }).click()
  await phone.getByRole('heading', { level: 1, name: 'Bitte bestätigen Sie Ihr Passwort' }).waitFor()
  assert.ok((await readShownText()).includes(campaign.account.iban))
  await phone.getByLabel('Ihr Passwort').fill(password)
  await phone.getByRole('button', { name: 'Bestätigen und fortfahren' }).click()
  await phone.getByText('Bestätigt: Ab jetzt gilt das neue Konto.').waitFor()
  await takeScreenshot(phone, 'second-person-confirmed')
  assert.ok((await readShownText()).includes('GB82WEST12345698765432'))
  for (const page of [office, phone, visitor]) await page.context().close()
})
