import type { Scope } from '#platform/service.ts'
import { organizer } from '../answers.ts'
import { linkedRoutes } from '../linked/endpoints.ts'
import type { RouteTable } from '../tec.ts'
import { linkedOrganizers } from './organizer.ts'
import { organizerFields } from './schema.ts'
import { organizerToWire } from './wire.ts'

export function organizerRoutes(scope: Scope, table: RouteTable): void {
  linkedRoutes(scope, table, linkedOrganizers, {
    fields: organizerFields,
    toWire: organizerToWire,
    answers: organizer
  })
}
