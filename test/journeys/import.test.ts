// test: full
// An editor imports a programme from a table into the calendar, and undoes the import.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

/** Runs waiting imports, as the worker does. */
async function runImports(): Promise<void> {
  assert.ok(site !== undefined)
  for (const job of createCalendarJobs(site.settings)) {
    if (job.name === 'run-imports') await job.run(site.store, {}, new AbortController().signal)
  }
}

const programme = [
  'Spalte 1;Spalte 2;Uhrzeit;Spalte 4',
  'Orgelkonzert bei Kerzenschein;14.06.2031;19:30;St. Marien',
  'Lesung im Garten;15.06.2031;16:00;Bücherei am Wehr',
  'Ohne Tag;;;Bücherei am Wehr'
].join('\r\n')

test('a table is checked in a dry run, mapped to columns, imported as events, and the import is undone', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const email = 'edith@example.org'
  await site.admin.post('/users', { name: 'Edith Sander', email, role: 'editor', language: 'de', password })
  const { body } = await site.visitor.post('/sessions', { email, password })
  const context = await site.open({ language: 'de' })
  await injectAxe(context)
  await context.addCookies([{ name: 'kalends_session', value: body.token, url: site.origin }])
  const page = await context.newPage()

  await page.goto('/admin')
  await page.getByText('Mehr zum Kalender').click()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Tabelle importieren' }).click()
  await page.getByLabel('Datei').setInputFiles({
    name: 'programm.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(programme)
  })
  await page.getByRole('button', { name: 'Prüflauf starten' }).click()
  await page.getByRole('heading', { name: 'Wird gestartet' }).waitFor()
  assert.deepEqual(await findAxeViolations(page), [])

  // The page shows the report without a reload.
  await runImports()
  await page.getByRole('heading', { name: 'Ergebnis des Prüflaufs' }).waitFor()
  await page.getByText('Die Spalte für den Titel wurde nicht erkannt').waitFor()
  await page.getByLabel('Spalte 1', { exact: true }).selectOption('title')
  await page.getByLabel('Spalte 2', { exact: true }).selectOption('start_date')
  await page.getByLabel('Spalte 4', { exact: true }).selectOption('venue')
  await page.getByRole('button', { name: 'Prüflauf wiederholen' }).click()
  await page.getByRole('progressbar').waitFor()
  await runImports()
  await page.getByText('1 hat ein Problem und wird übersprungen.').waitFor()
  await page.getByRole('link', { name: /^Probleme/ }).click()
  await page.getByRole('rowheader', { name: 'Ohne Tag' }).waitFor()
  assert.equal(await page.getByRole('rowheader', { name: 'Lesung im Garten' }).count(), 0)
  assert.deepEqual(await findAxeViolations(page), [])

  await page.getByRole('button', { name: 'Jetzt importieren' }).click()
  await page.getByRole('progressbar').waitFor()
  await runImports()
  await page.getByRole('heading', { name: 'Ergebnis des Imports' }).waitFor()
  const report = page.url()
  await page.goto('/de/kalender/2031-06')
  await page
    .getByRole('link', { name: /Orgelkonzert bei Kerzenschein/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'St. Marien' }).first().waitFor()

  await page.goto(report)
  await page.getByRole('link', { name: 'Diesen Import rückgängig machen' }).click()
  await page.getByRole('button', { name: 'Diesen Import rückgängig machen' }).click()
  await page.getByRole('heading', { name: 'Der Import wird rückgängig gemacht' }).waitFor()
  await runImports()
  await page.getByText('Dieser Import wurde rückgängig gemacht').waitFor()
  await page.goto('/de/kalender/2031-06')
  assert.equal(await page.getByRole('link', { name: /Orgelkonzert|Lesung im Garten/ }).count(), 0)
  await context.close()
})
