// test: full
// An editor writes the story of a campaign; visitors see it on a phone and on a desktop.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'
import { campaign, donation } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

test('an editor writes a story with a picture, three items and a milestone, and visitors see them', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { body: roof } = await site.admin.post('/campaigns', { ...campaign, name: 'New roof' })
  await site.admin.post(`/campaigns/${roof.id}/donations`, { ...donation, amount: 75, status: 'TRANSFERRED' })
  await site.admin.post('/users', { name: 'Kim', email: 'kim@example.org', role: 'editor', language: 'en', password })
  const editorContext = await site.open()
  await injectAxe(editorContext)
  const editorPage = await editorContext.newPage()
  await editorPage.goto('/admin')
  await editorPage.getByRole('textbox', { name: /Email/ }).fill('kim@example.org')
  await editorPage.getByLabel(/^Password/).fill(password)
  await editorPage.getByRole('button', { name: /^Sign in/ }).click()
  await editorPage.getByRole('link', { name: 'Campaigns', exact: true }).click()
  await editorPage.getByRole('link', { name: 'New roof', exact: true }).click()
  await editorPage.getByRole('link', { name: 'Story', exact: true }).click()

  await editorPage.locator('[contenteditable]').first().fill('It rains into the rehearsal room.')
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#8a4b2f' } })
    .jpeg()
    .toBuffer()
  await editorPage.getByLabel('Upload a picture').setInputFiles({ name: 'roof.jpg', mimeType: 'image/jpeg', buffer })
  await editorPage.getByRole('button', { name: 'Add pictures' }).click()
  const picture = editorPage.getByRole('group', { name: 'Picture 1' })
  await picture.waitFor()
  // The unsaved input is kept.
  assert.equal(await editorPage.locator('[contenteditable]').first().innerText(), 'It rains into the rehearsal room.')
  await picture.getByLabel('Description of the picture (alt text) (English)').fill('Brown tiles with a hole')

  for (const [index, [title, amount]] of (
    [
      ['Scaffold', '50'],
      ['A square metre of tiles', '85'],
      ['Coffee for the roofers', '20']
    ] as const
  ).entries()) {
    if (index > 0) await editorPage.getByRole('button', { name: 'Add an item' }).click()
    const item = editorPage.getByRole('group', { name: `Item ${index + 1}` })
    await item.getByLabel('Title (English)').fill(title)
    await item.getByLabel(/^Cost of one/).fill(amount)
  }
  // By keyboard: the third item moves up.
  await editorPage.getByRole('button', { name: /^Move up.*Item 3/ }).press('Enter')
  await editorPage.getByText('Changed, but not saved yet.').waitFor()
  assert.equal(
    await editorPage.getByRole('group', { name: 'Item 2' }).getByLabel('Title (English)').inputValue(),
    'Coffee for the roofers'
  )
  const milestone = editorPage.getByRole('group', { name: 'Milestone 1' })
  await milestone.getByLabel('Title (English)').fill('The scaffold stays up')
  await milestone.getByLabel(/^Amount/).fill('60')
  assert.deepEqual(await findAxeViolations(editorPage), [])
  await editorPage.getByRole('button', { name: 'Save', exact: true }).last().click()
  await editorPage.getByText('Story saved.').waitFor()

  for (const width of [390, 1280]) {
    const visitorContext = await site.open({ width, withoutScripts: width === 390 })
    if (width !== 390) await injectAxe(visitorContext)
    const page = await visitorContext.newPage()
    await page.goto(`/en/donate/${roof.id}`)
    await page.getByText('It rains into the rehearsal room.').waitFor()
    const shown = page.getByRole('img', { name: 'Brown tiles with a hole' })
    await shown.scrollIntoViewIfNeeded()
    assert.ok(((await shown.boundingBox())?.width ?? 0) > 200)
    const needs = page.getByRole('region', { name: 'What the money is for' })
    assert.deepEqual(await needs.getByRole('strong').allInnerTexts(), [
      ...['Scaffold', 'Coffee for the roofers', 'A square metre of tiles']
    ])
    assert.deepEqual(await needs.locator('li > .figure').allInnerTexts(), ['Covered', 'Covered', '€5 of €85'])
    await page
      .getByRole('region', { name: 'Milestones' })
      .getByText(/^Reached on/)
      .waitFor()
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    assert.equal(isTooWide, false, `nothing scrolls sideways at ${width} pixels`)
    if (width !== 390) assert.deepEqual(await findAxeViolations(page), [])
    await page.getByRole('radio', { name: /85.*A square metre of tiles/ }).check()
    await visitorContext.close()
  }
})
