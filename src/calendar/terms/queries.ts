import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { toLikePattern } from '../content/search.ts'
import { addLanguage, joinText, type LanguageChoice, termTexts } from '../content/texts.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'

export type Taxonomy = 'category' | 'tag'

/** A term in one language, as embedded in events. */
export interface TermRow {
  id: number
  taxonomy: Taxonomy
  parentId: number | null
  /** Number of published events. */
  count: number
  name: string
  slug: string
  description: string
  language: Language
  translations: Language[]
  version: number
}

/** The columns of a `TermRow`, from rows aliased as `term` and `text`. Fits json_agg, too. */
export function buildTermColumns(): Sql {
  return sql`
    term.id, term.taxonomy, term.version,
    term.parent_id as "parentId",
    ${shownCount} as count,
    text.name, text.slug, text.description, text.language,
    term.languages as translations`
}

/**
 * The stored count includes scheduled events. Those are few and found by their date; the subquery runs once per
 * statement, however many rows it returns, because nothing in it depends on the row. `offset 0` keeps PostgreSQL from
 * starting at the terms, one of which may have a million events.
 */
const shownCount = sql`
  (term.event_count - coalesce((
    select jsonb_object_agg(ahead.term_id, ahead.events)
    from (
      select link.term_id, count(*) as events
      from calendar.events as event
      cross join lateral (
        select term_id from calendar.event_terms where event_id = event.id offset 0
      ) as link
      where event.status = 'publish' and event.published_at > now()
      group by link.term_id
    ) as ahead
  ) ->> term.id::text, '0')::integer)`

/** A term with the slugs of its ancestors, topmost first, which form its URL on the site. */
export interface TermWithAncestorsRow extends TermRow {
  above: string[]
}

function buildTermColumnsWithAncestors(choice: LanguageChoice): Sql {
  return sql`
    ${buildTermColumns()},
    array(
      with recursive above as (
        select parent.id, parent.parent_id, parent.languages, 1 as distance
        from calendar.terms as parent
        where parent.id = term.parent_id
        union all
        select parent.id, parent.parent_id, parent.languages, above.distance + 1
        from above
        join calendar.terms as parent on parent.id = above.parent_id
      )
      select text.slug
      from above ${joinText(termTexts, sql`above`, choice)}
      order by above.distance desc
    ) as above`
}

export async function find(
  db: Database,
  taxonomy: Taxonomy,
  id: number,
  choice: LanguageChoice
): Promise<TermWithAncestorsRow | undefined> {
  return (await listByIds(db, taxonomy, [id], choice))[0]
}

export async function listByIds(
  db: Database,
  taxonomy: Taxonomy,
  ids: number[],
  choice: LanguageChoice
): Promise<TermWithAncestorsRow[]> {
  return await db.all(sql`
    select ${buildTermColumnsWithAncestors(choice)}
    from calendar.terms as term ${joinText(termTexts, sql`term`, choice)}
    where term.id = any(${ids}::bigint[]) and term.taxonomy = ${taxonomy}`)
}

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
const foldedName = sql`left(text.search, length(text.search) - length(text.slug) - 1)`

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

/** Locks the names against creation by other transactions. Sorted, to avoid deadlocks. */
export async function lockNames(tx: Database, taxonomy: Taxonomy, names: string[]): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('calendar.terms ' || ${taxonomy} || ' ' || name, 0))
    from unnest(${[...names].sort()}::text[]) as name`)
}

/** Locks the category tree until the transaction ends: two concurrent moves could create a cycle. */
export async function lockTree(tx: Database): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('calendar.terms tree', 0))`)
}

/** Locks terms against deletion while they are linked; returns the ids that exist. */
export async function lockForLinks(tx: Database, taxonomy: Taxonomy, ids: number[]): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    select id
    from calendar.terms
    where id = any(${ids}::bigint[]) and taxonomy = ${taxonomy}
    order by id
    for key share`)
  return rows.map(({ id }) => id)
}

export async function lock(
  tx: Database,
  taxonomy: Taxonomy,
  id: number,
  strength: 'to change' | 'to remove'
): Promise<{ version: number; parentId: number | null } | undefined> {
  return await tx.maybeOne(sql`
    select version, parent_id as "parentId"
    from calendar.terms
    where id = ${id} and taxonomy = ${taxonomy}
    for ${strength === 'to change' ? sql`no key update` : sql`update`}`)
}

export interface TermText {
  language: Language
  name: string
  description: string
  slug: string
}

export async function listTexts(tx: Database, id: number): Promise<TermText[]> {
  return await tx.all(sql`
    select language, name, description, slug from calendar.term_texts where term_id = ${id} order by language`)
}

/** The category and its ancestors; empty if it does not exist. */
export async function listAbove(tx: Database, id: number): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    with recursive above as (
      select id, parent_id from calendar.terms where id = ${id} and taxonomy = 'category'
      union
      select parent.id, parent.parent_id from above join calendar.terms as parent on parent.id = above.parent_id
    )
    select id from above`)
  return rows.map(row => row.id)
}

/** The depth of the tree below a category, including itself. */
export async function countLevels(tx: Database, id: number): Promise<number> {
  const { levels } = await tx.one<{ levels: number }>(sql`
    with recursive below as (
      select ${id}::bigint as id, 1 as level
      union all
      select child.id, below.level + 1 from below join calendar.terms as child on child.parent_id = below.id
    )
    select max(level) as levels from below`)
  return levels
}

export async function insert(tx: Database, taxonomy: Taxonomy, parentId: number | null, now: Date): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.terms (languages, taxonomy, parent_id, created_at, modified_at)
    values ('{}', ${taxonomy}, ${parentId}, ${now}, ${now})
    returning id`)
  return id
}

export async function update(tx: Database, id: number, parentId: number | null, now: Date): Promise<void> {
  await tx.run(sql`${buildMoveStatement(parentId, now)} where id = ${id}`)
}

export async function moveChildren(tx: Database, id: number, parentId: number | null, now: Date): Promise<void> {
  await tx.run(sql`${buildMoveStatement(parentId, now)} where parent_id = ${id}`)
}

function buildMoveStatement(parentId: number | null, now: Date): Sql {
  return sql`update calendar.terms set parent_id = ${parentId}, version = version + 1, modified_at = ${now}`
}

/** Inserts or replaces the text of its language. */
export async function putText(
  tx: Database,
  taxonomy: Taxonomy,
  id: number,
  text: TermText & { search: string }
): Promise<void> {
  await tx.run(sql`
    insert into calendar.term_texts (term_id, language, taxonomy, name, description, slug, search)
    values (${id}, ${text.language}, ${taxonomy}, ${text.name}, ${text.description}, ${text.slug}, ${text.search})
    on conflict (term_id, language) do update
    set name = excluded.name, description = excluded.description, slug = excluded.slug, search = excluded.search`)
  await addLanguage(tx, termTexts, id, text.language)
}

/** Also deletes its texts and its links to events. */
export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from calendar.terms where id = ${id}`)
}

/** Locks rows in a fixed order, so that two events with the same terms do not deadlock. */
export async function addToCounts(tx: Database, ids: number[], by: 1 | -1): Promise<void> {
  await tx.run(sql`
    with locked as (
      select id from calendar.terms where id = any(${ids}::bigint[]) order by id for no key update
    )
    update calendar.terms as term
    set event_count = term.event_count + ${by}
    from locked
    where term.id = locked.id`)
}
