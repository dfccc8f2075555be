import type { Database } from '#platform/database/database.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { type Language, languages } from '#platform/language.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { toSlug, withSuffix } from './slug.ts'

/** The things that have texts in several languages, each text a row. */
export interface TextTable {
  table: Sql
  /** The table of the things. */
  ownerTable: Sql
  /** The column that names the thing. */
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

/** The languages a reader gets something in: the first that is there. */
export interface LanguageChoice {
  wanted: Language
  fallback: Language
}

/** Joins the text a reader of a thing gets, under the name `text`: in the wanted language, else in the site's, else in the one there is. */
export function joinText({ table, ownerColumn }: TextTable, thing: Sql, { wanted, fallback }: LanguageChoice): Sql {
  return sql`
    join ${table} as text on text.${ownerColumn} = ${thing}.id and text.language = case
      when ${wanted} = any(${thing}.languages) then ${wanted}
      when ${fallback} = any(${thing}.languages) then ${fallback}
      else ${thing}.languages[1]
    end`
}

/** Writes down on the thing itself which languages it has: readers need not look. */
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

/** The condition that a thing has no text in a language. That it has too few is what an index knows. */
export function buildMissingLanguageCondition(language: Language, thing: Sql): Sql {
  return sql`cardinality(${thing}.languages) < ${toLiteral(languages.length)} and ${language} <> all(${thing}.languages)`
}

/** Takes the text of one language from a thing that somebody holds locked; the last one stays. */
export async function removeText(
  tx: Database,
  { table, ownerTable, ownerColumn }: TextTable,
  id: number,
  language: Language,
  now: Date
): Promise<void> {
  const left = await tx.run(sql`
    update ${ownerTable}
    set languages = array_remove(languages, ${language}), version = version + 1, modified_at = ${now}
    where id = ${id} and ${language} = any(languages) and cardinality(languages) > 1`)
  if (left === 0) {
    throw newInvalidParamProblem('language', 'last-text', {
      en: 'must be one of several languages that there are texts in: the last one stays',
      de: 'muss eine von mehreren Sprachen sein, in denen es Texte gibt: Die letzte bleibt'
    })
  }
  await tx.run(sql`delete from ${table} where ${ownerColumn} = ${id} and language = ${language}`)
}

/** The language whose text is to be removed, where it is not the whole thing. */
export function findLanguageToRemove(
  chosen: Language | undefined,
  { force, text_only }: { force?: boolean | null; text_only?: boolean | null }
): Language | undefined {
  if (text_only !== true) return undefined
  if (chosen === undefined) {
    throw newInvalidParamProblem('language', 'needed', {
      en: 'must say which text is to be removed',
      de: 'muss sagen, welcher Text entfernt werden soll'
    })
  }
  if (force === true) {
    throw newInvalidParamProblem('text_only', 'not-allowed', {
      en: 'does not go together with force',
      de: 'geht nicht zusammen mit force'
    })
  }
  return chosen
}

/** The language a write goes to: the one that was named, else the site's, else the only one there is. */
export function chooseWriteLanguage(chosen: Language | undefined, fallback: Language, existing: Language[]): Language {
  if (chosen !== undefined) return chosen
  return existing.length === 0 || existing.includes(fallback) ? fallback : (existing[0] ?? fallback)
}

/**
 * A slug made of the words, or of the id if they leave nothing, that no other living thing of its kind has in the
 * language. Writers who wish for the same one wait for each other; the unique index has the last word.
 */
export async function findFreeSlug(
  tx: Database,
  { table, ownerColumn }: TextTable,
  words: string,
  language: Language,
  id: number,
  condition: Sql = sql`live`
): Promise<string> {
  const wished = toSlug(words, language) || String(id)
  // A long slug is cut to make room for its number.
  const numbered = wished.length > 180 ? wished.slice(0, 180) : `${wished}-`
  // Sent together: the second runs when the lock is there.
  const [, taken] = await Promise.all([
    tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`slug ${ownerColumn.text} ${language} ${wished}`}, 0))`),
    tx.all<{ slug: string }>(sql`
      select slug
      from ${table}
      where language = ${language} and ${ownerColumn} <> ${id} and ${condition}
        and (slug = ${wished} or (slug >= ${numbered} and slug < ${`${numbered}\u{10ffff}`}))`)
  ])
  const names = new Set(taken.map(({ slug }) => slug))
  let slug = wished
  for (let number = 2; names.has(slug); number += 1) slug = withSuffix(wished, number)
  return slug
}

/** A slug of an address, which has been decoded, as it is stored: percent-encoded beyond ASCII. */
export function toStoredSlug(slug: string): string {
  return slug.replace(/[^\x21-\x7e]+/gu, letters => encodeURIComponent(letters.toWellFormed()).toLowerCase())
}
