import type { RouteContext } from '#platform/http/service.ts'
import { describeRoutes } from '../contract/routing/index-routes.ts'
import type { RouteTable } from '../contract/routing/route.ts'
import { discoveryPath, getSite } from '../contract/routing/site.ts'
import { getOffsetMinutes } from '../time/zones.ts'
import type { WordpressRouteTable } from './define-route.ts'
import { describeWordpressRoutes } from './wordpress-index.ts'

/** The discovery document of a WordPress root, with the routes of all namespaces. */
export function registerDiscoveryRoutes(scope: RouteContext, table: RouteTable, wordpress: WordpressRouteTable): void {
  scope.app.get(discoveryPath, {
    config: { requires: 'public' },
    schema: {
      summary: 'WordPress REST API root (discovery)',
      description: 'Name, time zone and routes of the site, for clients that discover an API by the root of WordPress.',
      response: { 200: { title: 'SiteIndex', type: 'object', additionalProperties: true } }
    },
    handler: async (request, reply) => {
      const site = getSite(request, scope.settings)
      const { origin, root } = site
      const about = { zone: scope.settings.timezone, now: new Date() }
      reply.header('content-type', 'application/json; charset=utf-8')
      return {
        name: 'Kalends',
        description: 'Events calendar',
        url: origin,
        home: origin,
        gmt_offset: String(getOffsetMinutes(about.zone, about.now) / 60),
        timezone_string: about.zone,
        namespaces: [site.namespace, 'tec/v1', 'wp/v2'],
        // An application password is an API key, which a person creates there.
        authentication: { 'application-passwords': { endpoints: { authorization: `${origin}/admin/keys` } } },
        routes: { ...describeRoutes(table, site, about), ...describeWordpressRoutes(wordpress, root) }
      }
    }
  })
}
