import type { Database } from '#platform/database/database.ts'
import * as linkedPosts from '../linked-posts/queries.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import { canSee, type OwnedPost } from '../permissions/permissions.ts'
import * as terms from '../terms/queries.ts'
import { venuePostType } from '../venues/venue.ts'
import type { EventRow, Reader, StoredEvent } from './event-row.ts'

/** As long as responses that depend on the time: the number of events of a term does, too. */
const cacheMs = 1000

/** Adds what the events link to: one statement for the venues of all events, one for the organizers, one for the terms. */
export async function loadLinked(db: Database, events: StoredEvent[], reader: Reader): Promise<EventRow[]> {
  if (events.length === 0) return []
  const [venues, organizers, eventTerms] = await Promise.all([
    loadCached(reader, 'venue', listIds(events, 'venueIds'), ids =>
      linkedPosts.listByIds(db, venuePostType, ids, reader)
    ),
    loadCached(reader, 'organizer', listIds(events, 'organizerIds'), ids =>
      linkedPosts.listByIds(db, organizerPostType, ids, reader)
    ),
    loadCached(reader, 'term', listIds(events, 'termIds'), ids => terms.listEmbedded(db, ids, reader.choice))
  ])
  return events.map(event =>
    Object.assign(event, {
      venues: pick(venues, event.venueIds).filter(venue => isVisible(venue, reader)),
      organizers: pick(organizers, event.organizerIds).filter(organizer => isVisible(organizer, reader)),
      terms: pick(eventTerms, event.termIds)
    })
  )
}

const listIds = (events: StoredEvent[], name: 'venueIds' | 'organizerIds' | 'termIds') =>
  new Set(events.flatMap(event => event[name]))

const isVisible = (row: OwnedPost, { viewer, now }: Reader) => row.status !== 'trash' && canSee(viewer, row, now)

const pick = <Row>(rows: Map<number, Row>, ids: number[]) => ids.flatMap(id => rows.get(id) ?? [])

/** The rows of the ids from the cache of the reader, and the others from the database. */
async function loadCached<Row extends { id: number }>(
  { cache, choice }: Reader,
  kind: 'venue' | 'organizer' | 'term',
  ids: Set<number>,
  listByIds: (ids: number[]) => Promise<Row[]>
): Promise<Map<number, Row>> {
  const found = new Map<number, Row>()
  const missing: number[] = []
  const toKey = (id: number) => `${kind} ${id} ${choice.wanted} ${choice.fallback}`
  for (const id of ids) {
    const row = cache?.get<Row>(toKey(id))
    if (row === undefined) missing.push(id)
    else found.set(id, row)
  }
  if (missing.length === 0) return found
  const since = cache?.getGeneration() ?? 0
  for (const row of await listByIds(missing)) {
    found.set(row.id, row)
    cache?.put(toKey(row.id), row, { tags: ['calendar'], untilMs: performance.now() + cacheMs }, since)
  }
  return found
}
