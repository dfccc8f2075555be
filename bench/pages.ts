import { gzipSync } from 'node:zlib'
import { runKalends } from '#test/support/kalends-process.ts'
import { type Environment, get } from './environment.ts'
import { compare, measure } from './measure.ts'
import { usualSize } from './options.ts'
import { makeEventsDatabase } from './sample-events.ts'
import { newValueRow, type Row } from './table.ts'

const thisMonth = new Date().toISOString().slice(0, 7)
const addMonths = (count: number) => {
  const date = new Date(`${thisMonth}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}
const monthsName = 'pages of 240 different months'
const pages = { home: '/en', month: `/en/calendar/${thisMonth}`, list: '/en/calendar/list' }

/** Pages of the public site on a calendar of the usual size, and how much a browser has to load. */
export async function benchPages(environment: Environment): Promise<Row[]> {
  const databaseUrl = await makeEventsDatabase(environment, usualSize)
  const uncached = await environment.start(databaseUrl)
  const caching = await environment.start(databaseUrl, { RESPONSE_CACHE: '32' })
  const page = (path: string, target = uncached) => ({ target, requests: [get(path)], status: 200 })
  // All months with events: when one is requested again, nothing of it is cached any more.
  const months = Array.from({ length: 240 }, (_, index) => get(`/en/calendar/${addMonths(index - 180)}`))
  const results = await measure(environment, {
    'node:http, month': await environment.createRawLimit(page(pages.month), 'ready'),
    'page of a month, cached': page(pages.month, caching),
    [monthsName]: { ...page(pages.month, caching), requests: months }
  })
  const downloads = await measureDownloads(environment)
  await Promise.all([uncached.stop(), caching.stop()])
  const month = 'node:http, month'
  return [
    compare(results, { section: 'different requests in turn', name: monthsName, limit: month }),
    compare(results, { section: 'cached', name: 'page of a month, cached', limit: month, floor: 0.45, goal: 0.7 }),
    ...downloads
  ]
}

/** What a browser has to load, with the sample content that comes with the program. */
async function measureDownloads(environment: Environment): Promise<Row[]> {
  const databaseUrl = await environment.database('sample', async () => {})
  const seeded = await runKalends(['seed'], { DATABASE_URL: databaseUrl })
  if (seeded.code !== 0) throw new Error(`The sample content failed:\n${seeded.stderr}`)
  const sample = await environment.start(databaseUrl)
  const loaded = new Map<string, string>()
  const load = async (path: string) => {
    const text = loaded.get(path) ?? (await (await fetch(sample.url + path)).text())
    loaded.set(path, text)
    return text
  }
  let [html, styles, scripts, calendarScripts] = [0, 0, 0, 0]
  for (const path of [...Object.values(pages), '/en/calendar', '/en/donate', `/en/donate/1`]) {
    const text = await load(path)
    const findPaths = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, address = '']) => address)
    const sumGzipped = async (paths: string[]) => {
      const parts = await Promise.all(paths.map(load))
      return parts.reduce((bytes, part) => bytes + gzipSync(part).length, 0)
    }
    const scriptBytes = await sumGzipped(await listImports(findPaths(/<script[^>]+src="([^"]+)"/g), load))
    html = Math.max(html, Buffer.byteLength(text))
    styles = Math.max(styles, await sumGzipped(findPaths(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)))
    scripts = Math.max(scripts, scriptBytes)
    if (path.startsWith('/en/calendar')) calendarScripts = Math.max(calendarScripts, scriptBytes)
  }
  await sample.stop()
  const row = (name: string, bytes: number, floor: number, goal = floor) =>
    newValueRow({ section: 'what browsers load', name, unit: 'KB', value: bytes / 1024, floor, goal })
  return [
    row('HTML of a public page', html, 40),
    row('its styles, gz', styles, 12),
    row('its scripts, gz', scripts, 3),
    row('scripts of calendar pages, gz', calendarScripts, 3, 0)
  ]
}

/** Scripts with everything that they import when they start; what they load on demand is not part of it. */
async function listImports(scripts: string[], load: (path: string) => Promise<string>): Promise<string[]> {
  const found = new Set<string>(scripts)
  for (const script of found) {
    for (const [, name = ''] of (await load(script)).matchAll(/(?:from|import)"\.\/([^"]+)"/g))
      found.add(`/assets/${name}`)
  }
  return [...found]
}
