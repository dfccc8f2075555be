import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { CachePolicy } from '#platform/cache/response-cache.ts'
import { mergeCacheTags, setCacheTags } from '#platform/http/cache-tags.ts'
import type { InternalClient } from '#platform/http/internal-client.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, languages } from '#platform/language.ts'
import type { RateLimit } from '#platform/rate-limit/limiter.ts'
import { ApiError, newApiClient } from '../server/api-client.ts'
import { newPageContext, type PageContext } from '../server/context.ts'
import { type PageName, patterns } from '../server/paths.ts'
import type { SiteSettings, SiteSettingsCache } from '../server/site-settings.ts'
import { buildNotFoundPage, renderErrorPage } from './error-page.tsx'
import { Layout } from './layout.tsx'
import { newPageCache, type RenderedPage, recordRequests } from './page-cache.ts'

/** What a page is made of: its frame is the same for all. */
export interface Page {
  title: string
  description?: string | undefined
  /** The address of this very page in each language that has it. */
  alternates?: Partial<Record<Language, string>> | undefined
  /** Where it is, if more than one address leads to it. */
  canonical?: string | undefined
  menu?: 'calendar' | 'donate' | 'about' | undefined
  /** For those who share a link to it. */
  image?: { url: string; alt: string } | undefined
  kind?: 'website' | 'article' | undefined
  jsonLd?: object | undefined
  noindex?: boolean | undefined
  /** Pages of a series. */
  previous?: string | undefined
  next?: string | undefined
  /** A calendar to subscribe to, for programs that look for one. */
  icalFeed?: string | undefined
  /** The same as news: the path of its Atom feed. That of RSS ends in another way. */
  atomFeed?: string | undefined
  /** Other sites may show it inside their own pages, and are told how. */
  isEmbeddable?: boolean | undefined
  /** Scripts that make it more comfortable; it works without. */
  scripts?: string[] | undefined
  status?: number | undefined
  body: ComponentChildren
}

/** Makes the page, or answers in another way, as with `redirect`. */
export type PageHandler = (context: PageContext) => Promise<Page | Redirect>

/** What is sent as it is: a feed, or a page for the frame of another site. */
export interface RawPage {
  type: string
  text: string
  status?: number | undefined
}

type AnyPageHandler = (context: PageContext) => Promise<Page | Redirect | RawPage>

export interface Redirect {
  location: string
  /** 301 for what has moved for good, 303 after a form. */
  status: 301 | 302 | 303
}

export function redirect(location: string, status: Redirect['status'] = 302): Redirect {
  return { location, status }
}

/** Adds pages of the public site, each under its address in every language. */
export interface PageRouter {
  add(place: PageName, show: PageHandler): void
  /** A page that holds something for one visitor alone, such as the key of a form: never one answer for several. */
  addUncached(place: PageName, show: PageHandler): void
  /** What does without the frame of the site. Its addresses differ in the language in front and in nothing else. */
  addRaw(place: PageName, write: (context: PageContext) => Promise<RawPage | Redirect>): void
  /** What a form on that page sends. */
  addForm(place: PageName, take: PageHandler, limit?: RateLimit): void
}

const cachedRoute: { cache: CachePolicy } = { cache: { tags: 'set-by-handler' } }

