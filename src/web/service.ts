import type { FastifyRequest } from 'fastify'
import type { Settings } from '#platform/config.ts'
import { parseForm } from '#platform/form.ts'
import { preferredLanguage } from '#platform/language.ts'
import type { Manners } from '#platform/manners.ts'
import { methodNotAllowed, problemJson } from '#platform/refuse.ts'
import type { Scope, Service } from '#platform/service.ts'
import { consolePages } from './admin/pages.ts'
import { assetRoutes } from './assets.ts'
import { failurePage } from './failure.tsx'
import { newPages } from './page.ts'
import { sitePages } from './site/pages.ts'
import { newSiteMemory, type SiteMemory } from './site-info.ts'
import { themeRoutes } from './theme.ts'

/** Pages for people: the public site, and the console for those who run it. A client of the APIs like any other. */
export function webService(settings: Settings): Service {
  const sites = newSiteMemory(settings)
  return {
    name: 'web',
    title: 'Kalends: pages',
    dialect: { ...problemJson, contentType: 'text/html; charset=utf-8' },
    rules: [],
    routes: [
      assetRoutes,
      themeRoutes,
      (scope: Scope) => sitePages(scope, newPages(scope, sites)),
      (scope: Scope) => consolePages(scope, sites)
    ],
    manners: mannersOf(settings, sites),
    examples: [],
    isForPeople: true
  }
}

const ownPaths =
  /^\/(?:$|(?:en|de|admin|assets|widgets|embed|event|venue|organizer|events|tag|feeds|api|\.well-known)(?:\/|$)|(?:theme\.css|favicon\.svg|robots\.txt|sitemap\.xml|oembed)$)/

/** What other sites show inside their pages, and what that is made of. */
const forOthers =
  /^\/(?:(?:en|de)\/(?:embed\/|(?:events|campaigns)\.(?:rss|atom)$)|(?:assets|widgets)\/|(?:theme\.css|oembed)$)/
const isEmbed = /^\/(?:en|de)\/embed\//

/** Images in texts may come from elsewhere; everything else is ours, and no script or style stands in a page. */
const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join('; ')
const embedSecurity = contentSecurity.replace(/frame-ancestors.*/, 'frame-ancestors *')

function mannersOf(settings: Settings, sites: SiteMemory): Manners {
  return {
    owns: path => ownPaths.test(path),
    receives: request => request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? ''),
    beforeRouting: request => request.url ?? '/',
    bodies: {
      'application/x-www-form-urlencoded': parseForm,
      'multipart/form-data': parseForm
    },
    headers: request => {
      const path = request.url.split('?', 1)[0] ?? ''
      return {
        'content-security-policy': isEmbed.test(path) ? embedSecurity : contentSecurity,
        'cross-origin-resource-policy': forOthers.test(path) ? 'cross-origin' : 'same-origin',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-tec-api-version': 'v1',
        'x-tec-api-root': `${originOf(request, settings)}/wp-json/tribe/events/v1/`,
        'x-tec-api-origin': originOf(request, settings)
      }
    },
    allow: () => '',
    refusal: (request, reply) => {
      reply.header('content-type', 'text/html; charset=utf-8')
      return failurePage(sites.last(), languageOf(request, settings), reply.statusCode)
    },
    options: () => ({}),
    noSuchMethod: methodNotAllowed
  }
}

function originOf(request: FastifyRequest, settings: Settings): string {
  return settings.publicUrl ?? `${request.protocol}://${request.host}`
}

function languageOf(request: FastifyRequest, settings: Settings) {
  const byPath = /^\/(en|de)(?:\/|$|\?)/.exec(request.url)?.[1]
  return byPath === 'en' || byPath === 'de'
    ? byPath
    : preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
}
