// test: full
// An editor subscribes to another calendar, edits one of its events, and sees the changes of the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSubscriptions } from '#calendar/subscriptions/runner/run.ts'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '#test/support/browser.ts'
import { type FeedServer, startFeed } from '#test/support/calendar/feed-server.ts'

const { skip } = getBrowserSkip()
const site =
  skip === false
    ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin', ALLOW_PRIVATE_ADDRESSES: 'true' } })
    : undefined
const password = 'a long enough sentence'

/** Fetches the calendars that are due, as the worker does. */
async function runDueSubscriptions(): Promise<void> {
  assert.ok(site !== undefined)
  await runSubscriptions(site.store, { settings: site.settings, signal: new AbortController().signal })
}

function renameEvent(feed: FeedServer, uid: string, title: string): void {
  feed.events = feed.events.map(event => (event.uid === uid ? { ...event, title } : event))
}

test('a subscribed calendar is fetched again: one event has changed, one was removed, and one was edited here', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const feed = await startFeed(
    [
      { uid: 'advent@choir.example', title: 'Adventssingen', start: '20311214T170000' },
      { uid: 'summer@choir.example', title: 'Sommerserenade', start: '20310614T180000' },
      { uid: 'mass@choir.example', title: 'h-Moll-Messe', start: '20311001T173000' },
      { uid: 'open@choir.example', title: 'Offene Probe', start: '20310901T180000' }
    ],
    ['X-WR-CALNAME:Kantorei St. Marien']
  )
  const email = 'edda@example.org'
  await site.admin.post('/users', { name: 'Edda Lohse', email, role: 'editor', language: 'de', password })
  const { body } = await site.visitor.post('/sessions', { email, password })
  const context = await site.open({ language: 'de' })
  await injectAxe(context)
  await context.addCookies([{ name: 'kalends_session', value: body.token, url: site.origin }])
  const page = await context.newPage()

  await page.goto('/admin')
  await page.getByText('Mehr zum Kalender').click()
  await page.getByRole('link', { name: 'Abonnierte Kalender' }).click()
  await page.getByText('Noch keine abonnierten Kalender').waitFor()
  await page.getByRole('link', { name: 'Kalender abonnieren' }).click()
  await page.getByLabel('URL des Kalenders').fill(feed.url)
  await page.getByLabel('Kommende Termine, die es an der Quelle nicht mehr gibt').selectOption('cancel')
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('button', { name: 'Abonnieren' }).click()
  await page.getByText('Der Kalender wird abgerufen. Sie können').waitFor()

  // The page shows the result without a reload.
  await runDueSubscriptions()
  await page.getByRole('heading', { name: 'Kantorei St. Marien' }).waitFor()
  await page.getByText('4 neu').waitFor()
  const subscription = page.url()
  await page.goto('/de/kalender/2031-06')
  await page
    .getByRole('link', { name: /Sommerserenade/ })
    .first()
    .waitFor()

  // One event is edited here.
  await page.goto(subscription)
  await page.getByRole('link', { name: 'Bericht' }).click()
  await page.getByRole('link', { name: 'h-Moll-Messe' }).click()
  await page.getByText('Aus dem Kalender').waitFor()
  await page.getByText('Ihre Änderungen hier bleiben erhalten').waitFor()
  await page.getByLabel('Titel', { exact: true }).fill('Bach: h-Moll-Messe')
  await page.getByRole('button', { name: 'Speichern', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Bach: h-Moll-Messe' }).waitFor()

  // At the source one event is renamed, one is removed, and the edited one is renamed, too.
  renameEvent(feed, 'advent@choir.example', 'Adventssingen bei Kerzenschein')
  renameEvent(feed, 'mass@choir.example', 'Messe in h-Moll')
  feed.events = feed.events.filter(({ uid }) => uid !== 'open@choir.example')
  await page.goto(subscription)
  await page.getByRole('button', { name: 'Jetzt abrufen' }).click()
  await page.getByText('Der Kalender wird abgerufen. Sie können').waitFor()
  await runDueSubscriptions()
  await page.getByRole('heading', { name: 'Konflikte' }).waitFor()
  await page.getByText('1 geändert, 1 unverändert, 1 mit Konflikt, 1 nicht mehr an der Quelle').waitFor()
  await page.getByRole('cell', { name: 'Messe in h-Moll' }).waitFor()
  await page.getByText('als abgesagt gekennzeichnet').waitFor()
  assert.deepEqual(await findAxeViolations(page), [])

  await page.goto('/de/kalender/2031-12')
  await page
    .getByRole('link', { name: /Adventssingen bei Kerzenschein/ })
    .first()
    .waitFor()
  await page.goto('/de/kalender/2031-09')
  await page
    .getByRole('link', { name: /Offene Probe/ })
    .first()
    .click()
  await page.getByText('Abgesagt').first().waitFor()
  await page.goto('/de/kalender/2031-10')
  await page
    .getByRole('link', { name: /Bach: h-Moll-Messe/ })
    .first()
    .waitFor()

  await page.goto(subscription)
  await page.getByRole('button', { name: 'Wert der Quelle übernehmen' }).click()
  await page.getByText('Die Angaben der Quelle wurden übernommen').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Konflikte' }).count(), 0)
  await page.goto('/de/kalender/2031-10')
  await page
    .getByRole('link', { name: /Messe in h-Moll/ })
    .first()
    .waitFor()
  await context.close()
})
