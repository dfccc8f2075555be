import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Subject } from '#platform/service.ts'
import type { EventRow } from './events/queries.ts'
import * as events from './events/queries.ts'
import { eventToWire } from './events/wire.ts'
import * as linked from './linked/queries.ts'
import type { Linked, LinkedChanges, LinkedRow } from './linked/schema.ts'
import type { View } from './linked/wire.ts'
import { linkedOrganizers } from './organizers/organizer.ts'
import { organizerToWire } from './organizers/wire.ts'
import { siteAt } from './tec.ts'
import * as terms from './terms/queries.ts'
import { termToWire } from './terms/wire.ts'
import { linkedVenues } from './venues/venue.ts'
import { venueToWire } from './venues/wire.ts'
import type { Viewer } from './viewer.ts'

/** What happens to what a calendar is made of, and what anybody may read of it, in the site's language. */
export function calendarSubjects(settings: Settings): Record<string, Subject> {
  const choice = () => ({ wanted: settings.defaultLanguage, fallback: settings.defaultLanguage })
  const reader = () => ({ viewer: anybody, zone: settings.timezone, choice: choice() })
  const viewAt = (origin: string): View => ({ site: siteAt(origin, settings), viewer: anybody, now: new Date() })

  const representLinked =
    <Own extends object, Changes extends LinkedChanges>(
      kind: Linked<Own, Changes>,
      toWire: (row: LinkedRow & Own, view: View) => object
    ) =>
    async (db: Database, ids: string[], origin: string) => {
      const rows = await linked.listOpen(db, kind, numbers(ids), anybody, reader())
      return byId(rows, row => toWire(row, viewAt(origin)))
    }

  const representTerms =
    (taxonomy: terms.Taxonomy) =>
    async (db: Database, ids: string[], origin: string): Promise<Map<string, object>> => {
      const rows = await terms.listByIds(db, taxonomy, numbers(ids), choice())
      return byId(rows, row => termToWire(row, siteAt(origin, settings)))
    }

  const subjects: Record<string, Subject> = {
    event: {
      actions: {
        'event.created': 'An event was made, published or not.',
        'event.updated': 'An event was changed.',
        'event.published': 'An event that was there became published. One that is published ahead appears by itself.',
        'event.trashed': 'An event was moved to the trash.',
        'event.restored': 'An event was brought back from the trash.',
        'event.deleted': 'An event was removed for good.'
      },
      publicActions: ['created', 'updated', 'published', 'trashed', 'restored', 'deleted'].map(verb => `event.${verb}`),
      readers: ['editor'],
      represent: async (db, ids, origin) => {
        const rows = await events.listOpen(db, numbers(ids), reader())
        return byId(rows, (row: EventRow) =>
          eventToWire(row, { visit: { ...viewAt(origin), zone: settings.timezone } })
        )
      }
    },
    venue: {
      ...linkedSubject('venue', 'A venue'),
      represent: representLinked(linkedVenues, venueToWire)
    },
    organizer: {
      ...linkedSubject('organizer', 'An organizer'),
      represent: representLinked(linkedOrganizers, organizerToWire)
    },
    category: { ...termSubject('category', 'A category'), represent: representTerms('category') },
    tag: { ...termSubject('tag', 'A tag'), represent: representTerms('tag') },
    image: {
      // The address of an image opens it, so that it is only told where something public shows it.
      actions: { 'image.created': 'An image was uploaded or fetched.', 'image.deleted': 'An image was removed.' },
      readers: ['editor']
    },
    import: {
      actions: {
        'import.started': 'Somebody asked for an import, or for a try run of one.',
        'import.finished': 'An import came to its end; what it made has records of its own.',
        'import.failed': 'An import could not go on.',
        'import.cancelled': 'Somebody stopped an import.',
        'import.undo_started': 'Somebody asked to take an import back.',
        'import.undone': 'An import was taken back.'
      },
      readers: ['editor']
    }
  }
  return Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, { ...subject, touches }]))
}

/** An event shows its venue, its organizers and its terms, and those count events. */
const touches: NonNullable<Subject['touches']> = ({ subject, subjectId }) =>
  subject === 'image' ? ['calendar', `image ${subjectId}`] : ['calendar']

const anybody: Viewer = { sees: 'published', authorId: 0 }

function linkedSubject(kind: string, one: string): Omit<Subject, 'represent'> {
  const actions = {
    [`${kind}.created`]: `${one} was made, by itself or with an event.`,
    [`${kind}.updated`]: `${one} was changed.`,
    [`${kind}.trashed`]: `${one} was moved to the trash.`,
    [`${kind}.restored`]: `${one} was brought back from the trash.`,
    [`${kind}.deleted`]: `${one} was removed for good.`
  }
  return { actions, publicActions: Object.keys(actions), readers: ['editor'] }
}

function termSubject(kind: string, one: string): Omit<Subject, 'represent'> {
  const actions = {
    [`${kind}.created`]: `${one} was made, by itself or with an event.`,
    [`${kind}.updated`]: `${one} was changed.`,
    [`${kind}.deleted`]: `${one} was removed.`
  }
  return { actions, publicActions: Object.keys(actions), readers: ['editor'] }
}

const numbers = (ids: string[]) => ids.map(Number).filter(Number.isSafeInteger)

function byId<Row extends { id: number }>(rows: Row[], toWire: (row: Row) => object): Map<string, object> {
  return new Map(rows.map(row => [String(row.id), toWire(row)]))
}
