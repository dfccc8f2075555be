import type { FastifyRequest } from 'fastify'
import { parseQuery } from '#platform/http/form.ts'
import { buildUrl } from '#platform/http/links.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, languages } from '#platform/language.ts'
import { getPath, type PageName } from '../server/paths.ts'
import { loadReader } from '../server/site-reader.ts'
import { registerIconRoutes } from './icon-routes.ts'
import { sendOldAddress } from './old-addresses/old-addresses.ts'
import { findWordpressLink, parseWordpressLink } from './old-addresses/wordpress-links.ts'
import { registerSitemapRoutes } from './sitemap.ts'
import { registerWellKnownRoutes } from './well-known.ts'

const config = { requires: 'public' as const }

/** Paths without language: redirects, and files for machines. */
export function registerRootRoutes(scope: RouteContext): void {
  const { app, settings } = scope

  /** Redirects to a path in the visitor's language. */
  function lead(path: string, target: (language: Language, request: FastifyRequest) => string): void {
    app.get(path, {
      config,
      handler: async (request, reply) => {
        const { language } = await loadReader(scope, request)
        const location = target(language, request)
        // Depends on Accept-Language, so caches must not reuse it for other visitors.
        return reply.header('vary', 'Accept-Language').redirect(location, 302)
      }
    })
  }

  app.get('/', {
    config,
    handler: async (request, reply) => {
      const reader = await loadReader(scope, request)
      const link = parseWordpressLink(request.url)
      if (link !== undefined) return await sendOldAddress(request, reply, reader, await findWordpressLink(reader, link))
      reply.header('vary', 'Accept-Language')
      // Clients of WordPress discover the API by the Link header of HEAD, and some do not follow a redirect of HEAD.
      if (request.method === 'HEAD') return reply.code(200).send()
      return reply.redirect(getPath('home', reader.language), 302)
    }
  })
  lead('/embed/events', toLanguagePath('embedEvents'))
  lead('/embed/events/:id', toLanguagePath('embedEvent'))
  lead('/embed/campaigns/:id', toLanguagePath('embedCampaign'))
  lead('/feeds', language => getPath('feeds', language))
  lead('/api', language => getPath('api', language))
  lead('/problems', language => getPath('problems', language))
  lead('/problems/:code', (language, { params }) => getPath('problem', language, (params as { code: string }).code))

  app.get('/robots.txt', {
    config,
    handler: async (request, reply) =>
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .send(`User-agent: *\nDisallow: /admin\n\nSitemap: ${buildUrl(request, settings, '/sitemap.xml')}\n`)
  })

  registerIconRoutes(scope)
  registerSitemapRoutes(scope)
  registerWellKnownRoutes(scope, async request => await loadReader(scope, request))
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
