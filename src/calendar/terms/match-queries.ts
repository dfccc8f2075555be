import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { toLikePattern } from '../content/search.ts'
import { foldedName } from './list-queries.ts'
import type { Taxonomy } from './queries.ts'

/** A text to look up a term by. */
export interface TermLookup {
  /** Possible slugs. */
  slugs: string[]
  /** The possible name, normalized for search. */
  name: string
}

export interface TermMatch {
  /** Index in the list of lookups. */
  place: number
  id: number
  language: Language
  bySlug: boolean
}

/** Terms that have one of the texts as slug or name, in any language. */
export async function listNamed(db: Database, taxonomy: Taxonomy, wanted: TermLookup[]): Promise<TermMatch[]> {
  if (wanted.length === 0) return []
  return await db.all(sql`
    select found.place, found.id, found.language, found.by_slug as "bySlug"
    from (${buildNamedTermsQuery(taxonomy, wanted)}) as found
    order by found.id, found.language`)
}

/** The same lookup as a subquery. */
export function buildNamedTermsQuery(taxonomy: Taxonomy, wanted: TermLookup[]): Sql {
  const given = JSON.stringify(
    wanted.map(({ slugs, name }, place) => ({ place, slugs, name, pattern: toLikePattern(`${name} `).slice(1) }))
  )
  return sql`
    select wanted.place, match.id, match.language, match.by_slug
    from json_to_recordset(${given}::json) as wanted (place integer, slugs text[], name text, pattern text)
    cross join lateral (
      select text.term_id as id, text.language, true as by_slug
      from calendar.term_texts as text
      where text.slug <> '' and text.slug = any(wanted.slugs) and text.taxonomy = ${taxonomy}
      union all
      select text.term_id, text.language, false
      from calendar.term_texts as text
      where text.taxonomy = ${taxonomy} and text.search like wanted.pattern and ${foldedName} = wanted.name
    ) as match`
}

/** Value of `place` for terms that were found by id. */
export const matchedById = -1

/** The terms that a list names by ids and texts. A text matches slugs before names. */
export async function listMatching(
  db: Database,
  taxonomy: Taxonomy,
  ids: number[],
  wanted: TermLookup[]
): Promise<{ id: number; place: number }[]> {
  return await db.all(sql`
    with named as (
      select found.place, found.id, found.by_slug, bool_or(found.by_slug) over (partition by found.place) as any_slug
      from (${buildNamedTermsQuery(taxonomy, wanted)}) as found
    )
    select term.id, ${toLiteral(matchedById)} as place
    from calendar.terms as term
    where term.id = any(${ids}::bigint[]) and term.taxonomy = ${taxonomy}
    union
    select named.id, named.place from named where named.by_slug = named.any_slug`)
}

/** A category directly below the parent, or a tag, with this name in any language. */
export async function findNamed(
  tx: Database,
  taxonomy: Taxonomy,
  parentId: number | null,
  name: string
): Promise<number | undefined> {
  const found = await tx.maybeOne<{ id: number }>(sql`
    with match as materialized (${buildNamedTermsQuery(taxonomy, [{ slugs: [], name }])})
    select term.id
    from match join calendar.terms as term on term.id = match.id
    where term.parent_id is not distinct from ${parentId}::bigint
    order by term.id
    limit 1`)
  return found?.id
}
