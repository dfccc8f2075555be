import type { FastifyRequest } from 'fastify'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { buildUrl } from '#platform/http/links.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, languages } from '#platform/language.ts'
import { type ApiClient, ApiError, newApiClient, type Query } from '../server/api-client.ts'
import { type CalendarEvent, calendarPath } from '../server/calendar-api.ts'
import { getUpdatePath } from '../server/campaign-paths.ts'
import { buildCampaignSlug, buildForLanguages, getPath, type PageName } from '../server/paths.ts'
import { getPagePath } from '../server/site-pages.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import type { Translated } from './events/alternates.ts'

/** Page size limit of the API; one request per page and language makes eight requests per part. */
const listMax = 50
const listsOfPart = 4
const partMax = listMax * listsOfPart
/** Older updates are found by the links of their campaign. */
const updatesMax = 200
/** Event pages are permanent, but nobody searches for those of years ago. */
const pastMs = 365 * 86_400_000

/** Sitemap for search engines, by language. An index links to parts of limited size. */
export function registerSitemapRoutes({ app, internalClient, settings }: RouteContext): void {
  app.get('/sitemap.xml', {
    config: { requires: 'public', cache: { tags: ['calendar', 'fundraising', 'campaigns', 'site'] } },
    handler: async (request, reply) => {
      const context = await buildContext(request)
      const part = parsePart(request.url)
      const xml = part === undefined ? await buildIndex(context) : await buildPart(context, part)
      if (xml === undefined) return reply.callNotFound()
      reply.headers({ 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`
    }
  })

  async function buildContext(request: FastifyRequest): Promise<SitemapContext> {
    const api = newApiClient(request, internalClient, { language: settings.defaultLanguage })
    const { body: site } = await api.get<SiteSettings>('/site')
    return { api, site, origin: buildUrl(request, settings, ''), now: new Date() }
  }
}

interface SitemapContext {
  api: ApiClient
  site: SiteSettings
  origin: string
  now: Date
}

interface Part {
  name: keyof typeof lists | 'pages' | 'campaigns'
  number: number
}

/** Collections of the calendar, and the pages of their items. */
const lists = {
  events: { place: 'event', query: (now: Date) => ({ ends_after: getOldestDay(now), strict_dates: true }) },
  venues: { place: 'venue', query: () => ({ orderby: 'date', order: 'asc' }) },
  organizers: { place: 'organizer', query: () => ({ orderby: 'date', order: 'asc' }) },
  categories: { place: 'category', query: () => ({ orderby: 'id' }) },
  tags: { place: 'tag', query: () => ({ orderby: 'id' }) }
} satisfies Record<string, { place: PageName; query(now: Date): Query }>

/** Rounded to the day, so that the parts stay consistent while they are fetched one by one. */
function getOldestDay(now: Date): string {
  return new Date(now.getTime() - pastMs).toISOString().slice(0, 10)
}

function parsePart(url: string): Part | undefined {
  const question = url.indexOf('?')
  if (question < 0) return undefined
  const found = /^part=(pages|campaigns|events|venues|organizers|categories|tags)-([1-9]\d{0,5})$/.exec(
    url.slice(question + 1)
  )
  return found === null ? { name: 'pages', number: 0 } : { name: found[1] as Part['name'], number: Number(found[2]) }
}

async function buildIndex(context: SitemapContext): Promise<string> {
  const names = Object.keys(lists) as (keyof typeof lists)[]
  const totals = await Promise.all(
    names.map(async name => (await listItems(context, name, { page: 1, size: 1 })).total)
  )
  const parts = names.flatMap((name, place) =>
    Array.from({ length: Math.ceil((totals[place] ?? 0) / partMax) }, (_, number) => `${name}-${number + 1}`)
  )
  const entries = ['pages-1', 'campaigns-1', ...parts].map(
    part => `<sitemap><loc>${escapeText(context.origin)}/sitemap.xml?part=${part}</loc></sitemap>`
  )
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</sitemapindex>\n`
}

async function buildPart(context: SitemapContext, { name, number }: Part): Promise<string | undefined> {
  if (name === 'pages') return number === 1 ? buildUrlSet(context, listOwnPages(context)) : undefined
  if (name === 'campaigns') return number === 1 ? buildUrlSet(context, await listCampaignPages(context)) : undefined
  return await buildItemPages(context, name, number)
}

/** A page in its languages. */
interface SitemapEntry {
  paths: Partial<Record<Language, string | undefined>>
  modified?: string | undefined
}

function listOwnPages({ site }: SitemapContext): SitemapEntry[] {
  const places: PageName[] = ['home', 'calendar', 'list', 'campaigns', 'feeds', 'api']
  // Privacy has a text even if the organisation has not written one.
  const written = site.pages.filter(({ kind, texts }) => kind === 'privacy' || Object.keys(texts).length > 0)
  const toPaths = (getOne: (language: Language) => string | undefined) => ({
    paths: Object.fromEntries(languages.map(language => [language, getOne(language)]))
  })
  return [
    ...places.map(place => toPaths(language => getPath(place, language))),
    ...written.map(page => toPaths(language => getPagePath(page, language)))
  ]
}

/** Campaigns and their latest updates. */
async function listCampaignPages({ api }: SitemapContext): Promise<SitemapEntry[]> {
  const [{ body: campaigns }, { body: updates }] = await Promise.all([
    api.get<Campaign[]>('/campaigns'),
    api.get<CampaignUpdate[]>('/campaign-updates', { limit: updatesMax })
  ])
  const byId = new Map(campaigns.map(campaign => [campaign.id, campaign]))
  return [
    ...campaigns.map(({ id, name, language, translations, updatedAt }) => {
      const pathIn = (one: Language) =>
        getPath('campaign', one, buildCampaignSlug(id, one === language ? name : (translations[one]?.name ?? name)))
      return { paths: buildForLanguages(pathIn), modified: updatedAt }
    }),
    ...updates.flatMap(({ id, campaignId, updatedAt }) => {
      const campaign = byId.get(campaignId)
      if (campaign === undefined) return []
      const pathIn = (one: Language) => getUpdatePath(campaign, id, one)
      return [{ paths: buildForLanguages(pathIn), modified: updatedAt }]
    })
  ]
}

type Item = Translated & Partial<Pick<CalendarEvent, 'modified' | 'all_day'>> & { modified_utc?: string }

/** Slugs differ by language, so each language has its own request; both lists have the same order. */
async function buildItemPages(
  context: SitemapContext,
  name: keyof typeof lists,
  number: number
): Promise<string | undefined> {
  const { place } = lists[name]
  const pages = Array.from({ length: listsOfPart }, (_, index) => (number - 1) * listsOfPart + index + 1)
  const found = new Map<number, SitemapEntry>()
  let isThere = false
  await Promise.all(
    context.site.languages.flatMap(language =>
      pages.map(async page => {
        const { items } = await listItems(context, name, { page, size: listMax, language })
        isThere ||= items.length > 0
        for (const item of items) {
          // `all_day` is null for password-protected events, which are left out.
          if (item.language !== language || item.all_day === null) continue
          const entry = found.get(item.id) ?? { paths: {}, modified: toInstant(item.modified_utc) }
          entry.paths[language] = getPath(place, language, item.slug)
          found.set(item.id, entry)
        }
      })
    )
  )
  return isThere ? buildUrlSet(context, [...found.values()]) : undefined
}

async function listItems(
  { api, now, site }: SitemapContext,
  name: keyof typeof lists,
  { page, size, language = site.defaultLanguage }: { page: number; size: number; language?: Language }
): Promise<{ items: Item[]; total: number }> {
  const query = { ...lists[name].query(now), page, per_page: size, language }
  try {
    const { body } = await api.get<{ total: number } & Record<string, unknown>>(`${calendarPath}/${name}`, query)
    return { items: (body[name] as Item[] | undefined) ?? [], total: body.total }
  } catch (error) {
    // A page past the end.
    if (error instanceof ApiError && error.status === 404) return { items: [], total: 0 }
    throw error
  }
}

function toInstant(utc: string | undefined): string | undefined {
  return utc === undefined ? undefined : `${utc.replace(' ', 'T')}Z`
}

function buildUrlSet({ origin, site }: SitemapContext, entries: SitemapEntry[]): string {
  const urls = entries.flatMap(({ paths, modified }) => {
    const alternates = site.languages.flatMap(language => {
      const path = paths[language]
      return path === undefined ? [] : [{ language, address: escapeText(origin + path) }]
    })
    const links =
      alternates.length < 2
        ? ''
        : alternates
            .map(one => `<xhtml:link rel="alternate" hreflang="${one.language}" href="${one.address}"/>`)
            .join('')
    const date = modified === undefined ? '' : `<lastmod>${escapeText(modified)}</lastmod>`
    return alternates.map(({ address }) => `<url><loc>${address}</loc>${date}${links}</url>`)
  })
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
