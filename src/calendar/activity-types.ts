import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { buildResponseFilter } from '#platform/http/response-filter.ts'
import type { ActivityType } from '#platform/http/service.ts'
import { buildSite } from './contract/routing/site.ts'
import { categorySchema, eventSchema, organizerSchema, tagSchema, venueSchema } from './contract/shapes.ts'
import type { EventRow } from './events/event-row.ts'
import * as events from './events/queries.ts'
import { toEventJson } from './events/wire.ts'
import * as linked from './linked-posts/queries.ts'
import type { LinkedPostChanges, LinkedPostRow, LinkedPostType } from './linked-posts/schema.ts'
import type { LinkedPostView } from './linked-posts/wire.ts'
import { organizerPostType } from './organizers/organizer.ts'
import { toOrganizerJson } from './organizers/wire.ts'
import type { Viewer } from './permissions/permissions.ts'
import * as terms from './terms/queries.ts'
import { toTermJson } from './terms/wire.ts'
import { venuePostType } from './venues/venue.ts'
import { toVenueJson } from './venues/wire.ts'

/** Activity types of the calendar, with the public representation of each subject in the site's language. */
export function createCalendarActivityTypes(settings: Settings): Record<string, ActivityType> {
  const choice = () => ({ wanted: settings.defaultLanguage, fallback: settings.defaultLanguage })
  const reader = () => ({ viewer: anonymousViewer, zone: settings.timezone, choice: choice(), now: new Date() })
  const viewAt = (origin: string): LinkedPostView => ({
    site: buildSite(origin, settings),
    viewer: anonymousViewer,
    now: new Date()
  })

  const representLinked =
    <Own extends object, Changes extends LinkedPostChanges>(
      kind: LinkedPostType<Own, Changes>,
      toWire: (row: LinkedPostRow & Own, view: LinkedPostView) => object
    ) =>
    async (db: Database, ids: string[], origin: string) => {
      const rows = await linked.listUnlocked(db, kind, toNumbers(ids), reader())
      return mapById(rows, row => filters[kind.kind](toWire(row, viewAt(origin))))
    }

  const representTerms =
    (taxonomy: terms.Taxonomy) =>
    async (db: Database, ids: string[], origin: string): Promise<Map<string, object>> => {
      const rows = await terms.listByIds(db, taxonomy, toNumbers(ids), choice())
      return mapById(rows, row => filters[taxonomy](toTermJson(row, buildSite(origin, settings))))
    }

  const subjects: Record<string, ActivityType> = {
    event: {
      actions: {
        'event.created': 'An event was created, published or not.',
        'event.updated': 'An event was updated.',
        'event.published': 'An existing event was published. A scheduled event is published without this action.',
        'event.trashed': 'An event was moved to the trash.',
        'event.restored': 'An event was restored from the trash.',
        'event.deleted': 'An event was deleted permanently.'
      },
      publicActions: ['created', 'updated', 'published', 'trashed', 'restored', 'deleted'].map(verb => `event.${verb}`),
      readerRoles: ['editor'],
      serializePublic: async (db, ids, origin) => {
        const rows = await events.listUnlocked(db, toNumbers(ids), reader())
        return mapById(rows, (row: EventRow) =>
          filters.event(toEventJson(row, { context: { ...viewAt(origin), zone: settings.timezone } }))
        )
      }
    },
    venue: {
      ...buildLinkedPostActivity('venue', 'A venue'),
      serializePublic: representLinked(venuePostType, toVenueJson)
    },
    organizer: {
      ...buildLinkedPostActivity('organizer', 'An organizer'),
      serializePublic: representLinked(organizerPostType, toOrganizerJson)
    },
    category: { ...buildTermActivity('category', 'A category'), serializePublic: representTerms('category') },
    tag: { ...buildTermActivity('tag', 'A tag'), serializePublic: representTerms('tag') },
    image: {
      // The URL alone gives access to an image, so only public items that show the image may reveal it.
      actions: { 'image.created': 'An image was uploaded or fetched.', 'image.deleted': 'An image was deleted.' },
      readerRoles: ['editor']
    },
    file: {
      actions: { 'file.created': 'A document was copied by an import.', 'file.deleted': 'A document was deleted.' },
      readerRoles: ['editor']
    },
    import: {
      actions: {
        'import.started': 'An import or a dry run was started.',
        'import.finished': 'An import has finished; created items have their own records.',
        'import.failed': 'An import failed.',
        'import.cancelled': 'An import was cancelled.',
        'import.undo_started': 'The undo of an import was started.',
        'import.undone': 'An import was undone.'
      },
      readerRoles: ['editor']
    },
    subscription: {
      actions: {
        'subscription.created': 'A calendar was subscribed to.',
        'subscription.updated': 'A subscription was changed, paused or resumed.',
        'subscription.deleted': 'A subscription was deleted; its events stayed or went to the trash.',
        'subscription.refreshed': 'A subscription was read and something had changed; events have their own records.',
        'subscription.stopped': 'A subscribed calendar looked damaged and was not applied.',
        'subscription.approved': 'A calendar that looked damaged is applied.',
        'subscription.resolved': 'The conflict of an event with its source was resolved.',
        'subscription.paused': 'A subscription was paused after seven days of failures.'
      },
      readerRoles: ['editor']
    },
    suggestion: {
      actions: {
        'suggestion.received': 'A suggestion of a visitor came into the queue.',
        'suggestion.accepted': 'A suggestion was accepted: its event was published.',
        'suggestion.declined': 'A suggestion was declined: its event was moved to the trash.',
        'suggestion.reopened': 'The event of a declined suggestion was restored from the trash.',
        'suggestion.erased': 'The data of the sender was erased.'
      },
      readerRoles: ['editor']
    }
  }
  return Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, { ...subject, invalidates }]))
}

