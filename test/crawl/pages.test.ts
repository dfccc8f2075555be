// test: own process, long
// Every page of the site and of the console in a real browser: accessible, within its size budget, without errors.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page, Response } from 'playwright-core'
import { writeVerifiedBackup } from '#platform/backup/verified-file.ts'
import { type Language, languages } from '#platform/language.ts'
import { newSetupToken } from '#platform/setup/setup.ts'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '../support/browser.ts'
import { findRoute, recordPageRoutes } from '../support/crawl/page-routes.ts'
import { migrations } from '../support/database.ts'
import { isFullRun, skipUnlessFull } from '../support/full-run.ts'
import { findHtmlFaults } from '../support/html-rules.ts'
import { type KnownPage, listPages } from '../support/pages.ts'
import { type Client, calendar, startSite, type TestResponse } from '../support/services.ts'

const { skip } = getBrowserSkip()
const backups = mkdtempSync(join(tmpdir(), 'kalends-backups-'))
after(() => rmSync(backups, { recursive: true, force: true }))
const env = { TIMEZONE: 'Europe/Berlin', BACKUP_DIR: backups }
const { started: site, routes } = await recordPageRoutes(async () =>
  skip === false ? await startSiteAndBrowser({ env }) : undefined
)
const pages = site === undefined ? undefined : await listPages(site)
if (site !== undefined) await createLongWords(site.admin)
const backup = 'kalends-manual-2026-11-15T120000Z.backup'
if (site !== undefined) await writeVerifiedBackup(site.store.connection, join(backups, backup), migrations)

/** Names with a word that is longer than the screen of a phone, where they are beside other content. */
async function createLongWords(admin: Client): Promise<void> {
  const word = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'
  await admin.patch('/site', { name: `Verein ${word}`, tagline: { en: word, de: word } })
  const venue = (await admin.post(`${calendar}/venues`, { venue: word, city: word })).body.id
  const category = (await admin.post(`${calendar}/categories`, { name: word })).body.id
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const times = { start_date: `${day} 08:00`, end_date: `${day} 09:00` }
  const website = 'https://example.org/?q="x"'
  const event = { title: word, ...times, venue, categories: [category], website }
  assert.equal((await admin.post(`${calendar}/events`, event)).status, 201)
}

type Side = 'public' | 'console' | 'signed-out'
const widths = { desktop: 1280, phone: 390 }
/** The smallest phones, and a desktop at 400 %. */
const smallestWidth = 320
const htmlBytesMax = 40_000
const cssBytesMax = 12_000
const jsBytesMax = 3_000

async function findOverflow(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  const tooWide = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
  return tooWide > 0 ? [`${tooWide} pixels wider than a screen of ${width}`] : []
}

/** On the smallest screen, with everything that can be unfolded. */
async function findOverflowUnfolded(page: Page): Promise<string[]> {
  await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
  return await findOverflow(page, smallestWidth)
}

interface LoadedPage {
  response: Response | null
  scripts: Map<string, Buffer>
  styles: Map<string, Buffer>
  complaints: string[]
}

/** Opens a page and collects what it loads and the errors of the browser. */
async function visit(page: Page, path: string): Promise<LoadedPage> {
  const loaded: LoadedPage = { response: null, scripts: new Map(), styles: new Map(), complaints: [] }
  const loading: Promise<void>[] = []
  const onResponse = (response: Response) => {
    const kind = response.request().resourceType()
    if (kind !== 'script' && kind !== 'stylesheet') return
    // Files of a preview in a frame are counted at the page of the frame.
    if (response.frame() !== page.mainFrame()) return
    const kept = kind === 'script' ? loaded.scripts : loaded.styles
    loading.push(response.body().then(body => void kept.set(response.url(), body)))
  }
  const onConsole = (message: { type(): string; text(): string }) => {
    // The browser logs an error for every page with status 404, 410 or 403.
    if (message.type() === 'error' && !/status of (404|410|403)/.test(message.text()))
      loaded.complaints.push(message.text())
  }
  const onError = (error: Error) => loaded.complaints.push(String(error))
  page.on('response', onResponse).on('console', onConsole).on('pageerror', onError)
  loaded.response = await page.goto(path, { waitUntil: 'load' })
  await Promise.all(loading)
  page.off('response', onResponse).off('console', onConsole).off('pageerror', onError)
  return loaded
}

async function openContext(side: Side, language: Language): Promise<BrowserContext> {
  assert.ok(site !== undefined && pages !== undefined)
  const context = await site.open({ language })
  await injectAxe(context)
  const { hostname } = new URL(site.origin)
  const cookie =
    side === 'console'
      ? { name: 'kalends_session', value: pages.sessions[language] }
      : // What the page that asks for the second factor needs.
        { name: 'kalends_sign_in', value: 'an attempt' }
  if (side !== 'public') await context.addCookies([{ ...cookie, domain: hostname, path: '/admin' }])
  return context
}

