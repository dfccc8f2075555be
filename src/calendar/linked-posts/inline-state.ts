import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import type { Publication } from '../permissions/publication.ts'
import * as queries from './inline-queries.ts'
import type { LinkedPostChanges, LinkedPostType } from './schema.ts'

/** The event in which an item is created inline, and the event's state after the write. */
export interface ParentEvent extends Publication {
  id: number
}

/** Whether an item created inline takes the state of its event: not if it has its own status or date. */
export function hasInheritedState({ status, date, date_utc }: LinkedPostChanges): boolean {
  return status === undefined && date == null && date_utc == null
}

/** The state of an item that is created inline in this event. */
export function toInlineState({ status, publishedAt }: Publication, now: Date): Publication {
  if (status === 'publish')
    return { status, publishedAt: publishedAt !== null && publishedAt > now ? publishedAt : now }
  if (status === 'private') return { status, publishedAt: now }
  return { status: status === 'trash' ? 'draft' : status, publishedAt: null }
}

/** Moves items to the trash that were created inline in this event, were never public and have no other event. */
export async function trashInlinePosts<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  { caller, now }: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  eventId: number
): Promise<void> {
  for (const id of await queries.trashInline(tx, linked, eventId, now)) {
    await record(tx, { by: caller, now }, `${linked.kind}.trashed`, { subject: linked.kind, id })
  }
}

/**
 * An item created inline has the state of its event until it is public, and is published with the first event that
 * links to it. After that, or once it is given a status explicitly, its state is independent.
 */
export async function applyEventState<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  { caller, now }: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  event: ParentEvent
): Promise<void> {
  if (event.status === 'trash') return
  const state = toInlineState(event, now)
  for (const id of await queries.updateInline(tx, linked, event.id, { publication: state, now })) {
    const what = { subject: linked.kind, id, details: { status: state.status } }
    await record(tx, { by: caller, now }, `${linked.kind}.updated`, what)
  }
}
