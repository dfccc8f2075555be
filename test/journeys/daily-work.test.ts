// test: full
// An editor's work with many events: moving them together, older versions, filters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'
import { calendar, event } from '#test/support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

async function signIn(page: Page, language: 'en' | 'de'): Promise<void> {
  const email = `editor-${language}@example.org`
  await site?.admin.post('/users', { name: 'Kim the editor', email, role: 'editor', language, password })
  await page.goto('/admin')
  await page.getByRole('textbox', { name: /Email|E-Mail/ }).fill(email)
  await page.getByLabel(/^(Password|Passwort)/).fill(password)
  await page.getByRole('button', { name: /^(Sign in|Anmelden)/ }).click()
  await page.getByRole('heading', { level: 1, name: /Dashboard|Übersicht/ }).waitFor()
}

async function create(collection: string, fields: object) {
  const created = await site?.admin.post(`${calendar}/${collection}`, fields)
  assert.equal(created?.status, 201, created?.text)
  return created?.body
}
const read = async (id: number) => (await site?.admin.get(`${calendar}/events/${id}?context=edit`))?.body

test('an editor moves twenty events by a week, and undoes it', { skip }, async () => {
  assert.ok(site !== undefined)
  const ids: number[] = []
  for (let number = 1; number <= 20; number += 1) {
    ids.push((await create('events', { ...event, title: `Rehearsal ${number}` })).id)
  }
  const context = await site.open({ language: 'en' })
  await injectAxe(context)
  const page = await context.newPage()
  await signIn(page, 'en')
  await page.goto('/admin/events?search=Rehearsal')
  await page.getByRole('checkbox', { name: 'Select all events on this page' }).check()
  assert.equal(await page.locator('tbody input[type="checkbox"]:checked').count(), 20)
  assert.equal(await page.getByLabel('Days').isVisible(), false)
  await page.getByLabel('Action').selectOption('Move in time')
  await page.getByLabel('Days').fill('7')
  assert.equal(await page.locator('.bulk-venue').isVisible(), false)
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('status').getByText('20 events were moved in time.').waitFor()
  for (const id of ids) assert.equal((await read(id)).start_date, '2027-06-08 19:00:00')
  assert.match(page.url(), /search=Rehearsal/)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').getByText('20 events were reverted.').waitFor()
  for (const id of ids) assert.equal((await read(id)).start_date, '2027-06-01 19:00:00')
  await context.close()
})

test('without scripts, one form moves the selected events to the trash, and another restores them', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { id } = await create('events', { ...event, title: 'Without scripts' })
  const context = await site.open({ language: 'en', width: 390, withoutScripts: true })
  const page = await context.newPage()
  await signIn(page, 'en')
  await page.goto('/admin/events?search=Without+scripts')
  await page.getByRole('checkbox', { name: 'Select Without scripts' }).check()
  await page.getByLabel('Action').selectOption('Move to trash')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 event was moved to the trash.').waitFor()
  await page.goto('/admin/events?show=trash')
  await page.getByRole('checkbox', { name: 'Select Without scripts' }).check()
  await page.getByLabel('Action').selectOption('Restore')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 event was restored.').waitFor()
  assert.equal((await read(id)).status, 'publish')
  await context.close()
})

test('an editor restores an older version of an event', { skip }, async () => {
  assert.ok(site !== undefined)
  const { id } = await create('events', { ...event, title: 'Sommerfest', description: '<p>Wir grillen um sechs.</p>' })
  await site.admin.patch(`${calendar}/events/${id}`, {
    title: 'Winterfest',
    description: '<p>Wir backen um sechs.</p>'
  })
  const context = await site.open({ language: 'de', width: 390 })
  await injectAxe(context)
  const page = await context.newPage()
  await signIn(page, 'de')
  await page.goto(`/admin/events/${id}`)
  await page.getByRole('link', { name: 'Versionen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Versionen von „Winterfest“' }).waitFor()
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('link', { name: 'Version 1 ansehen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Version 1 von „Sommerfest“' }).waitFor()
  assert.equal(await page.locator('dd del', { hasText: 'grillen' }).count(), 1)
  assert.equal(await page.locator('dd ins', { hasText: 'backen' }).count(), 1)
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('button', { name: 'Diese Version wiederherstellen' }).click()
  await page.getByRole('status').getByText('Version 1 wiederhergestellt.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: /^Titel/ }).inputValue(), 'Sommerfest')
  assert.equal((await read(id)).title, 'Sommerfest')
  await context.close()
})

test('an editor finds events by venue and date, on a phone', { skip }, async () => {
  assert.ok(site !== undefined)
  const [hall, park] = [await create('venues', { venue: 'Old Hall' }), await create('venues', { venue: 'City Park' })]
  const on = (day: string) => ({ start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00` })
  await create('events', { ...on('2027-08-01'), title: 'Hall in August', venue: hall.id })
  await create('events', { ...on('2027-09-01'), title: 'Hall in September', venue: hall.id })
  await create('events', { ...on('2027-09-02'), title: 'Park in September', venue: park.id })
  const context = await site.open({ language: 'en', width: 390 })
  const page = await context.newPage()
  await signIn(page, 'en')
  await page.goto('/admin/events')
  // The filters are collapsed, so that the list begins on the first screen.
  assert.equal(await page.getByLabel('Venue', { exact: true }).first().isVisible(), false)
  await page.locator('summary', { hasText: /^Filters$/ }).click()
  await page.getByText('More filters').click()
  await page.getByLabel('Venue', { exact: true }).first().selectOption('Old Hall')
  await page.getByLabel('From', { exact: true }).fill('2027-09-01')
  await page.getByLabel('Until', { exact: true }).fill('2027-09-30')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('link', { name: 'Hall in September', exact: true }).waitFor()
  assert.equal(await page.locator('tbody tr').count(), 1)
  await page.getByRole('link', { name: 'Remove the filter Venue: Old Hall' }).click()
  await page.getByRole('link', { name: 'Park in September', exact: true }).waitFor()
  assert.equal(await page.locator('tbody tr').count(), 2)
  await context.close()
})
