import type { IncomingMessage } from 'node:http'
import type { Settings } from '#platform/config.ts'
import { parseForm } from '#platform/http/form.ts'
import { bodyBytesMax, parseJsonBody } from '#platform/http/json-body.ts'
import type { Example, RouteContext, Service } from '#platform/http/service.ts'
import type { ServiceAdapter } from '#platform/http/service-adapter.ts'
import { languages } from '#platform/language.ts'
import { createCalendarActivityTypes } from './activity-types.ts'
import { calendarGroups } from './contract/groups.ts'
import { newBodyTooLargeProblem, newRouteNotFoundProblem, wordpressErrorFormat } from './contract/problems.ts'
import { wrapError } from './contract/routing/envelope.ts'
import { describeRoute, newAllowHeader, registerIndexRoutes } from './contract/routing/index-routes.ts'
import type { RouteTable } from './contract/routing/route.ts'
import { aliasPrefix, discoveryPath, isUnder, newCommonHeaders, ownPrefix } from './contract/routing/site.ts'
import { registerAuthorRoutes } from './events/author-routes.ts'
import { registerBulkRoutes } from './events/bulk/routes.ts'
import { registerDayRoutes } from './events/days/routes.ts'
import { registerFeedRoutes } from './events/feeds/routes.ts'
import { registerEventRoutes } from './events/routes.ts'
import type { SeriesActions } from './events/series-actions.ts'
import { registerVersionRoutes } from './events/versions/routes.ts'
import { registerExportRoutes } from './exports/routes.ts'
import { registerFileRoutes } from './files/routes.ts'
import { registerImportRoutes } from './imports/routes.ts'
import { registerMediaRoutes } from './media/routes.ts'
import { registerOrganizerRoutes } from './organizers/routes.ts'
import { registerRedirectRoutes } from './redirects/routes.ts'
import { removeCalendarSamples } from './seed/remove-samples.ts'
import { seedCalendar } from './seed/seed.ts'
import { storeSamplePicture } from './seed/store-sample-picture.ts'
import { removeOccurrences } from './series/removal.ts'
import { registerSeriesRoutes } from './series/routes.ts'
import { createSeries, updateSeries } from './series/series.ts'
import { registerSubscriptionReportRoutes } from './subscriptions/report-routes.ts'
import { registerSubscriptionRoutes } from './subscriptions/routes.ts'
import { registerSuggestionRoutes } from './suggestions/routes.ts'
import { registerCategoryRoutes, registerTagRoutes } from './terms/routes.ts'
import { registerVenueRoutes } from './venues/routes.ts'
import type { WordpressRouteTable } from './wordpress/define-route.ts'
import { registerDiscoveryRoutes } from './wordpress/discovery-routes.ts'
import { registerWordpressRoutes } from './wordpress/routes.ts'

const examples: Example[] = [
  {
    path: `${ownPrefix}/events`,
    body: {
      title: 'Summer concert',
      start_date: 'next saturday 19:30',
      end_date: 'next saturday 21:30',
      venue: { venue: 'Town Hall' }
    }
  },
  { path: `${ownPrefix}/events` },
  { path: '/en/events.ics' }
]

const seriesActions: SeriesActions = { create: createSeries, update: updateSeries, remove: removeOccurrences }

export function createCalendarService(settings: Settings): Service {
  const table: RouteTable = { routes: [] }
  const wordpressTable: WordpressRouteTable = { routes: [] }
  const add = (routes: (scope: RouteContext, table: RouteTable) => void) => (scope: RouteContext) =>
    routes(scope, table)
  return {
    name: 'calendar',
    title: 'Kalends: events calendar',
    groups: calendarGroups,
    errorFormat: wordpressErrorFormat,
    rules: [],
    routes: [
      add(registerIndexRoutes),
      scope => registerDiscoveryRoutes(scope, table, wordpressTable),
      { specified: add((scope, routes) => registerEventRoutes(scope, routes, seriesActions)) },
      add(registerVersionRoutes),
      add(registerBulkRoutes),
      add(registerAuthorRoutes),
      add(registerSeriesRoutes),
      add(registerFeedRoutes),
      add(registerExportRoutes),
      add(registerDayRoutes),
      { specified: add(registerVenueRoutes) },
      { specified: add(registerOrganizerRoutes) },
      { specified: add(registerCategoryRoutes) },
      { specified: add(registerTagRoutes) },
      { specified: add(registerMediaRoutes) },
      add(registerFileRoutes),
      add(registerImportRoutes),
      add(registerSubscriptionRoutes),
      add(registerSubscriptionReportRoutes),
      add(registerSuggestionRoutes),
      add(registerRedirectRoutes),
      { specified: scope => registerWordpressRoutes(scope, { table: wordpressTable, contract: table }) }
    ],
    prefixes: [ownPrefix, discoveryPath],
    discovery: { path: `${discoveryPath}/`, rel: 'https://api.w.org/' },
    adapter: buildServiceAdapter(table, settings),
    examples,
    seed: async (db, given) => await seedCalendar(db, given),
    storeSamplePicture,
    removeSamples: removeCalendarSamples,
    activityTypes: createCalendarActivityTypes(settings)
  }
}

/** Behaviour that clients of The Events Calendar expect. */
function buildServiceAdapter(table: RouteTable, settings: Settings): ServiceAdapter {
  return {
    rewriteUrl: request => {
      const url = request.url ?? '/'
      const isOwn = isUnder(url, ownPrefix)
      const feed = isOwn ? null : feedPath.exec(url)
      if (feed === null && !isOwn && !isUnder(url, discoveryPath)) return undefined
      applyMethodOverride(request)
      if (feed !== null) return `${ownPrefix}${feed[2]}?language=${feed[1]}&${url.slice(feed[0].length + 1)}`
      return isUnder(url, aliasPrefix) ? ownPrefix + url.slice(aliasPrefix.length) : url
    },
    contentTypeParsers: {
      'application/json': parseJson,
      'application/x-www-form-urlencoded': parseForm,
      'multipart/form-data': parseForm,
      // Other content types have no parameters; an uploaded image stays raw bytes.
      '*': bytes => bytes
    },
    headers: newCommonHeaders(settings),
    allow: newAllowHeader(table),
    formatError: wrapError,
    options: (request, methods) => describeRoute(table, request, settings, methods),
    methodNotAllowed: newRouteNotFoundProblem
  }
}

/** Image routes allow larger bodies, but JSON keeps the usual limit. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length > bodyBytesMax) throw newBodyTooLargeProblem()
  return parseJsonBody(bytes)
}

/** Feed URLs with the language in the path: `/de/events.ics`, `/en/events/7.ics`. */
const feedPath = new RegExp(`^/(${languages.join('|')})(/events(?:/\\d+)?\\.ics)(?=\\?|$)`)

const overridableMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A POST may override its method, for clients behind a proxy that allows only GET and POST. */
function applyMethodOverride(request: IncomingMessage): void {
  if (request.method !== 'POST') return
  const byQuery = /[?&]_method=([a-z]+)(?=&|$)/i.exec(request.url ?? '')?.[1]
  const byHeader = request.headers['x-http-method-override']
  const meant = (byQuery ?? (typeof byHeader === 'string' ? byHeader : '')).toUpperCase()
  if (overridableMethods.includes(meant)) request.method = meant
}
