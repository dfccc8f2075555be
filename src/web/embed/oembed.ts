import type { FastifyRequest } from 'fastify'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { parseQuery } from '#platform/form.ts'
import { type Language, languages, preferredLanguage } from '#platform/language.ts'
import { urlOf } from '#platform/links.ts'
import { Problem } from '#platform/problem.ts'
import { problemJson } from '#platform/refuse.ts'
import type { Scope } from '#platform/service.ts'
import { type Api, apiFor, Refused } from '../api.ts'
import { type CalendarEvent, calendarPath } from '../calendar-api.ts'
import { campaignText } from '../campaign-text.ts'
import { type Place, pathTo, patterns } from '../paths.ts'
import { filtersIn } from '../site/calendar/calendar-filter.ts'
import { isProtection, readBySlug } from '../site/events/reading.ts'
import { narrowed } from '../site/feeds/feed-filter.ts'
import { xml } from '../site/feeds/news-xml.ts'
import type { SiteInfo } from '../site-info.ts'
import { embedWords } from '../text/embed.ts'
import { frameCode } from './codes.ts'

const widthStandard = 600
/** What fits without a bar to scroll with, as a rule. */
const heights = { events: 640, event: 240, campaign: 420 }
/** What the contract has a status for; whatever else goes wrong is said as everywhere. */
const refusals = [400, 401, 404]

type Answer = Record<string, string | number>

const formats = new Map<string, { type: string; write(answer: Answer): string }>([
  ['json', { type: 'application/json; charset=utf-8', write: answer => JSON.stringify(answer) }],
  ['xml', { type: 'text/xml; charset=utf-8', write: xmlOf }]
])

