import type { AdminRouter } from '../shared/context.ts'
import { organizerType } from './linked-post-type.ts'
import { registerLinkedPostRoutes } from './linked-posts.tsx'

export function registerOrganizerRoutes(console: AdminRouter): void {
  registerLinkedPostRoutes(console, organizerType)
}