/** A full run combines everything. Otherwise every ninth page is opened: in one language, one width and one colour scheme. */
const isPicked = (language: Language, index: number) => isFullRun || index % 18 === (language === 'en' ? 0 : 9)

const countGzippedBytes = (parts: Map<string, Buffer>) =>
  [...parts.values()].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)

/** What a public page loads beyond its size budget. */
async function findBudgetFaults(path: string, { response, scripts, styles }: LoadedPage): Promise<string[]> {
  const isCalendar = /^\/(en\/calendar|de\/kalender|(en|de)\/$)/.test(path)
  const sizes = {
    HTML: [(await response?.body())?.length ?? 0, htmlBytesMax],
    CSS: [countGzippedBytes(styles), cssBytesMax],
    JavaScript: [countGzippedBytes(scripts), isCalendar ? 0 : jsBytesMax]
  } as const
  return Object.entries(sizes).flatMap(([what, [bytes, most]]) =>
    bytes > most ? [`${bytes} bytes of ${what}, more than ${most}`] : []
  )
}

const signInPages: KnownPage[] = [
  '/admin/sign-in',
  '/admin/sign-in/code?passkey=yes',
  '/admin/forgotten',
  '/admin/reset?token=unknown',
  '/admin/invitation?token=unknown'
].map(path => ({ path, status: path.endsWith('token=unknown') ? 410 : 200 }))

function listKnown(side: Side, language: Language): KnownPage[] {
  if (pages === undefined) return []
  if (side === 'signed-out') return signInPages
  return side === 'public'
    ? pages.public(language)
    : [...pages.console(), { path: `/admin/data/backups/${backup}/restore`, status: 200 }]
}

for (const side of ['public', 'console', 'signed-out'] as const) {
  for (const language of languages) {
    const budget = side === 'public' ? ', within its budget' : ''
    test(`every ${side} page in ${language} is accessible and without errors: wide and narrow, light and dark${budget}`, {
      skip
    }, async () => {
      const context = await openContext(side, language)
      const page = await context.newPage()
      const found: string[] = []
      for (const [index, { path, status }] of listKnown(side, language).entries()) {
        if (!isPicked(language, index)) continue
        const loaded = await visit(page, path)
        const complaints = [...loaded.complaints, ...(side === 'public' ? await findBudgetFaults(path, loaded) : [])]
        complaints.push(...findHtmlFaults((await loaded.response?.text()) ?? ''))
        if (loaded.response?.status() !== status) complaints.push(`status ${loaded.response?.status()}, not ${status}`)
        const dead = await page.locator('button[data-copy][hidden]').count()
        if (dead > 0) complaints.push(`${dead} copy buttons that no script of the page shows`)
        for (const [device, width] of Object.entries(widths)) {
          complaints.push(...(await findOverflow(page, width)))
          const turn = Math.floor(index / 18)
          const isTurn = isFullRun || turn % 2 === (device === 'desktop' ? 0 : 1)
          const isDarkTurn = turn % 4 < 2
          if (isTurn && (isFullRun || !isDarkTurn)) {
            complaints.push(...(await findAxeViolations(page)).map(line => `${device}: ${line}`))
          }
          if (isTurn && (isFullRun || isDarkTurn)) {
            await page.emulateMedia({ colorScheme: 'dark' })
            complaints.push(...(await findAxeViolations(page, 'colours')).map(line => `${device}, dark: ${line}`))
            await page.emulateMedia({ colorScheme: 'light' })
          }
        }
        complaints.push(...(await findOverflowUnfolded(page)))
        found.push(...complaints.map(line => `${path}: ${line}`))
      }
      await context.close()
      assert.deepEqual(found, [])
    })
  }
}

test('the rules of HTML find what is not valid', () => {
  const faulty = {
    '<p><div></div></p>': '<div> is in <p>',
    '<ul><p></p></ul>': '<p> is directly in <ul>',
    '<a href="/x"><button></button></a>': '<button> is in <a>',
    '<i id="x"></i><i id="x"></i>': 'two elements with the id x',
    '<label for="y"></label>': '<label> for: no element with the id y',
    '<img src="/x.png">': '<img> has no alt',
    '<input type="url" value="https://example.org/a b">':
      '<input type=url> has a URL that is not encoded: https://example.org/a b',
    '<b><i></b></i>': '</b> ends <i>'
  }
  for (const [html, fault] of Object.entries(faulty)) assert.deepEqual(findHtmlFaults(html), [fault], html)
  assert.deepEqual(
    findHtmlFaults('<p><label>a<input type="text"></label><br></p><dl><dt>a</dt><dd><p>b</p></dd></dl>'),
    []
  )
})

