// Malicious content in all texts, in a real browser: no script runs, with and without the Content-Security-Policy.
import type { BrowserContext } from 'playwright-core'
import { getBrowserSkip, launchBrowser } from '../support/browser.ts'
import { startPageCrawler } from '../support/crawl/page-crawler.ts'
import { type Finding, toFinding, toSkippedFinding } from '../support/security/checks.ts'
import { createMaliciousEmails } from '../support/security/malicious-emails.ts'

export async function checkBrowser(): Promise<Finding[]> {
  const { skip } = getBrowserSkip()
  if (skip !== false) return [toSkippedFinding('browser', skip)]
  const crawler = await startPageCrawler()
  const origin = await crawler.server.app.listen({ host: '127.0.0.1', port: 0 })
  const chromium = await launchBrowser()
  const { made, routes, fill } = crawler
  const files = /\.(?:csv|json|jsonl|ics|css|txt|pdf|xml|png)$|^\/(?:assets|widgets)\/|^\/oembed|sign-out/
  const known = [...made.pages.public('en'), ...made.pages.public('de'), ...made.pages.console()].map(
    ({ path }) => path
  )
  const paths = [
    ...new Set([...known, ...routes.filter(({ method }) => method === 'GET').map(({ path }) => fill(path))])
  ]
  const pages = paths.filter(path => !files.test(path.split('?')[0] ?? ''))

  const faults: string[] = []
  const emails = await createMaliciousEmails()
  if (emails.length < 5) faults.push(`only ${emails.length} emails were sent`)
  for (const bypassCSP of [false, true]) {
    const context = await chromium.newContext({ baseURL: origin, bypassCSP })
    const [name = '', value = ''] = crawler.cookieOf('admin').cookie.split('=')
    await context.addCookies([{ name, value, url: `${origin}/admin` }])
    await visitPages(context, pages, emails, bypassCSP ? 'without the policy' : 'with the policy', faults)
    await context.close()
  }
  const { headers } = await crawler.visitor.get('/en')
  const policy = headers['content-security-policy'] ?? ''
  if (/unsafe-(?:inline|eval)|\*/.test(policy)) faults.push(`the policy is too wide: ${policy}`)
  return [
    toFinding(
      'browser',
      `${pages.length} pages and ${emails.length} emails with malicious content in all texts, with the policy and without`,
      'no script runs, no page without a policy',
      faults
    )
  ]
}

/** Opens every page; the function that the payloads call is defined and reports the call. */
async function visitPages(
  context: BrowserContext,
  pages: string[],
  emails: string[],
  how: string,
  faults: string[]
): Promise<void> {
  const page = await context.newPage()
  let at = 'nowhere'
  const executed = new Set<string>()
  await page.exposeFunction('steal', () => void executed.add(at))
  await page.addInitScript('window.alert = window.prompt = window.confirm = () => window.steal()')
  page.on('dialog', dialog => {
    // Our own forms ask before changes are lost: those that the events below made. No payload can ask that.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    executed.add(at)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (/evil\.example/.test(new URL(request.url()).host)) faults.push(`${at} requested ${request.url()}, ${how}`)
  })
  // The payload works on an unprotected page; otherwise the check would prove nothing.
  await page.setContent('<img src="x:" onerror="steal()">')
  await page.waitForTimeout(500)
  if (!executed.delete('nowhere')) faults.push(`an executed script would not be detected, ${how}`)

  for (at of pages) {
    const answer = await page.goto(at, { waitUntil: 'load' }).catch((error: Error) => {
      // A download is no page.
      if (!/Download is starting|ERR_ABORTED/.test(error.message)) faults.push(`${at}: ${error.message.slice(0, 200)}`)
      return null
    })
    const type = answer?.headers()['content-type'] ?? ''
    if (!type.startsWith('text/html')) continue
    if (answer?.headers()['content-security-policy'] === undefined) faults.push(`${at} has no policy`)
    // Payloads that wait for the pointer or the focus.
    await page.evaluate(() => {
      for (const element of globalThis.document.querySelectorAll<HTMLElement>('body *')) {
        for (const kind of ['mouseover', 'focus', 'pointerenter', 'toggle', 'error'])
          element.dispatchEvent(new Event(kind))
      }
    })
  }
  at = 'an email'
  for (const email of emails) await page.setContent(email)
  for (const path of executed) faults.push(`${path} ran a script, ${how}`)
}
