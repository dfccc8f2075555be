import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { Settings } from '#platform/config.ts'
import { newMethodNotAllowedProblem, problemJson } from '#platform/http/errors.ts'
import { parseForm } from '#platform/http/form.ts'
import { newHeadersByOrigin } from '#platform/http/links.ts'
import type { RouteContext, Service } from '#platform/http/service.ts'
import type { ServiceAdapter } from '#platform/http/service-adapter.ts'
import { isLanguage, negotiateLanguage } from '#platform/language.ts'
import { registerAdminRoutes } from './admin/pages.ts'
import { renderFailurePage } from './admin/shared/failure-page.tsx'
import { renderErrorPage } from './page/error-page.tsx'
import { newPageRouter } from './page/page.ts'
import { registerAssetRoutes } from './server/assets.ts'
import { newSiteSettingsReader, type SiteSettingsReader } from './server/site-settings.ts'
import { registerThemeRoutes } from './server/theme.ts'
import { newImportedPaths } from './site/old-addresses/imported-paths.ts'
import { registerSiteRoutes } from './site/pages.ts'

/** The HTML service: public site and admin console. It uses only the public APIs. */
export function newWebService(settings: Settings): Service {
  const sites = newSiteSettingsReader(settings)
  const importedPaths = newImportedPaths()
  return {
    name: 'web',
    title: 'Kalends: pages',
    errorFormat: { ...problemJson, contentType: 'text/html; charset=utf-8' },
    rules: [],
    routes: [
      importedPaths.start,
      registerAssetRoutes,
      registerThemeRoutes,
      (scope: RouteContext) => registerSiteRoutes(scope, newPageRouter(scope, sites)),
      (scope: RouteContext) => registerAdminRoutes(scope, sites)
    ],
    prefixes,
    adapter: { ...buildServiceAdapter(settings, sites), respondToUnknownPath: importedPaths.respond },
    examples: [],
    warmUpPaths: ['/', '/events', '/campaigns'],
    rendersHtml: true
  }
}

/** Unknown paths below these are answered with an HTML page, whatever the client accepts. */
const prefixes = [
  ...['/en', '/de', '/admin', '/assets', '/widgets', '/embed', '/event', '/venue', '/organizer', '/events', '/tag'],
  ...['/feeds', '/api', '/problems', '/.well-known', '/wp-content']
]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Other sites may load the response, or also show it in a frame; without it, only this site may. */
    crossOrigin?: 'load' | 'frame'
  }
}

/** Images in texts may come from other sites; everything else is same-origin, without inline scripts or styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join('; ')
const embedSecurityPolicy = contentSecurityPolicy.replace(/frame-ancestors.*/, 'frame-ancestors *')

type CrossOrigin = FastifyContextConfig['crossOrigin']

function newPageHeaders(settings: Settings, crossOrigin: CrossOrigin) {
  return newHeadersByOrigin(settings, origin => ({
    'content-security-policy': crossOrigin === 'frame' ? embedSecurityPolicy : contentSecurityPolicy,
    'cross-origin-resource-policy': crossOrigin === undefined ? 'same-origin' : 'cross-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // The CSP's frame-ancestors allows framing; X-Frame-Options could only forbid it.
    ...(crossOrigin === 'frame' ? { 'x-frame-options': undefined } : {}),
    'x-tec-api-version': 'v1',
    'x-tec-api-root': `${origin}/wp-json/tribe/events/v1/`,
    'x-tec-api-origin': origin
  }))
}

function buildServiceAdapter(settings: Settings, sites: SiteSettingsReader): ServiceAdapter {
  const getHeaders = newPageHeaders(settings, undefined)
  const getHeadersFor = { load: newPageHeaders(settings, 'load'), frame: newPageHeaders(settings, 'frame') }
  return {
    handlesNotFound: request => request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? ''),
    contentTypeParsers: {
      'application/x-www-form-urlencoded': parseForm,
      'multipart/form-data': parseForm
    },
    headers: request => {
      const { crossOrigin } = request.routeConfig
      return crossOrigin === undefined ? getHeaders(request) : getHeadersFor[crossOrigin](request)
    },
    allow: () => '',
    formatError: (request, reply) => {
      reply.header('content-type', 'text/html; charset=utf-8')
      const [site, language] = [sites.getLastKnown(), getLanguage(request, settings)]
      const retry = request.method === 'GET' ? request.url : undefined
      return /^\/admin(?:[/?]|$)/.test(request.url) && reply.statusCode >= 500
        ? renderFailurePage(site, language, reply.statusCode, retry)
        : renderErrorPage(site, language, reply.statusCode, retry)
    },
    options: () => ({}),
    methodNotAllowed: newMethodNotAllowedProblem
  }
}

function getLanguage(request: FastifyRequest, settings: Settings) {
  const byPath = /^\/([a-z]{2,3})(?:\/|$|\?)/.exec(request.url)?.[1]
  return isLanguage(byPath) ? byPath : negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
}
