import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { RecurringItems } from '../sources/source.ts'

/**
 * Which recurring entries earlier imports brought as a series, and which as single events that still exist. The ids of
 * such events begin with that of the entry and a slash; `0` is the character after it.
 */
export async function findRecurringItems(db: Database, origin: string, sourceIds: string[]): Promise<RecurringItems> {
  if (sourceIds.length === 0) return { series: new Set(), single: new Set() }
  const rows = await db.all<{ sourceId: string; isSeries: boolean; isSingle: boolean }>(sql`
    select given.id as "sourceId",
      exists (
        select from calendar.imported as known
        where known.origin = ${origin} and known.kind = 'series' and known.source_id = given.id
      ) as "isSeries",
      exists (
        select from calendar.imported as known join calendar.events as event on event.id = known.item_id
        where known.origin = ${origin} and known.kind = 'event'
          and known.source_id > given.id || '/' and known.source_id < given.id || '0'
      ) as "isSingle"
    from unnest(${sourceIds}::text[]) as given (id)`)
  const pick = (isMeant: (row: (typeof rows)[number]) => boolean) =>
    new Set(rows.filter(isMeant).map(({ sourceId }) => sourceId))
  return { series: pick(row => row.isSeries), single: pick(row => row.isSingle) }
}
