// test: full
// A treasurer finds a donor, opens the page, merges a duplicate, undoes it, and creates the annual letter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { campaign } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser() : undefined
const password = 'a long enough sentence'

test('a treasurer finds a donor by reference and amount, merges a duplicate, undoes it and writes a letter', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { admin, origin } = site
  await admin.patch('/organisation', organisation)
  await admin.post('/users', { name: 'Tess', email: 'tess@example.org', role: 'treasurer', password, language: 'en' })
  const { id } = (await admin.post('/campaigns', campaign)).body
  const address = { street: 'Am Anger 1', postalCode: '12345', city: 'Köln' }
  const createDonation = async (fields: object) =>
    (await admin.post(`/campaigns/${id}/donations`, { status: 'TRANSFERRED', email: 'anna@example.org', ...fields }))
      .body
  const first = await createDonation({ amount: 120.5, donorName: 'Anna Schäfer', address })
  await createDonation({ amount: 30, donorName: 'A. Schäfer' })

  const context = await site.open()
  await injectAxe(context)
  const page = await context.newPage()
  await page.goto('/admin')
  await page.getByRole('textbox', { name: 'Email' }).fill('tess@example.org')
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

  const search = page.getByRole('searchbox', { name: 'Search everything' }).first()
  const donors = page.getByRole('region', { name: 'Donors' })
  for (const query of [first.reference.slice(3, 9).toLowerCase(), '120,50']) {
    await search.fill(query)
    await search.press('Enter')
    await donors.getByRole('link', { name: 'Anna Schäfer' }).waitFor()
  }
  await donors.getByRole('link', { name: 'Anna Schäfer' }).click()
  await page.getByRole('heading', { level: 1, name: 'Anna Schäfer' }).waitFor()
  assert.match((await page.locator('main').textContent()) ?? '', /anna@example\.org.*Am Anger 1/s)
  assert.deepEqual(await findAxeViolations(page), [])

  await page.getByRole('link', { name: 'Compare and merge with A. Schäfer' }).click()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByText('Merged with A. Schäfer.').waitFor()
  assert.match((await page.locator('.donation-sum').textContent()) ?? '', /€150\.50/)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Merge undone.').waitFor()
  assert.match((await page.locator('.donation-sum').textContent()) ?? '', /€120\.50/)

  await page.getByRole('button', { name: 'Write letter' }).click()
  const letter = page.getByRole('link', { name: /^Letter for \d{4} \(PDF\)$/ })
  const file = await context.request.get(`${origin}${await letter.getAttribute('href')}`)
  assert.deepEqual([file.status(), file.headers()['content-type']], [200, 'application/pdf'])
})
