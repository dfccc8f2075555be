import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { trashInlinePosts } from '../linked-posts/inline-state.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import { venuePostType } from '../venues/venue.ts'
import * as suggestions from './suggestion-queries.ts'

/** The action of each state that an event can bring its suggestion into. */
const actions = {
  accepted: 'suggestion.accepted',
  declined: 'suggestion.declined',
  open: 'suggestion.reopened'
} as const

/**
 * The state of an event decides the suggestion that it came from: a published event is accepted, one in the trash or
 * deleted is declined, and one that is restored from the trash waits again.
 */
export async function decideSuggestion(
  tx: Database,
  context: WriteContext,
  eventId: number,
  { before, after }: { before: string; after: string }
): Promise<void> {
  if (before === after) return
  const { caller, now, site } = context
  const state = after === 'publish' ? 'accepted' : after === 'trash' ? 'declined' : 'open'
  const id = await suggestions.setState(tx, eventId, state, { now, decidedBy: caller.name })
  if (id === undefined) return
  await record(tx, { by: caller, now }, actions[state], { subject: 'suggestion', id })
  if (state === 'accepted') {
    await queueEmail(tx, site.settings, { kind: 'suggestion-accepted', about: String(id), once: true }, now)
  }
  if (state === 'declined') {
    await trashInlinePosts(tx, context, venuePostType, eventId)
    await trashInlinePosts(tx, context, organizerPostType, eventId)
  }
}
