// test: full
// Users who sign in at an OpenID provider.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { computeTotpCode, getTotpStep } from '#platform/auth/second-factor/totp.ts'
import { sql } from '#platform/database/sql.ts'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'
import { startOpenIdProvider } from '#test/support/openid-provider.ts'

const { skip } = getBrowserSkip()
const password = 'a long enough sentence'

async function start() {
  const site = await startSiteAndBrowser()
  // The port of the site is known only now.
  const provider = await startOpenIdProvider(site.origin)
  site.settings.openid = provider.settings
  async function anAccount(name: string): Promise<number> {
    const email = `${name}@example.org`
    provider.people.set(name, { sub: name, email, email_verified: true })
    return (await site.admin.post('/users', { name: 'Kim', email, role: 'treasurer', password })).body.id
  }
  return { ...site, provider, anAccount }
}

const site = skip === false ? await start() : undefined

async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(Sign in with|Mit) Lindenhof ID( anmelden)?$/ }).click()
  await page.getByRole('heading', { name: 'Provider of the tests' }).waitFor()
  await page.getByLabel('Account').fill(name)
  await page.getByRole('button', { name: 'Sign in here' }).click()
}

test('a user signs in at the provider, is redirected to the requested page, and unlinks the account', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  await site.anAccount('kim')
  // It works with and without scripts, and within the form-action policy.
  for (const withoutScripts of [true, false]) {
    const context = await site.open({ withoutScripts })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', message => message.type() === 'error' && faults.push(message.text()))
    await page.goto('/admin/donations')
    await signInAtProvider(page, 'kim')
    await page.waitForURL(`${site.origin}/admin/donations`)
    await page.getByRole('heading', { level: 1, name: 'Donations' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  }

  const context = await site.open({ language: 'de', width: 390 })
  await injectAxe(context)
  const page = await context.newPage()
  await page.goto('/admin')
  assert.deepEqual(await findAxeViolations(page), [])
  await signInAtProvider(page, 'kim')
  await page.waitForURL(`${site.origin}/admin`)
  await page.goto('/admin/account/security')
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('link', { name: 'Unlink' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('Single sign-on has been unlinked.').waitFor()
  await context.close()
})

test('users with an authenticator app enter its code after the provider', { skip }, async () => {
  assert.ok(site !== undefined)
  const id = await site.anAccount('totp')
  const { body } = await site.visitor.post('/sessions', { email: 'totp@example.org', password })
  const client = site.withKey(body.token)
  const { secret } = (await client.post('/users/me/totp', { currentPassword: password })).body
  const code = () => computeTotpCode(secret, getTotpStep(new Date()))
  assert.equal((await client.post('/users/me/totp/confirm', { code: code() })).status, 200)
  await site.store.run(sql`update platform.totp_factors set last_step = null where user_id = ${id}`)

  const context = await site.open()
  const page = await context.newPage()
  await page.goto('/admin/donations')
  await signInAtProvider(page, 'totp')
  await page.getByRole('heading', { level: 1, name: 'Second step' }).waitFor()
  await page.goto('/admin/donations')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signInAtProvider(page, 'totp')
  await page.getByLabel('Code').fill(code())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Donations' }).waitFor()
  await context.close()
})

test('a cancelled sign-in and an unknown account show a message, and the user can sign in with a password', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const context = await site.open()
  await injectAxe(context)
  const page = await context.newPage()
  await page.goto('/admin/sign-in')
  await page.getByRole('button', { name: 'Sign in with Lindenhof ID' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('The sign-in with Lindenhof ID was cancelled.').first().waitFor()
  assert.deepEqual(await findAxeViolations(page), [])
  site.provider.people.set('stranger', { sub: 'stranger', email: 'stranger@example.org', email_verified: true })
  await signInAtProvider(page, 'stranger')
  await page.getByText('Ask an admin to invite you.').first().waitFor()
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
  await page.getByLabel(/^Password/).waitFor()
  await context.close()
})
