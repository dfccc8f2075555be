import type { PageRouter } from '../../page/page.ts'
import { registerOrganizerRoutes } from './organizer.tsx'
import { registerTermRoutes } from './term.tsx'
import { registerVenueRoutes } from './venue.tsx'

/** Pages of venues, organizers, categories and tags. */
export function registerListingRoutes(pages: PageRouter): void {
  registerVenueRoutes(pages)
  registerOrganizerRoutes(pages)
  registerTermRoutes(pages)
}
