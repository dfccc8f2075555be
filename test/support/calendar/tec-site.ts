import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

type Json = Record<string, unknown>

/** The content of a site with The Events Calendar. Tests can change it. */
export interface TecSite {
  url: string
  lists: Record<'events' | 'venues' | 'organizers' | 'categories' | 'tags', Json[]>
  /** Data of WordPress posts: the password and the metadata of events, by id. */
  posts: Record<string, { password?: string; meta?: Json }>
  media: { id: number; alt_text: string }[]
  /** The user and application password that the site accepts. */
  login: { user: string; password: string } | undefined
  /** Handles a request instead of the site if it returns true. */
  answer: ((url: URL, response: ServerResponse, request: IncomingMessage) => boolean) | undefined
  /** The requested paths and queries. */
  requestedPaths: string[]
}

/** A minimal site with The Events Calendar: lists in pages, and 404 after the last. Closed after the file's tests. */
export async function startTecSite(events: Json[] = []): Promise<TecSite> {
  const lists = { events, venues: [], organizers: [], categories: [], tags: [] }
  const site: TecSite = {
    url: '',
    lists,
    posts: {},
    media: [],
    login: undefined,
    answer: undefined,
    requestedPaths: []
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', site.url)
    site.requestedPaths.push(url.pathname + url.search)
    if (site.answer?.(url, response, request) === true) return
    if (url.pathname === '/') response.setHeader('content-type', 'text/html').end('<h1>A site</h1>')
    else {
      const { status, body } = answerApi(site, url, request)
      sendJson(response, status, body)
    }
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

interface Answer {
  status: number
  body: unknown
}

function answerApi(site: TecSite, url: URL, request: IncomingMessage): Answer {
  const { authorization } = request.headers
  const { user = '', password = '' } = site.login ?? {}
  const isEditor = authorization !== undefined
  // WordPress refuses wrong credentials on public routes as well.
  if (isEditor && authorization !== `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
    return newError(401, 'incorrect_password')
  const [, api = '', path = ''] = /^\/wp-json\/(tribe\/events\/v1|wp\/v2|tec\/v1)\/(.*)$/.exec(url.pathname) ?? []
  const [list = '', id] = path.split('/')
  if (api === 'tribe/events/v1' && list in site.lists) {
    if (id !== undefined && list === 'events') return answerEvent(site, url, { id, isEditor })
    return answerCalendar(site, url, { list: list as keyof TecSite['lists'], isEditor })
  }
  if (api === 'wp/v2' && list === 'tribe_events' && id !== undefined) return answerPost(site, url, { id, isEditor })
  if (api === 'wp/v2' && list === 'tribe_events') return answerPosts(site, url)
  if (api === 'wp/v2' && list === 'media') {
    const wanted = url.searchParams.get('include')?.split(',') ?? []
    return newAnswer(site.media.filter(item => wanted.includes(String(item.id))))
  }
  if (api === 'tec/v1' && list === 'events') return answerAllEvents(site, url, { request, isEditor })
  return newError(404, 'rest_no_route')
}

const isTrash = (event: Json | null) => event?.status === 'trash'
const isPublic = (event: Json | null) => (event?.status ?? 'publish') === 'publish'

/** The lists of The Events Calendar: without hidden events, and without unpublished ones for visitors. */
function answerCalendar(
  site: TecSite,
  url: URL,
  { list, isEditor }: { list: keyof TecSite['lists']; isEditor: boolean }
): Answer {
  const refused = ['start_date', 'end_date'].filter(parameter => isRefusedDate(url.searchParams.get(parameter)))
  const statuses = url.searchParams.get('status')?.split(',')
  if (statuses?.some(status => status === 'any' || (status !== 'publish' && !isEditor))) refused.push('status')
  if (Number(url.searchParams.get('per_page') ?? 1) < 1) refused.push('per_page')
  if (refused.length > 0) return newInvalidParams(refused)
  const shown = site.lists[list].filter(item => {
    if (list !== 'events') return true
    if (item?.hide_from_listings === true) return false
    if (statuses !== undefined) return statuses.includes(String(item?.status ?? 'publish'))
    return isEditor ? !isTrash(item) : isPublic(item)
  })
  // Only single events have the data for search engines.
  const items =
    list === 'events' ? shown.map(item => item && { ...redactProtected(site, item), json_ld: undefined }) : shown
  return answerList(items, list, url)
}

/** A protected event in a list has its title and dates only. */
function redactProtected(site: TecSite, event: Json): Json {
  if (site.posts[String(event?.id)]?.password === undefined) return event
  const empty = { description: '', excerpt: '', cost: '', website: '', image: false, venue: [], organizer: [] }
  const unknown = { all_day: null, show_map: null, show_map_link: null, hide_from_listings: null, featured: null }
  return { ...event, ...empty, ...unknown, sticky: null }
}

function answerEvent(site: TecSite, url: URL, { id, isEditor }: { id: string; isEditor: boolean }): Answer {
  const event = site.lists.events.find(item => String(item?.id) === id)
  if (event === undefined) return newError(404, 'rest-event-not-found')
  if (isTrash(event)) return newError(403, 'event-no-longer-available')
  if (!isPublic(event) && !isEditor) return newError(403, 'event-not-accessible')
  const { password } = site.posts[id] ?? {}
  // Editors need the password as well.
  if (password !== undefined && url.searchParams.get('password') !== password)
    return newError(403, 'event-password-protected')
  return newAnswer(event)
}

function answerPost(site: TecSite, url: URL, { id, isEditor }: { id: string; isEditor: boolean }): Answer {
  const event = site.lists.events.find(item => String(item?.id) === id)
  if (event === undefined) return newError(404, 'rest_post_invalid_id')
  const isEdit = url.searchParams.get('context') === 'edit'
  if ((isEdit || !isPublic(event)) && !isEditor) return newError(401, 'rest_forbidden')
  const { password = '', meta = {} } = site.posts[id] ?? {}
  return newAnswer({
    id: event.id,
    content: { rendered: '', protected: password !== '' },
    meta: { _tribe_events_status: '', _tribe_events_status_reason: '', ...meta },
    ...(isEdit ? { password } : {})
  })
}

/** WordPress lists only events that are not over, because the plugin filters all its queries. */
function answerPosts(site: TecSite, url: URL): Answer {
  const size = Number(url.searchParams.get('per_page') ?? 10)
  const page = Number(url.searchParams.get('page') ?? 1)
  if (size > 100) return newError(400, 'rest_invalid_param')
  const now = new Date().toISOString()
  const all = site.lists.events.filter(event => isPublic(event) && String(event?.end_date) >= now)
  if (page > 1 && page > Math.ceil(all.length / size)) return newError(400, 'rest_post_invalid_page_number')
  const posts = all.slice((page - 1) * size, page * size)
  return newAnswer(posts.map(event => answerPost(site, url, { id: String(event.id), isEditor: false }).body))
}

const acknowledgement =
  /^I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility\. I also understand that I am using this endpoint at my own risk, while support is not provided for it\.$/i

/** The only list with hidden events. It refuses requests without its acknowledgement. */
function answerAllEvents(
  site: TecSite,
  url: URL,
  { request, isEditor }: { request: IncomingMessage; isEditor: boolean }
): Answer {
  if (!acknowledgement.test(String(request.headers['x-tec-eea'] ?? '')))
    return newError(400, 'missing_experimental_endpoint_acknowledgement')
  const statuses = (url.searchParams.get('status') ?? 'publish').split(',')
  if (statuses.some(status => status === 'any' || status === 'trash')) return newError(400, 'rest_invalid_param')
  const all = site.lists.events.filter(event =>
    isEditor ? statuses.includes(String(event.status ?? 'publish')) : isPublic(event)
  )
  const size = Number(url.searchParams.get('per_page') ?? 10)
  const page = Number(url.searchParams.get('page') ?? 1)
  if (page > 1 && page > Math.ceil(all.length / size)) return newError(404, 'tec_rest_organizers_page_not_found')
  return newAnswer(all.slice((page - 1) * size, page * size).map(({ id, slug, status }) => ({ id, slug, status })))
}

const newAnswer = (body: unknown): Answer => ({ status: 200, body })

function newError(status: number, code: string): Answer {
  return { status, body: { code, message: code, data: { status } } }
}

/** The plugin accepts a date if `is_numeric($value) || strtotime($value)`: 0, the epoch, counts as false. */
function isRefusedDate(date: string | null): boolean {
  if (date === null || /^\d+$/.test(date)) return false
  const ms = Date.parse(`${date.replace(' ', 'T')}Z`)
  return Number.isNaN(ms) || ms === 0
}

function newInvalidParams(names: string[]): Answer {
  const params = Object.fromEntries(names.map(name => [name, 'Invalid parameter.']))
  const message = `Invalid parameter(s): ${names.join(', ')}`
  return { status: 400, body: { code: 'rest_invalid_param', message, data: { status: 400, params, details: [] } } }
}

function answerList(list: Json[], name: string, url: URL): Answer {
  const size = Math.min(50, Number(url.searchParams.get('per_page') ?? 10))
  const page = Number(url.searchParams.get('page') ?? 1)
  const pages = Math.ceil(list.length / size)
  const isTerms = name === 'categories' || name === 'tags'
  if (page > 1 && page > pages && !isTerms) return newError(404, `${name.slice(0, -1)}-archive-page-not-found`)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  return newAnswer({
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

/** An event as The Events Calendar returns it. */
export function buildTecEvent(id: number, fields: Json = {}): Json {
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
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
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
