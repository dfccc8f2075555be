import type { FastifyRequest } from 'fastify'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { problemJson } from '#platform/http/errors.ts'
import { escapeXml } from '#platform/http/feed-xml.ts'
import { parseQuery } from '#platform/http/form.ts'
import { buildUrl } from '#platform/http/links.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, languages, negotiateLanguage } from '#platform/language.ts'
import { buildText, getMessages } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { type ApiClient, ApiError, newApiClient } from '../server/api-client.ts'
import { type CalendarEvent, calendarPath } from '../server/calendar-api.ts'
import { getCampaignText } from '../server/campaign-text.ts'
import { getPath, type PageName, patterns } from '../server/paths.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { parseFilters } from '../site/calendar/calendar-filter.ts'
import { withFeedFilters } from '../site/calendar/feed-filter.ts'
import { isPasswordRequired, loadBySlug } from '../site/events/load-by-slug.ts'
import { buildIframeSnippet } from './snippets.ts'

const widthStandard = 600
/** Heights that usually need no scroll bar. */
const heights = { events: 640, event: 240, campaign: 420 }
/** Statuses that the oEmbed specification defines; other errors are handled as everywhere. */
const oembedStatuses = [400, 401, 404]

type OembedResponse = Record<string, string | number>

const formats = new Map<string, { type: string; write(answer: OembedResponse): string }>([
  ['json', { type: 'application/json; charset=utf-8', write: answer => JSON.stringify(answer) }],
  ['xml', { type: 'text/xml; charset=utf-8', write: toXml }]
])

/** oEmbed 1.0: pasting the URL of one of our pages into another site embeds it as an iframe. */
export function registerOembedRoutes({ app, internalClient, settings }: RouteContext): void {
  app.get('/oembed', {
    config: { requires: 'public', crossOrigin: 'load' },
    handler: async (request, reply) => {
      const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
      try {
        const { format = 'json', ...params } = parseParameters(request.url)
        const spoken = formats.get(format)
        if (spoken === undefined) throw newUnknownFormatProblem()
        const answer = await embedding(request, params)
        return reply.header('content-type', spoken.type).send(spoken.write(answer))
      } catch (error) {
        if (!(error instanceof Problem) || !oembedStatuses.includes(error.status)) throw error
        return reply
          .code(error.status)
          .headers({ 'content-type': problemJson.contentType, 'cache-control': 'no-store' })
          .send(JSON.stringify(problemJson.format(error, language, request.id)))
      }
    }
  })

  async function embedding(request: FastifyRequest, { url, maxwidth, maxheight }: Parameters): Promise<OembedResponse> {
    if (url === undefined || url === '') throw newUrlMissingProblem()
    const origin = buildUrl(request, settings, '')
    const page = findPage(url, origin)
    if (page === undefined) throw newNotEmbeddableProblem()
    const api = newApiClient(request, internalClient, { language: page.language })
    const { body: site } = await api.get<SiteSettings>('/site')
    if (!site.languages.includes(page.language)) throw newNotEmbeddableProblem()
    const { title, path, height, image } = await getPageFrame(api, site, page)
    const frame = { width: limitSize(widthStandard, maxwidth), height: limitSize(height, maxheight) }
    return {
      version: '1.0',
      type: 'rich',
      title,
      provider_name: site.name,
      provider_url: origin,
      cache_age: 3600,
      ...frame,
      html: buildIframeSnippet({ src: origin + path, title, ...frame }),
      ...image
    }
  }
}

interface Parameters {
  url?: string
  format?: string
  maxwidth?: string
  maxheight?: string
}

function parseParameters(url: string): Parameters {
  const question = url.indexOf('?')
  const given = question < 0 ? {} : parseQuery(url.slice(question + 1))
  const texts: Record<string, string> = {}
  for (const name of ['url', 'format', 'maxwidth', 'maxheight']) {
    const value = given[name]
    if (typeof value === 'string') texts[name] = value
  }
  return texts
}

function limitSize(size: number, most: string | undefined): number {
  return /^[1-9]\d{0,5}$/.test(most ?? '') ? Math.min(size, Number(most)) : size
}

