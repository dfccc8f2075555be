import type { FastifyRequest } from 'fastify'
import { parseQuery } from '#platform/http/form.ts'
import { buildUrl } from '#platform/http/links.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, languages, negotiateLanguage } from '#platform/language.ts'
import { type ApiClient, newApiClient, withQuery } from '../server/api-client.ts'
import { calendarPath } from '../server/calendar-api.ts'
import { getPath, type PageName } from '../server/paths.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { ignoreRefusal } from './events/alternates.ts'
import { renderFavicon } from './favicon.ts'
import { registerSitemapRoutes } from './sitemap.ts'
import { registerWellKnownRoutes } from './well-known.ts'

const config = { requires: 'public' as const }

/** Paths without language: redirects, and files for machines. */
export function registerRootRoutes(scope: RouteContext): void {
  const { app, settings } = scope

  /** Redirect target for the visitor's language, or undefined for a 404. */
  type Target = (language: Language, request: FastifyRequest, api: ApiClient) => string | Promise<string | undefined>

  function lead(path: string, target: Target): void {
    app.get(path, {
      config,
      handler: async (request, reply) => {
        const { language, api } = await loadReader(scope, request)
        const location = await target(language, request, api)
        if (location === undefined) return reply.callNotFound()
        // Depends on Accept-Language, so caches must not reuse it for other visitors.
        return reply.header('vary', 'Accept-Language').redirect(location, 302)
      }
    })
  }

  lead('/', async (language, request, api) => {
    const linked = parseWordpressLink(request.url)
    return linked === undefined ? getPath('home', language) : await findPagePath(api, language, linked)
  })
  lead('/events', language => getPath('calendar', language))
  lead('/events/list', language => getPath('list', language))
  lead('/events/month', language => getPath('calendar', language))
  lead('/embed/events', toLanguagePath('embedEvents'))
  lead('/embed/events/:id', toLanguagePath('embedEvent'))
  lead('/embed/campaigns/:id', toLanguagePath('embedCampaign'))
  lead('/feeds', language => getPath('feeds', language))
  lead('/api', language => getPath('api', language))
  lead('/problems', language => getPath('problems', language))
  lead('/problems/:code', (language, { params }) => getPath('problem', language, (params as { code: string }).code))
  for (const place of ['event', 'venue', 'organizer', 'tag'] as const) {
    lead(`/${place}/:slug`, (language, { params }) => getPath(place, language, (params as { slug: string }).slug))
  }
  // A category's path starts with its parents.
  lead('/events/category/*', (language, { params }) => {
    const slug = (params as { '*': string })['*'].split('/').findLast(part => part !== '')
    return slug === undefined ? getPath('calendar', language) : getPath('category', language, slug)
  })

  app.get('/favicon.svg', {
    config,
    handler: async (request, reply) => {
      const { site } = await loadReader(scope, request)
      return reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=3600' })
        .send(renderFavicon(site.accent))
    }
  })

  app.get('/robots.txt', {
    config,
    handler: async (request, reply) =>
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .send(`User-agent: *\nDisallow: /admin\n\nSitemap: ${buildUrl(request, settings, '/sitemap.xml')}\n`)
  })

  registerSitemapRoutes(scope)
  registerWellKnownRoutes(scope, async request => await loadReader(scope, request))
}

async function loadReader(
  { internalClient, settings }: RouteContext,
  request: FastifyRequest
): Promise<{ language: Language; api: ApiClient; site: SiteSettings }> {
  const wanted = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
  const api = newApiClient(request, internalClient, { language: wanted })
  const { body: site } = await api.get<SiteSettings>('/site')
  return { language: site.languages.includes(wanted) ? wanted : site.defaultLanguage, api, site }
}

/** For embeds whose URL has no language, or has it as a parameter. */
function toLanguagePath(place: PageName) {
  return (language: Language, { url, params }: FastifyRequest): string => {
    const question = url.indexOf('?')
    const search = question < 0 ? '' : url.slice(question)
    const wanted = languages.find(one => one === parseQuery(search.slice(1)).language) ?? language
    return getPath(place, wanted, (params as { id?: string }).id) + search
  }
}

const types: Record<string, WordpressLink['place']> = {
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer'
}

interface WordpressLink {
  place: Extract<PageName, 'event' | 'venue' | 'organizer'>
  id: string
}

/** Link that the API uses for items without their own page: `/?post_type=tribe_events&p=7`. */
function parseWordpressLink(url: string): WordpressLink | undefined {
  const question = url.indexOf('?')
  if (question < 0) return undefined
  const { post_type: type, p: id } = parseQuery(url.slice(question + 1))
  const place = typeof type === 'string' ? types[type] : undefined
  return place !== undefined && typeof id === 'string' && /^\d{1,15}$/.test(id) ? { place, id } : undefined
}

async function findPagePath(
  api: ApiClient,
  language: Language,
  { place, id }: WordpressLink
): Promise<string | undefined> {
  const path = withQuery(`${calendarPath}/${place}s/${id}`, { language, _fields: 'slug' })
  const found = await api.get<{ slug: string }>(path).catch(ignoreRefusal)
  return found?.body.slug ? getPath(place, language, found.body.slug) : undefined
}
