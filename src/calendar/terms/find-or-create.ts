import { hasRole } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { normalizeForSearch } from '../content/search.ts'
import type { TermKey } from '../contract/params.ts'
import { newInvalidParamProblem, newTermCreationForbiddenProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { termWriterRoles } from '../permissions/permissions.ts'
import type { TermLookup, TermMatch } from './match-queries.ts'
import * as termMatches from './match-queries.ts'
import type { Taxonomy } from './queries.ts'
import * as terms from './queries.ts'
import { insertTerm } from './term.ts'

/**
 * The distinct terms of an event, locked against deletion until the transaction ends. Ids must exist. A text is the
 * slug or name of an existing term, in any language, or the name of a new one.
 */
export async function findOrCreateTermIds(
  tx: Database,
  context: WriteContext,
  keys: TermKey[],
  { taxonomy, language, parameter }: { taxonomy: Taxonomy; language: Language; parameter: string }
): Promise<number[]> {
  const names = new Map(keys.filter(key => typeof key === 'string').map(key => [key, toSingleLineText(key)]))
  if ([...names.values()].some(name => normalizeForSearch(name) === '')) {
    throw newInvalidParamProblem(parameter, 'empty', buildText('calendar-problems', 'empty'))
  }

  const known = await findOrCreateByName(tx, context, [...names.values()], { taxonomy, parameter, language })
  const ids = [
    ...new Set(
      keys.map(key => (typeof key === 'number' ? key : (known.get(normalizeForSearch(names.get(key) ?? '')) ?? 0)))
    )
  ]
  const locked = new Set(ids.length === 0 ? [] : await terms.lockForLinks(tx, taxonomy, ids))
  const gone = ids.filter(id => !locked.has(id))
  if (gone.some(id => keys.includes(id))) throw newUnknownTermsProblem(parameter)
  if (gone.length > 0) throw new RetryTransaction('A term was removed after it was found by its name.')
  return ids
}

/** The ids for each key of a list, in order; undefined for terms that do not exist. */
export async function findTermIds(
  db: Database,
  taxonomy: Taxonomy,
  keys: TermKey[]
): Promise<(number[] | undefined)[]> {
  const ids = keys.filter(key => typeof key === 'number')
  const texts = keys.filter(key => typeof key === 'string')
  const rows = await termMatches.listMatching(db, taxonomy, ids, texts.map(toTermLookup))
  const found = new Map<TermKey, number[]>()
  for (const { id, place } of rows) {
    const key = place === termMatches.matchedById ? id : texts[place]
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), id])
  }
  return keys.map(key => found.get(key))
}

/** A text can be a slug or a name. */
export function toTermLookup(text: string): TermLookup {
  const slug = text.trim().toLowerCase().toWellFormed()
  // Slugs in other scripts are stored percent-encoded, but people type them decoded.
  return {
    slugs: [...new Set([slug, encodeURI(slug).toLowerCase()])],
    name: normalizeForSearch(toSingleLineText(text))
  }
}

/** The slugs that a text may mean. */
export function toSlugCandidates(text: string): string[] {
  return toTermLookup(text).slugs
}

/** Term ids by normalized name; creates missing ones if the caller's role can create terms. */
async function findOrCreateByName(
  tx: Database,
  context: WriteContext,
  names: string[],
  { taxonomy, parameter, language }: { taxonomy: Taxonomy; parameter: string; language: Language }
): Promise<Map<string, number>> {
  // Of several spellings the first one is created.
  const different = [...new Map(names.toReversed().map(name => [normalizeForSearch(name), name])).values()]
  const look = async () =>
    pickBestMatch(await termMatches.listNamed(tx, taxonomy, different.map(toTermLookup)), language)
  let matches = await look()
  if (different.some((_, place) => !matches.has(place))) {
    await terms.lockNames(tx, taxonomy, different.map(normalizeForSearch))
    // Another transaction may have created them just before the lock.
    matches = await look()
    const unknown = different.filter((_, place) => !matches.has(place))
    if (unknown.length > 0 && !hasRole(context.caller, ...termWriterRoles[taxonomy]))
      throw newTermCreationForbiddenProblem(parameter, unknown)
  }

  const known = new Map<string, number>()
  for (const [place, name] of different.entries()) {
    const fields = { name, description: '', slug: '', parentId: null, language }
    known.set(normalizeForSearch(name), matches.get(place) ?? (await insertTerm(tx, context, taxonomy, fields)))
  }
  return known
}

/** The best match per lookup: slug before name, the wanted language before others, the oldest first. */
function pickBestMatch(matches: TermMatch[], language: Language): Map<number, number> {
  const rank = (match: TermMatch) => (match.bySlug ? 0 : 2) + (match.language === language ? 0 : 1)
  const ranked = matches.toSorted((one, other) => rank(other) - rank(one) || other.id - one.id)
  return new Map(ranked.map(({ place, id }) => [place, id]))
}

export const newUnknownTermsProblem = (parameter: string) =>
  newInvalidParamProblem(parameter, 'unknown', buildText('calendar-problems', 'unknownTerms'))
