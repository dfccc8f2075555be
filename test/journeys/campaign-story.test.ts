// test: full
// An editor tells the story of a campaign; visitors see it on a phone and on a desktop.
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
  const inside = await site.open()
  await injectAxe(inside)
  const desk = await inside.newPage()
  await desk.goto('/admin')
  await desk.getByRole('textbox', { name: /Email/ }).fill('kim@example.org')
  await desk.getByLabel(/^Password/).fill(password)
  await desk.getByRole('button', { name: /^Sign in/ }).click()
  await desk.getByRole('link', { name: 'Campaigns', exact: true }).click()
  await desk.getByRole('link', { name: 'New roof', exact: true }).click()
  await desk.getByRole('link', { name: 'Story', exact: true }).click()

  await desk.locator('[contenteditable]').first().fill('It rains into the rehearsal room.')
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#8a4b2f' } })
    .jpeg()
    .toBuffer()
  await desk.getByLabel('Upload a picture').setInputFiles({ name: 'roof.jpg', mimeType: 'image/jpeg', buffer })
  await desk.getByRole('button', { name: 'Add pictures' }).click()
  const picture = desk.getByRole('group', { name: 'Picture 1' })
  await picture.waitFor()
  // What was typed before is still there, and nothing is saved yet.
  assert.equal(await desk.locator('[contenteditable]').first().innerText(), 'It rains into the rehearsal room.')
  await picture.getByLabel('Description of the picture (alt text) (English)').fill('Brown tiles with a hole')

  for (const [index, [title, amount]] of (
    [
      ['Scaffold', '50'],
      ['A square metre of tiles', '85'],
      ['Coffee for the roofers', '20']
    ] as const
  ).entries()) {
    if (index > 0) await desk.getByRole('button', { name: 'Add an item' }).click()
    const item = desk.getByRole('group', { name: `Item ${index + 1}` })
    await item.getByLabel('Title (English)').fill(title)
    await item.getByLabel(/^Cost of one/).fill(amount)
  }
  // By keyboard: the third item moves up.
  await desk.getByRole('button', { name: /^Move up.*Item 3/ }).press('Enter')
  await desk.getByText('Changed, but not saved yet.').waitFor()
  assert.equal(
    await desk.getByRole('group', { name: 'Item 2' }).getByLabel('Title (English)').inputValue(),
    'Coffee for the roofers'
  )
  const milestone = desk.getByRole('group', { name: 'Milestone 1' })
  await milestone.getByLabel('Title (English)').fill('The scaffold stays up')
  await milestone.getByLabel(/^Amount/).fill('60')
  assert.deepEqual(await findAxeViolations(desk), [])
  await desk.getByRole('button', { name: 'Save', exact: true }).last().click()
  await desk.getByText('Story saved.').waitFor()

  for (const width of [390, 1280]) {
    const outside = await site.open({ width, withoutScripts: width === 390 })
    if (width !== 390) await injectAxe(outside)
    const page = await outside.newPage()
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
    const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    assert.equal(isWide, false, `nothing scrolls sideways at ${width} pixels`)
    if (width !== 390) assert.deepEqual(await findAxeViolations(page), [])
    await page.getByRole('radio', { name: /85.*A square metre of tiles/ }).check()
    await outside.close()
  }
})
