import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'

/** The states from which each state is reached by a change of the event. An accepted suggestion stays accepted. */
const previousStates = { accepted: ['open', 'declined'], declined: ['open'], open: ['declined'] }

/** Returns the id of the suggestion if its state changed. */
export async function setState(
  tx: Database,
  eventId: number,
  state: keyof typeof previousStates,
  { now, decidedBy }: { now: Date; decidedBy: string }
): Promise<number | undefined> {
  const isDecided = state !== 'open'
  const row = await tx.maybeOne<{ id: number }>(sql`
    update calendar.suggestions
    set state = ${state}, decided_at = ${isDecided ? now : null}, decided_by = ${isDecided ? decidedBy : ''}
    where event_id = ${eventId} and state = any(${previousStates[state]}::text[])
    returning id`)
  return row?.id
}
