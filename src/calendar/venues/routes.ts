import type { Scope } from '#platform/service.ts'
import { venue } from '../answers.ts'
import { linkedRoutes } from '../linked/endpoints.ts'
import type { RouteTable } from '../tec.ts'
import { venueFields } from './schema.ts'
import { linkedVenues } from './venue.ts'
import { venueToWire } from './wire.ts'

export function venueRoutes(scope: Scope, table: RouteTable): void {
  linkedRoutes(scope, table, linkedVenues, { fields: venueFields, toWire: venueToWire, answers: venue })
}