/** Routes of pages that show nothing of their own. */
const redirects = [
  '/admin/donors/of/:donation',
  '/admin/sign-in/openid',
  '/admin/sign-in/openid/return',
  '/admin/sign-in/passkey'
]
const setupPages = ['/admin/setup', '/admin/setup/restore']

test('every page that the program has is in these lists', { skip }, () => {
  const listed = languages.flatMap(language =>
    (['public', 'console', 'signed-out'] as const).flatMap(side => listKnown(side, language))
  )
  const seen = new Set([...listed.map(({ path }) => findRoute(routes, 'GET', path)?.path), ...redirects, ...setupPages])
  const isPage = (path: string) => /^\/(?:en|de|admin)(?:\/|$)/.test(path) && !/\.[a-z]+$/.test(path)
  const shown = routes.filter(({ method, path }) => method === 'GET' && isPage(path)).map(({ path }) => path)
  assert.ok(shown.length > 150, `only ${shown.length} pages`)
  assert.deepEqual(
    shown.filter(path => !seen.has(path)),
    []
  )
})

test('the pages of the first run are accessible: wide and narrow, light and dark', { skip }, async () => {
  assert.ok(site !== undefined)
  const fresh = await startSite({ env: { BACKUP_DIR: backups } })
  const origin = await fresh.server.app.listen({ host: '127.0.0.1', port: 0 })
  const token = await newSetupToken(fresh.store)
  const found: string[] = []
  for (const language of isFullRun ? languages : (['de'] as const)) {
    const context = await site.open({ language })
    await injectAxe(context)
    const page = await context.newPage()
    for (const path of ['/admin/setup', ...setupPages.map(one => `${one}?token=${token}`)]) {
      const { response, complaints } = await visit(page, origin + path)
      complaints.push(...findHtmlFaults((await response?.text()) ?? ''))
      if (response?.status() !== 200) complaints.push(`answered ${response?.status()}`)
      for (const [device, width] of Object.entries(widths)) {
        complaints.push(...(await findOverflow(page, width)))
        if (isFullRun || device === 'desktop') complaints.push(...(await findAxeViolations(page)))
        if (isFullRun || device !== 'desktop') {
          await page.emulateMedia({ colorScheme: 'dark' })
          complaints.push(...(await findAxeViolations(page, 'colours')))
          await page.emulateMedia({ colorScheme: 'light' })
        }
      }
      complaints.push(...(await findOverflowUnfolded(page)))
      found.push(...complaints.map(line => `${path} in ${language}: ${line}`))
    }
    await context.close()
  }
  assert.deepEqual(found, [])
})

test('every public page has one canonical URL, links to both languages, and has no broken links', {
  skip: skip || skipUnlessFull
}, async () => {
  assert.ok(site !== undefined && pages !== undefined)
  const follow = async (path: string): Promise<TestResponse> => {
    const answer = await site.visitor.get(path, { accept: 'text/html' })
    const { location } = answer.headers
    return answer.status === 301 && location !== undefined ? await follow(location) : answer
  }
  const checked = new Map<string, number>()
  const broken: string[] = []
  for (const language of languages) {
    for (const [index, { path, status, isPrivate }] of pages.public(language).entries()) {
      if (!isPicked(language, index)) continue
      const { text } = await follow(path)
      const canonical = [...text.matchAll(/<link rel="canonical" href="([^"]+)"/g)]
      if (status === 200 && isPrivate !== true && !/<meta name="description" content="[^"]/.test(text))
        broken.push(`${path}: no description`)
      if (status === 200 && isPrivate !== true && canonical.length !== 1)
        broken.push(`${path}: ${canonical.length} canonical addresses`)
      const links = [...text.matchAll(/<(?:a|link|img|script|source)\b[^>]*?\b(?:href|src)="(\/[^"#]*)/g)].map(
        match => match[1] ?? ''
      )
      const translations = [
        ...text.matchAll(/<link rel="alternate" hreflang="[a-z]+" href="https?:\/\/[^/"]+([^"]*)"/g)
      ].map(match => match[1] ?? '')
      if (status === 200 && isPrivate !== true && translations.length !== 2)
        broken.push(`${path}: ${translations.length} languages`)
      for (const link of new Set([...links, ...translations])) {
        const target = link.replaceAll('&amp;', '&')
        let targetStatus = checked.get(target)
        if (targetStatus === undefined) {
          targetStatus = (await site.visitor.get(target, { accept: 'text/html' })).status
          checked.set(target, targetStatus)
        }
        if (targetStatus >= 400) broken.push(`${path} links to ${target}: ${targetStatus}`)
      }
    }
  }
  assert.ok(checked.size > 50, 'links are not found any more')
  assert.deepEqual(broken, [])
})
