import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { trashEvent, updateEvent } from '../events/event.ts'
import * as events from '../events/queries.ts'
import type { EventChanges } from '../events/schema.ts'
import { newSuggestionAcceptedProblem, newSuggestionDeclinedProblem, newSuggestionNotFoundProblem } from './problems.ts'
import type { SuggestionRow } from './queries.ts'
import * as suggestions from './queries.ts'
import * as retention from './retention-queries.ts'
import { toPlainLines } from './suggested-event.ts'

/** Publishes the event, with changes if there are any. A suggestion that is accepted already stays as it is. */
export async function acceptSuggestion(
  db: Database,
  context: WriteContext,
  id: number,
  { changes, expected }: { changes: EventChanges; expected: IfMatch }
): Promise<void> {
  await db.transaction(async tx => {
    const { state, eventId } = await lockWithEvent(tx, id, expected)
    if (state === 'accepted') return
    if (state !== 'open' || eventId === null) throw newSuggestionDeclinedProblem()
    await updateEvent(tx, { ...context, db: tx }, eventId, { changes: { ...changes, status: 'publish' }, expected })
  })
}

/** Moves the event to the trash, and writes to the sender. A suggestion that is declined already stays as it is. */
export async function declineSuggestion(
  db: Database,
  context: WriteContext,
  id: number,
  { reason = '', message = '', expected }: { reason?: string; message?: string; expected: IfMatch }
): Promise<void> {
  const { now, site } = context
  await db.transaction(async tx => {
    const { state, eventId } = await lockWithEvent(tx, id, expected)
    if (state === 'declined') return
    if (state !== 'open' || eventId === null) throw newSuggestionAcceptedProblem()
    await suggestions.setAnswer(tx, id, { reason: toPlainLines(reason), answer: toPlainLines(message) })
    await trashEvent(tx, { ...context, db: tx }, eventId, undefined)
    await queueEmail(tx, site.settings, { kind: 'suggestion-declined', about: String(id), once: true }, now)
  })
}

/** Erases name, address and messages of the sender, in all their suggestions. */
export async function eraseSender(
  db: Database,
  { caller, now }: WriteContext,
  id: number,
  expected: IfMatch
): Promise<void> {
  await db.transaction(async tx => {
    const found = await lockWithEvent(tx, id, expected)
    if (found.senderEmail === null) return
    await retention.eraseSender(tx, found.senderEmail)
    await record(tx, { by: caller, now }, 'suggestion.erased', { subject: 'suggestion', id })
  })
}

/** Locks the event first, as everything does that changes events: otherwise two editors could deadlock. */
async function lockWithEvent(tx: Database, id: number, expected: IfMatch): Promise<SuggestionRow> {
  const known = await suggestions.find(tx, id)
  const event = known?.eventId == null ? undefined : await events.lock(tx, known.eventId)
  // The version of a suggestion is that of its event.
  if (event !== undefined) requireVersion(expected, event.version)
  const found = await suggestions.lock(tx, id)
  if (found === undefined) throw newSuggestionNotFoundProblem(id)
  return found
}
