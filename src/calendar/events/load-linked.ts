import type { Database } from '#platform/database/database.ts'
import * as linkedPosts from '../linked-posts/queries.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import { canSee, type OwnedPost } from '../permissions/permissions.ts'
import * as terms from '../terms/queries.ts'
import { venuePostType } from '../venues/venue.ts'
import type { EventRow, Reader, StoredEvent } from './event-row.ts'
import { loadCached } from './load-cached.ts'

/** Adds what the events link to: one statement for the venues of all events, one for the organizers, one for the terms. */
export async function loadLinked(db: Database, events: StoredEvent[], reader: Reader): Promise<EventRow[]> {
  if (events.length === 0) return []
  const load = async <Row extends { id: number }>(
    kind: 'venue' | 'organizer' | 'term',
    loadMissing: (ids: number[]) => Promise<Row[]>
  ) =>
    await loadCached<Row>(db, new Set(events.flatMap(event => event[`${kind}Ids`])), {
      cache: reader.cache,
      toKey: id => `${kind} ${id} ${reader.choice.wanted} ${reader.choice.fallback}`,
      countBytes: row => 2 * JSON.stringify(row).length,
      load: loadMissing
    })
  const [venues, organizers, eventTerms] = await Promise.all([
    load('venue', ids => linkedPosts.listByIds(db, venuePostType, ids, reader)),
    load('organizer', ids => linkedPosts.listByIds(db, organizerPostType, ids, reader)),
    load('term', ids => terms.listEmbedded(db, ids, reader.choice))
  ])
  return events.map(event =>
    Object.assign(event, {
      venues: pick(venues, event.venueIds).filter(venue => isVisible(venue, reader)),
      organizers: pick(organizers, event.organizerIds).filter(organizer => isVisible(organizer, reader)),
      terms: pick(eventTerms, event.termIds)
    })
  )
}

const isVisible = (row: OwnedPost, { viewer, now }: Reader) => row.status !== 'trash' && canSee(viewer, row, now)

const pick = <Row>(rows: Map<number, Row>, ids: number[]) => ids.flatMap(id => rows.get(id) ?? [])
