// The users of the console: the first admin, an editor and a treasurer.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newSetupToken } from '#platform/setup/setup.ts'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { campaign, donation } from '#test/support/services.ts'
import { skipUnlessFull } from '../support/full-run.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

async function signIn(page: Page, role: string, language: string): Promise<void> {
  const email = `${role}@example.org`
  await site?.admin.post('/users', { name: `Kim the ${role}`, email, role, language, password })
  await page.goto('/admin')
  await page.getByRole('textbox', { name: /Email|E-Mail/ }).fill(email)
  await page.getByLabel(/^(Password|Passwort)/).fill(password)
  await page.getByRole('button', { name: /^(Sign in|Anmelden)/ }).click()
  await page.getByRole('heading', { level: 1, name: /Dashboard|Übersicht/ }).waitFor()
}

test('the first run: with the setup link and one form the site has a name, an admin and sample content', {
  skip: skip || skipUnlessFull
}, async () => {
  const fresh = await startSiteAndBrowser({ env: { ADMIN_KEY: '' } })
  const context = await fresh.open({ language: 'en', width: 390 })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('link', { name: 'Set it up' }).click()
  assert.match(page.url(), /\/admin\/setup$/)
  // The setup needs the link that the program prints at its start, also for local requests.
  await page.getByRole('heading', { level: 1, name: 'Open the setup link from the server log' }).waitFor()
  await page.goto(`/admin/setup?token=${await newSetupToken(fresh.store)}`)
  await page
    .getByRole('textbox', { name: /organisation|Name of/i })
    .first()
    .fill('Ulmenfurt Neighbours')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Anna Lindqvist')
  await page.getByRole('textbox', { name: /Email/ }).last().fill('anna@example.org')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('checkbox', { name: /sample content/ }).check()
  await page.getByRole('button', { name: 'Set up the site' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.goto('/en')
  await page.getByRole('heading', { level: 1, name: 'Ulmenfurt Neighbours' }).waitFor()
  // Searched for, because the home page shows it only if it is soon, which depends on the day of the week.
  await page.goto('/en/calendar/list?search=benefit+concert')
  await page
    .getByRole('link', { name: /Benefit concert for the new roof/ })
    .first()
    .waitFor()
  await page.goto('/admin/setup')
  assert.doesNotMatch(page.url(), /setup/)
  assert.equal((await fresh.visitor.post('/campaigns', campaign)).status, 401)
  await context.close()
})

test('an editor creates an event in two languages with a new venue, and it is in the months of both languages', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const context = await site.open({ language: 'en' })
  const page = await context.newPage()
  await signIn(page, 'editor', 'en')
  await page.goto('/admin/events/new?lang=de')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Sommerfest der Nachbarschaft')
  await page.getByLabel(/^First day/).fill('2031-06-14')
  await page.getByLabel(/^Begins at/).fill('14:00')
  await page.getByLabel(/^Ends at/).fill('18:30')
  await page.getByText('New venue', { exact: true }).click()
  await page
    .locator('details', { hasText: 'New venue' })
    .getByRole('textbox', { name: /^Name/ })
    .first()
    .fill('Bürgerhaus am Anger')
  await page
    .getByRole('button', { name: /^(Save|Create|Publish)/ })
    .first()
    .click()
  await page.getByRole('status').waitFor()
  await page
    .getByRole('link', { name: /English/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: /^Title/ }).fill('Summer fair of the neighbours')
  await page.getByRole('button', { name: /^Save/ }).first().click()
  await page.getByRole('status').waitFor()

  for (const [path, title] of [
    ['/de/kalender/2031-06', 'Sommerfest der Nachbarschaft'],
    ['/en/calendar/2031-06', 'Summer fair of the neighbours']
  ] as const) {
    await page.goto(path)
    await page
      .getByRole('link', { name: new RegExp(title) })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('link', { name: 'Bürgerhaus am Anger' }).first().waitFor()
  }
  await context.close()
})

test('a treasurer marks three donations as received and exports them', { skip }, async () => {
  assert.ok(site !== undefined)
  const { id } = (await site.admin.post('/campaigns', campaign)).body
  for (const donorName of ['Ada', 'Grace', 'Emmy']) {
    await site.visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName })
  }
  const context = await site.open({ language: 'de' })
  const page = await context.newPage()
  await signIn(page, 'treasurer', 'de')
  await page.goto('/admin/donations')
  for (const name of ['Ada', 'Grace', 'Emmy'])
    await page.getByRole('checkbox', { name: new RegExp(`\\b${name}\\b`) }).check()
  await page.getByRole('button', { name: 'Als eingegangen buchen', exact: true }).last().click()
  await page.getByRole('status').getByText(/3/).waitFor()
  const all = (await site.admin.get('/donations?status=TRANSFERRED')).body
  assert.deepEqual(all.map((one: { donorName: string }) => one.donorName).sort(), ['Ada', 'Emmy', 'Grace'])
  assert.equal((await site.visitor.get(`/campaigns/${id}`)).body.amountTransferred, 75)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /CSV/ }).first().click()
  ])
  const csv = readFileSync(await download.path(), 'utf8')
  assert.match(csv, /^\uFEFF/)
  for (const name of ['Ada', 'Grace', 'Emmy']) assert.match(csv, new RegExp(`;${name};`))
  await context.close()
})
