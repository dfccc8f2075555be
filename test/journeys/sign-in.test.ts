// Users who sign in with a second factor or a passkey.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { computeTotpCode, getTotpStep } from '#platform/auth/second-factor/totp.ts'
import { sql } from '#platform/database/sql.ts'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { skipUnlessFull } from '../support/full-run.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser() : undefined
const password = 'a long enough sentence'

async function anAccount(email: string, language = 'en'): Promise<number> {
  const { body } =
    (await site?.admin.post('/users', { name: 'Kim', email, role: 'treasurer', language, password })) ?? {}
  return body.id
}

async function enterPassword(page: Page, email: string, origin = ''): Promise<void> {
  await page.goto(`${origin}/admin`)
  await page.getByRole('textbox', { name: /Email|E-Mail/ }).fill(email)
  await page.getByLabel(/^(Password|Passwort)/).fill(password)
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click()
}

test('an authenticator app is set up and its code required at sign-in; a recovery code replaces it once; without scripts', {
  skip: skip || skipUnlessFull
}, async () => {
  assert.ok(site !== undefined)
  const id = await anAccount('totp@example.org')
  // All of it works without scripts.
  const context = await site.open({ withoutScripts: true, width: 390 })
  const page = await context.newPage()
  await enterPassword(page, 'totp@example.org')
  await page.goto('/admin/account')
  await page.getByRole('link', { name: 'Set up or change' }).click()
  await page.getByText('protected by the password only').waitFor()
  await page.getByRole('link', { name: 'Set up the app' }).click()
  await page.getByLabel('Your password').fill('not my password')
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await page.getByText('The password is wrong.').first().waitFor()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Set up the app' }).click()

  await page.getByRole('img', { name: /QR code/ }).waitFor()
  const secret = ((await page.locator('.totp-secret').textContent()) ?? '').replaceAll(' ', '')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText('This code is wrong').first().waitFor()
  assert.equal(((await page.locator('.totp-secret').textContent()) ?? '').replaceAll(' ', ''), secret, 'the same key')
  await page.getByLabel('Code from the app').fill(computeTotpCode(secret, getTotpStep(new Date())))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your recovery codes' }).waitFor()
  const codes = await page.locator('.recovery-codes code').allTextContents()
  assert.equal(codes.length, 10)
  await page.getByRole('link', { name: 'I have kept them safe' }).click()
  await page.getByText('10 codes are left.').waitFor()

  const signOut = async () => {
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You have signed out.').waitFor()
  }
  await signOut()
  await enterPassword(page, 'totp@example.org')
  await page.getByRole('heading', { level: 1, name: 'Second step' }).waitFor()
  assert.ok(!(await page.content()).includes(password), 'the password is not kept in the page')
  await page.goto('/admin/donations')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await enterPassword(page, 'totp@example.org')
  await page.getByLabel('Code').fill('111111')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This code is wrong').waitFor()
  await site.store.run(sql`update platform.totp_factors set last_step = null where user_id = ${id}`)
  await page.getByLabel('Code').fill(computeTotpCode(secret, getTotpStep(new Date())))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

  await signOut()
  await enterPassword(page, 'totp@example.org')
  await page.getByLabel('Code').fill(codes[4]?.toLowerCase() ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.goto('/admin/account/security')
  await page.getByText('9 codes are left.').waitFor()
  await page.getByRole('link', { name: 'Remove the app' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Remove the app' }).click()
  await page.getByText('The authenticator app has been removed.').waitFor()
  await context.close()
})

test('a passkey is created, signs in alone and as second factor, and is renamed and removed', {
  skip: skip || skipUnlessFull
}, async () => {
  assert.ok(site !== undefined)
  await anAccount('passkey@example.org')
  // Browsers offer passkeys for host names only.
  const origin = site.origin.replace('127.0.0.1', 'localhost')
  const context = await site.open()
  const page = await context.newPage()
  const cdpSession = await context.newCDPSession(page)
  await cdpSession.send('WebAuthn.enable')
  const { authenticatorId } = await cdpSession.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true }
    }
  })
  await enterPassword(page, 'passkey@example.org', origin)
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.goto(`${origin}/admin/account/security`)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Laptop of Kim')
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your recovery codes' }).waitFor()
  await page.getByRole('link', { name: 'I have kept them safe' }).click()
  await page.getByText('Laptop of Kim').first().waitFor()
  const { credentials } = await cdpSession.send('WebAuthn.getCredentials', { authenticatorId })
  assert.deepEqual(
    [credentials.length, credentials[0]?.isResidentCredential, credentials[0]?.rpId],
    [1, true, 'localhost']
  )

  const signOut = async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You have signed out.').waitFor()
  }
  await signOut()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

  await signOut()
  await enterPassword(page, 'passkey@example.org', origin)
  await page.getByRole('heading', { level: 1, name: 'Second step' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

  await page.goto(`${origin}/admin/account/security`)
  await page.getByRole('link', { name: 'Rename Laptop of Kim' }).click()
  await page.getByLabel('Name of the passkey').fill('Old laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Remove Old laptop' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The passkey “Old laptop” has been removed.').waitFor()

  await signOut()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('Unknown passkey.').first().waitFor()
  await page.goto('/admin/sign-in')
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0, 'at an IP address')
  await context.close()
})
