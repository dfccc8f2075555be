// test: own process, full
// Unsaved input survives a reload and an expired session, and a backup restores all data.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findAxeViolations, getBrowserSkip, injectAxe, launchBrowser } from '#test/support/browser.ts'
import { createDataLocation, sendRequest, startKalends } from '#test/support/kalends-process.ts'
import { adminKey, calendar, event } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const password = 'a long enough sentence'
const email = 'anna@example.org'

/** The program itself: a restore stops and starts its server. */
async function start() {
  const location = await createDataLocation()
  const folder = await mkdtemp(join(tmpdir(), 'kalends-backups-'))
  const kalends = await startKalends({ ...location.env, ADMIN_KEY: adminKey, BACKUP_DIR: folder })
  after(async () => {
    await kalends.stop()
    await location.remove()
    await rm(folder, { recursive: true, force: true })
  })
  const headers = { authorization: `Bearer ${adminKey}` }
  const call = async (method: string, path: string, body?: object) =>
    await sendRequest(kalends.url + path, { method, headers, body })
  await call('POST', '/users', { name: 'Anna', email, role: 'admin', language: 'en', password })
  const browser = await launchBrowser()
  const context = await browser.newContext({ baseURL: kalends.url, locale: 'en-GB' })
  context.setDefaultTimeout(60_000)
  await injectAxe(context)
  const page = await context.newPage()
  page.on('dialog', dialog => void dialog.accept())
  return { call, page, query: location.query, url: kalends.url }
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const program = skip === false ? await start() : undefined

const countDrafts = async (page: Page) =>
  await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('kalends-draft')).length)

test('unsaved input of an event survives a reload and an expired session, and is deleted when it is saved and on sign-out', {
  skip
}, async () => {
  assert.ok(program !== undefined)
  const { page, query } = program
  await page.goto('/admin/events/new?lang=en')
  await signIn(page)
  await page.getByRole('textbox', { name: /^Title/ }).fill('Night of the long tables')
  await page.getByLabel(/^First day/).fill('2031-06-14')
  await page.waitForFunction(() => Object.keys(localStorage).some(key => key.startsWith('kalends-draft')))
  await page.reload()
  assert.equal(await page.getByRole('textbox', { name: /^Title/ }).inputValue(), '')
  await page.getByText('You have not saved what you typed on').waitFor()
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('button', { name: 'Restore' }).click()
  assert.equal(await page.getByRole('textbox', { name: /^Title/ }).inputValue(), 'Night of the long tables')

  // The other language has its own text, and the shared fields are kept.
  await page.getByRole('link', { name: /Deutsch/ }).click()
  await page.getByText('Unsaved input is kept.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: /^Title/ }).inputValue(), '')
  assert.equal(await page.getByLabel(/^First day/).inputValue(), '2031-06-14')
  await page.getByRole('link', { name: /English/ }).click()
  await page.getByText('Unsaved input is kept.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: /^Title/ }).inputValue(), 'Night of the long tables')

  await query('delete from platform.sessions')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Please sign in again' }).waitFor()
  assert.ok((await countDrafts(page)) > 0)
  await signIn(page)
  await page.getByRole('button', { name: 'Send it now' }).click()
  await page.getByRole('status').first().waitFor()
  assert.equal((await query("select title from calendar.event_texts where title like 'Night of%'")).length, 1)
  await page.goto('/admin/events/new?lang=en')
  assert.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0)

  await page.getByRole('textbox', { name: /^Title/ }).fill('Not for the next user')
  await page.waitForFunction(() => Object.keys(localStorage).some(key => key.startsWith('kalends-draft')))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You have signed out.').waitFor()
  assert.equal(await countDrafts(page), 0)
})

test('an admin downloads a backup, changes something, and restores the file', { skip }, async () => {
  assert.ok(program !== undefined)
  const { page, call } = program
  await page.context().clearCookies()
  await page.goto('/admin/data')
  await signIn(page)
  await page.getByRole('button', { name: 'Create backup' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Created manually' })
  await row.waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: /^Download/ }).click()
  ])
  const file = await download.path()
  assert.match((await readFile(file)).subarray(0, 10).toString(), /^README/)

  const created = await call('POST', `${calendar}/events`, { ...event, title: 'After the backup' })
  assert.equal(created.status, 201)
  await page.getByText('Restore a backup from your computer').click()
  await page.getByLabel('Backup file').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload and verify' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restore this backup?' }).waitFor()
  await page.getByText('If anything fails, nothing is changed.').waitFor()
  // For a moment neither the server nor the maintenance page listens: the page must not end in an error of the browser.
  await page.route('**/admin/data/restored*', async route => await route.abort('connectionrefused'), { times: 1 })
  await page.getByRole('button', { name: 'Replace all data' }).click()
  await page.getByRole('heading', { level: 1, name: 'The backup is being restored' }).waitFor()
  // The page waits until the site is back, and then asks to sign in.
  await page.getByRole('textbox', { name: 'Email' }).waitFor({ timeout: 90_000 })
  await signIn(page)
  await page.getByText(/The backup of .* was restored\./).waitFor()
  assert.equal((await call('GET', `${calendar}/events/${created.body.id}`)).status, 404)
  await page.getByRole('link', { name: 'To data and backup' }).click()
  await page.getByRole('row').filter({ hasText: 'Before a restore' }).waitFor()
  assert.deepEqual(await findAxeViolations(page), [])
  const [last] = (await call('GET', '/activity?action=backup.restored')).body
  assert.match(last.actor, /Anna/)
})
