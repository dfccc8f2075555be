import { may } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import { TryAgain } from '#platform/database-server.ts'
import type { Language } from '#platform/language.ts'
import { sql } from '#platform/sql.ts'
import { plainText } from '../html.ts'
import { requireMarkupBudget } from '../markup-budget.ts'
import {
  invalidParameter,
  mayNotMakeTerms,
  slugTaken,
  tagsHaveNoParent,
  termExists,
  termNotFound
} from '../problems.ts'
import { cleanHtml } from '../rich-text.ts'
import { isEmpty, type TermKey } from '../rules.ts'
import { folded } from '../search.ts'
import { slugOf } from '../slug.ts'
import type { Visit, Work } from '../tec.ts'
import { freeSlug, languageToWrite, removeText, termTexts } from '../texts.ts'
import { termWriters } from '../viewer.ts'
import type { Match, PlacedTermRow, Taxonomy, TermText, Wanted } from './queries.ts'
import * as terms from './queries.ts'
import type { TermChanges } from './schema.ts'

/** A visit, or work of the program itself, which says what it gives as a request would. */
type Writing = Work & Pick<Visit, 'given'>

/** Categories below categories below … */
const levelsMax = 20

export async function createTerm(
  db: Database,
  visit: Writing,
  taxonomy: Taxonomy,
  input: TermChanges
): Promise<PlacedTermRow> {
  requireMarkupBudget({ description: input.description })
  if (taxonomy === 'tag') refuseParent(visit)
  const language = languageToWrite(visit.chosenLanguage, visit.site.settings.defaultLanguage, [])
  const { name = '', parent: parentId = null } = input
  return await db.transaction(async tx => {
    await terms.lockNames(tx, taxonomy, [folded(name)])
    if (parentId !== null) await refuseMisplaced(tx, parentId, undefined)

    const same = await terms.findNamed(tx, taxonomy, parentId, folded(name))
    const slug = slugOf(input.slug ?? '', language)
    const isNewSlug = slug !== '' && (await slugLike(tx, taxonomy, slug, language, 0)) === slug
    if (same !== undefined && !isNewSlug) throw termExists(same, taxonomy === 'category')

    const description = await cleanHtml(input.description ?? '')
    const id = await make(tx, visit, taxonomy, { name, description, slug, parentId, language })
    return await found(tx, visit, taxonomy, id, language)
  })
}

/** What is not given stays as it is. */
export async function updateTerm(
  visit: Writing,
  taxonomy: Taxonomy,
  id: number,
  changes: TermChanges,
  expected: IfMatch
): Promise<PlacedTermRow> {
  requireMarkupBudget({ description: changes.description })
  if (taxonomy === 'tag') refuseParent(visit)
  return await visit.db.transaction(async tx => {
    if (changes.parent !== undefined) await terms.lockTree(tx)
    const before = await terms.lock(tx, taxonomy, id, 'to change')
    if (before === undefined) throw termNotFound(id)
    refuseStale(expected, before.version)
    if (changes.parent !== undefined && changes.parent !== null) await refuseMisplaced(tx, changes.parent, id)

    const { name, language } = await changeText(tx, visit, taxonomy, id, changes)
    await terms.update(tx, id, changes.parent === undefined ? before.parentId : changes.parent, visit.now)
    await record(tx, visit.caller, visit.now, `${taxonomy}.updated`, {
      subject: taxonomy,
      id,
      details: { name, language },
      endsSample: true
    })
    return await found(tx, visit, taxonomy, id, language)
  })
}

/** Removed for good, and from its events; what was below it moves up. Answers what it was. */
export async function deleteTerm(
  visit: Work,
  taxonomy: Taxonomy,
  id: number,
  expected: IfMatch
): Promise<PlacedTermRow> {
  return await visit.db.transaction(async tx => {
    if (taxonomy === 'category') await terms.lockTree(tx)
    const before = await terms.lock(tx, taxonomy, id, 'to remove')
    if (before === undefined) throw termNotFound(id)
    refuseStale(expected, before.version)

    const row = await found(tx, visit, taxonomy, id, visit.language)
    if (taxonomy === 'category') await terms.moveChildren(tx, id, before.parentId, visit.now)
    await terms.remove(tx, id)
    await record(tx, visit.caller, visit.now, `${taxonomy}.deleted`, {
      subject: taxonomy,
      id,
      details: { name: row.name },
      endsSample: true
    })
    return row
  })
}

/** Takes the text of one language from it. */
export async function removeTermText(
  visit: Work,
  taxonomy: Taxonomy,
  id: number,
  language: Language,
  expected: IfMatch
): Promise<PlacedTermRow> {
  return await visit.db.transaction(async tx => {
    const before = await terms.lock(tx, taxonomy, id, 'to change')
    if (before === undefined) throw termNotFound(id)
    refuseStale(expected, before.version)
    await removeText(tx, termTexts, id, language, visit.now)
    const row = await found(tx, visit, taxonomy, id, language)
    await record(tx, visit.caller, visit.now, `${taxonomy}.updated`, {
      subject: taxonomy,
      id,
      details: { name: row.name, removed: language },
      endsSample: true
    })
    return row
  })
}

