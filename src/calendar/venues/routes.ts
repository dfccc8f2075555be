import type { RouteContext } from '#platform/http/service.ts'
import type { RouteTable } from '../contract/routing/route.ts'
import { venueSchema } from '../contract/shapes.ts'
import { registerLinkedRoutes } from '../linked-posts/linked-routes.ts'
import { venueFields } from './schema.ts'
import { venuePostType } from './venue.ts'
import { toVenueJson } from './wire.ts'

export function registerVenueRoutes(scope: RouteContext, table: RouteTable): void {
  registerLinkedRoutes(scope, table, venuePostType, { fields: venueFields, toJson: toVenueJson, response: venueSchema })
}
