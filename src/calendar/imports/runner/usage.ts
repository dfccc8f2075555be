import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { RowKind } from '../schema.ts'

/** Whether anything else uses the item after all newer changes have been undone. */
export async function isUsed(tx: Database, kind: RowKind, id: number): Promise<boolean> {
  const { used } = await tx.one<{ used: boolean }>(sql`select ${buildUsageCondition(kind, id)} as used`)
  return used
}

function buildUsageCondition(kind: RowKind, id: number): Sql {
  switch (kind) {
    case 'event':
      return sql`exists (select from calendar.events where parent_id = ${id})`
    case 'series':
      return sql`exists (
        select from calendar.events as child join calendar.events as parent on parent.id = child.parent_id
        where parent.series_id = ${id} and child.series_id is distinct from ${id}
      )`
    case 'venue':
      return sql`exists (select from calendar.event_venues where venue_id = ${id})`
    case 'organizer':
      return sql`exists (select from calendar.event_organizers where organizer_id = ${id})`
    case 'image':
      return sql`exists (select from calendar.events where image_id = ${id})
        or exists (select from calendar.venues where image_id = ${id})
        or exists (select from calendar.organizers where image_id = ${id})
        or exists (select from calendar.event_texts where description like ${`%/media/${id}/%`})
        or exists (select from calendar.venue_texts where description like ${`%/media/${id}/%`})
        or exists (select from calendar.organizer_texts where description like ${`%/media/${id}/%`})`
    case 'file':
      return sql`exists (select from calendar.event_texts where description like ${`%/files/${id}/%`})
        or exists (select from calendar.venue_texts where description like ${`%/files/${id}/%`})
        or exists (select from calendar.organizer_texts where description like ${`%/files/${id}/%`})`
    default:
      return sql`exists (select from calendar.event_terms where term_id = ${id})
        or exists (select from calendar.terms where parent_id = ${id})`
  }
}
