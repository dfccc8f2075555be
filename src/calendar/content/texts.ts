import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { type Language, languages } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { toSlug, withSuffix } from '#platform/rich-text/slug.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'

/** A table with one row per item and language. */
export interface TextTable {
  table: Sql
  /** The table of the items. */
  ownerTable: Sql
  /** The foreign key column to the item. */
  ownerColumn: Sql
}

export const eventTexts: TextTable = {
  ownerTable: sql`calendar.events`,
  table: sql`calendar.event_texts`,
  ownerColumn: sql`event_id`
}
export const venueTexts: TextTable = {
  ownerTable: sql`calendar.venues`,
  table: sql`calendar.venue_texts`,
  ownerColumn: sql`venue_id`
}
export const organizerTexts: TextTable = {
  ownerTable: sql`calendar.organizers`,
  table: sql`calendar.organizer_texts`,
  ownerColumn: sql`organizer_id`
}
export const termTexts: TextTable = {
  ownerTable: sql`calendar.terms`,
  table: sql`calendar.term_texts`,
  ownerColumn: sql`term_id`
}

/** The languages to show an item in: the first one that exists. */
export interface LanguageChoice {
  wanted: Language
  fallback: Language
}

/** Joins the text to show, aliased as `text`: in the wanted language, else the site's, else the first existing one. */
export function joinText({ table, ownerColumn }: TextTable, thing: Sql, { wanted, fallback }: LanguageChoice): Sql {
  return sql`
    join ${table} as text on text.${ownerColumn} = ${thing}.id and text.language = case
      when ${wanted} = any(${thing}.languages) then ${wanted}
      when ${fallback} = any(${thing}.languages) then ${fallback}
      else ${thing}.languages[1]
    end`
}

/** Stores the languages of an item on its own row, so that reads need no lookup. */
export async function addLanguage(
  tx: Database,
  { ownerTable }: TextTable,
  id: number,
  language: Language
): Promise<void> {
  await tx.run(sql`
    update ${ownerTable}
    set languages = array(select unnest(languages || ${language}::text) order by 1)
    where id = ${id} and not ${language} = any(languages)`)
}

/** Condition for items without a text in a language. An index covers the cardinality. */
export function buildMissingLanguageCondition(language: Language, thing: Sql): Sql {
  return sql`cardinality(${thing}.languages) < ${toLiteral(languages.length)} and ${language} <> all(${thing}.languages)`
}

/** Deletes the text of one language from an item whose row the caller has locked; the last text stays. */
export async function removeText(
  tx: Database,
  { table, ownerTable, ownerColumn }: TextTable,
  { id, language, now }: { id: number; language: Language; now: Date }
): Promise<void> {
  const left = await tx.run(sql`
    update ${ownerTable}
    set languages = array_remove(languages, ${language}), version = version + 1, modified_at = ${now}
    where id = ${id} and ${language} = any(languages) and cardinality(languages) > 1`)
  if (left === 0) {
    throw newInvalidParamProblem('language', 'last-text', buildText('calendar-problems', 'lastText'))
  }
  await tx.run(sql`delete from ${table} where ${ownerColumn} = ${id} and language = ${language}`)
}

/** The language whose text a DELETE request removes; undefined if it deletes the whole item. */
export function findLanguageToRemove(
  chosen: Language | undefined,
  { force, text_only }: { force?: boolean | null; text_only?: boolean | null }
): Language | undefined {
  if (text_only !== true) return undefined
  if (chosen === undefined) {
    throw newInvalidParamProblem('language', 'needed', buildText('calendar-problems', 'needed'))
  }
  if (force === true) {
    throw newInvalidParamProblem('text_only', 'not-allowed', buildText('calendar-problems', 'notAllowed'))
  }
  return chosen
}

/** The language of a write: the requested one, else the site's, else the only existing one. */
export function chooseWriteLanguage(chosen: Language | undefined, fallback: Language, existing: Language[]): Language {
  if (chosen !== undefined) return chosen
  return existing.length === 0 || existing.includes(fallback) ? fallback : (existing[0] ?? fallback)
}

/**
 * A slug made from the words, or from the id if they yield nothing, that no other live item of its kind has in the
 * language. Writers of the same slug wait on an advisory lock; the unique index is the final check.
 */
export async function findFreeSlug(
  tx: Database,
  { table, ownerColumn }: TextTable,
  { words, language, id, condition = sql`live` }: { words: string; language: Language; id: number; condition?: Sql }
): Promise<string> {
  const base = toSlug(words, language) || String(id)
  // A long slug is truncated to make room for its number.
  const numbered = base.length > 180 ? base.slice(0, 180) : `${base}-`
  // Pipelined: the second statement runs once the lock is held.
  const [, taken] = await Promise.all([
    tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`slug ${ownerColumn.text} ${language} ${base}`}, 0))`),
    tx.all<{ slug: string }>(sql`
      select slug
      from ${table}
      where language = ${language} and ${ownerColumn} <> ${id} and ${condition}
        and (slug = ${base} or (slug >= ${numbered} and slug < ${`${numbered}\u{10ffff}`}))`)
  ])
  const names = new Set(taken.map(({ slug }) => slug))
  let slug = base
  for (let number = 2; names.has(slug); number += 1) slug = withSuffix(base, number)
  return slug
}

/** A slug from a decoded URL in its stored form: percent-encoded beyond ASCII. */
export function toStoredSlug(slug: string): string {
  return slug.replace(/[^\x21-\x7e]+/gu, letters => encodeURIComponent(letters.toWellFormed()).toLowerCase())
}
