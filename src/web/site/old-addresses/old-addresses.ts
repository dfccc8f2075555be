import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RedirectJson } from '#calendar/contract/redirect-shapes.ts'
import { parseQuery } from '#platform/http/form.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { addDays, addMonths, toLocalDay } from '../../format/format.ts'
import type { PageRouter } from '../../page/page.ts'
import { type Query, withQuery } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { loadReader, type SiteReader } from '../../server/site-reader.ts'
import { isDay, isMonth, toWeek } from '../calendar/dates.ts'
import { findRedirect } from '../events/find-redirect.ts'
import { buildEventFeed } from '../feeds/event-feed.ts'
import { type OldView, parseOldView } from './parse-view.ts'

/** Where an old address leads. */
export interface OldAddressTarget {
  /** Path or URL of the page. */
  location: string
  /** Path of the iCalendar feed at the API; undefined for files. */
  feed?: string
  /** The target is another one tomorrow. */
  isForToday?: boolean
}

/** Long enough to help, short enough for an item that is renamed again. */
const redirectCacheControl = 'public, max-age=3600'
const config = { requires: 'public' as const }

/**
 * Addresses of The Events Calendar, so that links, bookmarks and subscriptions work after a move from WordPress. They
 * lead to the page in the language of the item, or in the default language of the site, whatever the visitor prefers.
 */
export function registerOldAddresses(scope: RouteContext, pages: PageRouter): void {
  const add = (url: string, find: (reader: SiteReader, part: string) => Promise<OldAddressTarget | undefined>) =>
    scope.app.get(url, {
      config,
      handler: async (request, reply) => {
        const reader = await loadReader(scope, request)
        const { slug, '*': rest } = request.params as { slug?: string; '*'?: string }
        return await sendOldAddress(request, reply, reader, await find(reader, slug ?? rest ?? ''))
      }
    })

  add('/events', findView)
  add('/events/*', findView)
  add('/event/:slug/ical', async (reader, slug) => toItemTarget(reader, await findItem(reader, 'event', slug)))
  for (const kind of ['event', 'venue', 'organizer', 'tag'] as const) {
    add(`/${kind}/:slug`, async (reader, slug) => toItemTarget(reader, await findItem(reader, kind, slug)))
  }
  add('/wp-content/uploads/*', async ({ api }, path) => {
    const found = await findRedirect(api, { upload: `/wp-content/uploads/${path}` })
    return found === undefined ? undefined : { location: new URL(found.url).pathname }
  })
  pages.addRawAt('/events/feed', async context => await buildEventFeed(context, 'rss'))
}

/** Responds with a redirect to the page, or with the iCalendar feed if the address asks for it. */
export async function sendOldAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: SiteReader,
  target: OldAddressTarget | undefined
): Promise<FastifyReply> {
  if (target === undefined || !(await sendTarget(request, reply, reader, target))) reply.callNotFound()
  return reply
}

/** False if the address asks for a feed that does not exist. */
export async function sendTarget(
  request: FastifyRequest,
  reply: FastifyReply,
  { api, site }: SiteReader,
  target: OldAddressTarget
): Promise<boolean> {
  if (!isICalAddress(request.url)) {
    const cacheControl = target.isForToday === true ? 'no-cache' : redirectCacheControl
    reply.header('cache-control', cacheControl).redirect(target.location, 301)
    return true
  }
  if (target.feed === undefined) return false
  const path = withQuery(target.feed, { language: site.defaultLanguage })
  const { status, headers, bytes } = await api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) return false
  for (const name of feedHeaders) if (headers[name] !== undefined) reply.header(name, headers[name])
  reply.send(bytes)
  return true
}

const feedHeaders = ['content-type', 'content-disposition', 'content-language', 'etag']

/** Ends with `/ical`, or has `ical=1` or `outlook-ical=1`. */
function isICalAddress(url: string): boolean {
  const [path = '', search = ''] = url.split('?', 2)
  const query = parseQuery(search)
  const isWanted = (value: unknown) => value !== undefined && value !== '' && value !== '0'
  return /\/ical\/?$/.test(path) || isWanted(query.ical) || isWanted(query['outlook-ical'])
}

/** An item by its present or former slug. */
async function findItem(
  { api, site }: SiteReader,
  kind: 'event' | keyof typeof feedFilters,
  slug: string
): Promise<RedirectJson | undefined> {
  return await findRedirect(api, { kind, slug, language: site.defaultLanguage })
}

const eventsFeed = `${calendarPath}/events.ics`
/** The filter of the feed that selects the events of an item. */
const feedFilters = { venue: 'venue', organizer: 'organizer', category: 'categories', tag: 'tags' } as const

export function toItemTarget(
  { site }: SiteReader,
  item: RedirectJson | undefined,
  dates: Query = {}
): OldAddressTarget | undefined {
  if (item === undefined || item.kind === 'image' || item.kind === 'file' || item.kind === 'view') return undefined
  const { kind, id, slug } = item
  const language = site.languages.includes(item.language) ? item.language : site.defaultLanguage
  const location = getPath(kind, language, slug)
  if (kind === 'event') return { location, feed: `${calendarPath}/events/${id}.ics` }
  return { location, feed: withQuery(eventsFeed, { [feedFilters[kind]]: id, ...dates }) }
}

/** A view of all events, or of a category or tag. Categories and tags have one page for all views. */
export async function findView(reader: SiteReader, path: string): Promise<OldAddressTarget | undefined> {
  const old = parseOldView(path)
  const dated = findDatedView(reader, old)
  const [what, ...slugs] = old.parts
  const rss = getPath('eventsRss', reader.site.defaultLanguage)
  if (dated === undefined) return undefined
  if (what === undefined) {
    if (old.format === 'feed') return { location: rss }
    return { ...dated, feed: withQuery(eventsFeed, dated.query) }
  }
  const slug = slugs.at(-1)
  if ((what !== 'category' && what !== 'tag') || slug === undefined) return undefined
  const item = await findItem(reader, what, slug)
  if (item !== undefined && old.format === 'feed') {
    return { location: withQuery(rss, { [feedFilters[what]]: item.slug }) }
  }
  return toItemTarget(reader, item, dated.query)
}

interface DatedView {
  location: string
  /** Filters of the feed. */
  query: Query
  isForToday?: boolean
}

/** The page of a view, and the dates of its feed. */
function findDatedView({ site }: SiteReader, { view, date }: OldView): DatedView | undefined {
  const { defaultLanguage: language, timezone } = site
  const getDatePage = (when: string) => getPath('when', language, when)
  if (date !== undefined && !isMonth(date) && !isDay(date)) return undefined
  if (view === 'list') return { location: getPath('list', language), query: {} }
  if (view === 'today' || (view === 'day' && date === undefined)) {
    const today = toLocalDay(timezone, new Date())
    return { location: getDatePage(today), query: between(today, today), isForToday: true }
  }
  if (date === undefined) return { location: getPath('calendar', language), query: {} }
  if (isMonth(date)) {
    return { location: getDatePage(date), query: between(`${date}-01`, addDays(`${addMonths(date, 1)}-01`, -1)) }
  }
  if (view === 'week') {
    return { location: getDatePage(toWeek(date, site.weekStart)), query: between(date, addDays(date, 6)) }
  }
  return { location: getDatePage(date), query: between(date, date) }
}

/** Events that take place on one of these days: a bound without a time is the end of its day. */
function between(first: string, last: string): Query {
  return { ends_after: addDays(first, -1), starts_before: last }
}
