// test: own process, long
// Every page of the site and of the console in a real browser: accessible, within its size budget, without errors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page, Response } from 'playwright-core'
import { type Language, languages } from '#platform/language.ts'
import { findAxeViolations, getBrowserSkip, injectAxe, startSiteAndBrowser } from '../support/browser.ts'
import { isFullRun } from '../support/full-run.ts'
import { listPages } from '../support/pages.ts'
import type { TestResponse } from '../support/services.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const pages = site === undefined ? undefined : await listPages(site)

const widths = { desktop: 1280, phone: 390 }
const htmlBytesMax = 40_000
const cssBytesMax = 12_000
const jsBytesMax = 20_000

interface Seen {
  response: Response | null
  scripts: Map<string, Buffer>
  styles: Map<string, Buffer>
  complaints: string[]
}

/** Opens a page and remembers what it loaded and what the browser had to say about it. */
async function visit(page: Page, path: string): Promise<Seen> {
  const seen: Seen = { response: null, scripts: new Map(), styles: new Map(), complaints: [] }
  const loading: Promise<void>[] = []
  const onResponse = (response: Response) => {
    const kind = response.request().resourceType()
    if (kind !== 'script' && kind !== 'stylesheet') return
    // What a preview loads in its frame is counted where that is a page of its own.
    if (response.frame() !== page.mainFrame()) return
    const kept = kind === 'script' ? seen.scripts : seen.styles
    loading.push(response.body().then(body => void kept.set(response.url(), body)))
  }
  const onConsole = (message: { type(): string; text(): string }) => {
    // A page for something that is not there is loaded with 404, which a browser always mentions.
    if (message.type() === 'error' && !/status of (404|410|403)/.test(message.text()))
      seen.complaints.push(message.text())
  }
  const onError = (error: Error) => seen.complaints.push(String(error))
  page.on('response', onResponse).on('console', onConsole).on('pageerror', onError)
  seen.response = await page.goto(path, { waitUntil: 'load' })
  await Promise.all(loading)
  page.off('response', onResponse).off('console', onConsole).off('pageerror', onError)
  return seen
}

async function openFor(side: 'public' | 'console', language: Language): Promise<BrowserContext> {
  assert.ok(site !== undefined && pages !== undefined)
  const context = await site.open({ language })
  await injectAxe(context)
  if (side === 'console') {
    const { hostname } = new URL(site.origin)
    const value = pages.sessions[language]
    await context.addCookies([{ name: 'kalends_session', value, domain: hostname, path: '/admin' }])
  }
  return context
}

/** A full run combines everything. Otherwise every third page is opened: in one language, one width and one colour scheme. */
const isTurnOf = (language: Language, index: number) => isFullRun || index % 6 === (language === 'en' ? 0 : 3)

const gzipped = (parts: Map<string, Buffer>) =>
  [...parts.values()].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)

/** What a public page loads beyond its budget. */
async function overBudget(path: string, { response, scripts, styles }: Seen): Promise<string[]> {
  const isCalendar = /^\/(en\/calendar|de\/kalender|(en|de)\/$)/.test(path)
  const loaded = {
    HTML: [(await response?.body())?.length ?? 0, htmlBytesMax],
    CSS: [gzipped(styles), cssBytesMax],
    JavaScript: [gzipped(scripts), isCalendar ? 0 : jsBytesMax]
  } as const
  return Object.entries(loaded).flatMap(([what, [bytes, most]]) =>
    bytes > most ? [`${bytes} bytes of ${what}, more than ${most}`] : []
  )
}

for (const side of ['public', 'console'] as const) {
  for (const language of languages) {
    const budget = side === 'public' ? ', within its budget' : ''
    test(`every ${side} page in ${language} is open to everybody: wide and narrow, light and dark${budget}`, {
      skip
    }, async () => {
      const context = await openFor(side, language)
      const page = await context.newPage()
      const found: string[] = []
      for (const [index, { path, status }] of (pages?.[side](language) ?? []).entries()) {
        if (!isTurnOf(language, index)) continue
        const seen = await visit(page, path)
        const complaints = [...seen.complaints, ...(side === 'public' ? await overBudget(path, seen) : [])]
        if (seen.response?.status() !== status) complaints.push(`answered ${seen.response?.status()}, not ${status}`)
        for (const [device, width] of Object.entries(widths)) {
          await page.setViewportSize({ width, height: 900 })
          const tooWide = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
          if (tooWide > 0) complaints.push(`${tooWide} pixels wider than the screen of a ${device}`)
          const turn = Math.floor(index / 6)
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
        found.push(...complaints.map(line => `${path}: ${line}`))
      }
      await context.close()
      assert.deepEqual(found, [])
    })
  }
}

test('every public page has one address, knows its twin in the other language, and leads nowhere that is not there', {
  skip
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
      if (!isTurnOf(language, index)) continue
      const { text } = await follow(path)
      const canonical = [...text.matchAll(/<link rel="canonical" href="([^"]+)"/g)]
      if (status === 200 && isPrivate !== true && canonical.length !== 1)
        broken.push(`${path}: ${canonical.length} canonical addresses`)
      const links = [...text.matchAll(/<(?:a|link|img|script|source)\b[^>]*?\b(?:href|src)="(\/[^"#]*)/g)].map(
        match => match[1] ?? ''
      )
      const twins = [...text.matchAll(/<link rel="alternate" hreflang="[a-z]+" href="https?:\/\/[^/"]+([^"]*)"/g)].map(
        match => match[1] ?? ''
      )
      if (status === 200 && isPrivate !== true && twins.length !== 2) broken.push(`${path}: ${twins.length} languages`)
      for (const link of new Set([...links, ...twins])) {
        const target = link.replaceAll('&amp;', '&')
        let answered = checked.get(target)
        if (answered === undefined) {
          answered = (await site.visitor.get(target, { accept: 'text/html' })).status
          checked.set(target, answered)
        }
        if (answered >= 400) broken.push(`${path} leads to ${target}: ${answered}`)
      }
    }
  }
  assert.ok(checked.size > 50, 'Links are not found any more.')
  assert.deepEqual(broken, [])
})