/**
 * Any change invalidates all of `calendar`: events embed venues, organizers and terms, and those count events. Only
 * editors see suggestions, and their responses are not cached.
 */
const invalidates: NonNullable<ActivityType['invalidates']> = ({ subject, subjectId }) => {
  if (subject === 'suggestion') return []
  return subject === 'image' ? ['calendar', `image ${subjectId}`] : ['calendar']
}

/** Webhooks and the event stream send the members that responses have, and no others. */
const filters = {
  event: buildResponseFilter(eventSchema),
  venue: buildResponseFilter(venueSchema),
  organizer: buildResponseFilter(organizerSchema),
  category: buildResponseFilter(categorySchema),
  tag: buildResponseFilter(tagSchema)
}

const anonymousViewer: Viewer = { visibility: 'published', authorId: 0 }

function buildLinkedPostActivity(kind: string, one: string): Omit<ActivityType, 'represent'> {
  const actions = {
    [`${kind}.created`]: `${one} was created, directly or with an event.`,
    [`${kind}.updated`]: `${one} was updated.`,
    [`${kind}.trashed`]: `${one} was moved to the trash.`,
    [`${kind}.restored`]: `${one} was restored from the trash.`,
    [`${kind}.deleted`]: `${one} was deleted permanently.`
  }
  return { actions, publicActions: Object.keys(actions), readerRoles: ['editor'] }
}

function buildTermActivity(kind: string, one: string): Omit<ActivityType, 'represent'> {
  const actions = {
    [`${kind}.created`]: `${one} was created, directly or with an event.`,
    [`${kind}.updated`]: `${one} was updated.`,
    [`${kind}.deleted`]: `${one} was deleted.`
  }
  return { actions, publicActions: Object.keys(actions), readerRoles: ['editor'] }
}

const toNumbers = (ids: string[]) => ids.map(Number).filter(Number.isSafeInteger)

function mapById<Row extends { id: number }>(rows: Row[], toWire: (row: Row) => object): Map<string, object> {
  return new Map(rows.map(row => [String(row.id), toWire(row)]))
}