/** oEmbed 1.0: whoever pastes the address of one of our pages elsewhere gets a frame with it. */
export function oembedRoutes({ app, inside, settings }: Scope): void {
  app.get('/oembed', {
    config: { needs: 'nothing' },
    handler: async (request, reply) => {
      const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
      try {
        const { format = 'json', ...asked } = parametersIn(request.url)
        const spoken = formats.get(format)
        if (spoken === undefined) throw notSpoken()
        const answer = await embedding(request, asked)
        return reply.header('content-type', spoken.type).send(spoken.write(answer))
      } catch (error) {
        if (!(error instanceof Problem) || !refusals.includes(error.status)) throw error
        return reply
          .code(error.status)
          .headers({ 'content-type': problemJson.contentType, 'cache-control': 'no-store' })
          .send(JSON.stringify(problemJson.spell(error, language, request.id)))
      }
    }
  })

  async function embedding(request: FastifyRequest, { url, maxwidth, maxheight }: Parameters): Promise<Answer> {
    if (url === undefined || url === '') throw noAddress()
    const origin = urlOf(request, settings, '')
    const page = pageAt(url, origin)
    if (page === undefined) throw notOurs()
    const api = apiFor(request, inside, { language: page.language })
    const { body: site } = await api.get<SiteInfo>('/site')
    if (!site.languages.includes(page.language)) throw notOurs()
    const { title, path, height, image } = await embeddedPage(api, site, page)
    const frame = { width: fitting(widthStandard, maxwidth), height: fitting(height, maxheight) }
    return {
      version: '1.0',
      type: 'rich',
      title,
      provider_name: site.name,
      provider_url: origin,
      cache_age: 3600,
      ...frame,
      html: frameCode({ src: origin + path, title, ...frame }),
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

function parametersIn(url: string): Parameters {
  const question = url.indexOf('?')
  const given = question < 0 ? {} : parseQuery(url.slice(question + 1))
  const texts: Record<string, string> = {}
  for (const name of ['url', 'format', 'maxwidth', 'maxheight']) {
    const value = given[name]
    if (typeof value === 'string') texts[name] = value
  }
  return texts
}

function fitting(size: number, most: string | undefined): number {
  return /^[1-9]\d{0,5}$/.test(most ?? '') ? Math.min(size, Number(most)) : size
}

/** A page that can be embedded: which, in which language, and what its address says. */
interface Found {
  place: Place
  language: Language
  part: string
  query: Record<string, string>
}

const embeddable: Place[] = ['list', 'calendar', 'when', 'event', 'campaign']

function pageAt(url: string, origin: string): Found | undefined {
  if (url.length > 4000 || !URL.canParse(url)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(url)
  if (!/^https?:$/.test(protocol) || host !== new URL(origin).host) return undefined
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const query = Object.fromEntries(searchParams)
  for (const language of languages) {
    for (const place of embeddable) {
      const [front = '', hole] = patterns[place][language].split(':')
      if (hole === undefined ? path === front : path.startsWith(front) && !path.slice(front.length).includes('/')) {
        return { place, language, part: hole === undefined ? '' : textIn(path.slice(front.length)), query }
      }
    }
  }
  return undefined
}

function textIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Not the address of anything, then.
    return ''
  }
}

interface Embedded {
  title: string
  path: string
  height: number
  image?: Answer | undefined
}

async function embeddedPage(api: Api, site: SiteInfo, { place, language, part, query }: Found): Promise<Embedded> {
  if (place === 'event') return await embeddedEvent(api, language, part)
  if (place === 'campaign') return await embeddedCampaign(api, language, part)
  if (place === 'when' && !/^\d{4}-\d{2}(?:-\d{2})?$/.test(part)) throw notOurs()
  return {
    title: embedWords[language].events(site.name),
    path: narrowed(pathTo('embedEvents', language), filtersIn({ query })),
    height: heights.events
  }
}

async function embeddedEvent(api: Api, language: Language, slug: string): Promise<Embedded> {
  if (slug === '') throw notOurs()
  try {
    const event = await readBySlug<CalendarEvent>({ api, language, params: { slug } }, `${calendarPath}/events`)
    const thumbnail = event.image === false ? undefined : Object.values(event.image.sizes)[0]
    return {
      title: event.title,
      path: pathTo('embedEvent', language, String(event.id)),
      height: heights.event,
      image:
        thumbnail === undefined
          ? undefined
          : { thumbnail_url: thumbnail.url, thumbnail_width: thumbnail.width, thumbnail_height: thumbnail.height }
    }
  } catch (error) {
    if (isProtection(error)) throw notPublic()
    throw unlessThere(error)
  }
}

async function embeddedCampaign(api: Api, language: Language, part: string): Promise<Embedded> {
  const [id] = /^\d{1,15}(?=-|$)/.exec(part) ?? []
  if (id === undefined) throw notOurs()
  try {
    const { body } = await api.get<Campaign>(`/campaigns/${id}`)
    return {
      title: campaignText(body, language).name,
      path: pathTo('embedCampaign', language, id),
      height: heights.campaign
    }
  } catch (error) {
    throw unlessThere(error)
  }
}

function unlessThere(error: unknown): unknown {
  return error instanceof Refused && [400, 401, 403, 404, 410].includes(error.status) ? notOurs() : error
}

function xmlOf(answer: Answer): string {
  const members = Object.entries(answer).map(([name, value]) => `<${name}>${xml(String(value))}</${name}>\n`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${members.join('')}</oembed>\n`
}

const noAddress = () =>
  new Problem(400, 'no-address', {
    en: 'Say which page: url=… with the address of a page of this site.',
    de: 'Bitte die Seite nennen: url=… mit der Adresse einer Seite dieser Website.'
  })

const notOurs = () =>
  new Problem(404, 'not-embeddable', {
    en: 'This is not the address of a calendar, an event or a campaign of this site.',
    de: 'Das ist keine Adresse eines Kalenders, eines Termins oder einer Spendenaktion dieser Website.'
  })

const notPublic = () =>
  new Problem(401, 'not-public', {
    en: 'This page is protected by a password.',
    de: 'Diese Seite ist mit einem Passwort geschützt.'
  })

const notSpoken = () =>
  new Problem(400, 'format-not-spoken', {
    en: 'format must be json or xml.',
    de: 'format muss json oder xml sein.'
  })
