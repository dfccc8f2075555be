import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { deleteFormerSlugs, insertFormerSlug } from '../content/former-slugs.ts'
import { addLanguage, joinText, type LanguageChoice, termTexts } from '../content/texts.ts'

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
export const shownCount = sql`
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

export function buildTermColumnsWithAncestors(choice: LanguageChoice): Sql {
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

/** These terms of both taxonomies, as embedded in events. */
export async function listEmbedded(db: Database, ids: number[], choice: LanguageChoice): Promise<TermRow[]> {
  return await db.all(sql`
    select ${buildTermColumns()}
    from calendar.terms as term ${joinText(termTexts, sql`term`, choice)}
    where term.id = any(${ids}::bigint[])`)
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
  await insertFormerSlug(tx, termTexts, taxonomy, { id, ...text })
  await tx.run(sql`
    insert into calendar.term_texts (term_id, language, taxonomy, name, description, slug, search)
    values (${id}, ${text.language}, ${taxonomy}, ${text.name}, ${text.description}, ${text.slug}, ${text.search})
    on conflict (term_id, language) do update
    set name = excluded.name, description = excluded.description, slug = excluded.slug, search = excluded.search`)
  await addLanguage(tx, termTexts, id, text.language)
}

/** Also deletes its texts and its links to events. */
export async function remove(tx: Database, taxonomy: Taxonomy, id: number): Promise<void> {
  await deleteFormerSlugs(tx, taxonomy, id)
  await tx.run(sql`delete from calendar.terms where id = ${id}`)
}

/** Locks rows in a fixed order, so that two events with the same terms do not deadlock. */
export async function addToCounts(tx: Database, ids: number[], by: number): Promise<void> {
  await tx.run(sql`
    with locked as (
      select id from calendar.terms where id = any(${ids}::bigint[]) order by id for no key update
    )
    update calendar.terms as term
    set event_count = term.event_count + ${by}
    from locked
    where term.id = locked.id`)
}
