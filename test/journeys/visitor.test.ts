// A visitor finds an event and downloads it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
if (site !== undefined) await site.admin.post('/sample-content')

for (const withoutScripts of [true, false]) {
  test(`a visitor finds an event and downloads its .ics, with JavaScript ${withoutScripts ? 'off' : 'on'}`, {
    skip: skip || (!withoutScripts && skipUnlessFull)
  }, async () => {
    assert.ok(site !== undefined)
    const context = await site.open({ language: 'en', width: 390, withoutScripts })
    const page = await context.newPage()
    await page.goto('/')
    assert.match(page.url(), /\/en$/)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Calendar' }).click()
    await page.getByRole('searchbox').fill('benefit concert')
    await page.getByRole('searchbox').press('Enter')
    assert.match(page.url(), /search=benefit(\+|%20)concert/)
    await page.goto(page.url().replace(/calendar(\/[\d-]+)?\?/, 'calendar/list?'))
    await page.getByRole('link', { name: 'Benefit concert for the new roof' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Benefit concert for the new roof' }).waitFor()
    await page.getByText('Add to calendar').first().click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /\.ics/ }).first().click()
    ])
    const text = readFileSync(await download.path(), 'utf8')
    assert.match(text, /^BEGIN:VCALENDAR\r\n/)
    assert.match(text, /SUMMARY(;LANGUAGE=en)?:Benefit concert for the new roof/)
    await context.close()
  })
}

test('the language link leads to the same page in the other language', { skip }, async () => {
  assert.ok(site !== undefined)
  const context = await site.open({ language: 'de' })
  const page = await context.newPage()
  await page.goto('/')
  assert.match(page.url(), /\/de$/)
  await page.goto('/de/termin/benefizkonzert-fuer-das-neue-dach')
  await page.getByRole('link', { name: 'This page in English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Benefit concert for the new roof' }).waitFor()
  assert.match(page.url(), /\/en\/event\/benefit-concert-for-the-new-roof$/)
  await context.close()
})