/**
 * The terms that an event is given, each once; they cannot be removed until the transaction ends. Ids must exist. A
 * text is the slug or the name of one there is, in any language, or the name of a new one.
 */
export async function termIdsFor(
  tx: Database,
  visit: Work,
  taxonomy: Taxonomy,
  keys: TermKey[],
  language: Language,
  parameter: string
): Promise<number[]> {
  const names = new Map(keys.filter(key => typeof key === 'string').map(key => [key, plainText(key)]))
  if ([...names.values()].some(name => folded(name) === '')) {
    throw invalidParameter(parameter, 'empty', { en: 'must not have empty names', de: 'darf keine leeren Namen haben' })
  }

  const known = await idsNamed(tx, visit, { taxonomy, parameter }, [...names.values()], language)
  const ids = [
    ...new Set(keys.map(key => (typeof key === 'number' ? key : (known.get(folded(names.get(key) ?? '')) ?? 0))))
  ]
  const locked = new Set(ids.length === 0 ? [] : await terms.lockForLinks(tx, taxonomy, ids))
  const gone = ids.filter(id => !locked.has(id))
  if (gone.some(id => keys.includes(id))) throw unknownTerms(parameter)
  if (gone.length > 0) throw new TryAgain('A term was removed after it was found by its name.')
  return ids
}

/** Events came to these terms that are published or will be by themselves, or such events went. */
export async function addToCounts(tx: Database, ids: number[], by: 1 | -1): Promise<void> {
  if (ids.length > 0) await terms.addToCounts(tx, ids, by)
}

/** The terms that a list of terms names, in that order; undefined for what does not exist. */
export async function termIdsListed(
  db: Database,
  taxonomy: Taxonomy,
  keys: TermKey[]
): Promise<(number[] | undefined)[]> {
  const ids = keys.filter(key => typeof key === 'number')
  const texts = keys.filter(key => typeof key === 'string')
  const rows = await terms.listMatching(db, taxonomy, ids, texts.map(wanted))
  const found = new Map<TermKey, number[]>()
  for (const { id, place } of rows) {
    const key = place === terms.byId ? id : texts[place]
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), id])
  }
  return keys.map(key => found.get(key))
}

/** What a text may stand for: a slug or a name. */
export function wanted(text: string): Wanted {
  const slug = text.trim().toLowerCase().toWellFormed()
  // Slugs of other scripts are stored percent-encoded, and are known to people as what they stand for.
  return { slugs: [...new Set([slug, encodeURI(slug).toLowerCase()])], name: folded(plainText(text)) }
}

/** The slugs that a text may stand for. */
export function slugsIn(text: string): string[] {
  return wanted(text).slugs
}

/** The term of each name, by the folded name; those that are not there are made by whoever may make terms. */
async function idsNamed(
  tx: Database,
  visit: Work,
  { taxonomy, parameter }: { taxonomy: Taxonomy; parameter: string },
  names: string[],
  language: Language
): Promise<Map<string, number>> {
  // Of several spellings the first is the one that is made.
  const different = [...new Map(names.toReversed().map(name => [folded(name), name])).values()]
  const look = async () => best(await terms.listNamed(tx, taxonomy, different.map(wanted)), language)
  let matches = await look()
  if (different.some((_, place) => !matches.has(place))) {
    await terms.lockNames(tx, taxonomy, different.map(folded))
    // Somebody else may have made them just before.
    matches = await look()
    const unknown = different.filter((_, place) => !matches.has(place))
    if (unknown.length > 0 && !may(visit.caller, ...termWriters[taxonomy])) throw mayNotMakeTerms(parameter, unknown)
  }

  const known = new Map<string, number>()
  for (const [place, name] of different.entries()) {
    const fields = { name, description: '', slug: '', parentId: null, language }
    known.set(folded(name), matches.get(place) ?? (await make(tx, visit, taxonomy, fields)))
  }
  return known
}

/** One for each place: by its slug before by its name, in the language before in another, the oldest. */
function best(matches: Match[], language: Language): Map<number, number> {
  const rank = (match: Match) => (match.bySlug ? 0 : 2) + (match.language === language ? 0 : 1)
  const ranked = matches.toSorted((one, other) => rank(other) - rank(one) || other.id - one.id)
  return new Map(ranked.map(({ place, id }) => [place, id]))
}

interface NewTerm {
  name: string
  description: string
  /** Empty: made of the name. */
  slug: string
  parentId: number | null
  language: Language
}

