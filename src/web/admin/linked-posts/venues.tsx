import type { AdminRouter } from '../shared/context.ts'
import { venueType } from './linked-post-type.ts'
import { registerLinkedPostRoutes } from './linked-posts.tsx'

export function registerVenueRoutes(console: AdminRouter): void {
  registerLinkedPostRoutes(console, venueType)
}
