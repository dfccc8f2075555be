import type { RouteContext } from '#platform/http/service.ts'
import type { RouteTable } from '../contract/routing/route.ts'
import { organizerSchema } from '../contract/shapes.ts'
import { registerLinkedRoutes } from '../linked-posts/linked-routes.ts'
import { organizerPostType } from './organizer.ts'
import { organizerFields } from './schema.ts'
import { toOrganizerJson } from './wire.ts'

export function registerOrganizerRoutes(scope: RouteContext, table: RouteTable): void {
  registerLinkedRoutes(scope, table, organizerPostType, {
    fields: organizerFields,
    toJson: toOrganizerJson,
    response: organizerSchema
  })
}