async function make(tx: Database, visit: Work, taxonomy: Taxonomy, term: NewTerm): Promise<number> {
  const { name, description, parentId, language } = term
  const id = await terms.insert(tx, taxonomy, parentId, visit.now)
  const slug = await slugLike(tx, taxonomy, term.slug || name, language, id)
  await writeText(tx, taxonomy, id, { language, name, description, slug })
  await record(tx, visit.caller, visit.now, `${taxonomy}.created`, {
    subject: taxonomy,
    id,
    details: { name, language }
  })
  return id
}

async function slugLike(
  tx: Database,
  taxonomy: Taxonomy,
  words: string,
  language: Language,
  id: number
): Promise<string> {
  return await freeSlug(tx, termTexts, words, language, id, sql`taxonomy = ${taxonomy}`)
}

/** Writes the text of one language, if something of it is mentioned. A new language without a name gets the one there is. */
async function changeText(
  tx: Database,
  visit: Work,
  taxonomy: Taxonomy,
  id: number,
  changes: TermChanges
): Promise<{ name: string; language: Language }> {
  // Read under the lock, not with it: a text that somebody changed meanwhile is the one to go on from.
  const texts = await terms.listTexts(tx, id)
  const fallback = visit.site.settings.defaultLanguage
  const language = languageToWrite(
    visit.chosenLanguage,
    fallback,
    texts.map(text => text.language)
  )
  const own = texts.find(text => text.language === language)
  const shown = own ?? texts.find(text => text.language === fallback) ?? texts[0]
  const name = changes.name ?? shown?.name ?? ''
  if ([changes.name, changes.description, changes.slug].some(value => value !== undefined)) {
    const description =
      changes.description === undefined ? (own?.description ?? '') : await cleanHtml(changes.description)
    const slug = await changedSlug(tx, taxonomy, id, { wished: changes.slug, name, language, own: own?.slug })
    await writeText(tx, taxonomy, id, { language, name, description, slug })
  }
  return { name, language }
}

/** A slug that was asked for is taken as it is or refused; one that is made of the name moves aside. */
async function changedSlug(
  tx: Database,
  taxonomy: Taxonomy,
  id: number,
  {
    wished,
    name,
    language,
    own
  }: { wished: string | undefined; name: string; language: Language; own: string | undefined }
): Promise<string> {
  if (wished === undefined && own !== undefined) return own
  const slug = slugOf(wished ?? '', language)
  if (slug === '') return await slugLike(tx, taxonomy, name, language, id)
  if ((await slugLike(tx, taxonomy, slug, language, id)) !== slug) throw slugTaken(slug)
  return slug
}

async function writeText(tx: Database, taxonomy: Taxonomy, id: number, text: TermText): Promise<void> {
  try {
    await terms.putText(tx, taxonomy, id, { ...text, search: folded(`${text.name} ${text.slug}`) })
  } catch (error) {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error
    throw new TryAgain(`The slug ${text.slug} was taken meanwhile.`, { cause: error })
  }
}

const uniqueViolation = '23505'

/** A category can be below one that exists, not below itself, and not too deep. */
async function refuseMisplaced(tx: Database, parentId: number, id: number | undefined): Promise<void> {
  if (id === undefined) await terms.lockTree(tx)
  const above = await terms.listAbove(tx, parentId)
  if (above.length === 0) throw unknownParent()
  if (id !== undefined && above.includes(id)) {
    throw invalidParameter('parent', 'circle', {
      en: 'must not be the category itself or one below it',
      de: 'darf nicht die Kategorie selbst oder eine unter ihr sein'
    })
  }
  const levels = id === undefined ? 1 : await terms.countLevels(tx, id)
  if (above.length + levels > levelsMax) {
    throw invalidParameter('parent', 'too-deep', {
      en: `must leave at most ${levelsMax} levels`,
      de: `darf höchstens ${levelsMax} Ebenen ergeben`
    })
  }
}

export const unknownParent = () =>
  invalidParameter('parent', 'unknown', {
    en: 'must be the id of a category',
    de: 'muss die Nummer einer Kategorie sein'
  })

export const unknownTerms = (parameter: string) =>
  invalidParameter(parameter, 'unknown', {
    en: 'names something that does not exist',
    de: 'nennt etwas, das es nicht gibt'
  })

/** A client that sends back what it read of a tag inside an event sends a parent of 0. */
function refuseParent({ given: { parent } }: Writing): void {
  if (parent !== undefined && !isEmpty(parent) && parent !== 0 && parent !== '0') throw tagsHaveNoParent()
}

async function found(
  tx: Database,
  visit: Work,
  taxonomy: Taxonomy,
  id: number,
  wanted: Language
): Promise<PlacedTermRow> {
  const row = await terms.find(tx, taxonomy, id, { wanted, fallback: visit.site.settings.defaultLanguage })
  if (row === undefined) throw termNotFound(id)
  return row
}
