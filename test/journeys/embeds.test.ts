// test: full
// Our custom elements and frames on a page of another origin with a strict content security policy.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '../support/browser.ts'
import { calendar, campaign } from '../support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const hostile = `Tom & "Jerry" <img src=x onerror=document.title='stolen'>`

async function create(path: string, fields: object): Promise<{ id: number }> {
  const { status, body, text } = (await site?.admin.post(path, fields)) ?? { status: 0, body: {}, text: '' }
  assert.equal(status, 201, text)
  return body
}

const content = site === undefined ? undefined : await createContent()
const openOnOtherSite = site === undefined ? undefined : await startOtherSite(site.origin)

async function createContent() {
  const upcoming = { start_date: '2098-06-14 14:00:00', end_date: '2098-06-14 18:00:00', venue: { venue: hostile } }
  const music = await create(`${calendar}/categories`, { name: 'Music' })
  await create(`${calendar}/events`, { ...upcoming, title: 'Concert', language: 'en', categories: [music.id] })
  await create(`${calendar}/events`, {
    title: 'A week abroad',
    start_date: '2098-06-16 08:00:00',
    end_date: '2098-06-20 09:00:00',
    timezone: 'America/New_York',
    event_status: 'canceled'
  })
  const roof = await create('/campaigns', { ...campaign, name: hostile, language: 'en' })
  return { music, roof }
}

/** Another site, with pages of the test. */
async function startOtherSite(origin: string) {
  const bodies = new Map<string, string>()
  const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; frame-src ${origin}`
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    response.end(`<!doctype html><html lang="en"><head><title>Our club</title></head><body><main><h1>Our club</h1>
<h2>What is on</h2>${bodies.get(request.url ?? '') ?? ''}</main></body></html>`)
  })
  await new Promise<void>(resolve => void server.listen(0, 'localhost', resolve))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  /** Opens a page with this body; messages of the browser are added to the complaints. */
  return async (context: BrowserContext, body: string, complaints: string[] = []): Promise<Page> => {
    const path = `/${bodies.size}`
    bodies.set(path, body)
    const page = await context.newPage()
    page.on('console', message => void complaints.push(message.text()))
    page.on('pageerror', error => void complaints.push(String(error)))
    await page.goto(`http://localhost:${port}${path}`)
    return page
  }
}

const script = () => `<script type="module" src="${site?.origin}/widgets/v1.js"></script>`

