import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after } from 'node:test'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { installFromDebian } from './debian.ts'
import { type Start, startSite } from './services.ts'

/** The headless shell needs a fifth less processor time for the same pages. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const findBrowser = () => programs.find(program => existsSync(program))

/** The reason to skip tests in a browser: there is none, and none can be installed. */
export function getBrowserSkip(): { skip: string | false } {
  return { skip: findBrowser() === undefined && 'Chromium is not installed, and installing it needs root.' }
}

export function installBrowser(): void {
  if (findBrowser() === undefined) installFromDebian('Chromium', 'chromium-headless-shell')
  if (findBrowser() === undefined) console.log('Chromium is not installed: tests in a browser are skipped.')
}

/** Disables background requests, which time out in a closed network. */
const disabledFeatures = [
  'background-networking',
  'component-update',
  'sync',
  'quic',
  'gpu',
  'default-apps',
  'extensions'
]

export interface BrowserOptions {
  language?: 'en' | 'de'
  width?: number
  dark?: boolean
  withoutScripts?: boolean
}

/** The whole program on a port, and a browser. Both are closed after the file's tests. */
export async function startSiteAndBrowser(start: Start = {}) {
  const site = await startSite(start)
  const origin = await site.server.app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await launchBrowser()

  async function open({
    language = 'en',
    width = 1280,
    dark,
    withoutScripts
  }: BrowserOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: origin,
      locale: language === 'de' ? 'de-DE' : 'en-GB',
      viewport: { width, height: width < 600 ? 844 : 900 },
      colorScheme: dark === true ? 'dark' : 'light',
      javaScriptEnabled: withoutScripts !== true
    })
    context.setDefaultTimeout(60_000)
    return context
  }

  return { ...site, origin, open }
}

/** A browser, which is closed after the file's tests. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? '',
    args: ['--no-sandbox', '--no-first-run', ...disabledFeatures.map(name => `--disable-${name}`)]
  })
  after(async () => await browser.close())
  return browser
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Injects axe, which `findAxeViolations` needs, into every page of a browser. */
export async function injectAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe })
}

/** The violations of accessibility rules that axe finds, one line each. `colours` checks contrast only. */
export async function findAxeViolations(page: Page, which: 'all' | 'colours' = 'all'): Promise<string[]> {
  const runOnly = which === 'all' ? rules : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})`
  )) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`
    )
  )
}
