import type { RouteContext } from '#platform/http/service.ts'
import type { RouteTable } from '../contract/routing/route.ts'
import type { WordpressRouteTable } from './define-route.ts'
import { registerMediaRoutes } from './media-routes.ts'
import { registerPostRoutes } from './post-routes.ts'
import { registerSiteRoutes } from './site-routes.ts'
import { registerTermRoutes } from './term-routes.ts'

/** The namespaces of WordPress that clients of The Events Calendar use besides its own. */
export function registerWordpressRoutes(
  scope: RouteContext,
  { table, contract }: { table: WordpressRouteTable; contract: RouteTable }
): void {
  registerPostRoutes(scope, table)
  registerTermRoutes(scope, table)
  registerMediaRoutes(scope, table)
  registerSiteRoutes(scope, table, contract)
}
