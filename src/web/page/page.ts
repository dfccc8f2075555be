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

/** Content of a page; the layout is shared. */
export interface Page {
  title: string
  description?: string | undefined
  /** Paths of this page in each language that has it. */
  alternates?: Partial<Record<Language, string>> | undefined
  /** Canonical path, if several URLs lead to the page. */
  canonical?: string | undefined
  menu?: 'calendar' | 'donate' | 'about' | undefined
  /** Preview image for shared links. */
  image?: { url: string; alt: string } | undefined
  kind?: 'website' | 'article' | undefined
  jsonLd?: object | undefined
  noindex?: boolean | undefined
  /** Pages of a series. */
  previous?: string | undefined
  next?: string | undefined
  /** Path of the iCalendar feed, for discovery by programs. */
  icalFeed?: string | undefined
  /** Path of the page's Atom feed. The RSS path differs in its ending. */
  atomFeed?: string | undefined
  /** Other sites can embed it; adds an oEmbed link. */
  isEmbeddable?: boolean | undefined
  /** Islands that enhance the page, which works without them. */
  scripts?: string[] | undefined
  status?: number | undefined
  body: ComponentChildren
}

/** Renders the page, or responds with a redirect. */
export type PageHandler = (context: PageContext) => Promise<Page | Redirect>

/** A response without layout: a feed, or an embed for another site. */
export interface RawPage {
  type: string
  text: string
  status?: number | undefined
}

type AnyPageHandler = (context: PageContext) => Promise<Page | Redirect | RawPage>

export interface Redirect {
  location: string
  /** 301 for permanent moves, 303 after a form. */
  status: 301 | 302 | 303
}

export function redirect(location: string, status: Redirect['status'] = 302): Redirect {
  return { location, status }
}

/** Registers public pages, each under its path in every language. */
export interface PageRouter {
  add(place: PageName, show: PageHandler): void
  /** A page with data for one visitor, such as a form's idempotency key: never cached. */
  addUncached(place: PageName, show: PageHandler): void
  /** A response without layout. Its paths differ only in the language prefix. */
  addRaw(place: PageName, write: (context: PageContext) => Promise<RawPage | Redirect>): void
  /** Registers the handler of the page's form. */
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
    { handler, call = internalClient }: { handler: AnyPageHandler; call?: InternalClient }
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

  /** As `answer`, but uses the page cache. */
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
      own = await answer(request, reply, language, { handler, call: noted })
      const headers = getChangedHeaders(before, reply)
      const isAlike = typeof own === 'string' && reply.statusCode === 200 && headers['cache-control'] === undefined
      return isAlike
        ? renderings.store(key, { site, requests: asked, headers, generation: began }, String(own))
        : undefined
    })
    return rendering === undefined ? own : sendRendered(reply, rendering)
  }

  function addShown(place: PageName, show: PageHandler, isAlike: boolean): void {
    for (const language of languages) {
      app.get(patterns[place][language], {
        config: { requires: 'public', ...(isAlike ? cachedRoute : {}) },
        handler: async (request, reply) =>
          isAlike
            ? await answerAlike(request, reply, language, show)
            : await answer(request, reply, language, { handler: show })
      })
    }
  }

  /** If the site does not have the language, redirects to the same path in its default language. */
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
      handler: async (request, reply) => await answer(request, reply, language, { handler: nothing })
    })
  }

  return {
    add: (place, show) => addShown(place, show, true),
    addUncached: (place, show) => addShown(place, show, false),
    addRaw: (place, write) => {
      for (const language of languages) {
        app.get(patterns[place][language], {
          config: { requires: 'public', ...cachedRoute },
          // The CSP's frame-ancestors allows framing; X-Frame-Options could only forbid it.
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
            // Checked before the body is read. The request stays anonymous: the public site has no sessions.
            admit: async (request, reply) => {
              if (isOwnForm(request)) return false
              await reply
                .code(403)
                .header('content-type', 'text/html; charset=utf-8')
                .send(renderErrorPage(sites.lastKnown(), language, 403))
              return false
            }
          },
          handler: async (request, reply) => await answer(request, reply, language, { handler: take })
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

/** CSRF check: browsers send the origin of a form, and forms of other sites are refused. */
export function isOwnForm(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === 'null' ? origin === undefined : parseHost(origin) === request.host
}

function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}
