import type { FastifyRequest } from 'fastify'
import { parseQuery } from '#platform/form.ts'
import { type Language, languages, preferredLanguage } from '#platform/language.ts'
import { urlOf } from '#platform/links.ts'
import type { Scope } from '#platform/service.ts'
import { type Api, apiFor, withQuery } from '../api.ts'
import { calendarPath } from '../calendar-api.ts'
import { type Place, pathTo } from '../paths.ts'
import type { SiteInfo } from '../site-info.ts'
import { unlessBroken } from './events/twins.ts'
import { favicon } from './favicon.ts'
import { sitemapRoutes } from './sitemap.ts'
import { wellKnownRoutes } from './well-known.ts'

const config = { needs: 'nothing' as const }

/** Addresses without a language: they lead to one, or are for machines. */
export function rootRoutes(scope: Scope): void {
  const { app, settings } = scope

  /** Where a visitor who reads this language should go, or undefined where there is nothing. */
  type Target = (language: Language, request: FastifyRequest, api: Api) => string | Promise<string | undefined>

  function lead(path: string, target: Target): void {
    app.get(path, {
      config,
      handler: async (request, reply) => {
        const { language, api } = await readerOf(scope, request)
        const location = await target(language, request, api)
        if (location === undefined) return reply.callNotFound()
        // By language, and so for this visitor only: what others get may differ.
        return reply.header('vary', 'Accept-Language').redirect(location, 302)
      }
    })
  }

  lead('/', async (language, request, api) => {
    const linked = linkedIn(request.url)
    return linked === undefined ? pathTo('home', language) : await pageOf(api, language, linked)
  })
  lead('/events', language => pathTo('calendar', language))
  lead('/events/list', language => pathTo('list', language))
  lead('/events/month', language => pathTo('calendar', language))
  lead('/embed/events', inLanguage('embedEvents'))
  lead('/embed/events/:id', inLanguage('embedEvent'))
  lead('/embed/campaigns/:id', inLanguage('embedCampaign'))
  lead('/feeds', language => pathTo('feeds', language))
  lead('/api', language => pathTo('api', language))
  for (const place of ['event', 'venue', 'organizer', 'tag'] as const) {
    lead(`/${place}/:slug`, (language, { params }) => pathTo(place, language, (params as { slug: string }).slug))
  }
  // A category stands behind those above it.
  lead('/events/category/*', (language, { params }) => {
    const slug = (params as { '*': string })['*'].split('/').findLast(part => part !== '')
    return slug === undefined ? pathTo('calendar', language) : pathTo('category', language, slug)
  })

  app.get('/favicon.svg', {
    config,
    handler: async (request, reply) => {
      const { site } = await readerOf(scope, request)
      return reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=3600' })
        .send(favicon(site.accent))
    }
  })

  app.get('/robots.txt', {
    config,
    handler: async (request, reply) =>
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .send(`User-agent: *\nDisallow: /admin\n\nSitemap: ${urlOf(request, settings, '/sitemap.xml')}\n`)
  })

  sitemapRoutes(scope)
  wellKnownRoutes(scope, async request => await readerOf(scope, request))
}

async function readerOf(
  { inside, settings }: Scope,
  request: FastifyRequest
): Promise<{ language: Language; api: Api; site: SiteInfo }> {
  const wanted = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
  const api = apiFor(request, inside, { language: wanted })
  const { body: site } = await api.get<SiteInfo>('/site')
  return { language: site.languages.includes(wanted) ? wanted : site.defaultLanguage, api, site }
}

/** For frames whose code says no language, or says it as a parameter. */
function inLanguage(place: Place) {
  return (language: Language, { url, params }: FastifyRequest): string => {
    const question = url.indexOf('?')
    const search = question < 0 ? '' : url.slice(question)
    const wanted = languages.find(one => one === parseQuery(search.slice(1)).language) ?? language
    return pathTo(place, wanted, (params as { id?: string }).id) + search
  }
}

const types: Record<string, Linked['place']> = {
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer'
}

interface Linked {
  place: Extract<Place, 'event' | 'venue' | 'organizer'>
  id: string
}

/** What the API links to while something has no page of its own: `/?post_type=tribe_events&p=7`. */
function linkedIn(url: string): Linked | undefined {
  const question = url.indexOf('?')
  if (question < 0) return undefined
  const { post_type: type, p: id } = parseQuery(url.slice(question + 1))
  const place = typeof type === 'string' ? types[type] : undefined
  return place !== undefined && typeof id === 'string' && /^\d{1,15}$/.test(id) ? { place, id } : undefined
}

async function pageOf(api: Api, language: Language, { place, id }: Linked): Promise<string | undefined> {
  const path = withQuery(`${calendarPath}/${place}s/${id}`, { language, _fields: 'slug' })
  const found = await api.get<{ slug: string }>(path).catch(unlessBroken)
  return found?.body.slug ? pathTo(place, language, found.body.slug) : undefined
}
