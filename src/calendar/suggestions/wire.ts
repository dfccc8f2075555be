import type { DuplicateJson, SuggestionJson } from '../contract/suggestion-shapes.ts'
import type { EventRow } from '../events/event-row.ts'
import { toEventJson, type ViewContext } from '../events/wire.ts'
import type { SuggestionRow } from './queries.ts'

/** A suggestion as editors see it. */
export function toSuggestionJson(
  row: SuggestionRow,
  context: ViewContext,
  { event, duplicates }: { event: EventRow | undefined; duplicates?: DuplicateJson[] | undefined }
): SuggestionJson {
  return {
    id: row.id,
    // Editors never see unconfirmed ones.
    state: row.state as SuggestionJson['state'],
    created_at: row.createdAt,
    queued_at: row.queuedAt,
    decided_at: row.decidedAt,
    decided_by: row.decidedBy,
    reason: row.reason,
    answer: row.answer,
    sender:
      row.senderEmail === null
        ? null
        : { name: row.senderName, email: row.senderEmail, is_confirmed: row.emailConfirmed },
    message: row.message,
    language: row.language,
    event: event === undefined ? null : toEventJson(event, { context, opened: true }),
    ...(duplicates === undefined ? {} : { duplicates })
  }
}
