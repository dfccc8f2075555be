// test: full
// A visitor suggests an event, an editor accepts it, and it is in the calendar.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

async function suggest(page: Page, title: string, day: string): Promise<void> {
  await page.goto(`/de/kalender/${day}`)
  await page.getByRole('link', { name: 'Termin vorschlagen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Termin vorschlagen' }).waitFor()
  assert.equal(await page.getByLabel('Beginn: Datum').inputValue(), day)
  await page.getByLabel('Titel').fill(title)
  await page.getByLabel('Beginn: Uhrzeit').fill('15:00')
  await page.getByRole('textbox', { name: /^Veranstaltungsort|Name des anderen Veranstaltungsorts/ }).fill('Marktplatz')
  // The email address is missing: the form shows an error and keeps the input.
  await page.getByRole('button', { name: 'Vorschlag senden' }).click()
  await page
    .getByRole('alert')
    .getByRole('link', { name: /E-Mail-Adresse/ })
    .waitFor()
  assert.equal(await page.getByLabel('Titel').inputValue(), title)
  await page.getByLabel('Ihre E-Mail-Adresse').fill('visitor@example.org')
  // A form that is sent faster is refused as spam.
  await page.waitForTimeout(2100)
  await page.getByRole('button', { name: 'Vorschlag senden' }).click()
  await page.getByRole('heading', { level: 1, name: 'Vielen Dank für Ihren Vorschlag' }).waitFor()
}

for (const withoutScripts of [true, false]) {
  test(`a visitor suggests an event and an editor accepts it, with JavaScript ${withoutScripts ? 'off' : 'on'}`, {
    skip
  }, async () => {
    assert.ok(site !== undefined)
    // With scripts, proof of work is enabled, which needs them.
    await site.admin.patch('/site', { suggestionsProofOfWork: !withoutScripts })
    const [title, day] = withoutScripts ? ['Flohmarkt im Juni', '2031-06-14'] : ['Lesung im Park', '2031-07-19']
    const visitorContext = await site.open({ language: 'de', width: 390, withoutScripts })
    const page = await visitorContext.newPage()
    await suggest(page, title, day)
    await page.goto(`/de/kalender/${day}`)
    assert.equal(await page.getByRole('link', { name: title }).count(), 0)

    const email = `editor-${withoutScripts}@example.org`
    await site.admin.post('/users', { name: 'Kim', email, role: 'editor', language: 'de', password })
    const editorContext = await site.open({ language: 'de', withoutScripts })
    const editorPage = await editorContext.newPage()
    await editorPage.goto('/admin')
    await editorPage.getByRole('textbox', { name: /E-Mail/ }).fill(email)
    await editorPage.getByLabel(/^Passwort/).fill(password)
    await editorPage.getByRole('button', { name: /^Anmelden/ }).click()
    await editorPage.getByRole('link', { name: /^Vorschläge/ }).click()
    const card = editorPage.getByRole('article').filter({ hasText: title })
    await card.getByText('Marktplatz').waitFor()
    await card.getByText('visitor@example.org').waitFor()
    await card.getByRole('button', { name: 'Annehmen' }).click()
    await editorPage.getByText('Angenommen: Der Termin ist im Kalender.').waitFor()

    await page.reload()
    await page.getByRole('link', { name: title }).first().click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('Marktplatz').first().waitFor()
    await visitorContext.close()
    await editorContext.close()
  })
}
