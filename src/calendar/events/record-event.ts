import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import type { AppliedUpdate, EventUpdate } from './event.ts'
import type { EventChanges } from './schema.ts'

/** One record stands for all occurrences of a series that were written at once. */
export interface SeriesDetails {
  series?: number
  occurrences?: number
}

export async function recordCreation(
  tx: Database,
  { caller, now }: WriteContext,
  { title = '' }: EventChanges,
  { id, status, series, occurrences }: { id: number; status: string } & SeriesDetails
): Promise<void> {
  await record(tx, { by: caller, now }, 'event.created', {
    subject: 'event',
    id,
    details: { title: toSingleLineText(title), status, ...(series === undefined ? {} : { series, occurrences }) }
  })
}

export async function recordUpdate(
  tx: Database,
  { caller, now }: WriteContext,
  { changes, translations = {} }: Pick<EventUpdate, 'changes' | 'translations'>,
  { id, language, status, before, seriesChanges: _, recorded, ...series }: AppliedUpdate & SeriesDetails
): Promise<void> {
  const changed = [...recorded.changed, ...('recurrence' in changes ? ['recurrence'] : [])]
  await record(tx, { by: caller, now }, getAction(before.status, status), {
    subject: 'event',
    id,
    details: { changed, changes: recorded.changes, status, language, ...series },
    endsSample: Object.keys({ ...changes, ...translations }).some(field => field !== 'status')
  })
}

function getAction(before: string, after: string): string {
  if (after === 'trash') return 'event.trashed'
  if (before === 'trash') return 'event.restored'
  return before !== 'publish' && after === 'publish' ? 'event.published' : 'event.updated'
}
