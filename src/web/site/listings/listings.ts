import type { PageRouter } from '../../page/page.ts'
import { registerOrganizerRoutes } from './organizer.tsx'
import { registerTermRoutes } from './term.tsx'
import { registerVenueRoutes } from './venue.tsx'

/** Where events take place, who holds them, and what kind they are of. */
export function registerListingRoutes(pages: PageRouter): void {
  registerVenueRoutes(pages)
  registerOrganizerRoutes(pages)
  registerTermRoutes(pages)
}
