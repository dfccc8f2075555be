import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { eventTexts, organizerTexts, type TextTable, termTexts, toStoredSlug, venueTexts } from '../../content/texts.ts'
import { type Incoming, type SingleKind, singleKinds } from '../sources/source.ts'

const textTables: Record<SingleKind, TextTable> = {
  event: eventTexts,
  venue: venueTexts,
  organizer: organizerTexts,
  category: termTexts,
  tag: termTexts
}

/** Stores slugs of the source that items do not have here, as former slugs: links to the old site lead to the item. */
export async function saveSourceSlugs(tx: Database, origin: string, items: Incoming[]): Promise<void> {
  for (const kind of singleKinds) {
    const given = items
      .filter(item => item.kind === kind)
      .flatMap(({ sourceId, texts }) =>
        Object.entries(texts).flatMap(([language, { slug = '' }]) =>
          slug === '' ? [] : [{ sourceId, language, slug: toStoredSlug(slug) }]
        )
      )
    if (given.length > 0) await tx.run(buildInsert(kind, origin, given))
  }
}

function buildInsert(kind: SingleKind, origin: string, given: object[]): Sql {
  const { table, ownerColumn } = textTables[kind]
  return sql`
    insert into calendar.former_slugs (kind, slug, language, item_id)
    select distinct on (given.slug, given.language) known.kind, given.slug, given.language, known.item_id
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given ("sourceId" text, language text, slug text)
    join calendar.imported as known
      on known.origin = ${origin} and known.kind = ${kind} and known.source_id = given."sourceId"
    where not exists (
      select from ${table} as text where text.${ownerColumn} = known.item_id and text.slug = given.slug
    )
    order by given.slug, given.language, known.item_id
    on conflict (kind, slug, language) do nothing`
}
