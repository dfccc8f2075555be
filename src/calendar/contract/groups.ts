import type { RouteGroup } from '#platform/http/openapi.ts'

/** The groups of operations in the OpenAPI document and in the reference. */
export const calendarGroups: RouteGroup[] = [
  {
    name: 'Exports',
    description: 'All resources of a kind as CSV or JSON Lines.',
    paths: /\/v1\/\w+\.(?:csv|jsonl)$/
  },
  {
    name: 'Feeds',
    description: 'iCalendar feeds, and events grouped by day.',
    paths: /\/v1\/(?:events\.ics|events\/\{id\}\.ics|days)$/
  },
  {
    name: 'Versions and bulk actions',
    description: 'Earlier versions of an event, and actions on several events that can be undone.',
    paths: /\/v1\/(?:events\/bulk|events\/\{id\}\/versions)/
  },
  { name: 'Events', description: 'Events with date, venue and organizers.', paths: /\/v1\/(?:events|authors)/ },
  {
    name: 'Series',
    description: 'Events that repeat: the rule of a series, and all of its events at once.',
    paths: /\/v1\/series/
  },
  { name: 'Venues', description: 'Venues of events.', paths: /\/v1\/venues/ },
  { name: 'Organizers', description: 'Organizers of events.', paths: /\/v1\/organizers/ },
  {
    name: 'Categories',
    description: 'Hierarchical categories of events.',
    paths: /\/v1\/categories/
  },
  { name: 'Tags', description: 'Tags of events.', paths: /\/v1\/tags/ },
  {
    name: 'Images and files',
    description: 'Images of events, venues and organizers, and documents that texts link to.',
    paths: /^(?:\/calendar\/events\/v1)?\/(?:media|files)/
  },
  {
    name: 'Imports',
    description: 'Imports from other sites, iCalendar and CSV, with dry run and undo.',
    paths: /\/v1\/imports/
  },
  {
    name: 'Subscriptions',
    description: 'Calendars of other sites, fetched at regular intervals.',
    paths: /\/v1\/subscriptions/
  },
  {
    name: 'Suggestions',
    description: 'Events that visitors suggest, and the queue of the editors.',
    paths: /\/v1\/suggestions/
  },
  {
    name: 'Discovery',
    description: 'Discovery for clients of The Events Calendar.',
    paths: /^(?:\/calendar\/events\/v1(?:\/doc|\/redirects)?|\/wp-json)$/
  }
]