test('both elements work on a page of another origin with a strict policy: accessible, without cookies, titles escaped', {
  skip
}, async () => {
  assert.ok(site !== undefined && content !== undefined && openOnOtherSite !== undefined)
  const context = await site.open()
  await injectAxe(context)
  const complaints: string[] = []
  const page = await openOnOtherSite(
    context,
    `${script()}<kalends-events><a href="/x">Fallback</a></kalends-events>
<kalends-campaign campaign="${content.roof.id}" theme="light"><span>Fallback</span></kalends-campaign>`,
    complaints
  )
  const concert = page.getByRole('link', { name: 'Concert' })
  await concert.waitFor()
  assert.equal(await concert.getAttribute('href'), `${site.origin}/en/event/concert`)
  assert.equal(await page.getByRole('heading', { level: 3, name: 'Concert' }).count(), 1)
  assert.equal(await page.getByRole('list').getByRole('listitem').count(), 2)
  const texts = await page.locator('kalends-events').getByRole('listitem').allInnerTexts()
  assert.match(texts[0] ?? '', /Sat,? 14 June 2098.*14:00\s?[–-]\s?18:00/)
  assert.match(texts[1] ?? '', /Cancelled.*\((?:EDT|EST|America\/New_York)\)/)
  assert.equal(await page.getByText('Fallback').filter({ visible: true }).count(), 0)

  const donate = page.getByRole('link', { name: `Donate to ${hostile}` })
  await donate.waitFor()
  assert.equal(await donate.getAttribute('href'), `${site.origin}/en/donate/${content.roof.id}#donate`)
  assert.equal(await page.getByRole('progressbar', { name: 'Received so far' }).count(), 1)
  assert.equal(await page.locator('img').count(), 0)
  assert.equal(await page.title(), 'Our club')

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await findAxeViolations(page), [], colorScheme)
  }
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.shadowRoot.activeElement.textContent'), 'Concert')
  assert.deepEqual(await context.cookies(), [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test('an element reloads when its attributes change, and shows its fallback content after an error', {
  skip
}, async () => {
  assert.ok(site !== undefined && content !== undefined && openOnOtherSite !== undefined)
  const context = await site.open()
  const page = await openOnOtherSite(
    context,
    `${script()}<kalends-events language="de" max="1" view="compact">Alle Termine</kalends-events>
<kalends-campaign campaign="999999"><a href="/donate">Donate here</a></kalends-campaign>`
  )
  const events = page.locator('kalends-events')
  await events.getByRole('link', { name: 'Concert' }).waitFor()
  assert.equal(await events.getByRole('listitem').count(), 1)
  assert.match((await events.getByRole('link').getAttribute('href')) ?? '', /\/de\/termin\/concert$/)
  assert.equal(await page.getByRole('link', { name: 'Donate here' }).isVisible(), true)

  const changeAndWait = (code: string, event: string) =>
    page.evaluate(`new Promise(resolve => {
      const element = document.querySelector('kalends-events')
      element.addEventListener('${event}', resolve, { once: true })
      ${code}
    }).then(() => true)`)
  await changeAndWait(
    `element.setAttribute('max', 5); element.setAttribute('level', '4'); element.removeAttribute('view')`,
    'kalends-load'
  )
  assert.equal(await events.getByRole('heading', { level: 4 }).count(), 2)
  await changeAndWait(`element.setAttribute('categories', ${content.music.id})`, 'kalends-load')
  assert.equal(await events.getByRole('heading').count(), 1)
  await changeAndWait(`element.setAttribute('categories', 'nothing-of-that')`, 'kalends-error')
  assert.equal(await page.getByText('Alle Termine').isVisible(), true)
  await changeAndWait(`element.removeAttribute('categories'); element.setAttribute('search', 'zzzz')`, 'kalends-load')
  assert.equal(await page.getByText('Keine kommenden Termine.').isVisible(), true)
  await context.close()
})

test('frames on a page of another origin get the height of their content, and their links open in the top window', {
  skip
}, async () => {
  assert.ok(site !== undefined && content !== undefined && openOnOtherSite !== undefined)
  const { origin } = site
  const context = await site.open()
  await injectAxe(context)
  const page = await openOnOtherSite(
    context,
    `${script()}<iframe src="${origin}/en/embed/events?theme=dark" title="Events" width="400" height="50"></iframe>
<iframe src="${origin}/en/embed/campaigns/${content.roof.id}" title="Campaign" sandbox="allow-scripts" width="400" height="50"></iframe>`
  )
  const campaignFrame = page.frameLocator('iframe[title=Campaign]')
  await campaignFrame.getByRole('heading', { level: 2, name: hostile }).waitFor()
  // Styles are loaded in a sandboxed frame, too.
  const inside = page.frames().find(frame => frame.url().includes('/campaigns/'))
  const colour = await inside?.evaluate(`getComputedStyle(document.querySelector('.button')).backgroundColor`)
  assert.equal(colour, 'rgb(165, 48, 27)')
  await page.waitForFunction(`[...document.querySelectorAll('iframe')].every(one => one.clientHeight > 100)`)
  assert.deepEqual(await findAxeViolations(page), [])
  assert.deepEqual(await context.cookies(), [])
  await page.frameLocator('iframe[title=Events]').getByRole('link', { name: 'Concert' }).click()
  await page.waitForURL(`${origin}/en/event/concert`)
  await context.close()
})

for (const withoutScripts of [false, true]) {
  test(`a visitor builds the embed code for a website, with JavaScript ${withoutScripts ? 'off' : 'on'}`, {
    skip
  }, async () => {
    assert.ok(site !== undefined && content !== undefined)
    const context = await site.open({ withoutScripts })
    const page = await context.newPage()
    await page.goto('/en/feeds')
    await page.getByLabel('Events on your website').check()
    await page.getByLabel('Layout').selectOption({ label: 'Short lines' })
    await page.getByText('Only some events?').click()
    await page.getByLabel('Category').selectOption({ label: 'Music' })
    const button = page.getByRole('button', { name: 'Show it' })
    if (withoutScripts) await button.click()
    else assert.equal(await button.isVisible(), false)
    const code = page.getByLabel('Code of the element', { exact: true })
    await page.waitForURL(/category=/)
    assert.match(
      await code.inputValue(),
      new RegExp(`<kalends-events language="en" categories="${content.music.id}" view="compact">`)
    )
    const preview = page.frameLocator('iframe')
    await preview.getByRole('link', { name: 'Concert' }).waitFor()
    assert.equal(await preview.getByText('A week abroad').count(), 0)
    await context.close()
  })
}

test('every feed is well-formed XML for the parser of a browser', { skip }, async () => {
  assert.ok(site !== undefined)
  const context = await site.open()
  const page = await context.newPage()
  await page.goto('/robots.txt')
  for (const path of ['/en/events.rss', '/de/events.atom', '/en/campaigns.rss', '/de/campaigns.atom']) {
    const { text } = await site.visitor.get(path)
    const [error, items] = (await page.evaluate(`(() => {
      const read = new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml')
      return [read.querySelector('parsererror')?.textContent ?? '', read.querySelectorAll('item, entry').length]
    })()`)) as [string, number]
    assert.equal(error, '', path)
    assert.ok(items > 0, path)
  }
  await context.close()
})
