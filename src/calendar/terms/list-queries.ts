import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { toLikePattern } from '../content/search.ts'
import { joinText, type LanguageChoice, termTexts } from '../content/texts.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import { buildTermColumnsWithAncestors, shownCount, type Taxonomy, type TermWithAncestorsRow } from './queries.ts'

/** The filter of a list; null where it does not apply. */
export interface TermFilter {
  taxonomy: Taxonomy
  hideEmpty: boolean
  include: number[] | null
  exclude: number[] | null
  parentId: number | null
  eventId: number | null
  slugs: string[] | null
  missingLanguage: Language | null
  /** Normalized for search. */
  search: string | null
}

/** The normalized name: the part of `search` before the slug. */
export const foldedName = sql`left(text.search, length(text.search) - length(text.slug) - 1)`

const orders = {
  id: () => sql`term.id`,
  name: () => sql`${foldedName} collate "C"`,
  slug: () => sql`text.slug`,
  count: () => shownCount,
  description: () => sql`text.description collate "C"`,
  include: (include: number[] | null) => sql`array_position(${include}::bigint[], term.id)`
}
export type TermOrder = { by: keyof typeof orders; descending: boolean }

export interface TermPage {
  total: number
  terms: TermWithAncestorsRow[]
  /** Whether the items that the filter names exist. */
  parentFound: boolean
  eventFound: boolean
  postFound: boolean
}

/**
 * A page, the total, and whether the items named by the filter exist, in one statement. Missing filters are null
 * instead of omitted, and the limit is a parameter: all terms are sorted anyway, and so a few prepared statements serve
 * every list.
 */
export async function listPage(
  db: Database,
  filter: TermFilter,
  { order: { by, descending }, page }: { order: TermOrder; page: { size: number; offset: number } },
  { choice, viewer, postId }: { choice: LanguageChoice; viewer: Viewer; postId: number | null }
): Promise<TermPage> {
  const { taxonomy, hideEmpty, include, exclude, parentId, eventId, slugs, missingLanguage } = filter
  const pattern = filter.search === null ? null : toLikePattern(filter.search)
  const direction = descending ? sql`desc` : sql`asc`
  return await db.one(sql`
    with matching as (
      select term.id, row_number() over (order by ${orders[by](include)} ${direction}, term.id ${direction}) as place
      from calendar.terms as term ${joinText(termTexts, sql`term`, choice)}
      where term.taxonomy = ${taxonomy}
        and (not ${hideEmpty}::boolean or ${shownCount} > 0)
        and (${include}::bigint[] is null or term.id = any(${include}::bigint[]))
        and (${exclude}::bigint[] is null or term.id <> all(${exclude}::bigint[]))
        and (${parentId}::bigint is null or term.parent_id = ${parentId}::bigint)
        and (${eventId}::bigint is null or exists (
          select from calendar.event_terms as link where link.event_id = ${eventId}::bigint and link.term_id = term.id
        ))
        and (${slugs}::text[] is null or exists (
          select from calendar.term_texts as one where one.term_id = term.id and one.slug = any(${slugs}::text[])
        ))
        and (${missingLanguage}::text is null or ${missingLanguage}::text <> all(term.languages))
        and (${pattern}::text is null or ${foldedName} like ${pattern} or text.slug like ${pattern})
    )
    select
      (select count(*) from matching) as total,
      coalesce((
        select json_agg(shown)
        from (
          select ${buildTermColumnsWithAncestors(choice)}
          from (select id, place from matching order by place limit ${page.size} offset ${page.offset}) as listed
          join calendar.terms as term on term.id = listed.id ${joinText(termTexts, sql`term`, choice)}
          order by listed.place
        ) as shown
      ), '[]') as terms,
      ${parentId}::bigint is null or exists (
        select from calendar.terms as parent where parent.id = ${parentId}::bigint and parent.taxonomy = ${taxonomy}
      ) as "parentFound",
      ${eventId}::bigint is null or ${buildEventVisibleCondition(eventId, viewer)} as "eventFound",
      ${postId}::bigint is null or ${buildEventVisibleCondition(postId, viewer)} as "postFound"`)
}

function buildEventVisibleCondition(eventId: number | null, viewer: Viewer): Sql {
  return sql`exists (
    select from calendar.events as event where event.id = ${eventId}::bigint and ${buildVisibleCondition(viewer, sql`event`)}
  )`
}
