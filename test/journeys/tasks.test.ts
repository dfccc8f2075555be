// test: full
// A volunteer's ten tasks, each with at most the clicks and page loads that docs/tasks.md allows.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { donor, organisation } from '#test/support/fundraising/receipts.ts'
import { root } from '#test/support/project-root.ts'
import { calendar, campaign, donation, event } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const folder = await mkdtemp(join(tmpdir(), 'kalends-backups-'))
after(async () => await rm(folder, { recursive: true, force: true }))
const site = skip === false ? await startSiteAndBrowser({ env: { BACKUP_DIR: folder } }) : undefined
const page = site === undefined ? undefined : await signIn(site)
const limits = readLimits(await readFile(join(root, 'docs', 'tasks.md'), 'utf8'))

/** Clicks and page loads by task, as the table has them. */
function readLimits(text: string): Map<string, { clicks: number; loads: number }> {
  const rows = text.matchAll(/^\| (.+?) \| (\d+) \| (\d+) \|$/gm)
  return new Map(
    [...rows].map(([, task = '', clicks, loads]) => [task, { clicks: Number(clicks), loads: Number(loads) }])
  )
}

async function signIn({ admin, open }: NonNullable<typeof site>): Promise<Page> {
  const password = 'a long enough sentence'
  const email = 'vera@example.org'
  await admin.post('/users', { name: 'Vera', email, role: 'admin', language: 'en', password })
  const context = await open()
  const newPage = await context.newPage()
  await newPage.goto('/admin')
  await newPage.getByRole('textbox', { name: 'Email' }).fill(email)
  await newPage.getByLabel(/^Password/).fill(password)
  await newPage.getByRole('button', { name: 'Sign in', exact: true }).click()
  await newPage.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  return newPage
}

type Click = (target: Locator) => Promise<void>

/** Does a task, starting at the dashboard, and compares its clicks and page loads with the table. */
function testTask(name: string, work: (page: Page, click: Click) => Promise<void>): void {
  test(name, { skip }, async () => {
    assert.ok(page !== undefined)
    const limit = limits.get(name)
    assert.ok(limit !== undefined, `docs/tasks.md does not list “${name}”.`)
    await page.goto('/admin')
    const counted = { clicks: 0, loads: 0 }
    const countLoad = () => {
      counted.loads += 1
    }
    page.on('load', countLoad)
    await work(page, async target => {
      counted.clicks += 1
      await target.click()
    })
    await page.waitForLoadState()
    page.off('load', countLoad)
    assert.ok(
      counted.clicks <= limit.clicks && counted.loads <= limit.loads,
      `${JSON.stringify(counted)} > ${JSON.stringify(limit)}`
    )
  })
}

const findMenuLink = (shown: Page, name: string) =>
  shown.getByRole('navigation').getByRole('link', { name, exact: true })
const waitForSuccess = async (shown: Page) => await shown.locator('.console-notice.good').waitFor()
const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

test('the table has ten tasks', () => {
  assert.equal(limits.size, 10)
})

testTask('Publish an event', async (shown, click) => {
  await click(findMenuLink(shown, 'Events'))
  await click(shown.getByRole('link', { name: 'New event' }))
  await shown.getByRole('textbox', { name: /^Title/ }).fill('Open rehearsal')
  await shown.getByLabel(/^First day/).fill(nextWeek)
  await shown.getByLabel(/^Begins at/).fill('19:00')
  await click(shown.getByRole('button', { name: 'Create' }))
  await waitForSuccess(shown)
})

testTask('Repeat it every week', async (shown, click) => {
  await click(shown.getByRole('main').getByRole('link', { name: 'Open rehearsal' }).first())
  await shown.locator('[name=repeat]').selectOption('week')
  await shown.locator('[name=repeat_count]').fill('4')
  await click(shown.getByRole('button', { name: 'Save', exact: true }))
  await waitForSuccess(shown)
})

testTask('Cancel one of its dates', async (shown, click) => {
  await click(shown.getByRole('main').getByRole('link', { name: 'Open rehearsal' }).first())
  await shown.locator('[name=event_status]').selectOption('canceled')
  await click(shown.getByRole('button', { name: 'Save', exact: true }))
  await waitForSuccess(shown)
})

if (site !== undefined) {
  await site.visitor.post(`${calendar}/suggestions`, { ...event, sender_email: 'ada@example.org' })
}
testTask('Accept a suggestion', async (shown, click) => {
  await click(shown.getByRole('link', { name: '1 suggestion to review' }))
  await click(shown.getByRole('button', { name: 'Accept' }))
  await waitForSuccess(shown)
})

const campaignId: number = (await site?.admin.post('/campaigns', campaign))?.body.id
testTask('Record a cash donation', async (shown, click) => {
  await click(findMenuLink(shown, 'Donations'))
  await click(shown.getByRole('link', { name: 'Record a donation' }))
  await shown.locator('[name=campaign]').selectOption(String(campaignId))
  await shown.getByRole('textbox', { name: /^Amount/ }).fill('20')
  await shown.getByRole('textbox', { name: /^Donor/ }).fill('Collection box')
  await click(shown.getByRole('button', { name: 'Record', exact: true }))
  await waitForSuccess(shown)
})

if (site !== undefined) {
  const pledge = (await site.visitor.post(`/campaigns/${campaignId}/donations`, { ...donation, amount: 30 })).body
  const text = pledge.reference.replace(/.$/, (last: string) => (last === '3' ? '4' : '3'))
  const payload = buildStatement([{ amount: '30.00', text, name: 'A Lovelace', bankReference: 'T1' }])
  await site.admin.send({
    method: 'POST',
    url: '/bank-statements',
    headers: { 'content-type': 'application/xml' },
    payload
  })
}
testTask('Match a payment', async (shown, click) => {
  await click(shown.getByRole('link', { name: '1 transaction to match' }))
  await click(
    shown
      .locator('.entry')
      .getByRole('button', { name: /^Confirm|^Book/ })
      .first()
  )
  await waitForSuccess(shown)
})

if (site !== undefined) {
  await site.admin.patch('/organisation', organisation)
  await site.admin.post(`/campaigns/${campaignId}/donations`, {
    ...donation,
    ...donor,
    donorName: 'Grace Hopper',
    status: 'TRANSFERRED'
  })
}
testTask('Issue a receipt', async (shown, click) => {
  await click(findMenuLink(shown, 'Donations'))
  await click(shown.getByRole('row').filter({ hasText: 'Grace Hopper' }).locator('a.reference'))
  await click(shown.getByRole('button', { name: 'Issue receipt' }))
  await waitForSuccess(shown)
})

testTask('Answer “Did my donation arrive?”', async shown => {
  await shown.getByRole('searchbox', { name: 'Search everything' }).fill('Hopper')
  await shown.keyboard.press('Enter')
  await shown
    .getByRole('main')
    .getByText(/Grace Hopper.*received/)
    .first()
    .waitFor()
})

testTask('Change the opening text of the site', async (shown, click) => {
  await click(shown.locator('summary', { hasText: /^Site$/ }))
  await click(findMenuLink(shown, 'Settings'))
  await shown.getByRole('textbox', { name: 'Tagline in English' }).fill('Music for everyone')
  await click(shown.getByRole('button', { name: 'Save', exact: true }))
  await waitForSuccess(shown)
})

testTask('Create a backup', async (shown, click) => {
  await click(shown.getByRole('link', { name: 'Create the first backup' }))
  await click(shown.getByRole('button', { name: 'Create backup' }))
  await shown.getByRole('row').filter({ hasText: 'Created manually' }).waitFor()
})
