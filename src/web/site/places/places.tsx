import type { Pages } from '../../page.ts'
import { organizerPages } from './organizer.tsx'
import { termPages } from './term.tsx'
import { venuePages } from './venue.tsx'

/** Where events take place, who holds them, and what kind they are of. */
export function placePages(pages: Pages): void {
  venuePages(pages)
  organizerPages(pages)
  termPages(pages)
}