export function newPageRouter(
  { app, settings, internalClient, getWriteGeneration }: RouteContext,
  sites: SiteSettingsCache
): PageRouter {
  const renderings = newPageCache()

  async function siteFor(request: FastifyRequest, language: Language): Promise<SiteSettings> {
    const api = newApiClient(request, internalClient, { language })
    return await sites.get(async () => await api.get<SiteSettings>('/site'), getWriteGeneration())
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    handler: AnyPageHandler,
    call: InternalClient = internalClient
  ): Promise<string | FastifyReply> {
    const site = await siteFor(request, language)
    if (!site.languages.includes(language)) return reply.redirect(`/${site.defaultLanguage}`, 302)
    const api = newApiClient(request, call, { language })
    const context = newPageContext(request, reply, settings, { api, language, site })
    const made = await handler(context).catch(async (error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 410)) {
        return await buildNotFoundPage(context, error)
      }
      throw error
    })
    if ('location' in made) return reply.redirect(made.location, made.status)
    return 'text' in made ? sendRaw(reply, context, made) : sendPage(reply, context, made)
  }

  /** As `answer`, without rendering a page again that many ask for and that nothing has changed about. */
  async function answerAlike(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    handler: AnyPageHandler
  ): Promise<string | Buffer | FastifyReply> {
    const began = getWriteGeneration()
    const key = `${language} ${request.protocol} ${request.host} ${request.url}`
    const shared = await renderings.findInFlight(key, began)
    if (shared !== undefined) return sendRendered(reply, shared)

    let own: string | FastifyReply = reply
    const rendering = await renderings.render(key, began, async () => {
      const site = await siteFor(request, language)
      const { known, answers } = await renderings.revalidate(key, site, began, call => internalClient(request, call))
      if (known !== undefined) return known
      const { asked, noted } = recordRequests(internalClient, answers)
      const before = reply.getHeaders()
      own = await answer(request, reply, language, handler, noted)
      const headers = getChangedHeaders(before, reply)
      const isAlike = typeof own === 'string' && reply.statusCode === 200 && headers['cache-control'] === undefined
      return isAlike
        ? renderings.store(key, { site, requests: asked, headers, generation: began }, String(own))
        : undefined
    })
    return rendering === undefined ? own : sendRendered(reply, rendering)
  }

  function addShown(place: PageName, show: PageHandler, isAlike: boolean): void {
    const respond = isAlike ? answerAlike : answer
    for (const language of languages) {
      app.get(patterns[place][language], {
        config: { requires: 'public', ...(isAlike ? cachedRoute : {}) },
        handler: async (request, reply) => await respond(request, reply, language, show)
      })
    }
  }

  /** Where the site does not speak a language, its own is at the same address. */
  async function answerBare(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    write: AnyPageHandler
  ): Promise<string | Buffer | FastifyReply> {
    const { languages: spoken, defaultLanguage } = await siteFor(request, language)
    if (spoken.includes(language)) return await answerAlike(request, reply, language, write)
    return reply.redirect(`/${defaultLanguage}${request.url.slice(`/${language}`.length)}`, 302)
  }

  for (const language of languages) {
    const nothing: PageHandler = async context => await buildNotFoundPage(context, { status: 404, code: '' })
    app.get(`/${language}/*`, {
      config: { requires: 'public' },
      handler: async (request, reply) => await answer(request, reply, language, nothing)
    })
  }

  return {
    add: (place, show) => addShown(place, show, true),
    addUncached: (place, show) => addShown(place, show, false),
    addRaw: (place, write) => {
      for (const language of languages) {
        app.get(patterns[place][language], {
          config: { requires: 'public', ...cachedRoute },
          // Who may put it into a frame stands in the content security policy; this one can only forbid it.
          onRequest: async (_, reply) => void reply.removeHeader('x-frame-options'),
          handler: async (request, reply) => await answerBare(request, reply, language, write)
        })
      }
    },
    addForm: (place, take, limit) => {
      for (const language of languages) {
        app.post(patterns[place][language], {
          config: {
            requires: 'public',
            ...(limit === undefined ? {} : { rateLimit: limit }),
            // Before the body is read. Whoever sends it stays a stranger: the public site has no sessions.
            admit: async (request, reply) => {
              if (isOwnForm(request)) return false
              await reply
                .code(403)
                .header('content-type', 'text/html; charset=utf-8')
                .send(renderErrorPage(sites.lastKnown(), language, 403))
              return false
            }
          },
          handler: async (request, reply) => await answer(request, reply, language, take)
        })
      }
    }
  }
}

function sendRendered(reply: FastifyReply, { headers, bytes, requests, untilMs }: RenderedPage): Buffer {
  const ground = mergeCacheTags(
    requests.map(({ answer }) => answer.cacheTags),
    performance.now() + untilMs - Date.now()
  )
  if (ground !== undefined) setCacheTags(reply, ground)
  reply.headers(headers)
  return bytes
}

function getChangedHeaders(before: Record<string, unknown>, reply: FastifyReply): Record<string, string> {
  const changed = Object.entries(reply.getHeaders()).filter(([name, value]) => before[name] !== value)
  return Object.fromEntries(changed.map(([name, value]) => [name, String(value)]))
}

function sendPage(reply: FastifyReply, context: PageContext, page: Page): string {
  reply
    .code(page.status ?? 200)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', context.language)
  return renderHtml(Layout({ context, page }))
}

function sendRaw(reply: FastifyReply, { language }: PageContext, { type, text, status = 200 }: RawPage): string {
  reply.code(status).header('content-type', type).header('content-language', language)
  return text
}

export function renderHtml(document: Parameters<typeof renderToString>[0]): string {
  return `<!doctype html>${renderToString(document)}`
}

/** Browsers say where a form was sent from: another site's pages have no business here. */
export function isOwnForm(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === 'null' ? origin === undefined : parseHost(origin) === request.host
}

function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}
