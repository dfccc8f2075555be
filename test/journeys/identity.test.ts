// test: full
// An editor gives the site its logo, a theme and a page in two languages; a visitor sees them, and shares an event.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { calendar } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

test('an editor uploads a logo, chooses a theme and writes a page; a visitor sees all of it', { skip }, async () => {
  assert.ok(site !== undefined)
  const email = 'kim@example.org'
  await site.admin.post('/users', { name: 'Kim', email, role: 'editor', language: 'en', password })
  const editorPage = await (await site.open()).newPage()
  await editorPage.goto('/admin')
  await editorPage.getByRole('textbox', { name: /Email/ }).fill(email)
  await editorPage.getByLabel(/^Password/).fill(password)
  await editorPage.getByRole('button', { name: /^Sign in/ }).click()

  await editorPage.goto('/admin/appearance')
  const logo = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#00aa55' } })
    .png()
    .toBuffer()
  await editorPage.getByLabel('Upload a logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
  await editorPage.getByRole('radio', { name: 'Ocean' }).check()
  await editorPage.getByLabel('Addresses of your profiles').fill('https://mastodon.social/@us')
  await editorPage.getByRole('button', { name: 'Save' }).click()
  await editorPage.getByText('Appearance saved.').waitFor()

  await editorPage.goto('/admin/pages/new?lang=en')
  await editorPage.getByLabel('Title').fill('Our team')
  await editorPage.getByRole('textbox', { name: 'Text' }).fill('We sing every Monday.')
  await editorPage.getByLabel('Status').selectOption('Published')
  await editorPage.getByLabel('Menu', { exact: true }).selectOption('Header')
  await editorPage.getByRole('button', { name: 'Create' }).click()
  await editorPage.getByText('Page created.').waitFor()
  await editorPage
    .getByRole('navigation', { name: 'Language of the text' })
    .getByRole('link', { name: /Deutsch/ })
    .click()
  await editorPage.getByLabel('Title').fill('Unser Team')
  await editorPage.getByRole('textbox', { name: 'Text' }).fill('Wir singen jeden Montag.')
  await editorPage.getByRole('button', { name: 'Save' }).click()
  await editorPage.getByText('Page saved.').waitFor()

  const context = await site.open({ width: 390 })
  const page = await context.newPage()
  await page.goto('/en')
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Our team' }).click()
  await page.getByText('We sing every Monday.').waitFor()
  await page.getByRole('link', { name: 'Diese Seite auf Deutsch' }).click()
  await page.getByText('Wir singen jeden Montag.').waitFor()
  await page.getByRole('link', { name: 'Mastodon' }).waitFor()
  const drawn = await page.evaluate(() => ({
    accent: getComputedStyle(document.documentElement).getPropertyValue('--accent'),
    logo: document.querySelector<HTMLImageElement>('.brand-logo')?.getBoundingClientRect().height,
    width: document.documentElement.scrollWidth
  }))
  assert.deepEqual(drawn, { accent: '#14608c', logo: 36, width: 390 })
  const addresses = await page.evaluate(() =>
    ['meta[property="og:image"]', 'link[rel="manifest"]', 'link[rel="apple-touch-icon"]', 'link[rel="icon"]'].map(
      selector => {
        const element = document.querySelector(selector)
        return element?.getAttribute('content') ?? element?.getAttribute('href') ?? ''
      }
    )
  )
  const [preview = '', ...files] = addresses
  const { width, height, format } = await sharp(await (await page.request.get(preview)).body()).metadata()
  assert.deepEqual([format, width, height], ['png', 1200, 630])
  for (const file of files) assert.equal((await page.request.get(file)).status(), 200, file)
  await context.close()
})

test('a visitor copies the URL of an event, and shares it with the share API', { skip }, async () => {
  assert.ok(site !== undefined)
  const times = { start_date: '2031-06-14 15:00:00', end_date: '2031-06-14 18:00:00' }
  const { slug } = (await site.admin.post(`${calendar}/events`, { title: 'Summer party', status: 'publish', ...times }))
    .body
  const context = await site.open({ width: 390 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addInitScript(() => {
    Object.assign(navigator, { share: async (data: object) => Object.assign(window, { shared: data }) })
  })
  const page = await context.newPage()
  await page.goto(`/en/event/${slug}`)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate(async () => await navigator.clipboard.readText()), page.url())
  await page.getByRole('button', { name: 'Share' }).click()
  const shared = await page.evaluate(() => (window as unknown as { shared: object }).shared)
  assert.deepEqual(shared, { title: 'Summer party', url: page.url() })
  await context.close()
})
