import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import {
  eventTexts,
  joinText,
  type LanguageChoice,
  organizerTexts,
  type TextTable,
  termTexts,
  toStoredSlug,
  venueTexts
} from '../content/texts.ts'
import type { PostKind } from '../contract/problems.ts'
import type { SlugKind } from '../contract/redirect-shapes.ts'
import { buildPublishedCondition } from '../permissions/permissions.ts'

/** An item that everybody can see, with the slug of its page. */
export interface RedirectRow {
  id: number
  slug: string
  language: Language
}

const textTables: Record<SlugKind, TextTable> = {
  event: eventTexts,
  venue: venueTexts,
  organizer: organizerTexts,
  category: termTexts,
  tag: termTexts
}

/** Terms have no status. */
function buildPublicCondition(kind: SlugKind): Sql {
  return kind === 'category' || kind === 'tag' ? sql`item.taxonomy = ${kind}` : buildPublishedCondition(sql`item`)
}

/**
 * Finds an item by its present slug, otherwise by a former one. The result is in the language of that slug if the item
 * still has a text in it.
 */
export async function findBySlug(
  db: Database,
  kind: SlugKind,
  slug: string,
  { wanted, fallback }: LanguageChoice
): Promise<RedirectRow | undefined> {
  const { table, ownerTable, ownerColumn } = textTables[kind]
  const stored = toStoredSlug(slug)
  return await db.maybeOne(sql`
    select item.id, text.slug, text.language
    from (
      select ${ownerColumn} as id, language, 1 as place from ${table} where slug = ${stored}
      union all
      select item_id, language, 2 from calendar.former_slugs where kind = ${kind} and slug = ${stored}
    ) as found
    join ${ownerTable} as item on item.id = found.id
    join ${table} as text on text.${ownerColumn} = item.id and text.language = case
      when found.language = any(item.languages) then found.language
      when ${wanted} = any(item.languages) then ${wanted}
      else item.languages[1]
    end
    where text.slug <> '' and ${buildPublicCondition(kind)}
    order by found.place, found.language = ${wanted} desc, found.language = ${fallback} desc, item.id
    limit 1`)
}

/**
 * Finds an item by an id of the site that was imported, or by its own id. After a move the address of the site stays the
 * same, so ids that were imported from this host come first, then own ids, then ids of other hosts.
 */
export async function findByPostId(
  db: Database,
  kinds: readonly PostKind[],
  { id, host }: { id: number; host: string },
  choice: LanguageChoice
): Promise<(RedirectRow & { kind: PostKind }) | undefined> {
  const found = kinds.map(kind => {
    const texts = textTables[kind]
    return sql`(
      select ${kind}::text as kind, item.id, text.slug, text.language, found.place
      from (
        select
          item_id as id,
          case when regexp_replace(split_part(site.origin, '/', 1), ':\\d+$', '') = ${host} then 1 else 3 end as place
        from (select distinct origin from calendar.imports where source = 'tec' and origin is not null) as site
        join calendar.imported as known using (origin)
        where known.kind = ${kind} and known.source_id = ${String(id)}
        union all
        select ${id}::bigint, 2
      ) as found
      join ${texts.ownerTable} as item on item.id = found.id
      ${joinText(texts, sql`item`, choice)}
      where text.slug <> '' and ${buildPublicCondition(kind)}
    )`
  })
  return await db.maybeOne(sql`
    select kind, id, slug, language
    from (${found.reduce((all, one) => sql`${all} union all ${one}`)}) as found
    order by place, id
    limit 1`)
}

/** Finds the image that was downloaded from the first of these paths of any site. */
export async function findImageByUpload(db: Database, paths: string[]): Promise<number | undefined> {
  const row = await db.maybeOne<{ id: number }>(sql`
    select id
    from calendar.media
    where source is not null and substring(source from '/wp-content/uploads/.*$') = any(${paths}::text[])
    order by array_position(${paths}::text[], substring(source from '/wp-content/uploads/.*$')), id
    limit 1`)
  return row?.id
}

/** What a site that was imported had below the longest known beginning of this path. */
export async function findImportedPath(
  db: Database,
  path: string
): Promise<{ base: string; kind: SlugKind | 'view' } | undefined> {
  return await db.maybeOne(sql`
    select base, kind
    from calendar.imported_paths
    where starts_with(${path}, base)
    order by length(base) desc
    limit 1`)
}
