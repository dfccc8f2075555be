import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

type Thing = Record<string, unknown>

/** What a site with The Events Calendar has to show. A test changes it as it likes. */
export interface TecSite {
  url: string
  lists: Record<'events' | 'venues' | 'organizers' | 'categories' | 'tags', Thing[]>
  /** Answers in place of the site where it says true. */
  answer: ((url: URL, response: ServerResponse, request: IncomingMessage) => boolean) | undefined
  /** The requested paths and queries. */
  asked: string[]
}

const namespace = '/wp-json/tribe/events/v1/'

/** A minimal site with The Events Calendar: lists in pages, and 404 after the last. Closed after the file's tests. */
export async function startTecSite(events: Thing[] = []): Promise<TecSite> {
  const lists = { events, venues: [], organizers: [], categories: [], tags: [] }
  const site: TecSite = { url: '', lists, answer: undefined, asked: [] }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', site.url)
    site.asked.push(url.pathname + url.search)
    if (site.answer?.(url, response, request) === true) return
    const name = url.pathname.startsWith(namespace) ? url.pathname.slice(namespace.length) : ''
    const refused = ['start_date', 'end_date'].filter(parameter => isRefusedDate(url.searchParams.get(parameter)))
    if (refused.length > 0) return sendInvalidParams(response, refused)
    if (name in lists) answerList(site.lists[name as keyof typeof lists], name, url, response)
    else if (url.pathname === '/') response.setHeader('content-type', 'text/html').end('<h1>A site</h1>')
    else sendJson(response, 404, { code: 'rest_no_route', message: 'No route', data: { status: 404 } })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return site
}

/** The plugin accepts a date if `is_numeric($value) || strtotime($value)`: 0, the epoch, counts as false. */
function isRefusedDate(given: string | null): boolean {
  if (given === null || /^\d+$/.test(given)) return false
  const ms = Date.parse(`${given.replace(' ', 'T')}Z`)
  return Number.isNaN(ms) || ms === 0
}

function sendInvalidParams(response: ServerResponse, names: string[]): void {
  sendJson(response, 400, {
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${names.join(', ')}`,
    data: { status: 400, params: Object.fromEntries(names.map(name => [name, 'Invalid parameter.'])), details: [] }
  })
}

function answerList(list: Thing[], name: string, url: URL, response: ServerResponse): void {
  const size = Number(url.searchParams.get('per_page') ?? 10)
  const page = Number(url.searchParams.get('page') ?? 1)
  const pages = Math.ceil(list.length / size)
  if (page > 1 && page > pages) {
    sendJson(response, 404, { code: 'page-not-found', data: { status: 404 } })
    return
  }
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  sendJson(response, 200, {
    [name]: list.slice((page - 1) * size, page * size),
    rest_url: url.href,
    ...(page < pages ? { next_rest_url: next.href } : {}),
    total: list.length,
    total_pages: pages
  })
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
}

/** An event as the real one writes it. */
export function buildTecEvent(id: number, fields: Thing = {}): Thing {
  return {
    id,
    global_id: `site?id=${id}`,
    author: '1',
    status: 'publish',
    date: '2026-11-15 02:53:59',
    date_utc: '2026-11-15 01:53:59',
    url: `https://site.example/event/event-${id}/`,
    title: `Event ${id}`,
    description: `<p>About ${id}</p>`,
    excerpt: '',
    slug: `event-${id}`,
    image: false,
    all_day: false,
    start_date: '2027-12-01 10:00:00',
    end_date: '2027-12-01 11:00:00',
    utc_start_date: '2027-12-01 09:00:00',
    utc_end_date: '2027-12-01 10:00:00',
    timezone: 'Europe/Berlin',
    timezone_abbr: 'CET',
    cost: '',
    website: `https://site.example/event/event-${id}/`,
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    ...fields
  }
}
