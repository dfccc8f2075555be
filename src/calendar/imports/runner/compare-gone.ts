import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { eventTexts, organizerTexts, type TextTable, termTexts, venueTexts } from '../../content/texts.ts'
import { buildPublishedCondition } from '../../permissions/permissions.ts'
import { explanations } from '../compare/explanations.ts'
import type { ImportRow } from '../schema.ts'
import { type SingleKind, singleKinds } from '../sources/source.ts'
import { saveReport } from './batch.ts'
import type { ImportRun } from './import-run.ts'

const tables: Record<SingleKind, { texts: TextTable; title: Sql; isPublic: Sql; isLive: Sql }> = {
  event: {
    texts: eventTexts,
    title: sql`title`,
    isPublic: sql`${buildPublishedCondition(sql`item`)} and item.password is null and not item.hide_from_listings`,
    isLive: sql`item.status <> 'trash'`
  },
  venue: newLinkedTable(venueTexts),
  organizer: newLinkedTable(organizerTexts),
  category: { texts: termTexts, title: sql`name`, isPublic: sql`true`, isLive: sql`true` },
  tag: { texts: termTexts, title: sql`name`, isPublic: sql`true`, isLive: sql`true` }
}

function newLinkedTable(texts: TextTable) {
  return {
    texts,
    title: sql`name`,
    isPublic: sql`${buildPublishedCondition(sql`item`)} and item.password is null`,
    isLive: sql`item.status <> 'trash'`
  }
}

/** Adds to the report of a comparison the items that were imported from the source and are no longer there. */
export async function compareGone(db: Database, run: ImportRun, publicOnly: boolean): Promise<void> {
  for (const kind of singleKinds) {
    const gone = await listGone(db, run, kind)
    const rows = gone.map(({ isPublic, ...item }, place): ImportRow => {
      const isHidden = publicOnly && !isPublic
      return {
        ...item,
        kind,
        position: run.position + place + 1,
        outcome: isHidden ? 'explained' : 'gone',
        reasons: [isHidden ? explanations.needsCredentials() : explanations.gone()],
        sourceUrl: null,
        differences: []
      }
    })
    if (rows.length > 0) await db.transaction(async tx => await saveReport(tx, run, rows))
    run.position += rows.length
  }
}

async function listGone(
  db: Database,
  { id, origin }: ImportRun,
  kind: SingleKind
): Promise<(Pick<ImportRow, 'sourceId' | 'itemId' | 'title'> & { isPublic: boolean })[]> {
  const { texts, title, isPublic, isLive } = tables[kind]
  return await db.all(sql`
    select known.source_id as "sourceId", known.item_id as "itemId", text.title, (${isPublic}) as "isPublic"
    from calendar.imported as known
    join ${texts.ownerTable} as item on item.id = known.item_id
    cross join lateral (
      select ${title} as title from ${texts.table} where ${texts.ownerColumn} = item.id order by language limit 1
    ) as text
    where known.origin = ${origin} and known.kind = ${kind} and ${isLive}
      and not exists (
        select
        from calendar.import_rows as row
        where row.import_id = ${id} and row.kind = known.kind and row.source_id = known.source_id
      )
    order by known.source_id`)
}
