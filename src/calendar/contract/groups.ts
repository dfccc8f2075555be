import type { RouteGroup } from '#platform/http/openapi.ts'

/** The groups of operations in the OpenAPI document and in the reference. */
export const calendarGroups: RouteGroup[] = [
  {
    name: 'Exports',
    description: 'Everything of a kind in one answer: as a table, or a line of JSON for each.',
    paths: /\/v1\/\w+\.(?:csv|jsonl)$/
  },
  {
    name: 'Feeds',
    description: 'iCalendar, and what a calendar page shows of each day.',
    paths: /\/v1\/(?:events\.ics|events\/\{id\}\.ics|days)$/
  },
  { name: 'Events', description: 'What takes place, when and where.', paths: /\/v1\/events/ },
  { name: 'Venues', description: 'Where events take place.', paths: /\/v1\/venues/ },
  { name: 'Organizers', description: 'Who is behind an event.', paths: /\/v1\/organizers/ },
  {
    name: 'Categories',
    description: 'Kinds of events, which may lie within one another.',
    paths: /\/v1\/categories/
  },
  { name: 'Tags', description: 'Loose words to find events by.', paths: /\/v1\/tags/ },
  {
    name: 'Images',
    description: 'Pictures for events, venues and organizers.',
    paths: /^(?:\/calendar\/events\/v1)?\/media/
  },
  {
    name: 'Imports',
    description: 'Importing events from other sites, calendars and tables, with a dry run and undo.',
    paths: /\/v1\/imports/
  },
  {
    name: 'Discovery',
    description: 'How clients of The Events Calendar find what is here.',
    paths: /^(?:\/calendar\/events\/v1(?:\/doc)?|\/wp-json)$/
  }
]
