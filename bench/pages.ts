import { gzipSync } from 'node:zlib'
import { runKalends } from '#test/support/kalends-process.ts'
import { eventsOf } from './events-content.ts'
import { get, type Lab } from './lab.ts'
import { busy, usualSize } from './options.ts'
import { compared, measure } from './rounds.ts'
import type { Row } from './table.ts'

const month = new Date().toISOString().slice(0, 7)
const monthsLater = (count: number) => {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}
const pages = { home: '/en', month: `/en/calendar/${month}`, list: '/en/calendar/list' }

/** Pages of the public site with a hundred thousand events behind them, and what a browser has to load. */
export async function benchPages(lab: Lab): Promise<Row[]> {
  const databaseUrl = await eventsOf(lab, usualSize)
  const [kalends, remembering] = [await lab.start(databaseUrl), await lab.start(databaseUrl, { RESPONSE_CACHE: '32' })]
  const page = (path: string, target = kalends) => ({ target, requests: [get(path)], status: 200 })
  // Nobody shares a page here: what each costs alone.
  const months = Array.from({ length: 24 }, (_, index) => get(`/en/calendar/${monthsLater(index)}`))
  const results = await measure(
    lab,
    {
      'node:http, month': await lab.limit(page(pages.month), 'ready'),
      '24 months in turn, rendered': { ...page(pages.month), requests: months },
      'page of a month': page(pages.month),
      'page of a month, from the response cache': page(pages.month, remembering),
      'node:http, list': await lab.limit(page(pages.list), 'ready'),
      'page of the list': page(pages.list),
      'node:http, home': await lab.limit(page(pages.home), 'ready'),
      'home page': page(pages.home)
    },
    { at: [busy] }
  )
  const sizes = await sizesOf(lab)
  await Promise.all([kalends.stop(), remembering.stop()])
  const rows = [
    { what: '24 months in turn, rendered', limit: 'node:http, month' },
    { what: 'page of a month', limit: 'node:http, month' },
    { what: 'page of a month, from the response cache', limit: 'node:http, month', floor: 0.7, goal: 0.95 },
    { what: 'page of the list', limit: 'node:http, list' },
    { what: 'home page', limit: 'node:http, home' }
  ]
  return [...rows.flatMap(row => compared(results, { ...row, at: [busy] })), ...sizes]
}

/** What a browser has to load, with the sample content that comes with the program. */
async function sizesOf(lab: Lab): Promise<Row[]> {
  const databaseUrl = await lab.database('sample', async () => {})
  const seeded = await runKalends(['seed'], { DATABASE_URL: databaseUrl })
  if (seeded.code !== 0) throw new Error(`The sample content failed:\n${seeded.stderr}`)
  const sample = await lab.start(databaseUrl)
  const loaded = new Map<string, string>()
  const load = async (path: string) => {
    const text = loaded.get(path) ?? (await (await fetch(sample.url + path)).text())
    loaded.set(path, text)
    return text
  }
  let [html, styles, scripts, calendarScripts] = [0, 0, 0, 0]
  for (const path of [...Object.values(pages), '/en/calendar', '/en/donate', `/en/donate/1`]) {
    const text = await load(path)
    const sum = async (form: RegExp) => {
      const parts = await Promise.all([...text.matchAll(form)].map(async ([, address = '']) => await load(address)))
      return parts.reduce((bytes, part) => bytes + gzipSync(part).length, 0)
    }
    const ofScripts = await sum(/<script[^>]+src="([^"]+)"/g)
    html = Math.max(html, Buffer.byteLength(text))
    styles = Math.max(styles, await sum(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g))
    scripts = Math.max(scripts, ofScripts)
    if (path.startsWith('/en/calendar')) calendarScripts = Math.max(calendarScripts, ofScripts)
  }
  await sample.stop()
  const row = (name: string, bytes: number, floor: number, goal = floor): Row => ({
    ...{ name, unit: 'KB', value: bytes / 1024, limit: null, ratio: null, floor, goal }
  })
  return [
    row('HTML of a public page', html, 40),
    row('its styles, gz', styles, 12),
    row('its scripts, gz', scripts, 20),
    row('scripts of calendar pages, gz', calendarScripts, 20, 0)
  ]
}
