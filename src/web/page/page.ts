import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { CachePolicy } from '#platform/cache/response-cache.ts'
import type { Settings } from '#platform/config.ts'
import { type CacheTags, mergeCacheTags } from '#platform/http/cache-tags.ts'
import type { InternalClient } from '#platform/http/internal-client.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, languages } from '#platform/language.ts'
import type { RateLimit } from '#platform/rate-limit/limiter.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { drawPreview, hashPreview } from '../pictures/preview-image.ts'
import { ApiError, newApiClient } from '../server/api-client.ts'
import { newPageContext, type PageContext } from '../server/context.ts'
import { type PageName, patterns } from '../server/paths.ts'
import type { SiteSettings, SiteSettingsReader } from '../server/site-settings.ts'
import { buildNotFoundPage, renderErrorPage } from './error-page.tsx'
import { Layout } from './layout.tsx'
import { addPreviewQuery, previewParameter } from './preview-address.ts'

/** Content of a page; the layout is shared. */
export interface Page {
  title: string
  description?: string | undefined
  /** Paths of this page in each language that has it. */
  alternates?: Partial<Record<Language, string>> | undefined
  /** Canonical path, if several URLs lead to the page. */
  canonical?: string | undefined
  menu?: 'calendar' | 'donate' | undefined
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
  /** Styles of this kind of page, beside those of every page. */
  styles?: 'calendar' | 'donate' | 'developers' | undefined
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
  /** A response without layout, for other sites: a feed to load, or an embed to show in a frame. */
  addRaw(
    place: PageName,
    crossOrigin: 'load' | 'frame',
    write: (context: PageContext) => Promise<RawPage | Redirect>
  ): void
  /** The same under a path without a language, in the default language of the site. */
  addRawAt(path: string, write: (context: PageContext) => Promise<RawPage>): void
  /** Registers the handler of the page's form. */
  addForm(place: PageName, take: PageHandler, limit?: RateLimit): void
}

const cachedRoute: { cache: CachePolicy } = { cache: { tags: 'set-by-handler' } }

/** Pages show relative times (today, on now, an hour ago), so none is cached longer than this. */
const pageCacheMs = 1000

export function newPageRouter({ app, settings, internalClient }: RouteContext, sites: SiteSettingsReader): PageRouter {
  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    handler: AnyPageHandler
  ): Promise<string | Buffer | FastifyReply> {
    const { client, getTags } = recordTags(internalClient)
    const api = newApiClient(request, client, { language })
    const site = await sites.get(api)
    if (!site.languages.includes(language)) return redirectToSiteLanguage(request, reply, language, site)
    const context = newPageContext(request, reply, settings, { api, language, site })
    const page = await handler(context).catch(async (error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 410)) {
        return await buildNotFoundPage(context, error)
      }
      throw error
    })
    reply.cacheTags = mergeCacheTags(getTags(), performance.now() + pageCacheMs)
    if ('location' in page) return reply.redirect(page.location, page.status)
    if ('text' in page) return sendRaw(reply, context, page)
    const preview = context.query[previewParameter]
    return preview === undefined ? sendPage(reply, context, page) : await sendPreview(reply, context, page, preview)
  }

  function addShown(place: PageName, show: PageHandler, isCached: boolean): void {
    for (const language of languages) {
      app.get(patterns[place][language], {
        config: { requires: 'public', ...(isCached ? cachedRoute : {}) },
        handler: async (request, reply) => await respond(request, reply, language, show)
      })
    }
  }

  for (const language of languages) {
    const nothing: PageHandler = async context => await buildNotFoundPage(context, { status: 404, code: '' })
    app.get(`/${language}/*`, {
      config: { requires: 'public' },
      handler: async (request, reply) => await respond(request, reply, language, nothing)
    })
  }

  return {
    add: (place, show) => addShown(place, show, true),
    addUncached: (place, show) => addShown(place, show, false),
    addRaw: (place, crossOrigin, write) => {
      for (const language of languages) {
        app.get(patterns[place][language], {
          config: { requires: 'public', crossOrigin, ...cachedRoute },
          handler: async (request, reply) => await respond(request, reply, language, write)
        })
      }
    },
    addRawAt: (path, write) => {
      app.get(path, {
        config: { requires: 'public', crossOrigin: 'load', ...cachedRoute },
        handler: async (request, reply) => {
          const api = newApiClient(request, internalClient, { language: settings.defaultLanguage })
          return await respond(request, reply, (await sites.get(api)).defaultLanguage, write)
        }
      })
    },
    addForm: (place, take, limit) => {
      for (const language of languages) {
        app.post(patterns[place][language], {
          config: {
            requires: 'public',
            ...(limit === undefined ? {} : { rateLimit: limit }),
            // Checked before the body is read. The request stays anonymous: the public site has no sessions.
            admit: async (request, reply) => {
              if (isOwnForm(request, settings)) return false
              await reply
                .code(403)
                .header('content-type', 'text/html; charset=utf-8')
                .send(renderErrorPage(sites.getLastKnown(), language, 403))
              return false
            }
          },
          handler: async (request, reply) => await respond(request, reply, language, take)
        })
      }
    }
  }
}

/** Records what the API responses of a page depend on: the page depends on all of it. */
function recordTags(internalClient: InternalClient): {
  client: InternalClient
  getTags: () => (CacheTags | undefined)[]
} {
  const tags: (CacheTags | undefined)[] = []
  return {
    client: async (visitor, call) => {
      const response = await internalClient(visitor, call)
      tags.push(response.cacheTags)
      return response
    },
    getTags: () => tags
  }
}

/** To the same path in the site's language if it exists there, as for feeds and embeds; otherwise to the home page. */
function redirectToSiteLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  language: Language,
  { defaultLanguage }: SiteSettings
): FastifyReply {
  const withoutLanguage = (url: string) => url.slice(`/${language}`.length)
  const pattern = request.routeOptions.url ?? ''
  const samePattern = `/${defaultLanguage}${withoutLanguage(pattern)}`
  const isThere = Object.values(patterns).some(
    paths => paths[language] === pattern && paths[defaultLanguage] === samePattern
  )
  return reply.redirect(`/${defaultLanguage}${isThere ? withoutLanguage(request.url) : ''}`, 302)
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

/** The image that `og:image` of the page names. The hash in its address changes with what it shows. */
async function sendPreview(
  reply: FastifyReply,
  context: PageContext,
  page: Page,
  asked: string
): Promise<Buffer | FastifyReply> {
  if (page.noindex === true || page.status !== undefined) return reply.code(404).type('text/plain').send('')
  const hash = hashPreview(context.site, page.title)
  if (asked !== hash) return reply.redirect(addPreviewQuery(context.path, hash), 302)
  reply.headers({ 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' })
  return await drawPreview(context.site, page.title)
}

export function renderHtml(document: Parameters<typeof renderToString>[0]): string {
  return `<!doctype html>${renderToString(document)}`
}

/**
 * CSRF check: browsers send the origin of a form, and forms of other sites are refused. The origin has to be exactly that
 * of PUBLIC_URL, or have the host of the request: many proxies forward their own address as Host, or one without port.
 */
export function isOwnForm(request: FastifyRequest, { publicUrl }: Pick<Settings, 'publicUrl'>): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true
  return origin !== 'null' && parseHost(origin) === request.host
}

function parseHost(origin: string): string {
  return canParseUrl(origin) ? new URL(origin).host : ''
}