/** An embeddable page: which one, its language, and the parameters of its URL. */
interface EmbeddablePage {
  place: PageName
  language: Language
  part: string
  query: Record<string, string>
}

const embeddable: PageName[] = ['list', 'calendar', 'when', 'event', 'campaign']

function findPage(url: string, origin: string): EmbeddablePage | undefined {
  if (url.length > 4000 || !canParseUrl(url)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(url)
  if (!/^https?:$/.test(protocol) || host !== new URL(origin).host) return undefined
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const query = Object.fromEntries(searchParams)
  for (const language of languages) {
    for (const place of embeddable) {
      const [front = '', hole] = patterns[place][language].split(':')
      if (hole === undefined ? path === front : path.startsWith(front) && !path.slice(front.length).includes('/')) {
        return { place, language, part: hole === undefined ? '' : decodePart(path.slice(front.length)), query }
      }
    }
  }
  return undefined
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Not a valid URL.
    return ''
  }
}

interface EmbeddedFrame {
  title: string
  path: string
  height: number
  image?: OembedResponse | undefined
}

async function getPageFrame(
  api: ApiClient,
  site: SiteSettings,
  { place, language, part, query }: EmbeddablePage
): Promise<EmbeddedFrame> {
  if (place === 'event') return await getEventFrame(api, language, part)
  if (place === 'campaign') return await getCampaignFrame(api, language, part)
  if (place === 'when' && !/^\d{4}-\d{2}(?:-\d{2})?$/.test(part)) throw newNotEmbeddableProblem()
  return {
    title: getMessages('embed', language).events({ organisation: site.name }),
    path: withFeedFilters(getPath('embedEvents', language), parseFilters({ query })),
    height: heights.events
  }
}

async function getEventFrame(api: ApiClient, language: Language, slug: string): Promise<EmbeddedFrame> {
  if (slug === '') throw newNotEmbeddableProblem()
  try {
    const event = await loadBySlug<CalendarEvent>({ api, language, params: { slug } }, `${calendarPath}/events`)
    const thumbnail = event.image === false ? undefined : Object.values(event.image.sizes)[0]
    return {
      title: event.title,
      path: getPath('embedEvent', language, String(event.id)),
      height: heights.event,
      image:
        thumbnail === undefined
          ? undefined
          : { thumbnail_url: thumbnail.url, thumbnail_width: thumbnail.width, thumbnail_height: thumbnail.height }
    }
  } catch (error) {
    if (isPasswordRequired(error)) throw newNotPublicProblem()
    throw toEmbedProblem(error)
  }
}

async function getCampaignFrame(api: ApiClient, language: Language, part: string): Promise<EmbeddedFrame> {
  const [id] = /^\d{1,15}(?=-|$)/.exec(part) ?? []
  if (id === undefined) throw newNotEmbeddableProblem()
  try {
    const { body } = await api.get<Campaign>(`/campaigns/${id}`)
    return {
      title: getCampaignText(body, language).name,
      path: getPath('embedCampaign', language, id),
      height: heights.campaign
    }
  } catch (error) {
    throw toEmbedProblem(error)
  }
}

function toEmbedProblem(error: unknown): unknown {
  return error instanceof ApiError && [400, 401, 403, 404, 410].includes(error.status)
    ? newNotEmbeddableProblem()
    : error
}

function toXml(answer: OembedResponse): string {
  const members = Object.entries(answer).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>\n`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${members.join('')}</oembed>\n`
}

const newUrlMissingProblem = () => new Problem(400, 'no-address', buildText('oembed-problems', 'urlMissing'))

const newNotEmbeddableProblem = () => new Problem(404, 'not-embeddable', buildText('oembed-problems', 'notEmbeddable'))

const newNotPublicProblem = () => new Problem(401, 'not-public', buildText('oembed-problems', 'notPublic'))

const newUnknownFormatProblem = () =>
  new Problem(400, 'format-not-spoken', buildText('oembed-problems', 'unknownFormat'))
